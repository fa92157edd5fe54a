// SPDX-License-Identifier: BSD-3-Clause
// Every method for connected components, with every strategy and both widths of ids: the labels are those of a serial
// union-find, vertex by vertex, and every rule of validation rejects a wrong label.
#include <dromos/algorithms/connected_components.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/reference.hpp>
#include <dromos/validate/weak_component_rules.hpp>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::ComponentMethod;
using dromos::ComponentOptions;
using dromos::ComponentResult;
using dromos::ComponentScratch;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// Number of components, number with two vertices or more, and size of the largest.
template <class Vertex>
dromos::ComponentSummary count(const std::vector<Vertex>& labels) {
  std::map<Vertex, std::int64_t> sizes;
  for (const Vertex label : labels) ++sizes[label];
  dromos::ComponentSummary summary;
  for (const auto& [label, size] : sizes) {
    ++summary.num_components;
    summary.num_nontrivial += size > 1;
    summary.largest_component = std::max(summary.largest_component, size);
  }
  return summary;
}

template <class Vertex>
class ConnectedComponentsTest : public ::testing::Test {
 protected:
  /// All methods with all strategies through one scratch: nothing may stay behind.
  void expect_right(const dromos::test::ZooGraph& zoo, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name);
    dromos::BuildOptions build;
    build.symmetrize = !zoo.directed;
    const auto graph = dromos::build_csr(Space(), zoo.edge_list<Vertex>(), build);
    const auto expected = dromos::reference::weak_components(dromos::copy_to<Kokkos::HostSpace>(graph));
    const auto summary = count(expected);
    ComponentScratch<Vertex, Memory> scratch(graph);
    ComponentResult<Vertex, Memory> result;
    for (const ComponentMethod method : dromos::all_component_methods()) {
      for (const Strategy& strategy : strategies) {
        SCOPED_TRACE(dromos::component_method_name(method) + ", " + dromos::test::describe(strategy));
        // A sample of one vertex often takes the wrong component for the largest.
        // Colors are found by sweeps, or serially after some, or at once.
        const double waste_limits[] = {std::numeric_limits<double>::infinity(), 1, 0};
        const double waste_limit = waste_limits[++turn_ % 3];
        const auto statistics = dromos::connected_components(Space(), graph, scratch, result,
                                                             {method, strategy, turn_ % 3 == 0 ? 1 : 64, waste_limit});
        ASSERT_EQ(to_vector(result.component), expected);
        if (method == ComponentMethod::color && turn_ % 3 != 1) {
          EXPECT_EQ(statistics.serial, waste_limit == 0 && !expected.empty());
        }
        EXPECT_EQ(statistics.components.num_components, summary.num_components);
        EXPECT_EQ(statistics.components.num_nontrivial, summary.num_nontrivial);
        EXPECT_EQ(statistics.components.largest_component, summary.largest_component);
      }
    }
  }

 private:
  int turn_ = 0;
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ConnectedComponentsTest, VertexTypes, );

TYPED_TEST(ConnectedComponentsTest, IsRightOnTheZoo) {
  std::size_t turn = 0;
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, dromos::test::every_nth(dromos::test::some_tunings(), 3, turn++));
  }
}

TYPED_TEST(ConnectedComponentsTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed),
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

/// From thousands of small components to one giant, both with rows in no order.
TYPED_TEST(ConnectedComponentsTest, IsRightAroundTheGiantComponent) {
  const int scale = 13;
  for (const int num_edges : {2000, 4096, 8192, 40000}) {
    dromos::ErdosRenyiOptions uniform;
    uniform.num_vertices = 1 << scale;
    uniform.num_edges = num_edges;
    dromos::test::ZooGraph zoo{"uniform with " + std::to_string(num_edges) + " edges", 1 << scale,
                               dromos::test::list_edges(dromos::ErdosRenyiEdges<std::int64_t>(uniform)), true};
    for (const bool directed : {false, true}) {
      zoo.directed = directed;
      this->expect_right(zoo, dromos::all_strategies());
    }
  }
}

