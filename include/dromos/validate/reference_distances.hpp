// SPDX-License-Identifier: BSD-3-Clause
// Serial oracles on the host for distances: Dijkstra's algorithm, and the diameter by a search from every vertex. The
// textbook algorithms, written to be obviously right; they share no code with what they judge.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/reference.hpp>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace dromos::reference {

/// Distances by Dijkstra's algorithm (1959) with a heap, added up in Distance: float, double, or std::int64_t where
/// weights are whole. Where the root does not reach, infinity, and of whole numbers the largest.
template <class Distance = float, class Vertex>
std::vector<Distance> shortest_distances(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex root) {
  using Entry = std::pair<Distance, Vertex>;
  using Limits = std::numeric_limits<Distance>;
  std::vector<Distance> distance(graph.num_vertices(), Limits::has_infinity ? Limits::infinity() : Limits::max());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> nearest_first;
  distance[root] = 0;
  nearest_first.emplace(Distance(0), root);
  while (!nearest_first.empty()) {
    const auto [d, u] = nearest_first.top();
    nearest_first.pop();
    if (d != distance[u]) continue;  // a shorter way was found since
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      const Distance offered = d + static_cast<Distance>(graph.weights(e));
      if (!(offered < distance[v])) continue;
      distance[v] = offered;
      nearest_first.emplace(offered, v);
    }
  }
  return distance;
}

/// The largest distance in edges between two vertices of the component of `start`: a search from each of them.
/// Cost: the vertices of the component times its edges.
template <class Vertex>
Level component_diameter(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex start) {
  const std::vector<Level> component = bfs_levels(graph, start);
  Level diameter = 0;
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    if (component[v] == no_level) continue;
    const std::vector<Level> level = bfs_levels(graph, v);
    diameter = std::max(diameter, *std::max_element(level.begin(), level.end()));
  }
  return diameter;
}

}  // namespace dromos::reference
