// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files of graphs that all ranks write: what is in them is what one process writes, however the edges are spread.
#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/files/write_slice.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"
#include "shared_files.hpp"
#include "view_tools.hpp"

namespace dromos::test {
namespace {

/// The edges of a zoo graph on the host, each with a weight.
template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> weighted_edges(const ZooGraph& zoo) {
  auto edges = copy_to<Kokkos::HostSpace>(zoo.template edge_list<Vertex>());
  edges.weight = Kokkos::View<float*, Kokkos::HostSpace>("test::weight", zoo.edges.size());
  for (std::size_t e = 0; e < zoo.edges.size(); ++e) edges.weight(e) = 0.5f * static_cast<float>(e);
  return edges;
}

/// Edges first .. last - 1 of a list, where they are searched.
template <class Vertex>
EdgeList<Vertex> part_of(const EdgeList<Vertex, Kokkos::HostSpace>& edges, Offset first, Offset last, bool weighted) {
  EdgeList<Vertex, Kokkos::HostSpace> part;
  part.num_vertices = edges.num_vertices;
  const auto range = Kokkos::make_pair(first, last);
  part.source = Kokkos::subview(edges.source, range);
  part.target = Kokkos::subview(edges.target, range);
  if (weighted) part.weight = Kokkos::subview(edges.weight, range);
  return copy_to<Memory>(part);
}

/// How many of a list's edges lie before those of each rank, and all: in equal parts, all with the last rank, and with
/// some ranks more than with others.
std::vector<std::vector<Offset>> ways_to_spread(Offset num_edges, int num_ranks) {
  std::vector<std::vector<Offset>> ways(3);
  for (int r = 0; r <= num_ranks; ++r) {
    ways[0].push_back(num_edges * r / num_ranks);
    ways[1].push_back(r < num_ranks ? 0 : num_edges);
    ways[2].push_back(num_edges * r * r / (num_ranks * num_ranks));
  }
  return ways;
}

template <class Vertex>
class WriteSlice : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(WriteSlice, VertexTypes, );

template <class View>
void expect_equal(const View& found, const View& expected, const std::string& what) {
  EXPECT_EQ(to_vector(found), to_vector(expected)) << what;
}

TYPED_TEST(WriteSlice, ListsAreThoseOfOneProcess) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("together.h5"), alone = folder.path("alone.h5");
  auto zoo = small_zoo();
  zoo.push_back({"empty", 0, {}, true});
  for (const ZooGraph& graph : zoo) {
    const auto edges = weighted_edges<TypeParam>(graph);
    std::vector<std::int64_t> table;
    for (std::int64_t v = 0; v < graph.num_vertices; ++v) table.push_back(3 * v + 5);
    int turn = 0;
    for (const auto& way : ways_to_spread(edges.num_edges(), world.size())) {
      const bool weighted = turn++ % 2 == 0;
      const auto names = weighted ? VertexNames::table(table) : VertexNames::consecutive(graph.num_vertices, -7);
      SliceWriteOptions options;
      options.directed = graph.directed;
      options.listed_both_ways = weighted;
      const auto r = static_cast<std::size_t>(world.rank());
      write_slice<TypeParam>(world, path, part_of(edges, way[r], way[r + 1], weighted), names, options);
      on_all_ranks(world, [&] {  // so that nobody writes it again before, or waits for a rank that gave up
        if (world.rank() != 0) return;
        EXPECT_EQ(folder.num_files(), 1u) << graph.name;
        auto expected_edges = edges;
        if (!weighted) expected_edges.weight = {};
        WriteOptions write;
        write.listed_both_ways = weighted;
        write_graph(alone, GraphFormat::hdf5, expected_edges, names, graph.directed, write);
        ReadOptions read;
        read.weights = true;
        const auto found = read_graph<TypeParam>(path, read), expected = read_graph<TypeParam>(alone, read);
        EXPECT_EQ(found.edges.num_vertices, expected.edges.num_vertices) << graph.name;
        expect_equal(found.edges.source, expected.edges.source, graph.name);
        expect_equal(found.edges.target, expected.edges.target, graph.name);
        expect_equal(found.edges.weight, expected.edges.weight, graph.name);
        EXPECT_EQ(found.directed, expected.directed) << graph.name;
        EXPECT_EQ(found.listed_both_ways, expected.listed_both_ways) << graph.name;
        for (std::int64_t v = 0; v < graph.num_vertices; ++v) ASSERT_EQ(found.names.name(v), names.name(v));
        std::filesystem::remove(alone);
      });
    }
  }
}

TYPED_TEST(WriteSlice, RowsAreThoseOfOneProcess) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("together.h5"), alone = folder.path("alone.h5");
  auto zoo = small_zoo();
  zoo.push_back({"empty", 0, {}, true});
  for (const ZooGraph& graph : zoo) {
    const auto edges = weighted_edges<TypeParam>(graph);
    int turn = 0;
    for (const auto& way : ways_to_spread(edges.num_edges(), world.size())) {
      const bool weighted = turn++ % 2 == 0;
      const auto r = static_cast<std::size_t>(world.rank());
      const auto block =
          build_row_block(world, Space(), part_of(edges, way[r], way[r + 1], weighted), zoo_build(graph));
      write_rows<TypeParam>(world, path, block, VertexNames::consecutive(graph.num_vertices, 3));
      on_all_ranks(world, [&] {  // so that nobody writes it again before, or waits for a rank that gave up
        if (world.rank() != 0) return;
        EXPECT_EQ(folder.num_files(), 1u) << graph.name;
        const auto expected_rows = build_csr(Space(), part_of(edges, 0, edges.num_edges(), weighted), zoo_build(graph));
        write_rows(alone, copy_to<Kokkos::HostSpace>(expected_rows), VertexNames::consecutive(graph.num_vertices, 3));
        ReadOptions read;
        read.weights = read.rows = true;
        const auto found = read_graph<TypeParam>(path, read), expected = read_graph<TypeParam>(alone, read);
        ASSERT_TRUE(found.rows && expected.rows) << graph.name;
        expect_equal(found.rows->graph.row_map, expected.rows->graph.row_map, graph.name);
        expect_equal(found.rows->graph.entries, expected.rows->graph.entries, graph.name);
        expect_equal(found.rows->graph.weights, expected.rows->graph.weights, graph.name);
        EXPECT_EQ(found.directed, graph.directed) << graph.name;
        EXPECT_EQ(found.names.first_name(), 3) << graph.name;
        EXPECT_TRUE(found.rows->ascending) << graph.name;
        std::filesystem::remove(alone);
      });
    }
  }
}

