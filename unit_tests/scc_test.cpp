// SPDX-License-Identifier: BSD-3-Clause
// Every method for strongly connected components, with every strategy and both widths of ids, on graphs of every shape,
// in arrays and as views without: the labels are those of Tarjan's algorithm, vertex by vertex.
#include <dromos/algorithms/scc.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "computed_graphs.hpp"
#include "graph_zoo.hpp"
#include "scc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::SccOptions;
using dromos::Strategy;
using dromos::test::BareRows;
using dromos::test::Memory;
using dromos::test::SccProblem;
using dromos::test::SccVariant;
using dromos::test::Space;

/// Of a graph in arrays; and of one whose rows nobody can get hold of, its transpose being of another type.
template <class Vertex>
struct InArrays {
  using Problem = SccProblem<Vertex>;
};
template <class Vertex>
struct WithoutArrays {
  using Problem = SccProblem<Vertex, BareRows<Vertex>, dromos::CsrGraph<Vertex, Memory>>;
};

template <class Given>
class SccTest : public ::testing::Test {
 protected:
  using Problem = typename Given::Problem;
  using Vertex = typename decltype(Problem::graph)::vertex_type;

  /// All variants with all strategies through one scratch: nothing may stay behind.
  template <class Graph>
  void expect_right_by_all(const Graph& graph, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(graph.name);
    Problem problem(graph);
    for (const SccVariant& variant : dromos::test::scc_variants()) {
      for (const Strategy& strategy : strategies) {
        SCOPED_TRACE(variant.name + ", " + dromos::test::describe(strategy));
        problem.expect_right({variant.method, strategy, variant.multistep});
        if (this->HasFailure()) return;
      }
    }
  }
};
using GivenTypes = ::testing::Types<InArrays<std::int32_t>, InArrays<std::int64_t>, WithoutArrays<std::int32_t>>;
TYPED_TEST_SUITE(SccTest, GivenTypes, );

TYPED_TEST(SccTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) this->expect_right_by_all(zoo, dromos::all_strategies());
}

TYPED_TEST(SccTest, IsRightOnRandomGraphs) {
  const auto strategies = dromos::test::some_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    auto zoo = dromos::test::random_small_graph(seed);
    // Undirected ones are few words: their strong components are the weak ones.
    if (seed % 8 != 0) zoo.directed = true;
    this->expect_right_by_all(zoo, {strategies[seed % strategies.size()]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(SccTest, IsRightOnDeepGraphs) {
  for (const auto& graph : dromos::test::deep_graphs<typename TestFixture::Vertex>(300)) {
    this->expect_right_by_all(graph, dromos::all_strategies());
  }
}

TYPED_TEST(SccTest, IsRightOnGraphsWithAGiantComponent) {
  for (const int scale : {12, 14}) {
    dromos::KroneckerOptions kronecker;
    kronecker.scale = scale;
    dromos::test::ZooGraph rmat{"kronecker", 1 << scale,
                                dromos::test::list_edges(dromos::KroneckerEdges<std::int64_t>(kronecker)), true};
    this->expect_right_by_all(rmat, dromos::all_strategies());
    for (const int degree : {1, 2, 3}) {  // from thousands of small components to one giant
      dromos::ErdosRenyiOptions uniform;
      uniform.num_vertices = 1 << scale;
      uniform.num_edges = uniform.num_vertices * degree;
      dromos::test::ZooGraph random{"uniform of degree " + std::to_string(degree), 1 << scale,
                                    dromos::test::list_edges(dromos::ErdosRenyiEdges<std::int64_t>(uniform)), true};
      this->expect_right_by_all(random, {dromos::VertexChunk{}, dromos::ManhattanGlobal{}});
    }
  }
}

TYPED_TEST(SccTest, AcceptsAGraphWithoutVertices) {
  for (const bool with_row_map : {false, true}) {
    dromos::CsrGraph<typename TestFixture::Vertex, Memory> empty;
    if (with_row_map) empty.row_map = dromos::test::to_view(std::vector<dromos::Offset>{0});
    typename TestFixture::Problem problem(empty);
    for (const dromos::SccMethod method : dromos::all_scc_methods()) {
      const auto statistics =
          dromos::scc(Space(), problem.scratch, problem.result, {method, dromos::VertexChunk{}, {}});
      EXPECT_EQ(statistics.components.num_components, 0);
      EXPECT_EQ(statistics.components.largest_component, 0);
    }
  }
}

TYPED_TEST(SccTest, RefusesAGraphThatIsNotTheTranspose) {
  using Id = typename TestFixture::Vertex;
  const auto one = dromos::test::make_graph<Id>({{1}, {0}});
  const auto other = dromos::test::make_graph<Id>({{1}, {}});
  EXPECT_THROW(dromos::SccScratch(one, other), dromos::ArgumentError);
  EXPECT_THROW(dromos::SccScratch(BareRows<Id>(one), other), dromos::ArgumentError);
}

TEST(SccMethodTest, HasANameThatIsUnderstood) {
  for (const dromos::SccMethod method : dromos::all_scc_methods()) {
    EXPECT_EQ(dromos::scc_method_from_name(dromos::scc_method_name(method)), method);
  }
  EXPECT_THROW(dromos::scc_method_from_name("tarjan"), dromos::ArgumentError);
}

}  // namespace
