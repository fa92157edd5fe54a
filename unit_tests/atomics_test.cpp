// SPDX-License-Identifier: BSD-3-Clause
// Atomics by any name of an integer: on a GPU those of 64 bits take a way of their own (core/kokkos_compat.hpp).
#include <dromos/core/kokkos_compat.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "view_tools.hpp"

namespace atomics_test {

using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// What the i-th of many threads comes with: small and large values in turn, above 32 bits where T is wider, and below
/// zero where it has a sign.
template <class T>
KOKKOS_FUNCTION T value_of(std::int64_t i) {
  const T magnitude = static_cast<T>(sizeof(T) > 4 ? i * 0x100000001 : i);
  return i % 2 == 0 || T(-1) > T(0) ? magnitude : static_cast<T>(-magnitude);
}

/// By number: the sum, the sum of what is taken away, the smallest, the largest, the union of bits; who found 0.
template <class T>
struct ChangeAll {
  Kokkos::View<T*, Memory> values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const T value = value_of<T>(i);
    dromos::atomic_fetch_add(&values(0), value);
    dromos::atomic_fetch_sub(&values(1), value);
    dromos::atomic_fetch_min(&values(2), value);
    dromos::atomic_fetch_max(&values(3), value);
    if constexpr (!std::is_signed_v<T>) dromos::atomic_fetch_or(&values(4), value);
    // What was there is seen by one alone.
    if (dromos::atomic_fetch_sub(&values(5), T(1)) == T(1)) dromos::atomic_fetch_add(&values(6), T(1));
    if (dromos::atomic_fetch_max(&values(7), T(1)) == T(0)) dromos::atomic_fetch_add(&values(8), T(1));
    if (dromos::atomic_fetch_min(&values(9), T(1)) == T(2)) dromos::atomic_fetch_add(&values(10), T(1));
  }
};

template <class T>
class Atomics : public ::testing::Test {};
using Integers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, long, unsigned long,
                                  long long, unsigned long long>;
TYPED_TEST_SUITE(Atomics, Integers, );

TYPED_TEST(Atomics, AreThoseOfASerialLoop) {
  using T = TypeParam;
  constexpr std::int64_t num_threads = 30000;
  constexpr T smallest = std::numeric_limits<T>::min(), largest = std::numeric_limits<T>::max();
  const std::vector<T> before = {0, 0, largest, smallest, 0, static_cast<T>(num_threads / 2), 0, 0, 0, 2, 0};
  const auto values = dromos::test::to_view(before);
  Kokkos::parallel_for("test::change_all", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, num_threads),
                       ChangeAll<T>{values});
  std::vector<T> expected = before;
  using Wide = std::make_unsigned_t<T>;  // overflows without harm
  for (std::int64_t i = 0; i < num_threads; ++i) {
    const T value = value_of<T>(i);
    expected[0] = static_cast<T>(Wide(expected[0]) + Wide(value));
    expected[1] = static_cast<T>(Wide(expected[1]) - Wide(value));
    expected[2] = std::min(expected[2], value);
    expected[3] = std::max(expected[3], value);
    if (!std::is_signed_v<T>) expected[4] |= value;
  }
  expected[5] = static_cast<T>(Wide(expected[5]) - Wide(num_threads));
  expected[6] = expected[7] = expected[8] = expected[9] = expected[10] = 1;
  EXPECT_EQ(to_vector(values), expected);
}

}  // namespace atomics_test
