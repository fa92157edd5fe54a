// SPDX-License-Identifier: BSD-3-Clause
// Distributed searches by vertices: every way on the graph zoo, on random small graphs and with every strategy, against
// a serial search; their counts against each other and against what the communicator says.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/bfs_1d.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/validate/reference.hpp>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

/// A zoo graph in all the forms that a test needs.
template <class Vertex>
struct DistributedCase {
  const Communicator& world;
  const ZooGraph& zoo;
  EdgeList<Vertex, Memory> slice;
  Graph1d<Vertex, Memory> graph;
  CsrGraph<Vertex, Kokkos::HostSpace> whole;

  DistributedCase(const Communicator& communicator, const ZooGraph& graph_of_zoo)
      : world(communicator),
        zoo(graph_of_zoo),
        slice(zoo_slice<Vertex>(world, zoo)),
        graph(build_graph_1d(world, Space(), slice, zoo_build(zoo),
                             zoo.num_vertices % 2 == 0 ? Dealing::cyclic : Dealing::blocks)),
        whole(copy_to<Kokkos::HostSpace>(zoo_graph<Vertex>(zoo))) {}

  std::vector<std::int64_t> roots() const { return zoo_roots(zoo); }
  std::vector<std::int64_t> roots(std::uint64_t turn) const { return zoo_roots(world, zoo, turn); }
};

/// Levels are those of the serial search, parents fit them by the five rules, and counts are consistent.
template <class Vertex>
Bfs1dStatistics expect_search(const DistributedCase<Vertex>& test, Bfs1d<Space, Vertex>& bfs, Vertex root) {
  const Bfs1dStatistics own = bfs.search(root);
  const auto parent = replicate(test.world, Space(), test.graph.partition, bfs.result().parent);
  const auto level = replicate(test.world, Space(), test.graph.partition, bfs.result().level);
  const auto expected = reference::bfs_levels(test.whole, root);
  EXPECT_EQ(to_vector(level), expected) << test.zoo.name << " from " << root;
  const auto verdict =
      validate_slices(test.world, Space(), test.slice, test.zoo.directed, root,
                      Kokkos::View<const Vertex*, Memory>(parent), Kokkos::View<const Level*, Memory>(level));
  EXPECT_TRUE(verdict.valid) << test.zoo.name << " from " << root << ": " << verdict.message;

  std::vector<std::int64_t> sizes;
  std::vector<Offset> edges;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (expected[v] < 0) continue;
    if (sizes.size() <= static_cast<std::size_t>(expected[v])) {
      sizes.resize(expected[v] + 1, 0);
      edges.resize(expected[v] + 1, 0);
    }
    ++sizes[expected[v]];
    edges[expected[v]] += test.whole.row_map(v + 1) - test.whole.row_map(v);
  }
  const Bfs1dStatistics total = total_statistics(test.world, own);
  EXPECT_EQ(total.levels.size(), sizes.size()) << test.zoo.name;
  for (std::size_t l = 0; l < std::min(sizes.size(), total.levels.size()); ++l) {
    const Bfs1dLevel& counts = total.levels[l];
    EXPECT_EQ(counts.frontier_size, sizes[l]) << test.zoo.name << " level " << l;
    EXPECT_EQ(counts.frontier_edges, edges[l]) << test.zoo.name << " level " << l;
    EXPECT_EQ(counts.next_queue(), l + 1 < sizes.size() ? sizes[l + 1] : 0) << test.zoo.name << " level " << l;
    EXPECT_EQ(counts.sent, counts.received);
    EXPECT_GE(counts.bytes_sent, 8 * counts.sent);
    EXPECT_LE(counts.enqueued_received, counts.received);
    EXPECT_GE(counts.seconds, counts.communication_seconds);
  }
  return total;
}

class Bfs1dOnZoo : public ::testing::TestWithParam<Bfs1dAlgorithm> {
 protected:
  Communicator world{MPI_COMM_WORLD};
};

