// SPDX-License-Identifier: BSD-3-Clause
// Measures of graphs that are nobody's arrays: cores, ranks, centralities, diameters and colors of a grid that computes
// where its edges lead are those of the same graph as a CsrGraph. Searches, components, colorings: graph_view_test.cpp.
#include <dromos/graph/graph_view.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <vector>

#include "computed_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace view_measures_test {

using dromos::Strategy;
using dromos::test::Chain;
using dromos::test::Grid;
using dromos::test::in_arrays;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

template <class Vertex>
class ViewMeasuresTest : public ::testing::Test {
 protected:
  /// What it says of a grid and of the same grid in arrays, by some strategies.
  template <class Judge>
  void of_grids(const Judge& judge) const {
    std::size_t turn = 0;
    for (const auto& grid : dromos::test::grids<Vertex>()) {
      for (const Strategy& strategy : dromos::test::every_nth(dromos::test::all_tunings(), 11, turn++)) {
        SCOPED_TRACE(dromos::test::describe(strategy));
        judge(grid, in_arrays(grid), strategy);
      }
    }
  }
  static void expect_near(const Kokkos::View<double*, Memory>& found, const Kokkos::View<double*, Memory>& expected) {
    const auto one = to_vector(found), other = to_vector(expected);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t v = 0; v < one.size(); ++v) ASSERT_NEAR(one[v], other[v], 1e-9 * (1 + other[v])) << v;
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ViewMeasuresTest, VertexTypes, );

TYPED_TEST(ViewMeasuresTest, CoresAreThose) {
  this->of_grids([](const auto& grid, const auto& graph, const Strategy& strategy) {
    dromos::KcoreScratch<TypeParam, Memory> scratch(grid), other(graph);
    Kokkos::View<TypeParam*, Memory> of_view, of_arrays;
    const auto found = dromos::kcore(Space(), grid, scratch, of_view, {strategy});
    EXPECT_EQ(found.largest_core, dromos::kcore(Space(), graph, other, of_arrays, {strategy}).largest_core);
    ASSERT_EQ(to_vector(of_view), to_vector(of_arrays));
  });
}

TYPED_TEST(ViewMeasuresTest, RanksAreThose) {
  this->of_grids([](const auto& grid, const auto& graph, const Strategy& strategy) {
    dromos::PageRankScratch scratch(grid, grid);
    dromos::PageRankScratch<TypeParam, Memory> other(graph, graph);
    dromos::PageRankOptions options;
    options.strategy = strategy;
    options.max_iterations = 10;
    options.share_order = dromos::ShareOrder::by_degree;  // of which a view without arrays has none
    Kokkos::View<double*, Memory> of_view, of_arrays;
    const auto found = dromos::pagerank(Space(), scratch, of_view, options);
    EXPECT_EQ(found.share_order, dromos::ShareOrder::by_vertex);
    const auto expected = dromos::pagerank(Space(), other, of_arrays, options);
    EXPECT_EQ(expected.share_order, dromos::ShareOrder::by_degree);
    EXPECT_EQ(found.num_iterations, expected.num_iterations);
    TestFixture::expect_near(of_view, of_arrays);
  });
}

TYPED_TEST(ViewMeasuresTest, CentralitiesAreThose) {
  this->of_grids([](const auto& grid, const auto& graph, const Strategy& strategy) {
    std::vector<TypeParam> roots;
    for (TypeParam v = 0; v < grid.num_vertices(); v += 1 + grid.num_vertices() / 5) roots.push_back(v);
    dromos::BetweennessScratch<TypeParam, Memory> scratch(grid), other(graph);
    Kokkos::View<double*, Memory> of_view, of_arrays;
    dromos::betweenness(Space(), graph, roots, other, of_arrays);
    for (const bool share_launches : {true, false}) {
      const auto found = dromos::betweenness(Space(), grid, roots, scratch, of_view, {strategy, share_launches});
      EXPECT_EQ(found.edges_reached, static_cast<std::int64_t>(roots.size()) * grid.num_edges());
      TestFixture::expect_near(of_view, of_arrays);
    }
  });
}

TYPED_TEST(ViewMeasuresTest, DirectionsAreChosen) {
  this->of_grids([](const auto& grid, const auto& graph, const Strategy& strategy) {
    const auto expected = dromos::reference::bfs_levels(dromos::copy_to<Kokkos::HostSpace>(graph), TypeParam(0));
    dromos::BfsDirectionScratch scratch(Space(), grid, grid);
    dromos::BfsResult<TypeParam, Memory> result;
    dromos::BfsOptions options;
    options.strategy = strategy;
    options.fuse_small_levels = false;
    dromos::DirectionOptions direction;
    direction.fewest_edges_backward = 0;
    for (const double factor : {1e18, 0.}) {  // forward from the root, and backward
      direction.forward_to_backward = direction.backward_to_forward = factor;
      const auto found =
          dromos::bfs_direction_optimizing(Space(), grid, TypeParam(0), scratch, result, options, direction);
      EXPECT_EQ(found.edges_reached, grid.num_edges());
      const bool looks = factor == 0 && grid.num_edges() > 0;
      EXPECT_EQ(found.levels.front().backward, looks);
      ASSERT_EQ(to_vector(result.level), expected);
    }
  });
}

