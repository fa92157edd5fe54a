// SPDX-License-Identifier: BSD-3-Clause
// What threads of one launch agree by, without a launch: who sweeps a work set, pieces of the first one, and the
// barrier.
#include <dromos/traverse/fused_threads.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace {

using dromos::detail::fused_by;
using dromos::detail::FusedBarrier;
using dromos::detail::FusedBy;
using dromos::detail::FusedPieces;
using dromos::detail::FusedTable;

TEST(FusedThreads, DivideWorkSetsOfShortRows) {
  for (const int num_threads : {2, 4, 8}) {
    EXPECT_EQ(fused_by({1, 1024}, num_threads), FusedBy::caller);
    EXPECT_EQ(fused_by({1, 1025}, num_threads), FusedBy::nobody);  // a hub
    EXPECT_EQ(fused_by({100, 1025}, num_threads), FusedBy::threads);
    EXPECT_EQ(fused_by({100, 3200}, num_threads), FusedBy::threads);
    EXPECT_EQ(fused_by({100, 3201}, num_threads), FusedBy::nobody);  // long rows
    EXPECT_EQ(fused_by({4096, num_threads * 4096}, num_threads), FusedBy::threads);
    EXPECT_EQ(fused_by({4096, num_threads * 4096 + 1}, num_threads), FusedBy::nobody);
  }
  EXPECT_EQ(fused_by({1, 4096}, 1), FusedBy::caller);
  EXPECT_EQ(fused_by({4000, 4097}, 1), FusedBy::nobody);
}

/// Each vertex is in one piece, those of a thread follow each other, and there is room for all.
TEST(FusedThreads, BeginWithPiecesOfTheWorkSet) {
  for (const int num_threads : {2, 3, 8}) {
    for (const std::int64_t num_vertices : {1, 2, 7, 127, 128, 129, 2000, 40000, 1 << 20}) {
      const auto table = std::make_unique<FusedTable>(num_vertices, num_threads);
      std::int64_t end = 0;
      for (int t = 0; t < num_threads; ++t) {
        const FusedPieces& mine = table->pieces[0][t];
        EXPECT_EQ(mine.num_taken, 0);
        ASSERT_LE(mine.num, FusedPieces::most);
        const std::int64_t first = end;
        for (int i = 0; i < mine.num; ++i) {
          EXPECT_EQ(mine.pieces[i].begin, end);
          EXPECT_LT(mine.pieces[i].begin, mine.pieces[i].end);
          end = mine.pieces[i].end;
        }
        EXPECT_LE(end - first, num_vertices / num_threads + 1);
      }
      EXPECT_EQ(end, num_vertices);
    }
  }
}

/// All leave when the last has come, a thousand times.
TEST(FusedThreads, WaitForEachOther) {
  constexpr int num_threads = 3;
  FusedBarrier barrier;
  std::vector<std::int64_t> sums(1001, 0);
  std::vector<std::thread> threads;
  std::vector<int> wrong(num_threads, 0);
  for (int t = 0; t < num_threads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) {
        __atomic_fetch_add(&sums[static_cast<std::size_t>(i)], t + 1, __ATOMIC_RELAXED);
        barrier.arrive_and_wait((i + 1) * num_threads, false);
        wrong[static_cast<std::size_t>(t)] += sums[static_cast<std::size_t>(i)] != 6;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
  EXPECT_FALSE(barrier.crowded(static_cast<int>(threads.size()))) << "nobody says that these are awake";
}

/// Who waits long for somebody who has been there before says so, unless that is a small part of the time.
TEST(FusedThreads, NoticeThatOthersHaveTheCores) {
  for (const bool awake : {false, true}) {
    FusedBarrier barrier;
    std::thread late([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      barrier.arrive_and_wait(2, awake);
    });
    barrier.arrive_and_wait(2, awake);
    late.join();
    EXPECT_EQ(barrier.crowded(2), awake);
    EXPECT_FALSE(barrier.crowded(1 << 20)) << "one of so many";
  }
  FusedBarrier barrier;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // as if there had been many sweeps
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    barrier.arrive_and_wait(2, true);
  });
  barrier.arrive_and_wait(2, true);
  late.join();
  EXPECT_FALSE(barrier.crowded(2));
}

}  // namespace