TEST_P(Bfs1dOnZoo, LevelsAreThoseOfTheSerialSearch) {
  std::uint64_t turn = static_cast<std::uint64_t>(world.size());
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    const DistributedCase<std::int32_t> test(world, zoo);
    for (const bool both_directions : {true, false}) {
      if (!both_directions && GetParam() != Bfs1dAlgorithm::relabelled_bitmask) continue;
      Bfs1dOptions options;
      options.direction_optimizing = both_directions;
      Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, GetParam(), options);
      for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    }
  }
}

TEST_P(Bfs1dOnZoo, WideIdsGiveTheSame) {
  std::uint64_t turn = static_cast<std::uint64_t>(world.size());
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.num_vertices > 2000) continue;
    const DistributedCase<std::int64_t> test(world, zoo);
    Bfs1d<Space, std::int64_t> bfs(world, Space(), test.graph, GetParam());
    for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, root);
  }
}

TEST_P(Bfs1dOnZoo, RandomSmallGraphs) {
  for (std::uint64_t seed = 1; seed <= num_random_graphs(world); ++seed) {
    const ZooGraph zoo = random_small_graph(seed);
    const DistributedCase<std::int32_t> test(world, zoo);
    Bfs1dOptions options;
    options.edges_per_part = 1 + static_cast<std::int64_t>(seed % 7);  // many parts
    options.direction.forward_to_backward = seed % 3 == 0 ? 0.0 : seed % 3 == 1 ? 0.5 : 1e9;
    Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, GetParam(), options);
    for (const std::int64_t root : test.roots(seed)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    ASSERT_FALSE(HasFailure()) << zoo.name;
  }
}

TEST_P(Bfs1dOnZoo, EveryStrategy) {
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "star-from-leaf" && zoo.name != "grid-17x23") continue;
    const DistributedCase<std::int32_t> test(world, zoo);
    std::uint64_t turn = 0;
    for (const Strategy& strategy : all_strategies()) {
      Bfs1dOptions options;
      options.strategy = strategy;
      options.edges_per_part = 100;
      Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, GetParam(), options);
      for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    }
  }
}

TEST_P(Bfs1dOnZoo, StagedMessagesInSmallPieces) {
  Communicator staged(MPI_COMM_WORLD, make_always_staged_transport);
  staged.set_piece_bytes(12);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.num_vertices > 1100 || zoo.edges.size() > 5000) continue;
    const DistributedCase<std::int32_t> test(staged, zoo);
    Bfs1d<Space, std::int32_t> bfs(staged, Space(), test.graph, GetParam());
    expect_search(test, bfs, std::int32_t(0));
  }
}

TEST_P(Bfs1dOnZoo, RootsOutsideOfTheGraphAreRefusedByAllRanks) {
  const ZooGraph zoo = random_small_graph(3);
  const DistributedCase<std::int32_t> test(world, zoo);
  Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, GetParam());
  EXPECT_THROW(bfs.search(-1), ArgumentError);
  EXPECT_THROW(bfs.search(static_cast<std::int32_t>(zoo.num_vertices)), ArgumentError);
  expect_search(test, bfs, std::int32_t(0));
}

INSTANTIATE_TEST_SUITE_P(Ways, Bfs1dOnZoo, ::testing::ValuesIn(all_bfs_1d_algorithms()), [](const auto& way) {
  std::string name = bfs_1d_name(way.param);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

/// What all levels of a search sent, in vertices.
std::int64_t sent_in_all(const Bfs1dStatistics& statistics) {
  std::int64_t sent = 0;
  for (const Bfs1dLevel& level : statistics.levels) sent += level.sent;
  return sent;
}

TEST(Bfs1d, PruningSendsLessAndNeverAVertexTwice) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "complete") continue;
    const DistributedCase<std::int32_t> test(world, zoo);
    const auto statistics = [&](Bfs1dAlgorithm algorithm) {
      Bfs1dOptions options;
      options.direction_optimizing = false;
      Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, algorithm, options);
      return expect_search(test, bfs, std::int32_t(0));
    };
    const auto straightforward = statistics(Bfs1dAlgorithm::straightforward);
    const auto unique = statistics(Bfs1dAlgorithm::sort_unique);
    const auto bitmask = statistics(Bfs1dAlgorithm::relabelled_bitmask);
    if (world.size() == 1) {
      EXPECT_EQ(sent_in_all(straightforward), 0);
      continue;
    }
    EXPECT_LT(sent_in_all(unique), sent_in_all(straightforward));
    EXPECT_LT(sent_in_all(bitmask), sent_in_all(unique));
    EXPECT_LE(sent_in_all(bitmask), zoo.num_vertices * (world.size() - 1));
    for (std::size_t l = 0; l < unique.levels.size(); ++l) {
      EXPECT_DOUBLE_EQ(straightforward.levels[l].unique_ratio(), 1.0);
      EXPECT_LE(unique.levels[l].unique_ratio(), 1.0);
    }
  }
}

