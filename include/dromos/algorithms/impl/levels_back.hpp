// SPDX-License-Identifier: BSD-3-Clause
// The way back of a betweenness (algorithms/betweenness.hpp) through levels of few edges: consecutive ones share a
// launch, by one team, or on a CPU by a few threads that stay together from one to the next, as fused sweeps do
// (traverse/fused_threads.hpp).
//
//   edges      3  310 | 1,100  1,400  900 | 210  60 | 96,000
//              caller | a few threads     | caller  | launches of its own
//
// Each level is summed up first, and then says what it gives: its shares are 0 until all its sums are there, since
// neighbors within the level ask for them as well.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/launch_teams.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/fused_sweeps.hpp>
#include <dromos/traverse/fused_threads.hpp>
#include <vector>

namespace dromos::detail {

/// The vertices of a level have their sums, and say what they give to those of the level before.
template <class Vertex, class Memory>
struct GiveShares {
  Kokkos::View<const Vertex*, Memory> order;
  Kokkos::View<const double*, Memory> num_paths;
  Kokkos::View<const double*, Memory> partial;  ///< of a part: the sums, united
  Kokkos::View<double*, Memory> sum, share;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = order(i);
    if (partial.extent(0) != 0) sum(v) = partial(v);
    share(v) = 1 / num_paths(v) + sum(v);
  }
};

/// Levels, each of which lies in the order behind the one before.
template <class Graph, class Vertex, class Memory>
struct LevelSums {
  Graph graph;
  GiveShares<Vertex, Memory> give;
  /// Where each level ends in the order.
  Kokkos::View<const std::uint64_t*, Memory> level_end;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t begin_of(std::int64_t level) const {
    return level == 0 ? 0 : static_cast<std::int64_t>(level_end(level - 1));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t end_of(std::int64_t level) const {
    return static_cast<std::int64_t>(level_end(level));
  }
  KOKKOS_FORCEINLINE_FUNCTION void sum_up(std::int64_t i) const {
    const Vertex u = give.order(i);
    double sum = 0;
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) sum += give.share(neighbor_of(graph, u, e));
    give.sum(u) = sum;
  }
};

/// The sums of consecutive levels of few edges, from the last of them to the first, by one team: a level of a path has
/// two edges, and a launch for each costs a thousand times as much.
template <class Space, class Graph, class Vertex, class Memory>
struct SumSmallLevels {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;
  static constexpr int team_size = is_gpu<Space> ? 256 : 1;
  /// The most edges of such a level: about what a launch takes.
  static constexpr Offset most_edges = is_gpu<Space> ? 4096 : most_edges_of_caller;

  LevelSums<Graph, Vertex, Memory> sums;
  std::int64_t first, last;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    for (std::int64_t l = last; l >= first; --l) {
      const std::int64_t begin = sums.begin_of(l) + team.team_rank(), end = sums.end_of(l);
      for (std::int64_t i = begin; i < end; i += team.team_size()) sums.sum_up(i);
      team.team_barrier();
      for (std::int64_t i = begin; i < end; i += team.team_size()) sums.give(i);
      team.team_barrier();
    }
  }
};

/// The same by a few threads of a CPU, each of which has an equal part of the vertices of a level.
template <class Space, class Graph, class Vertex, class Memory>
struct SumLevelsByThreads {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = TeamMember<Policy>;

  /// What the threads of a launch share.
  struct Table {
    FusedBarrier barrier;
    std::int64_t next;     ///< out: the level that has its turn afterwards
    bool crowded = false;  ///< others have the cores
  };

  LevelSums<Graph, Vertex, Memory> sums;
  const WorkSetSize* sizes;
  std::int64_t first, last;
  Table* table;

  void operator()(const Member& team) const {
    const int rank = team.team_rank(), num_threads = team.team_size();
    std::int64_t num_arrivals = 0;
    const auto wait = [&] {
      table->barrier.arrive_and_wait(num_threads * (num_arrivals + 1), num_arrivals > 0);
      ++num_arrivals;
    };
    for (std::int64_t l = last; l >= first; --l) {
      const int wanted = num_wanted_threads(sizes[l].num_edges, num_threads);
      const std::int64_t begin = sums.begin_of(l), count = sums.end_of(l) - begin;
      const std::int64_t mine = begin + count * dromos::min(rank, wanted) / wanted;
      const std::int64_t behind = begin + count * dromos::min(rank + 1, wanted) / wanted;
      for (std::int64_t i = mine; i < behind; ++i) sums.sum_up(i);
      wait();
      for (std::int64_t i = mine; i < behind; ++i) sums.give(i);
      if (rank == 0) {
        table->next = l - 1;
        table->crowded = table->barrier.crowded(num_threads);
      }
      wait();
      if (table->crowded) return;
    }
  }
};

/// Sums up level `last` and those before it that go together with it. Waits on a CPU.
///
/// \param sizes   of all levels, of which the first is not summed up
/// \param fusion  of the way forward: where others have the cores, a few threads do not wait for each other
/// \returns the level that has its turn next; `last` where that one is too large
template <class Space, class Graph, class Vertex, class Memory>
std::int64_t sum_few_levels(const Space& space, const LevelSums<Graph, Vertex, Memory>& sums,
                            const std::vector<WorkSetSize>& sizes, std::int64_t last,
                            [[maybe_unused]] SweepFusion<Memory>& fusion) {
  using Small = SumSmallLevels<Space, Graph, Vertex, Memory>;
  const auto size = [&](std::int64_t l) { return sizes[static_cast<std::size_t>(l)]; };
  std::int64_t first = last + 1;
  while (first > 1 && size(first - 1).num_edges <= Small::most_edges) --first;
  if (first <= last) {
    Kokkos::parallel_for("dromos::betweenness::small_levels", typename Small::Policy(space, 1, Small::team_size),
                         Small{sums, first, last});
    return first - 1;
  }
  if constexpr (!is_gpu<Space>) {
    const int most_threads = num_fused_threads(space);
    Offset most_edges = 0;
    const auto by_threads = [&](std::int64_t l) {
      return most_threads > 1 && size(l).num_edges >= least_edges_of_thread &&
             size(l).num_edges <= most_divided_edges(size(l).num_vertices, most_threads);
    };
    for (; fusion.next_calls_alone == 0 && first > 1 && by_threads(first - 1); --first) {
      most_edges = dromos::max(most_edges, size(first - 1).num_edges);
    }
    if (first > last) return last;
    using Kernel = SumLevelsByThreads<Space, Graph, Vertex, Memory>;
    typename Kernel::Table table;
    const UncountedViews uncounted;
    launch_teams<typename Kernel::Policy>("dromos::betweenness::few_levels", space,
                                          {1, num_wanted_threads(most_edges, most_threads), 0},
                                          Kernel{sums, sizes.data(), first, last, &table});
    fence(space, "dromos::betweenness::few_levels");
    note_crowd(fusion, table.crowded);
    return table.next;
  }
  return last;
}

}  // namespace dromos::detail
