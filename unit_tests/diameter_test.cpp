// SPDX-License-Identifier: BSD-3-Clause
// Bounds of the diameter with every strategy and both widths of ids: exact where enough searches are allowed, around
// the truth where they are not, the same on any number of threads, and rules that reject wrong bounds.
#include <dromos/algorithms/diameter.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/validate/diameter_rules.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <string>
#include <vector>

#include "graph_zoo.hpp"
#include "real_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::DiameterOptions;
using dromos::Level;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Space;

template <class Vertex>
dromos::CsrGraph<Vertex, Memory> build_undirected(const dromos::test::ZooGraph& zoo) {
  dromos::BuildOptions options;
  options.symmetrize = true;
  return dromos::build_csr(Space(), zoo.edge_list<Vertex>(), options);
}

template <class Vertex>
class DiameterTest : public ::testing::Test {
 protected:
  void expect_right(const dromos::test::ZooGraph& zoo, const std::vector<Strategy>& strategies) {
    SCOPED_TRACE(zoo.name);
    const auto graph = build_undirected<Vertex>(zoo);
    if (graph.num_vertices() > 2000) return;  // a star, and known
    const Vertex start = graph.num_vertices() / 2;
    const Level expected = dromos::reference::component_diameter(dromos::copy_to<Kokkos::HostSpace>(graph), start);
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      for (const int max_searches : {10000, 3, 8}) {
        const auto bounds = dromos::diameter(Space(), graph, start, {max_searches, strategy});
        EXPECT_LE(bounds.lower, expected);
        EXPECT_GE(bounds.upper, expected);
        EXPECT_LE(bounds.num_searches, max_searches);
        EXPECT_TRUE(bounds.exact() || bounds.num_searches == max_searches) << "stopped too early";
        EXPECT_LE(bounds.upper, 2 * bounds.lower);
        const auto proof = dromos::validate_diameter(graph, bounds.from, bounds.to, bounds.lower, bounds.upper);
        EXPECT_TRUE(proof.holds) << proof.message;
        if (this->HasFailure()) return;
      }
    }
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(DiameterTest, VertexTypes, );

TYPED_TEST(DiameterTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    this->expect_right(zoo, zoo.num_vertices < 100 ? dromos::test::some_tunings() : std::vector<Strategy>{Strategy()});
  }
}

TYPED_TEST(DiameterTest, IsRightOnRandomGraphs) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(300); ++seed) {
    this->expect_right(dromos::test::random_small_graph(seed), {tunings[seed % tunings.size()]});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(DiameterTest, KnowsWhatIsKnown) {
  for (const auto& zoo : dromos::test::graph_zoo()) {
    const auto expect = [&](Level diameter, int most_searches) {
      const auto bounds = dromos::diameter(Space(), build_undirected<TypeParam>(zoo), TypeParam(1), {});
      EXPECT_EQ(bounds.lower, diameter) << zoo.name;
      EXPECT_TRUE(bounds.exact()) << zoo.name;
      EXPECT_EQ(bounds.component_size, zoo.num_vertices) << zoo.name;
      EXPECT_LE(bounds.num_searches, most_searches) << zoo.name;
    };
    if (zoo.name == "path-700") expect(699, 10);
    if (zoo.name == "star-5000") expect(2, 7);
    if (zoo.name == "grid-17x23") expect(38, 400);
    if (zoo.name == "binary-tree-1000") expect(18, 1000);
    if (zoo.name == "cycle-333") expect(166, 333);
  }
}

TYPED_TEST(DiameterTest, SameBoundsOfRealGraphsEachTime) {
  using dromos::test::data_path;
  struct Known {
    const char* file;
    std::int64_t start;
    Level diameter;
  };
  // Diameters of these components as a double sweep by others finds them at least; ours are proved by iFUB.
  for (const Known& known : {Known{"power.graph.xz", 2553, 46}, Known{"PGPgiantcompo.graph.xz", 1143, 24}}) {
    DROMOS_SKIP_WITHOUT(known.file);
    dromos::BuildOptions options;
    options.symmetrize = options.remove_duplicates = true;
    const auto graph = dromos::build_csr(
        Space(), dromos::copy_to<Memory>(dromos::read_graph<TypeParam>(data_path(known.file)).edges), options);
    const TypeParam start = static_cast<TypeParam>(known.start);
    const auto bounds = dromos::diameter(Space(), graph, start, {});
    EXPECT_EQ(bounds.lower, known.diameter) << known.file;
    EXPECT_TRUE(bounds.exact()) << known.file;
    for (const Strategy& strategy : dromos::all_strategies()) {
      const auto again = dromos::diameter(Space(), graph, start, {1000, strategy});
      EXPECT_EQ(again.from, bounds.from);
      EXPECT_EQ(again.to, bounds.to);
      EXPECT_EQ(again.num_searches, bounds.num_searches);
    }
  }
}

TYPED_TEST(DiameterTest, RefusesWhatItCannotUse) {
  auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}}, false);
  EXPECT_THROW(dromos::diameter(Space(), graph, TypeParam(2), {}), dromos::ArgumentError);
  EXPECT_THROW(dromos::diameter(Space(), graph, TypeParam(-1), {}), dromos::ArgumentError);
  EXPECT_THROW(dromos::diameter(Space(), graph, TypeParam(0), {2, {}}), dromos::ArgumentError);
  graph.directed = true;
  EXPECT_THROW(dromos::diameter(Space(), graph, TypeParam(0), {}), dromos::ArgumentError);
}

TYPED_TEST(DiameterTest, RulesRejectWrongBounds) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0, 2}, {1, 3}, {2}, {}}, false);
  const auto judge = [&](TypeParam from, TypeParam to, Level lower, Level upper) {
    return dromos::validate_diameter(graph, from, to, lower, upper);
  };
  EXPECT_TRUE(judge(0, 3, 3, 3).holds);
  EXPECT_TRUE(judge(0, 2, 2, 4).holds);
  EXPECT_NE(judge(0, 2, 3, 3).message.find("0 and 2 are 2 edges apart"), std::string::npos);
  EXPECT_NE(judge(0, 4, 3, 3).message.find("not connected"), std::string::npos);
  EXPECT_NE(judge(0, 5, 3, 3).message.find("5 is not a vertex"), std::string::npos);
  EXPECT_NE(judge(1, 2, 1, 2).message.find("3 edges away"), std::string::npos);
}

}  // namespace
