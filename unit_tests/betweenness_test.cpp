// SPDX-License-Identifier: BSD-3-Clause
// Betweenness centrality with every strategy and both widths of ids: values as those of serial Brandes and of the
// definition by counting paths, known ones where a graph's are known, and rules that reject wrong ones.
#include <dromos/algorithms/betweenness.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/generate/random_roots.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/betweenness_rules.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::BetweennessScratch;
using dromos::Strategy;
using dromos::test::build;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

template <class Vertex>
std::vector<Vertex> all_vertices(const dromos::CsrGraph<Vertex, Memory>& graph) {
  std::vector<Vertex> all(graph.num_vertices());
  std::iota(all.begin(), all.end(), Vertex(0));
  return all;
}

/// The definition: of all pairs s, t and every v between them, the share of shortest paths from s to t that lead over
/// v, from distances and numbers of paths between all pairs.
template <class Vertex>
std::vector<double> betweenness_by_definition(const dromos::CsrGraph<Vertex, Memory>& graph) {
  const auto rows = dromos::test::rows_of(graph);
  const std::size_t n = rows.size();
  const auto host = dromos::copy_to<Kokkos::HostSpace>(graph);
  std::vector<std::vector<dromos::Level>> distance;
  std::vector<std::vector<double>> paths(n, std::vector<double>(n, 0));
  for (std::size_t s = 0; s < n; ++s) {
    distance.push_back(dromos::reference::bfs_levels(host, static_cast<Vertex>(s)));
    paths[s][s] = 1;
    for (dromos::Level level = 0; level < static_cast<dromos::Level>(n); ++level) {
      for (std::size_t u = 0; u < n; ++u) {
        if (distance[s][u] != level) continue;
        for (const Vertex v : rows[u]) paths[s][v] += distance[s][v] == level + 1 ? paths[s][u] : 0;
      }
    }
  }
  std::vector<double> centrality(n, 0);
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t v = 0; v < n; ++v) {
        if (v == s || v == t || distance[s][v] == dromos::no_level || distance[v][t] == dromos::no_level) continue;
        if (distance[s][v] + distance[v][t] == distance[s][t]) {
          centrality[v] += paths[s][v] * paths[v][t] / paths[s][t];
        }
      }
    }
  }
  return centrality;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v) {
    ASSERT_NEAR(found[v], expected[v], 1e-9 * (1 + expected[v])) << "vertex " << v;
  }
}

template <class Vertex>
class BetweennessTest : public ::testing::Test {
 protected:
  void expect_right(const dromos::test::ZooGraph& zoo, const std::vector<Strategy>& strategies, bool all_roots) {
    SCOPED_TRACE(zoo.name);
    const auto graph = build<Vertex>(zoo);
    const auto roots = all_roots ? all_vertices(graph) : dromos::random_roots(graph, 3, 1);
    const auto host = dromos::copy_to<Kokkos::HostSpace>(graph);
    const auto expected = dromos::reference::betweenness(host, roots);
    dromos::Offset edges_reached = 0;
    for (const Vertex root : roots) {
      const auto level = dromos::reference::bfs_levels(host, root);
      for (std::size_t v = 0; v < level.size(); ++v) {
        if (level[v] != dromos::no_level) edges_reached += host.row_map(v + 1) - host.row_map(v);
      }
    }
    BetweennessScratch<Vertex, Memory> scratch(graph);
    Kokkos::View<double*, Memory> centrality;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      const auto statistics = dromos::betweenness(Space(), graph, roots, scratch, centrality, {strategy});
      expect_near(to_vector(centrality), expected);
      const auto alone = dromos::betweenness(Space(), graph, roots, scratch, centrality, {strategy, false});
      expect_near(to_vector(centrality), expected);
      EXPECT_LE(statistics.num_launches_back, alone.num_launches_back);
      EXPECT_EQ(statistics.num_roots, static_cast<std::int64_t>(roots.size()));
      EXPECT_EQ(statistics.edges_reached, edges_reached);
      if (this->HasFailure()) return;
    }
    const auto proof = dromos::validate_betweenness(graph, roots, centrality);
    EXPECT_TRUE(proof.holds) << proof.message;
  }

  std::vector<double> values(const dromos::CsrGraph<Vertex, Memory>& graph) {
    BetweennessScratch<Vertex, Memory> scratch(graph);
    Kokkos::View<double*, Memory> centrality;
    dromos::betweenness(Space(), graph, all_vertices(graph), scratch, centrality);
    return to_vector(centrality);
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(BetweennessTest, VertexTypes, );

TYPED_TEST(BetweennessTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, dromos::test::some_tunings(), zoo.num_vertices < 50);
  }
}

TYPED_TEST(BetweennessTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed),
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]}, seed % 8 == 0);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(BetweennessTest, OracleIsTheDefinition) {
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(100); ++seed) {
    const auto graph = build<TypeParam>(dromos::test::random_small_graph(seed));
    if (graph.num_vertices() > 60) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_near(dromos::reference::betweenness(dromos::copy_to<Kokkos::HostSpace>(graph), all_vertices(graph)),
                betweenness_by_definition(graph));
  }
}

