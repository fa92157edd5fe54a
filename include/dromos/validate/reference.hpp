// SPDX-License-Identifier: BSD-3-Clause
// Serial oracles on the host: the textbook algorithms, written to be obviously right, against which everything parallel
// is compared. They share no code with what they judge.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace dromos::reference {

/// Level of every vertex by a queue; no_level where the root does not reach.
template <class Vertex>
std::vector<Level> bfs_levels(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex root) {
  std::vector<Level> level(graph.num_vertices(), no_level);
  std::vector<Vertex> queue{root};
  level[root] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Vertex u = queue[head];
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (level[v] != no_level) continue;
      level[v] = level[u] + 1;
      queue.push_back(v);
    }
  }
  return level;
}

/// Weak components by union-find: each vertex labelled with the smallest vertex of its component.
template <class Vertex>
std::vector<Vertex> weak_components(const CsrGraph<Vertex, Kokkos::HostSpace>& graph) {
  std::vector<Vertex> above(graph.num_vertices());
  std::iota(above.begin(), above.end(), Vertex(0));
  const auto find = [&](Vertex v) {
    while (above[v] != v) v = above[v] = above[above[v]];  // path halving
    return v;
  };
  for (Vertex u = 0; u < graph.num_vertices(); ++u) {
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex a = find(u);
      const Vertex b = find(graph.entries(e));
      above[std::max(a, b)] = std::min(a, b);  // the smaller one stays the root: roots are the canonical labels
    }
  }
  for (Vertex v = 0; v < graph.num_vertices(); ++v) above[v] = find(v);
  return above;
}

/// Color propagation by descending searches: each vertex labelled with the largest vertex that reaches it.
template <class Vertex>
std::vector<Vertex> largest_reaching(const CsrGraph<Vertex, Kokkos::HostSpace>& graph) {
  std::vector<Vertex> color(graph.num_vertices(), no_vertex<Vertex>);
  std::vector<Vertex> waiting;
  for (Vertex root = graph.num_vertices(); root-- > 0;) {
    if (color[root] != no_vertex<Vertex>) continue;  // a larger one has been here
    color[root] = root;
    waiting.push_back(root);
    while (!waiting.empty()) {
      const Vertex u = waiting.back();
      waiting.pop_back();
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex v = graph.entries(e);
        if (color[v] != no_vertex<Vertex>) continue;
        color[v] = root;
        waiting.push_back(v);
      }
    }
  }
  return color;
}

/// Strongly connected components by Tarjan's algorithm (1972) with an explicit stack: each vertex labelled with the
/// smallest vertex of its component.
template <class Vertex>
std::vector<Vertex> strong_components(const CsrGraph<Vertex, Kokkos::HostSpace>& graph) {
  const Vertex n = graph.num_vertices();
  std::vector<Vertex> label(n, no_vertex<Vertex>);
  std::vector<Vertex> index(n, no_vertex<Vertex>);  // the order in which vertices were met
  std::vector<Vertex> low(n, 0);                    // the earliest vertex on the stack that is known to be reachable
  std::vector<Vertex> stack;                        // met, and not yet in a finished component
  std::vector<std::pair<Vertex, Offset>> path;      // the vertices being explored, each with its next edge
  Vertex num_met = 0;
  const auto meet = [&](Vertex v) {
    index[v] = low[v] = num_met++;
    stack.push_back(v);
    path.emplace_back(v, graph.row_map(v));
  };
  for (Vertex start = 0; start < n; ++start) {
    if (index[start] != no_vertex<Vertex>) continue;
    meet(start);
    while (!path.empty()) {
      const Vertex u = path.back().first;
      if (path.back().second < graph.row_map(u + 1)) {
        const Vertex v = graph.entries(path.back().second++);
        if (index[v] == no_vertex<Vertex>) {
          meet(v);
        } else if (label[v] == no_vertex<Vertex>) {
          low[u] = std::min(low[u], index[v]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[u]);
      if (low[u] != index[u]) continue;
      // u is the first of its component: everything above it on the stack belongs to it.
      const auto first = std::find(stack.rbegin(), stack.rend(), u).base() - 1;
      const Vertex smallest = *std::min_element(first, stack.end());
      std::for_each(first, stack.end(), [&](Vertex v) { label[v] = smallest; });
      stack.erase(first, stack.end());
    }
  }
  return label;
}

}  // namespace dromos::reference
