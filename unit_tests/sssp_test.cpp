// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths with every strategy, both widths of ids, every type of distances and buckets from tiny to infinite:
// bit for bit the distances of Dijkstra's algorithm in that type, those that the LDBC ships, and every rule of
// validation rejects a wrong one.
#include <dromos/algorithms/sssp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "ldbc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::no_vertex;
using dromos::SsspOptions;
using dromos::SsspScratch;
using dromos::Strategy;
using dromos::test::build;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Weights of several kinds, one a vertex pair.
enum class Weights { uniform, zero_or_one, one, far_apart, large_and_whole };
constexpr std::uint64_t num_kinds_of_weights = 5;

template <class Vertex>
dromos::CsrGraph<Vertex, Memory> with_weights(const dromos::CsrGraph<Vertex, Memory>& graph, Weights kind) {
  auto weighted = dromos::with_random_weights(Space(), graph, 7);
  std::vector<float> weights = to_vector(weighted.weights);
  for (float& w : weights) {
    if (kind == Weights::zero_or_one) w = w < 0.5f ? 0 : 1;
    if (kind == Weights::one) w = 1;
    if (kind == Weights::large_and_whole) w = std::floor(w * 16777216.0f);
    if (kind == Weights::far_apart) w = w < 0.3f ? w * 1e-9f : w < 0.6f ? w : w * 1e9f;
  }
  weighted.weights = dromos::test::to_view(weights);
  return weighted;
}

/// A graph written down as (target, weight) rows.
template <class Vertex>
dromos::CsrGraph<Vertex, Memory> weighted_graph(const std::vector<std::vector<Vertex>>& rows,
                                                const std::vector<float>& weights) {
  auto graph = dromos::test::make_graph<Vertex>(rows);
  graph.weights = dromos::test::to_view(weights);
  return graph;
}

template <class Vertex>
class SsspTest : public ::testing::Test {
 protected:
  /// In every type that the weights allow.
  void expect_right(const dromos::CsrGraph<Vertex, Memory>& graph, Vertex root, const std::vector<Strategy>& strategies,
                    float delta) {
    bool whole = true;
    for (const float w : to_vector(graph.weights)) whole = whole && w == std::floor(w);
    SsspScratch<Vertex, Memory> scratch(Space(), graph);
    ASSERT_EQ(scratch.whole, whole);
    expect_right_in_all_types(scratch, root, strategies, {delta});
    // Light edges of every bucket before heavy ones, which otherwise only large buckets of large graphs do.
    const double width = delta > 0 && delta < infinity ? static_cast<double>(delta) : scratch.width_of_bucket();
    if (!(width > 0)) return;
    scratch.rows = dromos::split_rows(Space(), graph, {static_cast<float>(2 * width)});
    scratch.looks_back = SsspScratch<Vertex, Memory>::template may_look_back<dromos::NoHalo> && !graph.directed &&
                         dromos::detail::weights_are_symmetric(Space(), graph.view(), graph.weights);
    expect_right_in_all_types(scratch, root, strategies, {delta, {}, 1});
  }

  void expect_right_in_all_types(SsspScratch<Vertex, Memory>& scratch, Vertex root,
                                 const std::vector<Strategy>& strategies, const SsspOptions& options) {
    expect_right<float>(scratch, root, strategies, options);
    expect_right<double>(scratch, root, strategies, options);
    if (scratch.whole) expect_right<std::int64_t>(scratch, root, strategies, options);
  }

