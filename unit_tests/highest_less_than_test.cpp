// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/traverse/highest_less_than.hpp>
#include <random>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::highest_less_than;
using dromos::Offset;

std::vector<Offset> prefix_sums(const std::vector<Offset>& degrees) {
  std::vector<Offset> prefix;
  Offset sum = 0;
  for (const Offset degree : degrees) {
    prefix.push_back(sum);
    sum += degree;
  }
  return prefix;
}

/// Undoes the collapse edge by edge: the answer for every value from 0 to the number of edges - 1.
std::vector<std::int64_t> owners(const std::vector<Offset>& degrees) {
  std::vector<std::int64_t> owner;
  for (std::size_t k = 0; k < degrees.size(); ++k) {
    owner.insert(owner.end(), static_cast<std::size_t>(degrees[k]), static_cast<std::int64_t>(k));
  }
  return owner;
}

TEST(HighestLessThan, LeadsToTheOwnerOfEveryEdgeOfSmallCollapses) {
  const std::vector<std::vector<Offset>> cases = {{1},          {5},          {2, 0, 3},       {0, 3},
                                                  {3, 0},       {0, 0, 0, 1}, {1, 0, 0, 0},    {1, 1, 1, 1},
                                                  {0, 2, 0, 2}, {4, 0, 0, 4}, {0, 0, 7, 0, 0}, {1, 2, 3, 4, 5, 6, 7}};
  for (const auto& degrees : cases) {
    const auto prefix = prefix_sums(degrees);
    const auto owner = owners(degrees);
    for (std::size_t j = 0; j < owner.size(); ++j) {
      const auto edge = static_cast<Offset>(j);
      EXPECT_EQ(highest_less_than(prefix.data(), 0, static_cast<std::int64_t>(prefix.size()), edge), owner[j])
          << "edge " << j;
    }
  }
}

TEST(HighestLessThan, NeedsNoSentinelBehindTheLastElement) {
  const std::vector<Offset> prefix = {0, 4, 4, 9};
  // Values beyond the last prefix sum all belong to the last vertex: only the caller knows its degree.
  for (const Offset value : {Offset(9), Offset(10), Offset(1000), std::numeric_limits<Offset>::max()}) {
    EXPECT_EQ(highest_less_than(prefix.data(), 0, 4, value), 3);
  }
}

TEST(HighestLessThan, AgreesWithUpperBoundOnEveryWindow) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<Offset> degrees(1 + random() % 40);
    for (Offset& degree : degrees) degree = random() % 2 == 0 ? 0 : static_cast<Offset>(random() % 6);
    const auto prefix = prefix_sums(degrees);
    const auto size = static_cast<std::int64_t>(prefix.size());
    const std::int64_t low = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size));
    const std::int64_t high = low + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size - low));
    for (Offset value = prefix[low]; value <= prefix.back() + 3; ++value) {
      const auto above = std::upper_bound(prefix.begin() + low, prefix.begin() + high, value);
      EXPECT_EQ(highest_less_than(prefix.data(), low, high, value), above - prefix.begin() - 1)
          << "window " << low << " to " << high << ", value " << value;
    }
  }
}

/// Prefix sums that are computed, not stored: vertex k has a degree of `degree` where k % 4 == 3, and 0 otherwise.
struct ImplicitPrefix {
  Offset degree;
  KOKKOS_FUNCTION Offset operator[](std::int64_t k) const { return (k / 4) * degree; }
};

TEST(HighestLessThan, CountsVerticesAndEdgesIn64Bits) {
  const ImplicitPrefix prefix{(Offset(1) << 32) + 1};
  const std::int64_t num_vertices = std::int64_t(1) << 31 << 1;  // the degrees sum up to more than 2^62
  for (const std::int64_t group : {std::int64_t(0), std::int64_t(1), std::int64_t(12345), (std::int64_t(1) << 29) + 7,
                                   (std::int64_t(1) << 30) - 1}) {
    const std::int64_t owner = 4 * group + 3;  // the three vertices before it have no edges
    for (const Offset within : {Offset(0), Offset(1), Offset(1) << 31, Offset(1) << 32}) {
      EXPECT_EQ(highest_less_than(prefix, 0, num_vertices, group * prefix.degree + within), owner)
          << "group " << group << ", edge " << within;
      EXPECT_EQ(highest_less_than(prefix, owner, num_vertices, group * prefix.degree + within), owner);
      EXPECT_EQ(highest_less_than(prefix, 0, owner + 1, group * prefix.degree + within), owner);
    }
  }
}

/// For how many edges a kernel finds another owner than expected. (CUDA takes no lambda in the body of a TEST.)
std::int64_t count_wrong(const Kokkos::View<Offset*, dromos::test::Memory>& prefix,
                         const Kokkos::View<std::int64_t*, dromos::test::Memory>& expected) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "test::highest_less_than",
      Kokkos::RangePolicy<dromos::test::Space>(0, static_cast<std::int64_t>(expected.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t j, std::int64_t& sum) {
        sum += highest_less_than(prefix.data(), 0, prefix.extent(0), j) != expected(j);
      },
      wrong);
  return wrong;
}

TEST(HighestLessThan, WorksInAKernelOnAView) {
  std::mt19937_64 random(2);
  std::vector<Offset> degrees(500);
  for (Offset& degree : degrees) degree = random() % 3 == 0 ? static_cast<Offset>(random() % 50) : 0;
  const auto owner = owners(degrees);
  const auto prefix = dromos::test::to_view(prefix_sums(degrees));
  const auto expected = dromos::test::to_view(owner);
  EXPECT_EQ(count_wrong(prefix, expected), 0);
}

}  // namespace