/// Threads hook each other's roots all the time.
TYPED_TEST(ConnectedComponentsTest, IsRightHundredsOfTimes) {
  dromos::test::ZooGraph zoo{"pairs of a shuffled path", 3000, {}, false};
  for (std::int64_t i = 0; i + 1 < 3000; ++i) zoo.edges.emplace_back(i * 1117 % 3000, (i + 1) * 1117 % 3000);
  dromos::BuildOptions build;
  build.symmetrize = true;
  const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), build);
  const std::vector<TypeParam> expected(3000, 0);
  ComponentScratch<TypeParam, Memory> scratch(graph);
  ComponentResult<TypeParam, Memory> result;
  for (int i = 0; i < 500; ++i) {
    const ComponentMethod method = i % 2 == 0 ? ComponentMethod::hooking : ComponentMethod::afforest;
    dromos::connected_components(Space(), graph, scratch, result, {method, dromos::VertexChunk{1, 1, 4}});
    ASSERT_EQ(to_vector(result.component), expected) << i;
  }
}

/// Roads and webs in miniature: edges to near numbers, a few far ones, and some vertices without any; rows shuffled or
/// sorted, more blocks than threads.
TYPED_TEST(ConnectedComponentsTest, IsRightWhereNumbersAreNear) {
  constexpr std::int64_t n = 70000;
  const dromos::CounterRandom random(7);
  std::uint64_t drawn = 0;
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound), drawn++));
  };
  // In tenths of the vertices: one edge for every second vertex, and so on; roads have about 14, webs more than 20.
  for (const std::int64_t tenths : {5, 9, 14, 19, 21, 40}) {
    dromos::test::ZooGraph zoo{std::to_string(tenths) + " tenths", n, {}, false};
    for (std::int64_t i = 0; i < n * tenths / 10; ++i) {
      const std::int64_t u = below(n / 2) * 2;  // half of them have the edges of others only
      const std::int64_t v =
          below(100) == 0 ? below(n) : std::min(n - 1, std::max<std::int64_t>(0, u + below(61) - 30));
      zoo.edges.emplace_back(u, v);
    }
    for (const bool sort_rows : {true, false}) {
      SCOPED_TRACE(zoo.name + (sort_rows ? ", sorted" : ", not sorted"));
      dromos::BuildOptions build;
      build.symmetrize = true;
      build.sort_adjacencies = sort_rows;
      const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), build);
      const auto expected = dromos::reference::weak_components(dromos::copy_to<Kokkos::HostSpace>(graph));
      if constexpr (!dromos::is_gpu<Space>) {
        EXPECT_TRUE(dromos::detail::has_near_numbers(graph.view()));
      }
      ComponentScratch<TypeParam, Memory> scratch(graph);
      ComponentResult<TypeParam, Memory> result;
      for (int turn = 0; turn < 5; ++turn) {
        const auto statistics = dromos::connected_components(Space(), graph, scratch, result);
        ASSERT_EQ(to_vector(result.component), expected);
        EXPECT_LE(statistics.edges_left_out, graph.num_edges());
        if (tenths == 40) {
          EXPECT_GE(statistics.edges_left_out, graph.num_edges() / 2);
        }
      }
    }
  }
}

/// What it does for near numbers is right wherever they are.
TYPED_TEST(ConnectedComponentsTest, NearEdgesAreRightOnTheZoo) {
  if constexpr (!dromos::is_gpu<Space>) {
    for (const auto& zoo : dromos::test::graph_zoo()) {
      SCOPED_TRACE(zoo.name);
      dromos::BuildOptions build;
      build.symmetrize = true;
      const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), build);
      if (graph.num_vertices() == 0) continue;
      const Kokkos::View<TypeParam*, Memory> parent("parent", graph.num_vertices());
      const dromos::detail::ComponentForest<TypeParam, Memory> forest{parent};
      dromos::detail::components_by_near_edges(Space(), graph.view(), graph.num_vertices(), forest, [&](bool) {
        return dromos::detail::most_frequent(dromos::detail::sample_roots(Space(), forest, graph.num_vertices(), 64))
            .first;
      });
      EXPECT_EQ(to_vector(parent), dromos::reference::weak_components(dromos::copy_to<Kokkos::HostSpace>(graph)));
    }
  }
}

