// SPDX-License-Identifier: BSD-3-Clause
// build_csr() against the obvious implementation: a list of neighbors for every vertex, in std::vector. Where rows are
// sorted the expected arrays are fully determined, so the same tests under one thread and under several show that the
// number of threads does not matter.
#include <dromos/graph/build_csr.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/graph/sorted_rows.hpp>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::BuildCounts;
using dromos::BuildOptions;
using dromos::CsrGraph;
using dromos::EdgeList;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

using Row = std::vector<std::pair<std::int64_t, float>>;  // neighbors with weights

struct Edges {
  std::int64_t num_vertices;
  std::vector<std::int64_t> source, target;
  std::vector<float> weight;  ///< all 0 in unweighted lists
  bool weighted;
};

Edges random_edges(std::uint64_t seed, std::int64_t num_vertices, int num_edges, bool weighted) {
  std::mt19937_64 random(seed);
  Edges edges{num_vertices, {}, {}, {}, weighted};
  for (int i = 0; i < num_edges; ++i) {
    edges.source.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(num_vertices)));
    // Many loops, and many duplicates: half of the targets are one of five vertices.
    edges.target.push_back(random() % 8 == 0
                               ? edges.source.back()
                               : static_cast<std::int64_t>(random() % 2 == 0 ? random() % 5 : random()) % num_vertices);
    if (edges.target.back() < 0) edges.target.back() += num_vertices;
    edges.weight.push_back(weighted ? static_cast<float>(random() % 4) - 1.5f : 0.0f);
  }
  return edges;
}

template <class Vertex>
EdgeList<Vertex, Memory> to_list(const Edges& edges) {
  EdgeList<Vertex, Memory> list;
  list.num_vertices = static_cast<Vertex>(edges.num_vertices);
  list.source = to_view(std::vector<Vertex>(edges.source.begin(), edges.source.end()));
  list.target = to_view(std::vector<Vertex>(edges.target.begin(), edges.target.end()));
  if (edges.weighted) list.weight = to_view(edges.weight);
  return list;
}

std::vector<BuildOptions> all_options() {
  std::vector<BuildOptions> options;
  for (int bits = 0; bits < 16; ++bits) {
    BuildOptions o;
    o.symmetrize = bits & 1;
    o.drop_self_loops = bits & 2;
    o.remove_duplicates = bits & 4;
    o.sort_adjacencies = bits & 8;
    options.push_back(o);
  }
  return options;
}

std::string describe(const BuildOptions& options) {
  return std::string(options.symmetrize ? "symmetrize " : "") + (options.drop_self_loops ? "drop_self_loops " : "") +
         (options.remove_duplicates ? "remove_duplicates " : "") + (options.sort_adjacencies ? "sort" : "");
}

/// The obvious implementation; rows ascending by neighbor, equal neighbors by weight.
std::vector<Row> expected_rows(const Edges& edges, const BuildOptions& options, BuildCounts& counts) {
  std::vector<Row> rows(static_cast<std::size_t>(edges.num_vertices));
  counts = {};
  for (std::size_t i = 0; i < edges.source.size(); ++i) {
    const std::int64_t u = edges.source[i], v = edges.target[i];
    if (u == v && options.drop_self_loops) {
      ++counts.self_loops_dropped;
      continue;
    }
    rows[u].emplace_back(v, edges.weight[i]);
    if (u != v && options.symmetrize) rows[v].emplace_back(u, edges.weight[i]);
  }
  for (Row& row : rows) {
    std::sort(row.begin(), row.end());
    if (!options.remove_duplicates) continue;
    const std::size_t before = row.size();
    // Of equal neighbors the first is the lightest.
    row.erase(std::unique(row.begin(), row.end(), [](auto a, auto b) { return a.first == b.first; }), row.end());
    counts.duplicates_removed += static_cast<Offset>(before - row.size());
  }
  return rows;
}

template <class Vertex>
std::vector<Row> rows_of(const CsrGraph<Vertex, Memory>& graph) {
  const auto row_map = to_vector(graph.row_map);
  const auto entries = to_vector(graph.entries);
  const auto weights = to_vector(graph.weights);
  std::vector<Row> rows(row_map.size() - 1);
  for (std::size_t u = 0; u < rows.size(); ++u) {
    for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) {
      rows[u].emplace_back(entries[e], weights.empty() ? 0.0f : weights[e]);
    }
  }
  return rows;
}

