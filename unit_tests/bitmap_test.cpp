// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <dromos/core/bitmap.hpp>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

// Every thread sets every third bit many times over; each bit must report exactly one change.
TEST(Bitmap, SetTellsExactlyOneCallerOfEachChange) {
  const std::int64_t num_bits = 1003;  // not a multiple of the word size
  const dromos::Bitmap<> bitmap(num_bits);
  const int repetitions = 50;
  std::int64_t changes = 0;
  Kokkos::parallel_reduce(
      "test::set", Kokkos::RangePolicy<Space>(0, num_bits * repetitions),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& sum) {
        const std::int64_t bit = i % num_bits;
        if (bit % 3 == 0 && bitmap.set(bit)) ++sum;
      },
      changes);
  EXPECT_EQ(changes, (num_bits + 2) / 3);

  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "test::read", Kokkos::RangePolicy<Space>(0, num_bits),
      KOKKOS_LAMBDA(const std::int64_t bit, std::int64_t& sum) { sum += bitmap.test(bit) != (bit % 3 == 0); }, wrong);
  EXPECT_EQ(wrong, 0);
}

TEST(Bitmap, ClearMakesEveryBitZero) {
  const dromos::Bitmap<> bitmap(77);
  Kokkos::parallel_for("test::set", Kokkos::RangePolicy<Space>(0, 77), KOKKOS_LAMBDA(const int v) { bitmap.set(v); });
  clear(Space(), bitmap);
  std::int64_t set = 0;
  Kokkos::parallel_reduce(
      "test::count", Kokkos::RangePolicy<Space>(0, 77),
      KOKKOS_LAMBDA(const int v, std::int64_t& sum) { sum += bitmap.test(v); }, set);
  EXPECT_EQ(set, 0);
}

TEST(Bitmap, OfSizeZeroHasNoWords) {
  const dromos::Bitmap<> bitmap(0);
  EXPECT_EQ(bitmap.size(), 0);
  EXPECT_EQ(bitmap.words().extent(0), 0u);
}

}  // namespace
