// SPDX-License-Identifier: BSD-3-Clause
// Every format on small inputs written here, judged by edges written down by hand; and the cutting of the text into
// pieces, judged by a reader of one line at a time.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

using Edges = std::vector<NamedEdge>;

template <class Vertex = std::int32_t>
GraphFile<Vertex> read_text(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return read_graph<Vertex>(folder.write("graph", text), options);
}

GraphFile<std::int32_t> read_as(GraphFormat format, const std::string& text) {
  ReadOptions options;
  options.format = format;
  return read_text(text, options);
}

GraphFile<std::int32_t> read_weighted(const std::string& text) {
  ReadOptions options;
  options.weights = true;
  return read_text(text, options);
}

// ---- Edge lists

TEST(EdgeListFormat, SnapHeaderTabsAndCarriageReturns) {
  const std::string text =
      "# Directed graph (each unordered pair of nodes is saved once): x.txt \r\n"
      "# Nodes: 3 Edges: 3\r\n# FromNodeId\tToNodeId\r\n0\t4\r\n4\t9\r\n9\t0\r\n";
  const auto file = read_text(text);
  EXPECT_EQ(file.format, GraphFormat::edge_list);
  EXPECT_EQ(file.edges.num_vertices, 3);
  EXPECT_EQ(named_edges(file), (Edges{{0, 4, 0}, {4, 9, 0}, {9, 0, 0}}));
  EXPECT_EQ(file.directed, true);
  EXPECT_FALSE(file.names.is_affine());
  EXPECT_EQ(file.names.find(9), 2);
  EXPECT_EQ(file.bytes_read, static_cast<std::int64_t>(text.size()));
  EXPECT_FALSE(file.edges.weighted());
}

TEST(EdgeListFormat, WhatCommentsSayOfDirection) {
  const auto directed = [](const std::string& comments) { return read_text(comments + "1 2\n").directed; };
  EXPECT_EQ(directed(""), std::nullopt);
  EXPECT_EQ(directed("# some graph\n"), std::nullopt);
  EXPECT_EQ(directed("# Undirected graph: ../data/youtube.txt\n"), false);
  EXPECT_EQ(directed("# Directed graph\n# made from an undirected one\n"), true);
  EXPECT_EQ(directed("# email: undirected, each edge once\n"), false);
  EXPECT_EQ(directed("# the directed form of an undirected graph\n"), std::nullopt);
  EXPECT_EQ(directed("# a redirected, misdirected list\n"), std::nullopt);
  EXPECT_EQ(directed("% sym unweighted\n"), false);
  EXPECT_EQ(directed("% asym positive\n"), true);
}

TEST(EdgeListFormat, Separators) {
  const Edges expected = {{1, 2, 0}, {30, 4, 0}, {5, 6, 0}, {7, 8, 0}, {9, 10, 0}, {11, 12, 0}};
  EXPECT_EQ(named_edges(read_text("1 2\n30\t4\n5,6\n 7 , 8 \n9\t \t10\t\n11,\t12")), expected);
}

TEST(EdgeListFormat, CommentsAndEmptyLinesAnywhere) {
  EXPECT_EQ(named_edges(read_text("% a\n\n1 2\n# b 7 7\n   \n  # c\n3 4\n\r\n% d\n5 6\n#")),
            (Edges{{1, 2, 0}, {3, 4, 0}, {5, 6, 0}}));
}

TEST(EdgeListFormat, ByteOrderMarkAndNoLastLineFeed) {
  EXPECT_EQ(named_edges(read_text("\xEF\xBB\xBF"
                                  "1 2\n3 4")),
            (Edges{{1, 2, 0}, {3, 4, 0}}));
}

TEST(EdgeListFormat, SelfLoopsAndRepetitionsAreKept) {
  EXPECT_EQ(named_edges(read_text("1 1\n1 2\n1 2\n2 1\n")), (Edges{{1, 1, 0}, {1, 2, 0}, {1, 2, 0}, {2, 1, 0}}));
}