  template <class Distance>
  void expect_right(SsspScratch<Vertex, Memory>& scratch, Vertex root, const std::vector<Strategy>& strategies,
                    SsspOptions options) {
    constexpr bool whole = std::is_integral_v<Distance>;
    SCOPED_TRACE(whole ? "whole" : sizeof(Distance) == sizeof(float) ? "float" : "double");
    const auto& graph = scratch.graph;
    const auto expected =
        dromos::reference::shortest_distances<Distance>(dromos::copy_to<Kokkos::HostSpace>(graph), root);
    std::int64_t num_reached = 0;
    Distance largest = 0;
    for (const Distance d : expected) {
      num_reached += d < dromos::no_distance<Distance>;
      if (d < dromos::no_distance<Distance>) largest = std::max(largest, d);
    }
    Kokkos::View<Distance*, Memory> distance;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy) + ", root " + std::to_string(root) + ", delta " +
                   std::to_string(options.delta) + (scratch.rows.is_split ? ", split" : ""));
      options.strategy = strategy;
      const auto statistics = dromos::sssp(Space(), scratch, root, distance, options);
      ASSERT_EQ(to_vector(distance), expected);
      EXPECT_EQ(statistics.num_reached, num_reached);
      EXPECT_EQ(statistics.largest_distance, static_cast<double>(largest));
      if (whole) {
        EXPECT_EQ(statistics.largest_whole_distance, static_cast<std::int64_t>(largest));
      }
      EXPECT_GE(statistics.num_sweeps, statistics.num_buckets);
      // A CPU's threads may do without where all is left to the library.
      const bool has_buckets =
          dromos::is_gpu<Space> || options.delta > 0 || !std::holds_alternative<dromos::Best>(strategy);
      EXPECT_GE(statistics.num_buckets, has_buckets ? 1 : 0);
      const auto proof = dromos::validate_distances(Space(), graph, root, distance, 1e-4);
      ASSERT_TRUE(proof.holds) << proof.message;
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SsspTest, VertexTypes, );

TYPED_TEST(SsspTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    const auto graph = with_weights(build<TypeParam>(zoo), Weights::uniform);
    const TypeParam last = graph.num_vertices() - 1;
    this->expect_right(graph, 0, dromos::test::some_tunings(), 0);
    this->expect_right(graph, last, {dromos::Best{}}, 0);  // a CPU's threads without sweeps
    this->expect_right(graph, last, dromos::all_strategies(), infinity);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(SsspTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(1000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto graph =
        with_weights(build<TypeParam>(dromos::test::random_small_graph(seed)), Weights(seed % num_kinds_of_weights));
    const float deltas[] = {0, 0.01f, infinity};
    this->expect_right(graph, static_cast<TypeParam>(seed % graph.num_vertices()),
                       {dromos::Best{}, tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]},
                       deltas[seed % 3]);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(SsspTest, IsWhatTheLdbcShips) {
  using dromos::test::data_path;
  DROMOS_SKIP_WITHOUT(dromos::test::ldbc_archive);
  struct Case {
    std::string edges, result;
    bool directed;
  };
  for (const auto& test :
       {Case{"sssp/dir-input", "sssp/dir-output", true}, Case{"sssp/undir-input", "sssp/undir-output", false},
        Case{"example/example-directed", "example/example-directed-SSSP", true},
        Case{"example/example-undirected", "example/example-undirected-SSSP", false}}) {
    SCOPED_TRACE(test.edges);
    const auto ldbc = dromos::test::ldbc_edges(test.edges);
    const auto values = dromos::test::ldbc_values(test.result);
    ASSERT_EQ(static_cast<std::int64_t>(values.size()), ldbc.num_vertices());
    dromos::BuildOptions options;
    options.symmetrize = !test.directed;
    const auto graph = dromos::build_csr(Space(), ldbc.template edge_list<TypeParam>(), options);
    TypeParam root = 0;  // theirs is the one with distance 0
    while (values[root] != 0) ++root;
    for (const Strategy& strategy : dromos::all_strategies()) {
      SsspScratch<TypeParam, Memory> scratch(Space(), graph);
      Kokkos::View<float*, Memory> distance;
      dromos::sssp(Space(), scratch, root, distance, {0, strategy});
      const auto found = to_vector(distance);
      for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] < 1e30) {
          EXPECT_NEAR(found[v], values[v], 1e-5 * (1 + values[v])) << "vertex " << v;
        } else {
          EXPECT_EQ(found[v], infinity) << "vertex " << v;
        }
      }
    }
  }
}

TYPED_TEST(SsspTest, TakesTheLongWayWhereItIsShorter) {
  // 0 -10-> 1;  0 -1-> 2 -1-> 3 -1-> 1;  4 -> 0 is never taken; two edges 3 -> 1, of which one is lighter
  const auto graph = weighted_graph<TypeParam>({{1, 2}, {}, {3}, {1, 1}, {0}}, {10, 1, 1, 5, 1, 0});
  SsspScratch<TypeParam, Memory> scratch(Space(), graph);
  Kokkos::View<float*, Memory> distance;
  for (const float delta : {0.0f, 0.5f, 2.5f, 100.0f}) {
    const auto statistics = dromos::sssp(Space(), scratch, TypeParam(0), distance, {delta, {}});
    EXPECT_EQ(to_vector(distance), (std::vector<float>{0, 3, 1, 2, infinity}));
    EXPECT_EQ(statistics.num_reached, 4);
    EXPECT_EQ(statistics.largest_distance, 3);
  }
}

