// SPDX-License-Identifier: BSD-3-Clause
// Components of the parts of random partitions, of the zoo and of random graphs, with every method and both widths of
// ids, against a union-find on the host that looks at one edge after the other.
#include <dromos/algorithms/components_of_parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::ComponentsOfParts;
using dromos::CsrGraph;
using dromos::PartComponentOptions;
using dromos::PartPieces;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_view;

template <class Vertex>
std::vector<PartPieces> pieces_one_by_one(const CsrGraph<Vertex, Memory>& graph, const std::vector<Vertex>& part,
                                          std::int64_t num_parts) {
  const auto rows = dromos::test::rows_of(graph);
  std::vector<std::size_t> parent(rows.size());
  std::iota(parent.begin(), parent.end(), std::size_t(0));
  const auto root = [&](std::size_t v) {
    while (parent[v] != v) v = parent[v];
    return v;
  };
  for (std::size_t u = 0; u < rows.size(); ++u) {
    for (const Vertex v : rows[u]) {
      if (part[u] == part[static_cast<std::size_t>(v)]) parent[root(u)] = root(static_cast<std::size_t>(v));
    }
  }
  std::vector<PartPieces> parts;
  for (std::int64_t p = 0; p < num_parts; ++p) {
    std::map<std::size_t, std::int64_t> sizes;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (part[v] == p) ++sizes[root(v)];
    }
    PartPieces each{p, 0, static_cast<std::int64_t>(sizes.size()), 0};
    for (const auto& [name, size] : sizes) {
      each.num_vertices += size;
      each.largest = std::max(each.largest, size);
    }
    parts.push_back(each);
  }
  return parts;
}

template <class Vertex>
class ComponentsOfPartsTest : public ::testing::Test {
 protected:
  void expect_right(const CsrGraph<Vertex, Memory>& graph, std::uint64_t seed, const dromos::Strategy& strategy) {
    std::mt19937_64 random(seed);
    const std::int64_t num_parts = 1 + static_cast<std::int64_t>(random() % 6);
    const bool some_in_none = random() % 2 == 0, in_runs = random() % 2 == 0;
    std::vector<Vertex> part;
    for (std::int64_t v = 0; v < graph.num_vertices(); ++v) {
      const bool goes_on = in_runs && !part.empty() && random() % 8 != 0;
      const auto p = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(num_parts));
      part.push_back(goes_on ? part.back() : static_cast<Vertex>(some_in_none && p == 0 ? -1 : p));
    }
    const auto expected = pieces_one_by_one(graph, part, num_parts + 1);
    for (const auto method : dromos::all_component_methods()) {
      PartComponentOptions options;
      options.num_parts = num_parts + 1;
      options.components.method = method;
      options.components.strategy = strategy;
      const auto found = dromos::components_of_parts(Space(), graph, to_view(part), options).parts;
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t p = 0; p < found.size(); ++p) {
        EXPECT_EQ(found[p].part, expected[p].part);
        EXPECT_EQ(found[p].num_vertices, expected[p].num_vertices) << "part " << p;
        EXPECT_EQ(found[p].num_pieces, expected[p].num_pieces) << "part " << p;
        EXPECT_EQ(found[p].largest, expected[p].largest) << "part " << p;
      }
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ComponentsOfPartsTest, VertexTypes, );

TYPED_TEST(ComponentsOfPartsTest, IsRightOnTheZoo) {
  std::uint64_t seed = 0;
  for (const auto& zoo : dromos::test::graph_zoo(300)) {
    SCOPED_TRACE(zoo.name);
    for (const auto& strategy : dromos::all_strategies()) {
      this->expect_right(dromos::test::build<TypeParam>(zoo), ++seed, strategy);
    }
  }
}

TYPED_TEST(ComponentsOfPartsTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    const auto zoo = dromos::test::random_small_graph(seed);
    SCOPED_TRACE(zoo.name);
    this->expect_right(dromos::test::build<TypeParam>(zoo), seed, tunings[seed % tunings.size()]);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(ComponentsOfPartsTest, SaysWhichPartsAreDisconnected) {
  const auto path = dromos::test::make_graph<TypeParam>({{1}, {0, 2}, {1, 3}, {2, 4}, {3}}, false);
  const auto parts_of = [&](const std::vector<TypeParam>& part) {
    return dromos::components_of_parts(Space(), path, to_view(part));
  };
  EXPECT_EQ(parts_of({0, 0, 1, 0, 0}).message(),
            "1 of 2 parts is disconnected: part 0 (2 pieces, largest 2 of 4 vertices)");
  EXPECT_EQ(parts_of({0, 1, 0, 1, 1}).message("rows"),
            "2 of 2 parts are disconnected: part 0 (2 pieces, largest 1 of 2 rows), part 1 (2 pieces, largest 2 of 3 "
            "rows)");
  EXPECT_EQ(parts_of({0, 1, 0, 1, 0}).message("rows", 1),
            "2 of 2 parts are disconnected: part 0 (3 pieces, largest 1 of 3 rows), and 1 more");
  EXPECT_EQ(parts_of({0, 0, 0, 1, 1}).message(), "all 2 parts are connected");
  EXPECT_EQ(parts_of({0, 0, 0, 0, 0}).message(), "the part is connected");
  EXPECT_TRUE(parts_of({0, 0, 3, 3, 3}).all_connected()) << "parts 1 and 2 are empty";
  EXPECT_EQ(parts_of({0, 0, 3, 3, 3}).parts.size(), 4u);
  EXPECT_EQ(parts_of({-1, -1, -1, -1, -1}).parts.size(), 0u);
}

TYPED_TEST(ComponentsOfPartsTest, AcceptsAGraphWithoutVertices) {
  const CsrGraph<TypeParam, Memory> empty;
  EXPECT_TRUE(dromos::components_of_parts(Space(), empty, Kokkos::View<TypeParam*, Memory>()).parts.empty());
}

TYPED_TEST(ComponentsOfPartsTest, RefusesWhatIsNoPartition) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}, {}}, false);
  const auto find = [&](const std::vector<TypeParam>& part, std::int64_t num_parts) {
    PartComponentOptions options;
    options.num_parts = num_parts;
    return dromos::components_of_parts(Space(), graph, to_view(part), options);
  };
  EXPECT_EQ(find({0, 0, 1}, 0).parts.size(), 2u);
  EXPECT_THROW(find({0, 0}, 0), dromos::ArgumentError);
  EXPECT_THROW(find({0, 0, -2}, 0), dromos::ArgumentError);
  EXPECT_THROW(find({0, 0, 1}, 1), dromos::ArgumentError);
  EXPECT_THROW(find({0, 0, 1}, -1), dromos::ArgumentError);
}

}  // namespace
