// SPDX-License-Identifier: BSD-3-Clause
// Distributed shortest paths: on the graph zoo and on random small graphs, with weights that tempt (none, equal, far
// apart, several for one edge), buckets from tiny to infinite and every strategy: distances are those of the node level
// and of Dijkstra's algorithm, bit for bit, and parents a tree that realises them.
#include <dromos/distributed/by_vertices/sssp_1d.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/judging/validate_slice_distances.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::uint64_t weight_seed = 7;

enum class Weights { of_ends, of_edge, zero_or_one, none, equal, far_apart };
constexpr int num_kinds_of_weights = 6;

/// A zoo graph with a weight for each edge, in all the forms that a test needs.
template <class Vertex>
struct WeightedCase {
  const Communicator& world;
  const ZooGraph& zoo;
  EdgeList<Vertex, Memory> slice;
  Graph1d<Vertex, Memory> graph;
  CsrGraph<Vertex, Memory> whole;

  WeightedCase(const Communicator& communicator, const ZooGraph& graph_of_zoo, Weights kind)
      : world(communicator), zoo(graph_of_zoo), slice(zoo_slice<Vertex>(world, zoo)) {
    auto edges = zoo.edge_list<Vertex>();
    if (kind == Weights::of_ends) {
      slice = with_random_weights(Space(), slice, weight_seed);
      whole = with_random_weights(Space(), zoo_graph<Vertex>(zoo), weight_seed);
    } else {
      const std::vector<float> weights = weights_of_edges(kind, zoo.edges.size());
      const auto [first, last] = slice_of(edges.num_edges(), world.rank(), world.size());
      slice.weight = to_view(std::vector<float>(weights.begin() + first, weights.begin() + last));
      edges.weight = to_view(weights);
      whole = build_csr(Space(), edges, zoo_build(zoo));
    }
    graph = build_graph_1d(world, Space(), slice, zoo_build(zoo));
  }

  static std::vector<float> weights_of_edges(Weights kind, std::size_t size) {
    std::mt19937_64 random(size);
    std::vector<float> weights;
    for (std::size_t i = 0; i < size; ++i) {
      const float w = static_cast<float>(random() >> 40) * (1.0f / (1 << 24));
      switch (kind) {
        case Weights::zero_or_one:
          weights.push_back(w < 0.5f ? 0 : 1);
          break;
        case Weights::none:
          weights.push_back(0);
          break;
        case Weights::equal:
          weights.push_back(3.5f);
          break;
        case Weights::far_apart:
          weights.push_back(w < 0.3f ? w * 1e-9f : w < 0.6f ? w : w * 1e9f);
          break;
        default:
          weights.push_back(w);
      }
    }
    return weights;
  }

  std::vector<Vertex> roots() const { return narrow(zoo_roots(zoo)); }
  std::vector<Vertex> roots(std::uint64_t turn) const { return narrow(zoo_roots(world, zoo, turn)); }

  static std::vector<Vertex> narrow(const std::vector<std::int64_t>& roots) { return {roots.begin(), roots.end()}; }
};

template <class Vertex>
Sssp1dStatistics expect_search(const WeightedCase<Vertex>& test, Sssp1d<Space, Vertex>& sssp, Vertex root) {
  const Sssp1dStatistics total = total_statistics(test.world, sssp.search(root));
  const auto distance = replicate(test.world, Space(), test.graph.partition, sssp.result().distance);
  const auto parent = replicate(test.world, Space(), test.graph.partition, sssp.result().parent);
  const std::string where = test.zoo.name + " from " + std::to_string(root) + ", delta " + std::to_string(sssp.delta());

  const auto expected = reference::shortest_distances(copy_to<Kokkos::HostSpace>(test.whole), root);
  EXPECT_EQ(to_vector(distance), expected) << where;
  SsspScratch<Vertex, Memory> scratch(Space(), test.whole);
  Kokkos::View<float*, Memory> node_distance;
  dromos::sssp(Space(), scratch, root, node_distance);
  EXPECT_EQ(to_vector(distance), to_vector(node_distance)) << where;

  const auto verdict = validate_slice_distances(test.world, Space(), test.slice, test.zoo.directed, root,
                                                Kokkos::View<const Vertex*, Memory>(parent),
                                                Kokkos::View<const float*, Memory>(distance));
  EXPECT_TRUE(verdict.valid) << where << ": " << verdict.message;
  const auto row_map = to_vector(test.whole.row_map);
  std::int64_t reached = 0;
  Offset arcs = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (expected[v] == infinity) continue;
    ++reached;
    arcs += row_map[v + 1] - row_map[v];
  }
  Offset edges = 0;
  for (const auto& edge : test.zoo.edges) edges += expected[edge.first] < infinity;
  EXPECT_EQ(verdict.edges_reached, edges) << where;
  EXPECT_EQ(total.num_reached, reached) << where;
  EXPECT_EQ(total.arcs_reached, arcs) << where;
  EXPECT_GE(total.edges_relaxed, arcs) << where;
  EXPECT_GE(total.num_sweeps, total.num_buckets) << where;
  EXPECT_GE(total.bytes_sent, 12 * total.offers_sent) << where;
  EXPECT_GE(total.seconds, 0) << where;
  return total;
}

