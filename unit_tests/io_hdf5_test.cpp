// SPDX-License-Identifier: BSD-3-Clause
// Dromos' HDF5 files: what is written reads back, whatever HDF5 library wrote it is read, and every file that is not
// what it should be is refused with one error that says where. Files that Dromos would never write are made with HDF5
// itself.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <Kokkos_Core.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph_zoo.hpp"
#include "io_files.hpp"
#include "view_tools.hpp"

namespace dromos::test {
namespace {

template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> host_edges(const ZooGraph& zoo, bool weighted) {
  auto edges = copy_to<Kokkos::HostSpace>(zoo.template edge_list<Vertex>());
  if (!weighted) return edges;
  edges.weight = Kokkos::View<float*, Kokkos::HostSpace>("test::weight", zoo.edges.size());
  for (std::size_t e = 0; e < zoo.edges.size(); ++e) edges.weight(e) = 0.25f * static_cast<float>(e % 1000);
  return edges;
}

template <class View>
void expect_equal(const View& found, const View& expected, const std::string& what) {
  ASSERT_EQ(found.extent(0), expected.extent(0)) << what;
  for (std::size_t i = 0; i < found.extent(0); ++i) ASSERT_EQ(found(i), expected(i)) << what << " " << i;
}

template <class Vertex>
class Hdf5RoundTrip : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Hdf5RoundTrip, VertexTypes, );

std::vector<ZooGraph> zoo_with_empty_graph() {
  std::vector<ZooGraph> zoo = graph_zoo();
  zoo.push_back({"empty", 0, {}, true});
  return zoo;
}

TYPED_TEST(Hdf5RoundTrip, EdgeListsComeBackAsTheyWere) {
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5");
  for (const ZooGraph& zoo : zoo_with_empty_graph()) {
    for (const bool weighted : {false, true}) {
      for (const int compression : {0, 4}) {
        const std::string name = zoo.name + (weighted ? " weighted" : "") + " " + std::to_string(compression);
        const auto edges = host_edges<TypeParam>(zoo, weighted);
        WriteOptions write;
        write.compression = compression;
        write_graph(path, GraphFormat::hdf5, edges, VertexNames::consecutive(zoo.num_vertices, 1), zoo.directed, write);
        ASSERT_EQ(folder.num_files(), 1u);
        ReadOptions read;
        read.weights = weighted;
        const auto file = read_graph<TypeParam>(path, read);
        EXPECT_EQ(file.format, GraphFormat::hdf5);
        EXPECT_EQ(file.directed, zoo.directed);
        EXPECT_EQ(file.bytes_read, static_cast<std::int64_t>(std::filesystem::file_size(path)));
        EXPECT_EQ(file.names.first_name(), zoo.num_vertices > 0 ? 1 : file.names.first_name());
        ASSERT_EQ(file.edges.num_vertices, zoo.num_vertices) << name;
        expect_equal(file.edges.source, edges.source, name + " source");
        expect_equal(file.edges.target, edges.target, name + " target");
        expect_equal(file.edges.weight, edges.weight, name + " weight");
      }
    }
  }
}

TYPED_TEST(Hdf5RoundTrip, RowsComeBackAsTheyWere) {
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5");
  for (const ZooGraph& zoo : zoo_with_empty_graph()) {
    for (const bool weighted : {false, true}) {
      for (const int compression : {0, 9}) {
        BuildOptions build;
        build.symmetrize = !zoo.directed;
        const auto graph = copy_to<Kokkos::HostSpace>(
            build_csr(Space(), copy_to<Memory>(host_edges<TypeParam>(zoo, weighted)), build));
        WriteOptions write;
        write.compression = compression;
        write_rows(path, graph, VertexNames(), write);
        ReadOptions read;
        read.rows = true;
        read.weights = weighted;
        const auto file = read_graph<TypeParam>(path, read);
        ASSERT_TRUE(file.rows) << zoo.name;
        EXPECT_EQ(file.rows->graph.directed, zoo.directed);
        EXPECT_TRUE(file.rows->ascending);
        expect_equal(file.rows->graph.row_map, graph.row_map, zoo.name + " row_map");
        expect_equal(file.rows->graph.entries, graph.entries, zoo.name + " entries");
        expect_equal(file.rows->graph.weights, graph.weights, zoo.name + " weights");
        bool loops = false, repeated = false;
        for (std::int64_t u = 0; u < zoo.num_vertices; ++u) {
          for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
            loops |= graph.entries(e) == u;
            repeated |= e > graph.row_map(u) && graph.entries(e) == graph.entries(e - 1);
          }
        }
        EXPECT_EQ(file.rows->has_self_loops, loops) << zoo.name;
        EXPECT_EQ(file.rows->has_repeated, repeated) << zoo.name;

        // And as a list of edges for who asks for that.
        read.rows = false;
        const auto list = read_graph<TypeParam>(path, read);
        ASSERT_FALSE(list.rows);
        EXPECT_EQ(list.listed_both_ways, !zoo.directed);
        ASSERT_EQ(list.edges.num_edges(), graph.num_edges());
        Offset e = 0;
        for (std::int64_t u = 0; u < zoo.num_vertices; ++u) {
          for (; e < graph.row_map(u + 1); ++e) ASSERT_EQ(list.edges.source(e), u) << zoo.name;
        }
        expect_equal(list.edges.target, graph.entries, zoo.name + " target");
      }
    }
  }
}

