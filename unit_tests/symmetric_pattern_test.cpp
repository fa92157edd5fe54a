// SPDX-License-Identifier: BSD-3-Clause
// The pattern of A + A^T without a merged graph: it has the edges of the merged one, and orders, sets and colors are
// those that the merged one has, with every strategy and both widths of ids, serially and level by level.
#include <dromos/graph/symmetric_pattern.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/aggregates.hpp>
#include <dromos/algorithms/bandwidth.hpp>
#include <dromos/algorithms/coloring.hpp>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/independence_rules.hpp>
#include <dromos/validate/ordering_rules.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::Offset;
using dromos::RcmResult;
using dromos::Strategy;
using dromos::SymmetricPattern;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::ZooGraph;

/// A matrix of up to 90 rows, some of whose entries have one opposite.
ZooGraph random_matrix(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ZooGraph zoo;
  zoo.directed = true;
  const std::uint64_t n = 1 + random() % 90;
  zoo.num_vertices = static_cast<std::int64_t>(n);
  const std::uint64_t num_entries = random() % (4 * n);
  const std::uint64_t opposite = random() % 5;  // of 4
  for (std::uint64_t i = 0; i < num_entries; ++i) {
    const auto u = static_cast<std::int64_t>(random() % n), v = static_cast<std::int64_t>(random() % n);
    zoo.edges.emplace_back(u, v);
    if (random() % 4 < opposite) zoo.edges.emplace_back(v, u);
  }
  return zoo;
}

template <class Vertex>
dromos::CsrGraph<Vertex, Memory> build(const ZooGraph& zoo, bool symmetrize, bool simple) {
  dromos::BuildOptions options;
  options.symmetrize = symmetrize;
  options.remove_duplicates = simple;
  options.sort_adjacencies = simple;
  return dromos::build_csr(Space(), zoo.edge_list<Vertex>(), options);
}

/// Rows as kernels see them.
template <class Vertex>
std::vector<std::vector<Vertex>> rows_of(const SymmetricPattern<Vertex, Memory>& pattern) {
  const auto host = [](const auto& graph) { return dromos::copy_to<Kokkos::HostSpace>(graph).view(); };
  const dromos::SymmetricPatternView<Vertex, Kokkos::HostSpace> view{host(pattern.rows()), host(pattern.more())};
  std::vector<std::vector<Vertex>> rows;
  for (Vertex u = 0; u < view.num_vertices(); ++u) {
    EXPECT_EQ(view.begin(u), u == 0 ? 0 : view.end(u - 1)) << "numbers of edges have a gap";
    rows.emplace_back();
    for (Offset e = view.begin(u); e < view.end(u); ++e) rows.back().push_back(neighbor_of(view, u, e));
    EXPECT_EQ(static_cast<Offset>(rows.back().size()), view.degree(u));
  }
  return rows;
}

