// SPDX-License-Identifier: BSD-3-Clause
// k-core decomposition with every strategy and both widths of ids: the core numbers are those of serial peeling, known
// ones where a graph's are known, and every rule of validation rejects a wrong number.
#include <dromos/algorithms/kcore.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/core_rules.hpp>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::KcoreScratch;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::ZooGraph;

/// The definition itself: what remains when vertices with fewer than k neighbors leave, one at a time, for every k.
template <class Vertex>
std::vector<Vertex> cores_by_definition(const dromos::CsrGraph<Vertex, Memory>& graph) {
  const auto rows = dromos::test::rows_of(graph);
  std::vector<Vertex> core(rows.size(), 0);
  std::vector<bool> remains(rows.size(), true);
  for (Vertex k = 1; std::find(remains.begin(), remains.end(), true) != remains.end(); ++k) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t u = 0; u < rows.size(); ++u) {
        if (!remains[u]) continue;
        Vertex neighbors = 0;
        for (const Vertex v : rows[u]) neighbors += static_cast<std::size_t>(v) != u && remains[v];
        if (neighbors < k) {
          remains[u] = false;
          changed = true;
        }
      }
    }
    for (std::size_t u = 0; u < rows.size(); ++u) {
      if (remains[u]) core[u] = k;
    }
  }
  return core;
}

template <class Vertex>
class KcoreTest : public ::testing::Test {
 protected:
  void expect_right(const ZooGraph& zoo, bool simple, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name + (simple ? " simple" : ""));
    const auto graph = dromos::test::build_undirected<Vertex>(zoo, simple);
    const auto expected = dromos::reference::core_numbers(dromos::copy_to<Kokkos::HostSpace>(graph));
    KcoreScratch<Vertex, Memory> scratch(graph);
    Kokkos::View<Vertex*, Memory> core;
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      const auto statistics = dromos::kcore(Space(), graph, scratch, core, {strategy});
      ASSERT_EQ(to_vector(core), expected);
      EXPECT_EQ(statistics.largest_core, *std::max_element(expected.begin(), expected.end()));
      EXPECT_GT(statistics.num_sweeps, 0);
      EXPECT_LE(statistics.num_sweeps, graph.num_vertices()) << "a sweep in which nobody left";
    }
    const auto proof = dromos::validate_cores(Space(), graph, core);
    EXPECT_TRUE(proof.holds) << proof.message;
  }

  std::vector<Vertex> cores(const dromos::CsrGraph<Vertex, Memory>& graph) {
    KcoreScratch<Vertex, Memory> scratch(graph);
    Kokkos::View<Vertex*, Memory> core;
    dromos::kcore(Space(), graph, scratch, core);
    return to_vector(core);
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(KcoreTest, VertexTypes, );

TYPED_TEST(KcoreTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, false, dromos::test::some_tunings());
    this->expect_right(zoo, true, dromos::all_strategies());
  }
}

TYPED_TEST(KcoreTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(1000); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed), seed % 2 == 0,
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(KcoreTest, OracleIsTheDefinition) {
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(200); ++seed) {
    const auto graph = dromos::test::build_undirected<TypeParam>(dromos::test::random_small_graph(seed), seed % 2 == 0);
    ASSERT_EQ(dromos::reference::core_numbers(dromos::copy_to<Kokkos::HostSpace>(graph)), cores_by_definition(graph))
        << "seed " << seed;
  }
}

TYPED_TEST(KcoreTest, FindsTheExampleOfItsDocumentation) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2}, {0, 2}, {0, 1, 3}, {2, 4}, {3}}, false);
  EXPECT_EQ(this->cores(graph), (std::vector<TypeParam>{2, 2, 2, 1, 1}));
}

TYPED_TEST(KcoreTest, KnowsWhatIsKnown) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    const auto expect_all = [&](TypeParam k) {
      const auto graph = dromos::test::build_undirected<TypeParam>(zoo, true);
      EXPECT_EQ(this->cores(graph), std::vector<TypeParam>(graph.num_vertices(), k)) << zoo.name;
    };
    if (zoo.name == "complete") expect_all(39);
    if (zoo.name == "cycle-333") expect_all(2);
    if (zoo.name == "binary-tree-1000" || zoo.name == "star-5000") expect_all(1);
    if (zoo.name == "two-vertices-without-edges") expect_all(0);
    if (zoo.name == "grid-17x23") expect_all(2);
  }
}

TYPED_TEST(KcoreTest, RaceIsAlwaysWonByOne) {
  // Many threads take neighbors from the same vertices at once: a clique with many pendant vertices at each member.
  ZooGraph graph;
  graph.num_vertices = 64 + 64 * 50;
  for (std::int64_t u = 0; u < 64; ++u) {
    for (std::int64_t v = u + 1; v < 64; ++v) graph.edges.emplace_back(u, v);
    for (std::int64_t i = 0; i < 50; ++i) graph.edges.emplace_back(u, 64 + 50 * u + i);
  }
  const auto csr = dromos::test::build_undirected<TypeParam>(graph, true);
  std::vector<TypeParam> expected(csr.num_vertices(), 1);
  std::fill_n(expected.begin(), 64, 63);
  KcoreScratch<TypeParam, Memory> scratch(csr);
  Kokkos::View<TypeParam*, Memory> core;
  for (int repeat = 0; repeat < 200; ++repeat) {
    dromos::kcore(Space(), csr, scratch, core, {dromos::all_strategies()[repeat % 4]});
    ASSERT_EQ(to_vector(core), expected);
  }
}

TYPED_TEST(KcoreTest, AcceptsAGraphWithoutVertices) {
  dromos::CsrGraph<TypeParam, Memory> empty;
  empty.directed = false;
  EXPECT_TRUE(this->cores(empty).empty());
}

TYPED_TEST(KcoreTest, RefusesWhatItCannotUse) {
  auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}}, false);
  KcoreScratch<TypeParam, Memory> scratch;
  Kokkos::View<TypeParam*, Memory> core;
  EXPECT_THROW(dromos::kcore(Space(), graph, scratch, core), dromos::ArgumentError);
  scratch = KcoreScratch<TypeParam, Memory>(graph);
  graph.directed = true;
  EXPECT_THROW(dromos::kcore(Space(), graph, scratch, core), dromos::ArgumentError);
}

TYPED_TEST(KcoreTest, RulesRejectWrongNumbers) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2}, {0, 2}, {0, 1, 3}, {2, 4}, {3}}, false);
  const auto judge = [&](const std::vector<TypeParam>& core) {
    return dromos::validate_cores(Space(), graph, dromos::test::to_view(core));
  };
  EXPECT_TRUE(judge({2, 2, 2, 1, 1}).holds);
  EXPECT_NE(judge({2, 2, 2, 2, 1}).message.find("vertex 3 has core number 2, but fewer"), std::string::npos);
  EXPECT_NE(judge({2, 2, 2, 1, -1}).message.find("vertex 4"), std::string::npos);
  EXPECT_NE(judge({1, 1, 1, 1, 1}).message.find("vertex 0 has core number 1 instead of 2"), std::string::npos);
  EXPECT_FALSE(judge({2, 2, 2, 1}).holds);
}

}  // namespace
