// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files that ranks share: slices put together are what one process reads, results written together are what one
// process writes, a graph separated by degree comes back as it was, and what is wrong with a file, all ranks say.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/bfs_delegate.hpp>
#include <dromos/distributed/files/read_slice.hpp>
#include <dromos/distributed/files/saved_graph_delegate.hpp>
#include <dromos/distributed/files/slice_results.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"
#include "io_files.hpp"
#include "shared_files.hpp"

namespace dromos::test {
namespace {

template <class T>
std::vector<T> concatenate(const Communicator& world, const Kokkos::View<T*, Memory>& own) {
  const std::int64_t size = static_cast<std::int64_t>(own.extent(0));
  const auto blocks = consecutive_blocks(gather_counts(world, size));
  const Kokkos::View<T*, Memory> all("test::all", total_size(blocks));
  allgatherv(world, Space(), own, size, all, blocks);
  return to_vector(all);
}

template <class Vertex>
class Hdf5Slices : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Hdf5Slices, VertexTypes, );

TYPED_TEST(Hdf5Slices, TogetherAreWhatOneProcessReads) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string list = folder.path("list.h5"), rows = folder.path("rows.h5");
  auto zoo = small_zoo();
  zoo.push_back({"empty", 0, {}, true});
  for (const ZooGraph& graph : zoo) {
    on_all_ranks(world, [&] {
      if (world.rank() != 0) return;
      auto edges = copy_to<Kokkos::HostSpace>(graph.template edge_list<TypeParam>());
      edges.weight = Kokkos::View<float*, Kokkos::HostSpace>("test::weight", graph.edges.size());
      for (std::size_t e = 0; e < graph.edges.size(); ++e) edges.weight(e) = static_cast<float>(e);
      std::vector<std::int64_t> names;  // with gaps
      for (std::int64_t v = 0; v < graph.num_vertices; ++v) names.push_back(3 * v + 5);
      write_graph(list, GraphFormat::hdf5, edges, VertexNames::table(names), graph.directed);
      BuildOptions build = zoo_build(graph);
      write_rows(rows, copy_to<Kokkos::HostSpace>(build_csr(Space(), copy_to<Memory>(edges), build)), VertexNames());
    });
    for (const std::string& path : {list, rows}) {
      ReadOptions alone;
      alone.weights = true;
      const auto whole = read_graph<TypeParam>(path, alone);
      for (const SlabAccess access : all_accesses()) {
        SliceReadOptions options;
        options.weights = true;
        options.access = access;
        const auto own = read_slice<TypeParam>(world, path, options);
        ASSERT_EQ(own.slice.num_vertices, graph.num_vertices) << graph.name;
        ASSERT_EQ(own.num_edges, whole.edges.num_edges()) << graph.name;
        const auto [first, last] = slice_of(own.num_edges, world.rank(), world.size());
        ASSERT_EQ(own.slice.num_edges(), last - first) << graph.name;
        ASSERT_EQ(concatenate(world, own.slice.source), to_vector(whole.edges.source)) << graph.name << " " << path;
        ASSERT_EQ(concatenate(world, own.slice.target), to_vector(whole.edges.target)) << graph.name << " " << path;
        ASSERT_EQ(concatenate(world, own.slice.weight), to_vector(whole.edges.weight)) << graph.name << " " << path;
        EXPECT_EQ(own.directed, whole.directed);
        EXPECT_EQ(own.listed_both_ways, whole.listed_both_ways);
        for (std::int64_t v = 0; v < graph.num_vertices; ++v) ASSERT_EQ(own.names.name(v), whole.names.name(v));
        // Nothing but its slice: both ends and the weight, or one end, the weight, and offsets.
        const std::int64_t most = path == list
                                      ? own.slice.num_edges() * (2 * static_cast<std::int64_t>(sizeof(TypeParam)) + 4)
                                      : own.slice.num_edges() * (static_cast<std::int64_t>(sizeof(TypeParam)) + 4) +
                                            8 * (graph.num_vertices + 1) + 8 * 64;
        EXPECT_LE(own.bytes_read, most);
      }
    }
  }
}

