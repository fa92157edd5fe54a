// SPDX-License-Identifier: BSD-3-Clause
// Index arithmetic beyond 2^31 and 2^33, without the memory: graphs that have a row map but compute their neighbors.
// Sweeps whose edges are too many to visit are cut to a few windows, or skip their giants with begin().
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/traverse/traverse.hpp>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "strategy_tunings.hpp"
#include "view_tools.hpp"
#include "visit_recorder.hpp"

namespace {

using dromos::AllVertices;
using dromos::Frontier;
using dromos::NoSink;
using dromos::Offset;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

using Edge = std::pair<std::int64_t, Offset>;  // source, position

constexpr Offset two_to_31 = Offset(1) << 31;
constexpr Offset two_to_33 = Offset(1) << 33;

/// A graph without an adjacency array: edge e leads to vertex first_target + e % num_targets.
template <class Vertex>
struct ImplicitGraph {
  using vertex_type = Vertex;
  using memory_space = Memory;
  Kokkos::View<const Offset*, Memory> row_map;
  Offset first_target = 0;
  Offset num_targets = 1;
  Offset total = 0;

  KOKKOS_FUNCTION Vertex num_vertices() const { return static_cast<Vertex>(row_map.extent(0) - 1); }
  KOKKOS_FUNCTION Offset num_edges() const { return total; }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return row_map(u); }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return row_map(u + 1); }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return row_map(u + 1) - row_map(u); }
  KOKKOS_FUNCTION Vertex neighbor(Offset e) const { return static_cast<Vertex>(first_target + e % num_targets); }
};

/// The rows of vertices of these degrees, from offset `base` on.
std::vector<Offset> make_row_map(const std::vector<Offset>& degrees, Offset base = 0) {
  std::vector<Offset> row_map = {base};
  for (const Offset degree : degrees) row_map.push_back(row_map.back() + degree);
  return row_map;
}

template <class Vertex>
ImplicitGraph<Vertex> make_implicit(const std::vector<Offset>& row_map) {
  return {to_view(row_map), 0, static_cast<Offset>(row_map.size()) - 1, row_map.back()};
}

/// Notes every visit, in any order; edges whose position is odd let their target join.
template <class Vertex>
struct ListVisits {
  ImplicitGraph<Vertex> graph;
  Offset begin_at_most;  ///< vertices of higher degree are skipped
  Kokkos::View<std::int64_t*, Memory> source;
  Kokkos::View<Offset*, Memory> position;
  Kokkos::View<std::int64_t[2], Memory> counts;  ///< visits, and visits told a wrong target

  ListVisits(const ImplicitGraph<Vertex>& implicit, Offset at_most, std::size_t capacity)
      : graph(implicit),
        begin_at_most(at_most),
        source("test::source", capacity),
        position("test::position", capacity),
        counts("test::counts") {}

  KOKKOS_FUNCTION bool begin(Vertex u) const { return graph.degree(u) <= begin_at_most; }
  KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const std::int64_t i = Kokkos::atomic_fetch_add(&counts(0), std::int64_t(1));
    if (v != graph.neighbor(e)) Kokkos::atomic_fetch_add(&counts(1), std::int64_t(1));
    if (i < static_cast<std::int64_t>(source.extent(0))) {
      source(i) = u;
      position(i) = e;
    }
    return e % 2 == 1;
  }

  /// The edges visited so far, ascending; forgets them.
  std::vector<Edge> take() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    EXPECT_LE(host(0), static_cast<std::int64_t>(source.extent(0))) << "too many visits";
    EXPECT_EQ(host(1), 0) << "visits with a wrong target";
    const auto size = std::min<std::size_t>(static_cast<std::size_t>(host(0)), source.extent(0));
    const auto sources = to_vector(source, size);
    const auto positions = to_vector(position, size);
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < size; ++i) edges.emplace_back(sources[i], positions[i]);
    std::sort(edges.begin(), edges.end());
    Kokkos::deep_copy(counts, 0);
    return edges;
  }
};

