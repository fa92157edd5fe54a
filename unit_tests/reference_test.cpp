// SPDX-License-Identifier: BSD-3-Clause
// The oracles themselves are judged by what their words mean, worked out from the matrix of all distances.
#include <dromos/validate/reference.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph_zoo.hpp"

namespace dromos::test {
namespace {

using Vertex = std::int32_t;
using Matrix = std::vector<std::vector<int>>;
constexpr int unreachable = 1 << 20;

/// The graph by its rows, undirected edges both ways: without build_csr().
CsrGraph<Vertex, Kokkos::HostSpace> rows_in_csr(const ZooGraph& zoo) {
  std::vector<std::vector<Vertex>> rows(zoo.num_vertices);
  for (const auto& [u, v] : zoo.edges) {
    rows[u].push_back(static_cast<Vertex>(v));
    if (!zoo.directed) rows[v].push_back(static_cast<Vertex>(u));
  }
  return copy_to<Kokkos::HostSpace>(make_graph(rows, zoo.directed));
}

/// Distances between all pairs (Floyd and Warshall), along the arcs or against them as well.
Matrix all_distances(const ZooGraph& zoo, bool both_ways) {
  const std::size_t n = static_cast<std::size_t>(zoo.num_vertices);
  Matrix distance(n, std::vector<int>(n, unreachable));
  for (std::size_t v = 0; v < n; ++v) distance[v][v] = 0;
  for (const auto& [u, v] : zoo.edges) {
    if (u == v) continue;
    distance[u][v] = 1;
    if (both_ways || !zoo.directed) distance[v][u] = 1;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (distance[i][k] >= unreachable) continue;
      for (std::size_t j = 0; j < n; ++j) {
        distance[i][j] = std::min(distance[i][j], distance[i][k] + distance[k][j]);
      }
    }
  }
  return distance;
}

void expect_oracles_mean_what_they_say(const ZooGraph& zoo) {
  const auto graph = rows_in_csr(zoo);
  const Vertex n = graph.num_vertices();
  const Matrix there = all_distances(zoo, false), weak = all_distances(zoo, true);
  const auto weak_label = reference::weak_components(graph);
  const auto strong_label = reference::strong_components(graph);
  const auto largest = reference::largest_reaching(graph);
  for (Vertex v = 0; v < n; ++v) {
    const auto level = reference::bfs_levels(graph, v);
    Vertex smallest_weak = v, smallest_strong = v, largest_above = v;
    for (Vertex u = 0; u < n; ++u) {
      EXPECT_EQ(level[u], there[v][u] >= unreachable ? no_level : there[v][u])
          << zoo.name << " from " << v << " to " << u;
      if (weak[u][v] < unreachable) smallest_weak = std::min(smallest_weak, u);
      if (there[u][v] < unreachable && there[v][u] < unreachable) smallest_strong = std::min(smallest_strong, u);
      if (there[u][v] < unreachable) largest_above = std::max(largest_above, u);
    }
    EXPECT_EQ(weak_label[v], smallest_weak) << zoo.name << ", vertex " << v;
    EXPECT_EQ(strong_label[v], smallest_strong) << zoo.name << ", vertex " << v;
    EXPECT_EQ(largest[v], largest_above) << zoo.name << ", vertex " << v;
  }
}

TEST(Reference, MeansWhatItSaysOnTheZoo) {
  for (const ZooGraph& zoo : graph_zoo()) {
    if (zoo.num_vertices <= 100) expect_oracles_mean_what_they_say(zoo);
  }
}

TEST(Reference, MeansWhatItSaysOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) expect_oracles_mean_what_they_say(random_small_graph(seed));
}

TEST(Reference, EmptyGraphsHaveNoComponents) {
  const CsrGraph<Vertex, Kokkos::HostSpace> empty;
  EXPECT_TRUE(reference::weak_components(empty).empty());
  EXPECT_TRUE(reference::strong_components(empty).empty());
  EXPECT_TRUE(reference::largest_reaching(empty).empty());
}

/// Half a million vertices deep: a recursion would have run out of stack.
TEST(Reference, DeepGraphsNeedNoRecursion) {
  const Vertex n = 500000;
  ZooGraph cycle{"cycle", n, {}, true};
  for (Vertex v = 0; v < n; ++v) cycle.edges.emplace_back(v, (v + 1) % n);
  EXPECT_EQ(reference::strong_components(rows_in_csr(cycle)), std::vector<Vertex>(n, 0));
  EXPECT_EQ(reference::bfs_levels(rows_in_csr(cycle), Vertex(1))[0], n - 1);
  cycle.edges.pop_back();
  const auto path = rows_in_csr(cycle);
  EXPECT_EQ(reference::strong_components(path).back(), n - 1);
  EXPECT_EQ(reference::weak_components(path), std::vector<Vertex>(n, 0));
}

}  // namespace
}  // namespace dromos::test
