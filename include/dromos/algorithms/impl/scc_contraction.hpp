// SPDX-License-Identifier: BSD-3-Clause
// The contraction step: finds all components of the active vertices, by contracting their graph round after round
// (contraction.hpp), by the serial algorithm on what cannot be contracted or is not worth it, and by undoing the
// rounds.
//
// It is what a GPU does with deep graphs, where a search has thousands of levels of a few vertices: the number of its
// kernels depends on how fast the graph shrinks, never on how deep it is. In the worst case nothing shrinks, and two
// rounds were spent in vain before the serial algorithm had the whole.
#pragma once

#include <dromos/algorithms/impl/component_colors.hpp>
#include <dromos/algorithms/impl/contraction.hpp>
#include <dromos/algorithms/impl/scc_serial.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>

namespace dromos {

namespace scc_detail {

/// Appends the edge (u, v) to the graph to contract, where both are active; vertices by their places in the list.
template <class Vertex, class Memory>
struct GatherArcs {
  Bitmap<Memory> active;
  Kokkos::View<const Vertex*, Memory> position;
  Kokkos::View<Arc<Vertex>*, Memory> arcs;
  Kokkos::View<std::uint64_t*, Memory> counts;
  PickedSide<Vertex, Memory> side;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    using C = Contraction<Vertex, Memory>;
    if (u == v || !active.test(v)) return false;
    const Arc<Vertex> arc{position.data()[u], position.data()[v]};
    arcs.data()[take_number(&counts.data()[C::num_arcs_count])] = arc;
    side.add(arc, C::inward(0));
    return false;
  }
};

/// Makes scratch.contraction the graph of the remaining vertices. Uses scratch.color. Waits.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
void gather_arcs(const Space& space, SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                 const Strategy& strategy) {
  const std::int64_t count = scratch.num_active;
  const auto list = scratch.remaining.queue();
  const auto out = view_of(scratch.graph);
  detail::ensure_size(scratch.color, static_cast<std::size_t>(scratch.num_vertices()), "dromos::scc::color");
  const auto position = scratch.color;
  detail::number_listed("dromos::scc::contraction::number", space, list, count, position);
  auto& contraction = scratch.contraction;
  start_contraction(space, contraction, count, sum_of_degrees(space, out, list, count));
  const GatherArcs<Vertex, Memory> gather{scratch.active, position, contraction.arcs, contraction.counts.on_device(),
                                          contraction.side};
  visit_edges(space, out, scratch.remaining, NoSink{}, gather, strategy);
  read_counts(space, contraction);
}

template <class Vertex, class Memory>
struct RenameArcs {
  Kokkos::View<const Vertex*, Memory> position;
  Kokkos::View<Arc<Vertex>*, Memory> arcs;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    arcs(i) = {position(arcs(i).source), position(arcs(i).target)};
  }
};