template <class Vertex>
class LargeOffsetsTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(LargeOffsetsTest, VertexTypes, );

/// Rows that begin beyond 2^33: every strategy in every tuning visits each edge once, at its full position.
TYPED_TEST(LargeOffsetsTest, RowsThatBeginBeyond32Bits) {
  const std::vector<Offset> degrees = {0, 3, 0, 0, 1, 12, 5, 0, 40, 2, 0};
  const std::vector<Offset> row_map = make_row_map(degrees, two_to_33 - 20);
  const auto graph = make_implicit<TypeParam>(row_map);
  std::vector<TypeParam> work, expected_next;
  std::vector<Edge> expected;
  for (std::size_t u = degrees.size(); u-- > 0;) work.push_back(static_cast<TypeParam>(u));
  for (std::size_t u = 0; u < degrees.size(); ++u) {
    for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) {
      expected.emplace_back(u, e);
      if (e % 2 == 1) expected_next.push_back(static_cast<TypeParam>(e % graph.num_targets));
    }
  }
  std::sort(expected_next.begin(), expected_next.end());
  const ListVisits<TypeParam> op(graph, 100, expected.size());
  Frontier<TypeParam, Memory> frontier(100, 1000), next(100, 1000);
  for (const Strategy& strategy : dromos::test::all_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    dromos::test::fill(frontier, work, row_map.back() - row_map.front());
    dromos::traverse(Space(), graph, frontier, next, op, strategy);
    ASSERT_EQ(op.take(), expected);
    ASSERT_EQ(dromos::test::sorted_vertices(next), expected_next);
  }
}

/// Vertices of more than 2^31 edges among small ones, skipped by begin(): what follows them in a chunk must still be
/// found. ManhattanGlobal comes below, in windows.
TYPED_TEST(LargeOffsetsTest, SmallVerticesBehindGiantsThatAreSkipped) {
  const std::vector<Offset> degrees = {4, two_to_31 + 5, 10, 0, two_to_33 + 1, 7, 0};
  const std::vector<Offset> row_map = make_row_map(degrees);
  const auto graph = make_implicit<TypeParam>(row_map);
  const std::vector<TypeParam> work = {0, 1, 2, 3, 4, 5, 6};
  std::vector<Edge> expected;
  for (const int u : {0, 2, 5})
    for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) expected.emplace_back(u, e);
  const ListVisits<TypeParam> op(graph, 100, expected.size());
  Frontier<TypeParam, Memory> frontier(100, row_map.back()), next(100, row_map.back());
  const int team = dromos::test::largest_team();
  const int warp = team % 2 == 0 ? 2 : 1;
  // On a CPU, queues of 1024 where a thread goes round by round: billions of skipped edges are then few rounds.
  const int queue = dromos::is_gpu<Space> ? 16 : 1024;
  for (const Strategy& strategy : std::vector<Strategy>{
           dromos::VertexChunk{1, 7, 16}, dromos::VertexChunk{team, 7, 16}, dromos::Hierarchical{1, 1, 7, 16},
           dromos::Hierarchical{team, warp, 7, 16}, dromos::ManhattanLocal{1, 7, queue},
           dromos::ManhattanLocal{team, 7, 1, false, false, false},
           dromos::ManhattanLocal{team, 7, 1, true, false, false},
           dromos::ManhattanLocal{team, 7, 1, true, true, false}}) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    dromos::test::fill(frontier, work, row_map.back());
    dromos::traverse(Space(), graph, frontier, next, op, strategy);
    ASSERT_EQ(op.take(), expected);
  }
}

