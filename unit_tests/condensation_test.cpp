// SPDX-License-Identifier: BSD-3-Clause
// Graphs of components and levels of graphs without cycles, with every strategy and both widths of ids, against sets of
// pairs and longest paths on the host.
#include <dromos/algorithms/condensation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/validate/level_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "build_zoo_graph.hpp"
#include "computed_graphs.hpp"
#include "graph_zoo.hpp"
#include "scc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Level;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;
using dromos::test::ZooGraph;

/// The longest path to each vertex, by as many rounds over all edges as it takes; of a graph without cycles.
template <class Vertex>
std::vector<Level> longest_paths(const std::vector<std::vector<Vertex>>& rows) {
  std::vector<Level> level(rows.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t u = 0; u < rows.size(); ++u) {
      for (const Vertex v : rows[u]) {
        Level& other = level[static_cast<std::size_t>(v)];
        if (other >= level[u] + 1) continue;
        other = level[u] + 1;
        changed = true;
      }
    }
  }
  return level;
}

template <class Vertex>
class CondensationTest : public ::testing::Test {
 protected:
  void expect_right(const CsrGraph<Vertex, Memory>& graph, const std::vector<Strategy>& strategies) {
    const auto labels = dromos::reference::strong_components(dromos::copy_to<Kokkos::HostSpace>(graph));
    const auto condensed = dromos::condensation(Space(), graph, to_view(labels));

    const std::set<Vertex> names(labels.begin(), labels.end());
    const std::vector<Vertex> first(names.begin(), names.end());
    ASSERT_EQ(to_vector(condensed.first), first);
    ASSERT_EQ(condensed.num_components(), std::int64_t(first.size()));
    const std::vector<Vertex> component = to_vector(condensed.component);
    ASSERT_EQ(component.size(), labels.size());
    for (std::size_t v = 0; v < labels.size(); ++v) {
      ASSERT_EQ(first[static_cast<std::size_t>(component[v])], labels[v]);
    }
    const auto rows = dromos::test::rows_of(graph);
    std::vector<std::set<Vertex>> expected(first.size());
    for (std::size_t u = 0; u < rows.size(); ++u) {
      for (const Vertex v : rows[u]) {
        const Vertex to = component[static_cast<std::size_t>(v)];
        if (component[u] != to) expected[static_cast<std::size_t>(component[u])].insert(to);
      }
    }
    const auto condensed_rows = dromos::test::rows_of(condensed.graph);
    ASSERT_EQ(condensed_rows.size(), expected.size());
    for (std::size_t c = 0; c < expected.size(); ++c) {
      ASSERT_EQ(condensed_rows[c], std::vector<Vertex>(expected[c].begin(), expected[c].end()));
    }
    expect_levels(condensed.graph, strategies);
  }

  void expect_levels(const CsrGraph<Vertex, Memory>& graph, const std::vector<Strategy>& strategies) {
    const std::vector<Level> expected = longest_paths(dromos::test::rows_of(graph));
    Kokkos::View<Level*, Memory> level;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      const auto statistics = dromos::topological_levels(Space(), graph, level, {strategy});
      ASSERT_EQ(to_vector(level), expected);
      EXPECT_EQ(statistics.num_levels, *std::max_element(expected.begin(), expected.end()) + 1);
      const auto proof = dromos::validate_levels(graph, level);
      EXPECT_TRUE(proof.holds) << proof.message;
      Kokkos::deep_copy(level, dromos::no_level);
      dromos::topological_levels(Space(), dromos::test::BareRows<Vertex>(graph), level, {strategy});
      ASSERT_EQ(to_vector(level), expected) << "of hidden rows";
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CondensationTest, VertexTypes, );

TYPED_TEST(CondensationTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo(300)) {
    SCOPED_TRACE(zoo.name);
    this->expect_right(dromos::test::build<TypeParam>(zoo), dromos::all_strategies());
  }
}

