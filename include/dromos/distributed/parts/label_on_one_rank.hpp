// SPDX-License-Identifier: BSD-3-Clause
// The serial finish of a distributed algorithm: what is left of the graph is gathered on the first rank, in host
// memory, where a serial algorithm gives every vertex a label, and the labels go back to where the vertices are.
//
// Vertices that are left are numbered through, rank by rank; the arcs between them are all that travels, twice a number
// each.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/gather.hpp>
#include <vector>

namespace dromos::detail {

/// position(v) = `first` and how many counted vertices are before v in the list; of a vertex that another rank counts
/// -1. Writes down the numbers of those that are counted.
template <class Global, class Memory>
struct NumberRemaining {
  Kokkos::View<const LocalVertex*, Memory> list;
  Bitmap<Memory> counted;
  Kokkos::View<const Global*, Memory> numbers;
  std::int64_t first;
  Kokkos::View<Global*, Memory> position;
  Kokkos::View<Global*, Memory> number_of;
  Kokkos::View<LocalVertex*, Memory> vertex_of;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    const LocalVertex v = list(i);
    const bool mine = counted.test(v);
    if (final) position(v) = mine ? static_cast<Global>(first + sum) : Global(-1);
    if (final && mine) {
      number_of(sum) = numbers(v);
      vertex_of(sum) = v;
    }
    sum += mine;
  }
};

/// The arcs between vertices that are left, as positions; counts them only where there is no room.
template <class Global, class Memory>
struct ListRemainingArcs {
  CsrView<LocalVertex, Memory> rows;
  Bitmap<Memory> active;
  Kokkos::View<const LocalVertex*, Memory> list;
  Kokkos::View<const Global*, Memory> position;
  Kokkos::View<Global*, Memory> source, target;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    const LocalVertex u = list(i);
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const LocalVertex v = rows.neighbor(e);
      if (!active.test(v)) continue;
      if (final && source.extent(0) != 0) {
        source(sum) = position(u);
        target(sum) = position(v);
      }
      ++sum;
    }
  }
};

template <class Global, class Memory>
struct TakeLabels {
  Kokkos::View<const LocalVertex*, Memory> vertex_of;
  Kokkos::View<const Global*, Memory> labels;
  Kokkos::View<Global*, Memory> label;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { label(vertex_of(i)) = labels(i); }
};

/// Rows in host memory, in the order of their arcs.
template <class Global>
CsrGraph<Global, Kokkos::HostSpace> rows_of_arcs(std::int64_t num_vertices,
                                                 const Kokkos::View<Global*, Kokkos::HostSpace>& source,
                                                 const Kokkos::View<Global*, Kokkos::HostSpace>& target) {
  CsrGraph<Global, Kokkos::HostSpace> graph;
  graph.directed = true;
  graph.row_map = Kokkos::View<Offset*, Kokkos::HostSpace>("dromos::label_on_one_rank::row_map", num_vertices + 1);
  graph.entries = uninitialized<Global, Kokkos::HostSpace>("dromos::label_on_one_rank::entries",
                                                           static_cast<std::int64_t>(target.extent(0)));
  const std::size_t num_arcs = source.extent(0);
  for (std::size_t e = 0; e < num_arcs; ++e) ++graph.row_map(source(e) + 1);
  for (std::int64_t v = 0; v < num_vertices; ++v) graph.row_map(v + 1) += graph.row_map(v);
  // The row map is the cursor, and is one row ahead afterwards.
  for (std::size_t e = 0; e < num_arcs; ++e) graph.entries(graph.row_map(source(e))++) = target(e);
  for (std::int64_t v = num_vertices; v > 0; --v) graph.row_map(v) = graph.row_map(v - 1);
  if (num_vertices > 0) graph.row_map(0) = 0;
  return graph;
}

/// What label_on_one_rank() works in, reused from call to call: to a GPU, each allocation is worth a sweep.
template <class Memory>
struct LabelBuffers {
  ReusedBuffer<Memory> numbers, vertices, sources, targets, all_sources, all_targets, all_numbers, all_labels, labels;
};