TYPED_TEST(Hdf5Slices, ResultsWrittenTogetherAreThoseOfOneProcess) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  for (const std::int64_t n : {std::int64_t(0), std::int64_t(1), std::int64_t(5), std::int64_t(1000)}) {
    std::vector<std::int64_t> names;
    for (std::int64_t v = 0; v < n; ++v) names.push_back(2 * v);
    const Kokkos::View<TypeParam*, Memory> parent("test::parent", n);
    const Kokkos::View<float*, Memory> distance("test::distance", n);
    const auto parent_host = Kokkos::create_mirror_view(parent);
    const auto distance_host = Kokkos::create_mirror_view(distance);
    for (std::int64_t v = 0; v < n; ++v) {
      parent_host(v) = static_cast<TypeParam>(v % 7 - 1);
      distance_host(v) = 0.5f * static_cast<float>(v);
    }
    Kokkos::deep_copy(parent, parent_host);
    Kokkos::deep_copy(distance, distance_host);
    const auto table_of = [&](const auto& parents, const auto& distances) {
      ResultTable table;
      table.num_vertices = n;
      table.names = VertexNames::table(names);
      table.texts = {{"algorithm", "bfs"}};
      table.numbers = {{"root", 17}};
      table.columns = {{"parent", "vertex", "-1: not reached", parents}, {"distance", "1", "", distances}};
      return table;
    };
    const auto expected = table_of(ResultValues<TypeParam>(parent_host), ResultValues<float>(distance_host));
    const auto own = table_of(block_of(world, Kokkos::View<const TypeParam*, Memory>(parent)),
                              block_of(world, Kokkos::View<const float*, Memory>(distance)));
    const std::string path = folder.path("result.h5");
    write_results(world, path, own);
    if (world.rank() != 0) continue;
    EXPECT_EQ(folder.num_files(), 1u);
    write_results(folder.path("alone.h5"), expected);
    for (const char* name : {"result.h5", "alone.h5"}) {
      const ResultTable found = read_results(folder.path(name), {"algorithm"}, {"root", "absent"});
      EXPECT_EQ(found.num_vertices, n);
      EXPECT_EQ(found.texts, expected.texts);
      EXPECT_EQ(found.numbers, expected.numbers);
      for (std::int64_t v = 0; v < n; ++v) ASSERT_EQ(found.names.name(v), 2 * v);
      ASSERT_EQ(found.columns.size(), 2u);
      EXPECT_EQ(found.columns[0].name, "distance");
      EXPECT_EQ(found.columns[1].unit, "vertex");
      EXPECT_EQ(found.columns[1].description, "-1: not reached");
      EXPECT_EQ(to_vector(std::get<ResultValues<float>>(found.columns[0].values)), to_vector(distance_host));
      EXPECT_EQ(to_vector(std::get<ResultValues<TypeParam>>(found.columns[1].values)), to_vector(parent_host));
    }
    std::filesystem::remove(folder.path("alone.h5"));
  }
}

template <class Vertex>
void expect_same(const SavedGraphDelegate<Vertex>& found, const SavedGraphDelegate<Vertex>& expected,
                 const std::string& name) {
  EXPECT_EQ(found.directed, expected.directed) << name;
  EXPECT_EQ(found.separation.threshold, expected.separation.threshold) << name;
  EXPECT_EQ(found.num_arcs(), expected.num_arcs()) << name;
  EXPECT_EQ(found.num_with_nd, expected.num_with_nd) << name;
  EXPECT_EQ(found.num_with_dn, expected.num_with_dn) << name;
  EXPECT_EQ(found.num_with_dd, expected.num_with_dd) << name;
  EXPECT_EQ(found.bytes(), expected.bytes()) << name;
  ASSERT_EQ(found.delegates_of.size(), expected.delegates_of.size()) << name;
  for (std::size_t r = 0; r < found.delegates_of.size(); ++r) {
    EXPECT_EQ(found.delegates_of[r].offset, expected.delegates_of[r].offset) << name;
    EXPECT_EQ(found.delegates_of[r].size, expected.delegates_of[r].size) << name;
  }
  EXPECT_EQ(to_vector(found.delegate_global), to_vector(expected.delegate_global)) << name;
  EXPECT_EQ(to_vector(found.delegates_by_owner), to_vector(expected.delegates_by_owner)) << name;
  EXPECT_EQ(to_vector(found.normal.row_maps), to_vector(expected.normal.row_maps)) << name;
  EXPECT_EQ(to_vector(found.normal.to_normal), to_vector(expected.normal.to_normal)) << name;
  EXPECT_EQ(to_vector(found.normal.to_delegate), to_vector(expected.normal.to_delegate)) << name;
  EXPECT_EQ(to_vector(found.delegate.row_maps), to_vector(expected.delegate.row_maps)) << name;
  EXPECT_EQ(to_vector(found.delegate.to_normal), to_vector(expected.delegate.to_normal)) << name;
  EXPECT_EQ(to_vector(found.delegate.to_delegate), to_vector(expected.delegate.to_delegate)) << name;
}

