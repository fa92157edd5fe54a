// SPDX-License-Identifier: BSD-3-Clause
// Partitions, block ids, shipping, slices of generators, and distributed graphs: compared with the single node's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/choose_dealing.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/moving/to_blocks.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/graph/block_ids.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

TEST(Partition1d, EveryVertexHasOnePlace) {
  for (const int p : {1, 2, 3, 7, 64}) {
    for (const std::int64_t n : {0, 1, 2, 6, 7, 8, 100}) {
      const Partition1d partition(n, p);
      std::vector<std::int64_t> seen(p, 0);
      for (std::int64_t v = 0; v < n; ++v) {
        const Place place = partition.place(v);
        ASSERT_EQ(place.rank, v % p);
        ASSERT_EQ(place.local, seen[place.rank]++);  // ascending vertices have ascending local numbers
        ASSERT_EQ(partition.global_id(place.rank, place.local), v);
        ASSERT_EQ(partition.place(static_cast<std::int32_t>(v)).local, place.local);
      }
      for (int r = 0; r < p; ++r) {
        ASSERT_EQ(partition.num_local(r), seen[r]);
        ASSERT_LE(seen[r], partition.max_num_local());
      }
    }
  }
  EXPECT_THROW(Partition1d(-1, 2), ArgumentError);
  EXPECT_THROW(Partition1d(5, 0), ArgumentError);
}

TEST(BlockPartition, HasTheVerticesOfEachSlice) {
  for (const int p : {1, 2, 3, 7, 64}) {
    for (const std::int64_t n : {0, 1, 2, 6, 7, 8, 100}) {
      const BlockPartition partition(n, p);
      for (int r = 0; r < p; ++r) {
        const auto [first, last] = slice_of(n, r, p);
        ASSERT_EQ(partition.first(r), first);
        ASSERT_EQ(partition.num_local(r), last - first);
        for (std::int64_t v = first; v < last; ++v) {
          ASSERT_EQ(partition.place(v).rank, r) << n << " " << p;
          ASSERT_EQ(partition.place(static_cast<std::int32_t>(v)).local, v - first);
          ASSERT_EQ(partition.global_id(r, v - first), v);
        }
      }
    }
  }
  EXPECT_THROW(BlockPartition(-1, 2), ArgumentError);
  EXPECT_THROW(BlockPartition(5, 0), ArgumentError);
}

TEST(Partition1d, KnowsHowManyLieBelow) {
  for (const Dealing dealing : {Dealing::cyclic, Dealing::blocks}) {
    for (const int p : {1, 2, 3, 7}) {
      for (const std::int64_t n : {0, 1, 6, 100}) {
        const Partition1d partition(n, p, dealing);
        std::vector<std::int64_t> below(p, 0);
        for (std::int64_t v = 0; v <= n; ++v) {
          for (int r = 0; r < p; ++r) ASSERT_EQ(partition.num_local_below(r, v), below[r]) << n << " " << p << " " << v;
          if (v < n) ++below[partition.place(v).rank];
        }
      }
    }
  }
}

TEST(BlockIds, AreAsManyAsNeededAndFewerThanTwice) {
  for (const int p : {1, 2, 3, 7, 1000}) {
    for (const std::int64_t n : {0, 1, 31, 32, 33, 1 << 20, (1 << 20) + 1}) {
      const BlockIds<std::int32_t> ids(Partition1d(n, p).max_num_local(), p);
      EXPECT_LT(ids.size(), 2 * (n + p) + 64 * p);
      EXPECT_EQ(ids.size() % 32, 0);
      const std::int64_t last = std::max<std::int64_t>(Partition1d(n, p).max_num_local() - 1, 0);
      for (int r = 0; r < p; r += 1 + p / 5) {
        const std::int32_t id = ids.id(r, last);
        EXPECT_EQ(ids.rank(id), r);
        EXPECT_EQ(ids.local(id), last);
        EXPECT_EQ(ids.first(r), ids.id(r, 0));
      }
    }
  }
}