/// Who is drawn to find the largest tree is not followed along a path, which would take as long as all else together.
TYPED_TEST(ConnectedComponentsTest, SamplesLookNoFurtherThanSomeSteps) {
  const int n = 100000, steps = dromos::detail::steps_of_sample;
  std::vector<TypeParam> chain(n), flat(n, 0);
  for (int v = 1; v < n; ++v) chain[v] = v - 1;
  const auto roots = [&](const std::vector<TypeParam>& parents) {
    const auto parent = dromos::test::to_view(parents);
    return dromos::detail::sample_roots(Space(), dromos::detail::ComponentForest<TypeParam, Memory>{parent}, n, 64);
  };
  const auto drawn = roots(chain);
  EXPECT_EQ(roots(flat), std::vector<TypeParam>(64, 0));
  EXPECT_GT(*std::max_element(drawn.begin(), drawn.end()), n / 2);
  EXPECT_LT(*std::max_element(drawn.begin(), drawn.end()), n - steps);
}

/// What an array of a graph's own memory holds of vertices 0 .. n - 1.
template <class Vertex>
std::vector<bool> members_of(const dromos::Bitmap<Memory>& bitmap, Vertex n) {
  const auto words = to_vector(bitmap.words());
  std::vector<bool> members;
  for (Vertex v = 0; v < n; ++v) members.push_back((words[v / 32] >> (v % 32) & 1) != 0);
  return members;
}

/// Two hubs that are neighbors, one apart from them, and so many edges that it is worth looking. Where hubs have the
/// smallest numbers everybody begins below one anyway, and nobody is asked; nor where there are no hubs.
TYPED_TEST(ConnectedComponentsTest, HubsBringTheirNeighbors) {
  constexpr std::int64_t n = 16384;
  const auto find = [&](const std::vector<std::pair<std::int64_t, std::int64_t>>& edges, auto&& check) {
    const dromos::test::ZooGraph zoo{"hubs", n, edges, false};
    dromos::BuildOptions build;
    build.symmetrize = true;
    const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), build);
    const Kokkos::View<TypeParam*, Memory> parent("parent", n);
    dromos::detail::HubScratch<TypeParam, Memory> scratch;
    for (int turn = 0; turn < 2; ++turn) {
      const auto hub = dromos::detail::find_hub(Space(), graph.view(), parent, dromos::WholeVertices{}, scratch);
      check(to_vector(hub.root)[0], members_of(hub.members, static_cast<TypeParam>(n)));
    }
    ComponentScratch<TypeParam, Memory> component_scratch(graph);
    ComponentResult<TypeParam, Memory> result;
    dromos::connected_components(Space(), graph, component_scratch, result);
    EXPECT_EQ(to_vector(result.component),
              dromos::reference::weak_components(dromos::copy_to<Kokkos::HostSpace>(graph)));
  };
  using Found = std::vector<bool>;
  const TypeParam none = dromos::detail::HubNeighborhood<TypeParam, Memory>::none;
  for (const bool last : {true, false}) {
    const auto number = [&](std::int64_t v) { return last ? v : n - 1 - v; };
    std::vector<std::pair<std::int64_t, std::int64_t>> edges;
    Found expected(n, false);
    const std::int64_t first = n - 1, second = n - 2, apart = n - 3;
    for (std::int64_t i = 0; i < 1000; ++i) edges.emplace_back(number(first), number(7 + 9 * i));
    for (std::int64_t i = 0; i < 900; ++i) edges.emplace_back(number(second), number(8 + 9 * i));
    for (std::int64_t i = 0; i < 800; ++i) edges.emplace_back(number(apart), number(9 + 9 * i));
    edges.emplace_back(number(first), number(second));
    for (const auto& [u, v] : edges) {
      if (u == number(first) || u == number(second)) expected[u] = expected[v] = true;
    }
    for (std::int64_t v = 10800; v + 2 < n - 3; v += 2) edges.emplace_back(number(v), number(v + 1));
    for (std::int64_t v = 10801; v + 2 < n - 3; v += 2) edges.emplace_back(number(v), number(v + 1));
    find(edges, [&](TypeParam root, const Found& members) {
      EXPECT_EQ(root, last ? 7 : none);
      if (last) {
        EXPECT_EQ(members, expected);
      }
    });
  }
  dromos::ErdosRenyiOptions uniform;
  uniform.num_vertices = n;
  uniform.num_edges = 4 * n;
  find(dromos::test::list_edges(dromos::ErdosRenyiEdges<std::int64_t>(uniform)),
       [&](TypeParam root, const Found&) { EXPECT_EQ(root, none); });
}

