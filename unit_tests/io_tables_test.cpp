// SPDX-License-Identifier: BSD-3-Clause
// Tables, adjacency lists and binary edges: on small inputs as other programs write them, judged by edges written down
// by hand, and written and read again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

using Edges = std::vector<NamedEdge>;
using HostMemory = Kokkos::HostSpace;

struct TableOptions : ReadOptions {
  TableOptions(std::vector<std::string> c = {}, char s = 0, bool w = false) {
    format = GraphFormat::csv;
    columns = std::move(c);
    separator = s;
    weights = w;
  }
};

template <class Vertex = std::int32_t>
GraphFile<Vertex> read_bytes(const std::string& bytes, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return read_graph<Vertex>(folder.write("graph", bytes), options);
}

GraphFile<std::int32_t> read_bytes_as(GraphFormat format, const std::string& bytes, bool weights = false) {
  ReadOptions options;
  options.format = format;
  options.weights = weights;
  return read_bytes(bytes, options);
}

/// The message has all of these words, and the error is of this line.
void expect_error(const std::string& bytes, const ReadOptions& options, std::int64_t line,
                  const std::vector<std::string>& words) {
  try {
    read_bytes(bytes, options);
    FAIL() << "read: " << bytes;
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line) << error.what();
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
    }
  }
}

// ---- Tables

TEST(Table, IsRecognizedByUsualNames) {
  const Edges expected = {{1, 7, 0.5f}, {7, 30, 2.0f}};
  for (const char* const text : {
           "source,target,weight\n1,7,0.5\n7,30,2\n",
           ",source,target,weight\n0,1,7,0.5\n1,7,30,2\n",   // a data frame with its index
           "weight;Target;SOURCE\r\n0.5;7;1\r\n2;30;7\r\n",  // whatever their order and case
           "\"from\"\t\"to\"\t\"cost\"\n1\t\"7\"\t0.5\n7\t30\t\"2\"\n",
           "u v w\n1  7 0.5\n# a comment\n\n7 30\t2\n",
       }) {
    ReadOptions options;
    options.weights = true;
    const auto file = read_bytes(text, options);
    EXPECT_EQ(file.format, GraphFormat::csv) << text;
    EXPECT_EQ(named_edges(file), expected) << text;
    EXPECT_EQ(file.directed, std::nullopt);
    EXPECT_FALSE(read_bytes(text).edges.weighted());
  }
}

TEST(Table, ColumnsAreNamedOrCounted) {
  const std::string text = "id;who;whom;times\n1;10;20;3\n2;20;40;4\n";
  const Edges expected = {{10, 20, 3}, {20, 40, 4}};
  EXPECT_EQ(named_edges(read_bytes(text, TableOptions({"who", "whom", "times"}, 0, true))), expected);
  EXPECT_EQ(named_edges(read_bytes(text, TableOptions({"2", "3", "4"}, 0, true))), expected)
      << "the first line is names";
  EXPECT_EQ(named_edges(read_bytes("1;10;20;3\n2;20;40;4\n", TableOptions({"2", "3", "4"}, ';', true))), expected);
  EXPECT_EQ(named_edges(read_bytes(text, TableOptions({"whom", "who"}))), (Edges{{20, 10, 0}, {40, 20, 0}}));
  // Two columns of an edge list whose third is no number.
  EXPECT_EQ(named_edges(read_bytes("1 2 {}\n2 3 {'weight': 7}\n", TableOptions({"1", "2"}))),
            (Edges{{1, 2, 0}, {2, 3, 0}}));
  // Without names, the first columns.
  EXPECT_EQ(named_edges(read_bytes("1|2|5\n2|3|6\n", TableOptions({}, 0, true))), (Edges{{1, 2, 5}, {2, 3, 6}}));
}

TEST(Table, QuotesHoldSeparatorsAndQuotes) {
  TableOptions options({"name", "friend"});
  options.words = true;
  const auto file = read_bytes(
      "name,note,friend\nAnn,\"a, b\",\"Bo \"\"X\"\" Li\"\n \"Bo \"\"X\"\" Li\" ,,Cy\nCy,\"\",Ann\n", options);
  EXPECT_EQ(file.words, (std::vector<std::string>{"Ann", "Bo \"X\" Li", "Cy"}));
  EXPECT_EQ(named_edges(file), (Edges{{0, 1, 0}, {1, 2, 0}, {2, 0, 0}}));
  EXPECT_EQ(file.edges.num_vertices, 3);
}