TEST(Hdf5, NamesComeBack) {
  const TemporaryFolder folder;
  const auto file = read_graph<std::int32_t>(folder.write("graph.txt", "# undirected\n7 12\n12 900\n"));
  write_graph(folder.path("list.h5"), GraphFormat::hdf5, file.edges, file.names, false);
  const auto edges = copy_to<Memory>(file.edges);
  write_rows(folder.path("rows.h5"), copy_to<Kokkos::HostSpace>(build_csr(Space(), edges)), file.names);
  for (const char* name : {"list.h5", "rows.h5"}) {
    const auto again = read_graph<std::int32_t>(folder.path(name));
    EXPECT_EQ(named_edges(again), named_edges(file)) << name;
  }
}

TEST(Hdf5, EitherWidthOfIdsReadsTheOther) {
  const TemporaryFolder folder;
  ZooGraph zoo{"small", 4, {{0, 1}, {3, 2}}, true};
  write_graph(folder.path("64.h5"), GraphFormat::hdf5, host_edges<std::int64_t>(zoo, false), VertexNames(), true);
  write_graph(folder.path("32.h5"), GraphFormat::hdf5, host_edges<std::int32_t>(zoo, false), VertexNames(), true);
  EXPECT_EQ(named_edges(read_graph<std::int32_t>(folder.path("64.h5"))),
            named_edges(read_graph<std::int64_t>(folder.path("32.h5"))));
}

TEST(Hdf5, WhatCannotBeWrittenLeavesNothingBehind) {
  const TemporaryFolder folder;
  const auto edges = host_edges<std::int32_t>(graph_zoo().back(), false);
  WriteOptions options;
  options.compression = 10;
  EXPECT_THROW(write_graph(folder.path("graph.h5"), GraphFormat::hdf5, edges, VertexNames(), true, options),
               ArgumentError);
  EXPECT_THROW(write_graph("/dev/null", GraphFormat::hdf5, edges, VertexNames(), true), ArgumentError);
  EXPECT_THROW(write_graph(folder.path("absent/graph.h5"), GraphFormat::hdf5, edges, VertexNames(), true), Error);
  options.compression = 1;
  EXPECT_THROW(write_graph(folder.path("graph.txt"), GraphFormat::edge_list, edges, VertexNames(), true, options),
               ArgumentError);
  EXPECT_EQ(folder.num_files(), 0u);
}

