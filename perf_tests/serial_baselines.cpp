// SPDX-License-Identifier: BSD-3-Clause
#include "serial_baselines.hpp"

#include <algorithm>
#include <cmath>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/validate/reference.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <numeric>
#include <vector>

namespace dromos::perf {
namespace {

template <class T>
double sum_of(const std::vector<T>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double distances(const HostGraph& graph, Vertex root) {
  double sum = 0;
  for (const float distance : reference::shortest_distances(graph, root)) sum += std::isinf(distance) ? 0 : distance;
  return sum;
}

/// Power iteration, pulled over the in-edges; the graph is undirected.
double ranks(const HostGraph& graph) {
  const PageRankOptions options;
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  std::vector<double> rank(n, 1.0 / static_cast<double>(n)), share(n);
  double change = 1;
  for (int i = 0; i < options.max_iterations && change >= options.tolerance; ++i) {
    double dangling = 0;
    for (std::size_t v = 0; v < n; ++v) {
      const double degree = static_cast<double>(graph.row_map(v + 1) - graph.row_map(v));
      share[v] = degree > 0 ? rank[v] / degree : 0;
      dangling += degree > 0 ? 0 : rank[v];
    }
    const double base = (1 - options.damping + options.damping * dangling) / static_cast<double>(n);
    change = 0;
    for (std::size_t v = 0; v < n; ++v) {
      double sum = 0;
      for (Offset e = graph.row_map(v); e < graph.row_map(v + 1); ++e) sum += share[graph.entries(e)];
      const double next = base + options.damping * sum;
      change += std::abs(next - rank[v]);
      rank[v] = next;
    }
  }
  return sum_of(rank);
}

/// Vertices in the order of their remaining degrees, moved from bin to bin in place (Batagelj and Zaversnik 2003).
double core_numbers(const HostGraph& graph) {
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  std::vector<Vertex> degree(n), order(n), place(n);
  Vertex most = 0;
  for (std::size_t v = 0; v < n; ++v) {
    degree[v] = static_cast<Vertex>(graph.row_map(v + 1) - graph.row_map(v));
    most = std::max(most, degree[v]);
  }
  std::vector<Vertex> bin(static_cast<std::size_t>(most) + 2, 0);
  for (const Vertex d : degree) ++bin[d + 1];
  std::partial_sum(bin.begin(), bin.end(), bin.begin());
  std::vector<Vertex> next = bin;
  for (std::size_t v = 0; v < n; ++v) {
    place[v] = next[degree[v]]++;
    order[place[v]] = static_cast<Vertex>(v);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vertex u = order[i];
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (degree[v] <= degree[u]) continue;
      // To the front of its bin, which then begins one later: v is in the bin before.
      const Vertex front = std::max(bin[degree[v]], static_cast<Vertex>(i + 1));
      const Vertex other = order[front];
      std::swap(order[place[v]], order[front]);
      std::swap(place[v], place[other]);
      bin[degree[v]] = front + 1;
      --degree[v];
    }
  }
  return sum_of(degree);
}

/// Brandes 2001, for one root; predecessors are found again by their levels.
double dependencies(const HostGraph& graph, Vertex root) {
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  std::vector<double> paths(n, 0), dependency(n, 0);
  std::vector<Level> level(n, no_level);
  std::vector<Vertex> order{root};
  order.reserve(n);
  level[root] = 0;
  paths[root] = 1;
  for (std::size_t head = 0; head < order.size(); ++head) {
    const Vertex u = order[head];
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (level[v] == no_level) {
        level[v] = level[u] + 1;
        order.push_back(v);
      }
      if (level[v] == level[u] + 1) paths[v] += paths[u];
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const Vertex u = order[i];
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (level[v] == level[u] + 1) dependency[u] += paths[u] / paths[v] * (1 + dependency[v]);
    }
  }
  return sum_of(dependency);
}

}  // namespace

double solve_serially(const std::string& name, const HostGraph& graph, Vertex root) {
  if (name == "bfs" || name == "diameter") return sum_of(reference::bfs_levels(graph, root));
  if (name == "sssp") return distances(graph, root);
  if (name == "cc") return sum_of(reference::weak_components(graph));
  if (name == "scc") return sum_of(reference::strong_components(graph));
  if (name == "color") return sum_of(reference::largest_reaching(graph));
  if (name == "pagerank") return ranks(graph);
  if (name == "kcore") return core_numbers(graph);
  if (name == "bc") return dependencies(graph, root);
  throw Error("there is no serial algorithm for " + name);
}

}  // namespace dromos::perf
