// SPDX-License-Identifier: BSD-3-Clause
// Graphs that are nobody's arrays go through the algorithms that take any graph view: what comes out is what comes out
// of the same graph as a CsrGraph. What a class lacks that is no graph view: graph_view_sentences.cpp.
#include <dromos/graph/graph_view.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/aggregates.hpp>
#include <dromos/algorithms/bandwidth.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/coloring.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/regular_views.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "computed_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

// Not without a name: there nvcc warns of members that are read at compile time alone, as if nobody read them.
namespace graph_view_test {

using dromos::Offset;
using dromos::Strategy;
using dromos::test::Chain;
using dromos::test::Grid;
using dromos::test::in_arrays;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

template <class Vertex>
class GraphViewTest : public ::testing::Test {
 protected:
  std::vector<Grid<Vertex>> grids() const { return dromos::test::grids<Vertex>(); }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(GraphViewTest, VertexTypes, );

TYPED_TEST(GraphViewTest, ArraysHaveTheSameRows) {
  for (const auto& grid : this->grids()) {
    const auto rows = to_vector(in_arrays(grid).row_map);
    ASSERT_EQ(rows.back(), grid.num_edges());
    ASSERT_EQ(grid.num_edges(), 2 * (Offset(grid.width - 1) * grid.height + Offset(grid.width) * (grid.height - 1)));
  }
}

TYPED_TEST(GraphViewTest, SearchFindsTheSameLevels) {
  std::size_t turn = 0;
  for (const auto& grid : this->grids()) {
    const auto host = dromos::copy_to<Kokkos::HostSpace>(in_arrays(grid));
    const auto root = static_cast<TypeParam>(grid.num_vertices() / 2);
    const auto expected = dromos::reference::bfs_levels(host, root);
    dromos::BfsScratch<TypeParam, Memory> scratch(grid);
    dromos::BfsResult<TypeParam, Memory> result;
    for (const Strategy& strategy : dromos::test::every_nth(dromos::test::all_tunings(), 7, turn++)) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      for (const bool fused : {true, false}) {
        dromos::BfsOptions options;
        options.strategy = strategy;
        options.fuse_small_levels = fused;
        const auto statistics = dromos::bfs(Space(), grid, root, scratch, result, options);
        ASSERT_EQ(statistics.edges_reached, grid.num_edges());
        ASSERT_EQ(to_vector(result.level), expected);
      }
    }
  }
}

TYPED_TEST(GraphViewTest, ComponentsColorsAndIndependentSetsAreThose) {
  for (const auto& grid : this->grids()) {
    const auto graph = in_arrays(grid);
    dromos::ComponentScratch<TypeParam, Memory> scratch(grid);
    dromos::ComponentResult<TypeParam, Memory> result;
    for (const auto method : dromos::all_component_methods()) {
      const auto statistics = dromos::connected_components(Space(), grid, scratch, result, {method});
      ASSERT_EQ(statistics.components.num_components, 1);
      ASSERT_EQ(to_vector(result.component), std::vector<TypeParam>(static_cast<std::size_t>(grid.num_vertices()), 0));
    }
    Kokkos::View<TypeParam*, Memory> of_view, of_arrays;
    dromos::color_vertices(Space(), grid, of_view);
    dromos::color_vertices(Space(), graph, of_arrays);
    ASSERT_EQ(to_vector(of_view), to_vector(of_arrays));
    ASSERT_EQ(dromos::bandwidth(Space(), grid, of_view), dromos::bandwidth(Space(), graph, of_view));
    dromos::mis2(Space(), grid, of_view);
    dromos::mis2(Space(), graph, of_arrays);
    ASSERT_EQ(to_vector(of_view), to_vector(of_arrays));
    Kokkos::View<TypeParam*, Memory> root_of_view, root_of_arrays;
    dromos::aggregates(Space(), grid, of_view, root_of_view);
    dromos::aggregates(Space(), graph, of_view, root_of_arrays);
    ASSERT_EQ(to_vector(root_of_view), to_vector(root_of_arrays));
  }
}

struct HasSmallerNumber {
  Kokkos::View<std::int64_t*, Memory> found_by;
  template <class Vertex>
  KOKKOS_FUNCTION bool holds(Vertex u, Vertex v) const {
    return v < u;
  }
  template <class Vertex>
  KOKKOS_FUNCTION void found(Vertex u, Vertex v) const {
    found_by(u) = v;
  }
};

/// The first neighbor that is before u is the one above it, or the one to the left in the first row.
TYPED_TEST(GraphViewTest, FirstNeighborsAreFound) {
  for (const auto& grid : this->grids()) {
    const std::int64_t n = grid.num_vertices();
    const dromos::Bitmap<Memory> all(n), done(n);
    dromos::mark_vertices_with_edges(Space(), grid, all);
    const Kokkos::View<std::int64_t*, Memory> found("test::found", static_cast<std::size_t>(n));
    Kokkos::deep_copy(found, -1);
    dromos::find_first(Space(), grid, dromos::looking<TypeParam>(all, done, done), dromos::NoSink{},
                       HasSmallerNumber{found});
    Kokkos::fence();
    std::vector<std::int64_t> expected;
    for (std::int64_t u = 0; u < n; ++u) expected.push_back(u >= grid.width ? u - grid.width : u - 1);
    ASSERT_EQ(to_vector(found), expected);
  }
}

template <class Rows>
struct ListNeighbors {
  Rows rows;
  Kokkos::View<std::int32_t*, Memory> neighbor;
  KOKKOS_FUNCTION void operator()(std::int64_t e) const { neighbor(e) = rows.neighbor(e); }
};

template <class Rows>
std::vector<std::int32_t> neighbors_of(const Rows& rows) {
  const Kokkos::View<std::int32_t*, Memory> neighbor("test::neighbor", static_cast<std::size_t>(rows.num_edges()));
  Kokkos::parallel_for("test::neighbors",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, rows.num_edges()),
                       ListNeighbors<Rows>{rows, neighbor});
  Kokkos::fence();
  return to_vector(neighbor);
}