TYPED_TEST(Hdf5Slices, GraphsSeparatedByDegreeComeBack) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("separated.h5");
  for (const ZooGraph& zoo : small_zoo()) {
    const auto slice = zoo_slice<TypeParam>(world, zoo);
    const auto graph = separate_by_degree(world, Space(), build_graph_1d(world, Space(), slice, zoo_build(zoo)), 4);
    const auto names = VertexNames::consecutive(graph.partition.num_vertices(), 5);
    for (const SlabAccess access : all_accesses()) {
      save_graph<TypeParam>(world, path, graph, names);
      const auto saved = find_separation(path);
      ASSERT_TRUE(saved) << zoo.name;
      EXPECT_EQ(saved->num_vertices, graph.partition.num_vertices()) << zoo.name;
      EXPECT_EQ(saved->directed, graph.directed) << zoo.name;
      EXPECT_EQ(saved->num_ranks, world.size()) << zoo.name;
      EXPECT_EQ(saved->threshold, 4) << zoo.name;
      world.barrier();  // before it is written again
      const auto again = load_graph_delegate<TypeParam>(world, path, access);
      expect_same<TypeParam>(again.graph, graph, zoo.name);
      EXPECT_EQ(again.names.first_name(), 5) << zoo.name;
      // Arcs, of which each rank reads its own, and what all ranks read.
      EXPECT_GE(sum(world, again.bytes_read), 4 * graph.num_arcs() + 4 * 8 * world.size()) << zoo.name;
      // What they find is the same as well.
      const BfsDelegateOptions options;
      BfsDelegate<Space, TypeParam> first(world, Space(), graph, options), second(world, Space(), again.graph, options);
      first.search(0);
      second.search(0);
      EXPECT_EQ(to_vector(second.result().level), to_vector(first.result().level)) << zoo.name;
    }
  }
}

TEST(Hdf5SlicesSeparation, IsNotFoundWhereThereIsNone) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("graph.h5");
  if (world.rank() == 0) {
    EXPECT_FALSE(find_separation(path));
    const auto edges = copy_to<Kokkos::HostSpace>(graph_zoo().back().edge_list<std::int32_t>());
    write_graph(path, GraphFormat::hdf5, edges, VertexNames(), false);
    EXPECT_FALSE(find_separation(path));
    std::filesystem::resize_file(path, 1000);
    EXPECT_THROW(find_separation(path), InputError);
  }
}

/// The arcs of a list, ascending.
template <class Vertex, class Space>
std::vector<std::pair<Vertex, Vertex>> arcs_of_list(const EdgeList<Vertex, Space>& edges) {
  const auto source = to_vector(edges.source), target = to_vector(edges.target);
  std::vector<std::pair<Vertex, Vertex>> arcs;
  for (std::size_t e = 0; e < source.size(); ++e) arcs.emplace_back(source[e], target[e]);
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

TYPED_TEST(Hdf5Slices, OneProcessReadsTheEdgesOfASeparatedGraph) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("separated.h5");
  for (const ZooGraph& zoo : graph_zoo()) {
    const auto slice = zoo_slice<TypeParam>(world, zoo);
    const auto graph = separate_by_degree(world, Space(), build_graph_1d(world, Space(), slice, zoo_build(zoo)), 4);
    std::vector<std::int64_t> table;  // the names of a file with gaps
    for (std::int64_t v = 0; v < graph.partition.num_vertices(); ++v) table.push_back(3 * v - 1);
    save_graph<TypeParam>(world, path, graph, VertexNames::table(table));
    EXPECT_FALSE(has_slices(path)) << zoo.name;
    if (world.rank() == 0) {
      const auto file = read_graph<TypeParam>(path);
      EXPECT_EQ(arcs_of_list(file.edges), arcs_of_list(edge_list_of(Space(), zoo_graph<TypeParam>(zoo)))) << zoo.name;
      EXPECT_EQ(file.edges.num_vertices, graph.partition.num_vertices()) << zoo.name;
      EXPECT_EQ(file.directed, graph.directed) << zoo.name;
      EXPECT_EQ(file.listed_both_ways, !graph.directed) << zoo.name;
      if (!table.empty()) {
        EXPECT_EQ(file.names.name(table.size() - 1), table.back()) << zoo.name;
      }
    }
    world.barrier();
  }
}

