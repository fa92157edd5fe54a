// SPDX-License-Identifier: BSD-3-Clause
// Each strategy alone, in every tuning: every edge of the work set is visited exactly as often as its source is listed,
// and the next work set is exactly the multiset of vertices that joined, with the right count, sum of degrees and
// prefix sums.
#include <dromos/traverse/traverse.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "strategy_tunings.hpp"
#include "view_tools.hpp"
#include "visit_recorder.hpp"

namespace {

using dromos::AllVertices;
using dromos::Frontier;
using dromos::NoSink;
using dromos::Offset;
using dromos::Strategy;
using dromos::test::DegreePattern;
using dromos::test::Memory;
using dromos::test::RecordedGraph;
using dromos::test::Space;
using dromos::test::to_vector;

template <class Vertex>
struct WorkSet {
  std::string name;
  std::vector<Vertex> vertices;
};

/// None, one, some, all, and some more than once.
template <class Vertex>
std::vector<WorkSet<Vertex>> work_sets(std::size_t num_vertices) {
  std::mt19937_64 random(num_vertices);
  std::vector<Vertex> all, half, repeated;
  for (std::size_t u = 0; u < num_vertices; ++u) {
    all.push_back(static_cast<Vertex>(u));
    if (random() % 2 == 0) half.push_back(static_cast<Vertex>(u));
    repeated.push_back(static_cast<Vertex>(random() % num_vertices));
  }
  std::shuffle(half.begin(), half.end(), random);
  return {{"no vertex", {}},
          {"the first vertex", {0}},
          {"the last vertex", {static_cast<Vertex>(num_vertices - 1)}},
          {"all vertices", all},
          {"half of the vertices", half},
          {"vertices more than once", repeated}};
}

/// Prefix sums of degrees in the order of the queue.
template <class Vertex>
void expect_prefix_sums(const RecordedGraph<Vertex>& recorded, const Frontier<Vertex, Memory>& frontier) {
  const auto size = static_cast<std::size_t>(frontier.num_vertices());
  const auto queue = to_vector(frontier.queue(), size);
  const auto prefix = to_vector(frontier.work().prefix_sums, size);
  // Blocks of the queue are written in any order of time, but their edges must begin where those before them end.
  Offset sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_EQ(prefix[i], sum) << "at position " << i;
    sum += static_cast<Offset>(recorded.rows[queue[i]].size());
  }
  ASSERT_EQ(sum, frontier.num_edges());
}

/// One sweep over `work`, which is what `frontier` holds.
template <class Vertex>
void expect_right_sweep(const RecordedGraph<Vertex>& recorded, const std::vector<Vertex>& work,
                        Frontier<Vertex, Memory>& frontier, Frontier<Vertex, Memory>& next, bool counts_fit_one_word,
                        const Strategy& strategy) {
  recorded.forget_visits();
  dromos::traverse(Space(), recorded.graph.view(), frontier, next, recorded.op, strategy);
  ASSERT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
  ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(work));
  const std::vector<Vertex> expected = recorded.expected_next(work);
  ASSERT_EQ(next.num_vertices(), static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(next.num_edges(), recorded.degree_sum(expected));
  ASSERT_EQ(dromos::test::sorted_vertices(next), expected);
  const bool needs_prefix_sums = dromos::wants_prefix_sums<Space>(strategy);
  const bool has_prefix_sums = next.work().prefix_sums.extent(0) > 0;
  ASSERT_EQ(has_prefix_sums, needs_prefix_sums && counts_fit_one_word);
  if (has_prefix_sums) expect_prefix_sums(recorded, next);
}

