// SPDX-License-Identifier: BSD-3-Clause
// Views of a graph in which all degrees are equal, for sweeps that want a few edges of every vertex, or none:
//
//   FirstNeighbors<2>    rows 0: 3 5 7    become  0: 3 5     a row that is too short is filled up with self loops
//                             1: 0                1: 0 1
//   FirstNeighbors<2, Graph, 0, true>             0: 3 7     with the last
//                                                 1: 0 0
//   OneNeighbor                                   0: p0      each vertex to the one that an array names
//                                                 1: 1
//
// They hold no array: the edges of u are those numbered u * degree .. u * degree + degree - 1, which is also the prefix
// sum of the degrees, so that every strategy can deal them out.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>

namespace dromos {

/// The first `count` edges of every vertex, or those behind the first `skip`; or but for one, which is its last.
template <int count, class Graph, int skip = 0, bool and_last = false>
struct FirstNeighbors {
  static_assert(count > 0, "at least one edge of every vertex");
  static constexpr int degree_of_all = count;
  using Vertex = typename Graph::vertex_type;
  using vertex_type = Vertex;
  using memory_space = typename Graph::memory_space;
  /// Who looks at one edge is done with 16 vertices before the memory has answered.
  static constexpr int prefetch_distance = count == 1 ? 32 : 8;
  Graph graph;
  /// What the operator reads of every neighbor, one element a vertex, so that hints can ask the cache for it in time;
  /// empty where it reads nothing.
  Kokkos::View<const Vertex*, memory_space> read_of_neighbor;

  KOKKOS_FUNCTION Vertex num_vertices() const { return graph.num_vertices(); }
  KOKKOS_FUNCTION Offset num_edges() const { return Offset(count) * graph.num_vertices(); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return Offset(count) * u; }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return Offset(count) * u + count; }
  KOKKOS_FUNCTION Offset degree(Vertex) const { return count; }
  KOKKOS_FORCEINLINE_FUNCTION Vertex neighbor(Offset e) const {
    const Vertex u = static_cast<Vertex>(e / count);
    const Offset place = e % count, end = graph.end(u);
    Offset at = graph.begin(u) + skip + place;
    if (and_last && place == count - 1) at = dromos::max(graph.begin(u), end - 1);
    return at < end ? neighbor_of(graph, u, at) : u;
  }

  /// As those of CsrView, one step further on: the rows are read in order and need no hint, the edges and what the
  /// operator reads of a neighbor do.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row([[maybe_unused]] Vertex u) const {
    if constexpr (detail::HasPrefetch<Graph>::value) graph.prefetch_edges(u);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const {
    if (read_of_neighbor.data() == nullptr) return;
    for (Offset e = begin(u); e < end(u); ++e) prefetch(&read_of_neighbor.data()[neighbor(e)]);
  }
};

/// One edge of every vertex, to the vertex that an array names.
///
/// The array may change while the edges are visited: an edge leads where it says at that moment.
template <class Vertex, class Memory>
struct OneNeighbor {
  using vertex_type = Vertex;
  using memory_space = Memory;
  static constexpr int degree_of_all = 1;
  Kokkos::View<Vertex*, Memory> neighbor_of;

  KOKKOS_FUNCTION Vertex num_vertices() const { return static_cast<Vertex>(neighbor_of.extent(0)); }
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(neighbor_of.extent(0)); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return u; }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return Offset(u) + 1; }
  KOKKOS_FUNCTION Offset degree(Vertex) const { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION Vertex neighbor(Offset e) const { return atomic_load(&neighbor_of.data()[e]); }

  /// The array is read in order and needs no hint; where an edge leads, the operator will look next.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Vertex) const {}
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const { prefetch(&neighbor_of.data()[neighbor(u)]); }
};

}  // namespace dromos
