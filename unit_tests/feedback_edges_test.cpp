// SPDX-License-Identifier: BSD-3-Clause
// Feedback edges with every strategy and both widths of ids: nothing is left of a cycle without them, they are few, as
// compared with the serial heuristic, and the same from every strategy.
#include <dromos/algorithms/feedback_edges.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "scc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Offset;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// Eades, Lin and Smyth 1993 as printed, on the edges inside components, quadratic: sinks to the back, sources to the
/// front, otherwise the vertex of the largest difference to the front. Returns the number of edges that lead back.
template <class Vertex>
std::int64_t count_by_serial_heuristic(const std::vector<std::vector<Vertex>>& rows,
                                       const std::vector<Vertex>& component) {
  const std::size_t n = rows.size();
  std::vector<std::int64_t> in(n, 0), out(n, 0);
  std::vector<std::vector<std::size_t>> behind(n), before(n);
  std::int64_t num_back = 0;
  for (std::size_t u = 0; u < n; ++u) {
    for (const Vertex to : rows[u]) {
      const auto v = static_cast<std::size_t>(to);
      num_back += u == v;
      if (u == v || component[u] != component[v]) continue;
      ++out[u];
      ++in[v];
      behind[u].push_back(v);
      before[v].push_back(u);
    }
  }
  std::vector<bool> placed(n, false);
  for (std::size_t count = 0; count < n; ++count) {
    std::size_t best = n;
    bool at_back = false;
    for (std::size_t v = 0; v < n && !at_back; ++v) {
      if (placed[v]) continue;
      if (best == n || in[v] == 0 || (in[best] != 0 && out[v] - in[v] > out[best] - in[best])) best = v;
      if (out[v] == 0) {
        best = v;
        at_back = true;
      }
    }
    placed[best] = true;
    if (!at_back) num_back += in[best];
    for (const std::size_t v : behind[best]) --in[v];
    for (const std::size_t u : before[best]) --out[u];
  }
  return num_back;
}

template <class Vertex>
class FeedbackTest : public ::testing::Test {
 protected:
  /// \param cutoff  0: in rounds; otherwise serially
  std::int64_t expect_right(const CsrGraph<Vertex, Memory>& graph, const std::vector<Strategy>& strategies,
                            std::int64_t cutoff) {
    std::vector<Offset> first;
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      SCOPED_TRACE(dromos::test::describe(strategies[i]));
      const auto found = dromos::feedback_edges(Space(), graph, edges_, {strategies[i], 1, cutoff});
      const std::vector<Offset> edges = to_vector(edges_);
      EXPECT_EQ(found.num_edges, std::int64_t(edges.size()));
      if (i == 0) first = edges;
      EXPECT_EQ(edges, first) << "other edges than those of the first strategy";
      const auto rest = dromos::without_edges(Space(), graph, edges_);
      EXPECT_EQ(rest.num_edges() + found.num_edges, graph.num_edges());
      Kokkos::View<dromos::Level*, Memory> level;
      EXPECT_NO_THROW(dromos::topological_levels(Space(), rest, level));
      expect_inside(graph, edges, found.num_inside);
    }
    return std::int64_t(first.size());
  }

  /// Every edge lies inside a component, and at most half of what does, self loops aside, is in the set.
  void expect_inside(const CsrGraph<Vertex, Memory>& graph, const std::vector<Offset>& edges, Offset num_inside) {
    const auto component = dromos::reference::strong_components(dromos::copy_to<Kokkos::HostSpace>(graph));
    const auto rows = dromos::test::rows_of(graph);
    Offset at = 0, inside = 0, loops = 0;
    std::size_t next = 0;
    for (std::size_t u = 0; u < rows.size(); ++u) {
      for (const Vertex v : rows[u]) {
        const bool in_set = next < edges.size() && edges[next] == at++;
        next += in_set;
        const bool loop = std::size_t(v) == u, same = component[u] == component[std::size_t(v)];
        EXPECT_TRUE(in_set || !loop) << u;
        EXPECT_TRUE(same || !in_set) << u << " " << v;
        loops += loop;
        inside += same && !loop;
      }
    }
    EXPECT_EQ(next, edges.size()) << "not ascending, or outside";
    EXPECT_EQ(num_inside, inside);
    EXPECT_LE(2 * (Offset(edges.size()) - loops), inside);
  }

  Kokkos::View<Offset*, Memory> edges_;
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(FeedbackTest, VertexTypes, );

TYPED_TEST(FeedbackTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo(300)) {
    SCOPED_TRACE(zoo.name);
    for (const std::int64_t cutoff : {0, 30, 1 << 20}) {
      this->expect_right(dromos::test::build<TypeParam>(zoo), dromos::all_strategies(), cutoff);
    }
  }
}

TYPED_TEST(FeedbackTest, IsRightOnRandomGraphsAndSmall) {
  const auto tunings = dromos::test::all_tunings();
  std::int64_t in_rounds = 0, serially = 0, as_printed = 0;
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    auto zoo = dromos::test::random_small_graph(seed);
    zoo.directed = true;
    SCOPED_TRACE(zoo.name);
    const auto graph = dromos::test::build<TypeParam>(zoo);
    in_rounds += this->expect_right(graph, {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]}, 0);
    serially += this->expect_right(graph, {Strategy{}}, 1 << 20);
    const auto component = dromos::reference::strong_components(dromos::copy_to<Kokkos::HostSpace>(graph));
    as_printed += count_by_serial_heuristic(dromos::test::rows_of(graph), component);
    if (this->HasFailure()) return;
  }
  EXPECT_LE(static_cast<double>(serially), 1.02 * static_cast<double>(as_printed));
  EXPECT_LE(static_cast<double>(in_rounds), 1.3 * static_cast<double>(as_printed));
}

TYPED_TEST(FeedbackTest, IsRightOnDeepGraphs) {
  for (const auto& deep : dromos::test::deep_graphs<TypeParam>(300)) {
    SCOPED_TRACE(deep.name);
    const auto graph = dromos::build_csr(Space(), dromos::copy_to<Memory>(deep.edges));
    for (const std::int64_t cutoff : {0, 1 << 20}) this->expect_right(graph, dromos::all_strategies(), cutoff);
  }
}

TYPED_TEST(FeedbackTest, CutsACycleOnce) {
  std::vector<std::vector<TypeParam>> rows(200);
  for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = {TypeParam((v + 1) % rows.size())};
  EXPECT_EQ(this->expect_right(dromos::test::make_graph<TypeParam>(rows), dromos::all_strategies(), 1 << 20), 1);
}

TYPED_TEST(FeedbackTest, IsEmptyWithoutCycles) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2, 2}, {2}, {}, {1}});
  for (const std::int64_t cutoff : {0, 1}) {
    EXPECT_EQ(this->expect_right(graph, dromos::all_strategies(), cutoff), 0);
    EXPECT_EQ(this->expect_right(CsrGraph<TypeParam, Memory>(), {Strategy{}}, cutoff), 0);
  }
}

}  // namespace