/// Vertices whose degrees sum up to some 10^12 join: counts and prefix sums of the next work set, in one word and in
/// two.
TYPED_TEST(LargeOffsetsTest, GiantsThatJoinAreCountedIn64Bits) {
  std::vector<Offset> degrees;
  for (int u = 0; u < 50; ++u) degrees.push_back(u % 11);
  std::mt19937_64 random(5);
  for (int u = 50; u < 150; ++u) degrees.push_back(static_cast<Offset>(random() % (std::uint64_t(1) << 36)));
  const std::vector<Offset> row_map = make_row_map(degrees);
  auto graph = make_implicit<TypeParam>(row_map);
  graph.first_target = 50;
  graph.num_targets = 100;
  std::vector<TypeParam> work, expected_next;
  Offset expected_edges = 0;
  for (int u = 0; u < 50; ++u) work.push_back(u);
  for (Offset e = 1; e < row_map[50]; e += 2) {
    expected_next.push_back(static_cast<TypeParam>(50 + e % 100));
    expected_edges += degrees[expected_next.back()];
  }
  std::sort(expected_next.begin(), expected_next.end());
  ASSERT_GT(expected_edges, Offset(1) << 41);
  const ListVisits<TypeParam> op(graph, 100, static_cast<std::size_t>(row_map[50]));
  for (const Offset claimed_edges : {Offset(1) << 50, std::numeric_limits<Offset>::max()}) {
    Frontier<TypeParam, Memory> frontier(1000, claimed_edges), next(1000, claimed_edges);
    for (const Strategy& strategy : dromos::test::every_nth(dromos::test::all_tunings(), 7, claimed_edges % 7)) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      dromos::test::fill(frontier, work, row_map[50]);
      dromos::traverse(Space(), graph, frontier, next, op, strategy);
      op.take();
      ASSERT_EQ(dromos::test::sorted_vertices(next), expected_next);
      ASSERT_EQ(next.num_edges(), expected_edges);
      next.ensure_prefix_sums(Space(), graph);
      const auto queue = to_vector(next.queue(), expected_next.size());
      const auto prefix = to_vector(next.work().prefix_sums, expected_next.size());
      Offset sum = 0;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        ASSERT_EQ(prefix[i], sum);
        sum += degrees[queue[i]];
      }
    }
  }
}

/// A few teams of ManhattanGlobal, wherever in the collapsed loop edge `edge` is; returns the collapsed edges that they
/// must visit.
template <class Graph, class Work, class Operator>
std::pair<Offset, Offset> run_window(const Graph& graph, const Work& work, const Operator& op,
                                     dromos::ManhattanGlobal strategy, Offset edge) {
  using Sweep = dromos::Sweep<Space, Graph, Work, NoSink, Operator>;
  using Kernel = dromos::detail::ManhattanGlobalKernel<Sweep>;
  const Offset last = work.last_edge();
  const std::int64_t num_teams = (last + strategy.edges_per_team - 1) / strategy.edges_per_team;
  const std::int64_t first_team = edge / strategy.edges_per_team;
  const std::int64_t teams = std::min<std::int64_t>(3, num_teams - first_team);
  strategy.team_size = dromos::checked_team_size<Space>(strategy.name, strategy.team_size);
  dromos::launch_teams<typename Sweep::Policy>(
      "test::window", Space(), {static_cast<int>(teams), strategy.team_size, Kernel::scratch_bytes(strategy)},
      Kernel{Sweep{graph, work, NoSink{}, op}, strategy, work.first_edge(), last, first_team});
  Space().fence();
  return {first_team * strategy.edges_per_team, std::min(last, (first_team + teams) * strategy.edges_per_team)};
}

