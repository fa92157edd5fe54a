// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/graph/relabel.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Level;
using dromos::Offset;
using dromos::RelabeledGraph;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

template <class Vertex>
std::vector<std::vector<Vertex>> random_rows(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Vertex>> rows(1 + random() % 200);
  for (auto& row : rows) {
    row.resize(random() % 3 == 0 ? 0 : random() % 10);
    for (Vertex& v : row) v = static_cast<Vertex>(random() % rows.size());
  }
  return rows;
}

template <class Vertex>
class RelabelTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(RelabelTest, VertexTypes, );

TYPED_TEST(RelabelTest, OfTheExampleInTheHeader) {
  const auto relabeled =
      dromos::relabel_by_degree(Space(), dromos::test::make_graph<TypeParam>({{0}, {2, 0, 1}, {1, 2}}));
  EXPECT_EQ(to_vector(relabeled.new_id), (std::vector<TypeParam>{2, 0, 1}));
  EXPECT_EQ(to_vector(relabeled.old_id), (std::vector<TypeParam>{1, 2, 0}));
  EXPECT_EQ(dromos::test::rows_of(relabeled.graph), (std::vector<std::vector<TypeParam>>{{0, 1, 2}, {0, 1}, {2}}));
}

/// With degree and id in one key, and with ids beside keys, as where degrees and ids have too many bits for one.
TYPED_TEST(RelabelTest, OrdersAsAStableSortDoes) {
  for (std::uint64_t seed = 200; seed < 260; ++seed) {
    SCOPED_TRACE(seed);
    const auto rows = random_rows<TypeParam>(seed);
    const auto graph = dromos::test::make_graph(rows);
    std::vector<TypeParam> expected(rows.size());
    std::iota(expected.begin(), expected.end(), TypeParam(0));
    std::stable_sort(expected.begin(), expected.end(),
                     [&](TypeParam a, TypeParam b) { return rows[a].size() > rows[b].size(); });
    for (const int key_bits : {64, 1}) {
      const Kokkos::View<TypeParam*, Memory> order("test::order", rows.size());
      dromos::detail::order_by_degree(Space(), graph.view(), order, key_bits);
      EXPECT_EQ(to_vector(order), expected) << key_bits << " bits";
    }
  }
}

TYPED_TEST(RelabelTest, IsTheSameGraphInOrderOfDegree) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(seed);
      const auto rows = random_rows<TypeParam>(seed);
      auto graph = dromos::test::make_graph(rows, seed % 2 == 0);
      std::vector<float> weights(weighted ? graph.num_edges() : 0);
      std::iota(weights.begin(), weights.end(), 0.0f);
      graph.weights = to_view(weights);
      const auto relabeled = dromos::relabel_by_degree(Space(), graph);
      const auto new_id = to_vector(relabeled.new_id);
      const auto old_id = to_vector(relabeled.old_id);
      ASSERT_EQ(new_id.size(), rows.size());
      ASSERT_EQ(old_id.size(), rows.size());
      EXPECT_EQ(relabeled.graph.directed, graph.directed);
      EXPECT_EQ(relabeled.graph.weighted(), graph.weighted());
      ASSERT_EQ(relabeled.graph.num_edges(), graph.num_edges());

      // The renumbering is a permutation, by descending degree and then by id.
      for (std::size_t v = 0; v < rows.size(); ++v) {
        ASSERT_GE(old_id[v], 0);
        ASSERT_LT(static_cast<std::size_t>(old_id[v]), rows.size());
        ASSERT_EQ(static_cast<std::size_t>(new_id[old_id[v]]), v);
        if (v == 0) continue;
        const std::size_t degree = rows[old_id[v]].size(), degree_before = rows[old_id[v - 1]].size();
        EXPECT_TRUE(degree_before > degree || (degree_before == degree && old_id[v - 1] < old_id[v])) << "at " << v;
      }

      // Row by row the same neighbors with the same weights.
      const auto new_rows = dromos::test::rows_of(relabeled.graph);
      const auto new_weights = to_vector(relabeled.graph.weights);
      const auto row_map = to_vector(graph.row_map);
      const auto new_row_map = to_vector(relabeled.graph.row_map);
      for (std::size_t u = 0; u < rows.size(); ++u) {
        std::vector<std::pair<TypeParam, float>> expected, found;
        for (std::size_t i = 0; i < rows[u].size(); ++i) {
          expected.emplace_back(new_id[rows[u][i]], weighted ? weights[row_map[u] + i] : 0.0f);
        }
        std::sort(expected.begin(), expected.end());  // rows of the result are sorted
        const auto& row = new_rows[new_id[u]];
        for (std::size_t i = 0; i < row.size(); ++i) {
          found.emplace_back(row[i], weighted ? new_weights[new_row_map[new_id[u]] + i] : 0.0f);
        }
        ASSERT_EQ(found, expected) << "vertex " << u;
      }
    }
  }
}

TYPED_TEST(RelabelTest, MapsResultsBack) {
  const auto rows = random_rows<TypeParam>(99);
  const std::size_t n = rows.size();
  const auto relabeled = dromos::relabel_by_degree(Space(), dromos::test::make_graph(rows));
  const auto new_id = to_vector(relabeled.new_id);

  // A level and a parent for each vertex by its old number, some of them none, stated in new numbers.
  std::mt19937_64 random(100);
  std::vector<Level> level(n), new_level(n);
  std::vector<TypeParam> parent(n), new_parent(n);
  for (std::size_t v = 0; v < n; ++v) {
    level[v] = random() % 4 == 0 ? dromos::no_level : static_cast<Level>(random() % 50);
    parent[v] = random() % 4 == 0 ? dromos::no_vertex<TypeParam> : static_cast<TypeParam>(random() % n);
    new_level[new_id[v]] = level[v];
    new_parent[new_id[v]] = parent[v] < 0 ? parent[v] : new_id[parent[v]];
  }
  const Kokkos::View<Level*, Memory> level_back("test::level", n);
  const Kokkos::View<TypeParam*, Memory> parent_back("test::parent", n);
  dromos::map_back_values(Space(), relabeled, Kokkos::View<const Level*, Memory>(to_view(new_level)), level_back);
  dromos::map_back_vertices(Space(), relabeled, Kokkos::View<const TypeParam*, Memory>(to_view(new_parent)),
                            parent_back);
  Space().fence();
  EXPECT_EQ(to_vector(level_back), level);
  EXPECT_EQ(to_vector(parent_back), parent);
}

TYPED_TEST(RelabelTest, TakesGraphsWithoutVerticesOrEdges) {
  EXPECT_EQ(dromos::relabel_by_degree(Space(), dromos::test::make_graph<TypeParam>({})).graph.num_vertices(), 0);
  EXPECT_EQ(dromos::relabel_by_degree(Space(), CsrGraph<TypeParam, Memory>()).graph.num_vertices(), 0);
  const auto isolated = dromos::relabel_by_degree(Space(), dromos::test::make_graph<TypeParam>({{}, {}, {}}));
  EXPECT_EQ(isolated.graph.num_vertices(), 3);
  EXPECT_EQ(to_vector(isolated.old_id), (std::vector<TypeParam>{0, 1, 2}));
}

}  // namespace
