// SPDX-License-Identifier: BSD-3-Clause
// How many edges lead from a vertex to itself. An undirected one is a single arc, where every other edge is two, so
// that whoever counts edges by arcs has to know.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/long_range.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>

namespace dromos::driver {

template <class Vertex, class Memory>
struct SelfLoopsOfList {
  Kokkos::View<const Vertex*, Memory> source, target;
  KOKKOS_FUNCTION void operator()(std::int64_t e, Offset& loops) const { loops += source(e) == target(e); }
};

template <class Vertex, class Memory>
struct SelfLoopsOfRows {
  Kokkos::View<const Offset*, Memory> row_map;
  Kokkos::View<const Vertex*, Memory> entries;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& loops) const {
    for (Offset e = row_map(v); e < row_map(v + 1); ++e) loops += static_cast<std::int64_t>(entries(e)) == v;
  }
};

/// Of a list. Cost: one pass over it.
template <class Space, class Vertex, class Memory>
Offset count_self_loops(const Space& space, const EdgeList<Vertex, Memory>& edges) {
  Offset num_loops = 0;
  reduce_range("dromos::driver::count_self_loops", space, edges.num_edges(),
               SelfLoopsOfList<Vertex, Memory>{edges.source, edges.target}, num_loops);
  return num_loops;
}

/// Of a graph. Cost: one pass over its arcs.
template <class Space, class Vertex, class Memory>
Offset count_self_loops(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  Offset num_loops = 0;
  Kokkos::parallel_reduce("dromos::driver::count_self_loops",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, graph.num_vertices()),
                          SelfLoopsOfRows<Vertex, Memory>{graph.row_map, graph.entries}, num_loops);
  return num_loops;
}

}  // namespace dromos::driver