TYPED_TEST(LargeOffsetsTest, WindowsOfTheGlobalCollapse) {
  std::mt19937_64 random(6);
  std::vector<Offset> degrees;
  for (int u = 0; u < 300; ++u) {
    const int kind = static_cast<int>(random() % 4);
    degrees.push_back(kind == 0 ? static_cast<Offset>(random() % (std::uint64_t(1) << 34)) : kind == 1 ? 2 : 0);
  }
  degrees[100] = two_to_31 - 1;
  degrees[101] = two_to_31;
  degrees[102] = two_to_33;
  const std::vector<Offset> row_map = make_row_map(degrees);
  const auto graph = make_implicit<TypeParam>(row_map);
  ASSERT_GT(row_map.back(), Offset(1) << 38);

  // The same vertices in another order, as a queue with prefix sums.
  std::vector<TypeParam> order;
  for (std::size_t u = 0; u < degrees.size(); ++u) order.push_back(static_cast<TypeParam>(u));
  std::shuffle(order.begin(), order.end(), random);
  Frontier<TypeParam, Memory> frontier(300, row_map.back());
  dromos::test::fill(frontier, order, row_map.back());
  frontier.ensure_prefix_sums(Space(), graph);
  std::vector<Offset> queue_prefix = {0};
  for (const TypeParam u : order) queue_prefix.push_back(queue_prefix.back() + degrees[u]);

  // Windows at both ends, and around the beginnings of vertices.
  std::vector<Offset> edges = {0, 1, two_to_31, two_to_33, row_map.back() - 1};
  for (int i = 0; i < 20; ++i) {
    edges.push_back(std::max<Offset>(0, row_map[random() % 300] - static_cast<Offset>(random() % 20)));
    edges.push_back(std::max<Offset>(0, queue_prefix[random() % 300] - static_cast<Offset>(random() % 20)));
  }
  const ListVisits<TypeParam> op(graph, std::numeric_limits<Offset>::max(), 10000);
  for (const dromos::ManhattanGlobal& strategy : dromos::test::manhattan_global_tunings()) {
    if (strategy.team_size == 0) continue;  // the defaults are filled in by run_sweep(), which this test goes around
    SCOPED_TRACE(dromos::test::describe(strategy));
    for (const Offset edge : edges) {
      if (edge >= row_map.back()) continue;
      {
        const auto [first, last] = run_window(graph, AllVertices<decltype(graph)>{graph}, op, strategy, edge);
        std::vector<Edge> expected;
        for (Offset j = first; j < last; ++j) {
          expected.emplace_back(std::upper_bound(row_map.begin(), row_map.end(), j) - row_map.begin() - 1, j);
        }
        ASSERT_EQ(op.take(), expected) << "edge " << edge;
      }
      const auto [first, last] = run_window(graph, frontier.work(), op, strategy, edge);
      std::vector<Edge> expected;
      for (Offset j = first; j < last; ++j) {
        const auto k = std::upper_bound(queue_prefix.begin(), queue_prefix.end(), j) - queue_prefix.begin() - 1;
        expected.emplace_back(order[k], row_map[order[k]] + j - queue_prefix[k]);
      }
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(op.take(), expected) << "queue, edge " << edge;
    }
  }
}

/// Counts the visits of the edges at both ends of a row.
struct CountEnds {
  Offset first, last;
  Kokkos::View<int[1], Memory> ends;
  KOKKOS_FUNCTION bool edge(std::int32_t, std::int32_t, Offset e) const {
    if (e < first + 4 || e >= last - 4) Kokkos::atomic_fetch_add(&ends(0), 1);
    return false;
  }
};

/// One vertex of more than 2^31 edges, all of them walked.
TEST(LargeOffsets, OneVertexOfMoreThan2To31Edges) {
  const auto graph = make_implicit<std::int32_t>({5, 5, two_to_31 + 105});
  const CountEnds op{5, two_to_31 + 105, Kokkos::View<int[1], Memory>("test::ends")};
  Frontier<std::int32_t, Memory> frontier(2, two_to_33), next(2, two_to_33);
  dromos::test::fill<std::int32_t>(frontier, {0, 1}, two_to_31 + 100);
  const int team = dromos::test::largest_team();
  dromos::traverse(Space(), graph, frontier, next, op, dromos::Hierarchical{team, 1, 2, 16});
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.ends)(0), 8);
}

}  // namespace