TEST(BlockIds, EveryScaleThat32BitIdsNumberFitsBlocks) {
  for (int p = 1; p < 5000; p += p < 70 ? 1 : 37) {
    EXPECT_NO_THROW(BlockIds<std::int32_t>(Partition1d(std::int64_t(1) << 30, p).max_num_local(), p)) << p;
  }
  EXPECT_THROW(BlockIds<std::int32_t>((std::int64_t(1) << 30) + 1, 2), ArgumentError);
  EXPECT_NO_THROW(BlockIds<std::int64_t>((std::int64_t(1) << 30) + 1, 2));
}

TEST(Slices, CoverTheListOnce) {
  for (const int p : {1, 2, 3, 7}) {
    for (const Offset total : {0, 1, 6, 7, 100}) {
      Offset next = 0;
      for (int r = 0; r < p; ++r) {
        const auto [first, last] = slice_of(total, r, p);
        ASSERT_EQ(first, next);
        ASSERT_GE(last, first);
        ASSERT_LE(last - first, total / p + 1);
        next = last;
      }
      ASSERT_EQ(next, total);
    }
  }
}

/// All ranks' slices one after the other are the list of the single node.
template <class Generator>
void expect_slices_of(const Generator& generator) {
  const Communicator world(MPI_COMM_WORLD);
  const auto slice = generate_slice<std::int32_t>(world, Space(), generator);
  const auto whole = generate_edges<std::int32_t>(Space(), generator);
  const auto [first, last] = slice_of(generator.num_edges(), world.rank(), world.size());
  ASSERT_EQ(slice.num_edges(), last - first);
  EXPECT_EQ(slice.num_vertices, whole.num_vertices);
  const auto source = to_vector(slice.source), all_sources = to_vector(whole.source);
  const auto target = to_vector(slice.target), all_targets = to_vector(whole.target);
  EXPECT_TRUE(std::equal(source.begin(), source.end(), all_sources.begin() + first));
  EXPECT_TRUE(std::equal(target.begin(), target.end(), all_targets.begin() + first));
}

TEST(Slices, OfGeneratorsAreThoseOfTheSingleNode) {
  KroneckerOptions kronecker;
  kronecker.scale = 9;
  expect_slices_of(KroneckerEdges<std::int32_t>(kronecker));
  ErdosRenyiOptions uniform;
  uniform.num_vertices = 700;
  uniform.num_edges = 3001;
  expect_slices_of(ErdosRenyiEdges<std::int32_t>(uniform));
  uniform.num_edges = 2;  // fewer edges than ranks
  expect_slices_of(ErdosRenyiEdges<std::int32_t>(uniform));
}

/// Number i of rank r stands for i % 4 items, for rank i % num_ranks and those after it.
struct CountedItems {
  std::int64_t count;
  int rank, num_ranks;
  KOKKOS_FUNCTION std::int64_t size() const { return count; }
  template <class F>
  KOKKOS_FUNCTION void items(std::int64_t i, const F& f) const {
    for (int k = 0; k < i % 4; ++k) f(target(i, k), item(i, k));
  }
  KOKKOS_FUNCTION int target(std::int64_t i, int k) const { return static_cast<int>((i + k) % num_ranks); }
  KOKKOS_FUNCTION std::int64_t item(std::int64_t i, int k) const {
    return std::int64_t(10'000'000) * rank + 10 * i + k;
  }
};

/// What arrived, in the order of its ranks and places there: on a GPU neighboring threads take turns at a list.
std::vector<std::int64_t> in_order(const Shipment<std::int64_t, Memory>& shipment) {
  auto items = to_vector(shipment.items);
  if (is_gpu<Space>) std::sort(items.begin(), items.end());
  return items;
}

