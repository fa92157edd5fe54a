// SPDX-License-Identifier: BSD-3-Clause
// Color propagation with every strategy and both widths of ids: the colors are those of a serial search from the
// largest vertex down, the counts are what the definition says, and every rule of validation rejects a wrong color.
#include <dromos/algorithms/color_propagation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/color_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <limits>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::ColorResult;
using dromos::ColorScratch;
using dromos::Strategy;
using dromos::test::build;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

constexpr double no_guard = std::numeric_limits<double>::infinity();

template <class Vertex>
class ColorPropagationTest : public ::testing::Test {
 protected:
  void expect_right(const dromos::test::ZooGraph& zoo, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name);
    const auto graph = build<Vertex>(zoo);
    const auto expected = dromos::reference::largest_reaching(dromos::copy_to<Kokkos::HostSpace>(graph));
    ColorScratch<Vertex, Memory> scratch(graph);
    ColorResult<Vertex, Memory> result;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      const auto statistics = dromos::color_propagation(Space(), graph, scratch, result, {strategy, no_guard});
      ASSERT_EQ(to_vector(result.color), expected);
      EXPECT_FALSE(statistics.serial);
      expect_consistent(graph, expected, statistics);
      for (const double waste_limit : {0.0, 0.3, 1.5}) {
        dromos::color_propagation(Space(), graph, scratch, result, {strategy, waste_limit});
        ASSERT_EQ(to_vector(result.color), expected) << "waste limit " << waste_limit;
      }
    }
  }

  /// What must hold of the counts however the threads raced.
  void expect_consistent(const dromos::CsrGraph<Vertex, Memory>& graph, const std::vector<Vertex>& expected,
                         const dromos::ColorStatistics& statistics) {
    std::int64_t num_altered = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) num_altered += expected[v] != static_cast<Vertex>(v);
    std::int64_t updates = 0;
    dromos::Offset edges = 0;
    for (const dromos::ColorSweep& sweep : statistics.sweeps) {
      EXPECT_GT(sweep.num_vertices, 0);
      EXPECT_LE(sweep.num_vertices, graph.num_vertices()) << "a vertex joined twice";
      EXPECT_LE(sweep.num_edges, graph.num_edges()) << "a vertex joined twice";
      updates += sweep.num_vertices;
      edges += sweep.num_edges;
    }
    EXPECT_EQ(statistics.sweeps.front().num_vertices, graph.num_vertices());
    EXPECT_EQ(statistics.sweeps.front().num_edges, graph.num_edges());
    EXPECT_EQ(statistics.vertex_updates, updates - graph.num_vertices());
    EXPECT_EQ(statistics.edge_updates, edges);
    EXPECT_GE(statistics.vertex_updates, num_altered);
    EXPECT_LE(statistics.sweeps.size(), static_cast<std::size_t>(graph.num_vertices()) + 1);
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ColorPropagationTest, VertexTypes, );

TYPED_TEST(ColorPropagationTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) this->expect_right(zoo, dromos::test::some_tunings());
}

TYPED_TEST(ColorPropagationTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(1000); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed),
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(ColorPropagationTest, FindsTheExampleOfItsDocumentation) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {1}, {3}, {1}});
  ColorScratch<TypeParam, Memory> scratch(graph);
  ColorResult<TypeParam, Memory> result;
  dromos::color_propagation(Space(), graph, scratch, result);
  EXPECT_EQ(to_vector(result.color), (std::vector<TypeParam>{0, 4, 4, 3, 4}));
}

