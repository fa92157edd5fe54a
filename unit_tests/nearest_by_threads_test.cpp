// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths by threads of the host, each for itself: bit for bit the distances of Dijkstra's algorithm, with
// buckets of any width, on rows that are handed out in parts, and where they are stopped, by what is left.
#include <dromos/algorithms/impl/nearest_by_threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/path_weights.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Graph = dromos::CsrGraph<std::int32_t, Kokkos::HostSpace>;
using Followed = dromos::detail::FollowedByThreads<std::int32_t>;
constexpr dromos::Offset any_edges = std::numeric_limits<dromos::Offset>::max();

/// With weights drawn from these.
template <class Memory>
Graph weighted(const dromos::CsrGraph<std::int32_t, Memory>& unweighted, const std::vector<float>& kinds) {
  std::mt19937 draw(1);
  Graph graph = dromos::copy_to<Kokkos::HostSpace>(unweighted);
  const Kokkos::View<float*, Kokkos::HostSpace> weights("test::weights", static_cast<std::size_t>(graph.num_edges()));
  for (std::size_t e = 0; e < weights.extent(0); ++e) weights(e) = kinds[draw() % kinds.size()];
  graph.weights = weights;
  return graph;
}

Graph weighted(std::int32_t num_vertices, const std::vector<std::pair<std::int32_t, std::int32_t>>& edges,
               const std::vector<float>& kinds) {
  dromos::BuildOptions build;
  build.symmetrize = true;
  return weighted(
      dromos::build_csr(dromos::test::Space(), dromos::test::make_edge_list<std::int32_t>(num_vertices, edges), build),
      kinds);
}

/// How lists of vertices are gone through.
struct Way {
  const char* name;
  bool short_rows;
};
class NearestByThreads : public ::testing::TestWithParam<Way> {};
std::string name_of(const ::testing::TestParamInfo<Way>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(AnyRows, NearestByThreads,
                         ::testing::Values(Way{"ByRows", false}, Way{"ByManyShortRows", true}), name_of);

template <class Distance>
Followed go_on(const Graph& graph, std::vector<Distance>& distance, const std::vector<std::int32_t>& first,
               double width, dromos::Offset most_edges = any_edges) {
  const dromos::detail::ThreadBuckets buckets{width, static_cast<int>(Space().concurrency()),
                                              NearestByThreads::GetParam().short_rows};
  return dromos::detail::relax_by_threads(Space(), graph.view(), graph.weights, distance.data(), first.data(),
                                          static_cast<std::int64_t>(first.size()), buckets, most_edges);
}

template <class Distance>
std::vector<Distance> distances_at_first(const Graph& graph) {
  std::vector<Distance> distance(static_cast<std::size_t>(graph.num_vertices()), dromos::no_distance<Distance>);
  distance[0] = 0;
  return distance;
}

template <class Distance>
void expect_right(const Graph& graph, double width) {
  SCOPED_TRACE("width " + std::to_string(width) + ", " + std::to_string(sizeof(Distance)) + " bytes");
  auto distance = distances_at_first<Distance>(graph);
  const Followed followed = go_on(graph, distance, {0}, width);
  EXPECT_EQ(distance, dromos::reference::shortest_distances<Distance>(graph, std::int32_t(0)));
  EXPECT_TRUE(followed.left.empty());
}

TEST_P(NearestByThreads, FindTheDistancesOfTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    const Graph graph = weighted(dromos::test::build<std::int32_t>(zoo), {0, 1, 2, 3, 7, 1000});
    for (const double width : {0., 0.5, 3., 1e9}) {
      expect_right<std::int64_t>(graph, width);
      expect_right<double>(graph, width);
      expect_right<float>(graph, width);
    }
    if (HasFailure()) return;
  }
}

