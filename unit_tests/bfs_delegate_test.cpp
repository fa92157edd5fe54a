// SPDX-License-Identifier: BSD-3-Clause
// Distributed search separated by degree: every option on the graph zoo and on random small graphs against a serial
// search, for thresholds that make every vertex a delegate, some, or none; what travels against the formula of the
// paper.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/bfs_delegate.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/vertex_delivery.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/validate/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"
#include "real_zoo.hpp"

namespace dromos::test {
namespace {

/// A zoo graph in all the forms that a test needs.
template <class Vertex>
struct DelegateCase {
  const Communicator& world;
  const ZooGraph& zoo;
  EdgeList<Vertex, Memory> slice;
  GraphDelegate<Vertex, Memory> graph;
  CsrGraph<Vertex, Kokkos::HostSpace> whole;

  DelegateCase(const Communicator& communicator, const ZooGraph& graph_of_zoo, Offset threshold,
               DelegateEdges edges = DelegateEdges::follow_source)
      : world(communicator),
        zoo(graph_of_zoo),
        slice(zoo_slice<Vertex>(world, zoo)),
        graph(separate_by_degree(world, Space(), build_graph_1d(world, Space(), slice, zoo_build(zoo)), threshold,
                                 edges)),
        whole(copy_to<Kokkos::HostSpace>(zoo_graph<Vertex>(zoo))) {}

  std::vector<std::int64_t> roots() const { return zoo_roots(zoo); }
  std::vector<std::int64_t> roots(std::uint64_t turn) const { return zoo_roots(world, zoo, turn); }
};

/// Levels are those of the serial search, parents fit them by the five rules, and counts are consistent.
template <class Vertex>
BfsDelegateStatistics expect_search(const DelegateCase<Vertex>& test, BfsDelegate<Space, Vertex>& bfs, Vertex root) {
  const std::string what = test.zoo.name + " from " + std::to_string(root) + ", threshold " +
                           std::to_string(test.graph.separation.threshold);
  const BfsDelegateStatistics own = bfs.search(root);
  const auto parent = replicate(test.world, Space(), test.graph.partition, bfs.result().parent);
  const auto level = replicate(test.world, Space(), test.graph.partition, bfs.result().level);
  const auto expected = reference::bfs_levels(test.whole, root);
  EXPECT_EQ(to_vector(level), expected) << what;
  const auto verdict =
      validate_slices(test.world, Space(), test.slice, test.zoo.directed, root,
                      Kokkos::View<const Vertex*, Memory>(parent), Kokkos::View<const Level*, Memory>(level));
  EXPECT_TRUE(verdict.valid) << what << ": " << verdict.message;

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
  const BfsDelegateStatistics total = total_statistics(test.world, own);
  // A last level may find out that all that was sent had been found before.
  EXPECT_GE(total.levels.size(), sizes.size()) << what;
  for (std::size_t l = 0; l < total.levels.size(); ++l) {
    const BfsDelegateLevel& counts = total.levels[l];
    EXPECT_EQ(counts.normal_vertices + counts.delegates, l < sizes.size() ? sizes[l] : 0) << what << " level " << l;
    EXPECT_EQ(counts.nn_edges + counts.nd_edges + counts.dn_edges + counts.dd_edges, l < sizes.size() ? edges[l] : 0)
        << what << " level " << l;
  }
  return total;
}

const std::vector<Offset>& thresholds() {
  static const std::vector<Offset> thresholds = {0, 2, 8, 1000000, suggested_threshold};
  return thresholds;
}

TEST(BfsDelegate, LevelsAreThoseOfTheSerialSearch) {
  const Communicator world(MPI_COMM_WORLD);
  std::uint64_t turn = 0;
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    for (const Offset threshold : thresholds()) {
      const DelegateCase<std::int32_t> test(world, zoo, threshold);
      BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph);
      for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
      ASSERT_FALSE(HasFailure()) << zoo.name;
    }
  }
}

TEST(BfsDelegate, WideIdsGiveTheSame) {
  const Communicator world(MPI_COMM_WORLD);
  std::uint64_t turn = static_cast<std::uint64_t>(world.size());
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.num_vertices > 2000) continue;
    const DelegateCase<std::int64_t> test(world, zoo, 3);
    BfsDelegate<Space, std::int64_t> bfs(world, Space(), test.graph);
    for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, root);
  }
}

