// SPDX-License-Identifier: BSD-3-Clause
// Maximum matchings with every strategy and both widths of ids, of the zoo's graphs read as matrices and of random
// rectangular and singular ones: as many edges as a serial algorithm finds, and the rules reject what is none.
#include <dromos/algorithms/maximum_matching.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/validate/matching_rules.hpp>
#include <string>
#include <vector>

#include "bipartite_patterns.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Pattern;
using dromos::test::random_pattern;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

std::int64_t structural_rank(const Pattern& pattern) {
  const std::vector<std::int64_t> row_of = dromos::test::serial_matching(pattern);
  return std::count_if(row_of.begin(), row_of.end(), [](std::int64_t row) { return row != -1; });
}

template <class Vertex>
class MatchingTest : public ::testing::Test {
 protected:
  void expect_right(const Pattern& pattern, const std::vector<Strategy>& strategies) {
    const auto graph = pattern.build<Vertex>();
    const std::int64_t rank = structural_rank(pattern);
    Kokkos::View<Vertex*, Memory> mate;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      for (const bool start : {true, false}) {
        const auto statistics = dromos::maximum_matching(Space(), graph, mate, {strategy, start});
        ASSERT_EQ(statistics.num_matched, rank);
        EXPECT_GE(statistics.num_matched, statistics.num_started);
        EXPECT_EQ(start ? 0 : statistics.num_started, 0);
        const auto proof = dromos::validate_matching(graph.graph, graph.num_rows, mate);
        ASSERT_TRUE(proof.holds) << proof.message;
      }
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(MatchingTest, VertexTypes, );

TYPED_TEST(MatchingTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo(300)) {
    SCOPED_TRACE(zoo.name);
    this->expect_right({zoo.num_vertices, zoo.num_vertices, zoo.edges}, dromos::test::some_tunings());
  }
}

TYPED_TEST(MatchingTest, IsRightOnRandomMatrices) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    this->expect_right(random_pattern(seed), {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(MatchingTest, StartIsMaximumOnTrees) {
  // A path a0-x0-a1-x1-...: from its ends, vertices with one free neighbor lead through all of it.
  Pattern path{500, 500, {}};
  for (std::int64_t i = 0; i < 500; ++i) {
    path.entries.emplace_back(i, i);
    if (i + 1 < 500) path.entries.emplace_back(i + 1, i);
  }
  Kokkos::View<TypeParam*, Memory> mate;
  const auto statistics = dromos::maximum_matching(Space(), path.build<TypeParam>(), mate);
  EXPECT_EQ(statistics.num_started, 500);
  EXPECT_EQ(statistics.num_phases, 1);
}

TYPED_TEST(MatchingTest, RefusesWhatItCannotUse) {
  Kokkos::View<TypeParam*, Memory> mate;
  EXPECT_EQ(dromos::maximum_matching(Space(), Pattern{}.build<TypeParam>(), mate).num_matched, 0);
  EXPECT_EQ(dromos::maximum_matching(Space(), Pattern{0, 3, {}}.build<TypeParam>(), mate).num_matched, 0);
  EXPECT_THROW((Pattern{2, 3, {{2, 0}}}.build<TypeParam>()), dromos::ArgumentError);
  EXPECT_THROW((Pattern{2, 3, {{0, 3}}}.build<TypeParam>()), dromos::ArgumentError);
  auto graph = Pattern{2, 2, {{0, 0}}}.build<TypeParam>();
  graph.num_rows = 5;
  EXPECT_THROW(dromos::maximum_matching(Space(), graph, mate), dromos::ArgumentError);
  graph.num_rows = 2;
  graph.graph.directed = true;
  EXPECT_THROW(dromos::maximum_matching(Space(), graph, mate), dromos::ArgumentError);
}

TYPED_TEST(MatchingTest, RulesRejectWrongMates) {
  const auto graph = Pattern{2, 2, {{0, 0}, {0, 1}, {1, 0}}}.build<TypeParam>();  // columns are 2 and 3
  const auto holds = [&](const std::vector<TypeParam>& mate) {
    return dromos::validate_matching(graph.graph, graph.num_rows, to_view(mate)).holds;
  };
  EXPECT_TRUE(holds({3, 2, 1, 0}));
  EXPECT_FALSE(holds({2, -1, 0, -1})) << "1-2-0-3 augments it";
  EXPECT_FALSE(holds({2, 3, 0, 1})) << "1 and 3 are not joined";
  EXPECT_FALSE(holds({3, 2, 0, 1})) << "not mutual";
  EXPECT_FALSE(holds({1, 0, -1, -1})) << "two rows";
  EXPECT_FALSE(holds({3, 2, 1}));
}

}  // namespace
