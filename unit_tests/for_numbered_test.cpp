// SPDX-License-Identifier: BSD-3-Clause
// Loops whose items get places of their own (core/for_numbered.hpp).
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/for_numbered.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// Item i goes to list 0 if a third of all do, to list 1 if it is even.
struct SortOut {
  enum { thirds, evens, num_counters };
  struct Item {
    std::uint32_t asks;
    std::int64_t number;
  };
  Kokkos::View<std::uint64_t*, Memory> counts;
  Kokkos::View<std::int64_t*, Memory> third, even;

  KOKKOS_FUNCTION std::uint64_t* counter(int k) const { return &counts(k); }
  KOKKOS_FUNCTION Item look_at(std::int64_t i) const {
    return {(i % 3 == 0 ? 1u << thirds : 0u) | (i % 2 == 0 ? 1u << evens : 0u), i};
  }
  KOKKOS_FUNCTION void take(const Item& item, int k, std::uint64_t place) const {
    (k == thirds ? third : even)(place) = item.number;
  }
};

std::vector<std::int64_t> multiples(std::int64_t of, std::int64_t n) {
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < n; i += of) expected.push_back(i);
  return expected;
}

// Of fewer items than a warp has lanes to several tiles, none of which is full.
TEST(ForNumbered, GivesEveryItemThatAsksAPlaceOfItsOwn) {
  for (const std::int64_t n : {0, 1, 31, 32, 33, 1023, 1025, 50001}) {
    const SortOut sort{Kokkos::View<std::uint64_t*, Memory>("counts", 2),
                       Kokkos::View<std::int64_t*, Memory>("third", n), Kokkos::View<std::int64_t*, Memory>("even", n)};
    Kokkos::deep_copy(sort.counts, std::uint64_t(0));
    for_numbered("dromos::test::sort_out", Space(), n, sort);
    fence(Space(), "dromos::test::sort_out");
    const auto counts = to_vector(sort.counts);
    auto third = to_vector(sort.third), even = to_vector(sort.even);
    third.resize(counts[0]);
    even.resize(counts[1]);
    std::sort(third.begin(), third.end());
    std::sort(even.begin(), even.end());
    EXPECT_EQ(third, multiples(3, n)) << n;
    EXPECT_EQ(even, multiples(2, n)) << n;
  }
}

// Numbers go on from what the counters have.
TEST(ForNumbered, GoesOnFromWhatTheCountersHave) {
  const std::int64_t n = 3000;
  const SortOut sort{Kokkos::View<std::uint64_t*, Memory>("counts", 2),
                     Kokkos::View<std::int64_t*, Memory>("third", 2 * n),
                     Kokkos::View<std::int64_t*, Memory>("even", 2 * n)};
  Kokkos::deep_copy(sort.counts, std::uint64_t(7));
  for_numbered("dromos::test::sort_out", Space(), n, sort);
  fence(Space(), "dromos::test::sort_out");
  const auto counts = to_vector(sort.counts);
  EXPECT_EQ(counts[0], 7 + n / 3);
  EXPECT_EQ(counts[1], 7 + n / 2);
  auto even = to_vector(sort.even);
  even.assign(even.begin() + 7, even.begin() + static_cast<std::int64_t>(counts[1]));
  std::sort(even.begin(), even.end());
  EXPECT_EQ(even, multiples(2, n));
}

}  // namespace
}  // namespace dromos::test