class Sssp1dTest : public ::testing::Test {
 protected:
  Communicator world{MPI_COMM_WORLD};
};

TEST_F(Sssp1dTest, DistancesOfTheZooAreThoseOfTheNodeLevel) {
  std::uint64_t turn = static_cast<std::uint64_t>(world.size());
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
    for (const float delta : {0.0f, 0.05f, infinity}) {
      if (delta != 0 && zoo.num_vertices > 1100) continue;
      Sssp1d<Space, std::int32_t> sssp(world, Space(), test.graph, {delta, VertexChunk{}});
      for (const std::int32_t root : test.roots(turn++)) expect_search(test, sssp, root);
      if (failed_anywhere(world)) return;
    }
  }
}

TEST_F(Sssp1dTest, RandomSmallGraphsWithWeightsOfAllKinds) {
  for (std::uint64_t seed = 1; seed <= num_random_graphs(world); ++seed) {
    const ZooGraph zoo = random_small_graph(seed);
    const auto kind = static_cast<Weights>(seed % num_kinds_of_weights);
    const float deltas[] = {0, 0.01f, infinity, 1e-12f};
    const float delta = deltas[seed / num_kinds_of_weights % 4];
    const auto run = [&](auto id) {
      using Id = decltype(id);
      WeightedCase<Id> test(world, zoo, kind);
      Sssp1d<Space, Id> sssp(world, Space(), test.graph, {delta, all_strategies()[seed % 4]});
      for (const Id root : test.roots(seed)) expect_search(test, sssp, root);
    };
    if (seed % 5 == 0) {
      run(std::int64_t());
    } else {
      run(std::int32_t());
    }
    if (!failed_anywhere(world)) continue;
    FAIL() << zoo.name << ", weights of kind " << static_cast<int>(kind);
  }
}

TEST_F(Sssp1dTest, StagedMessagesInSmallPieces) {
  Communicator staged(MPI_COMM_WORLD);
  staged.set_always_stage(true);
  staged.set_piece_bytes(8);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.num_vertices > 70) continue;
    WeightedCase<std::int32_t> test(staged, zoo, Weights::of_edge);
    Sssp1d<Space, std::int32_t> sssp(staged, Space(), test.graph);
    expect_search(test, sssp, std::int32_t(0));
  }
}

TEST_F(Sssp1dTest, NarrowBucketsRelaxFewerEdgesAndWideOnesTakeFewerSweeps) {
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "complete") continue;
    WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
    const auto search = [&](float delta) {
      Sssp1d<Space, std::int32_t> sssp(world, Space(), test.graph, {delta, VertexChunk{}});
      EXPECT_EQ(sssp.delta(), delta);
      return expect_search(test, sssp, std::int32_t(0));
    };
    const Sssp1dStatistics narrow = search(0.02f);
    const Sssp1dStatistics wide = search(infinity);
    EXPECT_LT(narrow.edges_relaxed, wide.edges_relaxed) << zoo.name;
    EXPECT_GT(narrow.num_buckets, wide.num_buckets) << zoo.name;
    EXPECT_GT(narrow.num_sweeps, wide.num_sweeps) << zoo.name;
    EXPECT_EQ(wide.num_buckets, 1) << zoo.name;
    // No edge is looked at again where each bucket holds one distance: light and heavy edges once each.
    WeightedCase<std::int32_t> equal(world, zoo, Weights::equal);
    Sssp1d<Space, std::int32_t> sssp(world, Space(), equal.graph, {3.5f, VertexChunk{}});
    const Sssp1dStatistics once = expect_search(equal, sssp, std::int32_t(0));
    EXPECT_EQ(once.edges_relaxed, once.arcs_reached) << zoo.name;
    if (world.size() == 1) {
      EXPECT_EQ(narrow.offers_sent, 0);
      EXPECT_EQ(narrow.bytes_sent, 0);
    }
  }
}

