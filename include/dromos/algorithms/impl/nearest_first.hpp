// SPDX-License-Identifier: BSD-3-Clause
// One thread with a heap of vertices, the nearest first: the order of Dijkstra's algorithm, for those parts of shortest
// paths that are too thin for several threads or ranks.
//
// A vertex is put into the heap again whenever its distance shrinks. What it was there for before is passed over:
//
//   heap (3, c) (5, b) (7, b), b at 5 by now: c, then b, then (7, b) for nothing
#pragma once

#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>
#include <functional>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos::detail {

template <class Distance, class Vertex>
using NearestHeap = std::priority_queue<std::pair<Distance, Vertex>, std::vector<std::pair<Distance, Vertex>>,
                                        std::greater<std::pair<Distance, Vertex>>>;

/// What a thread has gone through.
struct Followed {
  std::int64_t num_vertices = 0;
  Offset num_edges = 0;
};

struct ToTheEnd {
  bool operator()(const Followed&) const { return true; }
};

/// Whoever is nearest offers its neighbors a way, until nobody is in the heap, or may_go_on(what it has gone through)
/// says false.
///
/// \param rows      of a graph view
/// \param weights   weights(e), by edge
/// \param distance  in and out: distance(v), by vertex; nobody else writes to it meanwhile
/// \param goes_on   goes_on(v, its distance) of who got nearer: false where it is not to be followed from here
template <class Heap, class Rows, class Weights, class Distances, class GoesOn, class MayGoOn = ToTheEnd>
Followed relax_from_heap(Heap& heap, const Rows& rows, const Weights& weights, const Distances& distance,
                         const GoesOn& goes_on, const MayGoOn& may_go_on = {}) {
  Followed followed;
  while (!heap.empty() && may_go_on(std::as_const(followed))) {
    const auto [d, u] = heap.top();
    heap.pop();
    if (d != distance(u)) continue;  // a shorter way was found since
    ++followed.num_vertices;
    followed.num_edges += rows.degree(u);
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const auto v = neighbor_of(rows, u, e);
      const auto offered = d + static_cast<std::decay_t<decltype(d)>>(weights(e));
      if (!(offered < distance(v))) continue;
      distance(v) = offered;
      if (goes_on(v, offered)) heap.emplace(offered, v);
    }
  }
  return followed;
}

}  // namespace dromos::detail