TEST(EdgeListFormat, Weights) {
  const std::string text = "1 2 0.5\n2 3 -7\n3 1 1e-3\n1,3,+2\n4 1 .25 \r\n4 2 1e-300\n";
  EXPECT_EQ(named_edges(read_weighted(text)),
            (Edges{{1, 2, 0.5f}, {2, 3, -7.0f}, {3, 1, 1e-3f}, {1, 3, 2.0f}, {4, 1, 0.25f}, {4, 2, 0.0f}}));
  EXPECT_FALSE(read_text(text).edges.weighted());
  EXPECT_EQ(read_text(text).edges.num_edges(), 6);
}

TEST(EdgeListFormat, WeightOnSomeLinesOnly) {
  EXPECT_EQ(named_edges(read_text("1 2\n2 3 0.5\n3 1\n")), (Edges{{1, 2, 0}, {2, 3, 0}, {3, 1, 0}}));
}

TEST(EdgeListFormat, KonectHasATimeInColumnFour) {
  EXPECT_EQ(named_edges(read_weighted("% asym posweighted\n1 2 3 1094543453\n2 1 4 1094543454\n")),
            (Edges{{1, 2, 3}, {2, 1, 4}}));
}

TEST(EdgeListFormat, OnlyComments) {
  const auto file = read_text("# Undirected graph\n# Nodes: 0 Edges: 0\n");
  EXPECT_EQ(file.edges.num_vertices, 0);
  EXPECT_EQ(file.edges.num_edges(), 0);
  EXPECT_EQ(file.names.size(), 0);
}

TEST(EdgeListFormat, IdsFromOne) {
  const auto file = read_text("1 3\n2 1\n");
  EXPECT_TRUE(file.names.is_affine());
  EXPECT_EQ(file.names.first_name(), 1);
  EXPECT_EQ(file.edges.source(0), 0);
  EXPECT_EQ(file.edges.target(0), 2);
}

TEST(EdgeListFormat, IdsOfAnySizeInBothVertexTypes) {
  // Beyond 32 bits, at both ends of 63 bits, with leading zeros, and of every number of digits.
  const std::string text =
      "9223372036854775807 0\n2147483648 2147483647\n0000000000000000000000042 4294967296\n"
      "1 12\n123 1234\n12345 123456\n1234567 12345678\n123456789 1234567890\n";
  constexpr std::int64_t largest = 9223372036854775807;
  const Edges expected = {
      {largest, 0, 0}, {2147483648, 2147483647, 0}, {42, 4294967296, 0},    {1, 12, 0},
      {123, 1234, 0},  {12345, 123456, 0},          {1234567, 12345678, 0}, {123456789, 1234567890, 0}};
  EXPECT_EQ(named_edges(read_text<std::int32_t>(text)), expected);
  EXPECT_EQ(named_edges(read_text<std::int64_t>(text)), expected);
  EXPECT_EQ(read_text<std::int32_t>(text).edges.num_vertices, 16);
}

/// Random ids in [first, first + range): vertices must be the ids in use, in order, and the edges the same.
template <class Vertex>
void check_compaction(std::int64_t first, std::int64_t range, int num_edges) {
  std::mt19937_64 random(static_cast<std::uint64_t>(range));
  Edges edges;
  std::set<std::int64_t> ids;
  std::string text;
  for (int e = 0; e < num_edges; ++e) {
    std::int64_t ends[2];
    for (std::int64_t& id : ends) {
      id = first + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range));
      ids.insert(id);
    }
    edges.emplace_back(ends[0], ends[1], 0.0f);
    text += std::to_string(ends[0]) + " " + std::to_string(ends[1]) + "\n";
  }
  const auto file = read_text<Vertex>("# ids\n" + text);
  ASSERT_EQ(file.edges.num_vertices, static_cast<Vertex>(ids.size()));
  ASSERT_EQ(file.names.size(), static_cast<std::int64_t>(ids.size()));
  std::int64_t vertex = 0;
  for (const std::int64_t id : ids) {
    ASSERT_EQ(file.names.name(vertex), id);
    ASSERT_EQ(file.names.find(id), vertex++);
  }
  for (Offset e = 0; e < file.edges.num_edges(); ++e) {
    ASSERT_LT(file.edges.source(e), file.edges.num_vertices);
    ASSERT_LT(file.edges.target(e), file.edges.num_vertices);
  }
  EXPECT_EQ(named_edges(file), edges);
}

