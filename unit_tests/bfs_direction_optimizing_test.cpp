// SPDX-License-Identifier: BSD-3-Clause
// Searches in both directions against the serial oracle: backward from the start, backward and forward in turn, and as
// the workloads say, with levels fused and each by itself.
#include <dromos/algorithms/bfs_direction_optimizing.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "bfs_oracle.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::BfsDirectionScratch;
using dromos::BfsOptions;
using dromos::BfsResult;
using dromos::DirectionOptions;
using dromos::test::JudgedGraph;
using dromos::test::Memory;
using dromos::test::Space;

/// Made before Kokkos is initialized and destroyed after it is finalized: an empty scratch allocates nothing.
[[maybe_unused]] const BfsDirectionScratch<std::int32_t, Memory> made_without_kokkos;

/// When to turn.
struct Turns {
  std::string name;
  double forward_to_backward;
  double backward_to_forward;
};

const std::vector<Turns>& all_turns() {
  static const std::vector<Turns> turns = {{"by workload", 0.5, 0.05},
                                           {"backward from the start", 0, 0},
                                           {"back and forth", 0, 1e9},
                                           {"backward early, forward early", 0.01, 0.5}};
  return turns;
}

struct Choice {
  BfsOptions options;
  DirectionOptions direction;
  std::string name;
};

/// Strategies, turns, outputs and fused levels in combinations that differ from turn to turn.
Choice choose(const std::vector<dromos::Strategy>& strategies, std::size_t turn) {
  Choice choice;
  const Turns& turns = all_turns()[turn % all_turns().size()];
  choice.direction.forward_to_backward = turns.forward_to_backward;
  choice.direction.backward_to_forward = turns.backward_to_forward;
  choice.options.strategy = strategies[turn % strategies.size()];
  choice.options.levels = turn / 3 % 3 != 2;
  choice.options.parents = turn / 3 % 3 != 1;
  choice.options.fuse_small_levels = turn / 7 % 2 == 0;
  choice.options.late_updates = turn / 5 % 2 == 0;
  choice.name = dromos::test::describe(choice.options.strategy) + ", " + turns.name +
                (choice.options.fuse_small_levels ? ", fused" : ", each level by itself");
  return choice;
}

template <class Vertex>
void expect_right(const JudgedGraph<Vertex>& graph, Vertex root, BfsDirectionScratch<Vertex, Memory>& scratch,
                  BfsResult<Vertex, Memory>& result, const Choice& choice) {
  SCOPED_TRACE("root " + std::to_string(root) + ", " + choice.name);
  // On a GPU, of large levels and graphs alone otherwise.
  scratch.late_updates.fewest_edges = 0;
  scratch.late_levels.fewest_vertices = choice.options.late_updates ? 0 : std::int64_t(1) << 20;
  scratch.fewest_ahead = 0;
  const auto statistics =
      dromos::bfs_direction_optimizing(Space(), graph.device, root, scratch, result, choice.options, choice.direction);
  dromos::test::expect_search(graph, root, choice.options, result, statistics);
}

template <class Vertex>
class BfsDirectionOptimizingTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(BfsDirectionOptimizingTest, VertexTypes, );

