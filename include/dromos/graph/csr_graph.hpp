// SPDX-License-Identifier: BSD-3-Clause
// A graph in compressed sparse row form: an owner, and a view of it that kernels take by value.
//
// The edges out of vertex u are entries[row_map[u]] .. entries[row_map[u + 1] - 1]:
//
//   edges 0->1 0->3 2->0        row_map = 0 2 2 3 3
//                               entries = 1 3 | | 0 |
//
// An undirected graph stores each edge in both directions, and says so by `directed == false`; it is then its own
// transpose. Algorithms take other graphs as well: graph/graph_view.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>

namespace dromos {

/// What a kernel sees: two read-only arrays, copied by value, valid as long as its owner lives.
template <class Vertex, class Memory>
struct CsrView {
  using vertex_type = Vertex;
  using memory_space = Memory;
  static constexpr int num_parts = 1;

  Kokkos::View<const Offset*, Memory> row_map;
  Kokkos::View<const Vertex*, Memory> entries;

  KOKKOS_FUNCTION Vertex num_vertices() const {
    return row_map.extent(0) == 0 ? 0 : static_cast<Vertex>(row_map.extent(0) - 1);
  }
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return row_map(u); }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return row_map(u + 1); }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return row_map(u + 1) - row_map(u); }
  KOKKOS_FUNCTION Vertex neighbor(Offset e) const { return load_streamed(&entries.data()[e]); }
  /// Where rows lie: here in one piece, in more elsewhere (graph/symmetric_pattern.hpp).
  const CsrView& part(int) const { return *this; }

  /// Hints that begin(u) and end(u), or the first edges of u, are wanted soon. The second reads the first's memory.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Vertex u) const { prefetch(&row_map.data()[u]); }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const { prefetch(&entries.data()[row_map.data()[u]]); }
};

/// Owns the arrays of a graph. Copies are shallow, as those of Kokkos Views are.
template <class Vertex = DefaultVertex, class Memory = Kokkos::DefaultExecutionSpace::memory_space>
struct CsrGraph {
  static_assert(is_vertex_type<Vertex>, "vertex ids are std::int32_t or std::int64_t");
  using vertex_type = Vertex;
  using memory_space = Memory;
  using view_type = CsrView<Vertex, Memory>;

  /// num_vertices + 1 offsets into entries, ascending, the first 0 and the last num_edges.
  Kokkos::View<Offset*, Memory> row_map;
  /// The target of each edge.
  Kokkos::View<Vertex*, Memory> entries;
  /// One weight per edge, or no element at all for an unweighted graph.
  Kokkos::View<float*, Memory> weights;
  /// False: every edge is stored in both directions.
  bool directed = true;

  Vertex num_vertices() const { return row_map.extent(0) == 0 ? 0 : static_cast<Vertex>(row_map.extent(0) - 1); }
  /// Stored arcs: an undirected edge counts twice.
  Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  bool weighted() const { return weights.extent(0) != 0; }
  view_type view() const { return {row_map, entries}; }
};

/// The same graph in another memory space; shares the arrays when they are reachable there already.
template <class Memory, class Vertex, class FromMemory>
CsrGraph<Vertex, Memory> copy_to(const CsrGraph<Vertex, FromMemory>& from) {
  CsrGraph<Vertex, Memory> to;
  to.row_map = Kokkos::create_mirror_view_and_copy(Memory(), from.row_map);
  to.entries = Kokkos::create_mirror_view_and_copy(Memory(), from.entries);
  to.weights = Kokkos::create_mirror_view_and_copy(Memory(), from.weights);
  to.directed = from.directed;
  return to;
}

namespace detail {

template <class Graph>
inline constexpr bool has_csr_arrays = false;
template <class Vertex, class Memory>
inline constexpr bool has_csr_arrays<CsrGraph<Vertex, Memory>> = true;

/// Can a thread of the host walk through a graph: in its memory, or in arrays that can be brought there?
template <class Graph>
inline constexpr bool host_can_read = host_accessible<typename Graph::memory_space> || has_csr_arrays<Graph>;

}  // namespace detail

}  // namespace dromos