template <class Vertex>
class SymmetricPatternTest : public ::testing::Test {
 protected:
  /// simple: no entry twice, so that results are the same as those of the merged graph to the last vertex.
  void expect_as_merged(const ZooGraph& zoo, bool simple, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name + (simple ? " simple" : ""));
    const auto graph = build<Vertex>(zoo, false, simple);
    const auto merged = build<Vertex>(zoo, true, simple);
    const SymmetricPattern<Vertex, Memory> pattern(Space(), graph);
    expect_same_edges(pattern, merged, simple);
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      expect_same_order(pattern, merged, simple, strategy);
      Kokkos::View<Vertex*, Memory> color, member, merged_color, merged_member;
      dromos::color_vertices(Space(), pattern, color, {strategy, 3});
      dromos::color_vertices(Space(), merged, merged_color, {strategy, 3});
      EXPECT_TRUE(dromos::validate_coloring(merged, color).holds);
      if (simple) {
        ASSERT_EQ(to_vector(color), to_vector(merged_color));
      }
      dromos::mis2(Space(), pattern, member, {strategy, 3});
      dromos::mis2(Space(), merged, merged_member, {strategy, 3});
      ASSERT_EQ(to_vector(member), to_vector(merged_member));
      Kokkos::View<Vertex*, Memory> root, merged_root;
      dromos::aggregates(Space(), pattern, member, root, strategy);
      dromos::aggregates(Space(), merged, member, merged_root, strategy);
      ASSERT_EQ(to_vector(root), to_vector(merged_root));
    }
  }

  static void expect_same_edges(const SymmetricPattern<Vertex, Memory>& pattern,
                                const dromos::CsrGraph<Vertex, Memory>& merged, bool simple) {
    std::vector<std::vector<Vertex>> rows = rows_of(pattern);
    const auto expected = dromos::test::rows_of(merged);
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t u = 0; u < rows.size(); ++u) {
      std::sort(rows[u].begin(), rows[u].end());
      if (simple) {
        ASSERT_EQ(rows[u], expected[u]) << "row " << u;
      } else {
        ASSERT_EQ(std::set<Vertex>(rows[u].begin(), rows[u].end()),
                  std::set<Vertex>(expected[u].begin(), expected[u].end()))
            << "row " << u;
      }
    }
  }

  static void expect_same_order(const SymmetricPattern<Vertex, Memory>& pattern,
                                const dromos::CsrGraph<Vertex, Memory>& merged, bool simple, const Strategy& strategy) {
    RcmResult<Vertex, Memory> expected;
    dromos::rcm(Space(), merged, expected);
    dromos::RcmOptions options;
    options.strategy = strategy;
    for (const std::int64_t most_serial_edges : {-1, 0}) {
      options.most_serial_edges = most_serial_edges;
      RcmResult<Vertex, Memory> result;
      dromos::rcm(Space(), pattern, result, options);
      const auto proof = dromos::order_is_permutation<Vertex>(
          merged.num_vertices(), Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.new_id),
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.old_id));
      ASSERT_TRUE(proof.holds) << proof.message;
      if (simple) {
        ASSERT_EQ(to_vector(result.new_id), to_vector(expected.new_id));
      }
      EXPECT_EQ(dromos::bandwidth(Space(), pattern, result.new_id, strategy),
                dromos::bandwidth(Space(), merged, result.new_id));
      EXPECT_EQ(dromos::profile(Space(), pattern, result.new_id, strategy),
                dromos::profile(Space(), merged, result.new_id));
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SymmetricPatternTest, VertexTypes, );

TYPED_TEST(SymmetricPatternTest, IsAsTheMergedGraphOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_as_merged(zoo, true, dromos::all_strategies());
    this->expect_as_merged(zoo, false, {dromos::all_strategies()[zoo.edges.size() % 4]});
  }
}

TYPED_TEST(SymmetricPatternTest, IsAsTheMergedGraphOnRandomMatrices) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    ZooGraph zoo = random_matrix(seed);
    zoo.name = "matrix " + std::to_string(seed);
    this->expect_as_merged(zoo, seed % 4 != 0, {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(SymmetricPatternTest, KeepsOnlyWhatIsMissing) {
  // 0 <-> 1, 2 -> 1, a loop.
  const auto graph = dromos::test::make_graph<TypeParam>({{0, 1}, {0}, {1}}, true);
  const SymmetricPattern<TypeParam, Memory> pattern(Space(), graph);
  EXPECT_EQ(pattern.more().num_edges(), 1);
  EXPECT_EQ(pattern.num_edges(), 5);
  EXPECT_EQ(pattern.rows().entries.data(), graph.entries.data()) << "the graph was copied";
  auto undirected = dromos::test::make_graph<TypeParam>({{1}, {0}}, false);
  EXPECT_EQ((SymmetricPattern<TypeParam, Memory>(Space(), undirected).num_edges()), 2);
  const dromos::CsrGraph<TypeParam, Memory> empty;
  EXPECT_EQ((SymmetricPattern<TypeParam, Memory>(Space(), empty).num_vertices()), 0);
}

TYPED_TEST(SymmetricPatternTest, KeepsTheTransposeOfRowsThatDoNotAscend) {
  const auto graph = dromos::test::make_graph<TypeParam>({{2, 1}, {0, 0}, {}}, true);
  const SymmetricPattern<TypeParam, Memory> pattern(Space(), graph);
  EXPECT_EQ(rows_of(pattern), (std::vector<std::vector<TypeParam>>{{2, 1, 1, 1}, {0, 0, 0}, {0}}));
}

}  // namespace
