// SPDX-License-Identifier: BSD-3-Clause
// One thread with a heap of vertices, the nearest first: the order of Dijkstra's algorithm, for those parts of shortest
// paths that are too thin for several threads or ranks.
//
// A vertex is put into the heap again whenever its distance shrinks. What it was there for before is passed over:
//
//   heap (3, c) (5, b) (7, b), b at 5 by now: c, then b, then (7, b) for nothing
#pragma once

#include <cstddef>
#include <dromos/core/types.hpp>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace dromos::detail {

template <class Distance, class Vertex>
using NearestHeap = std::priority_queue<std::pair<Distance, Vertex>, std::vector<std::pair<Distance, Vertex>>,
                                        std::greater<std::pair<Distance, Vertex>>>;

/// Calls visit(u, its distance) for whoever is nearest, until nobody is in the heap, or more than `most`.
///
/// \param distance_of  distance_of(u): how far u is by now
template <class Distance, class Vertex, class DistanceOf, class Visit>
void follow_nearest_first(NearestHeap<Distance, Vertex>& heap, const DistanceOf& distance_of, const Visit& visit,
                          std::size_t most = std::numeric_limits<std::size_t>::max()) {
  while (!heap.empty() && heap.size() <= most) {
    const auto [distance, u] = heap.top();
    heap.pop();
    if (distance == distance_of(u)) visit(u, distance);  // otherwise a shorter way was found since
  }
}

/// The same, and whoever is visited offers its neighbors a way. Returns how many edges were looked at.
///
/// \param rows      of a graph view
/// \param weights   weights(e), by edge
/// \param distance  in and out: distance(v), by vertex
template <class Rows, class Weights, class Distances, class Distance, class Vertex>
Offset relax_from_heap(NearestHeap<Distance, Vertex>& heap, const Rows& rows, const Weights& weights,
                       const Distances& distance, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  Offset num_edges = 0;
  const auto relax = [&](Vertex u, Distance d) {
    num_edges += rows.degree(u);
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const Vertex v = rows.neighbor(e);
      const Distance offered = d + static_cast<Distance>(weights(e));
      if (!(offered < distance(v))) continue;
      distance(v) = offered;
      heap.emplace(offered, v);
    }
  };
  follow_nearest_first(
      heap, [&](Vertex u) { return distance(u); }, relax, most);
  return num_edges;
}

}  // namespace dromos::detail