/// A path, and from each vertex of it an edge to one before; with weights that are far apart.
Graph far_apart(std::int32_t num_vertices) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  std::mt19937 draw(2);
  for (std::int32_t v = 1; v < num_vertices; ++v) {
    edges.emplace_back(v, static_cast<std::int32_t>(draw() % static_cast<std::uint32_t>(v)));
    edges.emplace_back(v, v - 1);
  }
  return weighted(num_vertices, edges, {1, 5, 400, 1000, 1e6f, 1e7f});
}

/// Most vertices are further than a ring of buckets reaches, and wait in the heap.
TEST_P(NearestByThreads, FindWhatIsFarAway) {
  const Graph graph = far_apart(3000);
  for (const double width : {1., 100., 1e-6, 1e-300}) {
    expect_right<std::int64_t>(graph, width);
    expect_right<double>(graph, width);
  }
}

/// A hub's row is several lists, of which others take some.
TEST_P(NearestByThreads, FindThemBehindHubs) {
  constexpr std::int32_t n = 50000, hub = 7, other = 11;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges{{0, hub}};
  for (std::int32_t v = 20; v < n; ++v) edges.emplace_back(v % 3 == 0 ? other : hub, v);
  for (std::int32_t v = 20; v < n; v += 100) edges.emplace_back(v, v + 1);
  const Graph graph = weighted(n, edges, {1, 2, 3, 50});
  for (int turn = 0; turn < 5; ++turn) {
    expect_right<std::int64_t>(graph, 2);
    expect_right<float>(graph, 20);
  }
}

/// Each vertex of the chain has a short way over all before it, and a long one from the hub: in one bucket, its
/// distance shrinks again and again.
TEST_P(NearestByThreads, LeaveTheRestWhereTheyAreStopped) {
  constexpr std::int32_t chain = 3000;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t v = 0; v < chain; ++v) edges.emplace_back(v, v + 1);
  for (std::int32_t v = 2; v <= chain; ++v) edges.emplace_back(0, v);
  Graph graph = weighted(chain + 1, edges, {1});
  const auto view = graph.view();
  const Kokkos::View<float*, Kokkos::HostSpace> weights("test::weights", static_cast<std::size_t>(graph.num_edges()));
  for (std::int32_t u = 0; u <= chain; ++u) {
    for (dromos::Offset e = view.begin(u); e < view.end(u); ++e) {
      const std::int32_t v = view.neighbor(e), away = std::max(u, v) - std::min(u, v);
      weights(e) = away == 1 ? 1 : 2 * static_cast<float>(away);
    }
  }
  graph.weights = weights;
  auto distance = distances_at_first<std::int64_t>(graph);
  const Followed followed = go_on(graph, distance, {0}, 1e9, 4 * graph.num_edges());
  const auto expected = dromos::reference::shortest_distances<std::int64_t>(graph, std::int32_t(0));
  ASSERT_NE(distance, expected) << "the chain is too short for the test";
  EXPECT_FALSE(followed.left.empty());
  // Each thread looks a good while before it tells how much it has done.
  EXPECT_LT(followed.num_edges, 4 * graph.num_edges() + 2 * 16384 * static_cast<dromos::Offset>(Space().concurrency()));
  const Followed rest = go_on(graph, distance, followed.left, 1);
  EXPECT_EQ(distance, expected);
  EXPECT_TRUE(rest.left.empty());
}

/// Of all buckets, those in the heap as well.
TEST_P(NearestByThreads, LeaveWhatIsFarAwayWhereTheyAreStopped) {
  // Each thread looks at 16,384 edges before it tells.
  const Graph graph = far_apart(25000 * (1 + static_cast<std::int32_t>(Space().concurrency())));
  const auto expected = dromos::reference::shortest_distances<std::int64_t>(graph, std::int32_t(0));
  for (const double width : {10., 10000.}) {
    auto distance = distances_at_first<std::int64_t>(graph);
    const Followed followed = go_on(graph, distance, {0}, width, 1);
    ASSERT_NE(distance, expected);
    const Followed rest = go_on(graph, distance, followed.left, width);
    EXPECT_EQ(distance, expected);
    EXPECT_TRUE(rest.left.empty());
  }
}

}  // namespace
