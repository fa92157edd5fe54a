// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths on parts of distributed graphs: on the graph zoo and on random small graphs, with weights that tempt
// (none, equal, far apart, several for one edge), buckets from tiny to infinite and every strategy, by vertices and
// with delegates: distances are those of the node level and of Dijkstra's algorithm, bit for bit, and parents a tree
// that realises them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/judging/validate_slice_distances.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "distributed_zoo.hpp"
#include "part_case.hpp"

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

  /// \param threshold  of delegates; or by_vertices, or on_grid
  GraphPart<Vertex, Memory> part(const Communicator& communicator, Offset threshold) const {
    const auto make = [&](const std::optional<Graph1d<Vertex, Memory>>& turned) {
      if (threshold == by_vertices) return part_by_vertices(communicator, Space(), graph, turned);
      if (threshold == on_grid) {
        return part_on_grid(communicator, Space(), graph, ProcessGrid(communicator.size()), turned);
      }
      return part_by_degree(communicator, Space(), graph, threshold, turned);
    };
    if (!graph.directed) return make(std::nullopt);
    auto turned = slice;
    std::swap(turned.source, turned.target);
    return make(build_graph_1d(communicator, Space(), turned, zoo_build(zoo)));
  }

  static std::vector<Vertex> narrow(const std::vector<std::int64_t>& roots) { return {roots.begin(), roots.end()}; }
};

/// The search on this rank's part.
template <class Vertex>
class PartSearch {
 public:
  PartSearch(const Communicator& world, const WeightedCase<Vertex>& test, const SsspOptions& options = {},
             Offset threshold = by_vertices)
      : part_(test.part(world, threshold)),
        halo_(world, part_),
        scratch_(Space(), part_.out_edges, halo_),
        options_(options) {
    // Heavy edges apart, as otherwise only in large graphs.
    if (options.most_edges_together == 0 || !(scratch_.width_of_bucket() > 0)) return;
    scratch_.rows = split_rows(Space(), part_.out_edges, {static_cast<float>(2 * scratch_.width_of_bucket())});
  }

  SsspStatistics search(Vertex root) {
    const LocalVertex local = local_number(Space(), part_, root);
    const SsspStatistics statistics = sssp(Space(), scratch_, local, distance_, options_, halo_);
    shortest_path_tree(Space(), scratch_, local, distance_, parent_, options_, halo_);
    return statistics;
  }
  /// The same in whole numbers or double, which are then compared with those of Dijkstra's algorithm.
  template <class Distance>
  Kokkos::View<Distance*, Memory> distances_in(Vertex root) {
    const LocalVertex local = local_number(Space(), part_, root);
    Kokkos::View<Distance*, Memory> distance;
    Kokkos::View<Vertex*, Memory> parent;
    sssp(Space(), scratch_, local, distance, options_, halo_);
    shortest_path_tree(Space(), scratch_, local, distance, parent, options_, halo_);
    return own(distance);
  }
  bool whole() const { return scratch_.whole; }
  Kokkos::View<float*, Memory> distance() const { return own(distance_); }
  Kokkos::View<Vertex*, Memory> parent() const { return own(parent_); }

 private:
  template <class T>
  Kokkos::View<T*, Memory> own(const Kokkos::View<T*, Memory>& values) const {
    halo_.to_owners(Space(), values);
    return Kokkos::subview(values, Kokkos::make_pair(std::int64_t(0), part_.num_own));
  }

  GraphPart<Vertex, Memory> part_;
  Halo<Space, Vertex> halo_;
  SsspScratch<LocalVertex, Memory> scratch_;
  SsspOptions options_;
  Kokkos::View<float*, Memory> distance_;
  Kokkos::View<Vertex*, Memory> parent_;
};

template <class Distance, class Vertex>
void expect_distances_in(const WeightedCase<Vertex>& test, PartSearch<Vertex>& search, Vertex root) {
  const auto found = replicate(test.world, Space(), test.graph.partition, search.template distances_in<Distance>(root));
  EXPECT_EQ(to_vector(found), reference::shortest_distances<Distance>(copy_to<Kokkos::HostSpace>(test.whole), root))
      << test.zoo.name << " from " << root;
}

