// SPDX-License-Identifier: BSD-3-Clause
// A backward sweep that a GPU begins without the host: enqueued behind another one before anybody knows what that
// finds, it does nothing unless a search goes on backward with it. What the host does between two sweeps takes 10 us,
// and the sweeps of a search of four million vertices 8 to 50 each.
//
//   kernels   all: finds 900,000, go on | list: finds 20,000, do not | (list: nothing to do)
//   host      waits for ... 900,000, enqueues the next but one, waits for ... 20,000, chooses what is next
//
// At the end of most searches few are left, many of them in components that a search never reaches. Sweeps over so few
// follow each other in one launch, whose teams wait for each other in between: each team takes the same part of the
// list each time, the last one that is done says whether the others go on, and the host is told of all at the end.
//
//   teams 0 1 2   sweep, sweep, sweep | 2, the last: found 5,047, go on | sweep, sweep, sweep | 1, the last: leave
//
// The rule is the host's (traverse/direction_rule.hpp), and the host goes by what the device says.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/direction_rule.hpp>

namespace dromos::detail {

/// What a sweep over a list tells the host, beside vertices found, edges counted and vertices left: whether the next
/// one runs; and how many it made on top in the same launch, of which those three of all but the last come behind.
enum SweepCounts { counts_found, counts_edges, counts_of_left, counts_next_runs, counts_further, counts_before };
/// The most of them.
inline constexpr int most_further_sweeps = 8;
inline constexpr int num_sweep_counts = counts_before + 3 * most_further_sweeps;

/// What a team does after one of several sweeps of its launch.
enum class AfterSweep { leave, tell_host, go_on };

/// Whether the sweep behind this one is to run, and what both of them know. Lies on the device, since Kokkos launches
/// kernels of up to 512 bytes faster.
struct SweepAhead {
  DirectionRule rule{};
  DirectionWork work{};  ///< before this sweep
  /// From so few found the search goes on by fused forward sweeps (traverse/fused_sweeps.hpp).
  std::int64_t most_fused_vertices = 0;
  Offset most_fused_edges = 0;
  bool counts_left = false;      ///< the edges counted are those of the vertices left
  std::int64_t num_looking = 0;  ///< how many the next one looks for; none: it does nothing
  bool few_look = false;         ///< then it is the first of several in its launch
  bool made_several = false;     ///< such a launch has begun
  /// What the teams of such a launch do next: grows from launch to launch and from sweep to sweep.
  std::uint64_t order = 0;

  /// Has `work` after a sweep that counted so much.
  KOKKOS_FUNCTION void account(std::int64_t num_found, Offset num_counted) {
    work.frontier_edges = counts_left ? work.unvisited_edges - num_counted : num_counted;
    work.unvisited_edges -= work.frontier_edges;
    work.num_unvisited -= num_found;
  }

  /// After that: may the next sweep find anybody?
  KOKKOS_FUNCTION bool more_may_come(std::int64_t num_found, bool some_left) const {
    return num_found > 0 && some_left && !(counts_left && leads_back(num_found, work.frontier_edges));
  }

  /// By one thread, after a sweep: is the next one to run?
  KOKKOS_FUNCTION void decide(std::uint64_t* counts) {
    const auto num_found = static_cast<std::int64_t>(atomic_load(&counts[counts_found]));
    const auto num_counted = static_cast<Offset>(atomic_load(&counts[counts_edges]));
    const auto num_left = static_cast<std::int64_t>(atomic_load(&counts[counts_of_left]));
    account(num_found, num_counted);
    few_look = rule.few_are_left(work);
    const bool fused = num_found <= most_fused_vertices && work.frontier_edges <= most_fused_edges && !few_look;
    const bool goes_on = more_may_come(num_found, num_left > 0) && !fused && !rule.would_turn(work);
    num_looking = goes_on ? num_left : 0;
    counts[counts_next_runs] = goes_on ? 1 : 0;
  }

