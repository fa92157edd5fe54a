// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/long_range.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::LongRange;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

struct CountVisits {
  Kokkos::View<int*, Memory> visits;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { Kokkos::atomic_fetch_add(&visits(i), 1); }
};

struct SumUp {
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const { sum += i; }
};

struct SumFrom {
  std::int64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const { sum += i - first; }
};

struct SumTwice {
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, std::int64_t& odd) const {
    sum += i;
    odd += i % 2;
  }
};

struct NearestTo {
  std::int64_t wanted;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& nearest) const {
    const std::int64_t distance = i < wanted ? wanted - i : i - wanted;
    if (distance < nearest) nearest = distance;
  }
};

/// Ranges, and how many items of them are launched together; 0: as many as otherwise.
std::vector<LongRange> ranges() {
  std::vector<LongRange> ranges;
  for (const std::int64_t most : {0, 1, 2, 7, 99, 100, 101, 1000}) {
    for (const auto& [begin, end] :
         std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 100}, {3, 100}, {5, 5}, {7, 6}, {93, 100}}) {
      ranges.emplace_back(begin, end, most);
    }
  }
  return ranges;
}

TEST(LongRangeTest, VisitsEachItemOnce) {
  for (const LongRange& range : ranges()) {
    const Kokkos::View<int*, Memory> visits("test::visits", 120);
    dromos::for_range("test::visit", Space(), range, CountVisits{visits});
    Space().fence();
    std::vector<int> expected(120, 0);
    for (std::int64_t i = range.begin; i < range.end; ++i) expected[i] = 1;
    EXPECT_EQ(to_vector(visits), expected) << range.begin << " to " << range.end << ", " << range.most_at_once;
  }
}

TEST(LongRangeTest, AddsUpOverAllPieces) {
  for (const LongRange& range : ranges()) {
    std::int64_t expected = 0, expected_odd = 0, sum = -5, twice = -5, odd = -5;
    for (std::int64_t i = range.begin; i < range.end; ++i) expected += i, expected_odd += i % 2;
    dromos::reduce_range("test::sum", Space(), range, SumUp{}, sum);
    dromos::reduce_range("test::sums", Space(), range, SumTwice{}, twice, odd);
    EXPECT_EQ(sum, expected) << range.begin << " to " << range.end << ", " << range.most_at_once;
    EXPECT_EQ(twice, expected);
    EXPECT_EQ(odd, expected_odd);
  }
}

TEST(LongRangeTest, ReducesOverAllPieces) {
  for (const LongRange& range : ranges()) {
    for (const std::int64_t wanted : {0, 50, 99, 200}) {
      std::int64_t expected = Kokkos::reduction_identity<std::int64_t>::min();
      for (std::int64_t i = range.begin; i < range.end; ++i) {
        expected = std::min(expected, i < wanted ? wanted - i : i - wanted);
      }
      EXPECT_EQ(dromos::reduce_range_by<Kokkos::Min<std::int64_t>>("test::nearest", Space(), range, NearestTo{wanted}),
                expected);
    }
  }
}

TEST(LongRangeTest, IsMadeOfANumberOfItems) {
  const LongRange range = std::size_t(7);
  EXPECT_EQ(range.begin, 0);
  EXPECT_EQ(range.end, 7);
  EXPECT_EQ(range.most_at_once, 0);
}

/// Few items whose numbers have more than 31, 32 and 33 bits, in one piece and in several: their numbers arrive whole,
/// and pieces end where the range does.
struct CountFarVisits {
  std::int64_t first;
  Kokkos::View<int*, Memory> visits;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { Kokkos::atomic_fetch_add(&visits(i - first), 1); }
};

TEST(LongRangeTest, NumbersOfItemsHave64Bits) {
  for (const int bits : {31, 32, 33, 40, 62}) {
    for (const std::int64_t most : {0, 1, 7, 30, 64}) {
      const LongRange range((std::int64_t(1) << bits) - 30, (std::int64_t(1) << bits) + 30, most);
      const Kokkos::View<int*, Memory> visits("test::visits", 60);
      dromos::for_range("test::visit", Space(), range, CountFarVisits{range.begin, visits});
      Space().fence();
      EXPECT_EQ(to_vector(visits), std::vector<int>(60, 1)) << bits << " bits, " << most;
      std::int64_t sum = 0;
      dromos::reduce_range("test::far", Space(), range, SumFrom{range.begin}, sum);
      EXPECT_EQ(sum, 60 * 59 / 2) << bits << " bits, " << most;
    }
  }
}

/// Of so many items that 32 bits do not number them, the last four.
struct VisitLast {
  std::int64_t size;
  Kokkos::View<int*, Memory> visits;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (i >= size - 4) Kokkos::atomic_fetch_add(&visits(size - 1 - i), 1);
  }
};

struct SumLowBits {
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const { sum += i & 3; }
};

/// On a GPU these are five launches. (CPUs count right, and take seconds.)
TEST(LongRangeTest, CountsBeyond32Bits) {
  if (!dromos::is_gpu<Space>) GTEST_SKIP();
  for (const std::int64_t size : {std::int64_t(1) << 32, (std::int64_t(1) << 32) + 4}) {
    const Kokkos::View<int*, Memory> visits("test::visits", 4);
    dromos::for_range("test::visit", Space(), size, VisitLast{size, visits});
    Space().fence();
    EXPECT_EQ(to_vector(visits), (std::vector<int>{1, 1, 1, 1}));
    std::int64_t sum = 0;
    dromos::reduce_range("test::low_bits", Space(), size, SumLowBits{}, sum);
    EXPECT_EQ(sum, size / 4 * 6);
  }
}

}  // namespace