TEST(Ship, BringsEveryItemToItsRankInOrder) {
  const Communicator world(MPI_COMM_WORLD);
  for (const std::int64_t count : {0, 1, 50, 5000, 100'000}) {
    const CountedItems source{count * (world.rank() % 3), world.rank(), world.size()};  // some ranks have none
    const auto shipment = ship<std::int64_t>(world, Space(), source);
    std::vector<std::int64_t> expected;
    for (int r = 0; r < world.size(); ++r) {
      const CountedItems theirs{count * (r % 3), r, world.size()};
      for (std::int64_t i = 0; i < theirs.size(); ++i) {
        for (int k = 0; k < i % 4; ++k) {
          if (theirs.target(i, k) == world.rank()) expected.push_back(theirs.item(i, k));
        }
      }
    }
    EXPECT_EQ(in_order(shipment), expected);
  }
}

/// Edge e of row u is for rank (u + e) % num_ranks, but not where u is odd.
struct ItemsOfRows {
  static constexpr bool of_rows = true;
  CsrView<std::int32_t, Memory> graph;
  std::int64_t shift;
  int num_ranks;
  KOKKOS_FUNCTION std::int64_t size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FUNCTION void arc(std::int32_t u, Offset e, const F& f) const {
    if (u % 2 == 0) f(static_cast<int>((u + e) % num_ranks), shift + 1000 * u + e);
  }
};

TEST(Ship, GoesOverRowsByTheirEdges) {
  const Communicator world(MPI_COMM_WORLD);
  constexpr std::int64_t of_rank = 10'000'000;
  // No edge, a hub, nothing for long, and a few.
  std::vector<Offset> row_map = {0, 0, 0, 900, 901};
  row_map.resize(5000, 901);
  for (const Offset end : {901, 901, 902, 905, 905, 950}) row_map.push_back(end);  // the last row is even
  CsrGraph<std::int32_t, Memory> graph;
  graph.row_map = to_view(row_map);
  graph.entries = Kokkos::View<std::int32_t*, Memory>("entries", row_map.back());
  const auto shipment =
      ship<std::int64_t>(world, Space(), ItemsOfRows{graph.view(), of_rank * world.rank(), world.size()});
  std::vector<std::int64_t> expected;
  for (int r = 0; r < world.size(); ++r) {
    for (std::size_t u = 0; u + 1 < row_map.size(); u += 2) {
      for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) {
        if ((static_cast<Offset>(u) + e) % world.size() != world.rank()) continue;
        expected.push_back(of_rank * r + 1000 * static_cast<std::int64_t>(u) + e);
      }
    }
  }
  EXPECT_EQ(in_order(shipment), expected);
}

TEST(Replicate, PutsEveryValueAtItsGlobalId) {
  const Communicator world(MPI_COMM_WORLD);
  for (const std::int64_t n : {0, 1, 3, 1000}) {
    for (const Dealing dealing : {Dealing::cyclic, Dealing::blocks}) {
      const Partition1d partition(n, world.size(), dealing);
      std::vector<std::int32_t> own;
      for (std::int64_t i = 0; i < partition.num_local(world.rank()); ++i) {
        own.push_back(static_cast<std::int32_t>(7 * partition.global_id(world.rank(), i)));
      }
      const auto all = to_vector(replicate(world, Space(), partition, to_view(own)));
      ASSERT_EQ(all.size(), static_cast<std::size_t>(n));
      for (std::int64_t v = 0; v < n; ++v) ASSERT_EQ(all[v], 7 * v);

      const auto block = to_vector(to_blocks(world, Space(), partition, to_view(own)));
      const auto [first, last] = slice_of(n, world.rank(), world.size());
      ASSERT_EQ(block.size(), static_cast<std::size_t>(last - first));
      for (std::int64_t v = first; v < last; ++v) ASSERT_EQ(block[v - first], 7 * v);
    }
  }
}

