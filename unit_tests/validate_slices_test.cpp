// SPDX-License-Identifier: BSD-3-Clause
// The five rules on distributed edges, of levels and of distances, accept right results and reject wrong ones, each
// rule its own kind, with the lie where ranks meet: vertices of one rank, parents of another, edges known to a third.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/distributed/judging/validate_slice_distances.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/validate/reference.hpp>
#include <limits>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

using Vertex = std::int32_t;

struct Result {
  std::vector<Vertex> parent;
  std::vector<Level> level;
};

/// A right result, by a serial search that shares no code with the library's.
Result right_result(const ZooGraph& zoo, Vertex root) {
  Result result{std::vector<Vertex>(zoo.num_vertices, -1), std::vector<Level>(zoo.num_vertices, -1)};
  result.parent[root] = root;
  result.level[root] = 0;
  for (Level l = 0, grown = 1; grown != 0; ++l) {
    grown = 0;
    const auto visit = [&](std::int64_t u, std::int64_t v) {
      if (result.level[u] != l || result.level[v] != -1) return;
      result.level[v] = l + 1;
      result.parent[v] = static_cast<Vertex>(u);
      grown = 1;
    };
    for (const auto& [u, v] : zoo.edges) {
      visit(u, v);
      if (!zoo.directed) visit(v, u);
    }
  }
  return result;
}

SliceValidation judge(const Communicator& world, const ZooGraph& zoo, Vertex root, const Result& result,
                      bool with_levels = true) {
  const auto parent = to_view(result.parent);
  const auto level = to_view(with_levels ? result.level : std::vector<Level>());
  return validate_slices(world, Space(), zoo_slice<Vertex>(world, zoo), zoo.directed, root,
                         Kokkos::View<const Vertex*, Memory>(parent), Kokkos::View<const Level*, Memory>(level));
}

void expect_broken(int rule, const SliceValidation& verdict) {
  EXPECT_FALSE(verdict.valid) << "rule " << rule << " took a lie";
  EXPECT_EQ(verdict.message.substr(0, 6), "rule " + std::to_string(rule)) << verdict.message;
}

/// 0 - 1 - 2 - ... - 11, and 0 - 12 - 13: a path, a branch, two vertices apart from it.
ZooGraph ladder() {
  ZooGraph zoo;
  zoo.directed = false;
  zoo.num_vertices = 16;
  for (int v = 0; v < 11; ++v) zoo.edges.emplace_back(v, v + 1);
  zoo.edges.emplace_back(0, 12);
  zoo.edges.emplace_back(12, 13);
  zoo.edges.emplace_back(14, 15);
  zoo.edges.emplace_back(5, 5);
  return zoo;
}

class ValidateSlices : public ::testing::Test {
 protected:
  Communicator world{MPI_COMM_WORLD};
};

TEST_F(ValidateSlices, RightResultsOfTheZooAreValid) {
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    const Result result = right_result(zoo, 0);
    for (const bool with_levels : {true, false}) {
      const auto verdict = judge(world, zoo, 0, result, with_levels);
      EXPECT_TRUE(verdict.valid) << zoo.name << ": " << verdict.message;
      Offset edges = 0;
      for (const auto& [u, v] : zoo.edges) edges += result.level[u] >= 0;
      EXPECT_EQ(verdict.edges_reached, edges) << zoo.name;
    }
  }
}

TEST_F(ValidateSlices, Rule1RejectsWhatIsNoTree) {
  const ZooGraph zoo = ladder();
  const Result right = right_result(zoo, 0);
  for (const bool with_levels : {true, false}) {
    Result cycle = right;  // 6 and 7 are each other's parents: of two ranks, and joined by an edge
    cycle.parent[6] = 7;
    expect_broken(1, judge(world, zoo, 0, cycle, with_levels));
    Result own_parent = right;
    own_parent.parent[7] = 7;
    expect_broken(1, judge(world, zoo, 0, own_parent, with_levels));
    Result root_with_parent = right;
    root_with_parent.parent[0] = 1;
    expect_broken(1, judge(world, zoo, 0, root_with_parent, with_levels));
    Result unreached_parent = right;
    unreached_parent.parent[3] = 14;
    expect_broken(1, judge(world, zoo, 0, unreached_parent, with_levels));
    for (const Vertex garbage : {16, 1 << 30, -2, -2000000000}) {
      Result result = right;
      result.parent[11] = garbage;
      expect_broken(1, judge(world, zoo, 0, result, with_levels));
    }
  }
}

TEST_F(ValidateSlices, Rule2RejectsLevelsThatDoNotFitTheTree) {
  const ZooGraph zoo = ladder();
  const Result right = right_result(zoo, 0);
  for (const int v : {0, 5, 11, 13, 15}) {
    Result result = right;
    result.level[v] += 1;
    expect_broken(2, judge(world, zoo, 0, result));
  }
  Result negative = right;
  negative.level[11] = -1;
  expect_broken(2, judge(world, zoo, 0, negative));
  Result vast = right;
  vast.level[11] = 2147483647;
  expect_broken(2, judge(world, zoo, 0, vast));
}