TEST(Bfs1d, BackwardLevelsSendBitmapsAlone) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph zoo;
  zoo.name = "complete";
  zoo.directed = false;
  zoo.num_vertices = 2000;
  for (int u = 0; u < 200; ++u) {
    for (int v = u + 1; v < 2000; v += 3) zoo.edges.emplace_back(u, v);
  }
  const DistributedCase<std::int32_t> test(world, zoo);
  Bfs1dOptions options;
  options.direction.forward_to_backward = 0;    // backward from the start
  options.direction.backward_to_forward = 0;    // and never forward again
  options.direction.fewest_edges_backward = 0;  // however few they are
  Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, Bfs1dAlgorithm::relabelled_bitmask, options);
  const auto statistics = expect_search(test, bfs, std::int32_t(1999));
  if (world.size() == 1) GTEST_SKIP() << "one rank searches as the node level does, and sends nothing";
  std::int64_t words = 0;
  for (int r = 0; r < world.size(); ++r) words += (test.graph.partition.num_local(r) + 31) / 32;
  const std::int64_t others = world.size() - 1;
  const std::int64_t bitmaps = 4 * words * others;
  const std::int64_t sums = others > 0 ? 24 * world.size() : 0;  // of the one reduction of a level
  std::int64_t all_bytes = 0;
  for (const Bfs1dLevel& level : statistics.levels) {
    EXPECT_EQ(level.backward, world.size());
    EXPECT_EQ(level.sent, 0);
    if (!is_gpu<Space>) {
      EXPECT_EQ(level.bytes_sent, bitmaps + sums);
    }
    all_bytes += level.bytes_sent;
  }
  const std::int64_t by_levels = static_cast<std::int64_t>(statistics.levels.size()) * (bitmaps + sums);
  if (is_gpu<Space>) {
    // There the bitmaps of a level may travel while the one before it ends, and who is found when few are left travels
    // by his number.
    EXPECT_GE(all_bytes, bitmaps);
    EXPECT_LE(all_bytes, by_levels + zoo.num_vertices * std::int64_t(sizeof(std::int32_t)) * others * world.size());
  } else {
    EXPECT_EQ(all_bytes, by_levels);
  }
}

// The leaves of a star have no edges but those along which they were found.
TEST(Bfs1d, ASearchEndsWhereAllEdgesLeadBack) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph star{"star", 1000, {}, false};
  for (int v = 1; v < 1000; ++v) star.edges.emplace_back(0, v);
  const DistributedCase<std::int32_t> test(world, star);
  Bfs1d<Space, std::int32_t> bfs(world, Space(), test.graph, Bfs1dAlgorithm::relabelled_bitmask);
  const auto statistics = expect_search(test, bfs, std::int32_t(0));
  ASSERT_EQ(statistics.levels.size(), 2u);
  const Bfs1dLevel& leaves = statistics.levels.back();
  EXPECT_EQ(leaves.frontier_size, 999);
  EXPECT_EQ(leaves.frontier_edges, 999);
  EXPECT_EQ(leaves.backward, 0);
  // Only what the ranks agree on; counts of vertices or bitmaps would be more.
  EXPECT_LE(leaves.bytes_sent, 24 * world.size());
}

}  // namespace
}  // namespace dromos::test
