// SPDX-License-Identifier: BSD-3-Clause
// Rows whose arcs travel as keys and in turns, as between GPUs: those of the way of CPUs, in any number of turns.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/ship_rows.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/source_ranges.hpp>
#include <string>
#include <utility>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

template <class Vertex>
using ToOwners = detail::ArcsToOwners<Vertex, Memory, Partition1d, BlockIds<Vertex>>;
template <class Vertex>
using Turned = detail::RowsInTurns<Space, Vertex, Memory, ToOwners<Vertex>>;

/// `count` turns, however few arcs there are.
detail::SortRanges so_many(int count) {
  detail::SortRanges turns;
  turns.least_arcs = 0;
  turns.num_ranges = count;
  return turns;
}

/// This rank's rows of a graph, built in turns, beside those of build_graph_1d().
template <class Vertex>
struct InTurns {
  Graph1d<Vertex, Memory> expected;
  CsrGraph<Vertex, Memory> rows;
  int num_turns = 0;
  std::int64_t largest = 0;

  InTurns(const Communicator& world, const EdgeList<Vertex, Memory>& slice, const BuildOptions& build,
          const detail::SortRanges& turns, Dealing dealing = Dealing::cyclic)
      : expected(build_graph_1d(world, Space(), slice, build, dealing)) {
    const auto& partition = expected.partition;
    const bool weighted = detail::agree_on_weights(world, slice.num_edges(), slice.weighted());
    Turned<Vertex> builder(
        world, Space(), {slice.source, slice.target, partition, expected.ids, build.symmetrize, build.drop_self_loops},
        slice.weight, weighted, expected.num_local(), partition.max_num_local(), expected.ids.size(), turns);
    builder.build(build.remove_duplicates, rows);
    num_turns = builder.num_turns();
    largest = builder.largest_turn();
  }

  void expect_same(const std::string& what) const {
    EXPECT_EQ(to_vector(rows.row_map), to_vector(expected.rows.row_map)) << what;
    EXPECT_EQ(to_vector(rows.entries), to_vector(expected.rows.entries)) << what;
    EXPECT_EQ(to_vector(rows.weights), to_vector(expected.rows.weights)) << what;
  }
};

/// Weights that both arcs of an edge have, and equal edges not.
template <class Vertex>
void put_weights(const Communicator& world, EdgeList<Vertex, Memory>& slice) {
  std::vector<float> weights;
  for (std::int64_t i = 0; i < slice.num_edges(); ++i) {
    weights.push_back(static_cast<float>(mix_bits(static_cast<std::uint64_t>(1000 * i + world.rank())) % 997));
  }
  slice.weight = to_view(weights);
}

template <class Vertex>
class RowsInTurnsTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(RowsInTurnsTest, VertexTypes, );

TYPED_TEST(RowsInTurnsTest, AreTheSameInAnyNumberOfTurns) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph empty;
  empty.name = "empty";
  auto zoo = distributed_zoo(world);
  zoo.push_back(empty);
  for (const ZooGraph& graph : zoo) {
    for (const bool weighted : {false, true}) {
      auto slice = zoo_slice<TypeParam>(world, graph);
      if (weighted) put_weights(world, slice);
      BuildOptions build = zoo_build(graph);
      build.remove_duplicates = true;  // of equal arcs with weights the lightest stays, whatever their order
      for (const int num_turns : {1, 3, 64}) {
        const Dealing dealing = num_turns == 3 ? Dealing::blocks : Dealing::cyclic;
        const InTurns<TypeParam> built(world, slice, build, so_many(num_turns), dealing);
        EXPECT_EQ(built.num_turns, num_turns);
        built.expect_same(graph.name + (weighted ? ", weighted, " : ", ") + std::to_string(num_turns) + " turns");
        if (this->HasFailure()) return;
      }
    }
  }
}

TYPED_TEST(RowsInTurnsTest, KeepDuplicatesWhereAsked) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph zoo;
  zoo.num_vertices = 3;
  zoo.edges = {{0, 1}, {0, 1}, {2, 2}};
  BuildOptions build;
  build.symmetrize = true;
  InTurns<TypeParam>(world, zoo_slice<TypeParam>(world, zoo), build, so_many(2)).expect_same("duplicates");
}

/// Edges i of `count` on each rank, from source(i) to a random vertex.
template <class Vertex, class Source>
EdgeList<Vertex, Memory> edges_from(const Communicator& world, Vertex n, int count, const Source& source) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (int i = 0; i < count; ++i) {
    const auto bits = mix_bits(static_cast<std::uint64_t>(world.rank()) << 32 | static_cast<std::uint64_t>(i));
    edges.emplace_back(static_cast<Vertex>(source(bits, i)), static_cast<Vertex>(bits % static_cast<std::uint64_t>(n)));
  }
  return make_edge_list<Vertex>(n, edges);
}

