// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <dromos/core/bitmap.hpp>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

// Kernels stand outside TEST bodies, which are private functions, where CUDA allows no device lambdas.

enum class By { set, claim };

/// Sets every third bit `repetitions` times and counts the calls that were told they changed it.
std::int64_t set_every_third(const dromos::Bitmap<>& bitmap, int repetitions, By by = By::set) {
  const std::int64_t num_bits = bitmap.size();
  std::int64_t changes = 0;
  Kokkos::parallel_reduce(
      "test::set", Kokkos::RangePolicy<Space>(0, num_bits * repetitions),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& sum) {
        const std::int64_t bit = i % num_bits;
        if (bit % 3 == 0 && (by == By::set ? bitmap.set(bit) : bitmap.claim(bit))) ++sum;
      },
      changes);
  return changes;
}

/// How many bits are 1 of those whose number is `remainder` modulo 3.
std::int64_t count_set(const dromos::Bitmap<>& bitmap, int remainder) {
  std::int64_t count = 0;
  Kokkos::parallel_reduce(
      "test::count", Kokkos::RangePolicy<Space>(0, bitmap.size()),
      KOKKOS_LAMBDA(const std::int64_t bit, std::int64_t& sum) { sum += bit % 3 == remainder && bitmap.test(bit); },
      count);
  return count;
}

// Every thread sets every third bit many times over; each bit must report exactly one change.
TEST(Bitmap, SetTellsExactlyOneCallerOfEachChange) {
  const std::int64_t num_bits = 1003;  // not a multiple of the word size
  const dromos::Bitmap<> bitmap(num_bits);
  EXPECT_EQ(set_every_third(bitmap, 50), (num_bits + 2) / 3);
  EXPECT_EQ(count_set(bitmap, 0), (num_bits + 2) / 3);
  EXPECT_EQ(count_set(bitmap, 1), 0);
  EXPECT_EQ(count_set(bitmap, 2), 0);
}

TEST(Bitmap, ClaimTellsExactlyOneCallerOfEachChange) {
  const std::int64_t num_bits = 1003;
  const dromos::Bitmap<> bitmap(num_bits);
  EXPECT_EQ(set_every_third(bitmap, 50, By::claim), (num_bits + 2) / 3);
  EXPECT_EQ(set_every_third(bitmap, 1, By::claim), 0);
  EXPECT_EQ(set_every_third(bitmap, 1), 0);
  EXPECT_EQ(count_set(bitmap, 0), (num_bits + 2) / 3);
  EXPECT_EQ(count_set(bitmap, 1), 0);
  EXPECT_EQ(count_set(bitmap, 2), 0);
}

TEST(Bitmap, ClearMakesEveryBitZero) {
  const dromos::Bitmap<> bitmap(77);
  set_every_third(bitmap, 1);
  clear(Space(), bitmap);
  EXPECT_EQ(count_set(bitmap, 0), 0);
}

TEST(Bitmap, OfSizeZeroHasNoWords) {
  const dromos::Bitmap<> bitmap(0);
  EXPECT_EQ(bitmap.size(), 0);
  EXPECT_EQ(bitmap.words().extent(0), 0u);
}

}  // namespace