TYPED_TEST(SsspTest, BucketsAreWhatDeltaSays) {
  // A path of 100 edges of weight 1: a bucket of width 10 holds ten vertices, and nothing is done twice.
  dromos::test::ZooGraph path;
  path.num_vertices = 101;
  for (int i = 0; i < 100; ++i) path.edges.emplace_back(i, i + 1);
  const auto graph = with_weights(build<TypeParam>(path), Weights::one);
  SsspScratch<TypeParam, Memory> scratch(Space(), graph);
  Kokkos::View<float*, Memory> distance;
  const auto statistics = dromos::sssp(Space(), scratch, TypeParam(0), distance, {10, {}});
  EXPECT_EQ(statistics.num_buckets, 11);
  EXPECT_EQ(statistics.edges_relaxed, 100);
  EXPECT_EQ(dromos::sssp(Space(), scratch, TypeParam(0), distance, {infinity, {}}).num_buckets, 1);
  // Twice the mean weight over the mean degree, 2, and twice as wide each time: 2 6 14 30 62 126.
  EXPECT_EQ(dromos::sssp(Space(), scratch, TypeParam(0), distance, {0, dromos::VertexChunk{}}).num_buckets, 6);
  const auto chosen = dromos::sssp(Space(), scratch, TypeParam(0), distance);
  EXPECT_EQ(chosen.num_buckets, dromos::is_gpu<Space> ? 6 : 0) << "a CPU's threads need no sweeps here";
  EXPECT_EQ(chosen.edges_without_sweeps, dromos::is_gpu<Space> ? 0 : 100);
}

/// One weight of 10^12 among small ones must not make buckets so wide that everything is done again and again.
TYPED_TEST(SsspTest, OneHugeWeightDoesNotSpoilTheBuckets) {
  constexpr int side = 100;
  dromos::test::ZooGraph grid;
  grid.num_vertices = side * side;
  for (int v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) grid.edges.emplace_back(v, v + 1);
    if (v + side < side * side) grid.edges.emplace_back(v, v + side);
  }
  const auto relaxed = [&](const dromos::test::ZooGraph& zoo, double huge) {
    auto graph = with_weights(build<TypeParam>(zoo), Weights::large_and_whole);
    auto weights = to_vector(graph.weights);
    for (float& w : weights) w = std::floor(w / 16384) + 1;
    if (huge > 0) weights[0] = static_cast<float>(huge);
    graph.weights = dromos::test::to_view(weights);
    SsspScratch<TypeParam, Memory> scratch(Space(), graph);
    Kokkos::View<std::int64_t*, Memory> distance;
    return dromos::sssp(Space(), scratch, TypeParam(0), distance).edges_relaxed;
  };
  EXPECT_LE(relaxed(grid, 1e12), 1.5 * relaxed(grid, 0));
}

/// Also those that leave a bucket which nobody has counted when it is taken.
TYPED_TEST(SsspTest, CountsTheEdgesOfLargeBuckets) {
  dromos::test::ZooGraph star;
  star.num_vertices = 1001;
  for (int i = 1; i <= 1000; ++i) star.edges.emplace_back(0, i);
  const auto graph = with_weights(build<TypeParam>(star), Weights::one);
  SsspScratch<TypeParam, Memory> scratch(Space(), graph);
  Kokkos::View<float*, Memory> distance;
  const auto statistics = dromos::sssp(Space(), scratch, TypeParam(0), distance, {0.5f, {}});
  EXPECT_EQ(statistics.num_buckets, 2);
  EXPECT_EQ(statistics.edges_relaxed, graph.num_edges());
}

