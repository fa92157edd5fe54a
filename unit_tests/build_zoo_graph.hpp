// SPDX-License-Identifier: BSD-3-Clause
// A graph of the zoo as the library builds it.
#pragma once

#include <dromos/graph/build_csr.hpp>

#include "graph_zoo.hpp"

namespace dromos::test {

/// Every edge of an undirected graph is stored in both directions; loops and duplicates stay.
template <class Vertex>
CsrGraph<Vertex, Memory> build(const ZooGraph& zoo) {
  BuildOptions options;
  options.symmetrize = !zoo.directed;
  return build_csr(Space(), zoo.edge_list<Vertex>(), options);
}

/// The graph with its directions forgotten; simple: without loops and duplicates.
template <class Vertex>
CsrGraph<Vertex, Memory> build_undirected(const ZooGraph& zoo, bool simple) {
  BuildOptions options;
  options.symmetrize = true;
  options.drop_self_loops = options.remove_duplicates = simple;
  return build_csr(Space(), zoo.edge_list<Vertex>(), options);
}

}  // namespace dromos::test