template <class Vertex>
void expect_graph(const Edges& edges, const BuildOptions& options, const CsrGraph<Vertex, Memory>& graph,
                  const BuildCounts& counts) {
  BuildCounts expected_counts;
  const auto expected = expected_rows(edges, options, expected_counts);
  ASSERT_EQ(graph.row_map.extent(0), expected.size() + 1);
  const auto row_map = to_vector(graph.row_map);
  ASSERT_EQ(row_map.front(), 0);
  ASSERT_EQ(row_map.back(), graph.num_edges());
  ASSERT_TRUE(std::is_sorted(row_map.begin(), row_map.end()));
  ASSERT_EQ(graph.weights.extent(0), edges.weighted ? graph.entries.extent(0) : 0);
  auto rows = rows_of(graph);
  for (Row& row : rows) {
    if (options.sort_adjacencies || options.remove_duplicates) {
      ASSERT_TRUE(std::is_sorted(row.begin(), row.end(), [](auto a, auto b) { return a.first < b.first; }));
    }
    std::sort(row.begin(), row.end());  // equal neighbors come in any order of their weights
  }
  ASSERT_EQ(rows, expected);
  EXPECT_EQ(counts.self_loops_dropped, expected_counts.self_loops_dropped);
  EXPECT_EQ(counts.duplicates_removed, expected_counts.duplicates_removed);
}

std::vector<Edges> edge_lists() {
  std::vector<Edges> lists;
  std::uint64_t seed = 0;
  for (const bool weighted : {false, true}) {
    for (int i = 0; i < 25; ++i) {
      ++seed;
      lists.push_back(
          random_edges(seed, 1 + static_cast<std::int64_t>(seed * 7 % 23), static_cast<int>(seed * 13 % 90), weighted));
    }
    // Large enough for several pieces of the work: vertices in the hundreds, edges in the thousands.
    lists.push_back(random_edges(++seed, 300, 5000, weighted));
    lists.push_back(random_edges(++seed, 5000, 20000, weighted));
    lists.push_back(random_edges(++seed, 3, 6000, weighted));
    lists.push_back(random_edges(++seed, 100000, 50, weighted));
  }
  return lists;
}

template <class Vertex>
class BuildCsrTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(BuildCsrTest, VertexTypes, );

TYPED_TEST(BuildCsrTest, AgreesWithTheObviousImplementation) {
  for (const Edges& edges : edge_lists()) {
    const auto list = to_list<TypeParam>(edges);
    for (const BuildOptions& options : all_options()) {
      SCOPED_TRACE(std::to_string(edges.num_vertices) + " vertices, " + std::to_string(edges.source.size()) + " edges" +
                   (edges.weighted ? ", weighted: " : ": ") + describe(options));
      BuildCounts counts{-1, -1};
      const auto graph = dromos::build_csr(Space(), list, options, &counts);
      EXPECT_EQ(graph.directed, !options.symmetrize);
      expect_graph(edges, options, graph, counts);
      if (this->HasFatalFailure()) return;
    }
  }
}

/// The way of GPUs, which build_csr() does not take where the host reaches the memory.
TYPED_TEST(BuildCsrTest, SortedRowsAgreeWithTheObviousImplementation) {
  for (const Edges& edges : edge_lists()) {
    const auto list = to_list<TypeParam>(edges);
    for (const BuildOptions& options : all_options()) {
      SCOPED_TRACE(std::to_string(edges.num_vertices) + " vertices, " + std::to_string(edges.source.size()) + " edges" +
                   (edges.weighted ? ", weighted: " : ": ") + describe(options));
      CsrGraph<TypeParam, Memory> graph;
      using Arcs = dromos::detail::EdgeListArcs<TypeParam, Memory>;
      dromos::detail::SortedRows<Space, TypeParam, Memory, Arcs> builder(
          Space(), edges.num_vertices, {list.source, list.target, options.symmetrize, options.drop_self_loops},
          list.weight, {options.sort_adjacencies || options.remove_duplicates, options.remove_duplicates});
      BuildCounts counts;
      counts.duplicates_removed = builder.build(graph);
      const auto entries = dromos::test::rows_of(graph);
      for (const auto& row : entries) ASSERT_TRUE(std::is_sorted(row.begin(), row.end()));
      BuildCounts expected;
      expected_rows(edges, options, expected);
      counts.self_loops_dropped = expected.self_loops_dropped;  // build_csr() counts them
      BuildOptions compared = options;
      compared.sort_adjacencies = false;  // here equal neighbors keep the order in which the edges came
      expect_graph(edges, compared, graph, counts);
      if (this->HasFatalFailure()) return;
    }
  }
}