/// Leaves of a hub at 0.9, which a detour over another vertex brings to 0.2 in the sweep after: in the bucket [0, 1)
/// all of them join twice, and have their heavy edges twice, unless those wait until the bucket is settled.
TYPED_TEST(SsspTest, HeavyEdgesAreLookedAtOnce) {
  constexpr int num_leaves = 400, num_heavy = 40;
  std::vector<std::vector<TypeParam>> rows(num_leaves + 2);
  std::vector<float> weights;
  rows[0].push_back(1);  // the detour
  weights.push_back(0.1f);
  for (int leaf = 0; leaf < num_leaves; ++leaf) rows[0].push_back(static_cast<TypeParam>(leaf + 2));
  weights.insert(weights.end(), num_leaves, 0.9f);
  for (int leaf = 0; leaf < num_leaves; ++leaf) rows[1].push_back(static_cast<TypeParam>(leaf + 2));
  weights.insert(weights.end(), num_leaves, 0.1f);
  for (int leaf = 0; leaf < num_leaves; ++leaf) {
    auto& row = rows[static_cast<std::size_t>(leaf + 2)];
    for (int i = 1; i <= num_heavy; ++i) row.push_back(static_cast<TypeParam>(2 + (leaf + i) % num_leaves));
    weights.insert(weights.end(), num_heavy, 50.0f);
  }
  const auto graph = weighted_graph<TypeParam>(rows, weights);
  SsspScratch<TypeParam, Memory> scratch(Space(), graph);
  Kokkos::View<double*, Memory> distance;
  scratch.rows = dromos::unsplit_rows(graph);
  EXPECT_EQ(dromos::sssp(Space(), scratch, TypeParam(0), distance, {1.0f, {}}).edges_relaxed,
            1 + 2 * num_leaves + 2 * num_leaves * num_heavy);
  const auto expected = to_vector(distance);
  scratch.rows = dromos::split_rows(Space(), graph, {1.5f});
  EXPECT_EQ(dromos::sssp(Space(), scratch, TypeParam(0), distance, {1.0f, {}, 1}).edges_relaxed,
            1 + 2 * num_leaves + num_leaves * num_heavy);
  EXPECT_EQ(to_vector(distance), expected);
}

TYPED_TEST(SsspTest, SplitRowsHaveTheSameEdges) {
  const auto graph = with_weights(build<TypeParam>(dromos::test::random_small_graph(5)), Weights::uniform);
  for (const std::vector<float>& bounds :
       std::vector<std::vector<float>>{{0.0f}, {0.4f}, {2.0f}, {0.3f, 0.6f}, {0.1f, 0.2f, 0.4f, 0.8f, 1.6f}}) {
    const auto rows = dromos::split_rows(Space(), graph, bounds);
    ASSERT_EQ(rows.last_class(), static_cast<int>(bounds.size()));
    const auto row_map = to_vector(graph.row_map);
    const auto entries = to_vector(graph.entries), split_entries = to_vector(rows.entries);
    const auto weights = to_vector(graph.weights), split_weights = to_vector(rows.weights);
    std::vector<std::vector<dromos::Offset>> ends;
    for (const auto& of_class : rows.class_ends) ends.push_back(to_vector(of_class));
    for (std::size_t u = 0; u + 1 < row_map.size(); ++u) {
      std::vector<std::pair<TypeParam, float>> before, after;
      for (auto e = row_map[u]; e < row_map[u + 1]; ++e) {
        const auto i = static_cast<std::size_t>(e);
        before.emplace_back(entries[i], weights[i]);
        after.emplace_back(split_entries[i], split_weights[i]);
        for (std::size_t c = 0; c < bounds.size(); ++c) EXPECT_EQ(e < ends[c][u], split_weights[i] < bounds[c]);
      }
      std::sort(before.begin(), before.end());
      std::sort(after.begin(), after.end());
      EXPECT_EQ(before, after);
    }
  }
}

/// Thick enough to be looked at in classes: half of the vertices have most edges, or all have as many.
template <class Vertex>
dromos::CsrGraph<Vertex, Memory> thick_graph(bool skewed) {
  dromos::BuildOptions options;
  options.symmetrize = options.remove_duplicates = true;
  dromos::KroneckerOptions kronecker;
  kronecker.scale = 11;
  kronecker.edge_factor = 32;
  dromos::ErdosRenyiOptions uniform;
  uniform.num_vertices = 1000;
  uniform.num_edges = 16000;
  return dromos::build_csr(Space(),
                           skewed ? dromos::generate_kronecker<Vertex>(Space(), kronecker)
                                  : dromos::generate_erdos_renyi<Vertex>(Space(), uniform),
                           options);
}

