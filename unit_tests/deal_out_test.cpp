// SPDX-License-Identifier: BSD-3-Clause
// What threads of a CPU are dealt: every piece once, whatever their number; and counts of a thread's own.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/first_come_counts.hpp>
#include <map>
#include <vector>

namespace dromos::test {
namespace {

using HostSpace = Kokkos::DefaultHostExecutionSpace;

TEST(DealOut, GivesEveryPieceOnce) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000, 100003}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
    deal_out("dromos::test::deal_out", HostSpace(), count,
             [&](std::int64_t i) { runs[static_cast<std::size_t>(i)].fetch_add(1); });
    for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(runs[static_cast<std::size_t>(i)], 1) << i << " of " << count;
  }
}

TEST(DealOut, HandsInWhatEachThreadAddedUp) {
  struct Mine {
    std::int64_t pieces = 0, sum = 0;
  };
  for (const std::int64_t count : {0, 1, 7, 100003}) {
    std::atomic<std::int64_t> pieces{0}, sum{0}, times{0};
    deal_out_to_each<Mine>(
        "dromos::test::deal_out", HostSpace(), count,
        [](std::int64_t i, Mine& mine) {
          ++mine.pieces;
          mine.sum += i;
        },
        [&](const Mine& mine) {
          pieces += mine.pieces;
          sum += mine.sum;
          ++times;
        });
    EXPECT_EQ(pieces, count);
    EXPECT_EQ(sum, count * (count - 1) / 2);
    EXPECT_LE(times, HostSpace().concurrency()) << "once a thread";
  }
}

TEST(PieceDealer, GivesSeveralAtOnceWhereThereAreMany) {
  for (const std::int64_t count : {5, 1000, 1 << 20}) {
    PieceDealer dealer(count, 4);
    std::int64_t behind = 0, turns = 0;
    for (std::int64_t first = dealer.next(); first < dealer.num_pieces(); first = dealer.next(), ++turns) {
      ASSERT_EQ(first, behind);
      behind = dealer.end(first);
      ASSERT_GT(behind, first);
      ASSERT_LE(behind, first + 8) << "hubs may lie side by side";
    }
    EXPECT_EQ(behind, count);
    // Enough turns for four threads to even out, and no more than they need.
    EXPECT_GE(turns, std::min<std::int64_t>(count, 4 * 128));
    EXPECT_LE(turns, std::max<std::int64_t>(8 * 4 * 128, count / 8));
  }
}

TEST(FirstComeCounts, CountsKeysThatHaveASlot) {
  FirstComeCounts<int, 4> counts;
  std::map<int, std::uint64_t> counted;
  for (const int key : {5, 5, 6, 9, 5, 0, 13, 0}) EXPECT_EQ(counts.count(key), key != 9 && key != 13) << key;
  counts.each([&](const auto& slot) { counted[slot.key] = slot.count; });
  EXPECT_EQ(counted, (std::map<int, std::uint64_t>{{0, 2}, {5, 3}, {6, 1}}));
  EXPECT_EQ(counts.slot_of(9), nullptr);
  ASSERT_NE(counts.slot_of(5), nullptr);
  EXPECT_EQ(counts.slot_of(5)->count, 3u);
}

TEST(FirstComeCounts, WhatComesOftenFindsASlot) {
  FirstComeCounts<int, 4> counts;
  std::map<int, std::uint64_t> counted;
  const auto add = [&](const auto& slot) { counted[slot.key] += slot.count; };
  int without = 0;
  for (const int key : {9, 5, 5, 9, 5, 5, 5, 5, 9, 13}) without += !counts.count_often(key, add);
  EXPECT_EQ(without, 2);  // 9 and 13 at the end; 5 had come four times by then
  counts.each(add);
  EXPECT_EQ(counted, (std::map<int, std::uint64_t>{{5, 6}, {9, 2}}));
}

}  // namespace
}  // namespace dromos::test
