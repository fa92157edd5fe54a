// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/graph/transpose.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/graph/sorted_rows.hpp>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

using Arc = std::tuple<std::int64_t, std::int64_t, float>;  // source, target, weight

/// Every stored arc, in the order of storage.
template <class Vertex>
std::vector<Arc> arcs_of(const CsrGraph<Vertex, Memory>& graph) {
  const auto row_map = to_vector(graph.row_map);
  const auto entries = to_vector(graph.entries);
  const auto weights = to_vector(graph.weights);
  std::vector<Arc> arcs;
  for (std::int64_t u = 0; u < graph.num_vertices(); ++u) {
    for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) {
      arcs.emplace_back(u, entries[e], weights.empty() ? 0.0f : weights[e]);
    }
  }
  return arcs;
}

/// Rows with duplicates and loops, sorted or not, some of them empty.
template <class Vertex>
CsrGraph<Vertex, Memory> random_graph(std::uint64_t seed, std::size_t num_vertices, bool sorted, bool weighted) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Vertex>> rows(num_vertices);
  std::size_t num_edges = 0;
  for (auto& row : rows) {
    row.resize(random() % 3 == 0 ? 0 : random() % 8);
    for (Vertex& v : row) v = static_cast<Vertex>(random() % num_vertices);
    if (sorted) std::sort(row.begin(), row.end());
    num_edges += row.size();
  }
  auto graph = dromos::test::make_graph(rows);
  if (weighted) {
    std::vector<float> weights(num_edges);
    for (std::size_t e = 0; e < num_edges; ++e) weights[e] = static_cast<float>(e);  // ascending within each row
    graph.weights = to_view(weights);
  }
  return graph;
}

template <class Vertex>
class TransposeTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(TransposeTest, VertexTypes, );

TYPED_TEST(TransposeTest, TurnsEveryArcRound) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(seed);
      const std::size_t num_vertices = seed % 4 == 0 ? 3000 : 1 + seed;
      const auto graph = random_graph<TypeParam>(seed, num_vertices, false, weighted);
      const auto reversed = dromos::transpose(Space(), graph);
      EXPECT_TRUE(reversed.directed);
      EXPECT_EQ(reversed.weighted(), graph.weighted());
      std::vector<Arc> expected;
      for (const auto& [u, v, w] : arcs_of(graph)) expected.emplace_back(v, u, w);
      std::sort(expected.begin(), expected.end());  // rows of the transpose are sorted
      ASSERT_EQ(arcs_of(reversed), expected);
    }
  }
}

/// Rows at both ends and in the middle that are empty, and one that has nearly all edges.
template <class Vertex>
CsrGraph<Vertex, Memory> graph_with_hub(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Vertex>> rows(300);
  for (const std::size_t u : {40, 41, 42, 200, 298}) rows[u].resize(u == 41 ? 9000 : 3);
  for (auto& row : rows) {
    for (Vertex& v : row) v = static_cast<Vertex>(random() % rows.size());
    std::sort(row.begin(), row.end());
  }
  return dromos::test::make_graph(rows);
}

/// The way of GPUs, which deals out edges where a CPU deals out rows.
TYPED_TEST(TransposeTest, SortedRowsAreTheSameEdgeByEdge) {
  std::vector<CsrGraph<TypeParam, Memory>> graphs = {graph_with_hub<TypeParam>(1), graph_with_hub<TypeParam>(2)};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    graphs.push_back(random_graph<TypeParam>(seed, 1 + seed * seed * 7, seed % 2 == 0, seed % 3 == 0));
  }
  for (const auto& graph : graphs) {
    const auto expected = dromos::transpose(Space(), graph);
    for (const int num_ranges : {1, 3, 20}) {
      SCOPED_TRACE(std::to_string(graph.num_vertices()) + " vertices, " + std::to_string(num_ranges) + " ranges");
      using Arcs = dromos::detail::ReversedArcs<TypeParam, Memory>;
      dromos::detail::SortRanges ranges;
      ranges.least_arcs = 0;
      ranges.num_ranges = num_ranges;
      CsrGraph<TypeParam, Memory> reversed;
      dromos::detail::SortedRows<Space, TypeParam, Memory, Arcs>(Space(), graph.num_vertices(), Arcs{graph.view()},
                                                                 Kokkos::View<const float*, Memory>(graph.weights), {},
                                                                 ranges)
          .build(reversed);
      EXPECT_EQ(to_vector(reversed.row_map), to_vector(expected.row_map));
      EXPECT_EQ(to_vector(reversed.entries), to_vector(expected.entries));
      EXPECT_EQ(to_vector(reversed.weights), to_vector(expected.weights));
    }
  }
}

TYPED_TEST(TransposeTest, TwiceIsTheGraphItself) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const bool weighted : {false, true}) {
      const auto graph = random_graph<TypeParam>(seed, 10 + 100 * seed, true, weighted);
      const auto twice = dromos::transpose(Space(), dromos::transpose(Space(), graph));
      ASSERT_EQ(to_vector(twice.row_map), to_vector(graph.row_map));
      ASSERT_EQ(to_vector(twice.entries), to_vector(graph.entries));
      ASSERT_EQ(to_vector(twice.weights), to_vector(graph.weights));
    }
  }
}

TYPED_TEST(TransposeTest, OfAnUndirectedGraphSharesItsArrays) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2}, {0}, {0}}, false);
  const auto reversed = dromos::transpose(Space(), graph);
  EXPECT_FALSE(reversed.directed);
  EXPECT_EQ(reversed.entries.data(), graph.entries.data());
  EXPECT_EQ(reversed.row_map.data(), graph.row_map.data());
}

TYPED_TEST(TransposeTest, TakesGraphsWithoutVerticesOrEdges) {
  const auto nothing = dromos::transpose(Space(), dromos::test::make_graph<TypeParam>({}));
  EXPECT_EQ(nothing.num_vertices(), 0);
  EXPECT_EQ(nothing.num_edges(), 0);
  EXPECT_EQ(dromos::transpose(Space(), CsrGraph<TypeParam, Memory>()).num_vertices(), 0);
  const auto isolated = dromos::transpose(Space(), dromos::test::make_graph<TypeParam>({{}, {}, {}}));
  EXPECT_EQ(isolated.num_vertices(), 3);
  EXPECT_EQ(isolated.num_edges(), 0);
  EXPECT_EQ(to_vector(isolated.row_map), std::vector<Offset>(4, 0));
}

}  // namespace
