// SPDX-License-Identifier: BSD-3-Clause
// build_csr() against the obvious implementation: a list of neighbors for every vertex, in std::vector. Where rows are
// sorted the expected arrays are fully determined, so the same tests under one thread and under several show that the
// number of threads does not matter.
#include <dromos/graph/build_csr.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/error.hpp>
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

/// Rows built in ranges of sources, in the way of GPUs: as build_csr() builds them, and not another graph with a range
/// more.
template <class Vertex>
class InRanges {
 public:
  using Arcs = dromos::detail::EdgeListArcs<Vertex, Memory>;
  using Rows = dromos::detail::SortedRows<Space, Vertex, Memory, Arcs>;

  InRanges(const Edges& edges, const BuildOptions& options, const dromos::detail::SortRanges& ranges)
      : list_(to_list<Vertex>(edges)),
        rows_(Space(), edges.num_vertices, {list_.source, list_.target, options.symmetrize, options.drop_self_loops},
              list_.weight, {true, options.remove_duplicates}, ranges) {
    num_removed_ = rows_.build(graph_);
  }

  const CsrGraph<Vertex, Memory>& graph() const { return graph_; }
  Offset num_removed() const { return num_removed_; }
  const Rows& rows() const { return rows_; }

 private:
  EdgeList<Vertex, Memory> list_;
  Rows rows_;
  CsrGraph<Vertex, Memory> graph_;
  Offset num_removed_ = -1;
};

/// `count` ranges, however few arcs there are.
dromos::detail::SortRanges so_many(int count) {
  dromos::detail::SortRanges ranges;
  ranges.least_arcs = 0;
  ranges.num_ranges = count;
  return ranges;
}

/// All arcs leave vertex `hub`, or are into it.
Edges star(std::int64_t num_vertices, std::int64_t hub, int num_edges, bool weighted) {
  Edges edges = random_edges(5, num_vertices, num_edges, weighted);
  edges.source.assign(edges.source.size(), hub);
  return edges;
}

TYPED_TEST(BuildCsrTest, SortedRowsAreTheSameInAnyNumberOfRanges) {
  std::vector<Edges> lists = edge_lists();
  for (const bool weighted : {false, true}) {
    for (const std::int64_t hub : {0, 17, 99}) lists.push_back(star(100, hub, 3000, weighted));
    lists.push_back(star(100000, 70000, 20000, weighted));
  }
  for (const Edges& edges : lists) {
    const auto list = to_list<TypeParam>(edges);
    for (const BuildOptions& options : all_options()) {
      if (!options.sort_adjacencies && !options.remove_duplicates) continue;
      BuildCounts expected_counts;
      const auto expected = dromos::build_csr(Space(), list, options, &expected_counts);
      const InRanges<TypeParam> at_once(edges, options, so_many(1));
      for (const int num_ranges : {1, 2, 3, 7, 50}) {
        SCOPED_TRACE(std::to_string(edges.num_vertices) + " vertices, " + std::to_string(edges.source.size()) +
                     " edges" + (edges.weighted ? ", weighted: " : ": ") + describe(options) + ", " +
                     std::to_string(num_ranges) + " ranges");
        const InRanges<TypeParam> built(edges, options, so_many(num_ranges));
        ASSERT_EQ(built.rows().num_ranges(), num_ranges);
        ASSERT_EQ(built.num_removed(), expected_counts.duplicates_removed);
        ASSERT_EQ(to_vector(built.graph().row_map), to_vector(expected.row_map));
        ASSERT_EQ(to_vector(built.graph().entries), to_vector(expected.entries));
        // Of equal neighbors that stay, the weights are in the order in which the edges came, and not by size.
        ASSERT_EQ(to_vector(built.graph().weights), to_vector(at_once.graph().weights));
        if (options.remove_duplicates) {
          ASSERT_EQ(to_vector(built.graph().weights), to_vector(expected.weights));
        }
      }
    }
  }
}

/// What ranges are for: the largest decides how much memory keys take.
TYPED_TEST(BuildCsrTest, RangesOfSourcesHaveAboutAsManyArcsEach) {
  const BuildOptions symmetric{true, false, false, true};
  const Edges even = random_edges(9, 50000, 200000, false);
  for (const int num_ranges : {2, 4, 16}) {
    const InRanges<TypeParam> built(even, symmetric, so_many(num_ranges));
    // Up to five vertices have a tenth of the arcs and more; each is in one range.
    EXPECT_LE(static_cast<double>(built.rows().largest_range()),
              (1.1 / num_ranges + 0.06) * static_cast<double>(built.graph().num_edges()))
        << num_ranges;
  }
  // Half of the arcs leave a hub in the middle: it is a range of its own, with few others.
  Edges hub = star(40000, 20000, 100000, false);
  for (std::size_t i = 0; i < hub.target.size(); ++i) hub.target[i] = static_cast<std::int64_t>(i * 7919 % 40000);
  const InRanges<TypeParam> built(hub, symmetric, so_many(4));
  EXPECT_LE(static_cast<double>(built.rows().largest_range()), 0.52 * static_cast<double>(built.graph().num_edges()));
}

TYPED_TEST(BuildCsrTest, SmallGraphsAreBuiltInOneRange) {
  const Edges edges = random_edges(10, 5000, 20000, false);
  EXPECT_EQ(InRanges<TypeParam>(edges, {}, {}).rows().num_ranges(), 1);
}

