// SPDX-License-Identifier: BSD-3-Clause
// Buckets out of a pile, with whole, single and double priorities: each vertex is taken once, in the order of
// priorities, empty buckets are left out, and who was settled before its bucket came is dropped.
#include <dromos/traverse/pile.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/graph/csr_graph.hpp>
#include <map>
#include <vector>

#include "build_zoo_graph.hpp"
#include "view_tools.hpp"

namespace {

using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// Buckets of a given width.
template <class Priority>
struct Buckets {
  dromos::Pile<Priority, Memory> pile;
  Kokkos::View<int*, Memory> times_taken;
  Priority width;

  void begin_bucket(Priority least) {
    pile.from = least;
    pile.to = least + width;
  }
  KOKKOS_FUNCTION void end_bucket() { begin_bucket(pile.to); }
  KOKKOS_FUNCTION void taken(std::int32_t v) const { ++times_taken(v); }
};

template <class Priority>
class PileTest : public ::testing::Test {
 protected:
  static constexpr std::int32_t n = 1003;  // not a multiple of the word size

  PileTest() : graph(dromos::test::make_graph<std::int32_t>(rows(), true)), frontier(n, graph.num_edges()) {
    for (std::int32_t v = 0; v < n; ++v) waits_by.push_back(static_cast<Priority>(v * 7919LL % 1009 * 5 / 2));
    buckets.pile.waiting = dromos::Bitmap<Memory>(n);
    buckets.pile.priority = dromos::test::to_view(waits_by);
    buckets.times_taken = Kokkos::View<int*, Memory>("times_taken", n);
    buckets.width = 3;
  }

  /// Vertex v has v % 4 edges.
  static std::vector<std::vector<std::int32_t>> rows() {
    std::vector<std::vector<std::int32_t>> rows(n);
    for (std::int32_t v = 0; v < n; ++v) rows[v].assign(v % 4, 0);
    return rows;
  }

  /// The next bucket, ascending; empty: there is none.
  std::vector<std::int32_t> next() {
    if (!dromos::next_bucket(Space(), graph.view(), frontier, buckets, counts)) return {};
    auto taken = to_vector(frontier.queue(), frontier.num_vertices());
    std::sort(taken.begin(), taken.end());
    dromos::Offset edges = 0;
    for (const auto v : taken) edges += v % 4;
    EXPECT_EQ(frontier.num_edges(), edges);
    return taken;
  }

  dromos::CsrGraph<std::int32_t, Memory> graph;
  dromos::Frontier<std::int32_t, Memory> frontier;
  dromos::DeviceCounts<Memory> counts{3, "counts"};
  Buckets<Priority> buckets;
  std::vector<Priority> waits_by;
};
using Priorities = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(PileTest, Priorities, );

TYPED_TEST(PileTest, BucketsComeInOrderAndHaveEveryoneOnce) {
  constexpr std::int32_t num_waiting = 777;  // those behind them do not wait
  dromos::set_first(Space(), this->buckets.pile.waiting, num_waiting);
  std::map<TypeParam, std::vector<std::int32_t>> by_priority;
  for (std::int32_t v = 0; v < num_waiting; ++v) by_priority[this->waits_by[v]].push_back(v);
  this->buckets.begin_bucket(0);
  while (!by_priority.empty()) {
    const auto taken = this->next();
    const TypeParam from = this->buckets.pile.from, to = this->buckets.pile.to;
    std::vector<std::int32_t> expected;
    while (!by_priority.empty() && by_priority.begin()->first < to) {
      ASSERT_GE(by_priority.begin()->first, from) << "was left out";
      const auto& those = by_priority.begin()->second;
      expected.insert(expected.end(), those.begin(), those.end());
      by_priority.erase(by_priority.begin());
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(taken, expected) << "bucket from " << from;
    dromos::end_bucket(this->buckets);
  }
  EXPECT_TRUE(this->next().empty());
  auto times = to_vector(this->buckets.times_taken);
  EXPECT_TRUE(std::all_of(times.begin(), times.begin() + num_waiting, [](int t) { return t == 1; }));
  EXPECT_TRUE(std::all_of(times.begin() + num_waiting, times.end(), [](int t) { return t == 0; }));
}

TYPED_TEST(PileTest, DropsThoseWhoWereSettledBefore) {
  dromos::set_first(Space(), this->buckets.pile.waiting, this->n);
  this->buckets.begin_bucket(1000);
  const auto taken = this->next();
  ASSERT_FALSE(taken.empty());
  for (const auto v : taken) EXPECT_TRUE(this->waits_by[v] >= this->buckets.pile.from);
  // They do not come back with an earlier bucket.
  const TypeParam from = this->buckets.pile.from;
  this->buckets.begin_bucket(0);
  for (const auto v : this->next()) EXPECT_GT(this->waits_by[v], from);
}

TYPED_TEST(PileTest, NobodyWaits) {
  this->buckets.begin_bucket(0);
  EXPECT_TRUE(this->next().empty());
}

TYPED_TEST(PileTest, WordsOrderPriorities) {
  using AnyPile = dromos::Pile<TypeParam, Memory>;
  const TypeParam none = dromos::no_priority<TypeParam>;
  const std::vector<TypeParam> ascending{0, 1, 2, 3, 255, 256, 65536, TypeParam(1 << 30), none};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(AnyPile::of_word(AnyPile::word_of(ascending[i])), ascending[i]);
    if (i > 0) {
      EXPECT_LT(AnyPile::word_of(ascending[i]), AnyPile::word_of(ascending[i - 1]));
    }
  }
  EXPECT_EQ(AnyPile::word_of(none), 0u);
}

}  // namespace
