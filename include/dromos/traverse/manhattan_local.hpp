// SPDX-License-Identifier: BSD-3-Clause
// ManhattanLocal (ML, Slota et al. 2015, Algorithm 5): a team takes a chunk of vertices, computes the prefix sums of
// their degrees in its scratch memory, and walks all their edges as one loop, equally dealt out to its threads.
//
//   chunk 7 4 9, degrees 3 0 2     prefix sums 0 3 3, 5 edges
//   edge 4 of the loop             largest k with prefix[k] <= 4 is 2: vertex 9, its edge 4 - 3 = 1
//
// Four steps lead from the plain collapse to the full strategy, as in the paper's Figure 2, and can be chosen at run
// time to measure what each is worth:
//
//   M        collapse; the prefix sums by one thread, each thread a contiguous run, one atomic per found vertex
//   M+C      neighbouring threads take neighbouring edges (coalesced)
//   M+C+S    the prefix sums by a scan of the whole team
//   M+C+S+L  found vertices gather in the team's local queues
#pragma once

#include <dromos/core/warp.hpp>
#include <dromos/traverse/sweep.hpp>

namespace dromos {

struct ManhattanLocal {
  static constexpr const char* name = "manhattan-local";
  static constexpr bool needs_prefix_sums = false;
  /// Does it want to know how many edges the work set has?
  template <class Space>
  static constexpr bool needs_num_edges = is_gpu<Space>;

  /// Threads a team; 0: 128 on GPUs (rounded up to whole warps, 512 at most), 1 on CPUs.
  int team_size = 0;
  /// Vertices a team takes; 0: 256 (the paper's value), on GPUs fewer where they have more than 32 edges each, and then
  /// several teams share the edges of a chunk where there are too few chunks to fill the device.
  int vertices_per_team = 0;
  /// Slots of a thread's queue; 0: 16 on GPUs (8 of 64-bit ids), 1024 on CPUs (the paper's values).
  int queue_size = 0;
  /// The steps C, S and L.
  bool coalesced = true;
  bool team_scan = true;
  bool local_queue = true;

  /// Shows each field to show(name, field).
  template <class Show>
  void fields(const Show& show) {
    show("team size", team_size);
    show("vertices per team", vertices_per_team);
    show("queue size", queue_size);
    show("coalesced", coalesced);
    show("team scan", team_scan);
    show("local queue", local_queue);
  }
};

namespace detail {

template <class Sweep>
struct ManhattanLocalKernel {
  using Member = typename Sweep::Member;
  using Vertex = typename Sweep::Vertex;
  Sweep shared;
  ManhattanLocal strategy;
  int teams_per_chunk;
  static constexpr int max_warps = max_gpu_team_size / warp_width;
  /// On a GPU edges are walked in pieces that 32 bits can number, which is a few percent faster.
  static constexpr bool narrow = is_gpu<typename Sweep::Space>;
  static constexpr Offset max_piece = Offset(1) << 30;

  static std::size_t scratch_bytes(const ManhattanLocal& s) {
    const std::size_t vertices = static_cast<std::size_t>(s.vertices_per_team);
    return Sweep::Queue::scratch_bytes(s.team_size, s.queue_size) +
           vertices * (2 * sizeof(Offset) + sizeof(Vertex) + (narrow ? sizeof(int) : 0)) + sizeof(Offset) +
           sizeof(Offset) * max_warps + 72;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto& sweep = on_this_thread(shared);
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    const std::size_t chunk = static_cast<std::size_t>(strategy.vertices_per_team);
    Offset* const prefix = team_array<Offset>(team, chunk + 1);
    Offset* const row = team_array<Offset>(team, chunk);
    Vertex* const vertex = team_array<Vertex>(team, chunk);
    Offset* const totals = team_array<Offset>(team, max_warps);

    const int rank = sweep.league_rank(team), part = rank % teams_per_chunk;
    const std::int64_t first = static_cast<std::int64_t>(rank / teams_per_chunk) * strategy.vertices_per_team;
    const int count = static_cast<int>(
        dromos::min<std::int64_t>(static_cast<std::int64_t>(strategy.vertices_per_team), sweep.work.size() - first));
    for (int k = team.team_rank(); k < count; k += team.team_size()) {
      sweep.prefetch_ahead(first + k, team.team_size(), first + count);
      const Vertex u = sweep.work.vertex(first + k);
      const Offset begin = sweep.graph.begin(u);
      vertex[k] = u;
      row[k] = begin;
      prefix[k] = sweep.graph.end(u) - begin;  // the degree, for now
    }
    team.team_barrier();
    scan(team, prefix, count, totals);
    team.team_barrier();

    const Offset edges = prefix[count];
    const Offset begin = edges / teams_per_chunk * part + dromos::min<Offset>(part, edges % teams_per_chunk);
    const Offset end = begin + edges / teams_per_chunk + (part < edges % teams_per_chunk);
    const CollapsedWalk how{strategy.coalesced && team.team_size() > 1, strategy.local_queue};
    if constexpr (narrow) {
      int* const start = team_array<int>(team, chunk);
      for (int k = team.team_rank(); k < count; k += team.team_size()) row[k] -= prefix[k];
      for (Offset from = begin; from < end; from += max_piece) {
        const Offset length = dromos::min(max_piece, end - from);
        for (int k = team.team_rank(); k < count; k += team.team_size()) {
          start[k] = static_cast<int>(dromos::max<Offset>(-1, dromos::min(prefix[k] - from, length)));
        }
        team.team_barrier();
        sweep.walk_collapsed(
            team, queue, start, 0, count, 0, static_cast<int>(length), how, [&](int k) { return vertex[k]; },
            [&](int k, Vertex) { return row[k] + from; });
        team.team_barrier();
      }
    } else {
      sweep.walk_collapsed(
          team, queue, prefix, Offset(0), Offset(count), begin, end, how, [&](Offset k) { return vertex[k]; },
          [&](Offset k, Vertex) { return row[k] - prefix[k]; });
    }
  }