/// Rows that are too short, or empty, are filled up by the vertex itself.
TEST(GraphView, FirstNeighborsMayBeBehindOthersOrWithTheLast) {
  const auto view = dromos::test::make_graph<std::int32_t>({{3, 5, 7, 9}, {0}, {}, {4, 2}}).view();
  using View = std::decay_t<decltype(view)>;
  using Expected = std::vector<std::int32_t>;
  EXPECT_EQ(neighbors_of(dromos::FirstNeighbors<2, View>{view, {}}), (Expected{3, 5, 0, 1, 2, 2, 4, 2}));
  EXPECT_EQ(neighbors_of(dromos::FirstNeighbors<2, View, 1>{view, {}}), (Expected{5, 7, 1, 1, 2, 2, 2, 3}));
  EXPECT_EQ(neighbors_of(dromos::FirstNeighbors<2, View, 0, true>{view, {}}), (Expected{3, 9, 0, 0, 2, 2, 4, 2}));
}

TEST(GraphView, WithoutAWordItIsDirected) {
  const Chain chain{1000};
  dromos::BfsScratch<std::int32_t, Memory> search(chain);
  dromos::BfsResult<std::int32_t, Memory> found;
  EXPECT_EQ(dromos::bfs(Space(), chain, 400, search, found).num_reached, 600);
  dromos::ComponentScratch<std::int32_t, Memory> scratch(chain);
  dromos::ComponentResult<std::int32_t, Memory> result;
  EXPECT_EQ(dromos::connected_components(Space(), chain, scratch, result).components.num_components, 1);
  Kokkos::View<std::int32_t*, Memory> color;
  EXPECT_THROW(dromos::color_vertices(Space(), chain, color), dromos::ArgumentError);
}

}  // namespace graph_view_test