/// A file made with HDF5 itself. Nothing is checked: what goes wrong, the tests that read it notice.
class RawFile {
 public:
  explicit RawFile(const std::string& path) : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~RawFile() { H5Fclose(file_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  void group(const std::string& name) { H5Gclose(H5Gcreate2(file_, name.c_str(), 0, 0, 0)); }
  void integer(const std::string& object, const std::string& name, std::int64_t value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    write_attribute(object, name, H5T_STD_I64BE, H5T_NATIVE_INT64, space, &value);
  }
  void text(const std::string& object, const std::string& name, const char* value) {  // as h5py writes them
    const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    write_attribute(object, name, type, type, space, &value);
    H5Tclose(type);
  }
  template <class T>
  void dataset(const std::string& name, const std::vector<T>& values, hid_t file_type, hid_t memory_type,
               std::vector<hsize_t> shape = {}, hid_t properties = 0) {
    if (shape.empty()) shape = {values.size()};
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t id = H5Dcreate2(file_, name.c_str(), file_type, space, 0, properties, 0);
    if (!values.empty()) H5Dwrite(id, memory_type, H5S_ALL, H5S_ALL, 0, values.data());
    H5Dclose(id);
    H5Sclose(space);
  }
  void integers(const std::string& name, const std::vector<std::int64_t>& values, hid_t type = H5T_STD_I64LE) {
    dataset(name, values, type, H5T_NATIVE_INT64);
  }
  void remove(const std::string& name) { H5Ldelete(file_, name.c_str(), 0); }
  void remove_attribute(const std::string& object, const std::string& name) {
    H5Adelete_by_name(file_, object.c_str(), name.c_str(), 0);
  }
  hid_t id() const { return file_; }

 private:
  void write_attribute(const std::string& object, const std::string& name, hid_t file_type, hid_t type, hid_t space,
                       const void* value) {
    const hid_t id = H5Acreate_by_name(file_, object.c_str(), name.c_str(), file_type, space, 0, 0, 0);
    H5Awrite(id, type, value);
    H5Aclose(id);
    H5Sclose(space);
  }
  hid_t file_;
};

/// The path 0 - 1 - 2 by rows, and the same as a list, in types that Dromos does not write.
void write_sound_file(RawFile& file) {
  file.text("/", "format", "dromos");
  file.integer("/", "format_version", 1);
  file.group("/csr");
  file.integer("/csr", "directed", 0);
  file.integers("/csr/row_map", {0, 1, 3, 4}, H5T_STD_U32BE);
  file.integers("/csr/entries", {1, 0, 2, 1}, H5T_STD_I64BE);
  file.dataset<double>("/csr/weights", {1, 1, 2, 2}, H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE);
  file.group("/edge_list");
  file.integer("/edge_list", "num_vertices", 3);
  file.integers("/edge_list/source", {0, 1}, H5T_STD_U8LE);
  file.integers("/edge_list/target", {1, 2}, H5T_STD_I16LE);
}

TEST(Hdf5, FilesOfOthersAreReadWhateverTheirTypes) {
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5");
  {
    RawFile file(path);
    write_sound_file(file);
  }
  ReadOptions options;
  options.weights = true;
  options.rows = true;
  const auto rows = read_graph<std::int32_t>(path, options);
  ASSERT_TRUE(rows.rows);
  EXPECT_EQ(to_vector(rows.rows->graph.entries), (std::vector<std::int32_t>{1, 0, 2, 1}));
  EXPECT_EQ(to_vector(rows.rows->graph.weights), (std::vector<float>{1, 1, 2, 2}));
  const auto list = read_graph<std::int32_t>(path);
  EXPECT_EQ(named_edges(list), (std::vector<NamedEdge>{{0, 1, 0}, {1, 2, 0}}));
  EXPECT_EQ(list.directed, std::nullopt);
}

struct BadFile {
  const char* name;
  std::function<void(RawFile&)> spoil;  // the sound file
  std::vector<std::string> fragments;   // of the message
  bool rows = true;
  bool weights = false;
};

void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }

void replace_integers(RawFile& file, const std::string& name, const std::vector<std::int64_t>& values) {
  file.remove(name);
  file.integers(name, values);
}

hid_t chunked(hsize_t chunk) {
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 1, &chunk);
  return properties;
}

