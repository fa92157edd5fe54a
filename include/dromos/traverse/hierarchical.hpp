// SPDX-License-Identifier: BSD-3-Clause
// Hierarchical (H, Slota et al. 2015, Algorithm 3): inside a team, the degree of a vertex decides who walks its edges.
//
//   degree > team_size   the whole team together    (queue Q_T)
//   degree > warp_size   one warp                   (queue Q_W)
//   otherwise            the thread that found it   (Q_t: walked at once, so it needs no storage)
//
// Q_T and Q_W share one array of the team's scratch memory, filled from its two ends: together they never hold more
// than the chunk. A warp is warp_size consecutive threads; they need no synchronisation among themselves.
#pragma once

#include <dromos/traverse/sweep.hpp>

namespace dromos {

struct Hierarchical {
  static constexpr const char* name = "hierarchical";
  static constexpr bool needs_prefix_sums = false;
  /// Does it want to know how many edges the work set has?
  template <class Space>
  static constexpr bool needs_num_edges = false;

  /// Threads a team; 0: 256 on GPUs (rounded up to whole warps, 512 at most), 1 on CPUs.
  int team_size = 0;
  /// Threads that walk a vertex of middling degree together; 0: 32 on GPUs, 1 on CPUs. Divides team_size.
  int warp_size = 0;
  /// Vertices a team takes; 0: 256 on GPUs (the paper's value), 256 on CPUs.
  int vertices_per_team = 0;
  /// Slots of a thread's queue; 0: 16 on GPUs (8 of 64-bit ids), 1024 on CPUs (the paper's values).
  int queue_size = 0;

  /// Shows each field to show(name, field).
  template <class Show>
  void fields(const Show& show) {
    show("team size", team_size);
    show("warp size", warp_size);
    show("vertices per team", vertices_per_team);
    show("queue size", queue_size);
  }
};

namespace detail {

template <class Sweep>
struct HierarchicalKernel {
  using Member = typename Sweep::Member;
  using Vertex = typename Sweep::Vertex;
  Sweep shared;
  Hierarchical strategy;

  static std::size_t scratch_bytes(const Hierarchical& s) {
    return Sweep::Queue::scratch_bytes(s.team_size, s.queue_size) + 2 * sizeof(int) + 16 +
           sizeof(Vertex) * static_cast<std::size_t>(s.vertices_per_team) + 16;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto& sweep = on_this_thread(shared);
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    int* const sizes = team_array<int>(team, 2);
    Vertex* const large = team_array<Vertex>(team, static_cast<std::size_t>(strategy.vertices_per_team));
    Vertex* const middling_end = large + strategy.vertices_per_team;
    const int rank = team.team_rank();
    if (rank == 0) sizes[0] = sizes[1] = 0;
    team.team_barrier();

    const std::int64_t first = static_cast<std::int64_t>(sweep.league_rank(team)) * strategy.vertices_per_team;
    const std::int64_t last = dromos::min<std::int64_t>(first + strategy.vertices_per_team, sweep.work.size());
    sweep.prefetch_first(first + rank, team.team_size(), last);
    for (std::int64_t i = first + rank; i < last; i += team.team_size()) {
      sweep.prefetch_ahead(i, team.team_size(), last);
      const Vertex u = sweep.work.vertex(i);
      if (!begin_vertex(sweep.op, u)) continue;
      const Offset degree = sweep.graph.degree(u);
      if (degree > team.team_size()) {
        large[Kokkos::atomic_fetch_add(&sizes[0], 1)] = u;
      } else if (degree > strategy.warp_size) {
        middling_end[-1 - Kokkos::atomic_fetch_add(&sizes[1], 1)] = u;
      } else {
        sweep.walk_edges(queue, u, sweep.graph.begin(u), sweep.graph.end(u), 1);
      }
    }
    team.team_barrier();

    for (int i = 0; i < sizes[0]; ++i) {
      const Vertex u = large[i];
      sweep.walk_edges(queue, u, sweep.graph.begin(u) + rank, sweep.graph.end(u), team.team_size());
    }
    const int lane = rank % strategy.warp_size;
    for (int i = rank / strategy.warp_size; i < sizes[1]; i += team.team_size() / strategy.warp_size) {
      const Vertex u = middling_end[-1 - i];
      sweep.walk_edges(queue, u, sweep.graph.begin(u) + lane, sweep.graph.end(u), strategy.warp_size);
    }
    queue.flush_together(team);
  }
};

/// Throws ArgumentError for warps that do not make up a team. Compiled once, in src/traverse/sweep.cpp.
void require_whole_warps(int team_size, int warp_size);

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, Hierarchical strategy) {
  constexpr bool gpu = is_gpu<typename Sweep::Space>;
  if (strategy.team_size == 0) strategy.team_size = gpu ? 256 : 1;
  if (strategy.warp_size == 0) strategy.warp_size = gpu ? warp_width : 1;
  if (strategy.vertices_per_team == 0) strategy.vertices_per_team = 256;
  if (strategy.queue_size == 0) strategy.queue_size = default_queue_size<Sweep>();
  check_tuning(strategy.name, "team_size", strategy.team_size);
  check_tuning(strategy.name, "warp_size", strategy.warp_size);
  check_tuning(strategy.name, "vertices_per_team", strategy.vertices_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  detail::require_whole_warps(strategy.team_size, strategy.warp_size);
  strategy.team_size = checked_team_size<typename Sweep::Space>(strategy.name, strategy.team_size);
  detail::require_whole_warps(strategy.team_size, strategy.warp_size);  // of the team that a GPU rounds up to
  using Kernel = detail::HierarchicalKernel<Sweep>;
  const std::size_t scratch_bytes = Kernel::scratch_bytes(strategy);
  check_scratch<typename Sweep::Space>(strategy.name, strategy.team_size, scratch_bytes);
  launch_teams<typename Sweep::Policy>(
      "dromos::traverse::hierarchical", space,
      {league_size(sweep.work.size(), strategy.vertices_per_team), strategy.team_size, scratch_bytes},
      Kernel{sweep, strategy}, Sweep::deal_order);
}

}  // namespace dromos