TYPED_TEST(CondensationTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    auto zoo = dromos::test::random_small_graph(seed);
    zoo.directed = true;
    SCOPED_TRACE(zoo.name);
    this->expect_right(dromos::test::build<TypeParam>(zoo), {tunings[seed % tunings.size()]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(CondensationTest, IsRightOnDeepGraphs) {
  for (const auto& deep : dromos::test::deep_graphs<TypeParam>(300)) {
    SCOPED_TRACE(deep.name);
    this->expect_right(dromos::build_csr(Space(), dromos::copy_to<Memory>(deep.edges)), dromos::all_strategies());
  }
}

TYPED_TEST(CondensationTest, LevelsOfParallelEdges) {
  this->expect_levels(dromos::test::make_graph<TypeParam>({{1, 1, 2}, {2, 2, 2}, {}, {}}), dromos::all_strategies());
}

TEST(TopologicalLevels, OfAViewWithoutArrays) {
  Kokkos::View<Level*, Memory> level;
  const auto statistics = dromos::topological_levels(Space(), dromos::test::Chain{5000}, level);
  EXPECT_EQ(statistics.num_levels, 5000);
  std::vector<Level> numbers(5000);
  std::iota(numbers.begin(), numbers.end(), Level(0));
  EXPECT_EQ(to_vector(level), numbers);
  // A circulant is a cycle, and a grid says that its edges have no direction.
  const dromos::test::Circulant<std::int64_t> circulant{7, 1, {1, 0, 0}};
  EXPECT_THROW(dromos::topological_levels(Space(), circulant, level), dromos::ArgumentError);
  EXPECT_EQ(to_vector(level), std::vector<Level>(7, dromos::no_level));
  const dromos::test::Grid<std::int32_t> grid{2, 3};
  EXPECT_THROW(dromos::topological_levels(Space(), grid, level), dromos::ArgumentError);
}

TYPED_TEST(CondensationTest, RulesRejectOtherLevels) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2}, {2}, {}, {}});
  const auto holds = [&](const std::vector<Level>& level) {
    return dromos::validate_levels(graph, to_view(level)).holds;
  };
  EXPECT_TRUE(holds({0, 1, 2, 0}));
  EXPECT_FALSE(holds({0, 1, 1, 0})) << "an edge inside a level";
  EXPECT_FALSE(holds({0, 1, 3, 0})) << "higher than it need be";
  EXPECT_FALSE(holds({0, 1, 2, 1})) << "nothing leads there";
  EXPECT_FALSE(holds({0, 1, 2, -1}));
  EXPECT_FALSE(holds({0, 1, 2}));
}

TYPED_TEST(CondensationTest, AcceptsAGraphWithoutVertices) {
  const CsrGraph<TypeParam, Memory> empty;
  EXPECT_EQ(dromos::condensation(Space(), empty, Kokkos::View<TypeParam*, Memory>()).num_components(), 0);
  Kokkos::View<Level*, Memory> level;
  EXPECT_EQ(dromos::topological_levels(Space(), empty, level).num_levels, 0);
}

TYPED_TEST(CondensationTest, RefusesWhatItCannotUse) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {1, 3}, {}});
  const auto condense = [&](const std::vector<TypeParam>& labels) {
    return dromos::condensation(Space(), graph, to_view(labels));
  };
  EXPECT_EQ(condense({0, 1, 1, 3}).num_components(), 3);
  EXPECT_THROW(condense({0, 1, 1}), dromos::ArgumentError);
  EXPECT_THROW(condense({0, 1, 1, 4}), dromos::ArgumentError);
  EXPECT_THROW(condense({0, -1, 1, 3}), dromos::ArgumentError);
  EXPECT_THROW(condense({0, 2, 1, 3}), dromos::ArgumentError) << "nobody names itself";
  Kokkos::View<Level*, Memory> level;
  try {
    dromos::topological_levels(Space(), graph, level);
    FAIL() << "levels of a graph with a cycle";
  } catch (const dromos::ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("3 of 4 vertices"), std::string::npos) << error.what();
  }
  EXPECT_EQ(to_vector(level), (std::vector<Level>{0, -1, -1, -1}));
  const auto undirected = dromos::test::make_graph<TypeParam>({{1}, {0}}, false);
  EXPECT_THROW(dromos::topological_levels(Space(), undirected, level), dromos::ArgumentError);
}

}  // namespace