/// A hub's smallest neighbor, and vertices with smaller numbers that nobody but members of the hub's leads to.
TYPED_TEST(ConnectedComponentsTest, TreesOfHubsAreJoinedWithSmallerNumbers) {
  constexpr std::int64_t n = 20000, hub = n - 1, few = 100;
  dromos::test::ZooGraph zoo{"hub and small numbers", n, {}, false};
  for (std::int64_t v = 1; v < few; ++v) zoo.edges.emplace_back(0, v);
  for (std::int64_t v = few; v < n / 2; ++v) zoo.edges.emplace_back(v, hub);
  for (std::int64_t v = n / 2; v < hub; ++v) {
    zoo.edges.emplace_back(v, v % few);
    zoo.edges.emplace_back(v, 7 * v % few);
  }
  for (std::int64_t v = n / 4; v < n / 4 + 400; ++v) zoo.edges.emplace_back(v, few / 2);
  dromos::BuildOptions build;
  build.symmetrize = true;
  const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), build);
  ComponentScratch<TypeParam, Memory> scratch(graph);
  ComponentResult<TypeParam, Memory> result;
  for (int turn = 0; turn < 20; ++turn) {
    const auto statistics = dromos::connected_components(Space(), graph, scratch, result);
    ASSERT_EQ(to_vector(result.component), std::vector<TypeParam>(n, 0));
    EXPECT_GE(statistics.edges_left_out, graph.num_edges() / 10 * 9);
  }
}

/// Of a directed graph: whom everybody leads to has a row of its own, or is the last vertex and has none.
TYPED_TEST(ConnectedComponentsTest, HubsOfDirectedGraphsAreFoundBesideSinks) {
  constexpr std::int64_t n = 20000, hub = n / 2;
  dromos::test::ZooGraph zoo{"hub and sink", n, {}, true};
  for (std::int64_t v = 0; v < n - 1; ++v) {
    if (v == hub) continue;
    zoo.edges.emplace_back(v, hub);
    zoo.edges.emplace_back(v, n - 1);
  }
  for (std::int64_t v = 0; v < 1000; ++v) zoo.edges.emplace_back(hub, 7 * v + 3);
  const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), {});
  const Kokkos::View<TypeParam*, Memory> parent("parent", n);
  dromos::detail::HubScratch<TypeParam, Memory> hub_scratch;
  dromos::detail::find_hub(Space(), graph.view(), parent, dromos::WholeVertices{}, hub_scratch);
  EXPECT_EQ(to_vector(hub_scratch.root)[0], 3);
  ComponentScratch<TypeParam, Memory> scratch(graph);
  ComponentResult<TypeParam, Memory> result;
  dromos::connected_components(Space(), graph, scratch, result);
  EXPECT_EQ(to_vector(result.component), std::vector<TypeParam>(n, 0));
  // So few vertices that one with any edge is a hub, and only sinks to draw.
  dromos::test::ZooGraph few{"sources and sinks", 240, {}, true};
  for (std::int64_t i = 0; i < 20000; ++i) few.edges.emplace_back(i % 100, 120 + i % 119);
  const auto pairs = dromos::build_csr(Space(), few.edge_list<TypeParam>(), {});
  dromos::detail::HubScratch<TypeParam, Memory> few_hub_scratch;
  const Kokkos::View<TypeParam*, Memory> few_parents("parents", pairs.num_vertices());
  const auto no_hub =
      dromos::detail::find_hub(Space(), pairs.view(), few_parents, dromos::WholeVertices{}, few_hub_scratch);
  EXPECT_EQ(to_vector(no_hub.root)[0], no_hub.none);
  ComponentScratch<TypeParam, Memory> few_scratch(pairs);
  dromos::connected_components(Space(), pairs, few_scratch, result);
  EXPECT_EQ(to_vector(result.component), dromos::reference::weak_components(dromos::copy_to<Kokkos::HostSpace>(pairs)));
}

