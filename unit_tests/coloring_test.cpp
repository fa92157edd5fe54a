// SPDX-License-Identifier: BSD-3-Clause
// Colorings and distance-2 independent sets with every strategy and both widths of ids: the rules hold, every strategy
// gives the same, other seeds give others, and the rules reject wrong ones.
#include <dromos/algorithms/coloring.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/independence_rules.hpp>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;
using dromos::test::ZooGraph;

template <class Vertex>
class ColoringTest : public ::testing::Test {
 protected:
  void expect_right(const ZooGraph& zoo, bool simple, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name + (simple ? " simple" : ""));
    const auto graph = dromos::test::build_undirected<Vertex>(zoo, simple);
    std::vector<Vertex> first_color, first_member;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      Kokkos::View<Vertex*, Memory> color, member;
      const auto colored = dromos::color_vertices(Space(), graph, color, {strategy, 3});
      const auto chosen = dromos::mis2(Space(), graph, member, {strategy, 3});
      const auto coloring_proof = dromos::validate_coloring(graph, color);
      ASSERT_TRUE(coloring_proof.holds) << coloring_proof.message;
      const auto member_proof = dromos::validate_mis2(graph, member);
      ASSERT_TRUE(member_proof.holds) << member_proof.message;
      const auto colors = to_vector(color), members = to_vector(member);
      EXPECT_EQ(colored.num_colors, *std::max_element(colors.begin(), colors.end()) + 1);
      EXPECT_EQ(chosen.num_members, std::count(members.begin(), members.end(), Vertex(1)));
      if (first_color.empty()) first_color = colors, first_member = members;
      ASSERT_EQ(colors, first_color);
      ASSERT_EQ(members, first_member);
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ColoringTest, VertexTypes, );

TYPED_TEST(ColoringTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, false, dromos::test::some_tunings());
    this->expect_right(zoo, true, dromos::all_strategies());
  }
}

TYPED_TEST(ColoringTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed), seed % 2 == 0,
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(ColoringTest, HasAsManyColorsAsItTakes) {
  // A clique of 200: four windows of 64 colors.
  ZooGraph clique;
  clique.num_vertices = 200;
  for (std::int64_t u = 0; u < 200; ++u) {
    for (std::int64_t v = u + 1; v < 200; ++v) clique.edges.emplace_back(u, v);
  }
  this->expect_right(clique, true, dromos::all_strategies());
  Kokkos::View<TypeParam*, Memory> color, member;
  const auto graph = dromos::test::build_undirected<TypeParam>(clique, true);
  EXPECT_EQ(dromos::color_vertices(Space(), graph, color).num_colors, 200);
  EXPECT_EQ(dromos::mis2(Space(), graph, member).num_members, 1);
}

TYPED_TEST(ColoringTest, SeedsDiffer) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    if (zoo.name != "grid-17x23") continue;
    const auto graph = dromos::test::build_undirected<TypeParam>(zoo, true);
    Kokkos::View<TypeParam*, Memory> one, other;
    dromos::color_vertices(Space(), graph, one, {Strategy{}, 1});
    dromos::color_vertices(Space(), graph, other, {Strategy{}, 2});
    EXPECT_NE(to_vector(one), to_vector(other));
    dromos::mis2(Space(), graph, one, {Strategy{}, 1});
    dromos::mis2(Space(), graph, other, {Strategy{}, 2});
    EXPECT_NE(to_vector(one), to_vector(other));
  }
}

TYPED_TEST(ColoringTest, RefusesWhatItCannotUse) {
  Kokkos::View<TypeParam*, Memory> result;
  dromos::CsrGraph<TypeParam, Memory> graph;
  graph.directed = false;
  EXPECT_EQ(dromos::color_vertices(Space(), graph, result).num_colors, 0);
  EXPECT_EQ(dromos::mis2(Space(), graph, result).num_members, 0);
  graph.directed = true;
  EXPECT_THROW(dromos::color_vertices(Space(), graph, result), dromos::ArgumentError);
  EXPECT_THROW(dromos::mis2(Space(), graph, result), dromos::ArgumentError);
}

TYPED_TEST(ColoringTest, RulesRejectWrongAnswers) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0, 2}, {1, 3}, {2}}, false);  // a path
  const auto coloring = [&](const std::vector<TypeParam>& c) {
    return dromos::validate_coloring(graph, to_view(c)).holds;
  };
  EXPECT_TRUE(coloring({0, 1, 0, 1}));
  EXPECT_FALSE(coloring({0, 0, 1, 0}));
  EXPECT_FALSE(coloring({0, 2, 0, 1})) << "1 is free";
  EXPECT_FALSE(coloring({-1, 0, 1, 0}));
  const auto mis2 = [&](const std::vector<TypeParam>& m) { return dromos::validate_mis2(graph, to_view(m)).holds; };
  EXPECT_TRUE(mis2({0, 1, 0, 0}));
  EXPECT_TRUE(mis2({1, 0, 0, 1}));
  EXPECT_FALSE(mis2({1, 0, 1, 0})) << "two edges apart";
  EXPECT_FALSE(mis2({1, 1, 0, 0})) << "neighbors";
  EXPECT_FALSE(mis2({1, 0, 0, 0})) << "3 is far from all";
}

}  // namespace
