// SPDX-License-Identifier: BSD-3-Clause
// A level of the search that goes forward over many edges, on a GPU: the sweep marks what it finds and does no more;
// levels, the size of the next frontier and its list come from one pass over the bitmaps afterwards.
//
// Who discovers a vertex in the sweep would have to know that nobody else did, read its degree and write its level, and
// take a place in a queue: three answers to wait for and lines of memory anywhere. Here a bit is set and nobody waits
// for the answer; and the pass, whose threads have neighboring vertices, reads degrees and writes levels side by side.
//
//   before 0011, after the sweep 1011 (vertex 0 on the right): vertex 3 is new, of level 2; the next frontier is 3
//
// Parents are written by everybody who finds the bit unset: each of them is one, and the last to write stays.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/traverse.hpp>

namespace dromos::detail {

/// The memory of such levels: on a GPU an eighth of a byte a vertex, on a CPU none.
template <class Memory>
struct LateUpdates {
  /// A level of fewer is over sooner than the passes over the bitmaps.
  Offset fewest_edges = Offset(1) << 21;
  Bitmap<Memory> before;        ///< what was visited before the level
  DeviceCounts<Memory> counts;  ///< vertices found, edges that leave them

  LateUpdates() = default;
  explicit LateUpdates(std::int64_t num_vertices) {
    if (host_accessible<Memory>) return;
    before = Bitmap<Memory>(num_vertices, "dromos::bfs::visited_before");
    counts = DeviceCounts<Memory>(2, "dromos::bfs::counts");
  }
};

/// Marks unvisited neighbors.
template <class Vertex, class Memory>
struct MarkNeighbors {
  Bitmap<Memory> visited;
  Vertex* parent;  ///< null: not wanted

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const { return !visited.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    visited.mark(v);
    if (parent != nullptr) atomic_store(&parent[v], u);
    return false;
  }
};

/// The pass over the bitmaps. A warp has 32 words, the vertices of one after the other.
template <class Space, class Graph>
struct UpdateLate {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Vertex = typename Graph::vertex_type;
  using Word = typename Bitmap<typename Graph::memory_space>::Word;
  static constexpr int team_size = 256;
  static constexpr int num_warps = team_size / warp_width;

  Graph graph;
  const Word* before;
  const Word* after;
  std::int64_t num_words;
  Level* level;  ///< null: not wanted
  Level next_level;
  Vertex* queue;          ///< null: not wanted
  std::uint64_t* counts;  ///< vertices, edges

  struct Scratch {
    std::int64_t totals[num_warps];
    unsigned long long edges;
    std::uint64_t begin;
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Scratch& scratch = *team_array<Scratch>(team, 1);
    const int lane = team.team_rank() % warp_width;
    const int warp = team.team_rank() / warp_width;
    const std::int64_t first_word = (static_cast<std::int64_t>(team.league_rank()) * num_warps + warp) * warp_width;
    const std::int64_t w = first_word + lane;
    const Word mine = w < num_words ? after[w] & ~before[w] : 0;
    std::int64_t all = 0;
    if (team.team_rank() == 0) scratch.edges = 0;
    const std::int64_t place = team_sum_before(team, population_count(mine), scratch.totals, all);
    if (all == 0) return;
    if (team.team_rank() == 0) scratch.begin = atomic_fetch_add(&counts[0], static_cast<std::uint64_t>(all));
    team.team_barrier();
    std::uint64_t to = scratch.begin + static_cast<std::uint64_t>(warp_broadcast(place, 0));
    unsigned long long edges = 0;
    constexpr int batch = 8;  // words whose degrees are asked for before the first is looked at
    for (int first = 0; first < warp_width; first += batch) {
      Word words[batch];
      Offset degrees[batch];
      for (int k = 0; k < batch; ++k) {
        words[k] = warp_broadcast(mine, first + k);
        const auto v = static_cast<Vertex>((first_word + first + k) * warp_width + lane);
        degrees[k] = (words[k] >> lane & 1u) != 0 ? graph.degree(v) : 0;
      }
      for (int k = 0; k < batch; ++k) {
        edges += static_cast<unsigned long long>(degrees[k]);
        if (words[k] >> lane & 1u) {
          const auto v = static_cast<Vertex>((first_word + first + k) * warp_width + lane);
          if (level != nullptr) level[v] = next_level;
          if (queue != nullptr) queue[to + votes_before(words[k], lane)] = v;
        }
        to += population_count(words[k]);
      }
    }
    edges = warp_sum(edges);
    if (lane == 0 && edges != 0) atomic_fetch_add(&scratch.edges, edges);
    team.team_barrier();
    if (team.team_rank() == 0) atomic_fetch_add(&counts[1], static_cast<std::uint64_t>(scratch.edges));
  }
};

/// Is a level of so many edges worth two more passes over bitmaps? Not where the next sweep wants prefix sums, which
/// come with a queue alone.
template <class Space, class Memory>
bool worth_late_updates([[maybe_unused]] const LateUpdates<Memory>& late, [[maybe_unused]] std::int64_t num_vertices,
                        [[maybe_unused]] Offset frontier_edges, [[maybe_unused]] const Strategy& strategy) {
  if constexpr (!is_gpu<Space>) {
    return false;
  } else {
    return frontier_edges > dromos::max<Offset>(late.fewest_edges, num_vertices / 4) &&
           !wants_prefix_sums<Space>(strategy);
  }
}

/// One level from `frontier`. Waits, and says in `next` how many vertices and edges there are; `next` lists them if
/// `list` says so.
///
/// \param visited   in and out; \param before out: what it was
/// \param discover  where the results of the search lie, and the level of what is found
template <class Space, class Graph, class Vertex, class Memory, class Discover>
void traverse_and_update_late(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                              Frontier<Vertex, Memory>& next, const Bitmap<Memory>& visited,
                              const Bitmap<Memory>& before, DeviceCounts<Memory>& counts, const Discover& discover,
                              bool list, const Strategy& strategy) {
  using Kernel = UpdateLate<Space, Graph>;
  counts.open(space);
  copy(space, before.words(), visited.words());
  traverse(space, graph, frontier,
           MarkNeighbors<Vertex, Memory>{visited, discover.with_parents ? discover.parent.data() : nullptr}, strategy);
  const auto num_words = static_cast<std::int64_t>(visited.words().extent(0));
  constexpr int words_of_team = Kernel::team_size;
  typename Kernel::Policy policy(space, static_cast<int>((num_words + words_of_team - 1) / words_of_team),
                                 Kernel::team_size);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for("dromos::bfs::update_late", policy,
                       Kernel{graph, before.words().data(), visited.words().data(), num_words,
                              discover.with_levels ? discover.level.data() : nullptr, discover.next_level,
                              list ? next.queue().data() : nullptr, counts.on_device().data()});
  counts.read(space);
  next.set_counts(static_cast<std::int64_t>(counts[0]), static_cast<Offset>(counts[1]));
}

}  // namespace dromos::detail
