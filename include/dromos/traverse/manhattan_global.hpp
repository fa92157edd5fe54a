// SPDX-License-Identifier: BSD-3-Clause
// ManhattanGlobal (MG, Slota et al. 2015, Algorithm 6): the edges of the whole work set are one loop, and every team
// takes the same number of them, wherever vertices begin and end.
//
// It needs the prefix sums of the degrees of the work set, which come with the queue (traverse/frontier.hpp) or are
// the row map where the work set is all vertices. A team finds the vertices of its window by two searches, copies
// what it needs to know of them to its scratch memory when that fits (it does, unless the window holds many vertices of
// very low degree; then it is read where it is) and walks the window.
//
// The balance is perfect, one vertex of enormous degree included; the price is the prefix sums in global memory.
#pragma once

#include <dromos/traverse/sweep.hpp>

namespace dromos {

struct ManhattanGlobal {
  static constexpr const char* name = "manhattan-global";
  static constexpr bool needs_prefix_sums = true;
  /// Does it want to know how many edges the work set has?
  template <class Space>
  static constexpr bool needs_num_edges = true;

  /// Threads a team; 0: 256 on GPUs (rounded up to whole warps, 512 at most), 1 on CPUs.
  int team_size = 0;
  /// Edges a team takes; 0: 4096 on GPUs (the paper: 2048), 8192 on CPUs.
  int edges_per_team = 0;
  /// Slots of a thread's queue; 0: 16 on GPUs (8 of 64-bit ids), 1024 on CPUs (the paper's values).
  int queue_size = 0;

  /// Shows each field to show(name, field).
  template <class Show>
  void fields(const Show& show) {
    show("team size", team_size);
    show("edges per team", edges_per_team);
    show("queue size", queue_size);
  }
};

namespace detail {

template <class Sweep>
struct ManhattanGlobalKernel {
  using Member = typename Sweep::Member;
  using Vertex = typename Sweep::Vertex;
  /// Numbers the edges of a window: on a GPU, whose scratch memory bounds the window, 32 bits are enough.
  using Place = std::conditional_t<is_gpu<typename Sweep::Space>, int, Offset>;
  Sweep shared;
  ManhattanGlobal strategy;
  Offset first_edge;
  Offset last_edge;
  std::int64_t first_team;

  /// Over all vertices, the edges of the loop are those of the adjacency array, one after the other: a window needs
  /// the prefix sums alone, and leaves a GPU's cache the rest of the memory that they share.
  static constexpr bool in_order = Sweep::Work::edges_in_order;

  /// Room for the prefix sums of a window with four edges a vertex or more.
  static KOKKOS_FUNCTION int scratch_capacity(const ManhattanGlobal& s) { return s.edges_per_team / 4 + 1; }
  static std::size_t scratch_bytes(const ManhattanGlobal& s) {
    return Sweep::Queue::scratch_bytes(s.team_size, s.queue_size) +
           (sizeof(Place) + (in_order ? 0 : sizeof(Offset) + sizeof(Vertex))) *
               static_cast<std::size_t>(scratch_capacity(s)) +
           48;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto& sweep = on_this_thread(shared);
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    const int capacity = scratch_capacity(strategy);
    const std::size_t room = static_cast<std::size_t>(capacity);
    Place* const prefix = team_array<Place>(team, room);
    Offset* const shift = in_order ? nullptr : team_array<Offset>(team, room);
    Vertex* const vertex = in_order ? nullptr : team_array<Vertex>(team, room);

    const auto& work = sweep.work;
    const Offset first = first_edge + (first_team + sweep.league_rank(team)) * strategy.edges_per_team;
    const Offset last = dromos::min<std::int64_t>(first + strategy.edges_per_team, last_edge);
    const auto ends = find(team, first, last - 1);
    const std::int64_t low = ends.first, high = ends.second + 1;
    const CollapsedWalk how{team.team_size() > 1, true};
    if (high - low <= capacity) {
      for (std::int64_t k = low + team.team_rank(); k < high; k += team.team_size()) {
        sweep.prefetch_ahead(k, team.team_size(), high);
        const Offset before = work[k] - first;  // below 0 for the first vertex, whose edges may begin before the window
        prefix[k - low] = static_cast<Place>(dromos::max<Offset>(before, -1));
        if constexpr (!in_order) {
          const Vertex u = work.vertex(k);
          vertex[k - low] = u;
          shift[k - low] = sweep.graph.begin(u) - before;
        }
      }
      team.team_barrier();
      sweep.walk_collapsed(
          team, queue, prefix, Place(0), static_cast<Place>(high - low), Place(0), static_cast<Place>(last - first),
          how, [&](Place k) { return in_order ? work.vertex(low + k) : vertex[k]; },
          [&](Place k, Vertex) { return in_order ? first : shift[k]; });
    } else {
      sweep.walk_collapsed(
          team, queue, work, low, high, first, last, how, [&](std::int64_t k) { return work.vertex(k); },
          [&](std::int64_t k, Vertex u) { return sweep.graph.begin(u) - work[k]; });
    }
  }

 private:
  /// The vertices of two edges of the collapsed loop, the same for all threads of the team.
  KOKKOS_FUNCTION Kokkos::pair<std::int64_t, std::int64_t> find(const Member& team, Offset first, Offset last) const {
    const auto& work = shared.work;
    if constexpr (has_warps<typename Sweep::Space>) {
      return highest_less_than_by_warp(work, 0, work.size(), first, last, team.team_rank() % warp_width);
    } else {
      const std::int64_t low = highest_less_than(work, 0, work.size(), first);
      return {low, highest_less_than(work, low, work.size(), last)};
    }
  }
};

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, ManhattanGlobal strategy) {
  constexpr bool gpu = is_gpu<typename Sweep::Space>;
  if (strategy.team_size == 0) strategy.team_size = gpu ? 256 : 1;
  if (strategy.edges_per_team == 0) strategy.edges_per_team = gpu ? 4096 : 8192;
  if (strategy.queue_size == 0) strategy.queue_size = default_queue_size<Sweep>();
  strategy.team_size = checked_team_size<typename Sweep::Space>(strategy.name, strategy.team_size);
  check_tuning(strategy.name, "edges_per_team", strategy.edges_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  using Kernel = detail::ManhattanGlobalKernel<Sweep>;
  const std::size_t scratch_bytes = Kernel::scratch_bytes(strategy);
  check_scratch<typename Sweep::Space>(strategy.name, strategy.team_size, scratch_bytes);
  const Offset first = sweep.work.first_edge();
  const Offset last = sweep.work.last_edge();
  // A league is counted in int: larger work sets are dealt out in several launches.
  const std::int64_t teams = (last - first + strategy.edges_per_team - 1) / strategy.edges_per_team;
  for (std::int64_t done = 0; done < teams;) {
    const int now = static_cast<int>(dromos::min<std::int64_t>(teams - done, max_league_size));
    launch_teams<typename Sweep::Policy>("dromos::traverse::manhattan_global", space,
                                         {now, strategy.team_size, scratch_bytes},
                                         Kernel{sweep, strategy, first, last, done}, Sweep::deal_order);
    done += now;
  }
}

}  // namespace dromos
