// SPDX-License-Identifier: BSD-3-Clause
// Serial oracles on the host for what is measured of every vertex: core numbers, PageRank, betweenness. The textbook
// algorithms, written to be obviously right; they share no code with what they judge.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <vector>

namespace dromos::reference {

/// Core numbers by bucket peeling (Batagelj and Zaversnik 2003): again and again the vertex with the fewest remaining
/// neighbors leaves. Self loops do not count, parallel edges count as often as they are stored.
template <class Vertex>
std::vector<Vertex> core_numbers(const CsrGraph<Vertex, Kokkos::HostSpace>& graph) {
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  std::vector<Offset> left(n, 0);
  Offset most = 0;
  for (std::size_t u = 0; u < n; ++u) {
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      left[u] += static_cast<std::size_t>(graph.entries(e)) != u;
    }
    most = std::max(most, left[u]);
  }
  std::vector<std::vector<Vertex>> bucket(static_cast<std::size_t>(most) + 1);
  for (std::size_t v = 0; v < n; ++v) bucket[left[v]].push_back(static_cast<Vertex>(v));
  std::vector<Vertex> core(n, no_vertex<Vertex>);
  for (Offset k = 0; k <= most; ++k) {
    for (std::size_t i = 0; i < bucket[k].size(); ++i) {  // grows as neighbors fall to k
      const Vertex u = bucket[k][i];
      if (core[u] != no_vertex<Vertex> || left[u] > k) continue;
      core[u] = static_cast<Vertex>(k);
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex v = graph.entries(e);
        if (v == u || core[v] != no_vertex<Vertex>) continue;
        bucket[std::max(--left[v], k)].push_back(v);  // where it is listed already it is passed over later
      }
    }
  }
  return core;
}

/// PageRank by power iteration, pushed along the out-edges, until an iteration changes less than `tolerance` in all.
template <class Vertex>
std::vector<double> pagerank(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, double damping, double tolerance,
                             int max_iterations, std::vector<double> start = {}) {
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  const double num = static_cast<double>(n);
  if (start.empty()) start.assign(n, 1 / num);
  std::vector<double> rank = start, next(n);
  double change = tolerance;
  for (int i = 0; i < max_iterations && change >= tolerance; ++i) {
    double dangling = 0;
    for (std::size_t u = 0; u < n; ++u) dangling += graph.row_map(u) == graph.row_map(u + 1) ? rank[u] : 0;
    for (std::size_t v = 0; v < n; ++v) next[v] = (1 - damping + damping * dangling) * start[v];
    for (std::size_t u = 0; u < n; ++u) {
      const Offset degree = graph.row_map(u + 1) - graph.row_map(u);
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        next[graph.entries(e)] += damping * rank[u] / static_cast<double>(degree);
      }
    }
    change = 0;
    for (std::size_t v = 0; v < n; ++v) change += std::abs(next[v] - rank[v]);
    rank.swap(next);
  }
  return rank;
}

/// The dependencies of the given roots on every vertex, added up (Brandes 2001, Algorithm 1): predecessors are listed
/// on the way out, and dependencies are handed to them on the way back.
template <class Vertex>
std::vector<double> betweenness(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const std::vector<Vertex>& roots) {
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  std::vector<double> centrality(n, 0);
  for (const Vertex root : roots) {
    std::vector<std::vector<Vertex>> predecessors(n);
    std::vector<double> paths(n, 0), dependency(n, 0);
    std::vector<Level> distance(n, no_level);
    std::vector<Vertex> order{root};
    paths[root] = 1;
    distance[root] = 0;
    for (std::size_t head = 0; head < order.size(); ++head) {
      const Vertex u = order[head];
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex v = graph.entries(e);
        if (distance[v] == no_level) {
          distance[v] = distance[u] + 1;
          order.push_back(v);
        }
        if (distance[v] != distance[u] + 1) continue;
        paths[v] += paths[u];
        predecessors[v].push_back(u);
      }
    }
    for (std::size_t i = order.size(); i-- > 1;) {
      const Vertex v = order[i];
      for (const Vertex u : predecessors[v]) dependency[u] += paths[u] / paths[v] * (1 + dependency[v]);
      centrality[v] += dependency[v];
    }
  }
  return centrality;
}

}  // namespace dromos::reference