/// What turns are for: the largest decides how much memory keys take.
TYPED_TEST(RowsInTurnsTest, HaveAboutAsManyArcsEach) {
  const Communicator world(MPI_COMM_WORLD);
  const TypeParam n = 30000;
  // Three in four arcs leave the first hundredth of the vertices; each rank lists edges of a part of the vertices only.
  const auto skewed = edges_from<TypeParam>(world, n, 60000, [&](std::uint64_t bits, int i) {
    const std::uint64_t among = static_cast<std::uint64_t>(i % 4 != 0 ? n / 100 : n / world.size());
    return (bits >> 20) % among + (i % 4 != 0 ? 0 : static_cast<std::uint64_t>(world.rank()) * among);
  });
  for (const int num_turns : {2, 4, 16}) {
    const InTurns<TypeParam> built(world, skewed, {}, so_many(num_turns));
    const auto arcs_of_rank = static_cast<double>(built.rows.num_edges());
    EXPECT_LE(static_cast<double>(built.largest), (1.15 / num_turns + 0.04) * arcs_of_rank) << num_turns;
  }
}

TYPED_TEST(RowsInTurnsTest, SmallGraphsHaveOne) {
  const Communicator world(MPI_COMM_WORLD);
  const auto edges =
      edges_from<TypeParam>(world, 500, 2000, [](std::uint64_t bits, int) { return (bits >> 20) % 500; });
  EXPECT_EQ(InTurns<TypeParam>(world, edges, {}, {}).num_turns, 1);
}

TYPED_TEST(RowsInTurnsTest, AreMoreWhereMemoryIsShort) {
  const Communicator world(MPI_COMM_WORLD);
  const TypeParam n = 20000;
  const int num_edges = 40000;
  const auto edges =
      edges_from<TypeParam>(world, n, num_edges, [&](std::uint64_t bits, int) { return (bits >> 20) % 20000; });
  // A rank has about as many arcs as any other, and what a sort takes on a GPU.
  const double rows =
      1.05 * num_edges * sizeof(TypeParam) + 8 * (20000.0 / world.size() + 2) + (host_accessible<Memory> ? 0 : 1 << 25);
  const auto with_memory = [&](double bytes) {
    auto turns = so_many(2);
    turns.available = static_cast<std::uint64_t>(bytes);
    return turns;
  };
  const InTurns<TypeParam> built(world, edges, {}, with_memory(rows + 2.0 * num_edges));
  EXPECT_GT(built.num_turns, 4);
  EXPECT_LE(16 * built.largest, 3 * num_edges);
  built.expect_same("little memory");
  try {
    InTurns<TypeParam>(world, edges, {}, with_memory(0.9 * num_edges * sizeof(TypeParam)));
    FAIL() << "built without memory for rows";
  } catch (const MemoryError& error) {
    EXPECT_NE(std::string(error.what()).find(" arcs"), std::string::npos) << error.what();
  }
}

/// Samples of several ranks are put together by quantiles.
TEST(SourceSample, QuantilesStandForItsArcs) {
  using detail::SourceSample;
  using Sources = std::vector<detail::SampledSource<std::int32_t>>;
  const SourceSample<std::int32_t> sample(Sources{{7, 30}, {2, 10}, {7, 10}, {9, 50}});
  EXPECT_EQ(sample.num_arcs(), 100);
  const auto quantiles = sample.quantiles(10);  // at 5, 15, 25 ... of 2: 0 to 10, 7: 10 to 50, 9: 50 to 100
  std::vector<std::int32_t> sources;
  for (const auto& quantile : quantiles) {
    sources.push_back(quantile.source);
    EXPECT_EQ(quantile.num_arcs, 10);
  }
  EXPECT_EQ(sources, (std::vector<std::int32_t>{2, 7, 7, 7, 7, 9, 9, 9, 9, 9}));
  EXPECT_EQ(SourceSample<std::int32_t>(quantiles).ends(2, 20), sample.ends(2, 20));
  EXPECT_TRUE(SourceSample<std::int32_t>().quantiles(10).empty());
  EXPECT_EQ(SourceSample<std::int32_t>(Sources{}).ends(2, 20), (std::vector<std::int32_t>{20, 20}));
}

}  // namespace
}  // namespace dromos::test
