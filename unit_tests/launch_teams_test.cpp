// SPDX-License-Identifier: BSD-3-Clause
// Launches of kernels of teams: every team of the league runs once, with its scratch memory, and copies of Views under
// UncountedViews are none for the count.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/launch_teams.hpp>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

using Policy = Kokkos::TeamPolicy<Space>;

/// Counts the runs of each team, and those in which the team has `room` numbers of scratch memory for itself.
struct CountRuns {
  Kokkos::View<int*, Memory> runs, with_scratch;
  int room;

  KOKKOS_FUNCTION void operator()(const TeamMember<Policy>& team) const {
    int* const numbers = team_array<int>(team, static_cast<std::size_t>(room));
    for (int i = 0; i < room; ++i) numbers[i] = team.league_rank() + i;
    bool own = true;
    for (int i = 0; i < room; ++i) own = own && numbers[i] == team.league_rank() + i;
    Kokkos::atomic_fetch_add(&runs(team.league_rank()), 1);
    if (own) Kokkos::atomic_fetch_add(&with_scratch(team.league_rank()), 1);
  }
};

TEST(LaunchTeams, RunsEveryTeamOnceWithItsScratch) {
  constexpr int league = 1000, room = 100;
  const CountRuns kernel{Kokkos::View<int*, Memory>("dromos::test::runs", league),
                         Kokkos::View<int*, Memory>("dromos::test::with_scratch", league), room};
  launch_teams<Policy>("dromos::test::launch_teams", Space(), {league, 1, room * sizeof(int) + 7}, kernel);
  Space().fence();
  EXPECT_EQ(to_vector(kernel.runs), std::vector<int>(league, 1));
  EXPECT_EQ(to_vector(kernel.with_scratch), std::vector<int>(league, 1));
}

/// The same by a kernel of more than 512 bytes, of which it adds up a part.
struct LargeCountRuns {
  static constexpr int num_numbers = 100;
  CountRuns count;
  std::uint64_t numbers[num_numbers];
  Kokkos::View<std::uint64_t*, Memory> sums;

  KOKKOS_FUNCTION void operator()(const TeamMember<Policy>& team) const {
    count(team);
    std::uint64_t sum = 0;
    for (const std::uint64_t number : numbers) sum += number;
    sums(team.league_rank()) = sum;
  }
  /// Of Kokkos' own teams and of ranges.
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { sums(i) = numbers[i % num_numbers]; }
};

// One behind another: each is a functor of its own, and the later ones do not wait for the first.
TEST(LaunchTeams, KernelsMayBeLarge) {
  constexpr int league = 300, room = 10, launches = 20;
  std::vector<LargeCountRuns> kernels;
  for (int k = 0; k < launches; ++k) {
    kernels.push_back({{Kokkos::View<int*, Memory>("dromos::test::runs", league),
                        Kokkos::View<int*, Memory>("dromos::test::with_scratch", league), room},
                       {},
                       Kokkos::View<std::uint64_t*, Memory>("dromos::test::sums", league)});
    for (int i = 0; i < LargeCountRuns::num_numbers; ++i) kernels.back().numbers[i] = static_cast<std::uint64_t>(k + i);
    launch_teams<Policy>("dromos::test::large", Space(), {league, 1, room * sizeof(int) + 7}, kernels.back());
  }
  Space().fence();
  for (int k = 0; k < launches; ++k) {
    EXPECT_EQ(to_vector(kernels[k].count.runs), std::vector<int>(league, 1));
    EXPECT_EQ(to_vector(kernels[k].count.with_scratch), std::vector<int>(league, 1));
    EXPECT_EQ(to_vector(kernels[k].sums),
              std::vector<std::uint64_t>(league, static_cast<std::uint64_t>(100 * k + 4950)));
  }
  Kokkos::parallel_for("dromos::test::large_range",
                       as_argument<Space>(Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, league)),
                       kernels[3]);
  Space().fence();
  const auto sums = to_vector(kernels[3].sums);
  for (int i = 0; i < league; ++i) EXPECT_EQ(sums[i], static_cast<std::uint64_t>(3 + i % 100));
}

TEST(LaunchTeams, TakesALeagueOfNoTeam) {
  const Kokkos::View<int*, Memory> one("dromos::test::one", 1);
  launch_teams<Policy>("dromos::test::no_team", Space(), {0, 1, 7}, CountRuns{one, one, 0});
  Space().fence();
  EXPECT_EQ(to_vector(one), std::vector<int>{0});
}

TEST(UncountedViews, CopiesDoNotCountWhileItLives) {
  const Kokkos::View<int*, Memory> view("dromos::test::view", 1);
  {
    const UncountedViews uncounted;
    const auto first = view;
    const auto second = first;
    EXPECT_EQ(view.use_count(), 1);
    EXPECT_EQ(second.data(), view.data());
  }
  EXPECT_EQ(view.use_count(), 1);
  const auto counted = view;
  EXPECT_EQ(view.use_count(), 2);
}

}  // namespace
}  // namespace dromos::test
