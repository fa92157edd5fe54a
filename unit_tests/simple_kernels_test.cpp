// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <limits>
#include <vector>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template <class T>
Kokkos::View<T*, Memory> to_device(const std::vector<T>& values) {
  const Kokkos::View<T*, Memory> there("values", values.size());
  const auto here = Kokkos::create_mirror_view(there);
  for (std::size_t i = 0; i < values.size(); ++i) here(i) = values[i];
  Kokkos::deep_copy(there, here);
  return there;
}

template <class T>
std::vector<T> to_host(const Kokkos::View<T*, Memory>& there) {
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), there);
  return {here.data(), here.data() + here.extent(0)};
}

TEST(SimpleKernelsTest, WhatAListNamesIsStoredNumberedAndMarkedAndNothingElse) {
  const Space space;
  const auto list = to_device<std::int32_t>({5, 0, 3, 40});
  const auto values = to_device<double>(std::vector<double>(41, 1.5));
  dromos::detail::store_listed("test::store", space, list, {1, 4}, values, -2);
  const auto position = to_device<std::int64_t>(std::vector<std::int64_t>(41, -1));
  dromos::detail::number_listed("test::number", space, list, 4, position);
  const dromos::Bitmap<Memory> marked(41);
  dromos::detail::mark_listed("test::mark", space, list, 3, marked);
  dromos::fence(space, "test");

  std::vector<double> expected(41, 1.5);
  expected[0] = expected[3] = expected[40] = -2;  // not list(0), which is before the range
  EXPECT_EQ(to_host(values), expected);
  std::vector<std::int64_t> expected_position(41, -1);
  expected_position[5] = 0;
  expected_position[0] = 1;
  expected_position[3] = 2;
  expected_position[40] = 3;
  EXPECT_EQ(to_host(position), expected_position);
  EXPECT_EQ(to_host(marked.words()), (std::vector<std::uint32_t>{1u | 1u << 3 | 1u << 5, 0}));
}

TEST(SimpleKernelsTest, ValuesOfARangeAreCountedAndTheLargestOfAllIsFound) {
  const Space space;
  const auto values = to_device<int>({-7, -3, -7, -9, -7});
  EXPECT_EQ(dromos::detail::count_equal("test::count", space, values, {1, 4}, -7), 1);
  EXPECT_EQ(dromos::detail::count_equal("test::count", space, values, 5, -7), 3);
  EXPECT_EQ(dromos::detail::count_equal("test::count", space, values, 0, -7), 0);
  EXPECT_EQ(dromos::detail::largest_value("test::largest", space, values), -3);
  EXPECT_EQ(dromos::detail::largest_value("test::largest", space, Kokkos::View<const int*, Memory>()),
            std::numeric_limits<int>::lowest());
}

struct TwiceItsNumber {
  using vertex_type = std::int32_t;
  KOKKOS_FUNCTION std::int64_t degree(std::int32_t v) const { return 2 * v; }
};

TEST(SimpleKernelsTest, DegreesAreThoseOfTheView) {
  const Space space;
  const auto degrees = to_device<int>({9, 9, 9});
  dromos::detail::write_degrees("test::degrees", space, TwiceItsNumber{}, degrees);
  dromos::fence(space, "test");
  EXPECT_EQ(to_host(degrees), (std::vector<int>{0, 2, 4}));
}

}  // namespace