const std::vector<BadFile> bad_files = {
    {"AnotherVersion",
     [](RawFile& f) {
       f.remove_attribute("/", "format_version");
       f.integer("/", "format_version", 7);
     },
     {"attribute format_version", "expected 1, found 7", "read it with the Dromos that wrote it"}},
    {"NoVersion",
     [](RawFile& f) { f.remove_attribute("/", "format_version"); },
     {"format_version", "no such attribute"}},
    {"OfAnotherProgram", [](RawFile& f) { f.remove_attribute("/", "format"); }, {"file of Dromos", "'csr, edge_list'"}},
    {"OfAnotherFormat",
     [](RawFile& f) {
       f.remove_attribute("/", "format");
       f.text("/", "format", "gromos");
     },
     {"whose format is 'gromos'"}},
    {"NoGraph",
     [](RawFile& f) {
       f.remove("/csr");
       f.remove("/edge_list");
       f.group("/other");
     },
     {"expected a graph", "/edge_list or /csr", "'other'"}},
    {"NoDirection", [](RawFile& f) { f.remove_attribute("/csr", "directed"); }, {"/csr, attribute directed", "0 to 1"}},
    {"MissingDataset", [](RawFile& f) { f.remove("/csr/entries"); }, {"/csr/entries", "found only 'row_map, weights'"}},
    {"GroupForADataset",
     [](RawFile& f) {
       f.remove("/csr/entries");
       f.group("/csr/entries");
     },
     {"/csr/entries", "not a dataset"}},
    {"NumbersOfTheWrongType",
     [](RawFile& f) {
       f.remove("/csr/entries");
       f.dataset<double>("/csr/entries", {1, 0, 2, 1}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
     },
     {"/csr/entries", "expected integers", "found floating-point numbers"}},
    {"TwoDimensions",
     [](RawFile& f) {
       f.remove("/csr/entries");
       f.dataset<std::int64_t>("/csr/entries", {1, 0, 2, 1}, H5T_STD_I32LE, H5T_NATIVE_INT64, {2, 2});
     },
     {"/csr/entries", "one dimension, found 2"}},
    {"NoOffsets", [](RawFile& f) { replace_integers(f, "/csr/row_map", {}); }, {"/csr/row_map", "found none"}},
    {"FirstOffset",
     [](RawFile& f) {
       replace_integers(f, "/csr/row_map", {1, 1, 3, 4});
     },
     {"/csr/row_map: element 0 is 1", "expected 0"}},
    {"FallingOffsets",
     [](RawFile& f) {
       replace_integers(f, "/csr/row_map", {0, 3, 1, 4});
     },
     {"/csr/row_map: element 2 is 1", "at least the one before, 3"}},
    {"OffsetBeyondTheEntries",
     [](RawFile& f) {
       replace_integers(f, "/csr/row_map", {0, 1, 9, 9});
     },
     {"/csr/row_map: element 2 is 9", "at most 4"}},
    {"LastOffset",
     [](RawFile& f) {
       replace_integers(f, "/csr/row_map", {0, 1, 3, 3});
     },
     {"/csr/row_map: element 3 is 3", "expected 4, the number of elements of /csr/entries"}},
    {"ColumnOutOfRange",
     [](RawFile& f) {
       replace_integers(f, "/csr/entries", {1, 0, 3, 1});
     },
     {"/csr/entries: element 2 is 3", "a vertex from 0 to 2"}},
    {"NegativeColumn",
     [](RawFile& f) {
       replace_integers(f, "/csr/entries", {1, 0, 2, -1});
     },
     {"/csr/entries: element 3 is -1"}},
    {"ColumnBeyondTheIds",
     [](RawFile& f) {
       replace_integers(f, "/csr/entries", {1, 0, std::int64_t(1) << 40, 1});
     },
     {"/csr/entries: element 2 is 2147483647 or more"}},
    {"ArcWithoutItsReverse",
     [](RawFile& f) {
       replace_integers(f, "/csr/entries", {2, 0, 2, 1});
     },
     {"/csr/entries", "every arc in both directions", "directed = 1"}},
    {"ArcsOfVertexZeroWithoutTheirReverse",
     [](RawFile& f) {
       replace_integers(f, "/csr/row_map", {0, 2, 2, 3, 4, 4});
       replace_integers(f, "/csr/entries", {1, 4, 0, 0});
     },
     {"/csr/entries", "every arc in both directions"}},
    {"CycleInOneDirection",  // 0 -> 1 -> 3 -> 0
     [](RawFile& f) {
       f.remove("/csr/weights");
       replace_integers(f, "/csr/row_map", {0, 1, 2, 2, 3});
       replace_integers(f, "/csr/entries", {1, 3, 0});
     },
     {"/csr/entries", "every arc in both directions"}},
    {"WeightsOfOtherEdges",
     [](RawFile& f) {
       replace_integers(f, "/csr/weights", {1, 1});
     },
     {"/csr/weights", "expected 4 elements (one for each edge), found 2"}},
    {"WeightThatIsNoNumber",
     [](RawFile& f) {
       f.remove("/csr/weights");
       f.dataset<double>("/csr/weights", {1, 1, 1e300, 2}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
     },
     {"/csr/weights: element 2 is inf", "finite"},
     true,
     true},
    {"WeightsThatDifferByDirection",
     [](RawFile& f) {
       f.remove("/csr/weights");
       f.dataset<double>("/csr/weights", {1, 1, 2, 3}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
     },
     {"/csr/weights: expected the same weight for both directions"},
     true,
     true},
    {"NamesBeyond63Bits",
     [](RawFile& f) {
       f.dataset<std::uint64_t>("/csr/vertex_name", {1, 2, std::uint64_t(1) << 63}, H5T_STD_U64LE, H5T_NATIVE_UINT64);
     },
     {"/csr/vertex_name: element 2 is 9223372036854775807 or more", "at most 9223372036854775806"},
     true},
    {"MoreTargetsThanSources",
     [](RawFile& f) {
       replace_integers(f, "/edge_list/target", {1, 2, 0});
     },
     {"/edge_list/target", "expected 2 elements", "found 3"},
     false},
    {"NoNumberOfVertices",
     [](RawFile& f) { f.remove_attribute("/edge_list", "num_vertices"); },
     {"/edge_list, attribute num_vertices", "no such attribute"},
     false},
    {"NumberOfVerticesAsText",
     [](RawFile& f) {
       f.remove_attribute("/edge_list", "num_vertices");
       f.text("/edge_list", "num_vertices", "3");
     },
     {"/edge_list, attribute num_vertices", "one whole number"},
     false},
    {"SourceOutOfRange",
     [](RawFile& f) {
       replace_integers(f, "/edge_list/source", {0, 3});
     },
     {"/edge_list/source: element 1 is 3"},
     false},
    {"MoreVerticesThanIds",
     [](RawFile& f) {
       f.remove_attribute("/edge_list", "num_vertices");
       f.integer("/edge_list", "num_vertices", std::int64_t(1) << 40);
     },
     {"1099511627776 vertices", "--ids 64"},
     false},
    {"MoreElementsThanAreStored",
     [](RawFile& f) {
       f.remove("/csr/row_map");
       const hid_t properties = chunked(1 << 20);
       f.dataset<std::int64_t>("/csr/row_map", {}, H5T_STD_I64LE, H5T_NATIVE_INT64, {hsize_t(1) << 32}, properties);
       H5Pclose(properties);
     },
     {"/csr/row_map", "declares 4294967296 elements", "has 0 bytes"}},
    {"NamesThatRepeat",
     [](RawFile& f) {
       f.integers("/csr/vertex_name", {5, 9, 9});
     },
     {"/csr/vertex_name: element 2 is 9", "more than the one before, 9"}},
    {"NamesForOtherVertices",
     [](RawFile& f) {
       f.integers("/csr/vertex_name", {5, 9});
     },
     {"/csr/vertex_name", "expected 3 elements", "found 2"}},
};

std::string message_of(const std::string& path, const ReadOptions& options) {
  try {
    read_graph<std::int32_t>(path, options);
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path);
    return error.what();
  }
  return "no InputError";
}

void expect_fragments(const std::string& message, const std::vector<std::string>& fragments) {
  for (const std::string& fragment : fragments) {
    EXPECT_NE(message.find(fragment), std::string::npos) << "'" << fragment << "' is not in: " << message;
  }
}

class BadHdf5 : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadHdf5, IsRefused) {
  const BadFile& bad = GetParam();
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5");
  {
    RawFile file(path);
    write_sound_file(file);
    bad.spoil(file);
  }
  ReadOptions options;
  options.rows = bad.rows;
  options.weights = bad.weights;
  ::testing::internal::CaptureStderr();
  expect_fragments(message_of(path, options), bad.fragments);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");                       // HDF5 prints nothing of its own
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), 0);  // and nothing stays open
}