TEST(Table, WordsMayLookLikeNumbersAndNeedNoNames) {
  TableOptions options({"1", "2"}, ' ');
  options.words = true;
  const auto file = read_bytes<std::int64_t>("007 7\n7 x\n", options);
  EXPECT_EQ(file.words, (std::vector<std::string>{"007", "7", "x"}));
  EXPECT_EQ(named_edges(file), (Edges{{0, 1, 0}, {1, 2, 0}}));
}

TEST(Table, ErrorsNameTheLineAndWhatToDo) {
  expect_error("a,b\n1,2\n3,x\n", TableOptions({"a", "b"}), 3, {"target", "'x'", "--names"});
  expect_error("a,b\n1,2\n3,-4\n", TableOptions({"a", "b"}), 3, {"'-4'"});
  expect_error("a,b\n1,2\n3,\n", TableOptions({"a", "b"}), 3, {"target", "''"});
  expect_error("a,b\n1,2\n3\n", TableOptions({"a", "b"}), 3, {"2 columns", "found 1", "--separator"});
  expect_error("a,b\n1,2\n", TableOptions({"a", "c"}), 1, {"'c'", "'a', 'b'"});
  expect_error("a,b,w\n1,2,3\n2,3,\n", TableOptions({"a", "b", "w"}, 0, true), 3, {"weight", "''"});
  expect_error("a,b,w\n1,2,3\n2,3,nan\n", TableOptions({"a", "b", "w"}, 0, true), 3, {"finite", "'nan'"});
  expect_error("a,b\n1,2\n", TableOptions({"a", "b"}, 0, true), 1, {"column of weights"});
  expect_error("a,b\n1,2\n\"1,2\n", TableOptions({"a", "b"}), 3, {"quotes"});
  expect_error("a,b\n1,2\n\"1\"2,3\n", TableOptions({"a", "b"}), 3, {"quotes"});
  expect_error("# nothing\n", TableOptions({"a", "b"}), 0, {"no line"});
  TableOptions negative({"a", "b", "w"}, 0, true);
  negative.non_negative_weights = true;
  expect_error("a,b,w\n1,2,16777217\n", negative, 2, {"24 bits", "'16777217'"});
  expect_error("a,b,w\n1,2,3\n2,3,-1\n", negative, 3, {"0 or more", "'-1'"});
  TableOptions words({"a", "b"});
  words.words = true;
  expect_error("a,b\nx,y\n,y\n", words, 3, {"name of a vertex"});
  // The readers of other formats name the options that would have read it.
  expect_error("who;whom\n1;2\n", {}, 1, {"--columns", "--names"});
  expect_error("1;2\n2;3\n", {}, 1, {"--columns"});
}

TEST(Table, TheFirstFaultIsReportedWhereverTheBordersFall) {
  std::string text = "a,b\n";
  for (int line = 2; line <= 200; ++line) text += line % 50 == 30 ? "1,x\n" : "1,2\n";
  for (const std::int64_t chunk_bytes : {1, 3, 17, 1000}) {
    TableOptions options({"a", "b"});
    options.chunk_bytes = chunk_bytes;
    expect_error(text, options, 30, {"'x'"});
  }
}

// ---- Adjacency lists

TEST(AdjacencyList, ListsNeighborsAndVerticesAlone) {
  const std::string text = "#a comment\n10 20 30\n20 30\n\n7\n30\n900,10, 20\n";
  const auto file = read_bytes_as(GraphFormat::adjacency_list, text);
  EXPECT_EQ(named_edges(file), (Edges{{10, 20, 0}, {10, 30, 0}, {20, 30, 0}, {900, 10, 0}, {900, 20, 0}}));
  EXPECT_EQ(file.edges.num_vertices, 5);
  EXPECT_EQ(file.names.find(7), 0) << "alone, and there";
  EXPECT_EQ(file.directed, std::nullopt);
  for (std::int64_t chunk_bytes = 1; chunk_bytes < 20; ++chunk_bytes) {
    ReadOptions options;
    options.format = GraphFormat::adjacency_list;
    options.chunk_bytes = chunk_bytes;
    const auto pieces = read_bytes<std::int64_t>(text, options);
    EXPECT_EQ(named_edges(pieces), named_edges(file)) << chunk_bytes;
    EXPECT_EQ(pieces.edges.num_vertices, 5) << chunk_bytes;
  }
  ReadOptions options;
  options.format = GraphFormat::adjacency_list;
  expect_error("1 2\n3 4 x\n", options, 2, {"'x'"});
  expect_error("1 2\nx\n", options, 2, {"'x'"});
  options.weights = true;
  expect_error("1 2\n", options, 0, {"weights"});
}

