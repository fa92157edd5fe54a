// SPDX-License-Identifier: BSD-3-Clause
// ManhattanGlobal (MG, Slota et al. 2015, Algorithm 6): the edges of the whole work set are one loop, and every team
// takes the same number of them, wherever vertices begin and end.
//
// It needs the prefix sums of the degrees of the work set, which come with the queue (traverse/frontier.hpp) or are
// the row map where the work set is all vertices. A team finds the vertices of its window by two searches, copies
// their prefix sums to its scratch memory when they fit (they do, unless the window holds many vertices of very low
// degree; then they are read where they are) and walks the window.
//
// The balance is perfect, one vertex of enormous degree included; the price is the prefix sums in global memory.
#pragma once

#include <dromos/traverse/sweep.hpp>

namespace dromos {

struct ManhattanGlobal {
  static constexpr const char* name = "manhattan-global";
  static constexpr bool needs_prefix_sums = true;

  /// Threads a team; 0: 256 on GPUs, 1 on CPUs.
  int team_size = 0;
  /// Edges a team takes; 0: 4096 on GPUs (the paper: 2048), 8192 on CPUs.
  int edges_per_team = 0;
  /// Slots of a thread's queue; 0: 16 on GPUs, 1024 on CPUs (the paper's values).
  int queue_size = 0;
};

namespace detail {

template <class Sweep>
struct ManhattanGlobalKernel {
  using Member = typename Sweep::Member;
  Sweep sweep;
  ManhattanGlobal strategy;
  Offset first_edge;
  Offset last_edge;
  std::int64_t first_team;

  /// Room for the prefix sums of a window with four edges a vertex or more.
  static KOKKOS_FUNCTION int scratch_capacity(const ManhattanGlobal& s) { return s.edges_per_team / 4 + 1; }
  static std::size_t scratch_bytes(const ManhattanGlobal& s) {
    return Sweep::Queue::scratch_bytes(s.team_size, s.queue_size) +
           sizeof(Offset) * static_cast<std::size_t>(scratch_capacity(s)) + 16;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    const int capacity = scratch_capacity(strategy);
    Offset* const copy = static_cast<Offset*>(
        team_scratch(team).get_shmem(sizeof(Offset) * static_cast<std::size_t>(capacity)));

    const auto& work = sweep.work;
    const Offset first = first_edge + (first_team + team.league_rank()) * strategy.edges_per_team;
    const Offset last = dromos::min<std::int64_t>(first + strategy.edges_per_team, last_edge);
    const std::int64_t low = highest_less_than(work, 0, work.size(), first);
    const std::int64_t high = highest_less_than(work, low, work.size(), last - 1) + 1;
    const auto vertex_at = [&](std::int64_t k) { return work.vertex(k); };
    const CollapsedWalk how{team.team_size() > 1, true};
    if (high - low <= capacity) {
      for (std::int64_t k = low + team.team_rank(); k < high; k += team.team_size()) {
        sweep.prefetch_ahead(k, team.team_size(), high);
        copy[k - low] = work[k];
      }
      team.team_barrier();
      sweep.walk_collapsed(
          team, queue, copy, 0, high - low, first, last, how, [&](std::int64_t k) { return work.vertex(low + k); },
          [&](std::int64_t k, typename Sweep::Vertex u) { return sweep.graph.begin(u) - copy[k]; });
    } else {
      sweep.walk_collapsed(team, queue, work, low, high, first, last, how, vertex_at,
                           [&](std::int64_t k, typename Sweep::Vertex u) { return sweep.graph.begin(u) - work[k]; });
    }
  }
};

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, ManhattanGlobal strategy) {
  constexpr bool gpu = is_gpu<typename Sweep::Space>;
  if (strategy.team_size == 0) strategy.team_size = gpu ? 256 : 1;
  if (strategy.edges_per_team == 0) strategy.edges_per_team = gpu ? 4096 : 8192;
  if (strategy.queue_size == 0) strategy.queue_size = gpu ? 16 : 1024;
  check_tuning(strategy.name, "team_size", strategy.team_size);
  check_tuning(strategy.name, "edges_per_team", strategy.edges_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  using Kernel = detail::ManhattanGlobalKernel<Sweep>;
  const Offset first = sweep.work.first_edge();
  const Offset last = sweep.work.last_edge();
  // A league is counted in int: larger work sets are dealt out in several launches.
  const std::int64_t teams = (last - first + strategy.edges_per_team - 1) / strategy.edges_per_team;
  for (std::int64_t done = 0; done < teams;) {
    const int now = static_cast<int>(dromos::min<std::int64_t>(teams - done, max_league_size));
    typename Sweep::Policy policy(space, now, strategy.team_size);
    policy.set_scratch_size(Sweep::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes(strategy)));
    Kokkos::parallel_for("dromos::traverse::manhattan_global", policy, Kernel{sweep, strategy, first, last, done});
    done += now;
  }
}

}  // namespace dromos
