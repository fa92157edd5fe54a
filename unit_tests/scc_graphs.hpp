// SPDX-License-Identifier: BSD-3-Clause
// Directed graphs on which methods for strongly connected components are slow or wrong: deep ones, with long chains of
// components, under random labels. And the oracle that all results are compared with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/scc.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/reference.hpp>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph_zoo.hpp"

namespace dromos::test {

/// Gives every vertex another number.
inline ZooGraph shuffled(ZooGraph graph, std::uint64_t seed) {
  std::vector<std::int64_t> name(graph.num_vertices);
  std::iota(name.begin(), name.end(), std::int64_t(0));
  std::shuffle(name.begin(), name.end(), std::mt19937_64(seed));
  for (auto& [u, v] : graph.edges) {
    u = name[u];
    v = name[v];
  }
  graph.name += ", shuffled";
  return graph;
}

/// Blocks of `least` to `most` vertices, each closed to one directed cycle; every other edge goes to one of the next
/// eight blocks. No component is trivial, and the components hang together in one long chain.
inline ZooGraph chain_of_cycles(std::int64_t num_vertices, std::int64_t least, std::int64_t most, int degree,
                                std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(random() % bound); };
  ZooGraph graph;
  graph.name = "chain of cycles of " + std::to_string(least) + " to " + std::to_string(most);
  graph.num_vertices = num_vertices;
  std::vector<std::int64_t> begin{0};
  while (begin.back() < num_vertices) {
    const std::int64_t size = least + below(most - least + 1);
    begin.push_back(num_vertices - begin.back() - size < least ? num_vertices : begin.back() + size);
  }
  const std::int64_t num_blocks = static_cast<std::int64_t>(begin.size()) - 1;
  for (std::int64_t b = 0; b < num_blocks; ++b) {
    for (std::int64_t v = begin[b]; v < begin[b + 1]; ++v) {
      graph.edges.emplace_back(v, v + 1 < begin[b + 1] ? v + 1 : begin[b]);
      for (int i = 1; i < degree; ++i) {
        const std::int64_t to = b + 1 + below(8);
        if (to < num_blocks) graph.edges.emplace_back(v, begin[to] + below(begin[to + 1] - begin[to]));
      }
    }
  }
  return graph;
}

/// A directed path, closed to a cycle or not.
inline ZooGraph long_path(std::int64_t num_vertices, bool closed) {
  ZooGraph graph;
  graph.name = closed ? "cycle" : "path";
  graph.num_vertices = num_vertices;
  for (std::int64_t v = 0; v + 1 < num_vertices; ++v) graph.edges.emplace_back(v, v + 1);
  if (closed) graph.edges.emplace_back(num_vertices - 1, 0);
  return graph;
}

/// A path on which pieces of 4, 16, 64, ... vertices are closed to cycles, some of them: components inside what would be
/// components.
inline ZooGraph nested_cycles(std::int64_t num_vertices, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ZooGraph graph = long_path(num_vertices, false);
  graph.name = "nested cycles";
  for (std::int64_t length = 4; length <= num_vertices / 4; length *= 4) {
    for (std::int64_t first = 0; first + length <= num_vertices; first += length) {
      if (random() % 3 != 0) graph.edges.emplace_back(first + length - 1, first);
    }
  }
  return graph;
}

/// A square lattice, every edge in a random direction.
inline ZooGraph oriented_lattice(std::int64_t side, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ZooGraph graph;
  graph.name = "randomly oriented lattice";
  graph.num_vertices = side * side;
  const auto add = [&](std::int64_t u, std::int64_t v) {
    if (random() % 2 == 0) std::swap(u, v);
    graph.edges.emplace_back(u, v);
  };
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column) {
      const std::int64_t v = row * side + column;
      if (column + 1 < side) add(v, v + 1);
      if (row + 1 < side) add(v, v + side);
    }
  }
  return graph;
}

