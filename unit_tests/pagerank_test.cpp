// SPDX-License-Identifier: BSD-3-Clause
// PageRank with every strategy and both widths of ids: ranks as those of a serial power iteration and as the LDBC ships
// them, ranks that are known by symmetry, and rules of validation that reject wrong ones.
#include <dromos/algorithms/pagerank.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/rank_rules.hpp>
#include <dromos/validate/reference_measures.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "ldbc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::PageRankOptions;
using dromos::PageRankScratch;
using dromos::ShareOrder;
using dromos::Strategy;
using dromos::test::build;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

template <class Vertex>
PageRankScratch<Vertex, Memory> scratch_of(const dromos::CsrGraph<Vertex, Memory>& graph) {
  return {graph, dromos::transpose(Space(), graph)};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v) {
    ASSERT_NEAR(found[v], expected[v], tolerance) << "vertex " << v;
  }
}

template <class Vertex>
class PageRankTest : public ::testing::Test {
 protected:
  void expect_right(const dromos::test::ZooGraph& zoo, const std::vector<Strategy>& strategies, double damping) {
    SCOPED_TRACE(zoo.name);
    const auto graph = build<Vertex>(zoo);
    const auto expected = dromos::reference::pagerank(dromos::copy_to<Kokkos::HostSpace>(graph), damping, 1e-14, 2000);
    auto scratch = scratch_of(graph);
    Kokkos::View<double*, Memory> rank;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      PageRankOptions options;
      options.strategy = strategy;
      options.damping = damping;
      options.tolerance = 1e-12;
      options.max_iterations = 1000;
      const auto statistics = dromos::pagerank(Space(), scratch, rank, options);
      EXPECT_TRUE(statistics.converged);
      EXPECT_LT(statistics.change, 1e-12);
      expect_near(to_vector(rank), expected, 1e-12 / (1 - damping));
      const auto proof = dromos::validate_pagerank(Space(), graph, rank, damping, options.tolerance);
      EXPECT_TRUE(proof.holds) << proof.message;
      if (this->HasFailure()) return;
    }
  }

  std::vector<double> ranks(const dromos::CsrGraph<Vertex, Memory>& graph, const PageRankOptions& options = {}) {
    auto scratch = scratch_of(graph);
    Kokkos::View<double*, Memory> rank;
    dromos::pagerank(Space(), scratch, rank, options);
    return to_vector(rank);
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(PageRankTest, VertexTypes, );

TYPED_TEST(PageRankTest, IsRightOnTheZoo) {
  std::size_t turn = 0;
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, dromos::test::every_nth(dromos::test::some_tunings(), 3, turn++), 0.85);
  }
}

TYPED_TEST(PageRankTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(300); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed),
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]}, seed % 3 * 0.3);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(PageRankTest, IsWhatTheLdbcShips) {
  using dromos::test::data_path;
  DROMOS_SKIP_WITHOUT(dromos::test::ldbc_archive);
  for (const std::string kind : {"dir", "undir"}) {
    SCOPED_TRACE(kind);
    const auto ldbc = dromos::test::ldbc_adjacency("pr/" + kind + "-input");  // undirected edges are listed twice
    const auto graph = dromos::build_csr(Space(), ldbc.template edge_list<TypeParam>());
    const auto expected = dromos::test::ldbc_values("pr/" + kind + "-output");
    ASSERT_EQ(expected.size(), 50u);
    for (const Strategy& strategy : dromos::all_strategies()) {
      PageRankOptions options;
      options.strategy = strategy;
      options.tolerance = 0;
      options.max_iterations = 26;  // that many are theirs
      expect_near(this->ranks(graph, options), expected, 1e-9);
    }
  }
}

TYPED_TEST(PageRankTest, IsEqualWhereEverythingLooksTheSame) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    if (zoo.name != "complete" && zoo.name != "cycle-333-directed" && zoo.name != "one-vertex") continue;
    const auto graph = build<TypeParam>(zoo);
    const double n = static_cast<double>(graph.num_vertices());
    expect_near(this->ranks(graph), std::vector<double>(graph.num_vertices(), 1 / n), 1e-12);
  }
}

