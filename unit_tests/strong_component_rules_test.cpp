// SPDX-License-Identifier: BSD-3-Clause
// The rules for strongly connected components accept what Tarjan's algorithm says, and each rejects what it is for.
#include <dromos/validate/strong_component_rules.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scc_graphs.hpp"
#include "view_tools.hpp"

namespace {

using dromos::RuleResult;
using dromos::test::to_view;

template <class Vertex>
class StrongComponentRulesTest : public ::testing::Test {
 protected:
  //  0 <-> 1 -> 2 -> 3 -> 2, 4 on its own with a self loop
  const dromos::CsrGraph<Vertex, dromos::test::Memory> graph =
      dromos::test::make_graph<Vertex>({{1}, {0, 2}, {3}, {2}, {4}});

  RuleResult judge(const std::vector<Vertex>& labels) const {
    return dromos::validate_strong_components(graph, to_view(labels));
  }
  void expect_rejected(const std::vector<Vertex>& labels, const std::string& word) const {
    const RuleResult result = judge(labels);
    EXPECT_FALSE(result.holds);
    EXPECT_NE(result.message.find(word), std::string::npos) << result.message;
  }
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(StrongComponentRulesTest, VertexTypes, );

TYPED_TEST(StrongComponentRulesTest, AcceptTheAnswer) {
  const RuleResult result = this->judge({0, 0, 2, 2, 4});
  EXPECT_TRUE(result.holds) << result.message;
}

TYPED_TEST(StrongComponentRulesTest, RejectLabelsThatAreNotTheSmallestMember) {
  this->expect_rejected({1, 1, 2, 2, 4}, "vertex 0 has component 1");
  this->expect_rejected({0, 0, 2, 1, 4}, "vertex 3 has component 1, which itself has component 0");
  this->expect_rejected({-1, 0, 2, 2, 4}, "not a vertex");
  this->expect_rejected({0, 0, 2, 2, 1000}, "not a vertex");
  this->expect_rejected({0, 0, 2, 2}, "4 labels for 5 vertices");
}

TYPED_TEST(StrongComponentRulesTest, RejectAComponentThatIsTooLarge) {
  this->expect_rejected({0, 0, 0, 0, 4}, "2 does not reach 0");
  this->expect_rejected({0, 0, 2, 2, 2}, "2 does not reach 4");
}

TYPED_TEST(StrongComponentRulesTest, RejectAComponentThatIsTooSmall) {
  this->expect_rejected({0, 0, 2, 3, 4}, "should have been one");
  this->expect_rejected({0, 1, 2, 2, 4}, "should have been one");
}

TYPED_TEST(StrongComponentRulesTest, AgreeWithTarjanOnRandomGraphsAndRejectAnyOtherAnswer) {
  std::mt19937_64 random(5);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    auto zoo = dromos::test::random_small_graph(seed);
    zoo.directed = true;
    dromos::test::SccProblem<TypeParam> problem(zoo);
    std::vector<TypeParam> labels = problem.expected;
    const RuleResult right = dromos::validate_strong_components(problem.graph, to_view(labels));
    EXPECT_TRUE(right.holds) << zoo.name << ": " << right.message;
    const std::size_t v = random() % labels.size();
    const TypeParam other = static_cast<TypeParam>(random() % labels.size());
    if (other == labels[v]) continue;
    labels[v] = other;
    EXPECT_FALSE(dromos::validate_strong_components(problem.graph, to_view(labels)).holds) << zoo.name;
  }
}

}  // namespace