/// This rank's part of edges (v, f(v)) of n vertices.
template <class F>
EdgeList<std::int32_t, Memory> edges_to(const Communicator& world, std::int32_t n, const F& f) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t v = world.rank(); v < n; v += world.size()) edges.emplace_back(v, f(v));
  return make_edge_list<std::int32_t>(n, edges);
}

TEST(ChooseDealing, TakesBlocksWhereNeighborsAreNear) {
  const Communicator world(MPI_COMM_WORLD);
  const std::int32_t n = 10000;
  const Dealing blocks = world.size() > 1 ? Dealing::blocks : Dealing::cyclic;
  EXPECT_EQ(choose_dealing(world, Space(), edges_to(world, n, [&](auto v) { return (v + 3) % n; })), blocks);
  // Neighbors anywhere; edges near each other, but all of them on the first rank; no edges.
  EXPECT_EQ(choose_dealing(world, Space(), edges_to(world, n, [&](auto v) { return v * 7919 % n; })), Dealing::cyclic);
  auto crowded = edges_to(world, n / 20, [&](auto v) { return v / 2; });
  crowded.num_vertices = n;
  EXPECT_EQ(choose_dealing(world, Space(), crowded), Dealing::cyclic);
  EXPECT_EQ(choose_dealing(world, Space(), EdgeList<std::int32_t, Memory>(n, 0)), Dealing::cyclic);
}

/// The rows of this rank, with global ids, are those of the graph that one node builds.
template <class Vertex>
void expect_same_graph(const Communicator& world, const ZooGraph& zoo, Dealing dealing = Dealing::cyclic) {
  const auto graph = build_graph_1d(world, Space(), zoo_slice<Vertex>(world, zoo), zoo_build(zoo), dealing);
  const auto whole = rows_of(zoo_graph<Vertex>(zoo));
  const auto rows = rows_of(graph.rows);
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(graph.num_local())) << zoo.name;
  ASSERT_EQ(graph.directed, zoo.directed);
  std::int64_t num_arcs = 0;
  for (const auto& row : whole) num_arcs += static_cast<std::int64_t>(row.size());
  EXPECT_EQ(graph.num_arcs, num_arcs) << zoo.name;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(std::is_sorted(rows[i].begin(), rows[i].end()));
    std::vector<Vertex> row;
    for (const Vertex id : rows[i]) {
      row.push_back(static_cast<Vertex>(graph.partition.global_id(graph.ids.rank(id), graph.ids.local(id))));
    }
    std::sort(row.begin(), row.end());
    ASSERT_EQ(row, whole[graph.partition.global_id(world.rank(), i)]) << zoo.name << ", local vertex " << i;
  }
}

TEST(Graph1d, HasTheRowsOfTheSingleNode) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    expect_same_graph<std::int32_t>(world, zoo);
    expect_same_graph<std::int64_t>(world, zoo);
    expect_same_graph<std::int32_t>(world, zoo, Dealing::blocks);
  }
  ZooGraph empty;
  empty.name = "empty";
  expect_same_graph<std::int32_t>(world, empty);
}

TEST(Graph1d, KeepsLoopsAndDuplicatesWhereAsked) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph zoo;
  zoo.num_vertices = 3;
  zoo.edges = {{0, 1}, {0, 1}, {2, 2}};
  BuildOptions build;
  build.symmetrize = true;
  EXPECT_EQ(build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), build).num_arcs, 5);
}

TEST(Graph1d, BadEndpointsOfOneRankAreAnErrorOnAll) {
  const Communicator world(MPI_COMM_WORLD);
  std::vector<std::pair<std::int32_t, std::int32_t>> edges = {{0, 1}};
  if (world.rank() == world.size() - 1) edges.push_back({4, 1});
  const auto list = make_edge_list<std::int32_t>(4, edges);
  EXPECT_THROW(build_graph_1d(world, Space(), list), ArgumentError);
}

}  // namespace
}  // namespace dromos::test