/// Option combination number i, of 32: DO, overlap, U, L, and the ranks of a node as they are or in twos.
BfsDelegateOptions option_combination(int i) {
  BfsDelegateOptions options;
  options.direction_optimizing = (i & 1) != 0;
  options.overlap_reduction = (i & 2) != 0;
  options.uniquify = (i & 4) != 0;
  options.ranks_per_node = (i & 8) != 0 ? 2 : 0;
  options.local_all_to_all = (i & 16) != 0;
  return options;
}

TEST(BfsDelegate, EveryCombinationOfOptions) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "grid-17x23") continue;
    const DelegateCase<std::int32_t> test(world, zoo, zoo.name == "kronecker-10" ? 16 : 3);
    for (int i = 0; i < 32; ++i) {
      BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph, option_combination(i));
      for (const std::int64_t root : test.roots(i)) expect_search(test, bfs, static_cast<std::int32_t>(root));
      ASSERT_FALSE(HasFailure()) << zoo.name << " combination " << i;
    }
  }
}

TEST(BfsDelegate, RandomSmallGraphs) {
  const Communicator world(MPI_COMM_WORLD);
  for (std::uint64_t seed = 1; seed <= num_random_graphs(world); ++seed) {
    const ZooGraph zoo = random_small_graph(seed);
    const DelegateCase<std::int32_t> test(
        world, zoo, static_cast<Offset>(seed % 6),
        seed / 6 % 4 == 0 ? DelegateEdges::follow_lower_end : DelegateEdges::follow_source);
    BfsDelegateOptions options = option_combination(static_cast<int>(seed % 32));
    // Backward always, never, or as it comes.
    const double factor = seed % 3 == 0 ? 0.0 : seed % 3 == 1 ? 0.5 : 1e9;
    options.dd = options.dn = options.nd = {factor, factor / 10};
    BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph, options);
    for (const std::int64_t root : test.roots(seed)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    ASSERT_FALSE(HasFailure()) << zoo.name;
  }
}

TEST(BfsDelegate, RealGraphs) {
  const Communicator world(MPI_COMM_WORLD);
  std::uint64_t turn = 0;
  for (const RealGraph& real : all_real_graphs()) {
    const std::string key = real.key;
    if (key != "wiki-Vote" && key != "email-Eu-core" && key != "ca-GrQc" && key != "karate" && key != "power") continue;
    DROMOS_SKIP_WITHOUT(real.file);
    const ZooGraph graph = real_graph_as_zoo(real);
    for (const Offset threshold : {suggested_threshold, Offset(2)}) {
      const DelegateCase<std::int32_t> test(world, graph, threshold);
      BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph);
      for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    }
  }
}

TEST(BfsDelegate, EveryStrategy) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "star-from-leaf" && zoo.name != "grid-17x23") continue;
    const DelegateCase<std::int32_t> test(world, zoo, 3);
    std::uint64_t turn = 0;
    for (const Strategy& dd : all_strategies()) {
      for (const Strategy& others : all_strategies()) {
        BfsDelegateOptions options;
        options.dd_strategy = dd;
        options.strategy = others;
        options.direction_optimizing = false;
        BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph, options);
        for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
      }
    }
  }
}

TEST(BfsDelegate, StagedMessagesInSmallPieces) {
  Communicator staged(MPI_COMM_WORLD, make_always_staged_transport);
  staged.set_piece_bytes(12);
  for (const ZooGraph& zoo : distributed_zoo(staged)) {
    if (zoo.num_vertices > 1100 || zoo.edges.size() > 5000) continue;
    const DelegateCase<std::int32_t> test(staged, zoo, 4);
    BfsDelegate<Space, std::int32_t> bfs(staged, Space(), test.graph);
    expect_search(test, bfs, std::int32_t(0));
  }
}

