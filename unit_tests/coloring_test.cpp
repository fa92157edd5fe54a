// SPDX-License-Identifier: BSD-3-Clause
// Colorings, distance-2 independent sets and their aggregates with every strategy and both widths of ids: the rules
// hold, every strategy gives the same, other seeds give others, and the rules reject wrong ones.
#include <dromos/algorithms/coloring.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/aggregates.hpp>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/independence_rules.hpp>
#include <set>
#include <string>
#include <tuple>
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

using Rows = std::vector<std::vector<std::int64_t>>;

template <class Vertex>
Rows rows_without_loops(const dromos::CsrGraph<Vertex, Memory>& graph) {
  const auto given = dromos::test::rows_of(graph);
  Rows rows(given.size());
  for (std::size_t u = 0; u < given.size(); ++u) {
    for (const Vertex v : given[u]) {
      if (static_cast<std::size_t>(v) != u) rows[u].push_back(v);
    }
  }
  return rows;
}

/// One vertex after the other, those with most digits of their degree first and then by the random numbers: the
/// smallest color that no neighbor has.
template <class Vertex>
std::vector<Vertex> colors_one_by_one(const dromos::CsrGraph<Vertex, Memory>& graph, std::uint64_t seed) {
  const auto with_loops = dromos::test::rows_of(graph);
  const Rows rows = rows_without_loops(graph);
  std::vector<std::tuple<int, std::uint64_t, std::size_t>> order;  // to be gone through from the largest
  for (std::size_t v = 0; v < rows.size(); ++v) {
    int num_digits = 0;
    while (with_loops[v].size() >> num_digits != 0) ++num_digits;
    order.emplace_back(num_digits, dromos::detail::random_bits(seed, v), rows.size() - v);
  }
  std::sort(order.rbegin(), order.rend());
  std::vector<Vertex> color(rows.size(), -1);
  for (const auto& [num_digits, bits, from_end] : order) {
    const std::size_t v = rows.size() - from_end;
    std::set<Vertex> taken;
    for (const std::int64_t w : rows[v]) taken.insert(color[static_cast<std::size_t>(w)]);
    Vertex free = 0;
    while (taken.count(free) != 0) ++free;
    color[v] = free;
  }
  return color;
}

/// Round by round: who is near a member of an earlier round is out, and who has the smallest random number of all that
/// are undecided within two edges is a member.
template <class Vertex>
std::vector<Vertex> members_round_by_round(const dromos::CsrGraph<Vertex, Memory>& graph, std::uint64_t seed) {
  const Rows rows = rows_without_loops(graph);
  const std::size_t n = rows.size();
  std::vector<std::set<std::size_t>> near(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (const std::int64_t w : rows[v]) {
      near[v].insert(static_cast<std::size_t>(w));
      for (const std::int64_t x : rows[static_cast<std::size_t>(w)]) near[v].insert(static_cast<std::size_t>(x));
    }
    near[v].erase(v);
  }
  const std::uint64_t mask = (std::uint64_t(1) << dromos::FrontierCounts::bits_for(static_cast<std::int64_t>(n))) - 1;
  enum class State { undecided, member, out };
  std::vector<State> state(n, State::undecided);
  for (std::uint64_t round = 0; std::count(state.begin(), state.end(), State::undecided) > 0; ++round) {
    const dromos::detail::Mis2Keys keys{dromos::detail::random_bits(seed, round), mask};
    const std::vector<State> before = state;
    for (std::size_t v = 0; v < n; ++v) {
      if (before[v] != State::undecided) continue;
      bool is_smallest = true;
      for (const std::size_t w : near[v]) {
        if (before[w] == State::member) state[v] = State::out;
        if (before[w] == State::undecided && keys.key(w) < keys.key(v)) is_smallest = false;
      }
      if (state[v] == State::undecided && is_smallest) state[v] = State::member;
    }
  }
  std::vector<Vertex> member(n);
  for (std::size_t v = 0; v < n; ++v) member[v] = state[v] == State::member ? 1 : 0;
  return member;
}

template <class Vertex>
class ColoringTest : public ::testing::Test {
 protected:
  void expect_right(const ZooGraph& zoo, bool simple, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name + (simple ? " simple" : ""));
    const auto graph = dromos::test::build_undirected<Vertex>(zoo, simple);
    std::vector<Vertex> first_color, first_member, first_root;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      Kokkos::View<Vertex*, Memory> color, member, root;
      const auto colored = dromos::color_vertices(Space(), graph, color, {strategy, 3});
      const auto chosen = dromos::mis2(Space(), graph, member, {strategy, 3});
      const auto coloring_proof = dromos::validate_coloring(graph, color);
      ASSERT_TRUE(coloring_proof.holds) << coloring_proof.message;
      const auto member_proof = dromos::validate_mis2(graph, member);
      ASSERT_TRUE(member_proof.holds) << member_proof.message;
      dromos::aggregates(Space(), graph, member, root, strategy);
      const auto aggregate_proof = dromos::validate_aggregates(graph, member, root);
      ASSERT_TRUE(aggregate_proof.holds) << aggregate_proof.message;
      const auto colors = to_vector(color), members = to_vector(member), roots = to_vector(root);
      EXPECT_EQ(colored.num_colors, *std::max_element(colors.begin(), colors.end()) + 1);
      EXPECT_EQ(chosen.num_members, std::count(members.begin(), members.end(), Vertex(1)));
      if (first_color.empty()) {
        first_color = colors;
        first_member = members;
        first_root = roots;
        // What seed and graph alone decide, whatever the device, the threads and the strategy.
        ASSERT_EQ(colors, colors_one_by_one(graph, 3));
        ASSERT_EQ(members, members_round_by_round(graph, 3));
      }
      ASSERT_EQ(colors, first_color);
      ASSERT_EQ(members, first_member);
      ASSERT_EQ(roots, first_root);
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
  const auto path = dromos::test::make_graph<TypeParam>({{1}, {0, 2}, {1, 3}, {2}}, false);
  const auto aggregates = [&](const std::vector<TypeParam>& m) {
    dromos::aggregates(Space(), path, to_view(m), result);
    return to_vector(result);
  };
  EXPECT_EQ(aggregates({0, 1, 0, 0}), (std::vector<TypeParam>{1, 1, 1, 1}));
  EXPECT_EQ(aggregates({1, 0, 0, 1}), (std::vector<TypeParam>{0, 0, 3, 3}));
  EXPECT_THROW(aggregates({1, 0, 0, 0}), dromos::ArgumentError) << "3 is far from all";
  EXPECT_THROW(aggregates({1, 0, 0}), dromos::ArgumentError);
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
  const auto aggregates = [&](const std::vector<TypeParam>& m, const std::vector<TypeParam>& r) {
    return dromos::validate_aggregates(graph, to_view(m), to_view(r)).holds;
  };
  EXPECT_TRUE(aggregates({0, 1, 0, 0}, {1, 1, 1, 1}));
  EXPECT_TRUE(aggregates({1, 0, 0, 1}, {0, 0, 3, 3}));
  EXPECT_FALSE(aggregates({1, 0, 0, 1}, {0, 3, 3, 3})) << "1 is beside 0";
  EXPECT_FALSE(aggregates({1, 0, 0, 1}, {0, 0, 3, 0})) << "3 is a member";
  EXPECT_FALSE(aggregates({0, 1, 0, 0}, {1, 1, 1, 2})) << "2 is no member";
  EXPECT_FALSE(aggregates({0, 1, 0, 0}, {1, 1, 1, -1}));
  EXPECT_FALSE(aggregates({0, 1, 0, 0}, {1, 1, 1}));
}

}  // namespace
