// SPDX-License-Identifier: BSD-3-Clause
// Reverse Cuthill-McKee with every strategy and both widths of ids: the order of the serial algorithm from the same
// starts, the same from every strategy, and bandwidths that are known where a graph's are; rules reject other orders.
#include <dromos/algorithms/rcm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/bandwidth.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/ordering_rules.hpp>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::RcmResult;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::ZooGraph;

/// Bandwidth and profile by their definition.
template <class Vertex>
std::pair<std::int64_t, std::int64_t> measures_by_definition(const dromos::CsrGraph<Vertex, Memory>& graph,
                                                             const std::vector<Vertex>& new_id) {
  const auto rows = dromos::test::rows_of(graph);
  std::int64_t bandwidth = 0, profile = 0;
  for (std::size_t u = 0; u < rows.size(); ++u) {
    std::int64_t reach = 0;
    for (const Vertex v : rows[u]) {
      const std::int64_t distance = std::int64_t(new_id[u]) - new_id[static_cast<std::size_t>(v)];
      bandwidth = std::max(bandwidth, std::abs(distance));
      reach = std::max(reach, distance);
    }
    profile += reach;
  }
  return {bandwidth, profile};
}

template <class Vertex>
class RcmTest : public ::testing::Test {
 protected:
  void expect_right(const ZooGraph& zoo, bool simple, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name + (simple ? " simple" : ""));
    const auto graph = dromos::test::build_undirected<Vertex>(zoo, simple);
    std::vector<Vertex> first;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      RcmResult<Vertex, Memory> result;
      dromos::RcmOptions options;
      options.strategy = strategy;
      const auto statistics = dromos::rcm(Space(), graph, result, options);
      const auto proof = dromos::validate_rcm(graph, result.new_id, result.old_id);
      ASSERT_TRUE(proof.holds) << proof.message;
      EXPECT_GT(statistics.num_levels, 0);
      EXPECT_GE(statistics.num_searches, 1);
      const std::vector<Vertex> new_id = to_vector(result.new_id);
      if (first.empty()) first = new_id;
      ASSERT_EQ(new_id, first) << "another order than that of the first strategy";
      // By all threads from the first level on, or from one of some edges on: the same.
      for (const std::int64_t most_serial_edges : {0, 30}) {
        options.most_serial_edges = most_serial_edges;
        RcmResult<Vertex, Memory> by_levels;
        const auto found = dromos::rcm(Space(), graph, by_levels, options);
        ASSERT_EQ(to_vector(by_levels.new_id), first) << "serial up to " << most_serial_edges << " edges";
        ASSERT_EQ(to_vector(by_levels.old_id), to_vector(result.old_id));
        EXPECT_EQ(found.num_levels, statistics.num_levels);
        EXPECT_EQ(found.num_components, statistics.num_components);
        EXPECT_EQ(found.num_searches, statistics.num_searches);
      }
      expect_same_by_lists(graph, strategy, new_id);
      const auto [bandwidth, profile] = measures_by_definition(graph, new_id);
      EXPECT_EQ(dromos::bandwidth(Space(), graph, result.new_id, strategy), bandwidth);
      EXPECT_EQ(dromos::profile(Space(), graph, result.new_id, strategy), profile);
    }
  }

  /// By lists of the vertices of each level, as GPUs do it where all rows are short.
  static void expect_same_by_lists(const dromos::CsrGraph<Vertex, Memory>& graph, const Strategy& strategy,
                                   const std::vector<Vertex>& new_id) {
    dromos::ComponentScratch<Vertex, Memory> scratch(graph);
    dromos::ComponentResult<Vertex, Memory> components;
    dromos::connected_components(Space(), graph, scratch, components);
    const auto view = graph.view();
    if (!dromos::detail::rows_are_short(Space(), view)) return;
    using View = std::decay_t<decltype(view)>;
    dromos::detail::PeripheralStarts<Space, View> starts(Space(), view, components.component, strategy);
    starts.search(dromos::RcmOptions{}.max_searches);
    dromos::detail::ListedLevelOrder<Space, View> order(Space(), view, components.component);
    const Kokkos::View<Vertex*, Memory> place("place", new_id.size());
    order.number(starts.starts(), starts.num_starts(), starts.levels(), place);
    std::vector<Vertex> reversed = to_vector(place);
    for (Vertex& v : reversed) v = static_cast<Vertex>(new_id.size()) - 1 - v;
    EXPECT_EQ(reversed, new_id) << "another order by lists of levels";
  }

  std::int64_t bandwidth_of(const ZooGraph& zoo) {
    const auto graph = dromos::test::build_undirected<Vertex>(zoo, true);
    RcmResult<Vertex, Memory> result;
    dromos::rcm(Space(), graph, result);
    return dromos::bandwidth(Space(), graph, result.new_id);
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(RcmTest, VertexTypes, );

TYPED_TEST(RcmTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, false, dromos::test::some_tunings());
    this->expect_right(zoo, true, dromos::all_strategies());
  }
}