TEST(WriteSliceErrors, AreSaidByEveryRankAndLeaveNothing) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("graph.h5");
  const ZooGraph path_graph{"path", 4, {{0, 1}, {1, 2}, {2, 3}}, true};
  const auto edges = weighted_edges<std::int32_t>(path_graph);
  const bool last = world.rank() == world.size() - 1;
  const auto own = part_of(edges, 0, 3, false);

  const auto beyond = make_edge_list<std::int32_t>(4, {{0, 1}, {1, last ? 4 : 2}});
  expect_fragment(message_of(world, [&] { write_slice(world, path, beyond); }),
                  "1 edge with an endpoint outside [0, 4)");
  expect_fragment(message_of(world, [&] { write_slice(world, path, own, VertexNames::consecutive(3, 0)); }),
                  "expected names for 4 vertices, found 3");
  if (world.size() > 1) {
    auto other = own;
    if (last) other.num_vertices = 5;
    expect_fragment(message_of(world, [&] { write_slice(world, path, other); }),
                    "says how many vertices the whole graph has");
    expect_fragment(message_of(world, [&] { write_slice(world, path, part_of(edges, 0, 3, last)); }), "have weights");
  }
  EXPECT_THROW(write_slice(world, folder.path("absent/graph.h5"), own), Error);
  if (world.rank() == 0) {
    EXPECT_EQ(folder.num_files(), 0u);
  }
}

}  // namespace
}  // namespace dromos::test
