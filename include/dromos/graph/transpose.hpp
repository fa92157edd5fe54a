// SPDX-License-Identifier: BSD-3-Clause
// The graph with every edge turned round: the in-edges of a directed graph, which bottom-up searches need.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos {

/// The transpose of a graph, rows sorted; of an undirected graph the graph itself, sharing its arrays.
///
/// \param space  execution space instance; its memory space holds the graph
/// Cost: two passes over the edges and a sort of every row. Memory: the graph once more.
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> transpose(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  if (!graph.directed) return graph;
  const ScopedRegion region("dromos::transpose");
  CsrGraph<Vertex, Memory> reversed;
  detail::build_rows(space, graph.num_vertices(), detail::ReversedArcs<Vertex, Memory>{graph.view()},
                     Kokkos::View<const float*, Memory>(graph.weights), {}, reversed);
  return reversed;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> transpose(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> transpose(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