template <class Vertex>
SsspStatistics expect_search(const WeightedCase<Vertex>& test, PartSearch<Vertex>& search, Vertex root) {
  const SsspStatistics total = search.search(root);
  const auto distance = replicate(test.world, Space(), test.graph.partition, search.distance());
  const auto parent = replicate(test.world, Space(), test.graph.partition, search.parent());
  const std::string where = test.zoo.name + " from " + std::to_string(root);

  const auto expected = reference::shortest_distances(copy_to<Kokkos::HostSpace>(test.whole), root);
  EXPECT_EQ(to_vector(distance), expected) << where;
  if (search.whole()) {
    expect_distances_in<std::int64_t>(test, search, root);
  } else {
    expect_distances_in<double>(test, search, root);
  }
  SsspScratch<Vertex, Memory> scratch(Space(), test.whole);
  Kokkos::View<float*, Memory> node_distance;
  const SsspStatistics node = dromos::sssp(Space(), scratch, root, node_distance);
  EXPECT_EQ(to_vector(distance), to_vector(node_distance)) << where;

  const auto verdict = validate_slice_distances(test.world, Space(), test.slice, test.zoo.directed, root,
                                                Kokkos::View<const Vertex*, Memory>(parent),
                                                Kokkos::View<const float*, Memory>(distance));
  EXPECT_TRUE(verdict.valid) << where << ": " << verdict.message;
  // Parents at one node: of those that are nearer to the root the same, since that is the largest of them.
  Kokkos::View<Vertex*, Memory> node_parent;
  shortest_path_tree(Space(), scratch, root, node_distance, node_parent);
  const auto here = to_vector(parent), there = to_vector(node_parent);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    EXPECT_EQ(here[v] == no_vertex<Vertex>, there[v] == no_vertex<Vertex>) << where;
    if (here[v] == no_vertex<Vertex> || !(expected[static_cast<std::size_t>(here[v])] < expected[v])) continue;
    EXPECT_EQ(here[v], there[v]) << where;
  }
  Offset edges = 0, arcs = 0;
  for (const auto& edge : test.zoo.edges) edges += expected[edge.first] < infinity;
  const auto row_map = to_vector(test.whole.row_map);
  for (std::size_t v = 0; v < expected.size(); ++v) arcs += expected[v] < infinity ? row_map[v + 1] - row_map[v] : 0;
  EXPECT_EQ(verdict.edges_reached, edges) << where;
  EXPECT_EQ(total.num_reached, node.num_reached) << where;
  EXPECT_EQ(total.largest_distance, node.largest_distance) << where;
  EXPECT_GE(total.edges_relaxed, arcs) << where;
  EXPECT_GE(total.num_sweeps, total.num_buckets) << where;
  return total;
}

class PartSssp : public ::testing::Test {
 protected:
  Communicator world{MPI_COMM_WORLD};
};

TEST_F(PartSssp, DistancesOfTheZooAreThoseOfTheNodeLevel) {
  std::uint64_t turn = static_cast<std::uint64_t>(world.size());
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
    for (const float delta : {0.0f, 0.05f, infinity}) {
      if (delta != 0 && zoo.num_vertices > 1100) continue;
      PartSearch<std::int32_t> search(world, test, {delta, VertexChunk{}});
      for (const std::int32_t root : test.roots(turn++)) expect_search(test, search, root);
      if (delta != 0) continue;
      PartSearch<std::int32_t> apart(world, test, {delta, VertexChunk{}, 1});
      for (const std::int32_t root : test.roots(turn)) expect_search(test, apart, root);
      if (failed_anywhere(world)) return;
    }
    for (const Offset threshold : {Offset(0), Offset(2), Offset(6), on_grid}) {
      PartSearch<std::int32_t> search(world, test, {0, VertexChunk{}, threshold == 2 ? Offset(1) : 0}, threshold);
      for (const std::int32_t root : test.roots(turn++)) expect_search(test, search, root);
      if (failed_anywhere(world)) FAIL() << zoo.name << ", degree threshold " << threshold;
    }
  }
}