TEST(EdgeListFormat, CompactionOfDenseGappyAndSparseIds) {
  for (const std::int64_t range : {std::int64_t(1), std::int64_t(2), std::int64_t(100), std::int64_t(3000),
                                   std::int64_t(64000), std::int64_t(1) << 30, std::int64_t(1) << 62}) {
    for (const std::int64_t first : {std::int64_t(0), std::int64_t(1), std::int64_t(1000000000)}) {
      SCOPED_TRACE(testing::Message() << "first " << first << ", range " << range);
      check_compaction<std::int32_t>(first, range, 2000);
      check_compaction<std::int64_t>(first, range, 2000);
    }
  }
}

TEST(EdgeListFormat, CompactionOfManyPieces) {
  // More than one piece of the sort, and of the loops over edges.
  check_compaction<std::int32_t>(5, std::int64_t(1) << 61, 300000);
  check_compaction<std::int32_t>(5, 1000000, 200000);
}

// ---- Matrix Market

TEST(MatrixMarketFormat, PatternGeneral) {
  const auto file = read_text("%%MatrixMarket matrix coordinate pattern general\n% c\n\n4 4 3\n1 2\n4 1\n2 2\n");
  EXPECT_EQ(file.format, GraphFormat::matrix_market);
  EXPECT_EQ(file.edges.num_vertices, 4);
  EXPECT_EQ(named_edges(file), (Edges{{1, 2, 0}, {4, 1, 0}, {2, 2, 0}}));
  EXPECT_EQ(file.edges.source(0), 0);
  EXPECT_EQ(file.directed, true);
  EXPECT_EQ(file.names.size(), 4);
}

TEST(MatrixMarketFormat, SymmetricListsEachEdgeOnce) {
  const auto file = read_text("%%matrixmarket MATRIX Coordinate REAL Symmetric\n3 3 2\n2 1 0.5\n3 1 -1e2\n");
  EXPECT_EQ(file.directed, false);
  EXPECT_EQ(named_edges(file), (Edges{{2, 1, 0}, {3, 1, 0}}));
}

TEST(MatrixMarketFormat, RealAndIntegerWeights) {
  const std::string lines = "2 2 2\n1 2 3\n2 1 -4\n";
  const Edges expected = {{1, 2, 3}, {2, 1, -4}};
  EXPECT_EQ(named_edges(read_weighted("%%MatrixMarket matrix coordinate integer general\n" + lines)), expected);
  EXPECT_EQ(named_edges(read_weighted("%%MatrixMarket matrix coordinate real general\n" + lines)), expected);
}

TEST(MatrixMarketFormat, PatternHasNoWeights) {
  EXPECT_FALSE(read_weighted("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n").edges.weighted());
}

TEST(MatrixMarketFormat, NoEntries) {
  const auto file = read_text("%%MatrixMarket matrix coordinate pattern general\n5 5 0\n");
  EXPECT_EQ(file.edges.num_vertices, 5);
  EXPECT_EQ(file.edges.num_edges(), 0);
}

// ---- METIS

TEST(MetisFormat, NeighborsOfEachVertex) {
  const auto file = read_text("% c\n4 3\n2 3 \n1\n% c 9 9\n1 4\n3\n");
  EXPECT_EQ(file.format, GraphFormat::metis);
  EXPECT_EQ(file.edges.num_vertices, 4);
  EXPECT_EQ(file.directed, false);
  EXPECT_EQ(named_edges(file), (Edges{{1, 2, 0}, {1, 3, 0}, {2, 1, 0}, {3, 1, 0}, {3, 4, 0}, {4, 3, 0}}));
}