/// Numbers that descend along a path: by sweeps alone n^2 / 2 updates.
TYPED_TEST(ColorPropagationTest, ColorsThatTravelFarAreFoundSerially) {
  constexpr int n = 20000;
  dromos::test::ZooGraph path;
  path.num_vertices = n;
  path.directed = true;
  for (int v = n - 1; v > 0; --v) path.edges.emplace_back(v, v - 1);
  const auto graph = build<TypeParam>(path);
  ColorScratch<TypeParam, Memory> scratch(graph);
  ColorResult<TypeParam, Memory> result;
  for (const Strategy& strategy : dromos::all_strategies()) {
    const auto statistics = dromos::color_propagation(Space(), graph, scratch, result, {strategy, 1.5});
    EXPECT_TRUE(statistics.serial);
    const auto prices = dromos::work_prices(Space());
    const double limit = std::max(1e6, 1.5 * prices.serial(n, graph.num_edges()));  // a millisecond at least
    const double affordable = limit / (prices.push_edge / prices.speedup);
    EXPECT_LE(static_cast<double>(statistics.edge_updates), affordable);
    EXPECT_EQ(to_vector(result.color), std::vector<TypeParam>(n, n - 1));
  }
  // Sweeps go on with marks that are clear.
  const auto small = dromos::color_propagation(Space(), graph, scratch, result, {{}, 0.0});
  EXPECT_TRUE(small.sweeps.empty());
  EXPECT_EQ(to_vector(result.color), std::vector<TypeParam>(n, n - 1));
  EXPECT_THROW(dromos::color_propagation(Space(), graph, scratch, result, {{}, -1}), dromos::ArgumentError);
}

TYPED_TEST(ColorPropagationTest, AcceptsAGraphWithoutVertices) {
  const dromos::CsrGraph<TypeParam, Memory> empty;
  ColorScratch<TypeParam, Memory> scratch(empty);
  ColorResult<TypeParam, Memory> result;
  const auto statistics = dromos::color_propagation(Space(), empty, scratch, result);
  EXPECT_EQ(statistics.vertex_updates, 0);
  EXPECT_EQ(result.color.extent(0), 0u);
}

TYPED_TEST(ColorPropagationTest, RefusesTheScratchOfAnotherGraph) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}});
  ColorScratch<TypeParam, Memory> scratch;
  ColorResult<TypeParam, Memory> result;
  EXPECT_THROW(dromos::color_propagation(Space(), graph, scratch, result), dromos::ArgumentError);
}

TYPED_TEST(ColorPropagationTest, RulesRejectWrongColors) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {1}, {3}, {1}});
  const auto judge = [&](const std::vector<TypeParam>& color) {
    return dromos::validate_colors(Space(), graph, dromos::test::to_view(color));
  };
  EXPECT_TRUE(judge({0, 4, 4, 3, 4}).holds);
  EXPECT_NE(judge({0, 4, 4, 2, 4}).message.find("vertex 3 has a color below"), std::string::npos);
  EXPECT_NE(judge({0, 4, 3, 3, 4}).message.find("color of vertex 1 is larger"), std::string::npos);
  EXPECT_NE(judge({0, 4, 4, 4, 4}).message.find("vertex 3 has color 4"), std::string::npos);  // from nowhere
  EXPECT_FALSE(judge({0, 4, 4, 3}).holds);
}

TYPED_TEST(ColorPropagationTest, ManyResultsAreJudgedByColorsThatWereExpectedOnce) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {1}, {3}, {1}});
  const auto expected = dromos::expected_colors(graph);
  const auto judge = [&](const std::vector<TypeParam>& color) {
    return dromos::validate_colors(Space(), graph, dromos::test::to_view(color), expected);
  };
  EXPECT_TRUE(judge({0, 4, 4, 3, 4}).holds);
  EXPECT_EQ(judge({0, 4, 4, 4, 4}).message, "vertex 3 has color 4, but the largest vertex that reaches it is 3");
  EXPECT_NE(judge({0, 4, 3, 3, 4}).message.find("color of vertex 1 is larger"), std::string::npos);

  const auto other = dromos::test::make_graph<TypeParam>({{1}, {0}});
  EXPECT_THROW(dromos::validate_colors(Space(), other, dromos::test::to_view(std::vector<TypeParam>{1, 1}), expected),
               dromos::ArgumentError);
}

}  // namespace
