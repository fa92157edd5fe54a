// SPDX-License-Identifier: BSD-3-Clause
// The edges of an undirected graph, each once, from a list that may have each once or twice, in any direction.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/graph/edge_list.hpp>
#include <vector>

namespace dromos::io {

/// {low, high} with low <= high.
template <class Vertex>
struct UndirectedEdge {
  Vertex high;
  Vertex low;
  float weight;
};

/// By high, then low; of several with the same ends, the one that is listed first. Memory: 12 or 24 bytes for each edge
/// of the list, and half as much again while they are sorted.
template <class Vertex>
std::vector<UndirectedEdge<Vertex>> undirected_edges(const EdgeList<Vertex, Kokkos::HostSpace>& list) {
  using Edge = UndirectedEdge<Vertex>;
  std::vector<Edge> edges(static_cast<std::size_t>(list.num_edges()));
  for (Offset e = 0; e < list.num_edges(); ++e) {
    const Vertex u = list.source(e), v = list.target(e);
    edges[static_cast<std::size_t>(e)] = {std::max(u, v), std::min(u, v), list.weighted() ? list.weight(e) : 1.0f};
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const Edge& a, const Edge& b) { return a.high == b.high && a.low == b.low; }),
              edges.end());
  return edges;
}

}  // namespace dromos::io