/// The same arrays again and again, and from the serial space where there is one.
TYPED_TEST(BuildCsrTest, GivesTheSameGraphEveryTime) {
  const Edges edges = random_edges(77, 2000, 30000, true);
  const auto list = to_list<TypeParam>(edges);
  const auto first = dromos::build_csr(Space(), list);
  for (int i = 0; i < 5; ++i) {
    const auto again = dromos::build_csr(Space(), list);
    EXPECT_EQ(to_vector(again.row_map), to_vector(first.row_map));
    EXPECT_EQ(to_vector(again.entries), to_vector(first.entries));
    EXPECT_EQ(to_vector(again.weights), to_vector(first.weights));
  }
#ifdef KOKKOS_ENABLE_SERIAL
  if constexpr (std::is_same_v<Memory, Kokkos::Serial::memory_space>) {
    const auto serial = dromos::build_csr(Kokkos::Serial(), list);
    EXPECT_EQ(to_vector(serial.row_map), to_vector(first.row_map));
    EXPECT_EQ(to_vector(serial.entries), to_vector(first.entries));
    EXPECT_EQ(to_vector(serial.weights), to_vector(first.weights));
  }
#endif
}

TYPED_TEST(BuildCsrTest, TakesEmptyEdgeLists) {
  for (const std::int64_t num_vertices : {0, 1, 1000}) {
    for (const BuildOptions& options : all_options()) {
      const Edges edges{num_vertices, {}, {}, {}, false};
      BuildCounts counts{-1, -1};
      const auto graph = dromos::build_csr(Space(), to_list<TypeParam>(edges), options, &counts);
      EXPECT_EQ(graph.num_vertices(), num_vertices);
      EXPECT_EQ(graph.num_edges(), 0);
      expect_graph(edges, options, graph, counts);
    }
  }
}

TYPED_TEST(BuildCsrTest, LeavesTheEdgeListAsItWas) {
  const Edges edges = random_edges(78, 20, 200, true);
  const auto list = to_list<TypeParam>(edges);
  dromos::build_csr(Space(), list, {true, true, true, true});
  EXPECT_EQ(to_vector(list.source), std::vector<TypeParam>(edges.source.begin(), edges.source.end()));
  EXPECT_EQ(to_vector(list.target), std::vector<TypeParam>(edges.target.begin(), edges.target.end()));
  EXPECT_EQ(to_vector(list.weight), edges.weight);
}

/// What an ArgumentError says, or "" if there is none.
template <class Vertex>
std::string refusal(const EdgeList<Vertex, Memory>& list) {
  try {
    dromos::build_csr(Space(), list);
  } catch (const dromos::ArgumentError& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(BuildCsrTest, RefusesEndpointsOutsideTheGraph) {
  using Pairs = std::vector<std::pair<TypeParam, TypeParam>>;
  const TypeParam most = std::numeric_limits<TypeParam>::max();
  for (const Pairs& edges : {Pairs{{0, 1}, {0, 5}}, Pairs{{5, 0}}, Pairs{{0, -1}, {1, 1}}, Pairs{{-1, 0}},
                             Pairs{{most, 0}}, Pairs{{0, std::numeric_limits<TypeParam>::min()}}}) {
    const std::string message = refusal(dromos::test::make_edge_list<TypeParam>(5, edges));
    EXPECT_NE(message.find("has 1 edge"), std::string::npos) << message;
    EXPECT_NE(message.find("[0, 5)"), std::string::npos) << message;
    EXPECT_NE(message.find("num_vertices must exceed every vertex id"), std::string::npos) << message;
  }
  EXPECT_NE(refusal(dromos::test::make_edge_list<TypeParam>(5, {{5, 5}, {0, 6}, {2, 2}})).find("has 2 edges"),
            std::string::npos);
  EXPECT_NE(refusal(dromos::test::make_edge_list<TypeParam>(0, {{0, 0}})).find("[0, 0)"), std::string::npos);
  EXPECT_EQ(refusal(dromos::test::make_edge_list<TypeParam>(5, {{4, 4}, {0, 0}})), "");
}

TYPED_TEST(BuildCsrTest, RefusesArraysThatDoNotBelongTogether) {
  auto list = dromos::test::make_edge_list<TypeParam>(5, {{0, 1}, {1, 2}, {3, 4}});
  list.weight = to_view(std::vector<float>(2));
  EXPECT_NE(refusal(list).find("3 sources, 3 targets and 2 weights"), std::string::npos) << refusal(list);
  list.weight = {};
  list.target = to_view(std::vector<TypeParam>(4));
  EXPECT_NE(refusal(list).find("3 sources, 4 targets"), std::string::npos) << refusal(list);
  EXPECT_NE(refusal(dromos::test::make_edge_list<TypeParam>(-1, {})).find("-1"), std::string::npos);
}

}  // namespace