INSTANTIATE_TEST_SUITE_P(Files, BadHdf5, ::testing::ValuesIn(bad_files),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Hdf5, FilesCutShortAnywhereAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5");
  const auto edges = host_edges<std::int32_t>(graph_zoo().back(), true);
  write_graph(path, GraphFormat::hdf5, edges, VertexNames(), true);
  const std::string bytes = bytes_of(path);
  for (std::size_t size = 4; size < bytes.size(); size += 389) {
    const std::string cut = folder.write("cut.h5", bytes.substr(0, size));
    const std::string message = message_of(cut, {});
    EXPECT_NE(message.find("HDF5 cannot open it"), std::string::npos) << size << ": " << message;
    EXPECT_NE(message.find("cut short"), std::string::npos) << size;
  }
}

TEST(Hdf5, DamagedBytesNeverCrash) {
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5");
  const ZooGraph zoo{"small", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, true};
  write_graph(path, GraphFormat::hdf5, host_edges<std::int32_t>(zoo, true), VertexNames(), true);
  const std::string bytes = bytes_of(path);
  std::size_t num_refused = 0;
  std::size_t num_tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 11, ++num_tried) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    try {
      ReadOptions options;
      options.format = GraphFormat::hdf5;
      options.weights = true;
      read_graph<std::int32_t>(folder.write("damaged.h5", damaged), options);
    } catch (const InputError&) {
      ++num_refused;
    }
  }
  // What HDF5 keeps for itself is under checksums; elements and unused bytes are not.
  EXPECT_GT(num_refused, num_tried / 8);
}