TYPED_TEST(RcmTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed), seed % 2 == 0,
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(RcmTest, KnowsWhatIsKnown) {
  // Numbers that say nothing of the shape: the order must find it again.
  for (ZooGraph zoo : dromos::test::graph_zoo()) {
    std::vector<std::int64_t> shuffled(static_cast<std::size_t>(zoo.num_vertices));
    std::iota(shuffled.begin(), shuffled.end(), std::int64_t(0));
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(7));
    for (auto& [u, v] : zoo.edges) {
      u = shuffled[static_cast<std::size_t>(u)];
      v = shuffled[static_cast<std::size_t>(v)];
    }
    if (zoo.name == "path-700") {
      EXPECT_EQ(this->bandwidth_of(zoo), 1);
    }
    if (zoo.name == "cycle-333") {
      EXPECT_EQ(this->bandwidth_of(zoo), 2);
    }
    if (zoo.name == "complete") {
      EXPECT_EQ(this->bandwidth_of(zoo), 39);
    }
    if (zoo.name == "two-vertices-without-edges") {
      EXPECT_EQ(this->bandwidth_of(zoo), 0);
    }
    if (zoo.name == "grid-17x23") {
      EXPECT_LE(this->bandwidth_of(zoo), 17 + 1);
    }
  }
}

TYPED_TEST(RcmTest, StartsAtThePeriphery) {
  // A path whose middle vertices have the smallest degree: its ends are cliques.
  ZooGraph zoo;
  zoo.num_vertices = 24;
  for (const std::int64_t first : {0, 20}) {
    for (std::int64_t u = first; u < first + 4; ++u) {
      for (std::int64_t v = u + 1; v < first + 4; ++v) zoo.edges.emplace_back(u, v);
    }
  }
  for (std::int64_t v = 3; v < 20; ++v) zoo.edges.emplace_back(v, v + 1);
  const auto graph = dromos::test::build_undirected<TypeParam>(zoo, true);
  RcmResult<TypeParam, Memory> result;
  const auto statistics = dromos::rcm(Space(), graph, result);
  EXPECT_EQ(statistics.num_levels, 20);  // from one clique to the other
  dromos::RcmOptions once;
  once.max_searches = 1;
  EXPECT_LT(dromos::rcm(Space(), graph, result, once).num_levels, 20);
}

TYPED_TEST(RcmTest, NumbersByDegreesThatBytesCannotHold) {
  // Hubs of 254 to 400 leaves, each two of which share a leaf; and a component of hubs alone, beside it.
  ZooGraph zoo;
  for (std::int64_t hub = 0; hub < 12; ++hub) zoo.edges.emplace_back(hub, (hub + 1) % 12);
  std::int64_t next = 12;
  for (std::int64_t hub = 0; hub < 12; ++hub) {
    for (std::int64_t leaf = 0; leaf < 250 + (hub * 5) % 12 * 13; ++leaf) zoo.edges.emplace_back(hub, next++);
  }
  const std::int64_t first = next;
  for (std::int64_t u = 0; u < 300; ++u) {
    for (std::int64_t v = u + 1; v < 300; ++v) {
      if ((u + v) % 17 != 0) zoo.edges.emplace_back(first + u, first + v);
    }
  }
  zoo.num_vertices = first + 300;
  this->expect_right(zoo, true, dromos::all_strategies());
}

