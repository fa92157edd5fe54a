// SPDX-License-Identifier: BSD-3-Clause
// The rows of an undirected graph by vertices taken apart into the four parts of a graph separated by degree, by few
// passes: on GPUs, where a graph has no weights, its threshold is small and there is memory for it. Elsewhere each part
// is built by itself from the arcs that belong to it (distributed/by_degree/graph_delegate.hpp).
//
// What a normal vertex's row becomes lies in the row: nn and nd have its targets side by side, and only those of nd, of
// which there are no more than the threshold, are put in order, so that the delegates of most edges come first. Only
// what is turned round, dn and both arcs of the edges between delegates, is sorted, by keys (graph/key_rows.hpp).
//
//   threshold 3, delegates 8 (number 0) and 6 (number 1)     row 4: 1 6 8 9     nn 1 9     nd 0 1     keys 0|4 1|4
//                                                            row 6: 4 8 ...     keys 1|0 0|1, if the edge follows 6
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/distributed/by_degree/delegates.hpp>
#include <dromos/distributed/by_degree/separated_row.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/for_rows.hpp>
#include <dromos/graph/key_rows.hpp>
#include <dromos/graph/warp_blocks.hpp>

namespace dromos::detail {

/// Rows of nd have as many edges as the threshold, and each is compared with all others of its row.
inline constexpr Offset most_to_compare = 256;

/// Of a normal row: its edges to normal vertices, and to delegates.
template <class Space, class Vertex, class Memory>
struct CountKinds {
  SeparatedRow<Vertex, Memory> row;
  Kokkos::View<std::uint32_t*, Memory> counts;  ///< two a row

  KOKKOS_FUNCTION void operator()(std::int64_t u, const Lanes<Space>& lanes) const {
    const bool is_normal = row.is_normal(u);
    const Offset begin = row.graph.begin(static_cast<Vertex>(u));
    const Offset end = is_normal ? row.graph.end(static_cast<Vertex>(u)) : begin;
    std::int64_t to_delegates = 0;
    for (Offset e = begin + lanes.lane; e < end; e += lanes.width) {
      to_delegates += row.delegates.contains(row.graph.neighbor(e));
    }
    to_delegates = lanes.sum(to_delegates);
    if (lanes.lane != 0) return;
    counts(2 * u) = static_cast<std::uint32_t>(end - begin - to_delegates);
    counts(2 * u + 1) = static_cast<std::uint32_t>(to_delegates);
  }
};

/// Of every row so many become so many that come before; those behind the last row are all.
template <class Memory>
struct BeginRows {
  Kokkos::View<std::uint32_t*, Memory> counts;  ///< two a row, of which `kind` is meant
  RowKind kind;
  std::int64_t num_rows;
  KOKKOS_FUNCTION void operator()(std::int64_t u, Offset& sum, bool final) const {
    std::uint32_t& count = counts(2 * u + static_cast<int>(kind));
    const Offset mine = u < num_rows ? static_cast<Offset>(count) : 0;
    if (final) count = static_cast<std::uint32_t>(sum);
    sum += mine;
  }
};

/// Counts become begins; returns the sum. Waits.
template <class Space, class Memory>
Offset begin_rows(const Space& space, const Kokkos::View<std::uint32_t*, Memory>& counts, RowKind kind,
                  std::int64_t num_rows) {
  Offset sum = 0;
  Kokkos::parallel_scan("dromos::graph_delegate::begins",
                        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_rows + 1),
                        BeginRows<Memory>{counts, kind, num_rows}, sum);
  return sum;
}

/// Normal rows: targets of both kinds, and each arc to a delegate turned round, as a key.
template <class Space, class Vertex, class Memory>
struct WriteNormalRows {
  SeparatedRow<Vertex, Memory> row;
  Kokkos::View<const std::uint32_t*, Memory> row_maps;
  int bits;  ///< of a normal vertex in a key
  Kokkos::View<Vertex*, Memory> to_normal;
  Kokkos::View<LocalVertex*, Memory> to_delegate;
  Kokkos::View<std::uint64_t*, Memory> keys;