TEST(BfsDelegate, RootsOutsideOfTheGraphAreRefusedByAllRanks) {
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph zoo = random_small_graph(3);
  const DelegateCase<std::int32_t> test(world, zoo, 2);
  BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph);
  EXPECT_THROW(bfs.search(-1), ArgumentError);
  EXPECT_THROW(bfs.search(static_cast<std::int32_t>(zoo.num_vertices)), ArgumentError);
  expect_search(test, bfs, std::int32_t(0));
}

// The paper's formula, Section V-B: d p / 4 bytes for each level that combines delegates, counted on both sides of the
// wire, and 4 |E_nn| for normal vertices. Bitmaps are whole words of 4 bytes.
TEST(BfsDelegate, SendsNoMoreThanTheFormula) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "grid-17x23") continue;
    for (const Offset threshold : {Offset(3), Offset(16), Offset(64)}) {
      const DelegateCase<std::int32_t> test(world, zoo, threshold);
      BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph);
      const BfsDelegateStatistics total = expect_search(test, bfs, std::int32_t(0));
      const std::int64_t p = world.size();
      // On a GPU every rank reads every other's.
      const std::int64_t bitmap_bytes =
          (test.graph.num_delegates() + 31) / 32 * 4 * (host_accessible<Memory> ? 1 : p - 1);
      std::int64_t sent = 0;
      for (const BfsDelegateLevel& level : total.levels) {
        sent += level.sent;
        // Counts and sums: 48 bytes a rank to agree, 8 to each other rank before an exchange.
        const std::int64_t small = p * 48 + p * (p - 1) * 8;
        EXPECT_LE(level.bytes_sent, (level.reductions > 0 ? p * bitmap_bytes : 0) + 8 * level.sent + small);
        EXPECT_GE(level.bytes_sent, (level.reductions > 0 ? p * bitmap_bytes : 0) + 8 * level.sent);
      }
      EXPECT_LE(sent, test.graph.separation.nn);
    }
  }
}

// Rank r posts (r + s) % 3 words 1000 r + 100 s + 0 1 .. for rank s: straight, and through nodes of every size that
// divides the number of ranks. The words must arrive as posted, and between nodes one message goes from each rank to
// each other node.
TEST(VertexDelivery, ThroughNodesWhatArrivesStraight) {
  const Communicator world(MPI_COMM_WORLD);
  const int p = world.size();
  const auto size = [](int r, int s) { return std::int64_t((r + s) % 3); };
  std::vector<std::int64_t> sizes;
  for (int s = 0; s < p; ++s) sizes.push_back(size(world.rank(), s));
  const std::vector<Block> leaving = consecutive_blocks(sizes);
  const Kokkos::View<std::uint64_t*, Memory> posts("posts", total_size(leaving));
  const auto host = Kokkos::create_mirror_view(posts);
  for (int s = 0; s < p; ++s) {
    for (std::int64_t i = 0; i < sizes[s]; ++i) {
      host(leaving[s].offset + i) =
          (std::uint64_t(1) << 40) + static_cast<std::uint64_t>(1000 * world.rank() + 100 * s + i);
    }
  }
  Kokkos::deep_copy(posts, host);
  for (int ranks_per_node = 0; ranks_per_node <= p; ++ranks_per_node) {
    const auto nodes = find_node_grid(world, ranks_per_node);
    ASSERT_EQ(nodes.has_value(), ranks_per_node == 0 || p % ranks_per_node == 0);
    detail::VertexDelivery<Space> delivery(world, nodes);
    EXPECT_EQ(delivery.goes_through_nodes(), nodes && nodes->num_nodes > 1 && nodes->ranks_per_node > 1);
    for (int turn = 0; turn < 2; ++turn) {
      delivery.start(Space(), posts, leaving);
      delivery.wait();
      const auto inbox = to_vector(delivery.inbox());
      for (int r = 0; r < p; ++r) {
        const Block block = delivery.arriving()[r];
        ASSERT_EQ(block.size, size(r, world.rank())) << "from " << r << ", " << ranks_per_node << " ranks a node";
        for (std::int64_t i = 0; i < block.size; ++i) {
          EXPECT_EQ(inbox[block.offset + i], (std::uint64_t(1) << 40) + 1000u * r + 100u * world.rank() + i)
              << ranks_per_node << " ranks a node";
        }
      }
    }
    if (delivery.goes_through_nodes()) {
      const std::int64_t most = (nodes->num_nodes - 1) + (nodes->ranks_per_node - 1) + 2;  // and two of counts
      EXPECT_LE(delivery.cost().messages, 2 * most);
      EXPECT_GT(delivery.cost().messages, 0);
    }
  }
}

