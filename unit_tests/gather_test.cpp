// SPDX-License-Identifier: BSD-3-Clause
// Sums, minima and maxima over the edges of each vertex, with every strategy in every tuning: whoever walks which
// edges, each is counted once, and vertices without edges have the identity.
#include <dromos/traverse/gather.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/graph/build_csr.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::Offset;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// Something that depends on both ends and on the position of the edge.
template <class Vertex>
KOKKOS_FUNCTION std::int64_t value_of(Vertex u, Vertex v, Offset e) {
  return (3 * u + 7 * v + 11 * e) % 1009 - 500;
}

template <class Combination>
struct Gathering {
  using Combine = Combination;
  template <class Vertex>
  KOKKOS_FUNCTION std::int64_t edge(Vertex u, Vertex v, Offset e) const {
    return value_of(u, v, e);
  }
};

/// Only vertices with an even number.
struct GatheringOfEven : Gathering<dromos::Sum<std::int64_t>> {
  template <class Vertex>
  KOKKOS_FUNCTION bool begin(Vertex u) const {
    return u % 2 == 0;
  }
};

template <class Combine, class Vertex>
std::vector<std::int64_t> combined_serially(const dromos::CsrGraph<Vertex, Memory>& graph) {
  const auto rows = dromos::test::rows_of(graph);
  std::vector<std::int64_t> totals;
  Offset e = 0;
  for (std::size_t u = 0; u < rows.size(); ++u) {
    std::int64_t total = Combine::identity();
    for (const Vertex v : rows[u]) total = Combine::combine(total, value_of(static_cast<Vertex>(u), v, e++));
    totals.push_back(total);
  }
  return totals;
}

template <class Vertex>
class GatherTest : public ::testing::Test {
 protected:
  template <class Combine>
  void expect_right(const dromos::CsrGraph<Vertex, Memory>& graph, const Strategy& strategy) {
    const Kokkos::View<std::int64_t*, Memory> total("total", graph.num_vertices());
    dromos::gather_all(Space(), graph.view(), Gathering<Combine>(), total, strategy);
    Kokkos::fence();
    ASSERT_EQ(to_vector(total), combined_serially<Combine>(graph));
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(GatherTest, VertexTypes, );

TYPED_TEST(GatherTest, CountsEveryEdgeOnce) {
  const auto tunings = dromos::test::all_tunings();
  std::size_t turn = 0;
  for (const auto& zoo : dromos::test::graph_zoo()) {
    SCOPED_TRACE(zoo.name);
    const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>());
    for (const Strategy& strategy : dromos::test::every_nth(tunings, 5, turn++)) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      this->template expect_right<dromos::Sum<std::int64_t>>(graph, strategy);
      // One of the two for each width: they differ in a single comparison.
      using Extreme =
          std::conditional_t<sizeof(TypeParam) == 4, dromos::Smallest<std::int64_t>, dromos::Largest<std::int64_t>>;
      this->template expect_right<Extreme>(graph, strategy);
      if (this->HasFatalFailure()) return;
    }
  }
}

/// A hub's edges are many threads', with every strategy.
TYPED_TEST(GatherTest, AddsUpPiecesOfLongRows) {
  dromos::test::ZooGraph star{"star", 100000, {}, false};
  for (std::int64_t v = 1; v < star.num_vertices; ++v) star.edges.emplace_back(0, v);
  dromos::BuildOptions build;
  build.symmetrize = true;
  const auto graph = dromos::build_csr(Space(), star.edge_list<TypeParam>(), build);
  for (const Strategy& strategy : dromos::all_strategies()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    this->template expect_right<dromos::Sum<std::int64_t>>(graph, strategy);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(GatherTest, LeavesOthersAlone) {
  dromos::test::ZooGraph zoo = dromos::test::random_small_graph(5);
  for (std::uint64_t seed = 6; zoo.edges.size() < 100; ++seed) zoo = dromos::test::random_small_graph(seed);
  const auto graph = dromos::build_csr(Space(), zoo.edge_list<TypeParam>());
  const auto sums = combined_serially<dromos::Sum<std::int64_t>>(graph);
  dromos::Frontier<TypeParam, Memory> frontier(graph.num_vertices(), graph.num_edges());
  std::vector<TypeParam> members;
  for (TypeParam v = 0; v < graph.num_vertices(); v += 3) members.push_back(v);
  Kokkos::deep_copy(Kokkos::subview(frontier.queue(), Kokkos::make_pair(std::size_t(0), members.size())),
                    dromos::test::to_view(members));
  for (const Strategy& strategy : dromos::test::all_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    frontier.set_counts(static_cast<std::int64_t>(members.size()));
    const Kokkos::View<std::int64_t*, Memory> total("total", graph.num_vertices());
    Kokkos::deep_copy(total, 123456);
    dromos::gather(Space(), graph.view(), frontier, GatheringOfEven(), total, strategy);
    Kokkos::fence();
    const auto found = to_vector(total);
    for (std::size_t v = 0; v < found.size(); ++v) {
      ASSERT_EQ(found[v], v % 3 != 0 ? 123456 : v % 2 != 0 ? 0 : sums[v]) << "vertex " << v;
    }
  }
}

TYPED_TEST(GatherTest, AcceptsAGraphWithoutVertices) {
  const dromos::CsrGraph<TypeParam, Memory> empty;
  for (const Strategy& strategy : dromos::all_strategies()) {
    this->template expect_right<dromos::Sum<std::int64_t>>(empty, strategy);
  }
}

}  // namespace
