// SPDX-License-Identifier: BSD-3-Clause
// VertexChunk (B, the baseline of Slota et al. 2015): a team takes a chunk of the work set, each thread of the team
// takes vertices of the chunk in turn, and walks the edges of a vertex alone.
//
// No search, no scratch beyond the queues. On a CPU, where a team is one thread and chunks are handed out dynamically,
// this is the plain parallel loop over vertices, but for rows that are too long for one thread
// (traverse/long_rows.hpp). On a GPU a warp waits for the vertex of highest degree among its 32.
#pragma once

#include <dromos/core/warp.hpp>
#include <dromos/traverse/long_rows.hpp>
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
  /// Vertices a team takes; 0: on GPUs up to 2048 (the paper's value), fewer of work sets that would leave
  /// multiprocessors idle; on CPUs up to 256, where a smaller chunk balances skewed degrees better and costs nothing
  /// measurable, fewer of work sets that have few with many edges.
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

/// On a CPU the vertices of a chunk, unless told: so few that each thread comes for more several times, and so many
/// that a chunk is worth coming for.
inline int vertices_per_chunk(std::int64_t num_vertices, Offset num_edges, int num_threads) {
  constexpr std::int64_t most = 256, turns = 16, edges_worth_coming_for = 1024;
  if (num_edges < 0) return most;
  const std::int64_t worth_coming_for = edges_worth_coming_for * num_vertices / dromos::max<Offset>(1, num_edges);
  return static_cast<int>(dromos::max<std::int64_t>(
      1, dromos::min(most, dromos::max(worth_coming_for, num_vertices / (turns * num_threads)))));
}

/// On a GPU: one vertex a thread as long as there are teams for all multiprocessors, then more.
inline int vertices_per_chunk_of_gpu(std::int64_t num_vertices, int num_multiprocessors) {
  constexpr std::int64_t most = 2048, least = 256, teams_of_multiprocessor = 8;
  const std::int64_t all_teams = teams_of_multiprocessor * num_multiprocessors;
  return static_cast<int>(dromos::max(least, dromos::min(most, (num_vertices + all_teams - 1) / all_teams)));
}

template <class Sweep>
struct VertexChunkKernel {
  using Member = typename Sweep::Member;
  using Vertex = typename Sweep::Vertex;
  static constexpr bool cuts_long_rows = !is_gpu<typename Sweep::Space> && !has_equal_degrees<typename Sweep::Graph>;
  Sweep shared;
  VertexChunk strategy;
  LongRows<Vertex>* long_rows;  ///< where they are cut
  std::int64_t size;            ///< vertices, or pieces of long rows

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto& sweep = on_this_thread(shared);
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    const std::int64_t first = static_cast<std::int64_t>(sweep.league_rank(team)) * strategy.vertices_per_team;
    const std::int64_t last = dromos::min<std::int64_t>(first + strategy.vertices_per_team, size);
    if constexpr (cuts_long_rows) {
      if (long_rows->are_cut()) {
        for (std::int64_t i = first + team.team_rank(); i < last; i += team.team_size()) {
          const auto piece = long_rows->piece(i);
          const Offset begin = sweep.graph.begin(piece.vertex);
          if (!begin_vertex(sweep.op, piece.vertex)) continue;
          sweep.walk_edges(queue, piece.vertex, begin + piece.begin, begin + piece.end, 1);
        }
        queue.flush_together(team);
        return;
      }
    }
    sweep.prefetch_first(first + team.team_rank(), team.team_size(), last);
    for (std::int64_t i = first + team.team_rank(); i < last; i += team.team_size()) {
      sweep.prefetch_ahead(i, team.team_size(), last);
      const Vertex u = sweep.work.vertex(i);
      if constexpr (cuts_long_rows) {
        if (long_rows->put_aside(u, sweep.graph.end(u) - sweep.graph.begin(u))) continue;
      }
      sweep.walk_vertex(queue, u);
    }
    if constexpr (Sweep::goes_on) {
      if (team.team_size() == 1 && !sweep.alone) sweep.go_on(queue);
    }
    queue.flush_together(team);
  }
};

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, VertexChunk strategy) {
  using Kernel = detail::VertexChunkKernel<Sweep>;
  constexpr bool gpu = is_gpu<typename Sweep::Space>;
  const std::int64_t num_vertices = sweep.work.size();
  if (strategy.team_size == 0) strategy.team_size = gpu ? 256 : 1;
  if (strategy.vertices_per_team == 0) {
    strategy.vertices_per_team = 256;
    if constexpr (gpu) {
      strategy.vertices_per_team = detail::vertices_per_chunk_of_gpu(num_vertices, num_multiprocessors(space));
    } else if constexpr (Kernel::cuts_long_rows) {
      strategy.vertices_per_team =
          detail::vertices_per_chunk(num_vertices, sweep.work.last_edge(), static_cast<int>(space.concurrency()));
    }
  }
  if (strategy.queue_size == 0) strategy.queue_size = default_queue_size<Sweep>();
  strategy.team_size = checked_team_size<typename Sweep::Space>(strategy.name, strategy.team_size);
  check_tuning(strategy.name, "vertices_per_team", strategy.vertices_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  const std::size_t scratch_bytes = Sweep::Queue::scratch_bytes(strategy.team_size, strategy.queue_size);
  check_scratch<typename Sweep::Space>(strategy.name, strategy.team_size, scratch_bytes);
  const auto launch = [&](std::int64_t size, detail::LongRows<typename Sweep::Vertex>* long_rows) {
    launch_teams<typename Sweep::Policy>(
        "dromos::traverse::vertex_chunk", space,
        {league_size(size, strategy.vertices_per_team), strategy.team_size, scratch_bytes},
        Kernel{sweep, strategy, long_rows, size}, Sweep::deal_order);
  };
  if constexpr (Kernel::cuts_long_rows) {
    detail::LongRows<typename Sweep::Vertex> long_rows(sweep.work.last_edge(), static_cast<int>(space.concurrency()));
    launch(num_vertices, &long_rows);
    strategy.vertices_per_team = 1;
    if (const std::int64_t num_pieces = long_rows.cut(); num_pieces > 0) launch(num_pieces, &long_rows);
  } else {
    launch(num_vertices, nullptr);
  }
}

}  // namespace dromos