  KOKKOS_FUNCTION void operator()(std::int64_t u, const Lanes<Space>& lanes) const {
    if (!row.is_normal(u)) return;
    const Offset begin = row.graph.begin(static_cast<Vertex>(u)), end = row.graph.end(static_cast<Vertex>(u));
    Offset normal = row_maps(2 * u), delegate = row_maps(2 * u + 1);
    for (Offset first = begin; first < end; first += lanes.width) {
      const Offset e = first + lanes.lane;
      const Vertex v = e < end ? row.graph.neighbor(e) : 0;
      const bool is_delegate = e < end && row.delegates.contains(v);
      const std::uint32_t delegates = lanes.votes(is_delegate), normals = lanes.votes(e < end && !is_delegate);
      if (is_delegate) {
        const Offset to = delegate + lanes.before(delegates);
        const LocalVertex number = row.delegates.number_of(v);
        to_delegate(to) = number;
        keys(to) = static_cast<std::uint64_t>(number) << bits | static_cast<std::uint64_t>(u);
      } else if (e < end) {
        to_normal(normal + lanes.before(normals)) = row.counted_from_here(v);
      }
      normal += lanes.count(normals);
      delegate += lanes.count(delegates);
    }
  }
};

/// The edges of a block, of which delegates' rows have most in few rows: f(e, number of the row's delegate, lanes) for
/// each piece of 32 of a row (on a CPU each edge), the lanes together; e may be behind the last.
template <class Space, class Vertex, class Memory, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_delegates_edges(const SeparatedRow<Vertex, Memory>& row, Offset first, Offset last,
                                                     int lane, const F& f) {
  const Lanes<Space> lanes{lane};
  for_rows_of_edges(row.graph, first, last, [&](std::int64_t u, Offset begin, Offset end) {
    if (row.is_normal(u)) return;
    const LocalVertex own = row.number_of_own(u);
    for (Offset e = begin; e < end; e += lanes.width) f(e + lane < end ? e + lane : Offset(-1), own, lanes);
  });
}

/// How many arcs of dd an edge of a delegate brings to this rank; `target`: its other end, if any.
template <class Vertex, class Memory>
KOKKOS_FORCEINLINE_FUNCTION int arcs_to_dd(const SeparatedRow<Vertex, Memory>& row, Offset e, LocalVertex own,
                                           LocalVertex& target) {
  if (e < 0) return 0;
  const Vertex v = row.graph.neighbor(e);
  if (!row.delegates.contains(v)) return 0;
  target = row.delegates.number_of(v);
  return row.arcs_of_dd(own, target);
}

template <class Space, class Vertex, class Memory>
struct CountDd {
  SeparatedRow<Vertex, Memory> row;
  Kokkos::View<Offset*, Memory> counts;  ///< by block

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    unsigned long long mine = 0;
    for_delegates_edges<Space>(row, first, last, lane, [&](Offset e, LocalVertex own, const Lanes<Space>&) {
      LocalVertex target = 0;
      mine += static_cast<unsigned long long>(arcs_to_dd(row, e, own, target));
    });
    const unsigned long long all = warp_sum(mine);
    if (lane == 0) counts(block) = static_cast<Offset>(all);
  }
};

/// The arcs of dd as keys.
template <class Space, class Vertex, class Memory>
struct WriteDd {
  SeparatedRow<Vertex, Memory> row;
  Kokkos::View<const Offset*, Memory> begins;  ///< by block
  int bits;                                    ///< of a delegate in a key
  Kokkos::View<std::uint64_t*, Memory> keys;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    Offset to = begins(block);
    for_delegates_edges<Space>(row, first, last, lane, [&](Offset e, LocalVertex own, const Lanes<Space>& lanes) {
      LocalVertex target = 0;
      const int num_arcs = arcs_to_dd(row, e, own, target);
      const std::uint32_t some = lanes.votes(num_arcs > 0), two = lanes.votes(num_arcs > 1);
      const Offset mine = to + lanes.before(some) + lanes.before(two);
      if (num_arcs > 0) keys(mine) = static_cast<std::uint64_t>(own) << bits | static_cast<std::uint64_t>(target);
      if (num_arcs > 1) keys(mine + 1) = static_cast<std::uint64_t>(target) << bits | static_cast<std::uint64_t>(own);
      to += lanes.count(some) + lanes.count(two);
    });
  }
};

/// Every row in order: each element goes behind those that are smaller.
template <class Space, class Memory>
struct OrderShortRows {
  Kokkos::View<const std::uint32_t*, Memory> row_maps;
  Kokkos::View<const LocalVertex*, Memory> from;
  Kokkos::View<LocalVertex*, Memory> to;