/// Damages a file: one element becomes another.
void overwrite(const std::string& path, const std::string& dataset, std::int64_t at, std::int64_t value) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t id = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(id), one = H5Screate(H5S_SCALAR);
  const auto start = static_cast<hsize_t>(at);
  const hsize_t count = 1;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  EXPECT_GE(H5Dwrite(id, H5T_NATIVE_INT64, one, space, H5P_DEFAULT, &value), 0) << dataset;
  H5Sclose(one);
  H5Sclose(space);
  H5Dclose(id);
  H5Fclose(file);
}

TEST(Hdf5SlicesErrors, AreSaidByEveryRank) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("graph.h5");
  const ZooGraph zoo{"path", 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, false};
  const auto write = [&](const std::string& dataset, std::int64_t at, std::int32_t value) {
    on_all_ranks(world, [&] {
      if (world.rank() != 0) return;
      const auto graph = copy_to<Kokkos::HostSpace>(build_csr(Space(), zoo.edge_list<std::int32_t>(), zoo_build(zoo)));
      write_rows(path, graph, VertexNames());
      if (dataset.empty()) return;
      overwrite(path, dataset, at, value);
    });
  };
  for (const SlabAccess access : all_accesses()) {
    SliceReadOptions options;
    options.access = access;
    const auto read = [&] { return message_of(world, [&] { read_slice<std::int32_t>(world, path, options); }); };
    write("", 0, 0);
    EXPECT_EQ(read(), "no error");
    write("/csr/entries", 9, 6);  // seen by the last rank
    expect_fragment(read(), "/csr/entries: element 9 is 6; expected a vertex from 0 to 5");
    write("/csr/entries", 0, -1);
    expect_fragment(read(), "/csr/entries: element 0 is -1");
    write("/csr/entries", 4, 0);
    expect_fragment(read(), "every arc in both directions");
    write("/csr/row_map", 6, 9);
    expect_fragment(read(), "/csr/row_map: element 6 is 9; expected 10");
    write("/csr/row_map", 0, 1);
    expect_fragment(read(), "/csr/row_map");
    write("/csr/row_map", 3, 99);
    expect_fragment(read(), "/csr/row_map");
    on_all_ranks(world, [&] {
      if (world.rank() == 0) std::filesystem::resize_file(path, 700);
    });
    expect_fragment(read(), "cut short");
    expect_fragment(message_of(world, [&] { read_slice<std::int32_t>(world, folder.path("absent.h5"), options); }),
                    "no such file");
    expect_fragment(
        message_of(world, [&] { load_graph_delegate<std::int32_t>(world, folder.path("absent.h5"), access); }),
        "no such file");
    EXPECT_THROW(write_results(world, folder.path("absent/result.h5"), ResultTable()), Error);
    world.barrier();
    if (world.rank() == 0) {
      EXPECT_EQ(folder.num_files(), 1u);
    }
  }
}

TEST(Hdf5SlicesErrors, AnotherNumberOfRanksCannotLoadASeparatedGraph) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("separated.h5");
  const ZooGraph zoo = graph_zoo().back();
  {
    const Communicator alone = world.split(world.rank(), 0);
    if (world.rank() == 0) {
      const auto slice = zoo_slice<std::int32_t>(alone, zoo);
      const auto graph = separate_by_degree(alone, Space(), build_graph_1d(alone, Space(), slice, zoo_build(zoo)), 4);
      save_graph<std::int32_t>(alone, path, graph);
    }
  }
  world.barrier();
  const std::string message = message_of(world, [&] { load_graph_delegate<std::int32_t>(world, path); });
  if (world.size() == 1) {
    EXPECT_EQ(message, "no error");
  } else {
    expect_fragment(message, "for 1 rank, and " + std::to_string(world.size()) + " ranks load it; start 1 rank");
  }
}

/// Two delegates, 0 and 1, each with an edge to the four others and to the other one.
ZooGraph two_stars() {
  ZooGraph zoo{"two stars", 6, {{0, 1}}, false};
  for (std::int64_t v = 2; v < 6; ++v) zoo.edges.insert(zoo.edges.end(), {{0, v}, {1, v}});
  zoo.edges.push_back({2, 3});
  return zoo;
}

