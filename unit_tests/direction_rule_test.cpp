// SPDX-License-Identifier: BSD-3-Clause
// When searches turn, in the numbers that the rule is documented with.
#include <dromos/traverse/direction_rule.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace direction_rule_test {

using dromos::backward_workload;
using dromos::DirectionOptions;
using dromos::DirectionRule;
using dromos::DirectionWork;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(DirectionRule, BackwardWorkloadIsAsDocumented) {
  EXPECT_EQ(backward_workload({40000, 60000, 9000}), 22500);
  EXPECT_EQ(backward_workload({40000, 60000, 0}), 0);        // nobody looks
  EXPECT_EQ(backward_workload({0, 60000, 9000}), infinity);  // nobody can be found
  EXPECT_EQ(backward_workload({0, 0, 0}), 0);
  EXPECT_EQ(backward_workload({100, 0, 7}), 7);  // every edge leads into the frontier
}

/// Ranks that each look for themselves look more often, but never at more than all edges.
TEST(DirectionRule, RanksThatLookForThemselvesLookMoreOften) {
  EXPECT_EQ(backward_workload({40000, 60000, 9000, 2}), 45000);
  EXPECT_EQ(backward_workload({40000, 60000, 9000, 4}), 90000);
  EXPECT_EQ(backward_workload({40000, 60000, 9000, 5}), 100000);
  EXPECT_EQ(backward_workload({10, 60000, 9000, 5}), 60010);
}

/// Beyond 32 bits, too: sums over many ranks.
TEST(DirectionRule, CountsLargeGraphs) {
  const dromos::Offset billions = dromos::Offset(1) << 42;
  EXPECT_DOUBLE_EQ(backward_workload({billions, 3 * billions, std::int64_t(1) << 36}), 4.0 * (std::int64_t(1) << 36));
}

TEST(DirectionRule, TurnsWhereTheFactorsSay) {
  DirectionRule rule(DirectionOptions{0.5, 0.05, 0});
  EXPECT_FALSE(rule.backward());
  // BV = 1,000 * (FV + 9,000) / FV
  EXPECT_FALSE(rule.turns({1000, 9000, 1000}));  // 1,000 of 10,000
  EXPECT_TRUE(rule.turns({3000, 9000, 1000}));   // 3,000 of 4,000
  EXPECT_TRUE(rule.backward());
  EXPECT_FALSE(rule.turns({3000, 9000, 1000}));
  EXPECT_FALSE(rule.turns({1000, 9000, 1000}));  // it stays where it is between the factors
  EXPECT_TRUE(rule.backward());
  EXPECT_TRUE(rule.turns({500, 9000, 1000}));  // 500 of 19,000
  EXPECT_FALSE(rule.backward());
  EXPECT_FALSE(rule.turns({500, 9000, 1000}));
}

TEST(DirectionRule, FactorsOfZeroAndInfinityKeepOneDirection) {
  DirectionRule always(DirectionOptions{0, 0, 0});
  EXPECT_TRUE(always.turns({1, 1000000, 1000}));
  for (const DirectionWork& work : {DirectionWork{1, 1000000, 1000}, DirectionWork{0, 5, 5}, DirectionWork{5, 0, 0}}) {
    EXPECT_FALSE(always.turns(work));
  }
  DirectionRule never(DirectionOptions{infinity, 0.05, 0});
  EXPECT_FALSE(never.turns({1000000, 1, 1}));
  EXPECT_FALSE(never.turns({1000000, 0, 0}));
}

TEST(DirectionRule, DoesNotTurnForLessThanItIsWorth) {
  const DirectionWork many{3000, 9000, 1000}, few{500, 9000, 1000};
  DirectionRule device(DirectionOptions(), 5000, 2000);
  EXPECT_FALSE(device.turns(many));  // fewer than 5,000 edges
  EXPECT_TRUE(device.turns({6000, 9000, 1000}));
  EXPECT_FALSE(device.turns(few));  // no more than 2,000 vertices unvisited
  EXPECT_TRUE(device.turns({500, 90000, 2001}));
  DirectionRule told(DirectionOptions{0.5, 0.05, 3000}, 5000);  // the caller's word counts
  EXPECT_TRUE(told.turns(many));
  DirectionRule unlimited{DirectionOptions()};
  EXPECT_TRUE(unlimited.turns(many));
}

TEST(DirectionRule, ASampleKeepsItForwardWhereNeighborsAreNear) {
  const DirectionWork work{3000, 9000, 1000};  // BV = 4,000
  const auto of_a_sample = [](double looks) { return [looks] { return looks; }; };
  for (const auto& [looks, backward] : {std::pair(2000.0, true), {3001.0, true}, {5201.0, false}, {9000.0, false}}) {
    DirectionRule rule;
    EXPECT_EQ(rule.turns(work, of_a_sample(looks)), backward) << looks;
    EXPECT_EQ(rule.backward(), backward) << looks;
  }
  DirectionRule always(DirectionOptions{0, 0, 0});
  EXPECT_TRUE(always.turns(work, of_a_sample(9000)));
  // Nobody is asked where it turns neither way, nor where no answer could keep it forward.
  const auto not_asked = [] {
    ADD_FAILURE() << "asked";
    return 0.0;
  };
  DirectionRule rule;
  EXPECT_FALSE(rule.turns({1000, 9000, 1000}, not_asked));
  EXPECT_TRUE(rule.turns({9000, 9000, 1000}, not_asked));
  EXPECT_FALSE(rule.turns(work, not_asked));
  DirectionRule unlikely;
  EXPECT_TRUE(unlikely.turns({6000, 90000, 90}, not_asked));  // BV = 1,440
}

TEST(DirectionRule, WhatTheLastSweepLookedAtTurnsItForward) {
  const DirectionWork first{9000, 9000, 1000}, next{3000, 6000, 1000};  // BV = 2,000 and 3,000
  const auto enough = [] { return 0.0; };
  for (const auto& [looked_at, backward] : {std::pair<dromos::Offset, bool>(2500, true), {8000, false}}) {
    DirectionRule rule;
    EXPECT_TRUE(rule.turns(first, enough));
    rule.looked_at(first, looked_at);
    EXPECT_EQ(rule.turns(next, enough), !backward) << looked_at;  // 3,750, or 6,000: all there are
    EXPECT_EQ(rule.backward(), backward) << looked_at;
  }
  DirectionRule always(DirectionOptions{0, 0, 0});
  EXPECT_TRUE(always.turns(first, enough));
  always.looked_at(first, 8000);
  EXPECT_FALSE(always.turns(next, enough));
}

TEST(DirectionRule, ASearchBeginsForward) {
  DirectionRule rule;
  EXPECT_TRUE(rule.turns({3000, 9000, 1000}));
  rule.go_forward();
  EXPECT_FALSE(rule.backward());
  EXPECT_TRUE(rule.turns({3000, 9000, 1000}));
}

}  // namespace direction_rule_test