/// Two sweeps, the second over what the first gathered, for every tuning, through the same two frontiers.
template <class Vertex>
void expect_right_sweeps(const RecordedGraph<Vertex>& recorded, const WorkSet<Vertex>& work, Offset claimed_edges,
                         const std::vector<Strategy>& tunings) {
  SCOPED_TRACE(work.name);
  const std::vector<Vertex> next_work = recorded.expected_next(work.vertices);
  const std::vector<Vertex> last_work = recorded.expected_next(next_work);
  const auto capacity =
      static_cast<std::int64_t>(std::max({std::size_t(2), work.vertices.size(), next_work.size(), last_work.size()}));
  Frontier<Vertex, Memory> frontier(capacity, claimed_edges);
  Frontier<Vertex, Memory> next(capacity, claimed_edges);
  const bool packed = dromos::FrontierCounts(capacity, claimed_edges).packed();
  for (const Strategy& strategy : tunings) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    dromos::test::fill(frontier, work.vertices, recorded.degree_sum(work.vertices));
    expect_right_sweep(recorded, work.vertices, frontier, next, packed, strategy);
    if (::testing::Test::HasFatalFailure()) return;
    expect_right_sweep(recorded, next_work, next, frontier, packed, strategy);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

template <class Vertex>
class TraverseTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(TraverseTest, VertexTypes, );

TYPED_TEST(TraverseTest, VisitsEveryEdgeOnceAndGathersWhatJoins) {
  const auto tunings = dromos::test::all_tunings();
  std::size_t turn = sizeof(TypeParam);
  for (const DegreePattern& pattern : dromos::test::degree_patterns()) {
    SCOPED_TRACE(pattern.name);
    const RecordedGraph<TypeParam> recorded(pattern.degrees);
    for (const auto& work : work_sets<TypeParam>(pattern.degrees.size())) {
      expect_right_sweeps(recorded, work, Offset(1) << 40, dromos::test::every_nth(tunings, 7, turn++));
      if (this->HasFatalFailure()) return;
    }
  }
}

/// The same with frontiers that claim to be so large that their two counts need a word each.
TYPED_TEST(TraverseTest, WorksWhereTheCountsNeedTwoWords) {
  const auto tunings = dromos::test::all_tunings();
  std::size_t turn = sizeof(TypeParam);
  for (const DegreePattern& pattern : dromos::test::degree_patterns()) {
    SCOPED_TRACE(pattern.name);
    const RecordedGraph<TypeParam> recorded(pattern.degrees);
    for (const auto& work : work_sets<TypeParam>(pattern.degrees.size())) {
      if (work.vertices.size() < 2) continue;
      expect_right_sweeps(recorded, work, std::numeric_limits<Offset>::max(),
                          dromos::test::every_nth(tunings, 7, turn++));
      if (this->HasFatalFailure()) return;
    }
  }
}

/// A hub among leaves, of which nobody has counted the edges: it is dealt out as where somebody has, since a strategy
/// that wants to know has them counted, and until then nobody takes unknown for none.
TYPED_TEST(TraverseTest, AHubWithoutCountsIsDealtOutAsWithThem) {
  std::vector<int> degrees(30, 1);
  degrees[17] = 500 * dromos::test::largest_team();
  const RecordedGraph<TypeParam> recorded(degrees);
  const WorkSet<TypeParam> work = work_sets<TypeParam>(degrees.size())[3];  // all of them
  const auto capacity = static_cast<std::int64_t>(recorded.num_edges());
  const Offset num_edges = recorded.degree_sum(work.vertices);
  Frontier<TypeParam, Memory> counted(capacity, Offset(1) << 40), uncounted(capacity, Offset(1) << 40),
      next(capacity, Offset(1) << 40);
  for (const Strategy& strategy : dromos::test::every_nth(dromos::test::all_tunings(), 3, sizeof(TypeParam))) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    dromos::test::fill(counted, work.vertices, num_edges);
    dromos::test::fill(uncounted, work.vertices, dromos::unknown_edges);
    expect_right_sweep(recorded, work.vertices, uncounted, next, true, strategy);
    expect_right_sweep(recorded, work.vertices, counted, next, true, strategy);
    if (this->HasFatalFailure()) return;
    dromos::use_strategy<Space>(strategy, [&](const auto& chosen) {
      using Chosen = std::decay_t<decltype(chosen)>;
      constexpr bool wants_to_know = Chosen::needs_prefix_sums || Chosen::template needs_num_edges<Space>;
      EXPECT_EQ(uncounted.num_edges(), wants_to_know ? num_edges : dromos::unknown_edges);
    });
    const auto with = counted.work().prefix_sums, without = uncounted.work().prefix_sums;
    ASSERT_EQ(without.extent(0), with.extent(0));
    if (with.extent(0) > 0) {
      ASSERT_EQ(to_vector(without, work.vertices.size()), to_vector(with, work.vertices.size()));
    }
  }
}