  /// By one thread of each team whose part of a sweep is done: what it does next. The last one decides, and the others
  /// wait for it, unless that takes so long that somebody else must have the multiprocessors of those that lack.
  ///
  /// \param first_order  what `order` is when the launch begins, or less
  /// \param sweep        of this launch, from 0; \param num_teams that take part
  /// \param stays        this team takes part in the next one
  KOKKOS_FUNCTION AfterSweep end_sweep(const CountsPublisher& publisher, std::uint64_t first_order, int sweep,
                                       int num_teams, bool stays) {
    const std::uint64_t begun = first_order + orders_of_sweep * static_cast<std::uint64_t>(sweep);
    const std::uint64_t closing = begun + 1, leaving = begun + 2, going_on = begun + orders_of_sweep;
    if (!publisher.last_team_done(num_teams)) return stays ? wait(closing, leaving) : AfterSweep::leave;
    std::uint64_t* const counts = publisher.publish.device;
    std::uint64_t counted[counts_of_left + 1];
    for (int i = 0; i <= counts_of_left; ++i) counted[i] = atomic_load(&counts[i]);
    const std::uint64_t now = atomic_load(&order);
    const bool all_wait = now < closing && Kokkos::atomic_compare_exchange(&order, now, closing) == now;
    account(static_cast<std::int64_t>(counted[counts_found]), static_cast<Offset>(counted[counts_edges]));
    const bool more_come =
        more_may_come(static_cast<std::int64_t>(counted[counts_found]), counted[counts_of_left] != 0);
    if (all_wait && more_come && sweep < most_further_sweeps) {
      for (int i = 0; i <= counts_of_left; ++i) {
        counts[counts_before + 3 * sweep + i] = counted[i];
        counts[i] = 0;
      }
      counts[counts_further] = static_cast<std::uint64_t>(sweep) + 1;
      num_looking = static_cast<std::int64_t>(counted[counts_of_left]);
      device_fence();
      atomic_store(&order, going_on);
      return stays ? AfterSweep::go_on : AfterSweep::leave;
    }
    num_looking = 0;
    if (all_wait) atomic_store(&order, leaving);
    device_fence();
    return AfterSweep::tell_host;
  }

  /// An order of each sweep: it has begun, its last team decides, all leave; then the next sweep has begun.
  static constexpr int orders_of_sweep = 3;

 private:
  KOKKOS_FUNCTION AfterSweep wait(std::uint64_t closing, std::uint64_t leaving) {
    constexpr int most_looks = 1 << 14;  // some ten milliseconds
    for (int looks = 0;; ++looks) {
      const std::uint64_t now = atomic_load(&order);
      if (now >= leaving) {
        device_fence();
        return now == leaving ? AfterSweep::leave : AfterSweep::go_on;
      }
      if (looks > most_looks && now < closing && Kokkos::atomic_compare_exchange(&order, now, leaving) == now) {
        return AfterSweep::leave;
      }
      if (looks > 64) device_pause();
    }
  }
};

/// By the first warp of the team that is to tell the host of all sweeps of a launch.
KOKKOS_INLINE_FUNCTION void tell_of_sweeps(const PublishCounts& publish, int lane) {
  static_assert(num_sweep_counts <= warp_width);
  const auto further = static_cast<int>(atomic_load(&publish.device[counts_further]));
  warp_barrier();  // before it is made zero
  if (lane < counts_before + 3 * further) publish.publish(lane);
  system_fence();
  warp_barrier();
  if (lane == 0) publish.host.send();
}

/// One thread behind a sweep: tells the host what it found, after it was decided what comes next.
struct DecideAndPublish {
  CountsPublisher counts;
  SweepAhead ahead;
  SweepAhead* on_device;

  KOKKOS_FUNCTION void operator()(int) const {
    *on_device = ahead;
    on_device->decide(counts.publish.device);
    counts.publish(0);
  }
};

}  // namespace dromos::detail