/// Damaged files in the oldest format, which has no checksums: HDF5 1.10.8 takes all memory, crashes or goes round for
/// ever where it opens them.
TEST(Hdf5, WhatLeadsHdf5RoundInCirclesIsRefused) {
  const std::pair<const char*, std::vector<std::string>> files[] = {
      {"attribute_of_more_than_its_message.h5",
       {"the attribute at byte 904 of 56 bytes", "type and shape are of 25904"}},
      {"free_places_that_return_to_themselves.h5",
       {"the local heap at byte 680", "free places that returns to itself"}},
      {"header_chunk_in_itself.h5", {"the object header at byte 96", "a chunk at byte 104 that overlaps"}},
      {"message_in_a_heap_that_is_not_there.h5", {"the attribute at byte 880", "has 0 bytes for its value"}},
      {"object_header_of_900_MB.h5", {"the object header at byte 96", "a chunk of 939533768 bytes", "beyond the end"}},
      {"objects_of_no_bytes_without_end.h5", {"the global heap at byte 2048", "an object of 0 bytes", "4080 are left"}},
      {"text_of_700_MB.h5", {"the global heap at byte", "has 0 bytes of a text of 7"}},
      {"tree_node_that_is_its_own_child.h5", {"/graph: the tree node at byte 1368 is of level 5", "leads to level 4"}},
      {"type_that_is_its_own.h5", {"/edge_list/source: the type at byte 960", "has one itself"}},
  };
  for (const auto& [name, fragments] : files) {
    const std::string message = message_of(std::string(DROMOS_READER_CASES_DIR) + "/hdf5/" + name, {});
    expect_fragments(message, fragments);
    expect_fragments(message, {"write"});  // what to do
  }
}

TEST(Hdf5, TextsTypesAndLinksOfTheOldestFormatAreRead) {
  const auto file = read_graph<std::int32_t>(DROMOS_READER_CASES_DIR "/hdf5/texts_and_types_of_the_oldest_format.h5");
  EXPECT_EQ(named_edges(file), (std::vector<NamedEdge>{{0, 1, 0}, {1, 2, 0}, {2, 3, 0}}));
}