TYPED_TEST(PageRankTest, SolvesTheEquationsOfAStar) {
  // A leaf has a = (1 - d) / n + d h / 4, the hub h = (1 - d) / n + d 4 a, with n = 5.
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2, 3, 4}, {0}, {0}, {0}, {0}}, false);
  PageRankOptions options;
  options.damping = 0.5;
  options.tolerance = 1e-15;
  const double leaf = (0.1 + 0.5 * 0.1 / 4) / (1 - 0.25);
  expect_near(this->ranks(graph, options), {0.1 + 2 * leaf, leaf, leaf, leaf, leaf}, 1e-14);
}

TYPED_TEST(PageRankTest, SaysWhetherItConverged) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {}, {0, 1}});
  auto scratch = scratch_of(graph);
  Kokkos::View<double*, Memory> rank;
  PageRankOptions options;
  options.max_iterations = 3;
  const auto early = dromos::pagerank(Space(), scratch, rank, options);
  EXPECT_FALSE(early.converged);
  EXPECT_EQ(early.num_iterations, 3);
  EXPECT_FALSE(dromos::validate_pagerank(Space(), graph, rank, options.damping, options.tolerance).holds);
  EXPECT_TRUE(dromos::validate_pagerank(Space(), graph, rank, options.damping, early.change).holds);
  options.max_iterations = 500;
  const auto late = dromos::pagerank(Space(), scratch, rank, options);
  EXPECT_TRUE(late.converged);
  EXPECT_LT(late.num_iterations, 500);
}

TYPED_TEST(PageRankTest, SharesOfSinglePrecisionComeFirst) {
  auto graphs = dromos::test::graph_zoo();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(60); ++seed) {
    graphs.push_back(dromos::test::random_small_graph(seed));
  }
  const auto tunings = dromos::test::some_tunings();
  std::size_t turn = 0;
  for (const auto& zoo : graphs) {
    SCOPED_TRACE(zoo.name);
    const auto graph = build<TypeParam>(zoo);
    if (graph.num_vertices() == 0) continue;
    auto scratch = scratch_of(graph);
    Kokkos::View<double*, Memory> rank;
    PageRankOptions options;
    options.strategy = tunings[turn % tunings.size()];
    options.share_order = turn++ % 2 == 0 ? ShareOrder::by_vertex : ShareOrder::by_degree;
    options.max_iterations = 1000;
    const auto ranked = [&](double tolerance, bool single_first) {
      options.tolerance = tolerance;
      options.single_precision_first = single_first;
      return dromos::pagerank(Space(), scratch, rank, options);
    };
    const auto in_double = ranked(1e-12, false);
    EXPECT_EQ(in_double.num_single_precision, 0);
    const auto expected = to_vector(rank);
    const auto mixed = ranked(1e-12, true);
    EXPECT_TRUE(mixed.converged);
    EXPECT_GT(mixed.num_single_precision, 0);
    EXPECT_LT(mixed.num_single_precision, mixed.num_iterations) << "the last ones are of double precision";
    expect_near(to_vector(rank), expected, 1e-12 / 0.15);
    const auto coarse = ranked(1e-4, true);
    EXPECT_TRUE(coarse.converged);
    EXPECT_EQ(coarse.num_single_precision, coarse.num_iterations);
    expect_near(to_vector(rank), expected, 1e-4 / 0.15);
    // What is rounded off is not lost: it went anywhere.
    options.max_iterations = 2;
    ranked(1e-9, true);
    const auto early = to_vector(rank);
    EXPECT_NEAR(std::accumulate(early.begin(), early.end(), 0.0), 1, 1e-12);
    // Who asks for so many iterations gets those of the power method.
    EXPECT_EQ(ranked(0, true).num_single_precision, 0);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(PageRankTest, PersonalRanksAreRightOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(60); ++seed) {
    const auto zoo = dromos::test::random_small_graph(seed);
    SCOPED_TRACE(zoo.name);
    const auto graph = build<TypeParam>(zoo);
    const auto n = static_cast<std::size_t>(graph.num_vertices());
    if (n == 0) continue;
    // A few vertices, unequally; the last one always, which may have no edges.
    std::vector<double> start(n, 0);
    for (std::size_t v = 0; v < n; v += 3) start[v] = static_cast<double>(v + 1);
    start[n - 1] = 2;
    const double sum = std::accumulate(start.begin(), start.end(), 0.0);
    for (double& probability : start) probability /= sum;
    PageRankOptions options;
    options.tolerance = 1e-12;
    options.max_iterations = 1000;
    auto scratch = scratch_of(graph);
    scratch.start = dromos::test::to_view(start);
    Kokkos::View<double*, Memory> rank;
    EXPECT_TRUE(dromos::pagerank(Space(), scratch, rank, options).converged);
    const auto host = dromos::copy_to<Kokkos::HostSpace>(graph);
    expect_near(to_vector(rank), dromos::reference::pagerank(host, 0.85, 1e-14, 2000, start), 1e-11);
    const auto proof = dromos::validate_pagerank(Space(), graph, rank, 0.85, 1e-12, scratch.start);
    EXPECT_TRUE(proof.holds) << proof.message;
    scratch.start = {};
    dromos::pagerank(Space(), scratch, rank, options);
    expect_near(to_vector(rank), dromos::reference::pagerank(host, 0.85, 1e-14, 2000), 1e-11);
  }
}

