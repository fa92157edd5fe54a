// SPDX-License-Identifier: BSD-3-Clause
// Launches of kernels of teams: every team of the league runs once, with its scratch memory, and copies of Views under
// UncountedViews are none for the count.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
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