/// Labels the vertices of a contracted graph by the serial algorithm, on the host.
template <class Space, class Vertex, class Memory>
void label_contracted(const Space& space, Contraction<Vertex, Memory>& contraction, SerialSccScratch<Vertex>& serial) {
  const std::int64_t n = contraction.num_vertices;
  const std::int64_t m = contraction.num_arcs;
  const auto vertices = contraction.vertices;
  const auto arcs = contraction.arcs;
  const auto position = contraction.next_vertices;  // of no use any more, like the other arrays of a next graph
  const auto label = contraction.label;
  detail::number_listed("dromos::scc::contraction::renumber", space, vertices, n, position);
  for_range("dromos::scc::contraction::rename", space, m, RenameArcs<Vertex, Memory>{position, arcs});
  fence(space, "dromos::scc::contraction::rest");
  const auto list = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                                        Kokkos::subview(arcs, Kokkos::make_pair(std::int64_t(0), m)));

  CsrGraph<Vertex, Kokkos::HostSpace> graph;
  graph.row_map = Kokkos::View<Offset*, Kokkos::HostSpace>("dromos::scc::contraction::row_map", n + 1);
  graph.entries = Kokkos::View<Vertex*, Kokkos::HostSpace>("dromos::scc::contraction::entries", m);
  // Counts go two places up and ends one place up, so that filling the rows moves each row's end to its place.
  Offset* const row_map = graph.row_map.data();
  for (std::int64_t i = 0; i < m; ++i) {
    if (list(i).source + 2 <= n) ++row_map[list(i).source + 2];
  }
  for (std::int64_t v = 2; v <= n; ++v) row_map[v] += row_map[v - 1];
  for (std::int64_t i = 0; i < m; ++i) graph.entries(row_map[list(i).source + 1]++) = list(i).target;

  const Kokkos::View<Vertex*, Kokkos::HostSpace> everyone("dromos::scc::contraction::everyone", n);
  for (std::int64_t i = 0; i < n; ++i) everyone(i) = static_cast<Vertex>(i);
  const Kokkos::View<Vertex*, Kokkos::HostSpace> found("dromos::scc::contraction::found", n);
  tarjan(
      graph.view(), everyone.data(), n, [](Vertex, Offset, Vertex) { return true; },
      [&](Vertex v, Vertex smallest) { found(v) = smallest; }, serial);
  const Kokkos::View<Vertex*, Memory> found_there = Kokkos::create_mirror_view_and_copy(Memory(), found);
  label_by_place("dromos::scc::contraction::label_rest", space, vertices, found_there, n, label);
  fence(space, "dromos::scc::contraction::label_rest");
}

}  // namespace scc_detail

/// What the contraction step left to the serial algorithm, and what that cost.
struct SccContractionSteps {
  SccStep contraction, serial;
};

/// Settles all active vertices by contraction.
///
/// \param component  out: the labels of the settled vertices
/// \param cutoff     the serial algorithm takes over when no more vertices than this are left
/// \param strategy   of the sweep that gathers the edges
/// \returns two steps: num_sweeps of the first is the number of rounds; the second settled the vertices that were left
///          to the serial algorithm
/// Cost: five kernels and one host synchronisation a round, which visits what is left of the edges; the serial
/// algorithm on what is not contracted, and the copy of that to the host. Memory: see Contraction. Waits.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
SccContractionSteps settle_by_contraction(const Space& space,
                                          SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                                          const Kokkos::View<Vertex*, Memory>& component, std::int64_t cutoff,
                                          const Strategy& strategy) {
  const ScopedRegion region("dromos::scc::contraction");
  Kokkos::Timer timer;
  SccContractionSteps steps{{"contraction"}, {"serial"}};
  scc_detail::list_active(space, scratch);
  const std::int64_t count = scratch.num_active;
  if (count == 0) return steps;
  auto& contraction = scratch.contraction;
  scc_detail::gather_arcs(space, scratch, strategy);
  steps.contraction.num_sweeps = scc_detail::contract(space, contraction, cutoff);
  steps.contraction.seconds = timer.seconds();
  steps.contraction.num_settled = count;
  if (contraction.num_arcs > 0) {
    timer.reset();
    steps.serial.num_settled = contraction.num_vertices;
    steps.contraction.num_settled -= contraction.num_vertices;
    scc_detail::label_contracted(space, contraction, scratch.serial);
    steps.serial.seconds = timer.seconds();
  }

  timer.reset();
  scc_detail::expand_labels(space, contraction);
  detail::label_by_smallest(space, contraction.label, contraction.root);
  const auto list = scratch.remaining.queue();
  const auto label = contraction.label;
  scc_detail::label_by_place("dromos::scc::contraction::label", space, list, label, count, component);
  clear(space, scratch.active);
  scratch.num_active = 0;
  fence(space, "dromos::scc::contraction");
  steps.contraction.seconds += timer.seconds();
  return steps;
}

}  // namespace dromos