/// The above, each as it comes and shuffled.
inline std::vector<ZooGraph> deep_graphs(std::int64_t num_vertices) {
  std::vector<ZooGraph> graphs = {chain_of_cycles(num_vertices, 2, 5, 2, 1), chain_of_cycles(num_vertices, 8, 256, 4, 2),
                                  long_path(num_vertices, false), long_path(num_vertices, true),
                                  nested_cycles(num_vertices, 3)};
  std::int64_t side = 1;
  while (side * side < num_vertices) ++side;
  graphs.push_back(oriented_lattice(side, 4));
  const std::size_t num_graphs = graphs.size();
  for (std::size_t i = 0; i < num_graphs; ++i) graphs.push_back(shuffled(graphs[i], i));
  return graphs;
}

template <class Vertex>
CsrGraph<Vertex, Memory> build(const ZooGraph& zoo) {
  BuildOptions options;
  options.symmetrize = !zoo.directed;
  return build_csr(Space(), zoo.edge_list<Vertex>(), options);
}

/// A graph with what a decomposition needs, and the right answer by Tarjan's algorithm.
template <class Vertex>
struct SccProblem {
  CsrGraph<Vertex, Memory> graph;
  SccScratch<Vertex, Memory> scratch;
  SccResult<Vertex, Memory> result;
  std::vector<Vertex> expected;

  explicit SccProblem(const CsrGraph<Vertex, Memory>& the_graph)
      : graph(the_graph),
        scratch(graph, transpose(Space(), graph)),
        expected(reference::strong_components(copy_to<Kokkos::HostSpace>(graph))) {}
  explicit SccProblem(const ZooGraph& zoo) : SccProblem(build<Vertex>(zoo)) {}

  /// Runs and compares labels and counts.
  SccStatistics expect_right(const SccOptions& options) {
    // Whatever an earlier run left in the result must not be what is found right.
    if (result.component.extent(0) != 0) Kokkos::deep_copy(result.component, no_vertex<Vertex>);
    const SccStatistics statistics = scc(Space(), scratch, result, options);
    const std::vector<Vertex> found = to_vector(result.component);
    EXPECT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < expected.size(); ++v) {
      if (found[v] == expected[v]) continue;
      ADD_FAILURE() << "vertex " << v << " has component " << found[v] << " instead of " << expected[v];
      break;
    }
    expect_right_counts(statistics);
    return statistics;
  }

 private:
  void expect_right_counts(const SccStatistics& statistics) const {
    std::vector<std::int64_t> size(expected.size(), 0);
    for (const Vertex label : expected) ++size[label];
    const auto count_above = [&](std::int64_t least) {
      return std::count_if(size.begin(), size.end(), [&](std::int64_t s) { return s > least; });
    };
    EXPECT_EQ(statistics.components.num_components, count_above(0));
    EXPECT_EQ(statistics.components.num_nontrivial, count_above(1));
    EXPECT_EQ(statistics.components.largest_component, size.empty() ? 0 : *std::max_element(size.begin(), size.end()));
    std::int64_t num_settled = 0;
    for (const SccStep& step : statistics.steps) num_settled += step.num_settled;
    EXPECT_EQ(num_settled, static_cast<std::int64_t>(expected.size()));
  }
};

/// Every method, and Multistep in the ways that its cut-over points allow: as it is, never giving up, and never handing
/// anything to the serial finish.
struct SccVariant {
  std::string name;
  SccMethod method;
  MultistepOptions multistep;
};

inline std::vector<SccVariant> scc_variants() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"multistep", SccMethod::multistep, {}},
          {"multistep without guard", SccMethod::multistep, {infinity, -1}},
          {"multistep without serial finish", SccMethod::multistep, {infinity, 0}},
          {"multistep that finishes 20 vertices serially", SccMethod::multistep, {infinity, 20}},
          {"multistep with a small budget", SccMethod::multistep, {30, 0}},
          {"forward-backward", SccMethod::forward_backward, {}},
          {"coloring", SccMethod::coloring, {}},
          {"serial", SccMethod::serial, {}}};
}

}  // namespace dromos::test