TEST_F(PartSssp, RandomSmallGraphsWithWeightsOfAllKinds) {
  for (std::uint64_t seed = 1; seed <= num_random_graphs(world); ++seed) {
    const ZooGraph zoo = random_small_graph(seed);
    const auto kind = static_cast<Weights>(seed % num_kinds_of_weights);
    const float deltas[] = {0, 0.01f, infinity, 1e-12f};
    const float delta = deltas[seed / num_kinds_of_weights % 4];
    const auto run = [&](auto id) {
      using Id = decltype(id);
      WeightedCase<Id> test(world, zoo, kind);
      const SsspOptions options{delta, all_strategies()[seed % 4], static_cast<Offset>(seed % 2)};
      for (const Offset threshold : {by_vertices, seed / 4 % 3 == 2 ? on_grid : static_cast<Offset>(seed % 3 * 2)}) {
        PartSearch<Id> search(world, test, options, threshold);
        for (const Id root : test.roots(seed)) expect_search(test, search, root);
      }
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

/// A path through all vertices of one rank, then those of the next: distances cross as often as there are ranks.
TEST_F(PartSssp, RoundsOfAPathAreAsManyAsRanksAndBuckets) {
  ZooGraph path{"path", 4000, {}, false};
  std::vector<std::int64_t> order;
  for (int r = 0; r < world.size(); ++r) {
    for (std::int64_t v = r; v < path.num_vertices; v += world.size()) order.push_back(v);
  }
  for (std::size_t i = 1; i < order.size(); ++i) path.edges.emplace_back(order[i - 1], order[i]);
  const WeightedCase<std::int32_t> test(world, path, Weights::equal);
  PartSearch<std::int32_t> search(world, test);
  const SsspStatistics total = expect_search(test, search, std::int32_t(0));
  EXPECT_LE(total.num_sweeps, 2 * total.num_buckets + 2 * world.size());
}

/// Places along a path, each three edges from the next or one that is longer than these, and the vertices of each rank
/// together. Sweep by sweep, every place shrinks as often as there are places before it.
ZooGraph long_ways_first(int num_ranks) {
  ZooGraph zoo{"long ways first", 6001, {}, false};
  std::vector<std::int64_t> order;
  for (int r = 0; r < num_ranks; ++r) {
    for (std::int64_t v = r; v < zoo.num_vertices; v += num_ranks) order.push_back(v);
  }
  for (std::size_t i = 3; i < order.size(); i += 3) {
    zoo.edges.emplace_back(order[i - 3], order[i]);
    for (std::size_t j = i - 2; j <= i; ++j) zoo.edges.emplace_back(order[j - 1], order[j]);
  }
  return zoo;
}

/// Sets weights of edges in fours, 7 2 2 2, in all forms of the graph.
template <class Vertex>
void weigh_long_ways(WeightedCase<Vertex>& test) {
  auto edges = test.zoo.template edge_list<Vertex>();
  std::vector<float> weights;
  for (std::size_t i = 0; i < test.zoo.edges.size(); ++i) weights.push_back(i % 4 == 0 ? 7.0f : 2.0f);
  const auto [first, last] = slice_of(edges.num_edges(), test.world.rank(), test.world.size());
  test.slice.weight = to_view(std::vector<float>(weights.begin() + first, weights.begin() + last));
  edges.weight = to_view(weights);
  test.whole = build_csr(Space(), edges, zoo_build(test.zoo));
  test.graph = build_graph_1d(test.world, Space(), test.slice, zoo_build(test.zoo));
}

TEST_F(PartSssp, ThinGraphsAreFollowedNearestFirst) {
  if (!host_accessible<Memory>) GTEST_SKIP() << "one thread of a CPU does that";
  const ZooGraph zoo = long_ways_first(world.size());
  WeightedCase<std::int32_t> test(world, zoo, Weights::equal);
  weigh_long_ways(test);
  for (const float delta : {infinity, 0.0f}) {
    PartSearch<std::int32_t> search(world, test, {delta, VertexChunk{}});
    const SsspStatistics total = expect_search(test, search, std::int32_t(0));
    // Each of many buckets begins with sweeps.
    EXPECT_LE(total.edges_relaxed, (delta == infinity ? 5 : 50) * test.whole.num_edges()) << delta;
  }
}

/// Of a path whose vertices lie rank by rank, one rank after the other has something to do.
TEST_F(PartSssp, BucketsOfAPathSoonHoldAllThatIsLeft) {
  if (!host_accessible<Memory>) GTEST_SKIP() << "one thread of a CPU does that";
  ZooGraph path{"path rank by rank", 120000, {}, false};
  std::vector<std::int64_t> order;
  for (int r = 0; r < world.size(); ++r) {
    for (std::int64_t v = r; v < path.num_vertices; v += world.size()) order.push_back(v);
  }
  for (std::size_t i = 1; i < order.size(); ++i) path.edges.emplace_back(order[i - 1], order[i]);
  const WeightedCase<std::int32_t> test(world, path, Weights::of_ends);
  PartSearch<std::int32_t> search(world, test);
  const SsspStatistics total = expect_search(test, search, std::int32_t(0));
  EXPECT_LE(total.num_buckets, 16);
  EXPECT_LE(total.num_sweeps, total.num_buckets + 2 * world.size());
  EXPECT_LE(total.edges_relaxed, 2 * test.whole.num_edges());
}

/// Many ways of about the same length: swept one vertex after the other in wide buckets, most are found again and
/// again.
TEST_F(PartSssp, GridsAreNotRelaxedAgainAndAgain) {
  if (!host_accessible<Memory>) GTEST_SKIP() << "one thread of a CPU does that";
  constexpr std::int64_t side = 400;
  ZooGraph grid{"grid row by row", side * side, {}, false};
  // Rows of the grid follow each other on a rank, and the vertices of a rank are every so many numbers.
  std::vector<std::int64_t> order;
  for (int r = 0; r < world.size(); ++r) {
    for (std::int64_t v = r; v < grid.num_vertices; v += world.size()) order.push_back(v);
  }
  for (std::int64_t i = 0; i < side * side; ++i) {
    const auto at = [&](std::int64_t place) { return order[static_cast<std::size_t>(place)]; };
    if (i % side != side - 1) grid.edges.emplace_back(at(i), at(i + 1));
    if (i + side < side * side) grid.edges.emplace_back(at(i), at(i + side));
  }
  const WeightedCase<std::int32_t> test(world, grid, Weights::of_ends);
  PartSearch<std::int32_t> search(world, test);
  EXPECT_LE(expect_search(test, search, std::int32_t(0)).edges_relaxed, 8 * test.whole.num_edges());
}

/// Neighbors on a path that are neighbors on no rank: every edge would be a round of messages.
TEST_F(PartSssp, PathsThatCrossRanksAgainAndAgainAreFinishedByOne) {
  if (!host_accessible<Memory>) GTEST_SKIP() << "one thread of a CPU does that";
  ZooGraph path{"path across ranks", 20000, {}, false};
  for (std::int64_t v = 1; v < path.num_vertices; ++v) path.edges.emplace_back(v - 1, v);
  for (const Weights kind : {Weights::of_ends, Weights::zero_or_one}) {
    const WeightedCase<std::int32_t> test(world, path, kind);
    PartSearch<std::int32_t> search(world, test);
    const SsspStatistics total = expect_search(test, search, std::int32_t(10000));
    EXPECT_LE(total.num_sweeps, 1000);
    expect_search(test, search, std::int32_t(3));  // the scratch serves again
  }
  const WeightedCase<std::int64_t> wide(world, path, Weights::of_ends);
  PartSearch<std::int64_t> search(world, wide);
  EXPECT_LE(expect_search(wide, search, std::int64_t(19999)).num_sweeps, 1000);
}

TEST_F(PartSssp, StagedMessagesInSmallPieces) {
  Communicator staged(MPI_COMM_WORLD, make_always_staged_transport);
  staged.set_piece_bytes(8);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.num_vertices > 70) continue;
    WeightedCase<std::int32_t> test(staged, zoo, Weights::of_edge);
    PartSearch<std::int32_t> search(staged, test);
    expect_search(test, search, std::int32_t(0));
  }
}

TEST_F(PartSssp, NarrowBucketsRelaxFewerEdgesAndWideOnesTakeFewerSweeps) {
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10" && zoo.name != "complete") continue;
    WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
    const auto search = [&](float delta) {
      PartSearch<std::int32_t> part(world, test, {delta, VertexChunk{}});
      return expect_search(test, part, std::int32_t(0));
    };
    const SsspStatistics narrow = search(0.02f);
    const SsspStatistics wide = search(infinity);
    EXPECT_LT(narrow.edges_relaxed, wide.edges_relaxed) << zoo.name;
    EXPECT_GT(narrow.num_buckets, wide.num_buckets) << zoo.name;
    EXPECT_GT(narrow.num_sweeps, wide.num_sweeps) << zoo.name;
    EXPECT_EQ(wide.num_buckets, 1) << zoo.name;
  }
}

