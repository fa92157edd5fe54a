// SPDX-License-Identifier: BSD-3-Clause
// VertexChunk (B, the baseline of Slota et al. 2015): a team takes a chunk of the work set, each thread of the team
// takes vertices of the chunk in turn, and walks the edges of a vertex alone.
//
// No search, no scratch beyond the queues. On a CPU, where a team is one thread and chunks are handed out dynamically,
// this is the plain parallel loop over vertices. On a GPU a warp waits for the vertex of highest degree among its 32.
#pragma once

#include <dromos/traverse/sweep.hpp>

namespace dromos {

struct VertexChunk {
  static constexpr const char* name = "vertex-chunk";
  static constexpr bool needs_prefix_sums = false;
  /// Does it want to know how many edges the work set has?
  template <class Space>
  static constexpr bool needs_num_edges = false;

  /// Threads a team; 0: 256 on GPUs (rounded up to whole warps, 512 at most), 1 on CPUs.
  int team_size = 0;
  /// Vertices a team takes; 0: 2048 on GPUs (the paper's value), 256 on CPUs, where a smaller chunk balances skewed
  /// degrees better and costs nothing measurable.
  int vertices_per_team = 0;
  /// Slots of a thread's queue; 0: 16 on GPUs (8 of 64-bit ids), 1024 on CPUs (the paper's values).
  int queue_size = 0;

  /// Shows each field to show(name, field).
  template <class Show>
  void fields(const Show& show) {
    show("team size", team_size);
    show("vertices per team", vertices_per_team);
    show("queue size", queue_size);
  }
};

namespace detail {

template <class Sweep>
struct VertexChunkKernel {
  using Member = typename Sweep::Member;
  Sweep shared;
  VertexChunk strategy;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto& sweep = on_this_thread(shared);
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    const std::int64_t first = static_cast<std::int64_t>(sweep.league_rank(team)) * strategy.vertices_per_team;
    const std::int64_t last = dromos::min<std::int64_t>(first + strategy.vertices_per_team, sweep.work.size());
    sweep.prefetch_first(first + team.team_rank(), team.team_size(), last);
    for (std::int64_t i = first + team.team_rank(); i < last; i += team.team_size()) {
      sweep.prefetch_ahead(i, team.team_size(), last);
      sweep.walk_vertex(queue, sweep.work.vertex(i));
    }
    queue.flush_together(team);
  }
};

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, VertexChunk strategy) {
  constexpr bool gpu = is_gpu<typename Sweep::Space>;
  if (strategy.team_size == 0) strategy.team_size = gpu ? 256 : 1;
  if (strategy.vertices_per_team == 0) strategy.vertices_per_team = gpu ? 2048 : 256;
  if (strategy.queue_size == 0) strategy.queue_size = default_queue_size<Sweep>();
  strategy.team_size = checked_team_size<typename Sweep::Space>(strategy.name, strategy.team_size);
  check_tuning(strategy.name, "vertices_per_team", strategy.vertices_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  const std::size_t scratch_bytes = Sweep::Queue::scratch_bytes(strategy.team_size, strategy.queue_size);
  check_scratch<typename Sweep::Space>(strategy.name, strategy.team_size, scratch_bytes);
  launch_teams<typename Sweep::Policy>(
      "dromos::traverse::vertex_chunk", space,
      {league_size(sweep.work.size(), strategy.vertices_per_team), strategy.team_size, scratch_bytes},
      detail::VertexChunkKernel<Sweep>{sweep, strategy});
}

}  // namespace dromos
