// SPDX-License-Identifier: BSD-3-Clause
// The small graphs that every algorithm is tested on: each has a shape that once broke somebody's code.
#pragma once

#include <cstdint>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {

/// A graph as people write it down. Undirected edges are listed once.
struct ZooGraph {
  std::string name;
  std::int64_t num_vertices = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  bool directed = true;

  template <class Vertex>
  EdgeList<Vertex, Memory> edge_list() const {
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (const auto& [u, v] : edges) pairs.emplace_back(static_cast<Vertex>(u), static_cast<Vertex>(v));
    return make_edge_list<Vertex>(static_cast<Vertex>(num_vertices), pairs);
  }
};

/// Edges of a generator, as pairs.
template <class Generator>
std::vector<std::pair<std::int64_t, std::int64_t>> list_edges(const Generator& generator) {
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  for (Offset i = 0; i < generator.num_edges(); ++i) {
    std::int64_t u = 0, v = 0;
    generator.edge(i, u, v);
    edges.emplace_back(u, v);
  }
  return edges;
}

/// n vertices, m random edges, loops and duplicates welcome; sometimes with structure: long chains, hubs, cycles.
inline ZooGraph random_small_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(random() % bound); };
  ZooGraph graph;
  graph.name = "random-" + std::to_string(seed);
  graph.directed = below(2) == 0;
  graph.num_vertices = 1 + below(below(4) == 0 ? 300 : 40);
  const std::int64_t n = graph.num_vertices;
  const std::int64_t m = below(1 + n * (1 + below(6)));
  const int kind = static_cast<int>(below(4));
  for (std::int64_t i = 0; i < m; ++i) {
    const std::int64_t u = below(n);
    switch (kind) {
      case 0:
        graph.edges.emplace_back(u, below(n));
        break;  // uniform
      case 1:
        graph.edges.emplace_back(u, dromos::min(u + below(4), n - 1));
        break;  // mostly forward, deep
      case 2:
        graph.edges.emplace_back(below(3) == 0 ? 0 : u, below(n));
        break;  // a hub
      default:
        graph.edges.emplace_back(u, (u + 1 + below(2)) % n);
        break;  // rings
    }
  }
  return graph;
}

/// GPUs take longer to begin a sweep than to make one of such a graph.
inline constexpr bool sweeps_begin_fast = !is_gpu<Space>;

/// How many random graphs a test tries that tries n where sweeps begin fast.
constexpr std::uint64_t num_random_graphs(std::uint64_t n) { return sweeps_begin_fast ? n : n / 10; }

/// One of each shape. `deep` is the length of the longest path, and the measure of other deep graphs.
inline std::vector<ZooGraph> graph_zoo(int deep = 700) {
  const int cycle = deep * 333 / 700, chain = deep * 600 / 700;
  std::vector<ZooGraph> zoo;
  const auto add = [&](std::string name, std::int64_t n, bool directed) -> ZooGraph& {
    zoo.push_back({std::move(name), n, {}, directed});
    return zoo.back();
  };
  add("one-vertex", 1, true);
  add("self-loop", 1, true).edges = {{0, 0}};
  add("two-vertices-without-edges", 2, false);
  add("isolated-root", 5, false).edges = {{1, 2}, {2, 3}, {3, 4}};
  add("multi-edges", 4, true).edges = {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {1, 2}, {2, 0}, {3, 3}, {3, 3}};
  add("disconnected", 7, false).edges = {{0, 1}, {1, 2}, {3, 4}, {5, 6}};
  add("dead-ends", 6, true).edges = {{0, 1}, {0, 2}, {2, 3}, {4, 0}, {5, 4}};
  add("complete", 40, false);
  for (int u = 0; u < 40; ++u) {
    for (int v = u + 1; v < 40; ++v) zoo.back().edges.emplace_back(u, v);
  }
  for (const bool directed : {false, true}) {
    const std::string suffix = directed ? "-directed" : "";
    add("path-5" + suffix, 5, directed).edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    add("path-" + std::to_string(deep) + suffix, deep, directed);
    for (int i = 0; i + 1 < deep; ++i) zoo.back().edges.emplace_back(i, i + 1);
    add("cycle-" + std::to_string(cycle) + suffix, cycle, directed);
    for (int i = 0; i < cycle; ++i) zoo.back().edges.emplace_back(i, (i + 1) % cycle);
    add("star-5000" + suffix, 5001, directed);  // a degree far above any team
    for (int i = 1; i <= 5000; ++i) zoo.back().edges.emplace_back(0, i);
  }
  add("star-from-leaf", 3001, false);  // the hub is the last vertex
  for (int i = 0; i < 3000; ++i) zoo.back().edges.emplace_back(3000, i);
  add("grid-17x23", 17 * 23, false);
  for (int r = 0; r < 17; ++r) {
    for (int c = 0; c < 23; ++c) {
      if (c + 1 < 23) zoo.back().edges.emplace_back(r * 23 + c, r * 23 + c + 1);
      if (r + 1 < 17) zoo.back().edges.emplace_back(r * 23 + c, (r + 1) * 23 + c);
    }
  }
  add("binary-tree-1000", 1000, false);
  for (int v = 1; v < 1000; ++v) zoo.back().edges.emplace_back((v - 1) / 2, v);
  add("chain-of-cycles", chain, true);  // blocks of 2 to 7 vertices, each a directed cycle, joined one way
  for (int first = 0, length = 2; first < chain; first += length, length = 2 + first % 6) {
    const int last = std::min(first + length, chain) - 1;
    for (int v = first; v < last; ++v) zoo.back().edges.emplace_back(v, v + 1);
    zoo.back().edges.emplace_back(last, first);
    if (last + 1 < chain) zoo.back().edges.emplace_back(first, last + 1);
  }
  for (const int scale : {6, 10}) {
    for (const bool directed : {false, true}) {
      KroneckerOptions options;
      options.scale = scale;
      options.edge_factor = 8;
      add("kronecker-" + std::to_string(scale) + (directed ? "-directed" : ""), std::int64_t(1) << scale, directed)
          .edges = list_edges(KroneckerEdges<std::int64_t>(options));
    }
  }
  ErdosRenyiOptions uniform;
  uniform.num_vertices = 800;
  uniform.num_edges = 1500;
  add("erdos-renyi", 800, false).edges = list_edges(ErdosRenyiEdges<std::int64_t>(uniform));
  uniform.seed = 2;
  add("erdos-renyi-directed", 800, true).edges = list_edges(ErdosRenyiEdges<std::int64_t>(uniform));
  return zoo;
}

}  // namespace dromos::test