/// Where heavy edges have their turn when distances have come up to them, most are not looked at.
TYPED_TEST(SsspTest, EdgesInClassesFindTheSameDistances) {
  bool on_gpu = dromos::is_gpu<Space>;
  if (on_gpu) GTEST_SKIP() << "GPUs look at all edges of who is settled";
  for (const bool skewed : {false, true}) {
    const auto graph = thick_graph<TypeParam>(skewed);
    const auto row_map = to_vector(graph.row_map);
    const auto degree = [&](TypeParam u) {
      return row_map[static_cast<std::size_t>(u) + 1] - row_map[static_cast<std::size_t>(u)];
    };
    TypeParam hub = 0, leaf = no_vertex<TypeParam>;
    for (TypeParam u = 0; u < graph.num_vertices(); ++u) {
      if (degree(u) > degree(hub)) hub = u;
      if (degree(u) > 0 && (leaf == no_vertex<TypeParam> || degree(u) < degree(leaf))) leaf = u;
    }
    for (std::uint64_t kind = 0; kind < num_kinds_of_weights; ++kind) {
      const auto weights = static_cast<Weights>(kind);
      SCOPED_TRACE((skewed ? "Kronecker, weights " : "uniform, weights ") + std::to_string(kind));
      SsspScratch<TypeParam, Memory> scratch(Space(), with_weights(graph, weights));
      ASSERT_TRUE(scratch.in_classes);
      ASSERT_GT(scratch.rows.last_class(), 1);
      for (const TypeParam root : {hub, leaf}) {
        this->expect_right_in_all_types(scratch, root, dromos::all_strategies(), {});
        this->expect_right_in_all_types(scratch, root, {dromos::Best{}}, {1e30f, {}});
        if (weights != Weights::uniform) continue;
        Kokkos::View<double*, Memory> distance;
        const auto looked_at = dromos::sssp(Space(), scratch, root, distance).edges_relaxed;
        EXPECT_LT(looked_at, skewed ? graph.num_edges() / 4 : graph.num_edges() * 3 / 4);
      }
    }
  }
}

/// Nobody can look for a way along an edge that has another weight in the other direction.
TYPED_TEST(SsspTest, EdgesOfTwoWeightsAreNotLookedAtFromBothEnds) {
  auto graph = with_weights(thick_graph<TypeParam>(false), Weights::uniform);
  EXPECT_EQ((SsspScratch<TypeParam, Memory>(Space(), graph)).in_classes, !dromos::is_gpu<Space>);
  auto weights = to_vector(graph.weights);
  weights[weights.size() / 2] *= 0.5f;
  graph.weights = dromos::test::to_view(weights);
  EXPECT_FALSE((SsspScratch<TypeParam, Memory>(Space(), graph)).in_classes);
  this->expect_right(graph, 0, {dromos::Best{}}, 0);
  std::mt19937 random(5);
  for (float& weight : weights) weight = static_cast<float>(random() % 1000);
  graph.weights = dromos::test::to_view(weights);
  EXPECT_FALSE((SsspScratch<TypeParam, Memory>(Space(), graph)).in_classes);
  this->expect_right(graph, 0, {dromos::Best{}}, 0);
}

TYPED_TEST(SsspTest, EndsWhereDeltaIsLostInRounding) {
  // Distances near 2^24, where floats are 1 or 2 apart, and a bucket of 1e-6.
  const auto graph = weighted_graph<TypeParam>({{1}, {2}, {3}, {}}, {16777215, 1, 2});
  this->expect_right(graph, 0, dromos::all_strategies(), 1e-6f);
}