/// Many searches through one scratch and one result: nothing may stay behind.
TYPED_TEST(BfsDirectionOptimizingTest, FindsEveryLevelOfTheZoo) {
  const auto strategies = dromos::test::some_tunings();
  std::size_t turn = 0;
  for (const auto& zoo : dromos::test::graph_zoo(100)) {
    SCOPED_TRACE(zoo.name);
    const JudgedGraph<TypeParam> graph(zoo);
    BfsDirectionScratch<TypeParam, Memory> scratch(Space(), graph.device);
    BfsResult<TypeParam, Memory> result;
    const TypeParam n = graph.num_vertices();
    for (int i = 0; i < 8; ++i) {
      expect_right(graph, static_cast<TypeParam>(i % 2 == 0 ? 0 : n - 1 - n * i / 16), scratch, result,
                   choose(strategies, ++turn));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(BfsDirectionOptimizingTest, FindsEveryLevelOfRandomGraphs) {
  const auto strategies = dromos::test::some_tunings();
  const std::uint64_t num_seeds = dromos::test::num_random_graphs(sizeof(TypeParam) == 4 ? 400 : 150);
  for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JudgedGraph<TypeParam> graph(dromos::test::random_small_graph(seed + 1000));
    BfsDirectionScratch<TypeParam, Memory> scratch(Space(), graph.device);
    BfsResult<TypeParam, Memory> result;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto root = static_cast<TypeParam>((seed * 7 + i * 11) % static_cast<std::uint64_t>(graph.num_vertices()));
      expect_right(graph, root, scratch, result, choose(strategies, 4 * seed + i));
      if (this->HasFatalFailure()) return;
    }
  }
}

/// Where the graph turned round is the graph, a search ends when those found have no edges but those that led to them;
/// not at a root with one edge, and not where loops or duplicates make up for edges that some lack.
TYPED_TEST(BfsDirectionOptimizingTest, EndsWhereEdgesOnlyLeadBack) {
  const auto strategies = dromos::test::some_tunings();
  std::vector<dromos::test::ZooGraph> graphs = dromos::test::graph_zoo(50);
  for (std::uint64_t seed = 0; seed < 60; ++seed) graphs.push_back(dromos::test::random_small_graph(seed + 3000));
  std::size_t turn = 0;
  int num_ended = 0;
  for (const auto& zoo : graphs) {
    SCOPED_TRACE(zoo.name);
    const JudgedGraph<TypeParam> graph(dromos::test::build_undirected<TypeParam>(zoo, ++turn % 3 == 0));
    BfsDirectionScratch<TypeParam, Memory> scratch(Space(), graph.device, graph.device);
    BfsResult<TypeParam, Memory> result;
    const TypeParam n = graph.num_vertices();
    for (int i = 0; i < 4; ++i) {
      const Choice choice = choose(strategies, ++turn);
      const auto root = static_cast<TypeParam>(i % 2 == 0 ? i / 2 % n : n - 1 - n * i / 8);
      SCOPED_TRACE("root " + std::to_string(root) + ", " + choice.name);
      const auto statistics = dromos::bfs_direction_optimizing(Space(), graph.device, root, scratch, result,
                                                               choice.options, choice.direction);
      dromos::test::expect_search(graph, root, choice.options, result, statistics);
      if (this->HasFatalFailure()) return;
      const auto& last = statistics.levels.back();
      const bool leads_back = statistics.depth > 0 && last.frontier_edges == last.frontier_size;
      EXPECT_TRUE(last.seconds > 0 || leads_back);
      num_ended += last.seconds > 0 ? 0 : 1;
    }
  }
  EXPECT_GT(num_ended, 10);
}

/// Graphs large enough for levels of every kind: fused, forward, backward over all vertices and over a list, which on a
/// GPU is one of several in its launch where few are left.
TYPED_TEST(BfsDirectionOptimizingTest, FindsEveryLevelOfKroneckerGraphs) {
  dromos::KroneckerOptions options;
  options.scale = dromos::has_warps<Space> ? 19 : 15;
  dromos::BuildOptions build;
  build.symmetrize = build.drop_self_loops = build.remove_duplicates = true;
  for (const std::uint64_t seed : {1, 2}) {
    options.seed = seed;
    auto edges = dromos::generate_kronecker<TypeParam>(Space(), options);
    const JudgedGraph<TypeParam> graph(dromos::build_csr(Space(), edges, build));
    BfsDirectionScratch<TypeParam, Memory> scratch(Space(), graph.device, graph.device);
    BfsResult<TypeParam, Memory> result;
    bool any_backward = false, any_forward = false;
    const auto n = static_cast<std::size_t>(graph.num_vertices());
    const Kokkos::View<dromos::Level*, Memory> levels("levels", n + 1);
    for (int i = 0; i < 16; ++i) {
      // Also levels in a piece of an array, which begins anywhere.
      if (i % 4 == 0) result.level = Kokkos::subview(levels, Kokkos::make_pair(i / 4 % std::size_t(2), i / 4 % 2 + n));
      const Turns& turns = all_turns()[static_cast<std::size_t>(i) % all_turns().size()];
      Choice choice;
      choice.name = turns.name;
      choice.direction.forward_to_backward = turns.forward_to_backward;
      choice.direction.backward_to_forward = turns.backward_to_forward;
      choice.direction.fewest_edges_backward = 0;
      choice.options.strategy = dromos::ManhattanLocal{};
      choice.options.fuse_small_levels = i / 4 % 2 == 0;
      const auto root = static_cast<TypeParam>(i * 2000 + 5);
      scratch.late_updates.fewest_edges = 0;
      scratch.late_levels.fewest_vertices = i % 8 == 7 ? std::int64_t(1) << 20 : 0;
      const auto statistics = dromos::bfs_direction_optimizing(Space(), graph.device, root, scratch, result,
                                                               choice.options, choice.direction);
      SCOPED_TRACE("root " + std::to_string(root) + ", " + choice.name);
      dromos::test::expect_search(graph, root, choice.options, result, statistics);
      dromos::test::expect_valid(graph, root, result);
      if (this->HasFatalFailure()) return;
      for (const auto& level : statistics.levels) (level.backward ? any_backward : any_forward) = true;
    }
    EXPECT_TRUE(any_backward);
    EXPECT_TRUE(any_forward);
  }
}

}  // namespace