// A walk round a cycle is k steps from where it started with probability (1 - d) d^k, and so on for every round.
TYPED_TEST(PageRankTest, PersonalRanksOfACycleAreThoseOfItsFormula) {
  constexpr int n = 7;
  dromos::test::ZooGraph cycle;
  cycle.num_vertices = n;
  for (int v = 0; v < n; ++v) cycle.edges.push_back({v, (v + 1) % n});
  cycle.directed = true;
  auto scratch = scratch_of(build<TypeParam>(cycle));
  std::vector<double> start(n, 0);
  start[2] = 1;
  scratch.start = dromos::test::to_view(start);
  PageRankOptions options;
  options.tolerance = 1e-14;
  Kokkos::View<double*, Memory> rank;
  dromos::pagerank(Space(), scratch, rank, options);
  std::vector<double> expected(n);
  for (int k = 0; k < n; ++k) {
    expected[static_cast<std::size_t>((2 + k) % n)] = 0.15 * std::pow(0.85, k) / (1 - std::pow(0.85, n));
  }
  expect_near(to_vector(rank), expected, 1e-12);
}

TYPED_TEST(PageRankTest, RefusesToStartWithWhatIsNoProbability) {
  dromos::test::ZooGraph pair;
  pair.num_vertices = 2;
  pair.edges = {{0, 1}};
  auto scratch = scratch_of(build<TypeParam>(pair));
  Kokkos::View<double*, Memory> rank;
  for (const std::vector<double>& start : {std::vector<double>{0.5, 0.4}, {1.5, -0.5}, {1.0}}) {
    scratch.start = dromos::test::to_view(start);
    EXPECT_THROW(dromos::pagerank(Space(), scratch, rank), dromos::ArgumentError);
  }
}