// ---- Binary edges

template <class T>
std::string bytes_of_numbers(const std::vector<T>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string gapbs(bool directed, std::int64_t m, std::int64_t n, const std::vector<std::int64_t>& offsets,
                  const std::vector<std::int32_t>& neighbors) {
  return std::string(1, directed ? '\1' : '\0') + bytes_of_numbers<std::int64_t>({m, n}) + bytes_of_numbers(offsets) +
         bytes_of_numbers(neighbors);
}

TEST(Gapbs, IsRecognizedBySizeAndRead) {
  const auto undirected = read_bytes(gapbs(false, 4, 4, {0, 1, 3, 4, 4}, {1, 0, 2, 1}));
  EXPECT_EQ(undirected.format, GraphFormat::gapbs);
  EXPECT_EQ(undirected.directed, false);
  EXPECT_TRUE(undirected.listed_both_ways);
  EXPECT_EQ(undirected.edges.num_vertices, 4);
  EXPECT_EQ(named_edges(undirected), (Edges{{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 1, 0}}));

  // 0 -> 1 of weight 7, 2 -> 1 of weight -8; then the reversed graph.
  const std::string weighted = gapbs(true, 2, 3, {0, 1, 1, 2}, {1, 7, 1, -8}) +
                               bytes_of_numbers<std::int64_t>({0, 0, 2, 2}) +
                               bytes_of_numbers<std::int32_t>({0, 7, 2, -8});
  ReadOptions options;
  options.weights = true;
  const auto directed = read_bytes<std::int64_t>(weighted, options);
  EXPECT_EQ(directed.directed, true);
  EXPECT_EQ(named_edges(directed), (Edges{{0, 1, 7}, {2, 1, -8}}));
  EXPECT_FALSE(read_bytes(weighted).edges.weighted());
  options.non_negative_weights = true;
  expect_error(weighted, options, 0, {"0 or more", "vertex 2"});
}

TEST(Gapbs, RefusesWhatIsDamaged) {
  ReadOptions options;
  options.format = GraphFormat::gapbs;
  const std::string right = gapbs(false, 2, 2, {0, 1, 2}, {1, 0});
  EXPECT_EQ(read_bytes(right).edges.num_edges(), 2);
  expect_error(right.substr(0, right.size() - 1), options, 0, {"2 vertices and 2 arcs", "49 bytes", "has 48"});
  expect_error(right.substr(0, 9), options, 0, {"header"});
  expect_error("\2" + right.substr(1), options, 0, {"header"});
  expect_error(gapbs(false, 2, 2, {0, 3, 2}, {1, 0}), options, 0, {"offsets", "vertex 0"});
  expect_error(gapbs(false, 2, 2, {0, 1, 1}, {1, 0}), options, 0, {"offsets", "found 1"});
  expect_error(gapbs(false, 2, 2, {0, 1, 2}, {1, 2}), options, 0, {"neighbor of vertex 1", "found 2", "byte 45"});
  expect_error(gapbs(false, 2, 2, {0, 1, 2}, {-1, 0}), options, 0, {"neighbor of vertex 0", "found -1"});
  // Numbers that no file could hold are believed no more than others.
  expect_error(gapbs(false, std::int64_t(1) << 62, 2, {0, 1, 2}, {1, 0}), options, 0, {"header"});
  expect_error(gapbs(false, 2, std::int64_t(1) << 50, {0, 1, 2}, {1, 0}), options, 0, {"49"});
}

TEST(Graph500Edges, ArePackedOrPlain) {
  const std::int64_t large = (std::int64_t(5) << 32) + 6;
  const std::string packed = bytes_of_numbers<std::uint32_t>({7, 9, 0, 6, 7, 5});  // (7, 9), (large, 7)
  const std::string plain = bytes_of_numbers<std::int64_t>({7, 9, large, 7});
  const Edges expected = {{7, 9, 0}, {large, 7, 0}};
  for (const auto& file :
       {read_bytes_as(GraphFormat::graph500, packed), read_bytes_as(GraphFormat::graph500_64, plain)}) {
    EXPECT_EQ(named_edges(file), expected);
    EXPECT_EQ(file.edges.num_vertices, 3);
    EXPECT_EQ(file.directed, false);
  }
  ReadOptions options;
  options.format = GraphFormat::graph500;
  expect_error(packed.substr(1), options, 0, {"12 bytes", "23 bytes", "graph500-64"});
  expect_error(bytes_of_numbers<std::uint32_t>({7, 9, 0xFFFFFFFFu}), options, 0, {"negative", "edge 0"});
  options.format = GraphFormat::graph500_64;
  expect_error(bytes_of_numbers<std::int64_t>({7, 9, 1, -1}), options, 0, {"byte 16", "negative", "edge 1"});
  options.weights = true;
  expect_error(plain, options, 0, {"weights"});
  expect_error(plain, {}, 1, {"binary data", "--format", "graph500"});
}

// ---- Written and read again

Edges some_edges(bool distinct_undirected) {
  std::mt19937 random(5);
  Edges edges;
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  while (edges.size() < 120) {
    const std::int64_t u = random() % 30, v = random() % 30;
    if (distinct_undirected && !seen.insert(std::minmax(u, v)).second) continue;
    edges.emplace_back(u, v, static_cast<float>(random() % 100));
  }
  return edges;
}

template <class Vertex>
EdgeList<Vertex, HostMemory> list_of(const Edges& edges, bool weighted) {
  EdgeList<Vertex, HostMemory> list(30, static_cast<Offset>(edges.size()));
  if (weighted) list.weight = Kokkos::View<float*, HostMemory>("weight", edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    list.source(e) = static_cast<Vertex>(std::get<0>(edges[e]));
    list.target(e) = static_cast<Vertex>(std::get<1>(edges[e]));
    if (weighted) list.weight(e) = std::get<2>(edges[e]);
  }
  return list;
}

/// By source, then target; weights as they are, or none.
Edges sorted(Edges edges, bool weighted) {
  if (!weighted) {
    for (auto& edge : edges) std::get<2>(edge) = 0;
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

template <class Vertex>
class OtherFormats : public testing::Test {};
using VertexTypes = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(OtherFormats, VertexTypes, );

TYPED_TEST(OtherFormats, RoundTrip) {
  const TemporaryFolder folder;
  std::vector<std::int64_t> called;
  for (std::int64_t v = 0; v < 30; ++v) called.push_back(v * v + 5);
  const VertexNames names = VertexNames::table(called);
  struct Case {
    GraphFormat format;
    const char* name;
    bool directed, weighted, keeps_names;
  };
  for (const Case& each : {Case{GraphFormat::csv, "g.csv", true, false, true},
                           {GraphFormat::csv, "g.csv", true, true, true},
                           {GraphFormat::adjacency_list, "g.adjlist", true, false, true},
                           {GraphFormat::adjacency_list, "g.adjlist", false, false, true},
                           {GraphFormat::gapbs, "g.sg", true, false, false},
                           {GraphFormat::gapbs, "g.wsg", true, true, false},
                           {GraphFormat::gapbs, "g.sg", false, false, false},
                           {GraphFormat::gapbs, "g.wsg", false, true, false},
                           {GraphFormat::graph500, "g.bin", false, false, true},
                           {GraphFormat::graph500_64, "g.bin", false, false, true}}) {
    for (const char* const compression : {"", ".gz"}) {
      if (*compression != 0 && each.format == GraphFormat::gapbs && each.weighted) continue;  // .wsg.gz is no such name
      SCOPED_TRACE(format_name(each.format) + (each.directed ? " directed" : "") + (each.weighted ? " weighted" : ""));
      const Edges edges = some_edges(!each.directed);
      const std::string path = folder.path(each.name + std::string(compression));
      write_graph<TypeParam>(path, each.format, list_of<TypeParam>(edges, each.weighted), names, each.directed);
      ReadOptions options;
      options.weights = each.weighted;
      const bool recognized = each.format == GraphFormat::csv || each.format == GraphFormat::gapbs;
      if (!recognized) options.format = each.format;
      const auto file = read_graph<TypeParam>(path, options);
      EXPECT_EQ(file.format, each.format);
      if (each.format != GraphFormat::csv) {
        EXPECT_EQ(file.directed, each.directed);
      }
      Edges expected;
      for (const auto& [u, v, w] : edges) {
        const auto name = [&](std::int64_t vertex) { return each.keeps_names ? names.name(vertex) : vertex; };
        expected.emplace_back(name(u), name(v), w);
        if (file.listed_both_ways && u != v) expected.emplace_back(name(v), name(u), w);
      }
      EXPECT_EQ(sorted(named_edges(file), each.weighted), sorted(expected, each.weighted));
      EXPECT_EQ(file.edges.num_vertices, 30);
    }
  }
}

TYPED_TEST(OtherFormats, RefuseWhatTheyCannotHold) {
  const TemporaryFolder folder;
  const auto refusal = [&](GraphFormat format, const std::string& name, bool weighted, bool directed, float weight = 1,
                           const VertexNames& names = VertexNames()) -> std::string {
    auto edges = list_of<TypeParam>({{0, 1, weight}}, weighted);
    try {
      write_graph<TypeParam>(folder.path(name), format, edges, names, directed);
    } catch (const ArgumentError& error) {
      EXPECT_EQ(folder.num_files(), 0u) << "nothing half-written";
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(GraphFormat::adjacency_list, "g", true, false).find("no weights"), std::string::npos);
  EXPECT_NE(refusal(GraphFormat::graph500, "g", true, false).find("no weights"), std::string::npos);
  EXPECT_NE(refusal(GraphFormat::graph500_64, "g", false, true).find("directed"), std::string::npos);
  EXPECT_NE(refusal(GraphFormat::gapbs, "g.sg", true, false).find(".wsg"), std::string::npos);
  EXPECT_NE(refusal(GraphFormat::gapbs, "g.wsg", false, false).find("ends in .sg"), std::string::npos);
  EXPECT_NE(refusal(GraphFormat::gapbs, "g.wsg", true, false, 0.5f).find("whole weights"), std::string::npos);
  EXPECT_NE(refusal(GraphFormat::gapbs, "g.wsg", true, false, 3e9f).find("whole weights"), std::string::npos);
  const VertexNames large = VertexNames::consecutive(30, (std::int64_t(1) << 47) - 1);
  EXPECT_NE(refusal(GraphFormat::graph500, "g", false, false, 1, large).find("graph500-64"), std::string::npos);
}

// ---- Compression

TEST(Compression, EveryKindIsWrittenAndReadAndMissedWhenCut) {
  const TemporaryFolder folder;
  const auto edges = list_of<std::int32_t>(some_edges(false), true);
  write_graph(folder.path("g.txt"), GraphFormat::edge_list, edges, VertexNames(), true);
  const std::string text = bytes_of(folder.path("g.txt"));
  for (const char* const end : {".gz", ".xz", ".bz2", ".zst"}) {
    SCOPED_TRACE(end);
    const std::string path = folder.path(std::string("g.txt") + end);
    try {
      write_graph(path, GraphFormat::edge_list, edges, VertexNames(), true);
    } catch (const ArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find("does not compress"), std::string::npos);
      continue;  // Boost.Iostreams was built without it
    }
    const std::string bytes = bytes_of(path);
    EXPECT_NE(bytes, text);
    const auto file = read_graph<std::int32_t>(path);
    EXPECT_EQ(file.bytes_read, static_cast<std::int64_t>(text.size()));
    EXPECT_EQ(named_edges(read_graph<std::int32_t>(folder.write("renamed", bytes))), named_edges(file));
    for (const std::size_t size : {bytes.size() / 4, bytes.size() / 2, bytes.size() - 5, bytes.size() - 1}) {
      try {
        read_bytes(bytes.substr(0, size));
        ADD_FAILURE() << "read " << size << " of " << bytes.size() << " bytes";
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("cut off"), std::string::npos) << error.what();
      }
    }
    EXPECT_EQ(read_bytes("# a\n7 8\n").edges.num_edges(), 1);
    ASSERT_EQ(read_bytes(bytes + bytes).edges.num_edges(), 240) << "several parts in a row";
  }
}

}  // namespace
}  // namespace dromos::test
