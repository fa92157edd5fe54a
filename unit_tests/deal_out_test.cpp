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

TEST(PieceDealer, GivesEachTakerItsShareAndThenWhatIsLeft) {
  for (const std::int64_t count : {5, 1000, 1 << 20}) {
    PieceDealer dealer(count, 4);
    PieceDealer::Taker second(dealer, 1), third(dealer, 2);
    std::vector<std::int64_t> begins;
    std::int64_t begin = 0, end = 0, given = 0, turns = 0;
    ASSERT_TRUE(third.next(begin, end));
    EXPECT_EQ(begin, count * 2 / 4);
    const std::int64_t before = end;
    while (second.next(begin, end)) {
      begins.push_back(begin);
      ASSERT_GT(end, begin);
      ASSERT_LE(end, begin + 8) << "hubs may lie side by side";
      given += end - begin;
      ++turns;
    }
    EXPECT_EQ(given, count - (before - count * 2 / 4)) << "all but what the third one had";
    ASSERT_FALSE(third.next(begin, end));
    const std::int64_t own = count * 2 / 4 - count / 4;
    for (std::int64_t i = 0; i < own; ++i) ASSERT_EQ(begins[static_cast<std::size_t>(i)], count / 4 + i);
    // Of others' shares several at once, and in the end one by one.
    EXPECT_LT(turns, own + (count - own) / 7 + 500);
    EXPECT_EQ(end - begin, 1);
  }
}

/// Of many takers as of few, also where some have no share and some never come.
TEST(PieceDealer, GivesManyTakersEveryPieceOnce) {
  for (const int num_takers : {3, 64, 65, 300}) {
    for (const std::int64_t count : {0, 10, 5000}) {
      PieceDealer dealer(count, num_takers);
      std::vector<PieceDealer::Taker> takers;
      for (int i = 0; i < num_takers; i += 2) takers.emplace_back(dealer, i);
      std::vector<int> times(static_cast<std::size_t>(count));
      for (bool some = true; some;) {
        some = false;
        for (auto& taker : takers) {
          std::int64_t begin = 0, end = 0;
          if (!taker.next(begin, end)) continue;
          some = true;
          for (; begin < end; ++begin) ++times.at(static_cast<std::size_t>(begin));
        }
      }
      EXPECT_EQ(times, std::vector<int>(times.size(), 1)) << count << " pieces, " << num_takers << " takers";
    }
  }
}

TEST(PieceDealer, DealsInOrderToWhoeverAsks) {
  for (const std::int64_t count : {5, 1000, 1 << 20}) {
    PieceDealer dealer(count, 4, DealOrder::ascending);
    PieceDealer::Taker takers[] = {{dealer, 0}, {dealer, 1}, {dealer, 2}, {dealer, 3}};
    std::int64_t behind = 0, turns = 0;
    for (std::int64_t begin = 0, end = 0; takers[turns % 4].next(begin, end); ++turns, behind = end) {
      ASSERT_EQ(begin, behind);
      ASSERT_GT(end, begin);
      ASSERT_LE(end, begin + 8) << "hubs may lie side by side";
    }
    EXPECT_EQ(behind, count);
    // Enough turns for four threads to even out, and no more than they need.
    EXPECT_GE(turns, std::min<std::int64_t>(count, 4 * 128));
    EXPECT_LE(turns, std::max<std::int64_t>(8 * 4 * 128, count / 8));
    for (auto& taker : takers) EXPECT_FALSE(taker.next(behind, turns));
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
