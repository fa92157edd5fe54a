// SPDX-License-Identifier: BSD-3-Clause
// From a graph distributed by vertices back to a list of arcs between global ids: what building left out is gone, and
// other partitions can be built of it.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/row_sources.hpp>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct NameArcs {
  Partition1d partition;
  BlockIds<Vertex> ids;
  int rank;
  Kokkos::View<const Vertex*, Memory> neighbors;
  Kokkos::View<Vertex*, Memory> source, target;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const Vertex v = neighbors(e);
    source(e) = static_cast<Vertex>(partition.global_id(rank, source(e)));
    target(e) = static_cast<Vertex>(partition.global_id(ids.rank(v), ids.local(v)));
  }
};

}  // namespace detail

/// The arcs of this rank's rows, with their weights. Undirected edges are there in both directions, on all ranks
/// together.
template <class Space, class Vertex, class Memory>
EdgeList<Vertex, Memory> arcs_of(const Space& space, const Graph1d<Vertex, Memory>& graph) {
  EdgeList<Vertex, Memory> arcs(static_cast<Vertex>(graph.partition.num_vertices()), graph.rows.num_edges());
  row_sources(space, Kokkos::View<const Offset*, Memory>(graph.rows.row_map), Vertex(0), arcs.source);
  arcs.weight = graph.rows.weights;
  for_range("dromos::graph_1d::arcs", space, arcs.num_edges(),
            detail::NameArcs<Vertex, Memory>{graph.partition, graph.ids, graph.rank, graph.rows.entries, arcs.source,
                                             arcs.target});
  fence(space, "dromos::graph_1d::arcs");
  return arcs;
}

}  // namespace dromos