TEST_F(Sssp1dTest, DeltaIsChosenByWeightsAndDegrees) {
  ZooGraph zoo;
  zoo.num_vertices = 4;
  zoo.directed = true;
  zoo.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {1, 3}, {2, 0}, {3, 1}};  // two edges a vertex
  WeightedCase<std::int32_t> test(world, zoo, Weights::equal);
  Sssp1d<Space, std::int32_t> sssp(world, Space(), test.graph);
  EXPECT_FLOAT_EQ(sssp.delta(), 4 * 3.5f);
  WeightedCase<std::int32_t> weightless(world, zoo, Weights::none);
  Sssp1d<Space, std::int32_t> any(world, Space(), weightless.graph);
  EXPECT_GT(any.delta(), 0);
  expect_search(weightless, any, std::int32_t(0));
}

TEST_F(Sssp1dTest, MistakesAreRefusedByAllRanks) {
  const ZooGraph zoo = random_small_graph(3);
  WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
  using Search = Sssp1d<Space, std::int32_t>;
  EXPECT_THROW(Search(world, Space(), test.graph, {-1, VertexChunk{}}), ArgumentError);
  EXPECT_THROW(Search(world, Space(), test.graph, {std::nanf(""), VertexChunk{}}), ArgumentError);
  Search sssp(world, Space(), test.graph);
  EXPECT_THROW(sssp.search(-1), ArgumentError);
  EXPECT_THROW(sssp.search(static_cast<std::int32_t>(zoo.num_vertices)), ArgumentError);
  expect_search(test, sssp, std::int32_t(0));

  // One wrong weight, which one rank alone has.
  ZooGraph path;
  path.num_vertices = 9;
  for (int v = 0; v < 8; ++v) path.edges.emplace_back(v, v + 1);
  for (const float wrong : {-0.5f, std::nanf("")}) {
    EdgeList<std::int32_t, Memory> slice = zoo_slice<std::int32_t>(world, path);
    const auto [first, last] = slice_of(8, world.rank(), world.size());
    std::vector<float> weights(static_cast<std::size_t>(last - first), 1.0f);
    if (first <= 6 && 6 < last) weights[6 - first] = wrong;
    slice.weight = to_view(weights);
    auto graph = build_graph_1d(world, Space(), slice, zoo_build(path));
    try {
      Search refused(world, Space(), graph);
      FAIL() << "a weight of " << wrong << " was taken";
    } catch (const ArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find("an edge to vertex 7 has weight"), std::string::npos) << error.what();
    }
  }

  // No weights; and weights on some ranks only.
  auto unweighted = build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, path), zoo_build(path));
  EXPECT_THROW(Search(world, Space(), unweighted), ArgumentError);
  EdgeList<std::int32_t, Memory> mixed = zoo_slice<std::int32_t>(world, path);
  if (world.rank() == 0) mixed = with_random_weights(Space(), mixed, weight_seed);
  if (world.size() > 1) {
    EXPECT_THROW(build_graph_1d(world, Space(), mixed, zoo_build(path)), ArgumentError);
  }
  EdgeList<std::int32_t, Memory> too_few = zoo_slice<std::int32_t>(world, path);
  too_few.weight = to_view(std::vector<float>(9, 1.0f));
  EXPECT_THROW(build_graph_1d(world, Space(), too_few, zoo_build(path)), ArgumentError);
}

TEST_F(Sssp1dTest, WeightsAreTheSameForAnyNumberOfRanks) {
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-6") continue;
    const WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
    // Of the rows that a rank has, against those of the whole graph: by target and weight, sorted.
    const auto own_map = to_vector(test.graph.rows.row_map);
    const auto own_targets = to_vector(test.graph.rows.entries);
    const auto own_weights = to_vector(test.graph.rows.weights);
    const auto map = to_vector(test.whole.row_map);
    const auto targets = to_vector(test.whole.entries);
    const auto weights = to_vector(test.whole.weights);
    for (std::int64_t local = 0; local < test.graph.num_local(); ++local) {
      const std::int64_t v = test.graph.partition.global_id(world.rank(), local);
      std::vector<std::pair<std::int64_t, float>> own, expected;
      for (Offset e = own_map[local]; e < own_map[local + 1]; ++e) {
        const auto& ids = test.graph.ids;
        own.emplace_back(test.graph.partition.global_id(ids.rank(own_targets[e]), ids.local(own_targets[e])),
                         own_weights[e]);
      }
      for (Offset e = map[v]; e < map[v + 1]; ++e) expected.emplace_back(targets[e], weights[e]);
      std::sort(own.begin(), own.end());
      EXPECT_EQ(own, expected) << "row " << v;
    }
  }
}

}  // namespace
}  // namespace dromos::test