/// label(v) of the vertices of a list that are counted here becomes what the first rank finds. Collective.
///
/// \param active    the vertices that are left, also among the copies
/// \param list      those of them with rows here
/// \param position  work space: a number for each local vertex
/// \param buffers   work space as well
/// \param solve     solve(graph, numbers, labels) on the first rank: rows in host memory, by vertex its number in the
///                  whole graph; fills labels
/// \returns the arcs that the first rank was given
template <class Halo, class Space, class Global, class Memory, class Solve>
Offset label_on_one_rank(const Halo& halo, const Space& space, const CsrView<LocalVertex, Memory>& rows,
                         const Bitmap<Memory>& active, const Kokkos::View<LocalVertex*, Memory>& list,
                         std::int64_t list_size, const Kokkos::View<Global*, Memory>& position,
                         const Kokkos::View<Global*, Memory>& label, LabelBuffers<Memory>& buffers,
                         const Solve& solve) {
  const ScopedRegion region("dromos::label_on_one_rank");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const Communicator& communicator = halo.communicator();
  const auto& part = halo.part();
  const bool is_first = communicator.rank() == 0;
  const Range listed(space, 0, list_size);

  const std::int64_t num_mine = halo.count_listed(space, list, list_size);
  const auto vertices_from = consecutive_blocks(gather_counts(communicator, num_mine));
  const Block mine = vertices_from[static_cast<std::size_t>(communicator.rank())];
  const std::int64_t num_vertices = total_size(vertices_from);
  Kokkos::View<Global*, Memory> number_of, source, target;
  Kokkos::View<LocalVertex*, Memory> vertex_of;
  std::int64_t num_arcs = 0;
  halo.agree([&] {
    number_of = buffers.numbers.template of<Global>(num_mine);
    vertex_of = buffers.vertices.template of<LocalVertex>(num_mine);
  });
  Kokkos::deep_copy(space, position, Global(-1));
  Kokkos::parallel_scan(
      "dromos::label_on_one_rank::number", listed,
      NumberRemaining<Global, Memory>{list, part.counted, part.numbers, mine.offset, position, number_of, vertex_of});
  halo.template unite<Largest<Global>>(space, position);
  halo.spread(space, position);
  ListRemainingArcs<Global, Memory> arcs{rows, active, list, position, {}, {}};
  Kokkos::parallel_scan("dromos::label_on_one_rank::count_arcs", listed, arcs, num_arcs);
  const auto arcs_from = consecutive_blocks(gather_counts(communicator, num_arcs));
  Kokkos::View<Global*, Memory> all_sources, all_targets, all_numbers, labels;
  halo.agree([&] {
    source = buffers.sources.template of<Global>(num_arcs);
    target = buffers.targets.template of<Global>(num_arcs);
    const std::int64_t all_arcs = is_first ? total_size(arcs_from) : 0;
    const std::int64_t all_vertices = is_first ? num_vertices : 0;
    all_sources = buffers.all_sources.template of<Global>(all_arcs);
    all_targets = buffers.all_targets.template of<Global>(all_arcs);
    all_numbers = buffers.all_numbers.template of<Global>(all_vertices);
    labels = buffers.all_labels.template of<Global>(all_vertices);
  });
  if (num_arcs > 0) {
    arcs.source = source;
    arcs.target = target;
    Kokkos::parallel_scan("dromos::label_on_one_rank::list_arcs", listed, arcs, num_arcs);
  }
  std::vector<Block> arcs_leave(arcs_from.size()), vertices_leave(arcs_from.size());
  arcs_leave[0] = {0, num_arcs};
  vertices_leave[0] = {0, num_mine};
  const std::vector<Block> nothing(arcs_from.size());
  alltoallv(communicator, space, source, arcs_leave, all_sources, is_first ? arcs_from : nothing);
  alltoallv(communicator, space, target, arcs_leave, all_targets, is_first ? arcs_from : nothing);
  alltoallv(communicator, space, number_of, vertices_leave, all_numbers, is_first ? vertices_from : nothing);
  halo.agree([&] {
    if (!is_first) return;
    const auto graph =
        rows_of_arcs<Global>(num_vertices, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all_sources),
                             Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all_targets));
    const auto on_host = uninitialized<Global, Kokkos::HostSpace>("dromos::label_on_one_rank::labels", num_vertices);
    solve(graph, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all_numbers), on_host);
    Kokkos::deep_copy(labels, on_host);
  });
  const auto own_labels = buffers.labels.template of<Global>(num_mine);
  alltoallv(communicator, space, labels, is_first ? vertices_from : nothing, own_labels, vertices_leave);
  Kokkos::parallel_for("dromos::label_on_one_rank::take", Range(space, 0, num_mine),
                       TakeLabels<Global, Memory>{vertex_of, own_labels, label});
  fence(space, "dromos::label_on_one_rank");
  return total_size(arcs_from);
}

}  // namespace dromos::detail
