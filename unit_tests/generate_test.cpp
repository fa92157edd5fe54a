// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dromos/core/error.hpp>
#include <dromos/generate/bijective_hash.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_geometric.hpp>
#include <dromos/generate/random_roots.hpp>
#include <dromos/generate/structured.hpp>
#include <dromos/generate/thin_graphs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <set>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class Vertex>
Pairs pairs(const EdgeList<Vertex, Memory>& edges) {
  const auto source = to_vector(edges.source);
  const auto target = to_vector(edges.target);
  Pairs result;
  for (std::size_t i = 0; i < source.size(); ++i) result.emplace_back(source[i], target[i]);
  return result;
}

TEST(Kronecker, AnySliceIsThatSliceOfTheWhole) {
  KroneckerOptions options;
  options.scale = 11;
  options.seed = 5;
  const KroneckerEdges<std::int32_t> edges(options);
  EXPECT_EQ(edges.num_vertices(), 2048);
  EXPECT_EQ(edges.num_edges(), 16 * 2048);
  const Pairs whole = pairs(generate_kronecker<std::int32_t>(Space(), options));
  Pairs joined;
  for (Offset first = 0; first < edges.num_edges();) {
    const Offset last = std::min<Offset>(first + 1 + 777 * (first % 5), edges.num_edges());
    const Pairs slice = pairs(generate_edges<std::int32_t>(Space(), edges, first, last));
    joined.insert(joined.end(), slice.begin(), slice.end());
    first = last;
  }
  EXPECT_EQ(joined, whole);
  // 64-bit ids name the same graph.
  EXPECT_EQ(pairs(generate_kronecker<std::int64_t>(Space(), options)), whole);
  options.seed = 6;
  EXPECT_NE(pairs(generate_kronecker<std::int32_t>(Space(), options)), whole);
}

/// Without scrambling, the first bit of each end is drawn by the four probabilities, and so is every other bit.
TEST(Kronecker, QuadrantsHaveTheirProbabilities) {
  KroneckerOptions options;
  options.scale = 14;
  options.scramble = false;
  const Pairs edges = pairs(generate_kronecker<std::int32_t>(Space(), options));
  const double m = static_cast<double>(edges.size());
  for (const int bit : {0, 6, 13}) {
    std::array<double, 4> share{};
    for (const auto& [u, v] : edges) share[2 * (u >> bit & 1) + (v >> bit & 1)] += 1 / m;
    // 2^18 draws: three standard deviations are below 0.003.
    EXPECT_NEAR(share[0], 0.57, 0.004) << "bit " << bit;
    EXPECT_NEAR(share[1], 0.19, 0.004) << "bit " << bit;
    EXPECT_NEAR(share[2], 0.19, 0.004) << "bit " << bit;
    EXPECT_NEAR(share[3], 0.05, 0.004) << "bit " << bit;
  }
}

/// Scrambling renames vertices one to one, so that the degrees as a multiset stay what they were.
TEST(Kronecker, ScramblingIsABijection) {
  for (const int scale : {1, 2, 3, 7, 12}) {
    KroneckerOptions options;
    options.scale = scale;
    options.scramble = false;
    const Pairs plain = pairs(generate_kronecker<std::int32_t>(Space(), options));
    options.scramble = true;
    const Pairs scrambled = pairs(generate_kronecker<std::int32_t>(Space(), options));
    std::vector<std::int64_t> name(std::size_t(1) << scale, -1), back(std::size_t(1) << scale, -1);
    ASSERT_EQ(plain.size(), scrambled.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      for (const auto& [from, to] :
           {std::pair(plain[i].first, scrambled[i].first), std::pair(plain[i].second, scrambled[i].second)}) {
        ASSERT_TRUE(name[from] == -1 || name[from] == to) << "scale " << scale;
        ASSERT_TRUE(back[to] == -1 || back[to] == from) << "scale " << scale;
        name[from] = to;
        back[to] = from;
      }
    }
  }
}

