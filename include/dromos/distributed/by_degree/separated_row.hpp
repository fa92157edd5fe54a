// SPDX-License-Identifier: BSD-3-Clause
// What those who take the rows of a graph by vertices apart ask of them, and where row maps of both kinds of edges go
// (distributed/by_degree/graph_delegate.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/by_degree/delegates.hpp>
#include <dromos/distributed/by_degree/edge_distributor.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/graph/block_ids.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <limits>
#include <string>

namespace dromos::detail {

/// One row of the graph by vertices, taken apart. Item u is own vertex u.
template <class Vertex, class Memory>
struct SeparatedRow {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  DelegateLookup<Vertex, Memory> delegates;
  BlockIds<Vertex> ids;
  int rank;
  Offset threshold;
  DelegateEdges edges;  ///< of an undirected graph

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  KOKKOS_FORCEINLINE_FUNCTION Vertex own_id(Offset u) const { return ids.id(rank, u); }
  KOKKOS_FORCEINLINE_FUNCTION bool is_normal(Offset u) const { return !delegates.contains(own_id(u)); }
  KOKKOS_FORCEINLINE_FUNCTION EdgeEnd<Vertex> end_of(LocalVertex number) const {
    return {delegates.global.data()[number], delegates.degree.data()[number]};
  }
  /// Of an own vertex that is a delegate.
  KOKKOS_FORCEINLINE_FUNCTION LocalVertex number_of_own(Offset u) const { return delegates.number_of(own_id(u)); }
  /// A target of nn: a block id in which this rank counts as the first.
  KOKKOS_FORCEINLINE_FUNCTION Vertex counted_from_here(Vertex v) const {
    const int p = ids.num_ranks();
    return ids.id((ids.rank(v) - rank + p) % p, ids.local(v));
  }
  /// How many arcs of dd an arc between delegates brings to this rank, whose the source is, in an undirected graph:
  /// both directions where the edge follows its lower end and that is the source.
  KOKKOS_FORCEINLINE_FUNCTION int arcs_of_dd(LocalVertex source, LocalVertex target) const {
    if (edges == DelegateEdges::follow_source) return 1;
    const auto from = end_of(source);
    if (end_to_follow(from, end_of(target), threshold) != from.vertex) return 0;
    return source == target ? 1 : 2;
  }
};

template <class Memory>
struct InterleaveRowMap {
  Kokkos::View<const Offset*, Memory> row_map;
  int shift;
  Kokkos::View<std::uint32_t*, Memory> row_maps;
  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    row_maps(2 * u + shift) = static_cast<std::uint32_t>(row_map(u));
  }
};

/// row_maps(2 u + kind) = row_map(u), for each of num_rows + 1.
template <class Space, class Memory>
void interleave(const Space& space, const Kokkos::View<Offset*, Memory>& row_map, std::int64_t num_rows, RowKind kind,
                const Kokkos::View<std::uint32_t*, Memory>& row_maps) {
  for_range("dromos::graph_delegate::interleave", space, num_rows + 1,
            InterleaveRowMap<Memory>{row_map, static_cast<int>(kind), row_maps});
  fence(space, "dromos::graph_delegate::interleave");
}

/// Throws ArgumentError for a part of more edges than 32-bit offsets number.
inline void check_part_size(Offset num_edges, const char* name) {
  if (num_edges > std::int64_t(std::numeric_limits<std::uint32_t>::max())) {
    throw ArgumentError("this rank would have " + std::to_string(num_edges) + " edges of the kind " + name +
                        ", and 32-bit offsets number 2^32 - 1; use more ranks");
  }
}

}  // namespace dromos::detail