/// One fraction, which one rank alone has, and no rank takes whole numbers.
TEST_F(PartSssp, RanksAgreeWhetherDistancesAreWhole) {
  ZooGraph path;
  path.directed = false;
  path.num_vertices = 9;
  for (int v = 0; v < 8; ++v) path.edges.emplace_back(v, v + 1);
  for (const float weight : {16777216.0f, 0.5f}) {
    EdgeList<std::int32_t, Memory> slice = zoo_slice<std::int32_t>(world, path);
    const auto [first, last] = slice_of(8, world.rank(), world.size());
    std::vector<float> weights(static_cast<std::size_t>(last - first), 1.0f);
    if (first <= 6 && 6 < last) weights[6 - first] = weight;
    slice.weight = to_view(weights);
    const auto part = part_by_vertices(world, Space(), build_graph_1d(world, Space(), slice, zoo_build(path)));
    const Halo<Space, std::int32_t> halo(world, part);
    SsspScratch<LocalVertex, Memory> scratch(Space(), part.out_edges, halo);
    EXPECT_EQ(scratch.whole, weight > 1);
    const LocalVertex root = local_number(Space(), part, std::int32_t(0));
    Kokkos::View<std::int64_t*, Memory> distance;
    if (!scratch.whole) {
      EXPECT_THROW(sssp(Space(), scratch, root, distance, {}, halo), ArgumentError);
    } else {
      EXPECT_EQ(sssp(Space(), scratch, root, distance, {}, halo).largest_whole_distance, 16777223);
    }
  }
}