TEST(MetisFormat, EmptyLinesAreIsolatedVertices) {
  const auto file = read_text("5 1\n\n3\n2\n\n\n\n \n");  // and more empty lines at the end are nothing
  EXPECT_EQ(file.format, GraphFormat::metis);
  EXPECT_EQ(file.edges.num_vertices, 5);
  EXPECT_EQ(named_edges(file), (Edges{{2, 3, 0}, {3, 2, 0}}));
}

TEST(MetisFormat, WeightsAndSizes) {
  const Edges plain = {{1, 2, 0}, {2, 1, 0}, {2, 3, 0}, {3, 2, 0}};
  const Edges weighted = {{1, 2, 7}, {2, 1, 7}, {2, 3, 8}, {3, 2, 8}};
  EXPECT_EQ(named_edges(read_text("3 2 0\n2\n1 3\n2\n")), plain);
  EXPECT_EQ(named_edges(read_text("3 2 1\n2 7\n1 7 3 8\n2 8\n")), plain);
  EXPECT_EQ(named_edges(read_weighted("3 2 1\n2 7\n1 7 3 8\n2 8\n")), weighted);
  EXPECT_EQ(named_edges(read_text("3 2 10\n99 2\n99 1 3\n99 2\n")), plain);
  EXPECT_EQ(named_edges(read_text("3 2 010 2\n99 98 2\n99 98 1 3\n99 98 2\n")), plain);
  EXPECT_EQ(named_edges(read_weighted("3 2 11 2\n99 98 2 7\n99 98 1 7 3 8\n99 98 2 8\n")), weighted);
  EXPECT_EQ(named_edges(read_text("3 2 100\n55 2\n55 1 3\n55 2\n")), plain);
  EXPECT_EQ(named_edges(read_weighted("3 2 111 1\n55 99 2 7\n55 99 1 7 3 8\n55 99 2 8\n")), weighted);
}

TEST(MetisFormat, SelfLoopsListedOnceOrTwice) {
  EXPECT_EQ(named_edges(read_as(GraphFormat::metis, "2 2\n1 2\n1\n")), (Edges{{1, 1, 0}, {1, 2, 0}, {2, 1, 0}}));
  EXPECT_EQ(read_as(GraphFormat::metis, "2 2\n1 1 2\n1\n").edges.num_edges(), 4);
}

TEST(MetisFormat, NoEdges) {
  const auto file = read_text("3 0\n\n\n\n");
  EXPECT_EQ(file.format, GraphFormat::metis);
  EXPECT_EQ(file.edges.num_vertices, 3);
  EXPECT_EQ(file.edges.num_edges(), 0);
}

/// As NetworkX writes edges without data=False.
TEST(EdgeListFormat, DictionariesOfAttributesAreNotRead) {
  const std::string text = "1 2 {}\n2 3 {'color': 'red', 'n': 3}\r\n3,4,{'a': {}} \n4 1\n";
  const auto file = read_text(text);
  EXPECT_EQ(file.format, GraphFormat::edge_list);
  EXPECT_EQ(named_edges(file), (Edges{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 1, 0}}));
}

// ---- DIMACS and SMAT

TEST(DimacsFormat, Arcs) {
  const std::string text = "c road\nc\np sp 3 3\nc more\na 1 2 803\na 2 1 803\na  3\t1 2.5\n";
  const auto file = read_text(text);
  EXPECT_EQ(file.format, GraphFormat::dimacs);
  EXPECT_EQ(file.directed, true);
  EXPECT_EQ(named_edges(file), (Edges{{1, 2, 0}, {2, 1, 0}, {3, 1, 0}}));
  EXPECT_EQ(named_edges(read_weighted(text)), (Edges{{1, 2, 803}, {2, 1, 803}, {3, 1, 2.5f}}));
}

TEST(SmatFormat, IdsFromZero) {
  const auto file = read_text("4 4 2\n0 3 1\n2 0 0.5\n");
  EXPECT_EQ(file.format, GraphFormat::smat);
  EXPECT_EQ(file.edges.num_vertices, 4);
  EXPECT_EQ(file.directed, true);
  EXPECT_EQ(file.names.first_name(), 0);
  EXPECT_EQ(named_edges(file), (Edges{{0, 3, 0}, {2, 0, 0}}));
  EXPECT_EQ(named_edges(read_weighted("4 4 2\n0 3 1\n2 0 0.5\n")), (Edges{{0, 3, 1}, {2, 0, 0.5f}}));
}

