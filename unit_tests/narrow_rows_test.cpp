// SPDX-License-Identifier: BSD-3-Clause
// Rows by offsets of 32 bits: searches, components and ranks of the zoo's graphs are those of the same graph with 64.
#include <dromos/graph/narrow_rows.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace narrow_rows_test {

using dromos::NarrowRows;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using Vertex = std::int32_t;

/// A graph, its transpose, and the rows of both. What they are made of has let go of its offsets.
struct Narrow {
  dromos::CsrGraph<Vertex, Memory> graph, reversed;
  NarrowRows<Vertex, Memory> rows, reversed_rows;

  explicit Narrow(const dromos::test::ZooGraph& zoo)
      : graph(dromos::test::build<Vertex>(zoo)),
        reversed(dromos::transpose(Space(), graph)),
        rows(let_go_of(graph)),
        reversed_rows(let_go_of(reversed)) {}

 private:
  static NarrowRows<Vertex, Memory> let_go_of(dromos::CsrGraph<Vertex, Memory> graph) {
    auto narrow = dromos::narrow_rows(Space(), graph);
    graph.row_map = {};
    return narrow;
  }
};

TEST(NarrowRowsTest, HaveTheSameRows) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    const Narrow narrow(zoo);
    EXPECT_EQ(narrow.rows.num_vertices(), narrow.graph.num_vertices());
    EXPECT_EQ(narrow.rows.num_edges(), narrow.graph.num_edges());
    EXPECT_EQ(narrow.rows.directed, narrow.graph.directed);
    const auto offsets = to_vector(narrow.rows.row_map);
    EXPECT_EQ(std::vector<dromos::Offset>(offsets.begin(), offsets.end()), to_vector(narrow.graph.row_map));
    EXPECT_EQ(narrow.rows.entries.data(), narrow.graph.entries.data());
  }
}

TEST(NarrowRowsTest, SearchesFindTheSameLevels) {
  const auto tunings = dromos::test::some_tunings();
  std::size_t turn = 0;
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    const Narrow narrow(zoo);
    if (narrow.graph.num_vertices() == 0) continue;
    const auto root = static_cast<Vertex>(narrow.graph.num_vertices() / 2);
    const auto expected = dromos::reference::bfs_levels(dromos::copy_to<Kokkos::HostSpace>(narrow.graph), root);
    dromos::BfsOptions options;
    options.strategy = tunings[turn++ % tunings.size()];
    SCOPED_TRACE(dromos::test::describe(options.strategy));
    dromos::BfsScratch<Vertex, Memory> scratch(narrow.rows);
    dromos::BfsResult<Vertex, Memory> result;
    dromos::bfs(Space(), narrow.rows, root, scratch, result, options);
    ASSERT_EQ(to_vector(result.level), expected);
    dromos::BfsDirectionScratch back(Space(), narrow.rows, narrow.reversed_rows);
    dromos::DirectionOptions direction;
    direction.fewest_edges_backward = 0;
    for (const double factor : {1e18, 0.}) {  // forward from the root, and backward
      direction.forward_to_backward = direction.backward_to_forward = factor;
      dromos::bfs_direction_optimizing(Space(), narrow.rows, root, back, result, options, direction);
      ASSERT_EQ(to_vector(result.level), expected);
    }
  }
}

TEST(NarrowRowsTest, ComponentsAndRanksAreThose) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    const Narrow narrow(zoo);
    dromos::ComponentScratch of_graph(narrow.graph);
    dromos::ComponentResult<Vertex, Memory> expected, found;
    dromos::connected_components(Space(), narrow.graph, of_graph, expected);
    dromos::ComponentScratch scratch(narrow.rows, narrow.reversed_rows);
    for (const auto method : dromos::all_component_methods()) {
      dromos::connected_components(Space(), narrow.rows, scratch, found, {method});
      ASSERT_EQ(to_vector(found.component), to_vector(expected.component)) << dromos::component_method_name(method);
    }
    dromos::PageRankScratch ranks(narrow.rows, narrow.reversed_rows);
    dromos::PageRankScratch<Vertex, Memory> ranks_of_graph(narrow.graph, narrow.reversed);
    Kokkos::View<double*, Memory> rank, rank_of_graph;
    dromos::pagerank(Space(), ranks, rank);
    dromos::pagerank(Space(), ranks_of_graph, rank_of_graph);
    const auto one = to_vector(rank), other = to_vector(rank_of_graph);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t v = 0; v < one.size(); ++v) ASSERT_NEAR(one[v], other[v], 1e-12) << v;
  }
}

TEST(NarrowRowsTest, RefuseMoreEdgesThanTheyNumber) {
  constexpr std::size_t too_many = std::size_t(1) << 32;
  dromos::CsrGraph<std::int64_t, Memory> graph;
  graph.row_map = dromos::test::to_view(std::vector<dromos::Offset>{0, static_cast<dromos::Offset>(too_many)});
  std::int64_t nowhere = 0;  // nobody reads so far
  graph.entries = Kokkos::View<std::int64_t*, Memory>(&nowhere, too_many);
  try {
    dromos::narrow_rows(Space(), graph);
    FAIL() << "2^32 edges were numbered by 32 bits";
  } catch (const dromos::ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("4294967296"), std::string::npos) << error.what();
  }
  graph.entries = Kokkos::View<std::int64_t*, Memory>(&nowhere, too_many - 1);
  graph.row_map = dromos::test::to_view(std::vector<dromos::Offset>{0, static_cast<dromos::Offset>(too_many - 1)});
  EXPECT_EQ(to_vector(dromos::narrow_rows(Space(), graph).row_map), (std::vector<std::uint32_t>{0, 0xffffffffu}));
}

}  // namespace narrow_rows_test