TEST_F(PartSssp, RanksThatKnowNoVertexTakePart) {
  ZooGraph zoo;
  zoo.num_vertices = 1;
  zoo.name = "one";
  WeightedCase<std::int32_t> test(world, zoo, Weights::none);
  PartSearch<std::int32_t> search(world, test);
  EXPECT_EQ(expect_search(test, search, 0).num_reached, 1);
}

TEST_F(PartSssp, MistakesAreRefusedByAllRanks) {
  const ZooGraph zoo = random_small_graph(3);
  WeightedCase<std::int32_t> test(world, zoo, Weights::of_ends);
  using Search = PartSearch<std::int32_t>;
  for (const float delta : {-1.0f, std::nanf("")}) {
    Search search(world, test, {delta, VertexChunk{}});
    EXPECT_THROW(search.search(0), ArgumentError);
  }

  // One wrong weight, which one rank alone has.
  Search search(world, test);
  EXPECT_THROW(search.search(-1), ArgumentError);
  EXPECT_THROW(search.search(static_cast<std::int32_t>(zoo.num_vertices)), ArgumentError);

  ZooGraph path;
  path.directed = false;
  path.num_vertices = 9;
  for (int v = 0; v < 8; ++v) path.edges.emplace_back(v, v + 1);
  for (const float wrong : {-0.5f, std::nanf("")}) {
    EdgeList<std::int32_t, Memory> slice = zoo_slice<std::int32_t>(world, path);
    const auto [first, last] = slice_of(8, world.rank(), world.size());
    std::vector<float> weights(static_cast<std::size_t>(last - first), 1.0f);
    if (first <= 6 && 6 < last) weights[6 - first] = wrong;
    slice.weight = to_view(weights);
    const auto part = part_by_vertices(world, Space(), build_graph_1d(world, Space(), slice, zoo_build(path)));
    try {
      const Halo<Space, std::int32_t> halo(world, part);
      const SsspScratch<LocalVertex, Memory> refused(Space(), part.out_edges, halo);
      FAIL() << "a weight of " << wrong << " was taken";
    } catch (const ArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find(" has weight "), std::string::npos) << error.what();
    }
  }

  // No weights; and weights on some ranks only.
  const auto unweighted = part_by_vertices(
      world, Space(), build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, path), zoo_build(path)));
  const Halo<Space, std::int32_t> halo(world, unweighted);
  EXPECT_THROW((SsspScratch<LocalVertex, Memory>(Space(), unweighted.out_edges, halo)), ArgumentError);
  EdgeList<std::int32_t, Memory> mixed = zoo_slice<std::int32_t>(world, path);
  if (world.rank() == 0) mixed = with_random_weights(Space(), mixed, weight_seed);
  if (world.size() > 1) {
    EXPECT_THROW(build_graph_1d(world, Space(), mixed, zoo_build(path)), ArgumentError);
  }
  EdgeList<std::int32_t, Memory> too_few = zoo_slice<std::int32_t>(world, path);
  too_few.weight = to_view(std::vector<float>(9, 1.0f));
  EXPECT_THROW(build_graph_1d(world, Space(), too_few, zoo_build(path)), ArgumentError);
}

TEST_F(PartSssp, WeightsAreTheSameForAnyNumberOfRanks) {
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