// ---- Telling them apart

TEST(RecognizeFormat, LinesOfNumbers) {
  const auto format = [](const std::string& text) { return read_text(text).format; };
  EXPECT_EQ(format("0 1\n1 2\n2 0\n"), GraphFormat::edge_list);
  EXPECT_EQ(format("3 4\n1 2\n2 3\n3 1\n"), GraphFormat::edge_list);   // 3 lines, but not 8 words
  EXPECT_EQ(format("5 5 1\n1 2 1\n7 2 1\n"), GraphFormat::edge_list);  // 7 is no id below 5
  EXPECT_EQ(format("1 1 1\n1 2 1\n"), GraphFormat::edge_list);
  EXPECT_EQ(format("7 7 3\n"), GraphFormat::edge_list);
  EXPECT_EQ(format("7 7 0\n"), GraphFormat::smat);
  EXPECT_EQ(format("9 9 2\n1 2 1\n7 2 1\n"), GraphFormat::smat);
  EXPECT_EQ(format("# c\n9 9 2\n1 2 1\n7 2 1\n"), GraphFormat::edge_list);
  EXPECT_EQ(format("4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n"), GraphFormat::metis);  // each line could be an edge
  EXPECT_EQ(format("4 4\n2 4\n1 3\n2 4\n3 1\n"), GraphFormat::metis);          // a cycle
  EXPECT_EQ(format("2 1\n2\n1"), GraphFormat::metis);
  EXPECT_EQ(format("0 1\n\n"), GraphFormat::edge_list);
}

TEST(RecognizeFormat, CanBeOverridden) {
  const std::string text = "9 9 2\n1 2 1\n7 2 1\n";
  EXPECT_EQ(named_edges(read_as(GraphFormat::edge_list, text)), (Edges{{9, 9, 0}, {1, 2, 0}, {7, 2, 0}}));
  EXPECT_EQ(read_as(GraphFormat::smat, text).edges.num_vertices, 9);
  EXPECT_THROW(read_as(GraphFormat::dimacs, text), InputError);
}

// ---- Pieces

/// Reads a well-formed edge list one line at a time.
Edges read_line_by_line(const std::string& text) {
  Edges edges;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::int64_t u, v;
    float w = 0;
    if (line[0] == '#' || !(words >> u >> v)) continue;
    words >> w;
    edges.emplace_back(u, v, w);
  }
  return edges;
}

TEST(TextChunks, BordersAnywhereGiveTheSameEdges) {
  std::mt19937 random(7);
  std::string text = "# pieces\n";
  for (int line = 0; line < 60; ++line) {
    const int kind = static_cast<int>(random() % 8);
    if (kind == 0) text += "# " + std::string(random() % 30, 'x');
    if (kind == 1) text += std::string(random() % 3, ' ');
    if (kind > 1) {
      const std::string separator = kind < 5 ? " " : kind < 6 ? "\t" : ", ";
      text += std::to_string(random() % 5000000000u) + separator + std::to_string(random() % 100) + separator +
              std::to_string(random() % 1000);
    }
    text += random() % 2 == 0 ? "\n" : "\r\n";
  }
  for (const std::string& end : {std::string(), std::string("77 88 99"), std::string("# end"), std::string("\n\n")}) {
    const Edges expected = read_line_by_line(text + end);
    for (const std::int64_t chunk_bytes : {1, 2, 3, 5, 8, 13, 21, 34, 55, 89}) {
      ReadOptions options;
      options.weights = true;
      options.chunk_bytes = chunk_bytes;
      ASSERT_EQ(named_edges(read_text(text + end, options)), expected) << chunk_bytes << " bytes a piece";
    }
  }
}