TYPED_TEST(ConnectedComponentsTest, LeavesEdgesOut) {
  dromos::test::ZooGraph zoo{"complete", 200, {}, false};
  for (int u = 0; u < 200; ++u)
    for (int v = 0; v < u; ++v) zoo.edges.emplace_back(u, v);
  dromos::BuildOptions build;
  build.symmetrize = true;
  const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>(), build);
  ComponentScratch<TypeParam, Memory> scratch(graph);
  ComponentResult<TypeParam, Memory> result;
  EXPECT_EQ(dromos::connected_components(Space(), graph, scratch, result).edges_left_out, graph.num_edges());
}

/// By sweeps alone n^2 / 2 updates.
TYPED_TEST(ConnectedComponentsTest, ColorsThatTravelFarAreFoundSerially) {
  dromos::test::ZooGraph path{"descending", 20000, {}, true};
  for (int v = 19999; v > 0; --v) path.edges.emplace_back(v, v - 1);
  for (const bool directed : {true, false}) {
    dromos::BuildOptions build;
    build.symmetrize = !directed;
    const auto graph = dromos::build_csr(Space(), path.edge_list<TypeParam>(), build);
    ComponentScratch<TypeParam, Memory> scratch(graph);
    ComponentResult<TypeParam, Memory> result;
    EXPECT_TRUE(dromos::connected_components(Space(), graph, scratch, result, {ComponentMethod::color, {}}).serial);
    EXPECT_EQ(to_vector(result.component), std::vector<TypeParam>(20000, 0));
  }
}

TYPED_TEST(ConnectedComponentsTest, AcceptsAGraphWithoutVertices) {
  const dromos::CsrGraph<TypeParam, Memory> empty;
  ComponentScratch<TypeParam, Memory> scratch(empty);
  ComponentResult<TypeParam, Memory> result;
  for (const ComponentMethod method : dromos::all_component_methods()) {
    ComponentOptions options;
    options.method = method;
    const auto statistics = dromos::connected_components(Space(), empty, scratch, result, options);
    EXPECT_EQ(statistics.components.num_components, 0);
    EXPECT_EQ(statistics.components.largest_component, 0);
  }
}

TYPED_TEST(ConnectedComponentsTest, RefusesWhatCannotBeUsed) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}});
  ComponentScratch<TypeParam, Memory> other, scratch(graph);
  ComponentResult<TypeParam, Memory> result;
  EXPECT_THROW(dromos::connected_components(Space(), graph, other, result), dromos::ArgumentError);
  ComponentOptions options;
  options.sample_size = 0;
  EXPECT_THROW(dromos::connected_components(Space(), graph, scratch, result, options), dromos::ArgumentError);
}

TYPED_TEST(ConnectedComponentsTest, RulesRejectWrongLabels) {
  // 0-3, 1-2, 4 alone; the direction of edges does not matter.
  const auto graph = dromos::test::make_graph<TypeParam>({{}, {2}, {}, {0}, {}});
  const auto judge = [&](const std::vector<TypeParam>& labels) {
    return dromos::validate_components(Space(), graph, dromos::test::to_view(labels));
  };
  EXPECT_TRUE(judge({0, 1, 1, 0, 4}).holds);
  EXPECT_NE(judge({0, 1, 1, 0, 3}).message.find("vertex 4 has component 3"), std::string::npos);  // no smallest member
  EXPECT_FALSE(judge({3, 1, 1, 3, 4}).holds);                                                     // not the smallest
  EXPECT_FALSE(judge({0, 1, 1, 0, 77}).holds);
  EXPECT_FALSE(judge({0, -1, 1, 0, 4}).holds);
  EXPECT_NE(judge({0, 1, 1, 3, 4}).message.find("edge leaves vertex 3"), std::string::npos);  // a component torn apart
  EXPECT_NE(judge({0, 0, 0, 0, 4}).message.find("no path joins"), std::string::npos);         // two taken for one
  EXPECT_FALSE(judge({0, 1, 1, 0}).holds);
}

TEST(ComponentMethodTest, HasANameThatIsUnderstood) {
  for (const ComponentMethod method : dromos::all_component_methods()) {
    EXPECT_EQ(dromos::component_method_from_name(dromos::component_method_name(method)), method);
  }
  EXPECT_THROW(dromos::component_method_from_name("union-find"), dromos::ArgumentError);
}

}  // namespace
