// SPDX-License-Identifier: BSD-3-Clause
// Real graphs in the form of the graph zoo, for tests that go over both.
#pragma once

#include <dromos/io/read_graph.hpp>

#include "graph_zoo.hpp"
#include "real_graphs.hpp"

namespace dromos::test {

/// The graph of a file that is there.
inline ZooGraph real_graph_as_zoo(const RealGraph& real) {
  const auto file = read_graph<std::int32_t>(data_path(real.file));
  ZooGraph graph;
  graph.name = real.key;
  graph.num_vertices = file.edges.num_vertices;
  graph.directed = file.directed.value_or(true);
  for (Offset e = 0; e < file.edges.num_edges(); ++e) {
    graph.edges.emplace_back(file.edges.source(e), file.edges.target(e));
  }
  return graph;
}

}  // namespace dromos::test