TEST(TextChunks, BordersAnywhereInMetis) {
  const std::string text = "% c\n6 4 011\n1 2 5 3 6\n% 1 2 3\n2 1 5\n3 1 6 6 7\n4\n5 6 8\n6 3 7 5 8\n\n";
  const Edges expected = {{1, 2, 5}, {1, 3, 6}, {2, 1, 5}, {3, 1, 6}, {3, 6, 7}, {5, 6, 8}, {6, 3, 7}, {6, 5, 8}};
  for (std::int64_t chunk_bytes = 1; chunk_bytes < 20; ++chunk_bytes) {
    ReadOptions options;
    options.weights = true;
    options.chunk_bytes = chunk_bytes;
    ASSERT_EQ(named_edges(read_text(text, options)), expected) << chunk_bytes << " bytes a piece";
  }
}

TEST(TextChunks, TheFirstFaultIsReportedWhereverTheBordersFall) {
  std::string text;
  for (int line = 1; line <= 200; ++line) text += line % 50 == 30 ? "1 x\n" : "1 2\n";
  for (const std::int64_t chunk_bytes : {1, 2, 3, 5, 17, 64, 1000}) {
    ReadOptions options;
    options.chunk_bytes = chunk_bytes;
    try {
      read_text(text, options);
      FAIL() << "expected InputError";
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 30);
    }
  }
}

// ---- Compression and pipes

TEST(Compression, ExamplesOfTheOrdinaryPrograms) {
  const std::string inputs = DROMOS_INPUTS_DIR;
  const auto plain = read_graph<std::int32_t>(inputs + "/example.txt");
  EXPECT_EQ(named_edges(plain), (Edges{{10, 20, 0}, {10, 30, 0}, {20, 30, 0}, {30, 40, 0}, {50, 1000, 0}}));
  for (const char* name : {"/example.txt.gz", "/example.txt.xz"}) {
    const auto file = read_graph<std::int32_t>(inputs + name);
    EXPECT_EQ(named_edges(file), named_edges(plain)) << name;
    EXPECT_EQ(file.bytes_read, plain.bytes_read) << name;
    EXPECT_EQ(file.directed, false);
  }
}

TEST(Compression, IsToldByContentAndConcatenationsAreReadWhole) {
  const TemporaryFolder folder;
  for (const char* name : {"/example.txt.gz", "/example.txt.xz"}) {
    const std::string bytes = bytes_of(std::string(DROMOS_INPUTS_DIR) + name);
    EXPECT_EQ(read_graph<std::int32_t>(folder.write("renamed", bytes)).edges.num_edges(), 5);
    EXPECT_EQ(read_graph<std::int32_t>(folder.write("twice", bytes + bytes)).edges.num_edges(), 10) << name;
  }
}

TEST(Pipe, IsReadToItsEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string text;
  for (int e = 0; e < 300000; ++e)
    text += std::to_string(e) + " " + std::to_string(e + 1) + "\n";  // more than a buffer
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
  const auto file = read_graph<std::int32_t>(path);
  writer.join();
  EXPECT_EQ(file.edges.num_vertices, 300001);
  EXPECT_EQ(file.edges.num_edges(), 300000);
  EXPECT_EQ(file.bytes_read, static_cast<std::int64_t>(text.size()));
}

TEST(Examples, TheSameGraphInEveryFormat) {
  const std::string inputs = DROMOS_INPUTS_DIR;
  // As undirected edges of vertices 0 .. 6; edge lists have no vertex 6, which has no edge.
  const std::set<std::pair<int, int>> expected = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {4, 5}};
  for (const char* name : {"example.mtx", "example.graph", "example.gr", "example.smat", "example.txt", "example.csv",
                           "example.graphml"}) {
    const auto file = read_graph<std::int32_t>(inputs + "/" + name);
    std::set<std::pair<int, int>> edges;
    for (Offset e = 0; e < file.edges.num_edges(); ++e) {
      edges.insert(std::minmax({file.edges.source(e), file.edges.target(e)}));
    }
    EXPECT_EQ(edges, expected) << name;
    EXPECT_EQ(file.edges.num_vertices, file.format == GraphFormat::edge_list ? 6 : 7) << name;
  }
}

}  // namespace
}  // namespace dromos::test