TEST(Hdf5, MessagesOfMoreThanTheirBytesOrElsewhereAreRefused) {
  const std::string bytes = bytes_of(DROMOS_READER_CASES_DIR "/hdf5/texts_and_types_of_the_oldest_format.h5");
  const TemporaryFolder folder;
  // Of the attribute format_version, whose message begins at byte 904: how long its name is, the bytes of its type, the
  // dimensions of its shape. And where the type of a dataset is.
  const std::tuple<std::size_t, int, const char*> damages[] = {
      {907, 1, "the attribute at byte 904 of 56 bytes says that its name, type and shape are of 304"},
      {933, 1, "the attribute at byte 904 has 8 bytes for its value, less than its type and shape"},
      {945, 200, "the shape at byte 944 of 8 bytes says that it has 200 dimensions"},
      {6353, 1, "the message at byte 6352 is in a heap of shared messages, which the file does not have"}};
  for (const auto& [at, value, fragment] : damages) {
    std::string changed = bytes;
    changed.at(at) = static_cast<char>(value);
    expect_fragments(message_of(folder.write("damaged.h5", changed), {}), {"damaged.h5: ", fragment, "write"});
  }
}

TEST(Hdf5, AddressesAndLengthsOfNoBytesAreRefused) {
  const std::string bytes = bytes_of(DROMOS_READER_CASES_DIR "/hdf5/rows_of_the_oldest_format.h5");
  const TemporaryFolder folder;
  for (const std::size_t place :
       {std::size_t(13), std::size_t(14)}) {  // of the oldest superblock: each of the two sizes
    std::string changed = bytes;
    ASSERT_EQ(changed.at(place), 8);
    changed[place] = 0;
    expect_fragments(message_of(folder.write("changed.h5", changed), {}),
                     {"the superblock at byte 0", place == 13 ? "addresses of 0" : "lengths of 0", "1 to 8"});
  }
}

TEST(Hdf5, LinksAreFollowedWithinTheFileOnly) {
  const TemporaryFolder folder;
  const std::string path = folder.path("graph.h5"), other = folder.path("other.h5");
  {
    RawFile file(path), elsewhere(other);
    write_sound_file(file);
    write_sound_file(elsewhere);
    H5Lmove(file.id(), "/edge_list/source", file.id(), "/from", 0, 0);
    H5Lmove(file.id(), "/edge_list", file.id(), "/list", 0, 0);
    H5Lcreate_soft("list", file.id(), "/edge_list", 0, 0);
    H5Lcreate_soft("/from", file.id(), "/list/source", 0, 0);
  }
  EXPECT_EQ(named_edges(read_graph<std::int32_t>(path)), (std::vector<NamedEdge>{{0, 1, 0}, {1, 2, 0}}));
  const auto replace_source = [&](const std::function<void(hid_t)>& make_link) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, 0);
    H5Ldelete(file, "/list/source", 0);
    make_link(file);
    H5Fclose(file);
  };
  replace_source([&](hid_t file) { H5Lcreate_soft("/edge_list/source", file, "/list/source", 0, 0); });
  expect_fragments(message_of(path, {}), {"/edge_list/source"});  // which leads to itself
  replace_source([&](hid_t file) { H5Lcreate_soft("/absent", file, "/list/source", 0, 0); });
  expect_fragments(message_of(path, {}), {"/edge_list/source", "expected a dataset of this name"});
  replace_source(
      [&](hid_t file) { H5Lcreate_external(other.c_str(), "/edge_list/source", file, "/list/source", 0, 0); });
  expect_fragments(message_of(path, {}),
                   {"/edge_list/source", "expected it in this file, found a link to another one"});
}

TEST(Hdf5, WhatIsNotHdf5IsRefused) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.format = GraphFormat::hdf5;
  expect_fragments(message_of(folder.write("text.h5", "1 2\n"), options), {"HDF5 cannot open it", "signature"});
  expect_fragments(message_of(folder.path("absent.h5"), options), {"no such file"});
  expect_fragments(message_of(folder.path(""), options), {"found a folder"});
}

}  // namespace
}  // namespace dromos::test