  KOKKOS_FUNCTION void operator()(std::int64_t u, const Lanes<Space>& lanes) const {
    const Offset begin = row_maps(2 * u + 1), end = row_maps(2 * u + 3);
    for (Offset i = begin + lanes.lane; i < end; i += lanes.width) {
      const LocalVertex mine = from(i);
      Offset place = begin;
      for (Offset j = begin; j < end; ++j) {
        const LocalVertex other = from(j);
        place += other < mine || (other == mine && j < i);
      }
      to(place) = mine;
    }
  }
};

/// Rows of keys, of which each is source above target: entries, and the row map among those of both kinds.
template <class Space, class Memory>
Kokkos::View<LocalVertex*, Memory> rows_of_keys(const Space& space, std::int64_t num_rows, std::int64_t num_targets,
                                                const Kokkos::View<std::uint64_t*, Memory>& keys, RowKind kind,
                                                const Kokkos::View<std::uint32_t*, Memory>& row_maps) {
  const auto size = static_cast<std::int64_t>(keys.extent(0));
  KeyRows<Space, LocalVertex, Memory> rows(space, num_rows, num_targets, size, false, false);
  rows.append(0, num_rows, {keys, uninitialized<std::uint64_t, Memory>("dromos::graph_delegate::spare", size)}, {});
  CsrGraph<LocalVertex, Memory> part;
  rows.finish(part);
  interleave(space, part.row_map, num_rows, kind, row_maps);
  return part.entries;
}

/// Bytes that split_rows() takes at most beside the rows, of so many arcs: those of the parts, keys twice.
inline double split_bytes(double num_arcs) { return 20 * num_arcs; }

/// Takes the rows apart: fills the row maps, which are allocated, and makes the entries of all parts.
template <class Space, class Vertex, class Memory>
void split_rows(const Space& space, const SeparatedRow<Vertex, Memory>& row, std::int64_t num_delegates,
                SubgraphPair<Vertex, Memory>& normal, SubgraphPair<LocalVertex, Memory>& delegate) {
  const std::int64_t n = row.graph.num_vertices();
  const auto keys_of = [](Offset size) {
    return uninitialized<std::uint64_t, Memory>("dromos::graph_delegate::keys", size);
  };
  for_rows("dromos::graph_delegate::count_kinds", space, n, CountKinds<Space, Vertex, Memory>{row, normal.row_maps});
  const Offset num_nn = begin_rows(space, normal.row_maps, RowKind::to_normal, n);
  const Offset num_nd = begin_rows(space, normal.row_maps, RowKind::to_delegate, n);
  // Delegates' rows are long, some of them longer than all others together.
  const WarpBlocks blocks(row.graph.num_edges());
  const auto begins = uninitialized<Offset, Memory>("dromos::graph_delegate::begins", blocks.num_blocks);
  for_each_block("dromos::graph_delegate::count_dd", space, blocks, CountDd<Space, Vertex, Memory>{row, begins});
  const Offset num_dd = sum_up_before(space, begins);
  check_part_size(num_nn, "nn");
  check_part_size(num_nd, "nd");
  check_part_size(num_dd, "dd");
  normal.to_normal = uninitialized<Vertex, Memory>("dromos::graph_delegate::nn", num_nn);
  normal.to_delegate = uninitialized<LocalVertex, Memory>("dromos::graph_delegate::nd", num_nd);
  {
    const auto keys = keys_of(num_nd);
    const auto unordered = uninitialized<LocalVertex, Memory>("dromos::graph_delegate::unordered", num_nd);
    for_rows(
        "dromos::graph_delegate::normal_rows", space, n,
        WriteNormalRows<Space, Vertex, Memory>{row, normal.row_maps, bits_for(n), normal.to_normal, unordered, keys});
    for_rows("dromos::graph_delegate::order_rows", space, n,
             OrderShortRows<Space, Memory>{normal.row_maps, unordered, normal.to_delegate});
    delegate.to_normal = rows_of_keys(space, num_delegates, n, keys, RowKind::to_normal, delegate.row_maps);
  }
  const auto keys = keys_of(num_dd);
  for_each_block("dromos::graph_delegate::write_dd", space, blocks,
                 WriteDd<Space, Vertex, Memory>{row, begins, bits_for(num_delegates), keys});
  delegate.to_delegate =
      rows_of_keys(space, num_delegates, num_delegates, keys, RowKind::to_delegate, delegate.row_maps);
}

}  // namespace dromos::detail