/// Rows that one thread of a CPU would walk while others wait: a few among short ones, and more than can be put aside.
TYPED_TEST(TraverseTest, LongRowsAreWalkedLikeOthers) {
  std::vector<int> few(300, 3), many(530, 8200);
  few[7] = 100000;
  few[8] = 0;
  few[299] = 70001;
  many[11] = 2;
  for (const auto& degrees : {few, many}) {
    const RecordedGraph<TypeParam> recorded(degrees);
    const WorkSet<TypeParam> work = work_sets<TypeParam>(degrees.size())[3];  // all of them
    const auto capacity = static_cast<std::int64_t>(recorded.num_edges());
    Frontier<TypeParam, Memory> frontier(capacity, Offset(1) << 40), next(capacity, Offset(1) << 40);
    for (const Offset num_edges : {recorded.degree_sum(work.vertices), dromos::unknown_edges}) {
      dromos::test::fill(frontier, work.vertices, num_edges);
      expect_right_sweep(recorded, work.vertices, frontier, next, true, dromos::VertexChunk{});
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(TraverseTest, TakesAllVerticesAsWorkSet) {
  const auto tunings = dromos::test::all_tunings();
  std::size_t turn = sizeof(TypeParam);
  for (const DegreePattern& pattern : dromos::test::degree_patterns()) {
    SCOPED_TRACE(pattern.name);
    const RecordedGraph<TypeParam> recorded(pattern.degrees);
    std::vector<TypeParam> all;
    for (std::size_t u = 0; u < pattern.degrees.size(); ++u) all.push_back(static_cast<TypeParam>(u));
    const auto expected = recorded.expected_next(all);
    const auto view = recorded.graph.view();
    Frontier<TypeParam, Memory> next(static_cast<std::int64_t>(expected.size()) + 1, Offset(1) << 40);
    for (const Strategy& strategy : dromos::test::every_nth(tunings, 3, turn++)) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      recorded.forget_visits();
      const auto sink = next.open(Space(), view, true);
      dromos::use_strategy<Space>(strategy, [&](const auto& chosen) {
        dromos::sweep(Space(), view, AllVertices<decltype(view)>{view}, sink, recorded.op, chosen);
      });
      next.collect(Space());
      ASSERT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
      ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));
      ASSERT_EQ(dromos::test::sorted_vertices(next), expected);
      ASSERT_EQ(next.num_edges(), recorded.degree_sum(expected));
      expect_prefix_sums(recorded, next);
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(TraverseTest, NeedsNoSink) {
  std::size_t turn = sizeof(TypeParam);
  for (const DegreePattern& pattern : dromos::test::degree_patterns()) {
    SCOPED_TRACE(pattern.name);
    const RecordedGraph<TypeParam> recorded(pattern.degrees);
    const auto view = recorded.graph.view();
    std::vector<TypeParam> all, odd;
    for (std::size_t u = 0; u < pattern.degrees.size(); ++u) {
      all.push_back(static_cast<TypeParam>(u));
      if (u % 2 == 1) odd.push_back(static_cast<TypeParam>(u));
    }
    Frontier<TypeParam, Memory> frontier(static_cast<std::int64_t>(all.size()), recorded.graph.num_edges());
    for (const Strategy& strategy : dromos::test::every_nth(dromos::test::all_tunings(), 3, turn++)) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      recorded.forget_visits();
      dromos::traverse_all(Space(), view, recorded.op, strategy);
      ASSERT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
      ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));

      recorded.forget_visits();
      dromos::test::fill(frontier, odd, recorded.degree_sum(odd));
      frontier.ensure_prefix_sums(Space(), view);
      dromos::use_strategy<Space>(strategy, [&](const auto& chosen) {
        dromos::sweep(Space(), view, frontier.work(), NoSink{}, recorded.op, chosen);
      });
      ASSERT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
      ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(odd));
    }
  }
}

/// A graph large enough for many teams at once, with the default tunings.
TYPED_TEST(TraverseTest, DealsOutManyTeams) {
  std::mt19937_64 random(4);
  std::vector<int> degrees(800);
  for (int& degree : degrees) degree = random() % 4 == 0 ? 0 : static_cast<int>(random() % 12);
  degrees[7] = 1500;
  degrees[345] = 600;
  const RecordedGraph<TypeParam> recorded(degrees);
  WorkSet<TypeParam> work{"all vertices, shuffled", {}};
  for (std::size_t u = 0; u < degrees.size(); ++u) work.vertices.push_back(static_cast<TypeParam>(u));
  std::shuffle(work.vertices.begin(), work.vertices.end(), random);
  expect_right_sweeps(recorded, work, Offset(1) << 40, dromos::test::some_tunings());
}