TYPED_TEST(RcmTest, TakesAnyNumberOfSearches) {
  // A comb with teeth that get longer: every search may find a deeper one, and components do not wait for each other.
  ZooGraph zoo;
  std::int64_t next = 0;
  for (const std::int64_t size : {40, 3, 17, 1, 2}) {
    const std::int64_t begin = next;
    next += size;
    for (std::int64_t i = 0; i + 1 < size; ++i) zoo.edges.emplace_back(begin + i, begin + i + 1);
    for (std::int64_t i = 1; i < size; ++i) {
      std::int64_t tip = begin + i;
      for (std::int64_t tooth = 0; tooth < (i * 7) % size; ++tooth) {
        zoo.edges.emplace_back(tip, next);
        tip = next++;
      }
    }
  }
  zoo.num_vertices = next;
  const auto graph = dromos::test::build_undirected<TypeParam>(zoo, true);
  for (const int max_searches : {1, 2, 3, 1000}) {
    dromos::RcmOptions options;
    options.max_searches = max_searches;
    RcmResult<TypeParam, Memory> alone, by_levels;
    const auto found = dromos::rcm(Space(), graph, alone, options);
    options.most_serial_edges = 0;
    EXPECT_EQ(dromos::rcm(Space(), graph, by_levels, options).num_searches, found.num_searches);
    EXPECT_EQ(to_vector(alone.new_id), to_vector(by_levels.new_id)) << max_searches << " searches";
    EXPECT_TRUE(dromos::validate_rcm(graph, alone.new_id, alone.old_id).holds);
  }
}

TYPED_TEST(RcmTest, AcceptsAGraphWithoutVertices) {
  dromos::CsrGraph<TypeParam, Memory> empty;
  empty.directed = false;
  RcmResult<TypeParam, Memory> result;
  EXPECT_EQ(dromos::rcm(Space(), empty, result).num_levels, 0);
  EXPECT_EQ(dromos::bandwidth(Space(), empty, result.new_id), 0);
}

TYPED_TEST(RcmTest, RefusesWhatItCannotUse) {
  auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}}, false);
  RcmResult<TypeParam, Memory> result;
  dromos::RcmOptions options;
  options.max_searches = 0;
  EXPECT_THROW(dromos::rcm(Space(), graph, result, options), dromos::ArgumentError);
  EXPECT_THROW(dromos::bandwidth(Space(), graph, dromos::test::to_view<TypeParam>({0})), dromos::ArgumentError);
  graph.directed = true;
  EXPECT_THROW(dromos::rcm(Space(), graph, result), dromos::ArgumentError);
}

TYPED_TEST(RcmTest, RulesRejectOtherOrders) {
  // 0-1, 1-2, 1-3, 3-4: from 0 the levels are 0 | 1 | 2 3 | 4.
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0, 2, 3}, {1}, {1, 4}, {3}}, false);
  const auto judge = [&](std::vector<TypeParam> order) {
    std::reverse(order.begin(), order.end());
    std::vector<TypeParam> new_id(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) new_id[static_cast<std::size_t>(order[i])] = TypeParam(i);
    return dromos::validate_rcm(graph, dromos::test::to_view(new_id), dromos::test::to_view(order));
  };
  EXPECT_TRUE(judge({0, 1, 2, 3, 4}).holds);
  EXPECT_FALSE(judge({0, 1, 3, 2, 4}).holds) << "degrees fall";
  EXPECT_FALSE(judge({0, 1, 2, 4, 3}).holds) << "a child before its parent";
  EXPECT_FALSE(judge({0, 0, 2, 3, 4}).holds) << "a vertex twice";
  EXPECT_FALSE(judge({0, 1, 2, 3}).holds);
}

}  // namespace