TYPED_TEST(ViewMeasuresTest, DiametersAreThose) {
  this->of_grids([](const auto& grid, const auto& graph, const Strategy& strategy) {
    const auto start = static_cast<TypeParam>(grid.num_vertices() / 3);
    dromos::DiameterOptions options;
    options.strategy = strategy;
    options.max_searches = 20;
    const auto found = dromos::diameter(Space(), grid, start, options);
    const auto expected = dromos::diameter(Space(), graph, start, options);
    EXPECT_EQ(found.lower, grid.width + grid.height - 2);
    EXPECT_EQ(found.upper, expected.upper);
    EXPECT_EQ(found.from, expected.from);
    EXPECT_EQ(found.to, expected.to);
    EXPECT_EQ(found.num_searches, expected.num_searches);
  });
}

TYPED_TEST(ViewMeasuresTest, ColorsAreThose) {
  this->of_grids([](const auto& grid, const auto& graph, const Strategy& strategy) {
    dromos::ColorScratch<TypeParam, Memory> scratch(grid), other(graph);
    dromos::ColorResult<TypeParam, Memory> of_view, of_arrays;
    dromos::color_propagation(Space(), graph, other, of_arrays, {strategy});
    for (const double waste_limit : {0., 1.5}) {  // serially, and by sweeps
      dromos::color_propagation(Space(), grid, scratch, of_view, {strategy, waste_limit});
      ASSERT_EQ(to_vector(of_view.color), to_vector(of_arrays.color));
    }
  });
}

TYPED_TEST(ViewMeasuresTest, DistancesAreThose) {
  const auto expect_same = [](const auto& grid, const auto& graph, const dromos::SsspOptions& options, auto number) {
    using Distance = decltype(number);
    const auto root = static_cast<TypeParam>(grid.num_vertices() / 2);
    dromos::SsspScratch scratch(Space(), grid);
    EXPECT_TRUE(scratch.whole);
    dromos::SsspScratch<TypeParam, Memory> other(Space(), graph);
    Kokkos::View<Distance*, Memory> of_view, of_arrays;
    const auto found = dromos::sssp(Space(), scratch, root, of_view, options);
    EXPECT_EQ(found.num_reached, grid.num_vertices());
    dromos::sssp(Space(), other, root, of_arrays, options);
    ASSERT_EQ(to_vector(of_view), to_vector(of_arrays));
  };
  this->of_grids([&](const auto& grid, const auto& graph, const Strategy& strategy) {
    dromos::SsspOptions options;
    options.strategy = strategy;
    expect_same(grid, graph, options, 0.0);
    options.delta = 2;
    expect_same(grid, graph, options, std::int64_t(0));
    options.delta = 1e9f;
    expect_same(grid, graph, options, 0.0f);
  });
  // So long that a thread of the host goes on alone.
  const dromos::test::Grid<TypeParam> path{1, 5000};
  dromos::SsspOptions options;
  options.delta = 1;
  expect_same(path, in_arrays(path), options, std::int64_t(0));
}

/// A view whose weights no path can have.
struct Downhill : Chain {
  KOKKOS_FUNCTION float weight(dromos::Offset e) const { return e == 7 ? -1.5f : 1.0f; }
};

TEST(ViewMeasures, NegativeWeightsAreRefused) {
  const Downhill chain{{20}};
  try {
    const dromos::SsspScratch scratch(Space(), chain);
    FAIL() << "a weight of -1.5 was taken";
  } catch (const dromos::ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("edge 7 has weight -1.5"), std::string::npos) << error.what();
  }
}

TEST(ViewMeasures, WhatIsDirectedIsNotTakenForUndirected) {
  const Chain chain{100};
  dromos::KcoreScratch<std::int32_t, Memory> scratch(chain);
  Kokkos::View<std::int32_t*, Memory> core;
  EXPECT_THROW(dromos::kcore(Space(), chain, scratch, core), dromos::ArgumentError);
  EXPECT_THROW(dromos::diameter(Space(), chain, 0), dromos::ArgumentError);
}

TEST(ViewMeasures, EdgesAreFollowedForwards) {
  const Chain chain{100};
  dromos::BetweennessScratch<std::int32_t, Memory> scratch(chain);
  Kokkos::View<double*, Memory> centrality;
  dromos::betweenness(Space(), chain, std::vector<std::int32_t>{90}, scratch, centrality);
  std::vector<double> expected(100, 0);
  for (std::size_t v = 91; v < 99; ++v) expected[v] = static_cast<double>(99 - v);
  EXPECT_EQ(to_vector(centrality), expected);
  dromos::ColorScratch<std::int32_t, Memory> color_scratch(chain);
  dromos::ColorResult<std::int32_t, Memory> colors;
  dromos::color_propagation(Space(), chain, color_scratch, colors);
  std::vector<std::int32_t> numbers(100);
  for (std::size_t v = 0; v < 100; ++v) numbers[v] = static_cast<std::int32_t>(v);
  EXPECT_EQ(to_vector(colors.color), numbers);
  // Of a directed graph the edges turned round are a view of another type.
  const auto reversed = dromos::transpose(Space(), in_arrays(chain));
  dromos::PageRankScratch ranks(chain, reversed);
  dromos::PageRankScratch<std::int32_t, Memory> other(in_arrays(chain), reversed);
  Kokkos::View<double*, Memory> rank, rank_of_arrays;
  dromos::pagerank(Space(), ranks, rank);
  dromos::pagerank(Space(), other, rank_of_arrays);
  EXPECT_EQ(to_vector(rank), to_vector(rank_of_arrays));
}

}  // namespace view_measures_test
