// SPDX-License-Identifier: BSD-3-Clause
// Components, weak and strong, of graphs that are nobody's arrays: of circulants, whose edges and components are
// computed, and weak ones of the zoo's graphs, whose rows are hidden.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/transpose.hpp>
#include <limits>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "computed_graphs.hpp"
#include "graph_zoo.hpp"
#include "scc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace view_components_test {

using dromos::ComponentMethod;
using dromos::ComponentOptions;
using dromos::ComponentResult;
using dromos::ComponentScratch;
using dromos::Strategy;
using dromos::test::BareRows;
using dromos::test::Circulant;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// Every label is the remainder.
template <class Vertex>
void expect_remainders(const std::vector<Vertex>& found, const Circulant<Vertex>& circulant) {
  ASSERT_EQ(found.size(), static_cast<std::size_t>(circulant.size));
  for (std::size_t v = 0; v < found.size(); ++v) {
    ASSERT_EQ(found[v], static_cast<Vertex>(v) % circulant.num_components()) << "vertex " << v;
  }
}

TEST(ViewComponentsTest, StrongOnesOfCirculantsAreRemainders) {
  using Vertex = std::int64_t;
  const auto tunings = dromos::test::some_tunings();
  std::size_t turn = 0;
  for (const auto& circulant : dromos::test::circulants<Vertex>()) {
    SCOPED_TRACE("circulant of " + std::to_string(circulant.size));
    dromos::SccScratch scratch(circulant, circulant.reversed());
    dromos::SccResult<Vertex, Memory> result;
    for (const auto& variant : dromos::test::scc_variants()) {
      const Strategy& strategy = tunings[turn++ % tunings.size()];
      SCOPED_TRACE(variant.name + ", " + dromos::test::describe(strategy));
      const auto statistics = dromos::scc(Space(), scratch, result, {variant.method, strategy, variant.multistep});
      EXPECT_EQ(statistics.components.num_components, circulant.num_components());
      expect_remainders(to_vector(result.component), circulant);
      if (HasFailure()) return;
    }
  }
}

/// By sweeps alone, by sweeps as far as they are worth it, and by one thread.
std::vector<ComponentOptions> ways_of_coloring(const Strategy& strategy) {
  std::vector<ComponentOptions> ways;
  for (const double waste_limit : {std::numeric_limits<double>::infinity(), 1.5, 0.}) {
    ComponentOptions options;
    options.method = ComponentMethod::color;
    options.strategy = strategy;
    options.waste_limit = waste_limit;
    ways.push_back(options);
  }
  return ways;
}

TEST(ViewComponentsTest, WeakOnesOfCirculantsAreRemainders) {
  using Vertex = std::int64_t;
  const auto tunings = dromos::test::some_tunings();
  std::size_t turn = 0;
  for (const auto& circulant : dromos::test::circulants<Vertex>()) {
    SCOPED_TRACE("circulant of " + std::to_string(circulant.size));
    ComponentScratch scratch(circulant, circulant.reversed());
    ComponentResult<Vertex, Memory> result;
    auto ways = ways_of_coloring(tunings[turn++ % tunings.size()]);
    for (const auto method : {ComponentMethod::afforest, ComponentMethod::hooking}) ways.push_back({method});
    for (const ComponentOptions& options : ways) {
      SCOPED_TRACE(dromos::component_method_name(options.method) + ", " + dromos::test::describe(options.strategy));
      const auto statistics = dromos::connected_components(Space(), circulant, scratch, result, options);
      EXPECT_EQ(statistics.components.num_components, circulant.num_components());
      if (options.waste_limit == 0) {
        EXPECT_EQ(statistics.serial, dromos::host_accessible<Memory>);  // a host thread reads the view itself
      } else if (options.waste_limit == std::numeric_limits<double>::infinity()) {
        EXPECT_FALSE(statistics.serial);
      }
      expect_remainders(to_vector(result.component), circulant);
      if (HasFailure()) return;
    }
  }
}

TEST(ViewComponentsTest, WeakOnesOfHiddenRowsAreThoseOfArrays) {
  using Vertex = std::int32_t;
  const auto tunings = dromos::test::some_tunings();
  std::size_t turn = 0;
  auto graphs = dromos::test::graph_zoo();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(100); ++seed) {
    graphs.push_back(dromos::test::random_small_graph(seed));
  }
  for (const auto& zoo : graphs) {
    SCOPED_TRACE(zoo.name);
    const auto graph = dromos::test::build<Vertex>(zoo);
    ComponentScratch of_arrays(graph);
    ComponentResult<Vertex, Memory> expected, found;
    dromos::connected_components(Space(), graph, of_arrays, expected, {ComponentMethod::hooking});
    const BareRows<Vertex> view(graph);
    ComponentScratch scratch(view, dromos::transpose(Space(), graph));
    for (const ComponentOptions& options : ways_of_coloring(tunings[turn++ % tunings.size()])) {
      dromos::connected_components(Space(), view, scratch, found, options);
      ASSERT_EQ(to_vector(found.component), to_vector(expected.component)) << dromos::test::describe(options.strategy);
    }
    // Edges that are there in both directions need no transpose.
    if (graph.directed) continue;
    ComponentScratch alone(view);
    dromos::connected_components(Space(), view, alone, found, {ComponentMethod::color});
    ASSERT_EQ(to_vector(found.component), to_vector(expected.component));
  }
}

TEST(ViewComponentsTest, ColorsThatMustTravelBackwardsNeedTheTranspose) {
  const BareRows<std::int32_t> view(dromos::test::make_graph<std::int32_t>({{1}, {2}, {}}));
  ComponentScratch scratch(view);
  ComponentResult<std::int32_t, Memory> result;
  try {
    dromos::connected_components(Space(), view, scratch, result, {ComponentMethod::color});
    FAIL() << "colors travelled against edges that nobody knows";
  } catch (const dromos::ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("ComponentScratch(graph, reversed_graph)"), std::string::npos)
        << error.what();
  }
  const auto too_small = dromos::test::make_graph<std::int32_t>({{}, {0}, {}});
  EXPECT_THROW(ComponentScratch(view, too_small), dromos::ArgumentError);
}

}  // namespace view_components_test
