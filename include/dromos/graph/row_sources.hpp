// SPDX-License-Identifier: BSD-3-Clause
// The other column of a graph's arcs: the vertex whose row each is in.
//
//   row_map = 0 2 2 3      row_sources = 0 0 2
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct WriteRowSources {
  Kokkos::View<const Offset*, Memory> row_map;
  Vertex first_vertex;
  Kokkos::View<Vertex*, Memory> source;

  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    for (Offset e = row_map(u); e < row_map(u + 1); ++e) source(e) = first_vertex + static_cast<Vertex>(u);
  }
};

}  // namespace detail

/// source(e) = first_vertex + the row that arc e is in. Memory of `space`; done on return.
///
/// \param row_map  offsets into `source`, one more than there are rows
template <class Space, class Vertex, class Memory>
void row_sources(const Space& space, const Kokkos::View<const Offset*, Memory>& row_map, Vertex first_vertex,
                 const Kokkos::View<Vertex*, Memory>& source) {
  if (row_map.extent(0) == 0) return;
  for_range("dromos::row_sources", space, static_cast<std::int64_t>(row_map.extent(0)) - 1,
            detail::WriteRowSources<Vertex, Memory>{row_map, first_vertex, source});
  fence(space, "dromos::row_sources");
}

/// The arcs of a graph as a list, in the order of its rows; targets and weights are those of the graph, not copies.
template <class Space, class Vertex, class Memory>
EdgeList<Vertex, Memory> edge_list_of(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  EdgeList<Vertex, Memory> edges;
  edges.num_vertices = graph.num_vertices();
  edges.source = Kokkos::View<Vertex*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::edge_list::source"), graph.entries.extent(0));
  edges.target = graph.entries;
  edges.weight = graph.weights;
  row_sources(space, Kokkos::View<const Offset*, Memory>(graph.row_map), Vertex(0), edges.source);
  return edges;
}

}  // namespace dromos
