// SPDX-License-Identifier: BSD-3-Clause
// check_graph(): takes every graph of the zoo, and refuses each array that is wrong in one place, saying where.
#include <dromos/graph/check_graph.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_view;

template <class Vertex>
class CheckGraphTest : public ::testing::Test {};
using Vertices = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CheckGraphTest, Vertices, );

template <class Vertex>
CsrGraph<Vertex, Memory> graph_of(const std::vector<Offset>& row_map, const std::vector<Vertex>& entries,
                                  const std::vector<float>& weights = {}) {
  CsrGraph<Vertex, Memory> graph;
  graph.row_map = to_view(row_map);
  graph.entries = to_view(entries);
  graph.weights = to_view(weights);
  return graph;
}

template <class Vertex>
std::string what_is_wrong(const CsrGraph<Vertex, Memory>& graph) {
  try {
    dromos::check_graph(Space(), graph);
  } catch (const dromos::ArgumentError& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(CheckGraphTest, TakesEveryGraphThatIsOne) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    EXPECT_EQ(what_is_wrong(dromos::test::build<TypeParam>(zoo)), "") << zoo.name;
  }
  EXPECT_EQ(what_is_wrong(CsrGraph<TypeParam, Memory>()), "");
  EXPECT_EQ(what_is_wrong(graph_of<TypeParam>({0}, {})), "");
  EXPECT_EQ(what_is_wrong(graph_of<TypeParam>({0, 1, 1}, {1}, {0.5f})), "");
}

TYPED_TEST(CheckGraphTest, RefusesRowsThatAreNone) {
  const std::string offsets = "expected ascending offsets, the first 0 and the last the number of entries";
  const std::vector<std::vector<Offset>> wrong = {{1, 1, 2},  {0, 2, 1},  {0, 1, 3}, {0, 1, 1}, {0, 3, 2},
                                                  {0, -1, 2}, {-1, 0, 2}, {0},       {}};
  for (const auto& row_map : wrong) {
    EXPECT_NE(what_is_wrong(graph_of<TypeParam>(row_map, {0, 1})).find(offsets), std::string::npos)
        << ::testing::PrintToString(row_map);
  }
}

TYPED_TEST(CheckGraphTest, RefusesTargetsThatAreNoVertices) {
  for (const TypeParam target :
       {TypeParam(2), TypeParam(-1), std::numeric_limits<TypeParam>::max(), std::numeric_limits<TypeParam>::min()}) {
    EXPECT_NE(what_is_wrong(graph_of<TypeParam>({0, 1, 2}, {1, target})).find("1 column index is outside of [0, 2)"),
              std::string::npos)
        << target;
  }
}

TYPED_TEST(CheckGraphTest, RefusesWeightsThatAreNotOneForEachEntry) {
  EXPECT_NE(what_is_wrong(graph_of<TypeParam>({0, 1, 2}, {1, 0}, {0.5f})).find("2 entries and 1 weights"),
            std::string::npos);
}

}  // namespace
