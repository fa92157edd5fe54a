// SPDX-License-Identifier: BSD-3-Clause
// What is written must read back as the same graph; and files appear whole or not at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

using HostMemory = Kokkos::HostSpace;
using Edges = std::vector<NamedEdge>;

const std::vector<GraphFormat> all_formats = {GraphFormat::matrix_market, GraphFormat::edge_list, GraphFormat::metis,
                                              GraphFormat::dimacs, GraphFormat::smat};

template <class Vertex>
EdgeList<Vertex, HostMemory> make_edges(Vertex num_vertices, const Edges& edges, bool weighted) {
  EdgeList<Vertex, HostMemory> list(num_vertices, static_cast<Offset>(edges.size()));
  if (weighted) list.weight = Kokkos::View<float*, HostMemory>("weight", edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    list.source(e) = static_cast<Vertex>(std::get<0>(edges[e]));
    list.target(e) = static_cast<Vertex>(std::get<1>(edges[e]));
    if (weighted) list.weight(e) = std::get<2>(edges[e]);
  }
  return list;
}

/// With self loops, repetitions, both directions of some edges, and vertices without edges; every endpoint occurs.
Edges random_edges(int num_vertices, int num_edges, unsigned seed) {
  std::mt19937 random(seed);
  Edges edges;
  for (int e = 0; e < num_edges; ++e) {
    edges.emplace_back(random() % static_cast<unsigned>(num_vertices), random() % static_cast<unsigned>(num_vertices),
                       static_cast<float>(1 + random() % 1000));
  }
  return edges;
}

/// Undirected edges, each once, with the weight listed first.
std::map<std::pair<std::int64_t, std::int64_t>, float> as_set(const Edges& edges) {
  std::map<std::pair<std::int64_t, std::int64_t>, float> set;
  for (const auto& [u, v, w] : edges) set.emplace(std::minmax({u, v}), w);
  return set;
}

/// The edges with vertices as names, whatever the file calls them.
template <class Vertex>
Edges vertex_edges(const GraphFile<Vertex>& file) {
  Edges edges;
  for (Offset e = 0; e < file.edges.num_edges(); ++e) {
    edges.emplace_back(file.edges.source(e), file.edges.target(e), file.edges.weighted() ? file.edges.weight(e) : 0.0f);
  }
  return edges;
}

Edges without_weights(Edges edges) {
  for (auto& edge : edges) std::get<2>(edge) = 0;
  return edges;
}

template <class Vertex>
class RoundTrip : public testing::Test {};
using VertexTypes = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(RoundTrip, VertexTypes, );

TYPED_TEST(RoundTrip, DirectedEdgesStayAsListed) {
  const TemporaryFolder folder;
  for (const GraphFormat format : all_formats) {
    if (format == GraphFormat::metis) continue;
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(format_name(format) + (weighted ? " weighted" : ""));
      const Edges edges = random_edges(20, 200, 3);
      const std::string path = folder.path("graph");
      write_graph<TypeParam>(path, format, make_edges<TypeParam>(20, edges, weighted), VertexNames(), true);
      ReadOptions options;
      options.weights = weighted;
      const auto file = read_graph<TypeParam>(path, options);
      EXPECT_EQ(file.format, format);
      EXPECT_EQ(file.directed, true);
      EXPECT_EQ(file.edges.num_vertices, 20);
      EXPECT_EQ(vertex_edges(file), weighted ? edges : without_weights(edges));
      EXPECT_EQ(folder.num_files(), 1u) << "nothing but the file itself";
    }
  }
}

TYPED_TEST(RoundTrip, UndirectedEdgesStayTheSameSet) {
  const TemporaryFolder folder;
  for (const GraphFormat format : all_formats) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(format_name(format) + (weighted ? " weighted" : ""));
      const Edges edges = random_edges(30, 100, 4);
      const std::string path = folder.path("graph");
      write_graph<TypeParam>(path, format, make_edges<TypeParam>(30, edges, weighted), VertexNames(), false);
      ReadOptions options;
      options.weights = weighted;
      const auto file = read_graph<TypeParam>(path, options);
      EXPECT_EQ(file.format, format);
      const bool arcs = format == GraphFormat::dimacs || format == GraphFormat::smat;
      EXPECT_EQ(file.directed, arcs);
      EXPECT_EQ(file.edges.num_vertices, 30);
      EXPECT_EQ(as_set(vertex_edges(file)), as_set(weighted ? edges : without_weights(edges)));
      if (format == GraphFormat::edge_list) continue;
      // Each edge once, or in both directions, as the format has it.
      std::size_t expected = 0;
      for (const auto& [ends, weight] : as_set(edges)) {
        expected += format == GraphFormat::matrix_market || ends.first == ends.second ? 1 : 2;
      }
      EXPECT_EQ(static_cast<std::size_t>(file.edges.num_edges()), expected);
    }
  }
}

TYPED_TEST(RoundTrip, VerticesWithoutEdgesStay) {
  const TemporaryFolder folder;
  for (const GraphFormat format : all_formats) {
    if (format == GraphFormat::edge_list) continue;  // has no place for them
    for (const Edges& edges : {Edges{{1, 3, 1}}, Edges{}}) {
      const std::string path = folder.path("graph");
      write_graph<TypeParam>(path, format, make_edges<TypeParam>(5, edges, false), VertexNames(), false);
      ReadOptions options;
      options.format = format;
      EXPECT_EQ(read_graph<TypeParam>(path, options).edges.num_vertices, 5) << format_name(format);
    }
  }
}