/// 16777216 is the first number to which a float cannot add 1.
TYPED_TEST(SsspTest, WholeWeightsHaveExactDistances) {
  const auto graph = weighted_graph<TypeParam>({{1}, {2}, {3}, {4}, {}, {}}, {16777216, 1, 1, 1});
  SsspScratch<TypeParam, Memory> scratch(Space(), graph);
  EXPECT_TRUE(scratch.whole);
  Kokkos::View<std::int64_t*, Memory> whole;
  const auto statistics = dromos::sssp(Space(), scratch, TypeParam(0), whole);
  EXPECT_EQ(to_vector(whole), (std::vector<std::int64_t>{0, 16777216, 16777217, 16777218, 16777219,
                                                         std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(statistics.largest_whole_distance, 16777219);
  EXPECT_EQ(statistics.num_reached, 5);
  EXPECT_TRUE(dromos::validate_distances(Space(), graph, TypeParam(0), whole).holds);

  Kokkos::View<float*, Memory> rounded;
  dromos::sssp(Space(), scratch, TypeParam(0), rounded);
  const auto verdict = dromos::validate_distances(Space(), graph, TypeParam(0), rounded);
  EXPECT_NE(verdict.message.find("vertex 3 is 16777216.000000, in double 16777218"), std::string::npos)
      << verdict.message;
  EXPECT_TRUE(dromos::validate_distances(Space(), graph, TypeParam(0), rounded, 1e-6).holds);
}

TYPED_TEST(SsspTest, WholeDistancesAreForWeightsThatHaveThem) {
  const auto scratch_of = [](const std::vector<float>& weights) {
    return SsspScratch<TypeParam, Memory>(Space(), weighted_graph<TypeParam>({{1}, {2}, {}}, weights));
  };
  EXPECT_TRUE(scratch_of({3, 0}).whole);
  EXPECT_TRUE(scratch_of({1e18f, 2e18f}).whole);
  EXPECT_FALSE(scratch_of({3e18f, 3e18f}).whole) << "6e18 is below 2^63, and above 2^62";
  EXPECT_FALSE(scratch_of({1e30f, 0}).whole);
  EXPECT_FALSE(scratch_of({infinity, 0}).whole);
  Kokkos::View<std::int64_t*, Memory> distance;
  for (const std::vector<float>& weights : {std::vector<float>{3, 0.5f}, std::vector<float>{3e18f, 3e18f}}) {
    auto scratch = scratch_of(weights);
    EXPECT_THROW(dromos::sssp(Space(), scratch, TypeParam(0), distance), dromos::ArgumentError) << weights[1];
  }
  // Buckets that end beyond all whole numbers, and distances near the largest.
  auto scratch = scratch_of({1e18f, 2e18f});
  for (const float delta : {0.0f, 1e19f, infinity}) {
    dromos::sssp(Space(), scratch, TypeParam(0), distance, {delta, {}});
    EXPECT_EQ(to_vector(distance)[2], static_cast<std::int64_t>(1e18f) + static_cast<std::int64_t>(2e18f)) << delta;
  }
}

/// Roads of New York, a hundred times as long: distances have up to 28 bits, of which a float drops four.
TYPED_TEST(SsspTest, LongRoadsAreExact) {
  using dromos::test::data_path;
  const std::string file = "USA-road-d.NY.gr.xz";
  DROMOS_SKIP_WITHOUT(file);
  dromos::ReadOptions options;
  options.weights = true;
  const auto input = dromos::read_graph<TypeParam>(data_path(file), options);
  auto graph = dromos::build_csr(Space(), dromos::copy_to<Memory>(input.edges));
  auto weights = to_vector(graph.weights);
  for (float& w : weights) w *= 100;
  graph.weights = dromos::test::to_view(weights);
  const auto expected =
      dromos::reference::shortest_distances<std::int64_t>(dromos::copy_to<Kokkos::HostSpace>(graph), TypeParam(0));
  SsspScratch<TypeParam, Memory> scratch(Space(), graph);
  ASSERT_TRUE(scratch.whole);
  Kokkos::View<std::int64_t*, Memory> distance;
  const auto statistics = dromos::sssp(Space(), scratch, TypeParam(0), distance);
  EXPECT_EQ(to_vector(distance), expected);
  EXPECT_GT(statistics.largest_whole_distance, 1 << 24);
  Kokkos::View<float*, Memory> rounded;
  dromos::sssp(Space(), scratch, TypeParam(0), rounded);
  EXPECT_FALSE(dromos::validate_distances(Space(), graph, TypeParam(0), rounded).holds);
}

TYPED_TEST(SsspTest, RefusesWhatItCannotUse) {
  using Scratch = SsspScratch<TypeParam, Memory>;
  const std::vector<std::vector<TypeParam>> rows = {{1}, {0}};
  const auto message = [&](const dromos::CsrGraph<TypeParam, Memory>& graph) -> std::string {
    try {
      Scratch(Space(), graph);
    } catch (const dromos::ArgumentError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(dromos::test::make_graph<TypeParam>(rows)).find("no weights"), std::string::npos);
  EXPECT_NE(message(weighted_graph<TypeParam>(rows, {1, -0.5f})).find("edge 1 has weight -0.5"), std::string::npos);
  EXPECT_NE(message(weighted_graph<TypeParam>(rows, {std::nanf(""), 1})).find("edge 0"), std::string::npos);
  EXPECT_EQ(message(weighted_graph<TypeParam>(rows, {0, 1})), "");

  Scratch scratch(Space(), weighted_graph<TypeParam>(rows, {1, 1}));
  Kokkos::View<float*, Memory> distance;
  for (const TypeParam root : {-1, 2}) {
    EXPECT_THROW(dromos::sssp(Space(), scratch, root, distance), dromos::ArgumentError);
  }
  for (const float delta : {-1.0f, std::nanf("")}) {
    EXPECT_THROW(dromos::sssp(Space(), scratch, TypeParam(0), distance, {delta, {}}), dromos::ArgumentError);
  }
}

TYPED_TEST(SsspTest, RulesRejectWrongWholeDistances) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto graph = weighted_graph<TypeParam>({{1}, {2}, {2}, {4}, {3}}, {16777216, 1, 0, 0, 0});
  const auto judge = [&](const std::vector<std::int64_t>& distance) {
    return dromos::validate_distances(Space(), graph, TypeParam(0), dromos::test::to_view(distance));
  };
  EXPECT_TRUE(judge({0, 16777216, 16777217, most, most}).holds);
  EXPECT_NE(judge({0, 16777216, 16777216, most, most}).message.find("vertex 2 has the length"), std::string::npos);
  EXPECT_NE(judge({0, 16777216, 16777218, most, most}).message.find("(1, 2) offers"), std::string::npos);
  EXPECT_NE(judge({0, 16777216, most, most, most}).message.find("(1, 2) offers"), std::string::npos);
  EXPECT_NE(judge({0, 16777216, 16777217, most - 1, most - 1}).message.find("vertex 3"), std::string::npos);
  EXPECT_NE(judge({0, -1, 16777217, most, most}).message.find("vertex 1 is negative"), std::string::npos);
}

TYPED_TEST(SsspTest, RulesRejectWrongDistances) {
  // 0 -1-> 1 -1-> 2, a cycle 3 -0-> 4 -0-> 3 that nobody reaches, and 2 -0-> 2
  const auto graph = weighted_graph<TypeParam>({{1}, {2}, {2}, {4}, {3}}, {1, 1, 0, 0, 0});
  const auto judge = [&](const std::vector<float>& distance) {
    return dromos::validate_distances(Space(), graph, TypeParam(0), dromos::test::to_view(distance));
  };
  EXPECT_TRUE(judge({0, 1, 2, infinity, infinity}).holds);
  EXPECT_NE(judge({1, 2, 3, infinity, infinity}).message.find("root 0 does not have distance 0"), std::string::npos);
  EXPECT_NE(judge({0, 1, -2, infinity, infinity}).message.find("vertex 2 is negative"), std::string::npos);
  EXPECT_NE(judge({0, 1, 2, std::nanf(""), infinity}).message.find("vertex 3"), std::string::npos);
  EXPECT_NE(judge({0, 1, 3, infinity, infinity}).message.find("(1, 2) offers vertex 2 a shorter"), std::string::npos);
  EXPECT_NE(judge({0, 1, infinity, infinity, infinity}).message.find("(1, 2)"), std::string::npos);
  EXPECT_NE(judge({0, 1, 1.5f, infinity, infinity}).message.find("vertex 2 has the length"), std::string::npos);
  EXPECT_NE(judge({0, 1, 2, 5, 5}).message.find("vertex 3 has the length"), std::string::npos);  // from nowhere
  EXPECT_FALSE(judge({0, 1, 2}).holds);
}

TYPED_TEST(SsspTest, RandomWeightsAreUniformAndTheSameBothWays) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    if (zoo.name != "kronecker-10") continue;
    const auto graph = dromos::with_random_weights(Space(), build<TypeParam>(zoo), 3);
    const auto rows = dromos::test::rows_of(graph);
    const auto weights = to_vector(graph.weights);
    std::map<std::pair<TypeParam, TypeParam>, float> of_pair;
    std::vector<int> histogram(10, 0);
    std::size_t e = 0;
    for (std::size_t u = 0; u < rows.size(); ++u) {
      for (const TypeParam v : rows[u]) {
        const float w = weights[e++];
        ASSERT_GT(w, 0);
        ASSERT_LE(w, 1);
        const std::pair<TypeParam, TypeParam> pair = std::minmax({static_cast<TypeParam>(u), v});
        const bool first = of_pair.find(pair) == of_pair.end();
        ASSERT_EQ(of_pair.emplace(pair, w).first->second, w);
        if (first) ++histogram[std::min(9, static_cast<int>(w * 10))];
      }
    }
    const double fair = static_cast<double>(of_pair.size()) / 10;
    for (const int count : histogram) EXPECT_NEAR(count, fair, 6 * std::sqrt(fair));
    EXPECT_EQ(to_vector(dromos::with_random_weights(Space(), build<TypeParam>(zoo), 3).weights), weights);
    EXPECT_NE(to_vector(dromos::with_random_weights(Space(), build<TypeParam>(zoo), 4).weights), weights);
  }
}

/// Long enough for a path that one thread goes on alone, and then a hub from whose 40,000 neighbors on it is too much
/// for one: each leads to a short path, and the last of these to a long one.
TEST(Sssp, IsRightWhereOneThreadGoesOnAlone) {
  using Graph = dromos::CsrGraph<std::int32_t, Memory>;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  std::int32_t n = 1;
  const auto path = [&](std::int32_t from, int length) {
    for (int i = 0; i < length; ++i, from = n++) edges.emplace_back(from, n);
    return from;
  };
  const std::int32_t hub = path(0, 20000);
  std::int32_t last = hub;
  for (int i = 0; i < 40000; ++i) last = path(hub, 3);
  path(last, 20000);
  dromos::BuildOptions build;
  build.symmetrize = true;
  const Graph drawn = dromos::with_random_weights(
      Space(), dromos::build_csr(Space(), dromos::test::make_edge_list<std::int32_t>(n, edges), build), 1);
  Graph whole = drawn;
  whole.weights = dromos::test::to_view(std::vector<float>(static_cast<std::size_t>(drawn.num_edges()), 3.0f));
  const auto expect_right = [](const Graph& graph, auto zero) {
    using Distance = decltype(zero);
    dromos::SsspScratch<std::int32_t, Memory> scratch(Space(), graph);
    Kokkos::View<Distance*, Memory> distance;
    // In a bucket of everything, too, which has no end before the path has.
    for (const float delta : {0.0f, std::numeric_limits<float>::infinity()}) {
      const auto statistics = dromos::sssp(Space(), scratch, std::int32_t(0), distance, {delta});
      EXPECT_EQ(dromos::test::to_vector(distance), dromos::reference::shortest_distances<Distance>(
                                                       dromos::copy_to<Kokkos::HostSpace>(graph), std::int32_t(0)));
      EXPECT_EQ(statistics.num_reached, graph.num_vertices());
      EXPECT_LT(statistics.num_sweeps, dromos::host_accessible<Memory> && delta == 0 ? 1000 : 20000) << delta;
    }
  };
  expect_right(drawn, 0.0);
  expect_right(drawn, 0.0f);
  expect_right(whole, std::int64_t(0));
}

/// Behind a path, on which and on others beside it one thread begins to go on alone, a hub offers each vertex of a
/// chain a way that the chain then shortens, step by step: in rounds that is the square of the chain. Long edges
/// further on make buckets wide enough to hold all of it.
TEST(Sssp, WideBucketsOfOneThreadEnd) {
  constexpr std::int32_t hub = 100, chain = 1500, far = 4000, others = 80, length = 120;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  std::vector<float> weight;
  const auto add = [&](std::int32_t from, std::int32_t to, float w) {
    edges.emplace_back(from, to);
    weight.push_back(w);
  };
  for (std::int32_t v = 0; v < hub + chain + far; ++v) {
    add(v, v + 1, v < hub + chain ? 2 : 1e6f);
    for (std::int32_t k = 2; v == hub && k <= chain; ++k) add(v, v + k, 3 * static_cast<float>(k));
    for (std::int32_t i = 0; v == 0 && i < others; ++i) add(v, hub + chain + far + 1 + i * length, 2);
  }
  std::int32_t n = hub + chain + far + 1;
  for (std::int32_t i = 0; i < others; ++i, ++n) {
    for (std::int32_t k = 1; k < length; ++k, ++n) add(n, n + 1, 2);
  }
  auto graph = dromos::build_csr(Space(), dromos::test::make_edge_list<std::int32_t>(n, edges));
  graph.weights = dromos::test::to_view(weight);  // edges were added row by row
  dromos::SsspScratch<std::int32_t, Memory> scratch(Space(), graph);
  Kokkos::View<std::int64_t*, Memory> distance;
  const auto statistics = dromos::sssp(Space(), scratch, std::int32_t(0), distance);
  EXPECT_EQ(dromos::test::to_vector(distance), dromos::reference::shortest_distances<std::int64_t>(
                                                   dromos::copy_to<Kokkos::HostSpace>(graph), std::int32_t(0)));
  if (dromos::host_accessible<Memory>) {
    EXPECT_LT(statistics.num_sweeps, 200);
    EXPECT_LT(statistics.edges_relaxed, 8 * graph.num_edges());
  }
}

}  // namespace