TYPED_TEST(TraverseTest, OfAGraphWithoutVerticesDoesNothing) {
  const RecordedGraph<TypeParam> recorded({});
  for (const Strategy& strategy : dromos::test::some_tunings()) {
    dromos::traverse_all(Space(), recorded.graph.view(), recorded.op, strategy);
    Frontier<TypeParam, Memory> frontier(0, 0), next(0, 0);
    dromos::traverse(Space(), recorded.graph.view(), frontier, next, recorded.op, strategy);
    EXPECT_TRUE(next.empty());
  }
  EXPECT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
}

/// What an ArgumentError says, or "" if there is none.
std::string refusal(const Strategy& strategy) {
  const RecordedGraph<std::int32_t> recorded({1, 2, 3});
  try {
    dromos::traverse_all(Space(), recorded.graph.view(), recorded.op, strategy);
  } catch (const dromos::ArgumentError& error) {
    return error.what();
  }
  return "";
}

TEST(Strategy, RefusesTuningsThatCannotBeUsed) {
  const auto expect_said = [](const Strategy& strategy, const std::string& words) {
    EXPECT_NE(refusal(strategy).find(words), std::string::npos) << refusal(strategy) << " lacks " << words;
  };
  expect_said(dromos::VertexChunk{-1, 0, 0}, "vertex-chunk: team_size is -1");
  expect_said(dromos::VertexChunk{0, -2, 0}, "vertices_per_team is -2");
  expect_said(dromos::VertexChunk{0, 0, -3}, "queue_size is -3");
  expect_said(dromos::ManhattanLocal{0, -2, 0}, "manhattan-local: vertices_per_team is -2");
  expect_said(dromos::ManhattanGlobal{0, -5, 0}, "manhattan-global: edges_per_team is -5");
  expect_said(dromos::Hierarchical{0, -1, 0, 0}, "hierarchical: warp_size is -1");
  // A warp that is larger than its team, or does not divide it, would leave vertices out or visit them twice.
  expect_said(dromos::Hierarchical{1, 2, 0, 0}, "warp_size must divide team_size");
  expect_said(dromos::Hierarchical{3, 2, 0, 0}, "a team of 3 threads does not consist of warps of 2");
  for (const Strategy& strategy : dromos::all_strategies()) EXPECT_EQ(refusal(strategy), "");
}

TEST(Strategy, CountsTeamsIn64Bits) {
  const std::int64_t most = std::numeric_limits<int>::max();
  EXPECT_EQ(dromos::league_size(0, 7), 0);
  EXPECT_EQ(dromos::league_size(1, 7), 1);
  EXPECT_EQ(dromos::league_size(14, 7), 2);
  EXPECT_EQ(dromos::league_size(15, 7), 3);
  EXPECT_EQ(dromos::league_size(most * 256, 256), most);
  EXPECT_THROW(dromos::league_size(most * 256 + 1, 256), dromos::ArgumentError);
  EXPECT_THROW(dromos::league_size(std::numeric_limits<std::int64_t>::max(), 1), dromos::ArgumentError);
}

TEST(Strategy, IsFoundByItsName) {
  std::vector<std::string> names;
  for (const Strategy& strategy : dromos::all_strategies()) {
    names.push_back(dromos::strategy_name(strategy));
    EXPECT_EQ(dromos::strategy_from_name(names.back()).index(), strategy.index());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"vertex-chunk", "hierarchical", "manhattan-local", "manhattan-global"}));
}

TEST(Strategy, OfUnknownNameIsRefusedWithTheNamesThereAre) {
  try {
    dromos::strategy_from_name("manhattan");
    FAIL() << "accepted";
  } catch (const dromos::ArgumentError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'manhattan'"), std::string::npos) << message;
    EXPECT_NE(message.find("vertex-chunk, hierarchical, manhattan-local, manhattan-global"), std::string::npos)
        << message;
  }
}

}  // namespace
