// SPDX-License-Identifier: BSD-3-Clause
// Induced subgraphs of the zoo and of random graphs, by random sets of vertices, against the edges that a pair of loops
// on the host keeps.
#include <dromos/algorithms/induced_subgraph.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace {

using dromos::Bitmap;
using dromos::CsrGraph;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

Bitmap<Memory> bitmap_of(const std::vector<bool>& kept) {
  const Bitmap<Memory> bitmap(static_cast<std::int64_t>(kept.size()));
  const auto words = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bitmap.words());
  for (std::size_t v = 0; v < kept.size(); ++v) {
    if (kept[v]) words(v / 32) |= std::uint32_t(1) << (v % 32);
  }
  Kokkos::deep_copy(bitmap.words(), words);
  return bitmap;
}

/// Every arc gets a weight of its own that both directions of an edge share.
template <class Vertex>
void add_weights(CsrGraph<Vertex, Memory>& graph) {
  const auto rows = dromos::test::rows_of(graph);
  std::vector<float> weights;
  for (std::size_t u = 0; u < rows.size(); ++u) {
    for (const Vertex v : rows[u]) {
      const auto low = std::min<std::int64_t>(static_cast<std::int64_t>(u), v);
      const auto high = std::max<std::int64_t>(static_cast<std::int64_t>(u), v);
      weights.push_back(static_cast<float>(1000 * low + high) / 8);
    }
  }
  graph.weights = to_view(weights);
}

template <class Vertex>
class InducedSubgraphTest : public ::testing::Test {
 protected:
  void expect_right(const CsrGraph<Vertex, Memory>& graph, const std::vector<bool>& kept) {
    const auto induced = dromos::induced_subgraph(Space(), graph, bitmap_of(kept));
    std::vector<Vertex> old_id, new_id;
    for (std::size_t v = 0; v < kept.size(); ++v) {
      new_id.push_back(kept[v] ? static_cast<Vertex>(old_id.size()) : Vertex(-1));
      if (kept[v]) old_id.push_back(static_cast<Vertex>(v));
    }
    ASSERT_EQ(to_vector(induced.old_id), old_id);
    ASSERT_EQ(to_vector(induced.new_id), new_id);
    ASSERT_EQ(induced.graph.directed, graph.directed);
    ASSERT_EQ(induced.graph.num_vertices(), static_cast<Vertex>(old_id.size()));
    ASSERT_EQ(induced.graph.weighted(), graph.weighted() && induced.graph.num_edges() > 0);

    const auto rows = dromos::test::rows_of(graph), found = dromos::test::rows_of(induced.graph);
    const auto weights = to_vector(graph.weights), found_weights = to_vector(induced.graph.weights);
    const std::vector<Offset> row_map = to_vector(graph.row_map);
    std::size_t at = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto u = static_cast<std::size_t>(old_id[i]);
      const auto first = static_cast<std::size_t>(row_map[u]);
      std::vector<std::pair<Vertex, float>> expected, actual;
      for (std::size_t k = 0; k < rows[u].size(); ++k) {
        const auto v = static_cast<std::size_t>(rows[u][k]);
        if (kept[v]) expected.emplace_back(new_id[v], graph.weighted() ? weights[first + k] : 0);
      }
      for (const Vertex v : found[i]) actual.emplace_back(v, graph.weighted() ? found_weights[at++] : 0);
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(actual, expected) << "row of vertex " << u;
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(InducedSubgraphTest, VertexTypes, );

TYPED_TEST(InducedSubgraphTest, KeepsWhatIsBetweenTheVerticesOfRandomSets) {
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(300); ++seed) {
    const auto zoo = dromos::test::random_small_graph(seed);
    SCOPED_TRACE(zoo.name);
    auto graph = dromos::test::build<TypeParam>(zoo);
    if (seed % 2 == 0) add_weights(graph);
    std::mt19937_64 random(seed);
    const std::uint64_t per_mille = random() % 1001;
    std::vector<bool> kept;
    for (std::int64_t v = 0; v < zoo.num_vertices; ++v) kept.push_back(random() % 1000 < per_mille);
    this->expect_right(graph, kept);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(InducedSubgraphTest, KeepsAllOrNothingOfTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo(300)) {
    SCOPED_TRACE(zoo.name);
    auto graph = dromos::test::build<TypeParam>(zoo);
    add_weights(graph);
    for (const bool all : {false, true}) {
      this->expect_right(graph, std::vector<bool>(static_cast<std::size_t>(zoo.num_vertices), all));
    }
  }
}

TYPED_TEST(InducedSubgraphTest, SelectsVerticesByTheirValues) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 200}) {
    std::vector<TypeParam> values;
    for (std::size_t v = 0; v < n; ++v) values.push_back(static_cast<TypeParam>(v * 7 % 10) - 1);
    const auto words = to_vector(dromos::select_vertices<Space, TypeParam>(Space(), to_view(values), 2, 5).words());
    ASSERT_EQ(words.size(), (n + 31) / 32);
    for (std::size_t bit = 0; bit < 32 * words.size(); ++bit) {
      const bool expected = bit < n && values[bit] >= 2 && values[bit] <= 5;
      ASSERT_EQ((words[bit / 32] >> (bit % 32) & 1) != 0, expected) << "bit " << bit << " of " << n;
    }
  }
}

TYPED_TEST(InducedSubgraphTest, RefusesABitmapOfAnotherGraph) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {2}, {}});
  try {
    dromos::induced_subgraph(Space(), graph, Bitmap<Memory>(4));
    FAIL() << "4 bits for 3 vertices";
  } catch (const dromos::ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("4 bits for a graph of 3 vertices"), std::string::npos) << error.what();
  }
  const CsrGraph<TypeParam, Memory> empty;
  EXPECT_EQ(dromos::induced_subgraph(Space(), empty, Bitmap<Memory>()).graph.num_vertices(), 0);
}

}  // namespace
