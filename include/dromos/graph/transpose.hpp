// SPDX-License-Identifier: BSD-3-Clause
// The graph with every edge turned round: the in-edges of a directed graph, which bottom-up searches need.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos {

namespace detail {

/// The reversed arcs of a graph, row by row: item u yields (v, u) for each edge (u, v).
template <class Vertex, class Memory>
struct ReversedArcs {
  CsrView<Vertex, Memory> graph;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset u, const F& f) const {
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) f(graph.neighbor(e), static_cast<Vertex>(u), e);
  }
};

}  // namespace detail

/// The transpose of a graph, rows sorted; of an undirected graph the graph itself, sharing its arrays.
///
/// \param space  execution space instance; its memory space holds the graph
/// Cost: two passes over the edges and a sort of every row. Memory: the graph once more.
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> transpose(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  if (!graph.directed) return graph;
  const ScopedRegion region("dromos::transpose");
  CsrGraph<Vertex, Memory> reversed;
  detail::fill_rows(space, graph.num_vertices(), detail::ReversedArcs<Vertex, Memory>{graph.view()},
                    Kokkos::View<const float*, Memory>(graph.weights), reversed);
  sort_adjacencies(space, reversed);
  return reversed;
}

}  // namespace dromos