TEST(BfsDelegate, UniqueVerticesAreNotSentTwice) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  // All pairs of 40 vertices, none a delegate: from the first level on everybody finds everybody.
  ZooGraph zoo;
  zoo.name = "complete-40";
  zoo.directed = false;
  zoo.num_vertices = 40;
  for (int u = 0; u < 40; ++u) {
    for (int v = u + 1; v < 40; ++v) zoo.edges.emplace_back(u, v);
  }
  const DelegateCase<std::int32_t> test(world, zoo, 1000);
  const auto sent = [&](bool uniquify) {
    BfsDelegateOptions options;
    options.uniquify = uniquify;
    BfsDelegate<Space, std::int32_t> bfs(world, Space(), test.graph, options);
    std::int64_t sum = 0;
    for (const BfsDelegateLevel& level : expect_search(test, bfs, std::int32_t(0)).levels) sum += level.sent;
    return sum;
  };
  EXPECT_LE(sent(true), 40 * (world.size() - 1));
  EXPECT_GT(sent(false), sent(true));
}

/// The parts of all ranks are the whole: every vertex once, with the level and the parent of the replicated result.
TEST(DistributedSearch, EveryRankHasItsPartOfTheResult) {
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph zoo = graph_zoo().back();
  DistributedInput<std::int32_t> input;
  input.slice = zoo_slice<std::int32_t>(world, zoo);
  input.build = zoo_build(zoo);
  input.directed = zoo.directed;
  for (const DistributedAlgorithm& algorithm : all_distributed_algorithms()) {
    const auto search = make_distributed_search(algorithm.name, world, Space(), input);
    EXPECT_NE(search->strategy(), "best") << algorithm.name;
    search->search(0);
    const auto all = search->replicate_result();
    const auto parent = to_vector(all.parent), own_parent = to_vector(search->result().parent);
    const auto level = to_vector(all.level), own_level = to_vector(search->result().level);
    std::int64_t sum_of_ids = 0;
    const auto vertex = to_vector(search->result().vertex);
    ASSERT_EQ(vertex.size(), own_parent.size()) << algorithm.name;
    ASSERT_EQ(vertex.size(), own_level.size()) << algorithm.name;
    for (std::size_t i = 0; i < vertex.size(); ++i) {
      EXPECT_EQ(own_parent[i], parent[vertex[i]]) << algorithm.name << ", vertex " << vertex[i];
      EXPECT_EQ(own_level[i], level[vertex[i]]) << algorithm.name << ", vertex " << vertex[i];
      sum_of_ids += vertex[i];
    }
    const std::int64_t n = zoo.num_vertices;
    EXPECT_EQ(sum(world, static_cast<std::int64_t>(vertex.size())), n) << algorithm.name;
    EXPECT_EQ(sum(world, sum_of_ids), n * (n - 1) / 2) << algorithm.name;
  }
}

TEST(BfsDelegate, AGraphThatIsSeparatedAlreadyIsSearchedAsItIs) {
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph zoo = graph_zoo().back();
  const DelegateCase<std::int32_t> test(world, zoo, 3);
  DistributedInput<std::int32_t> input;  // without a slice
  input.separated = std::make_shared<const GraphDelegate<std::int32_t, Memory>>(test.graph);
  const auto search = make_distributed_search("delegate", world, Space(), input);
  EXPECT_EQ(search->graph_bytes(), test.graph.bytes());
  search->search(0);
  EXPECT_EQ(to_vector(search->replicate_result().level), reference::bfs_levels(test.whole, 0));

  auto of_another = test.graph;
  of_another.rank = world.rank() + 1;
  input.separated = std::make_shared<const GraphDelegate<std::int32_t, Memory>>(of_another);
  EXPECT_THROW(make_distributed_search("delegate", world, Space(), input), ArgumentError);
}

}  // namespace
}  // namespace dromos::test