TEST(Hdf5SlicesErrors, RanksRefuseASeparatedGraphThatDoesNotFitTogether) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("separated.h5");
  const ZooGraph zoo = two_stars();
  const auto graph = separate_by_degree(
      world, Space(), build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), zoo_build(zoo)), 4);
  struct Damage {
    const char* dataset;
    std::int64_t at, value;
    const char* expected;
  };
  // The first row of nd is 0 1, the first of dd is 1.
  for (const Damage& damage : std::vector<Damage>{
           {"delegate_global", 1, 6, "/separated/delegate_global: element 1 of this rank's part is 6"},
           {"dd", 0, 9, "/separated/dd: element 0 of this rank's part is 9; expected at least 0 and below 2"},
           {"dd", 0, 0, "one without its reverse"},
           {"nd", 0, 1, "one without its reverse"}}) {
    save_graph<std::int32_t>(world, path, graph);
    on_all_ranks(world, [&] {
      if (world.rank() == 0) overwrite(path, std::string("/separated/") + damage.dataset, damage.at, damage.value);
    });
    expect_fragment(message_of(world, [&] { load_graph_delegate<std::int32_t>(world, path); }), damage.expected);
  }
}

TEST(Hdf5SlicesErrors, EdgesThatFollowTheirSourceAreNotSaved) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const std::string path = folder.path("separated.h5");
  const ZooGraph zoo = two_stars();
  const auto graph = separate_by_degree(
      world, Space(), build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), zoo_build(zoo)), 4,
      DelegateEdges::follow_source);
  EXPECT_THROW(save_graph<std::int32_t>(world, path, graph), ArgumentError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Hdf5SlicesErrors, OneProcessRefusesASeparatedGraphThatDoesNotFitTogether) {
  const Communicator world(MPI_COMM_WORLD);
  const SharedFolder folder(world);
  const Communicator alone = world.split(world.rank(), 0);
  if (world.rank() != 0) return;
  const std::string path = folder.path("separated.h5");
  const ZooGraph zoo = two_stars();
  const auto graph = separate_by_degree(
      alone, Space(), build_graph_1d(alone, Space(), zoo_slice<std::int32_t>(alone, zoo), zoo_build(zoo)), 4);
  struct Damage {
    const char* dataset;
    std::int64_t at, value;
    const char* expected;
  };
  for (const Damage& damage : std::vector<Damage>{
           {"delegate_global", 1, 6, "/separated/delegate_global: element 1 is 6; expected a vertex from 0 to 5"},
           {"nn", 0, 31, "/separated/nn: element 0 is 31; expected the block id of a vertex"},
           {"nn", 0, 32, "/separated/nn: element 0 is 32; expected a block id from 0 to 31"},
           {"nd", 1, 2, "/separated/nd: element 1 is 2; expected a delegate from 0 to 1"},
           {"dn", 7, -1, "/separated/dn: element 7 is -1; expected a vertex of its rank from 0 to 5"},
           {"dd", 1, 9, "/separated/dd: element 1 is 9; expected a delegate"},
           {"dd", 1, 1, "one without its reverse"},
           {"normal_row_maps", 0, 1, "/separated/normal_row_maps: element 0 is 1; expected 0"},
           {"normal_row_maps", 9, 1, "/separated/normal_row_maps: element 9 is 1; expected"},
           {"delegate_row_maps", 4, 7, "/separated/delegate_row_maps: element 4 is 7; expected 8"},
           {"num_arcs_of_rank", 0, 1, "expected"},
           {"num_arcs_of_rank", 3, 3, "fewer than the parts of the ranks"}}) {
    save_graph<std::int32_t>(alone, path, graph);
    overwrite(path, std::string("/separated/") + damage.dataset, damage.at, damage.value);
    try {
      read_graph<std::int32_t>(path);
      ADD_FAILURE() << damage.dataset << " of " << damage.value << " was read";
    } catch (const InputError& error) {
      expect_fragment(error.what(), damage.expected);
    }
  }

  save_graph<std::int32_t>(alone, path, graph);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gopen2(file, "/separated", H5P_DEFAULT), one = H5Screate(H5S_SCALAR);
  EXPECT_GE(H5Adelete(group, "num_vertices"), 0);
  const hid_t id = H5Acreate2(group, "num_vertices", H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_GE(H5Awrite(id, H5T_NATIVE_INT64, &most), 0);
  H5Sclose(one);
  H5Aclose(id);
  H5Gclose(group);
  H5Fclose(file);
  try {
    read_graph<std::int64_t>(path);
    ADD_FAILURE() << most << " vertices were read";
  } catch (const InputError& error) {
    expect_fragment(error.what(), "attribute num_vertices: expected a whole number from 0 to 2147483647");
  }
}

}  // namespace
}  // namespace dromos::test