 private:
  /// Turns degrees into exclusive prefix sums in place, the total behind them.
  KOKKOS_FUNCTION void scan(const Member& team, Offset* values, int count, [[maybe_unused]] Offset* totals) const {
    if (team.team_size() == 1 || !strategy.team_scan) {
      if (team.team_rank() == 0) {
        Offset sum = 0;
        for (int k = 0; k < count; ++k) {
          const Offset value = values[k];
          values[k] = sum;
          sum += value;
        }
        values[count] = sum;
      }
      return;
    }
    Offset carry = 0;
    for (int base = 0; base < count; base += team.team_size()) {
      const int k = base + team.team_rank();
      const Offset value = k < count ? values[k] : 0;
      if constexpr (has_warps<typename Sweep::Space>) {
        const Offset sum_so_far = carry;
        const Offset before = sum_so_far + team_sum_before(team, value, totals, carry);
        if (k < count) values[k] = before;
      } else {
        const Offset before = carry + team.team_scan(value);
        if (k < count) values[k] = before;
        // The last thread of the tile knows the sum so far; everybody needs it for the next tile.
        carry = before + value;
        team.team_broadcast(carry, team.team_size() - 1);
      }
    }
    if (team.team_rank() == 0) values[count] = carry;
  }
};

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, ManhattanLocal strategy) {
  constexpr bool gpu = is_gpu<typename Sweep::Space>;
  if (strategy.team_size == 0) strategy.team_size = gpu ? 128 : 1;
  int teams_per_chunk = 1;
  if (strategy.vertices_per_team == 0) {
    strategy.vertices_per_team = 256;
    const Offset edges = sweep.work.last_edge() - sweep.work.first_edge();
    if (gpu && edges > 0) {
      // A vertex of enormous degree is shared by the teams of its chunk; a small work set still fills the device.
      constexpr std::int64_t full_device = 2048;
      constexpr Offset most_edges = 8192;
      const Offset fewest_edges = dromos::max<Offset>(512, dromos::min<Offset>(2048, edges / 512));
      const Offset fair = dromos::max(fewest_edges, dromos::min(most_edges, edges / full_device));
      const std::int64_t vertices = sweep.work.size() * most_edges / edges;
      strategy.vertices_per_team =
          static_cast<int>(dromos::max<std::int64_t>(128, dromos::min<std::int64_t>(256, vertices)));
      const std::int64_t chunks = league_size(sweep.work.size(), strategy.vertices_per_team);
      const std::int64_t most_teams = max_league_size / chunks;
      teams_per_chunk =
          static_cast<int>(dromos::max<std::int64_t>(1, dromos::min<std::int64_t>(most_teams, edges / chunks / fair)));
    }
  }
  if (strategy.queue_size == 0) strategy.queue_size = default_queue_size<Sweep>();
  strategy.team_size = checked_team_size<typename Sweep::Space>(strategy.name, strategy.team_size);
  check_tuning(strategy.name, "vertices_per_team", strategy.vertices_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  if (!strategy.local_queue) strategy.queue_size = 1;
  using Kernel = detail::ManhattanLocalKernel<Sweep>;
  const std::size_t scratch_bytes = Kernel::scratch_bytes(strategy);
  check_scratch<typename Sweep::Space>(strategy.name, strategy.team_size, scratch_bytes);
  const int teams = league_size(sweep.work.size(), strategy.vertices_per_team) * teams_per_chunk;
  launch_teams<typename Sweep::Policy>("dromos::traverse::manhattan_local", space,
                                       {teams, strategy.team_size, scratch_bytes},
                                       Kernel{sweep, strategy, teams_per_chunk}, Sweep::deal_order);
}

}  // namespace dromos