TYPED_TEST(RoundTrip, NoVertices) {
  const TemporaryFolder folder;
  for (const GraphFormat format : all_formats) {
    write_graph<TypeParam>(folder.path("graph"), format, make_edges<TypeParam>(0, {}, false), VertexNames(), false);
    ReadOptions options;
    options.format = format;
    const auto file = read_graph<TypeParam>(folder.path("graph"), options);
    EXPECT_EQ(file.edges.num_vertices, 0) << format_name(format);
    EXPECT_EQ(file.edges.num_edges(), 0) << format_name(format);
  }
}

TYPED_TEST(RoundTrip, NamesOfAnEdgeList) {
  const TemporaryFolder folder;
  const VertexNames names = VertexNames::table({5, 100, 9000000000000000000});
  const Edges edges = {{0, 1, 0}, {2, 0, 0}, {1, 1, 0}};
  write_graph<TypeParam>(folder.path("graph"), GraphFormat::edge_list, make_edges<TypeParam>(3, edges, false), names,
                         true);
  const auto file = read_graph<TypeParam>(folder.path("graph"));
  EXPECT_EQ(named_edges(file), (Edges{{5, 100, 0}, {9000000000000000000, 5, 0}, {100, 100, 0}}));
  EXPECT_EQ(vertex_edges(file), edges);
}

TEST(WriteGraph, WeightsReadBackExactly) {
  const TemporaryFolder folder;
  const Edges edges = {{0, 1, 0.1f}, {1, 2, 1e-30f}, {2, 0, -3.4e38f}, {0, 2, 1.0f / 3}, {0, 0, 16777216.0f}};
  ReadOptions options;
  options.weights = true;
  for (const GraphFormat format : {GraphFormat::matrix_market, GraphFormat::edge_list, GraphFormat::smat}) {
    write_graph(folder.path("graph"), format, make_edges<std::int32_t>(3, edges, true), VertexNames(), true);
    EXPECT_EQ(vertex_edges(read_graph<std::int32_t>(folder.path("graph"), options)), edges) << format_name(format);
  }
}

TEST(WriteGraph, CompressedByName) {
  const TemporaryFolder folder;
  const Edges edges = random_edges(1000, 50000, 5);
  const auto list = make_edges<std::int32_t>(1000, edges, false);
  const std::vector<std::pair<std::string, std::string>> kinds = {{"graph.gz", "\x1F\x8B"},
                                                                  {"graph.xz",
                                                                   "\xFD"
                                                                   "7zXZ"},
                                                                  {"graph.txt", "# Directed"}};
  for (const auto& [name, start] : kinds) {
    write_graph(folder.path(name), GraphFormat::edge_list, list, VertexNames(), true);
    EXPECT_EQ(bytes_of(folder.path(name)).substr(0, start.size()), start);
    EXPECT_EQ(vertex_edges(read_graph<std::int32_t>(folder.path(name))), without_weights(edges)) << name;
  }
  EXPECT_LT(bytes_of(folder.path("graph.gz")).size(), bytes_of(folder.path("graph.txt")).size() * 2 / 3);
}

TEST(WriteGraph, FailureLeavesNothingBehindAndTheOldFileAlone) {
  const TemporaryFolder folder;
  const auto list = make_edges<std::int32_t>(2, {{0, 1, 0.5f}}, true);
  const std::string path = folder.write("graph", "the old file");
  const auto refused = [&](GraphFormat format, bool directed) {
    EXPECT_THROW(write_graph(path, format, list, VertexNames(), directed), ArgumentError) << format_name(format);
  };
  refused(GraphFormat::metis, true);      // directed
  refused(GraphFormat::metis, false);     // fractional weight
  refused(GraphFormat::dimacs, true);     // likewise
  refused(GraphFormat::automatic, true);  // which?
  EXPECT_THROW(write_graph(path, GraphFormat::edge_list, list, VertexNames::consecutive(1, 0), true), ArgumentError);
  EXPECT_EQ(bytes_of(path), "the old file");
  EXPECT_EQ(folder.num_files(), 1u);
  EXPECT_THROW(write_graph(folder.path("absent/graph"), GraphFormat::edge_list, list, VertexNames(), true), Error);
}

TEST(WriteGraph, FullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto list = make_edges<std::int32_t>(1000, random_edges(1000, 50000, 6), false);
  EXPECT_THROW(write_graph("/dev/full", GraphFormat::edge_list, list, VertexNames(), true), Error);
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST(WriteGraph, MetisListsNeighborsInOrder) {
  const TemporaryFolder folder;
  const auto list = make_edges<std::int32_t>(5, {{3, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 2, 0}, {2, 0, 0}}, false);
  write_graph(folder.path("graph"), GraphFormat::metis, list, VertexNames(), false);
  EXPECT_EQ(bytes_of(folder.path("graph")), "5 4\n2 3 4\n1\n1 3\n1\n\n");
}

TEST(WriteGraph, MatrixMarketWritesTheLowerHalf) {
  const TemporaryFolder folder;
  const auto list = make_edges<std::int32_t>(3, {{0, 1, 0}, {1, 0, 0}, {2, 2, 0}}, false);
  write_graph(folder.path("graph"), GraphFormat::matrix_market, list, VertexNames(), false);
  EXPECT_EQ(bytes_of(folder.path("graph")), "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
}

}  // namespace
}  // namespace dromos::test