TYPED_TEST(PageRankTest, RanksAreTheSameWhereverSharesLie) {
  const auto tunings = dromos::test::some_tunings();
  auto graphs = dromos::test::graph_zoo();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(40); ++seed) {
    graphs.push_back(dromos::test::random_small_graph(seed));
  }
  std::size_t turn = 0;
  for (const auto& zoo : graphs) {
    SCOPED_TRACE(zoo.name);
    const auto graph = build<TypeParam>(zoo);
    const auto n = static_cast<std::size_t>(graph.num_vertices());
    if (n == 0) continue;
    PageRankOptions options;
    options.strategy = tunings[turn++ % tunings.size()];
    options.tolerance = 0;
    options.max_iterations = 8;
    auto scratch = scratch_of(graph);
    Kokkos::View<double*, Memory> rank;
    for (const bool personalized : {false, true}) {
      std::vector<double> start(personalized ? n : 0, 0.25 / static_cast<double>(n));
      if (personalized) start[n / 2] += 0.75;
      scratch.start = dromos::test::to_view(start);  // of no elements, but not null: nobody reads them
      options.share_order = ShareOrder::by_vertex;
      const auto plain = dromos::pagerank(Space(), scratch, rank, options);
      EXPECT_EQ(plain.share_order, ShareOrder::by_vertex);
      EXPECT_EQ(plain.order_seconds, 0);
      const auto expected = to_vector(rank);
      options.share_order = ShareOrder::by_degree;
      const auto ordered = dromos::pagerank(Space(), scratch, rank, options);
      EXPECT_EQ(ordered.share_order, ShareOrder::by_degree);
      EXPECT_EQ(ordered.order_seconds > 0, !personalized) << "once for the scratch";
      EXPECT_LE(ordered.order_seconds, ordered.seconds);
      EXPECT_NEAR(ordered.change, plain.change, 1e-14);
      expect_near(to_vector(rank), expected, 1e-14);
    }
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(PageRankTest, SharesOfHubsLieFirst) {
  // The example of impl/ordered_shares.hpp.
  const auto small = dromos::test::make_graph<TypeParam>({{}, {2}, std::vector<TypeParam>(9, 1), {4}, {2, 2, 2, 2, 2}});
  auto scratch = scratch_of(small);
  dromos::detail::order_shares(Space(), small.view(), scratch.in_edges.view(), scratch.ordered);
  EXPECT_EQ(to_vector(scratch.ordered.place), (std::vector<TypeParam>{4, 2, 0, 3, 1}));
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    auto of_zoo = scratch_of(build<TypeParam>(zoo));
    auto& ordered = of_zoo.ordered;
    dromos::detail::order_shares(Space(), of_zoo.graph.view(), of_zoo.in_edges.view(), ordered);
    const auto place = to_vector(ordered.place), sources = to_vector(ordered.sources);
    const auto entries = to_vector(of_zoo.in_edges.entries);
    ASSERT_EQ(sources.size(), entries.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
      ASSERT_EQ(sources[e], place[static_cast<std::size_t>(entries[e])]) << "in-edge " << e;
    }
    const auto rows = dromos::test::rows_of(of_zoo.graph);
    std::vector<std::size_t> at(rows.size(), rows.size());  // by place: the vertex
    for (std::size_t v = 0; v < place.size(); ++v) at.at(static_cast<std::size_t>(place[v])) = v;
    const double mean = static_cast<double>(entries.size()) / static_cast<double>(rows.size());
    const auto class_of = [&](std::size_t v) {
      const auto degree = static_cast<double>(rows[v].size());
      int number = degree == 0 ? 7 : 0;
      for (double least = 32; number < 6 && degree < least * mean; least /= 2) ++number;
      return number;
    };
    for (std::size_t i = 0; i < at.size(); ++i) {
      ASSERT_LT(at[i], rows.size()) << "nobody has place " << i;
      if (i == 0) continue;
      const int before = class_of(at[i - 1]), here = class_of(at[i]);
      EXPECT_LE(before, here) << "place " << i;
      EXPECT_TRUE(before < here || at[i - 1] < at[i]) << "place " << i;
    }
  }
}

TEST(ShareOrders, AreChosenWhereTheyPay) {
  using dromos::detail::worth_ordering;
  const double megabyte = 1 << 20;
  EXPECT_TRUE(worth_ordering({128 * megabyte, 50 * megabyte, 0.8, 100}));
  EXPECT_FALSE(worth_ordering({32 * megabyte, 50 * megabyte, 0.8, 100})) << "the cache holds all";
  EXPECT_FALSE(worth_ordering({128 * megabyte, 0, 0.8, 100})) << "nobody knows the cache";
  EXPECT_FALSE(worth_ordering({128 * megabyte, 50 * megabyte, 0.3, 100})) << "degrees are much alike";
  EXPECT_FALSE(worth_ordering({128 * megabyte, 50 * megabyte, 0.8, 3})) << "soon over";
  EXPECT_FALSE(worth_ordering({128 * megabyte, 50 * megabyte, 0.8, 20, 24})) << "soon over on a CPU";
  using dromos::detail::expected_iterations;
  EXPECT_EQ(expected_iterations(0.85, 0, 20), 20);
  EXPECT_EQ(expected_iterations(0, 1e-9, 200), 1);
  EXPECT_EQ(expected_iterations(0.85, 2, 200), 1);
  EXPECT_EQ(expected_iterations(0.85, 1e-9, 5), 5);
  EXPECT_NEAR(expected_iterations(0.5, 1.0 / 1024, 200), 11, 1e-9);

  const auto part_of_hubs = [](const std::vector<std::vector<std::int32_t>>& rows) {
    const auto graph = dromos::test::make_graph<std::int32_t>(rows);
    return dromos::detail::part_of_hubs(Space(), graph.view(), graph.num_edges());
  };
  EXPECT_EQ(part_of_hubs({{}, {}}), 0);
  EXPECT_EQ(part_of_hubs({{1}, {0}}), 0);
  EXPECT_EQ(part_of_hubs({{1, 2, 3, 4, 5, 6}, {0}, {0}, {}, {}, {}, {}}), 0.75) << "6 of 8, the mean is 8 / 7";
  // Nobody asked, and the graph is too small for it.
  PageRankScratch<std::int32_t, Memory> scratch = scratch_of(dromos::test::make_graph<std::int32_t>({{1}, {0}}));
  Kokkos::View<double*, Memory> rank;
  EXPECT_EQ(dromos::pagerank(Space(), scratch, rank).share_order, ShareOrder::by_vertex);
  EXPECT_FALSE(scratch.ordered.made());
}