TEST_F(ValidateSlices, Rule3RejectsTreesThatAreNotShortest) {
  // A cycle of 16 walked one way: a tree with right levels of its own, and an edge from level 0 to level 15.
  ZooGraph zoo;
  zoo.directed = false;
  zoo.num_vertices = 16;
  for (int v = 0; v < 16; ++v) zoo.edges.emplace_back(v, (v + 1) % 16);
  Result result = right_result(zoo, 0);
  for (int v = 1; v < 16; ++v) {
    result.parent[v] = v - 1;
    result.level[v] = v;
  }
  expect_broken(3, judge(world, zoo, 0, result));
  expect_broken(3, judge(world, zoo, 0, result, false));
  // Directed away from 0, the same is right.
  zoo.directed = true;
  EXPECT_TRUE(judge(world, zoo, 0, result).valid);
}

TEST_F(ValidateSlices, Rule4RejectsTreesThatEndEarly) {
  const ZooGraph zoo = ladder();
  for (const int end : {11, 13}) {
    Result result = right_result(zoo, 0);
    result.parent[end] = result.level[end] = -1;
    expect_broken(4, judge(world, zoo, 0, result));
    expect_broken(4, judge(world, zoo, 0, result, false));
  }
}

TEST_F(ValidateSlices, Rule5RejectsTreeEdgesThatTheGraphLacks) {
  const ZooGraph zoo = ladder();
  Result result = right_result(zoo, 0);
  result.parent[2] = 12;  // of the right level, and no neighbor
  expect_broken(5, judge(world, zoo, 0, result));
  expect_broken(5, judge(world, zoo, 0, result, false));
  // A directed edge does not serve backwards: 1 -> 2 and 2 <- 3.
  ZooGraph directed;
  directed.num_vertices = 4;
  directed.directed = true;
  directed.edges = {{0, 1}, {1, 2}, {0, 3}, {2, 3}};
  Result backwards = right_result(directed, 0);
  backwards.parent[2] = 3;
  expect_broken(5, judge(world, directed, 0, backwards));
}

TEST_F(ValidateSlices, ResultsOfAnotherSizeAreNone) {
  const ZooGraph zoo = ladder();
  Result result = right_result(zoo, 0);
  result.parent.pop_back();
  EXPECT_FALSE(judge(world, zoo, 0, result).valid);
  EXPECT_FALSE(judge(world, zoo, 16, right_result(zoo, 0)).valid);
  EXPECT_FALSE(judge(world, zoo, -1, right_result(zoo, 0)).valid);
}

// Distances: the ladder with weights, on which everything is known by hand.
//
//   0 -1- 1 -1- 2 - ... - 11    and    0 -2- 12 -2- 13,  14 -1- 15 apart

constexpr float nowhere = std::numeric_limits<float>::infinity();

struct Paths {
  std::vector<Vertex> parent;
  std::vector<float> distance;
};

std::vector<float> ladder_weights() {
  std::vector<float> weights(15, 1);
  weights[11] = weights[12] = 2;
  return weights;
}

Paths right_paths() {
  Paths paths;
  for (int v = 0; v < 12; ++v) {
    paths.parent.push_back(v == 0 ? 0 : v - 1);
    paths.distance.push_back(static_cast<float>(v));
  }
  paths.parent.insert(paths.parent.end(), {0, 12, -1, -1});
  paths.distance.insert(paths.distance.end(), {2, 4, nowhere, nowhere});
  return paths;
}

SliceValidation judge(const Communicator& world, const ZooGraph& zoo, const std::vector<float>& weights, Vertex root,
                      const Paths& paths) {
  EdgeList<Vertex, Memory> slice = zoo_slice<Vertex>(world, zoo);
  const auto [first, last] = slice_of(static_cast<Offset>(weights.size()), world.rank(), world.size());
  slice.weight = to_view(std::vector<float>(weights.begin() + first, weights.begin() + last));
  const auto parent = to_view(paths.parent);
  const auto distance = to_view(paths.distance);
  return validate_slice_distances(world, Space(), slice, zoo.directed, root,
                                  Kokkos::View<const Vertex*, Memory>(parent),
                                  Kokkos::View<const float*, Memory>(distance));
}

class ValidateSliceDistances : public ::testing::Test {
 protected:
  Communicator world{MPI_COMM_WORLD};
  SliceValidation judge_ladder(const Paths& paths) const { return judge(world, ladder(), ladder_weights(), 0, paths); }
};

TEST_F(ValidateSliceDistances, RightPathsAreValid) {
  const auto verdict = judge_ladder(right_paths());
  EXPECT_TRUE(verdict.valid) << verdict.message;
  EXPECT_EQ(verdict.edges_reached, 14);
}