TYPED_TEST(BetweennessTest, KnowsWhatIsKnown) {
  const auto path = dromos::test::make_graph<TypeParam>({{1}, {0, 2}, {1}}, false);
  expect_near(this->values(path), {0, 2, 0});
  const auto square = dromos::test::make_graph<TypeParam>({{1, 3}, {0, 2}, {1, 3}, {2, 0}}, false);
  expect_near(this->values(square), {1, 1, 1, 1});  // two ways between opposite corners, each half, in both directions
  const auto one_way = dromos::test::make_graph<TypeParam>({{1}, {2}, {3}, {}});
  expect_near(this->values(one_way), {0, 2, 2, 0});
}

TYPED_TEST(BetweennessTest, CountsARootAsOftenAsItIsGiven) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {}});
  BetweennessScratch<TypeParam, Memory> scratch(graph);
  Kokkos::View<double*, Memory> centrality;
  dromos::betweenness(Space(), graph, {0, 0, 0}, scratch, centrality);
  expect_near(to_vector(centrality), {0, 3, 0});
  dromos::betweenness(Space(), graph, {}, scratch, centrality);
  expect_near(to_vector(centrality), {0, 0, 0});
}

/// Diamonds in a row: the number of shortest paths doubles with each.
template <class Vertex>
dromos::CsrGraph<Vertex, Memory> row_of_diamonds(int count) {
  std::vector<std::vector<Vertex>> rows(3 * count + 1);
  for (int i = 0; i < count; ++i) {
    const Vertex first = static_cast<Vertex>(3 * i);
    rows[first] = {static_cast<Vertex>(first + 1), static_cast<Vertex>(first + 2)};
    rows[first + 1] = rows[first + 2] = {static_cast<Vertex>(first + 3)};
  }
  return dromos::test::make_graph<Vertex>(rows);
}

/// Of a path every level is small, and all of them together one launch a root. A hub in its middle and its leaves are
/// two levels of many edges, each with its own launch, with runs of small ones before and after them.
TYPED_TEST(BetweennessTest, LevelsOfFewEdgesShareALaunch) {
  constexpr int length = 3000, leaves = 10000;
  dromos::test::ZooGraph path{"path", length, {}, false};
  for (int v = 0; v + 1 < length; ++v) path.edges.emplace_back(v, v + 1);
  dromos::test::ZooGraph star = path;
  star.num_vertices += leaves;
  for (int leaf = 0; leaf < leaves; ++leaf) star.edges.emplace_back(length / 2, length + leaf);
  for (const auto& [zoo, launches] : {std::pair(path, 1), std::pair(star, 4)}) {
    const auto graph = build<TypeParam>(zoo);
    BetweennessScratch<TypeParam, Memory> scratch(graph);
    Kokkos::View<double*, Memory> centrality;
    const std::vector<TypeParam> roots{0, 0};
    const auto shared = dromos::betweenness(Space(), graph, roots, scratch, centrality);
    EXPECT_EQ(shared.num_launches_back, 2 * launches);
    EXPECT_EQ(dromos::betweenness(Space(), graph, roots, scratch, centrality, {{}, false}).num_launches_back,
              2 * (length - 1));
    expect_near(to_vector(centrality),
                dromos::reference::betweenness(dromos::copy_to<Kokkos::HostSpace>(graph), roots));
  }
}

TYPED_TEST(BetweennessTest, SaysWhenThereAreMorePathsThanADoubleCounts) {
  const auto run = [](int count) {
    const auto graph = row_of_diamonds<TypeParam>(count);
    BetweennessScratch<TypeParam, Memory> scratch(graph);
    Kokkos::View<double*, Memory> centrality;
    dromos::betweenness(Space(), graph, {TypeParam(0)}, scratch, centrality);
    return to_vector(centrality);
  };
  const auto values = run(1000);                                // 2^1000 paths
  EXPECT_NEAR(values[1], 0.5 * (1 + 3 * 999 + 0) + 0.0, 1e-6);  // half of all that lies beyond
  EXPECT_THROW(run(1100), dromos::Error);
}

TYPED_TEST(BetweennessTest, AcceptsAGraphWithoutVertices) {
  EXPECT_TRUE(this->values(dromos::CsrGraph<TypeParam, Memory>()).empty());
}

TYPED_TEST(BetweennessTest, RefusesWhatItCannotUse) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}});
  BetweennessScratch<TypeParam, Memory> other, scratch(graph);
  Kokkos::View<double*, Memory> centrality;
  EXPECT_THROW(dromos::betweenness(Space(), graph, {0}, other, centrality), dromos::ArgumentError);
  EXPECT_THROW(dromos::betweenness(Space(), graph, {0, 2}, scratch, centrality), dromos::ArgumentError);
}

TYPED_TEST(BetweennessTest, RulesRejectWrongValues) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {3}, {}});
  const auto judge = [&](const std::vector<double>& values) {
    return dromos::validate_betweenness(graph, all_vertices(graph), dromos::test::to_view(values));
  };
  EXPECT_TRUE(judge({0, 2, 2, 0}).holds);
  EXPECT_NE(judge({0, 2, 1, 0}).message.find("add up to 3"), std::string::npos);
  EXPECT_NE(judge({0, 3, 1, 0}).message.find("vertex 1 has betweenness 3"), std::string::npos);
  EXPECT_FALSE(judge({0, 2, 2}).holds);
}

}  // namespace
