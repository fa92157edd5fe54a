// SPDX-License-Identifier: BSD-3-Clause
// The graph zoo, spread over ranks: each rank takes its slice of the edges, and keeps the whole graph on the host to
// judge by.
#pragma once

#include <dromos/comm/communicator.hpp>
#include <dromos/dist/edge_slice.hpp>
#include <dromos/graph/build_csr.hpp>
#include <utility>
#include <vector>

#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace dromos::test {

/// This rank's slice of a zoo graph's edges.
template <class Vertex>
EdgeList<Vertex, Memory> zoo_slice(const Communicator& communicator, const ZooGraph& zoo) {
  const auto [first, last] =
      slice_of(static_cast<Offset>(zoo.edges.size()), communicator.rank(), communicator.size());
  std::vector<std::pair<Vertex, Vertex>> part;
  for (Offset i = first; i < last; ++i) {
    part.emplace_back(static_cast<Vertex>(zoo.edges[i].first), static_cast<Vertex>(zoo.edges[i].second));
  }
  return make_edge_list<Vertex>(static_cast<Vertex>(zoo.num_vertices), part);
}

/// Options that make of a zoo graph what it says it is.
inline BuildOptions zoo_build(const ZooGraph& zoo) {
  BuildOptions build;
  build.symmetrize = !zoo.directed;
  build.drop_self_loops = build.remove_duplicates = true;
  return build;
}

/// The whole graph, built on one node.
template <class Vertex>
CsrGraph<Vertex, Memory> zoo_graph(const ZooGraph& zoo) {
  return build_csr(Space(), zoo.template edge_list<Vertex>(), zoo_build(zoo));
}

}  // namespace dromos::test