TEST_F(ValidateSliceDistances, Rule1RejectsWhatIsNoTreeOfDistances) {
  const Paths right = right_paths();
  for (const int v : {0, 1, 6, 11, 13, 14}) {
    for (const float wrong : {-1.0f, std::nanf(""), -nowhere}) {
      Paths paths = right;
      paths.distance[v] = wrong;
      expect_broken(1, judge_ladder(paths));
    }
    for (const Vertex garbage : {16, 1 << 30, -2, -2000000000}) {
      Paths paths = right;
      paths.parent[v] = garbage;
      expect_broken(1, judge_ladder(paths));
    }
  }
  Paths own_parent = right;
  own_parent.parent[7] = 7;
  expect_broken(1, judge_ladder(own_parent));
  Paths root_with_parent = right;
  root_with_parent.parent[0] = 1;
  expect_broken(1, judge_ladder(root_with_parent));
  Paths far_root = right;
  far_root.distance[0] = 1;
  expect_broken(1, judge_ladder(far_root));
  Paths unreached_parent = right;
  unreached_parent.parent[3] = 14;
  expect_broken(1, judge_ladder(unreached_parent));
  Paths no_parent = right;
  no_parent.parent[13] = -1;
  expect_broken(1, judge_ladder(no_parent));
  Paths parent_alone = right;
  parent_alone.parent[15] = 14;
  expect_broken(1, judge_ladder(parent_alone));
}

TEST_F(ValidateSliceDistances, Rule1RejectsCyclesOfEdgesWithoutLength) {
  // 14 and 15 vouch for each other, at a distance that all of their edges agree with.
  std::vector<float> weights = ladder_weights();
  weights[13] = 0;
  Paths cycle = right_paths();
  cycle.parent[14] = 15;
  cycle.parent[15] = 14;
  cycle.distance[14] = cycle.distance[15] = 5;
  expect_broken(1, judge(world, ladder(), weights, 0, cycle));
  EXPECT_TRUE(judge(world, ladder(), weights, 0, right_paths()).valid);
  // Without length, and right: everything is at distance 0, over a tree.
  Paths weightless = right_paths();
  for (float& d : weightless.distance) d = d < nowhere ? 0 : d;
  const auto verdict = judge(world, ladder(), std::vector<float>(15, 0), 0, weightless);
  EXPECT_TRUE(verdict.valid) << verdict.message;
}

TEST_F(ValidateSliceDistances, Rule2RejectsDistancesThatTreeEdgesDoNotMakeUp) {
  for (const int v : {1, 5, 11, 12, 13}) {
    for (const float off : {0.5f, -0.5f, 1e-6f}) {
      Paths paths = right_paths();
      paths.distance[v] += off;
      expect_broken(2, judge_ladder(paths));
    }
  }
  // By the last bit, at the end of the path, where no other edge can tell.
  Paths bit = right_paths();
  bit.distance[13] = std::nextafter(4.0f, 5.0f);
  expect_broken(2, judge_ladder(bit));
}

TEST_F(ValidateSliceDistances, Rule3RejectsPathsThatAreNotShortest) {
  // A cycle of 16 walked one way, and an edge of weight 1 from distance 0 to distance 15.
  ZooGraph zoo;
  zoo.directed = false;
  zoo.num_vertices = 16;
  for (int v = 0; v < 16; ++v) zoo.edges.emplace_back(v, (v + 1) % 16);
  std::vector<float> weights(16, 1);
  Paths paths;
  for (int v = 0; v < 16; ++v) {
    paths.parent.push_back(v == 0 ? 0 : v - 1);
    paths.distance.push_back(static_cast<float>(v));
  }
  expect_broken(3, judge(world, zoo, weights, 0, paths));
  // Directed away from 0, or over a last edge that is long enough, the same is right.
  zoo.directed = true;
  EXPECT_TRUE(judge(world, zoo, weights, 0, paths).valid);
  zoo.directed = false;
  weights[15] = 15;
  EXPECT_TRUE(judge(world, zoo, weights, 0, paths).valid);
  weights[15] = 14.5f;
  expect_broken(3, judge(world, zoo, weights, 0, paths));
}

TEST_F(ValidateSliceDistances, Rule4RejectsTreesThatEndEarly) {
  for (const int end : {11, 13}) {
    Paths paths = right_paths();
    paths.parent[end] = -1;
    paths.distance[end] = nowhere;
    expect_broken(4, judge_ladder(paths));
  }
}

TEST_F(ValidateSliceDistances, Rule5RejectsTreeEdgesThatTheGraphLacks) {
  Paths paths = right_paths();
  paths.parent[3] = 12;  // at the right distance, and no neighbor
  expect_broken(5, judge_ladder(paths));
  Paths unrelated = right_paths();
  unrelated.parent[11] = 13;
  unrelated.distance[11] = 5;
  expect_broken(5, judge_ladder(unrelated));
}

TEST_F(ValidateSliceDistances, ResultsOfAnotherSizeAreNone) {
  Paths paths = right_paths();
  paths.distance.pop_back();
  EXPECT_FALSE(judge_ladder(paths).valid);
  EXPECT_FALSE(judge(world, ladder(), ladder_weights(), 16, right_paths()).valid);
  EXPECT_FALSE(judge(world, ladder(), ladder_weights(), -1, right_paths()).valid);
}

}  // namespace
}  // namespace dromos::test