TEST(Kronecker, RefusesWhatItCannotMake) {
  KroneckerOptions options;
  options.scale = -1;
  EXPECT_THROW(KroneckerEdges<std::int32_t>{options}, ArgumentError);
  options.scale = 32;
  EXPECT_THROW(KroneckerEdges<std::int32_t>{options}, ArgumentError);
  EXPECT_NO_THROW(KroneckerEdges<std::int64_t>{options});
  options = {};
  options.a = 0.9;
  EXPECT_THROW(KroneckerEdges<std::int32_t>{options}, ArgumentError);
  options = {};
  options.edge_factor = -3;
  EXPECT_THROW(KroneckerEdges<std::int32_t>{options}, ArgumentError);
}

TEST(ErdosRenyi, EndpointsAreUniform) {
  ErdosRenyiOptions options;
  options.num_vertices = 10;
  options.num_edges = 100000;
  std::array<int, 100> count{};
  for (const auto& [u, v] : pairs(generate_erdos_renyi<std::int32_t>(Space(), options))) {
    ASSERT_TRUE(u >= 0 && u < 10 && v >= 0 && v < 10);
    ++count[10 * u + v];
  }
  for (const int c : count) EXPECT_NEAR(c, 1000, 160);  // five standard deviations
}

TEST(ErdosRenyi, RefusesWhatItCannotMake) {
  ErdosRenyiOptions options;
  options.num_vertices = 0;
  options.num_edges = 1;
  EXPECT_THROW(generate_erdos_renyi<std::int32_t>(Space(), options), ArgumentError);
  options.num_edges = 0;
  EXPECT_EQ(generate_erdos_renyi<std::int32_t>(Space(), options).num_edges(), 0);
  options.num_vertices = std::int64_t(1) << 40;
  EXPECT_THROW(generate_erdos_renyi<std::int32_t>(Space(), options), ArgumentError);
}

