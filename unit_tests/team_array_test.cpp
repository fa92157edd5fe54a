// SPDX-License-Identifier: BSD-3-Clause
// Arrays in the scratch memory of a team: one behind the other, aligned, and within the room that was asked for.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

// What is wrong with four arrays of a team, for each 0 or 1.
std::vector<int> wrong_with_arrays() {
  using Policy = Kokkos::TeamPolicy<Space>;
  constexpr std::size_t num_small = 3, num_large = 5;
  const auto wrong = to_view<int>({-1, -1, -1, -1});
  Policy policy(1, 1);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(2 * num_small * (1 + 4) + 2 * num_large * 8 + 4 * 7));
  Kokkos::parallel_for(
      "dromos::test::team_array", policy, KOKKOS_LAMBDA(const Policy::member_type& team) {
        char* const letters = team_array<char>(team, num_small);
        double* const numbers = team_array<double>(team, num_large);
        std::int32_t* const ids = team_array<std::int32_t>(team, num_small);
        std::uint64_t* const sums = team_array<std::uint64_t>(team, num_large);
        const auto place = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
        const bool apart = place(letters + num_small) <= place(numbers) && place(numbers + num_large) <= place(ids) &&
                           place(ids + num_small) <= place(sums);
        wrong(0) = letters == nullptr || !apart;
        wrong(1) = numbers == nullptr || place(numbers) % alignof(double) != 0;
        wrong(2) = ids == nullptr || place(ids) % alignof(std::int32_t) != 0;
        wrong(3) = sums == nullptr || place(sums) % alignof(std::uint64_t) != 0;
      });
  return to_vector(wrong);
}

TEST(TeamArray, IsAlignedBehindArraysOfOddSizes) { EXPECT_EQ(wrong_with_arrays(), (std::vector<int>{0, 0, 0, 0})); }

}  // namespace
}  // namespace dromos::test