/// Of hubs that many ask for, where shares are more than are asked for as fast in any order.
TEST(ShareOrders, AreByDegreeWhereSharesAreMany) {
  const std::int64_t n = dromos::detail::shares_in_any_order(Space()) / 8 + 1000, num_hubs = n / 1000;
  if (n > 5000000) GTEST_SKIP() << "takes a graph of " << n << " vertices, as caches are here";
  const auto edge = [&](std::int64_t i) {
    const std::int64_t v = i / 4, hub = (v * 7919 + i % 4 * 104729) % num_hubs;
    return std::pair<std::int32_t, std::int32_t>(static_cast<std::int32_t>(v), static_cast<std::int32_t>(hub * 1000));
  };
  std::vector<std::pair<std::int32_t, std::int32_t>> edges(static_cast<std::size_t>(4 * n));
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = edge(static_cast<std::int64_t>(i));
  dromos::BuildOptions build;
  build.symmetrize = true;
  const auto graph = dromos::build_csr(
      Space(), dromos::test::make_edge_list<std::int32_t>(static_cast<std::int32_t>(n), edges), build);
  PageRankScratch<std::int32_t, Memory> scratch(graph, graph);
  Kokkos::View<double*, Memory> rank, plain_rank;
  PageRankOptions options;
  options.max_iterations = 30;
  options.tolerance = 1e-12;
  EXPECT_EQ(dromos::pagerank(Space(), scratch, rank, options).share_order, ShareOrder::by_degree);
  options.share_order = ShareOrder::by_vertex;
  EXPECT_EQ(dromos::pagerank(Space(), scratch, plain_rank, options).share_order, ShareOrder::by_vertex);
  expect_near(to_vector(rank), to_vector(plain_rank), 1e-9 / static_cast<double>(n));
  options.share_order = ShareOrder::best;
  options.max_iterations = 3;
  EXPECT_EQ(dromos::pagerank(Space(), scratch, rank, options).share_order, ShareOrder::by_vertex) << "soon over";
}

TYPED_TEST(PageRankTest, AcceptsAGraphWithoutVertices) {
  EXPECT_TRUE(this->ranks(dromos::CsrGraph<TypeParam, Memory>()).empty());
}

TYPED_TEST(PageRankTest, RefusesWhatItCannotUse) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}});
  using Scratch = PageRankScratch<TypeParam, Memory>;
  EXPECT_THROW(Scratch(graph, dromos::test::make_graph<TypeParam>({{1}, {0}, {}})), dromos::ArgumentError);
  const auto refused = [&](double damping, double tolerance, int max_iterations) {
    PageRankOptions options;
    options.damping = damping;
    options.tolerance = tolerance;
    options.max_iterations = max_iterations;
    EXPECT_THROW(this->ranks(graph, options), dromos::ArgumentError);
  };
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double damping : {-0.1, 1.0, not_a_number}) refused(damping, 1e-9, 10);
  for (const double tolerance : {-1e-9, not_a_number}) refused(0.85, tolerance, 10);
  refused(0.85, 1e-9, 0);
}

TYPED_TEST(PageRankTest, RulesRejectWrongRanks) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {0}});
  const auto judge = [&](const std::vector<double>& rank) {
    return dromos::validate_pagerank(Space(), graph, dromos::test::to_view(rank), 0.85, 1e-9);
  };
  const double third = 1.0 / 3;
  EXPECT_TRUE(judge({third, third, third}).holds);
  EXPECT_NE(judge({0.6, 0.6, -0.2}).message.find("vertex 2 is not from 0 to 1"), std::string::npos);
  EXPECT_NE(judge({third, std::numeric_limits<double>::quiet_NaN(), third}).message.find("vertex 1"),
            std::string::npos);
  EXPECT_NE(judge({third, third, 0.3}).message.find("add up to"), std::string::npos);
  EXPECT_NE(judge({0.3, third, 0.7 - third}).message.find("one more iteration"), std::string::npos);
  EXPECT_FALSE(judge({0.5, 0.5}).holds);
}

}  // namespace