TYPED_TEST(BuildCsrTest, ThereAreMoreRangesWhereMemoryIsShort) {
  Edges edges = random_edges(11, 20000, 60000, false);
  for (std::size_t i = 0; i < edges.target.size(); ++i) edges.target[i] = static_cast<std::int64_t>(i % 20000);
  const double num_arcs = 60000;
  // And what a sort takes on a GPU.
  const double rows = num_arcs * sizeof(TypeParam) + 8 * 20001 + (dromos::host_accessible<Memory> ? 0 : 1 << 25);
  const auto with_memory = [&](double bytes) {
    auto ranges = so_many(2);
    ranges.available = static_cast<std::uint64_t>(bytes);
    return ranges;
  };
  const InRanges<TypeParam> expected(edges, {}, so_many(2));
  EXPECT_EQ(expected.rows().num_ranges(), 2);
  for (const double key_bytes_an_arc : {3.0, 0.5}) {
    const InRanges<TypeParam> built(edges, {}, with_memory(rows + key_bytes_an_arc * num_arcs));
    EXPECT_GT(built.rows().num_ranges(), 16 / key_bytes_an_arc);
    EXPECT_LE(16 * static_cast<double>(built.rows().largest_range()), key_bytes_an_arc * num_arcs);
    EXPECT_EQ(to_vector(built.graph().entries), to_vector(expected.graph().entries));
    EXPECT_EQ(to_vector(built.graph().row_map), to_vector(expected.graph().row_map));
  }
  try {
    InRanges<TypeParam>(edges, {}, with_memory(rows + 0.01 * num_arcs));
    FAIL() << "built without memory for keys";
  } catch (const dromos::MemoryError& error) {
    EXPECT_EQ(error.bytes_available(), static_cast<std::uint64_t>(rows + 0.01 * num_arcs));
    EXPECT_GT(error.bytes_needed(), error.bytes_available());
    EXPECT_NE(std::string(error.what()).find("60000 arcs"), std::string::npos) << error.what();
  }
  // A star is one range, whatever is tried.
  EXPECT_THROW(InRanges<TypeParam>(star(100, 3, 5000, false), {}, with_memory(808 + 5000.0 * (sizeof(TypeParam) + 8))),
               dromos::MemoryError);
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

/// On a CPU more than 4 M arcs are built in ranges: of about as many buckets, and where one bucket has half of them.
TEST(BuildCsr, LargeGraphsAreRight) {
  BuildOptions options;
  options.symmetrize = options.drop_self_loops = options.remove_duplicates = true;
  for (const bool weighted : {false, true}) {
    for (const bool even : {true, false}) {
      Edges edges = random_edges(99, 200000, 2500000, weighted);
      for (std::size_t i = 0; even && i < edges.target.size(); ++i) {
        edges.target[i] = static_cast<std::int64_t>(i / 2 * 104729) % edges.num_vertices;
        edges.source[i] = edges.source[i / 2 * 2];  // each is there twice
      }
      BuildCounts counts;
      const auto graph = dromos::build_csr(Space(), to_list<std::int32_t>(edges), options, &counts);
      expect_graph(edges, options, graph, counts);
    }
  }
}

/// A list that is used up is taken apart range by range, of uneven vertices as well.
TEST(BuildCsr, LargeListsThatAreUsedUpGiveTheSameGraph) {
  for (const bool weighted : {false, true}) {
    for (const std::int64_t num_vertices : {700, 300000}) {
      const Edges edges = random_edges(100, num_vertices, 4900000, weighted);
      const auto list = to_list<std::int32_t>(edges);
      for (const bool keeps : {false, true}) {
        BuildOptions options;
        options.drop_self_loops = options.remove_duplicates = !keeps;
        BuildCounts counts, expected_counts;
        const auto expected = dromos::build_csr(Space(), list, options, &expected_counts);
        auto taken = to_list<std::int32_t>(edges);
        const auto graph = dromos::build_csr(Space(), std::move(taken), options, &counts);
        EXPECT_EQ(to_vector(graph.row_map), to_vector(expected.row_map));
        EXPECT_EQ(to_vector(graph.entries), to_vector(expected.entries));
        EXPECT_EQ(to_vector(graph.weights), to_vector(expected.weights));
        EXPECT_EQ(graph.directed, expected.directed);
        EXPECT_EQ(counts.duplicates_removed, expected_counts.duplicates_removed);
        EXPECT_EQ(counts.self_loops_dropped, expected_counts.self_loops_dropped);
      }
    }
  }
}

TYPED_TEST(BuildCsrTest, AListThatOthersHaveIsNotUsedUp) {
  const Edges edges = random_edges(101, 300, 40000, true);
  const auto list = to_list<TypeParam>(edges);
  auto same = list;
  const auto expected = dromos::build_csr(Space(), list);
  const auto graph = dromos::build_csr(Space(), std::move(same));
  EXPECT_EQ(to_vector(graph.entries), to_vector(expected.entries));
  EXPECT_EQ(same.num_edges(), 0);  // NOLINT(bugprone-use-after-move): it is said to be empty
  EXPECT_EQ(to_vector(list.source), std::vector<TypeParam>(edges.source.begin(), edges.source.end()));
  EXPECT_EQ(to_vector(list.target), std::vector<TypeParam>(edges.target.begin(), edges.target.end()));
  EXPECT_EQ(to_vector(list.weight), edges.weight);
  // Nor one of which somebody has one array.
  auto other = to_list<TypeParam>(edges);
  const auto source = other.source;
  dromos::build_csr(Space(), std::move(other));
  EXPECT_EQ(to_vector(source), std::vector<TypeParam>(edges.source.begin(), edges.source.end()));
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