TEST(Structured, GraphsAreWhatTheirNamesSay) {
  const Space space;
  using V = std::int32_t;
  EXPECT_EQ(pairs(generate_edges<V>(space, PathEdges<V>(4))), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(pairs(generate_edges<V>(space, CycleEdges<V>(3))), (Pairs{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(pairs(generate_edges<V>(space, CycleEdges<V>(1))), (Pairs{{0, 0}}));
  EXPECT_EQ(pairs(generate_edges<V>(space, StarEdges<V>(4))), (Pairs{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(pairs(generate_edges<V>(space, Grid2dEdges<V>(2, 3))),
            (Pairs{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(pairs(generate_edges<V>(space, CompleteBinaryTreeEdges<V>(6))),
            (Pairs{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}}));
  const auto both = disjoint_union(
      std::vector{generate_edges<V>(space, PathEdges<V>(2)), generate_edges<V>(space, CycleEdges<V>(3))});
  EXPECT_EQ(both.num_vertices, 5);
  EXPECT_EQ(pairs(both), (Pairs{{0, 1}, {2, 3}, {3, 4}, {4, 2}}));
}

TEST(ThinGraphs, AreWhatTheirNamesSay) {
  using V = std::int32_t;
  const auto edges = [](const auto& generator) { return pairs(generate_edges<V>(Space(), generator)); };
  EXPECT_EQ(edges(CombEdges<V>(3, 2)), (Pairs{{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 5}, {3, 6}, {6, 7}, {7, 8}}));
  EXPECT_EQ(edges(CaterpillarEdges<V>(3, 2)), (Pairs{{0, 1}, {0, 2}, {0, 3}, {3, 4}, {3, 5}, {3, 6}, {6, 7}, {6, 8}}));
  EXPECT_EQ(edges(CycleChainEdges<V>(2, 4)),
            (Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 4}}));
  EXPECT_EQ(edges(BipartiteHubsEdges<V>(2, 5)), (Pairs{{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}));
  EXPECT_EQ(CycleChainEdges<V>(2, 4).num_vertices(), 8);
  EXPECT_EQ(BipartiteHubsEdges<V>(2, 5).num_vertices(), 5);
  // Without teeth and legs both are the path.
  EXPECT_EQ(edges(CombEdges<V>(4, 0)), edges(PathEdges<V>(4)));
  EXPECT_EQ(edges(CaterpillarEdges<V>(4, 0)), edges(PathEdges<V>(4)));
  for (const std::int64_t one : {0, 1}) {
    EXPECT_TRUE(edges(CombEdges<V>(one, 0)).empty());
    EXPECT_TRUE(edges(CaterpillarEdges<V>(one, 0)).empty());
    EXPECT_EQ(edges(CycleChainEdges<V>(one, 1)).size(), std::size_t(one));  // a self loop
    EXPECT_TRUE(edges(BipartiteHubsEdges<V>(one, one)).empty());
  }
}

TEST(ThinGraphs, RefuseWhatTheyCannotMake) {
  using V = std::int32_t;
  const std::int64_t many = 1 << 20;
  EXPECT_THROW(CombEdges<V>(-1, 2), ArgumentError);
  EXPECT_THROW(CombEdges<V>(2, -1), ArgumentError);
  EXPECT_THROW(CombEdges<V>(many, many), ArgumentError);
  EXPECT_NO_THROW(CombEdges<std::int64_t>(many, many));
  EXPECT_THROW(CaterpillarEdges<V>(many, many), ArgumentError);
  EXPECT_THROW(CycleChainEdges<V>(3, 0), ArgumentError);
  EXPECT_THROW(CycleChainEdges<V>(many, many), ArgumentError);
  EXPECT_THROW(BipartiteHubsEdges<V>(4, 3), ArgumentError);
  EXPECT_THROW(BipartiteHubsEdges<V>(-1, 3), ArgumentError);
}

/// Every pair of points that are near, and no other: against the points themselves, all with all.
TEST(RandomGeometric, JoinsExactlyThePointsWithinTheRadius) {
  for (const auto& [n, degree] :
       {std::pair(0, 4.0), {1, 4.0}, {2, 100.0}, {700, 0.0}, {700, 0.5}, {700, 7.0}, {700, 200.0}, {50, 1e9}}) {
    RandomGeometricOptions options;
    options.num_vertices = n;
    options.expected_degree = degree;
    const RandomGeometricEdges<std::int32_t> generator(Space(), options);
    const auto x = to_vector(generator.x()), y = to_vector(generator.y());
    const double radius_squared = degree / (3.14159265358979323846 * std::max(1, n - 1));
    const double side = std::pow(2.0, 31);
    Pairs expected;
    for (int u = 0; u < n; ++u) {
      for (int v = u + 1; v < n; ++v) {
        const double dx = (x[u] - x[v]) / side, dy = (y[u] - y[v]) / side;
        if (dx * dx + dy * dy <= radius_squared) expected.emplace_back(u, v);
      }
    }
    EXPECT_EQ(pairs(generate_edges<std::int32_t>(Space(), generator)), expected) << n << " points, degree " << degree;
  }
}

TEST(RandomGeometric, HasTheDegreeAskedForAndNeighborsNearInNumber) {
  RandomGeometricOptions options;
  options.num_vertices = 1 << 15;
  options.expected_degree = 12;
  const Pairs edges = pairs(generate_random_geometric<std::int32_t>(Space(), options));
  const double mean_degree = 2.0 * static_cast<double>(edges.size()) / (1 << 15);
  EXPECT_GT(mean_degree, 11.6);  // a vertex in 60 is as near to the border as to a neighbor, and misses some
  EXPECT_LT(mean_degree, 12.1);
  double distance = 0;
  for (const auto& [u, v] : edges) distance += static_cast<double>(v - u) / static_cast<double>(edges.size());
  EXPECT_LT(distance, 400);  // two rows of cells; by chance it would be 10,900
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
}

TEST(RandomGeometric, AnySliceIsThatSliceOfTheWhole) {
  RandomGeometricOptions options;
  options.num_vertices = 1000;
  options.seed = 3;
  const Pairs whole = pairs(generate_random_geometric<std::int32_t>(Space(), options));
  const RandomGeometricEdges<std::int64_t> generator(Space(), options);
  ASSERT_EQ(generator.num_edges(), static_cast<Offset>(whole.size()));
  Pairs joined;
  for (Offset first = 0; first < generator.num_edges();) {
    const Offset last = std::min<Offset>(first + 1 + 777 * (first % 5), generator.num_edges());
    const Pairs slice = pairs(generate_edges<std::int64_t>(Space(), generator, first, last));
    joined.insert(joined.end(), slice.begin(), slice.end());
    first = last;
  }
  EXPECT_EQ(joined, whole);
  options.seed = 4;
  EXPECT_NE(pairs(generate_random_geometric<std::int32_t>(Space(), options)), whole);
}

TEST(RandomGeometric, RefusesWhatItCannotMake) {
  RandomGeometricOptions options;
  options.num_vertices = -1;
  EXPECT_THROW(generate_random_geometric<std::int32_t>(Space(), options), ArgumentError);
  options.num_vertices = std::int64_t(1) << 40;
  EXPECT_THROW(generate_random_geometric<std::int64_t>(Space(), options), ArgumentError);
  options.num_vertices = 10;
  for (const double degree : {-1.0, std::nan("")}) {
    options.expected_degree = degree;
    EXPECT_THROW(generate_random_geometric<std::int32_t>(Space(), options), ArgumentError);
  }
}

TEST(Structured, SmallestSizes) {
  const Space space;
  using V = std::int32_t;
  for (const std::int64_t n : {0, 1}) {
    EXPECT_EQ(generate_edges<V>(space, PathEdges<V>(n)).num_vertices, n);
    EXPECT_EQ(generate_edges<V>(space, PathEdges<V>(n)).num_edges(), 0);
    EXPECT_EQ(generate_edges<V>(space, StarEdges<V>(n)).num_edges(), 0);
    EXPECT_EQ(generate_edges<V>(space, CompleteBinaryTreeEdges<V>(n)).num_edges(), 0);
    EXPECT_EQ(generate_edges<V>(space, Grid2dEdges<V>(n, n)).num_edges(), 0);
  }
  EXPECT_EQ(generate_edges<V>(space, Grid2dEdges<V>(1, 5)).num_edges(), 4);
  EXPECT_EQ(generate_edges<V>(space, Grid2dEdges<V>(5, 1)).num_edges(), 4);
  EXPECT_EQ(disjoint_union(std::vector<EdgeList<V, Memory>>{}).num_vertices, 0);
  EXPECT_THROW(generate_edges<V>(space, PathEdges<V>(-1)), ArgumentError);
  EXPECT_THROW(generate_edges<V>(space, Grid2dEdges<V>(std::int64_t(1) << 40, std::int64_t(1) << 40)), ArgumentError);
}

TEST(RandomRoots, AreDistinctAndHaveAnEdgeToLeaveBy) {
  const Space space;
  const auto graph = build_csr(
      space, generate_edges<std::int32_t>(space, StarEdges<std::int32_t>(10)));  // only vertex 0 has out-edges
  EXPECT_EQ(random_roots(graph, 5, 1), (std::vector<std::int32_t>{0}));
  BuildOptions options;
  options.symmetrize = true;
  const auto path = build_csr(space, generate_edges<std::int32_t>(space, PathEdges<std::int32_t>(1000)), options);
  const auto roots = random_roots(path, 64, 1);
  EXPECT_EQ(std::set(roots.begin(), roots.end()).size(), 64u);
  EXPECT_EQ(roots, random_roots(path, 64, 1));
  EXPECT_NE(roots, random_roots(path, 64, 2));
  EXPECT_EQ(random_roots(path, 5000, 1).size(), 1000u);
  EXPECT_TRUE(random_roots(CsrGraph<std::int32_t, Memory>(), 3, 1).empty());
}

}  // namespace
}  // namespace dromos::test
