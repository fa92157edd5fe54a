// SPDX-License-Identifier: BSD-3-Clause
// The backward sweep of a direction-optimizing search for machines whose threads come in warps: unvisited vertices look
// for a visited in-neighbor, most of them successfully at the first one they try.
//
// That first one is worth knowing beforehand. For every vertex the scratch memory keeps its in-neighbors of highest
// degree, those that are most likely visited by the time it looks, in columns:
//
//   likely[0 * n + v], likely[1 * n + v]      no_vertex: v has no (other) in-neighbor
//
// so that 32 threads that ask for 32 neighboring vertices read side by side, where 32 rows of the graph would lie in 32
// places. A team takes a tile of vertices and goes through it in three steps:
//
//   1. a thread a vertex tries the likely parents; a vote of the warp makes the answer a word of the visited bitmap
//   2. vertices that had no luck gather in scratch memory, and 8 lanes together look at the row of each; what is left
//   of a
//      long row the whole team looks at
//   3. vertices that found nothing go to the list of those left, the work set of the next backward sweep, and the team
//      adds up its finds: three atomics on global counters
//
// The first backward sweep of a search goes over the words of the bitmaps, later ones over the list; these find so few
// that they list them as well, for a forward sweep that may come next.
//
// The visited bitmap is read in one copy and written in another: a bit that is set is then always the frontier's. To a
// copy that is as it was before a list's sweep can add what it finds; the sweep over all vertices leaves it one.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos::detail {

/// What a backward sweep says to the host.
struct BackwardCounts {
  std::int64_t num_found = 0;
  Offset edges_found = 0;  ///< that leave the vertices found
  std::int64_t num_left = 0;
};

/// The memory of backward sweeps: 16 bytes a vertex (32 with 64-bit ids).
template <class Vertex, class Memory>
struct WarpBackwardScratch {
  static constexpr int num_likely = 2;

  Kokkos::View<Vertex*, Memory> likely;
  /// Vertices that the last sweep left unvisited, once there was one in this search; the next sweep writes the other
  /// list.
  Kokkos::View<Vertex*, Memory> left, left_next;
  std::int64_t num_left = 0;
  bool listed = false;
  /// Are the vertices that the last sweep found in the queue that was given to it?
  bool found_listed = false;
  /// What a sweep says: vertices found, edges that leave them, vertices left.
  DeviceCounts<Memory> counts;
  /// A copy of the visited bitmap, while it is valid.
  Bitmap<Memory> spare;
  bool spare_valid = false;
  /// One element, work space of gather_difference().
  Kokkos::View<unsigned long long*, Memory> gathered;
};

inline constexpr int backward_team_size = 256;
inline constexpr int backward_group = 8;          // lanes that look at one row together: a sector of 32-bit ids
inline constexpr int backward_group_edges = 256;  // of a row; more are the whole team's
/// Vertices a team takes: few of a list, which may be short.
inline constexpr int backward_tile(bool listed) { return listed ? backward_team_size : 4 * backward_team_size; }

/// One team's tile of a backward sweep.
template <class Space, class Vertex, class Memory, bool listed>
struct WarpBackwardKernel {
  using Word = typename Bitmap<Memory>::Word;
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;
  static constexpr int tile_size = backward_tile(listed);
  static constexpr int tile_words = tile_size / warp_width;
  static constexpr int num_likely = WarpBackwardScratch<Vertex, Memory>::num_likely;

  CsrView<Vertex, Memory> graph;
  CsrView<Vertex, Memory> in_edges;
  // Pointers, since a Kokkos::View is three times as large and Kokkos launches kernels of up to 512 bytes faster.
  const Vertex* likely;
  const Vertex* list;
  std::int64_t list_size;
  const Word* can_be_found;
  const Word* visited;
  std::int64_t num_words;
  Word* visited_after;
  Word* second_after;  ///< unless listed
  Vertex* left;
  Vertex* found_queue;  ///< if listed
  std::uint64_t* counts;
  CountsPublisher publisher;  ///< if listed; otherwise a kernel behind this one publishes
  Vertex* parent;             ///< null: not wanted
  Level* level;               ///< null: not wanted
  Level next_level;

  struct Tile {
    unsigned long long edges;
    std::uint64_t left_begin;
    std::uint64_t found_begin;
    int num_found;
    int num_rest;
    int num_long;
    int num_left;
    Vertex hit;                                 // a visited in-neighbor of the vertex that the team looks at
    Word found[tile_words];                     // bits, unless listed
    Vertex found_list[listed ? tile_size : 1];  // if listed
    Vertex rest[tile_size];
    Vertex long_rows[tile_size];
    Vertex left[tile_size];
  };
  enum class Outcome { nothing, found, rest, left };

  static std::size_t scratch_bytes() { return sizeof(Tile) + 32; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    Tile& tile = *team_array<Tile>(team, 1);
    if (team.team_rank() == 0) {
      tile.edges = 0;
      tile.num_found = tile.num_rest = tile.num_long = tile.num_left = 0;
      tile.hit = no_vertex<Vertex>;
    }
    team.team_barrier();
    unsigned long long edges = try_likely_parents(team, tile);
    team.team_barrier();
    edges += look_at_rows(team, tile);
    team.team_barrier();
    edges += look_at_long_rows(team, tile);
    team.team_barrier();
    finish(team, tile, edges);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool is_visited(Vertex v) const {
    return (visited[Bitmap<Memory>::word_of(v)] & Bitmap<Memory>::mask(v)) != 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION Vertex likely_parent(Vertex v, int k) const {
    return likely[k * static_cast<std::size_t>(graph.num_vertices()) + v];
  }
  KOKKOS_FORCEINLINE_FUNCTION void read_likely(Vertex v, Vertex (&parents)[num_likely]) const {
    for (int k = 0; k < num_likely; ++k) parents[k] = likely_parent(v, k);
  }

  /// Returns the edges that leave v.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long discover(Vertex v, Vertex u) const {
    if (parent != nullptr) parent[v] = u;
    if (level != nullptr) level[v] = next_level;
    return static_cast<unsigned long long>(graph.degree(v));
  }

  /// Appends the vertices of the lanes that say so; a collective of the warp.
  KOKKOS_FORCEINLINE_FUNCTION void append(Vertex* array, int& size, bool mine, Vertex v, int lane) const {
    const std::uint32_t votes = ballot(whole_warp, mine);
    if (votes == 0) return;
    int begin = 0;
    if (lane == 0) begin = Kokkos::atomic_fetch_add(&size, population_count(votes));
    begin = warp_broadcast(begin, 0);
    if (mine) array[begin + votes_before(votes, lane)] = v;
  }

  KOKKOS_FUNCTION unsigned long long try_likely_parents(const Member& team, Tile& tile) const {
    const int lane = team.team_rank() % warp_width;
    const int num_warps = team.team_size() / warp_width;
    const std::int64_t first = static_cast<std::int64_t>(team.league_rank()) * tile_size;
    unsigned long long edges = 0;
    for (int word = team.team_rank() / warp_width; word < tile_words; word += num_warps) {
      Vertex v = no_vertex<Vertex>;
      bool candidate = false;
      if constexpr (listed) {
        const std::int64_t i = first + word * warp_width + lane;
        if (i < list_size) {
          v = list[i];
          candidate = !is_visited(v);
        }
      } else {
        const std::int64_t w = first / warp_width + word;
        const Word open = w < num_words ? can_be_found[w] & ~visited[w] : 0;
        if (open == 0) {
          if (lane == 0) tile.found[word] = 0;
          continue;
        }
        v = static_cast<Vertex>(w * warp_width + lane);
        candidate = (open >> lane & 1u) != 0;
      }
      Outcome outcome = Outcome::nothing;
      if (candidate) {
        outcome = Outcome::rest;
        Vertex parents[num_likely];
        if (listed) read_likely(v, parents);  // of a list's vertices all at once: they lie anywhere
        for (int k = 0; k < num_likely; ++k) {
          const Vertex u = listed ? parents[k] : likely_parent(v, k);
          if (u == no_vertex<Vertex>) {
            outcome = Outcome::left;
            break;
          }
          if (is_visited(u)) {
            outcome = Outcome::found;
            edges += discover(v, u);
            break;
          }
        }
      }
      if constexpr (listed) {
        if (outcome == Outcome::found) set_after(v);
        append(tile.found_list, tile.num_found, outcome == Outcome::found, v, lane);
      } else {
        const std::uint32_t found = ballot(whole_warp, outcome == Outcome::found);
        if (lane == 0) tile.found[word] = found;
      }
      append(tile.rest, tile.num_rest, outcome == Outcome::rest, v, lane);
      append(tile.left, tile.num_left, outcome == Outcome::left, v, lane);
    }
    return edges;
  }

  KOKKOS_FUNCTION unsigned long long look_at_rows(const Member& team, Tile& tile) const {
    const int lane = team.team_rank() % warp_width;
    const int group_lane = lane % backward_group;
    const std::uint32_t group = ((1u << backward_group) - 1u) << (lane - group_lane);
    unsigned long long edges = 0;
    for (int i = team.team_rank() / backward_group; i < tile.num_rest; i += team.team_size() / backward_group) {
      const Vertex v = tile.rest[i];
      const Offset begin = in_edges.begin(v);
      const Offset row_end = in_edges.end(v);
      const Offset end = dromos::min<Offset>(row_end, begin + backward_group_edges);
      std::uint32_t hits = 0;
      Vertex u = no_vertex<Vertex>;
      for (Offset e = begin; e < end && hits == 0; e += backward_group) {
        bool hit = false;
        if (e + group_lane < end) {
          u = in_edges.neighbor(e + group_lane);
          hit = is_visited(u);
        }
        hits = ballot(group, hit);
      }
      if (hits == 0) {
        if (group_lane == 0) {
          if (end < row_end) {
            tile.long_rows[Kokkos::atomic_fetch_add(&tile.num_long, 1)] = v;
          } else {
            tile.left[Kokkos::atomic_fetch_add(&tile.num_left, 1)] = v;
          }
        }
      } else if (lane == count_trailing_zeros(hits)) {
        edges += found_in_row(team, tile, v, u);
      }
    }
    return edges;
  }

  /// v was found from u, which is in its row. Returns the edges that leave v.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long found_in_row(const Member& team, Tile& tile, Vertex v,
                                                              Vertex u) const {
    if constexpr (listed) {
      set_after(v);
      tile.found_list[Kokkos::atomic_fetch_add(&tile.num_found, 1)] = v;
    } else {
      const int local = static_cast<int>(v - static_cast<Vertex>(team.league_rank()) * tile_size);
      Kokkos::atomic_fetch_or(&tile.found[local / warp_width], Word(1) << (local % warp_width));
    }
    return discover(v, u);
  }

  /// What look_at_rows() left of long rows, one after the other, four edges a thread at a time.
  KOKKOS_FUNCTION unsigned long long look_at_long_rows(const Member& team, Tile& tile) const {
    constexpr int batch = 4;
    unsigned long long edges = 0;
    for (int i = 0; i < tile.num_long; ++i) {
      const Vertex v = tile.long_rows[i];
      const Offset end = in_edges.end(v);
      Vertex hit = no_vertex<Vertex>;
      for (Offset e = in_edges.begin(v) + backward_group_edges; e < end && hit == no_vertex<Vertex>;
           e += batch * team.team_size()) {
        Vertex u[batch];
        for (int k = 0; k < batch; ++k) {
          const Offset mine = e + k * team.team_size() + team.team_rank();
          u[k] = mine < end ? in_edges.neighbor(mine) : no_vertex<Vertex>;
        }
        for (int k = 0; k < batch; ++k) {
          if (u[k] != no_vertex<Vertex> && is_visited(u[k])) atomic_store(&tile.hit, u[k]);
        }
        team.team_barrier();
        hit = tile.hit;
        team.team_barrier();
      }
      if (team.team_rank() == 0) {
        if (hit == no_vertex<Vertex>) {
          tile.left[tile.num_left++] = v;
        } else {
          edges += found_in_row(team, tile, v, hit);
          tile.hit = no_vertex<Vertex>;
        }
      }
      team.team_barrier();
    }
    return edges;
  }

  KOKKOS_FORCEINLINE_FUNCTION void set_after(Vertex v) const {
    Kokkos::atomic_fetch_or(&visited_after[Bitmap<Memory>::word_of(v)], Bitmap<Memory>::mask(v));
  }

  KOKKOS_FUNCTION void finish(const Member& team, Tile& tile, unsigned long long edges) const {
    const int rank = team.team_rank();
    if constexpr (!listed) {
      const std::int64_t w = static_cast<std::int64_t>(team.league_rank()) * tile_words + rank;
      if (rank < tile_words && w < num_words) {
        const Word after = visited[w] | tile.found[rank];
        visited_after[w] = after;
        second_after[w] = after;
        if (tile.found[rank] != 0) Kokkos::atomic_fetch_add(&tile.num_found, population_count(tile.found[rank]));
      }
    }
    edges = warp_sum(edges);
    if (rank % warp_width == 0 && edges != 0) atomic_fetch_add(&tile.edges, edges);
    team.team_barrier();
    if (rank == 0) {
      if (tile.num_found != 0) {
        const std::uint64_t begin = atomic_fetch_add(&counts[0], static_cast<std::uint64_t>(tile.num_found));
        if constexpr (listed) tile.found_begin = begin;  // nobody waits for an answer that nobody uses
        atomic_fetch_add(&counts[1], static_cast<std::uint64_t>(tile.edges));
      }
      if (tile.num_left != 0) {
        tile.left_begin = atomic_fetch_add(&counts[2], static_cast<std::uint64_t>(tile.num_left));
      }
    }
    team.team_barrier();
    for (int i = rank; i < tile.num_left; i += team.team_size()) left[tile.left_begin + i] = tile.left[i];
    if constexpr (listed) {
      for (int i = rank; i < tile.num_found; i += team.team_size()) {
        found_queue[tile.found_begin + i] = tile.found_list[i];
      }
    }
    if (listed && rank == 0) publisher.team_done(team.league_size());
  }
};

/// Finds the likely parents: of each vertex the in-neighbors with most edges. A warp takes a vertex at a time.
template <class Space, class Vertex, class Memory>
struct FindLikelyParents {
  using Policy = Kokkos::TeamPolicy<Space>;
  CsrView<Vertex, Memory> graph;
  CsrView<Vertex, Memory> in_edges;
  Kokkos::View<Vertex*, Memory> likely;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const int lane = team.team_rank() % warp_width;
    const std::int64_t warp =
        (static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank()) / warp_width;
    const std::int64_t num_warps = static_cast<std::int64_t>(team.league_size()) * team.team_size() / warp_width;
    const std::int64_t n = graph.num_vertices();
    for (std::int64_t v = warp; v < n; v += num_warps) {
      const Offset begin = in_edges.begin(static_cast<Vertex>(v));
      const Offset degree = in_edges.end(static_cast<Vertex>(v)) - begin;
      Offset taken = -1;
      for (int k = 0; k < WarpBackwardScratch<Vertex, Memory>::num_likely; ++k) {
        // The best so far as one number, degree above position, so that a maximum finds both.
        unsigned long long best = 0;
        for (Offset i = lane; i < degree; i += warp_width) {
          if (i == taken || i > 0xffffffffll) continue;
          const Offset d = graph.degree(in_edges.neighbor(begin + i));
          const auto key = static_cast<unsigned long long>(d < 0x7fffffffll ? d + 1 : 0x7fffffffll) << 32 |
                           static_cast<unsigned long long>(i);
          if (key > best) best = key;
        }
        best = warp_max(best);
        if (best != 0) taken = static_cast<Offset>(best & 0xffffffffull);
        if (lane == 0) likely(k * n + v) = best == 0 ? no_vertex<Vertex> : in_edges.neighbor(begin + taken);
      }
    }
  }
};

/// Allocates the memory of backward sweeps and finds the likely parents. Cost: two passes over the edges.
template <class Space, class Vertex, class Memory>
WarpBackwardScratch<Vertex, Memory> prepare_backward_sweeps(const Space& space, const CsrView<Vertex, Memory>& graph,
                                                            const CsrView<Vertex, Memory>& in_edges) {
  using Scratch = WarpBackwardScratch<Vertex, Memory>;
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  const auto list = [](const char* label, std::size_t size) {
    return Kokkos::View<Vertex*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
  };
  Scratch scratch;
  scratch.likely = list("dromos::bfs::likely_parents", Scratch::num_likely * n);
  scratch.left = list("dromos::bfs::left", n);
  scratch.left_next = list("dromos::bfs::left", n);
  scratch.counts = DeviceCounts<Memory>(3, "dromos::bfs::backward_counts");
  scratch.spare = Bitmap<Memory>(graph.num_vertices(), "dromos::bfs::spare_bitmap");
  scratch.gathered = Kokkos::View<unsigned long long*, Memory>("dromos::bfs::gathered", 1);
  if (n == 0) return scratch;
  using Kernel = FindLikelyParents<Space, Vertex, Memory>;
  const int league = static_cast<int>(dromos::min<std::int64_t>((n + 7) / 8, 1 << 16));
  Kokkos::parallel_for("dromos::bfs::likely_parents", typename Kernel::Policy(space, league, backward_team_size),
                       Kernel{graph, in_edges, scratch.likely});
  fence(space, "dromos::bfs::likely_parents");
  return scratch;
}

template <bool listed, class Space, class Vertex, class Memory, class SearchScratch, class Discover>
void launch_backward_sweep(const Space& space, const CsrView<Vertex, Memory>& graph, SearchScratch& scratch,
                           const Discover& discover, const CountsPublisher& publisher) {
  using Kernel = WarpBackwardKernel<Space, Vertex, Memory, listed>;
  auto& backward = scratch.backward;
  const std::int64_t size = listed ? backward.num_left : static_cast<std::int64_t>(graph.num_vertices());
  typename Kernel::Policy policy(space, static_cast<int>((size + Kernel::tile_size - 1) / Kernel::tile_size),
                                 backward_team_size);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for(
      listed ? "dromos::bfs::backward_list" : "dromos::bfs::backward_all", policy,
      Kernel{graph, scratch.in_edges.view(), backward.likely.data(), backward.left.data(), size,
             scratch.can_be_found.words().data(), scratch.visited.words().data(),
             static_cast<std::int64_t>(scratch.visited.words().extent(0)),
             (listed ? backward.spare : scratch.snapshot).words().data(), backward.spare.words().data(),
             backward.left_next.data(), scratch.next.queue().data(), backward.counts.on_device().data(), publisher,
             discover.with_parents ? discover.parent.data() : nullptr,
             discover.with_levels ? discover.level.data() : nullptr, discover.next_level});
}

/// One backward sweep. `scratch.visited` is then the visited set with the vertices found. The first one of a search
/// leaves in `scratch.snapshot` the set without them, the others in the queue of `scratch.next` the vertices
/// themselves. Waits.
template <class Space, class Vertex, class Memory, class SearchScratch, class Discover>
BackwardCounts backward_sweep_warps(const Space& space, const CsrView<Vertex, Memory>& graph, SearchScratch& scratch,
                                    const Discover& discover) {
  auto& backward = scratch.backward;
  const bool listed = backward.listed;
  if (listed && backward.num_left == 0) return {};
  backward.counts.open(space);
  const CountsPublisher publisher = backward.counts.publisher();
  if (!listed) {
    launch_backward_sweep<false>(space, graph, scratch, discover, publisher);
    backward.counts.read(space);
    std::swap(scratch.visited, scratch.snapshot);
  } else {
    if (!backward.spare_valid) Kokkos::deep_copy(space, backward.spare.words(), scratch.visited.words());
    launch_backward_sweep<true>(space, graph, scratch, discover, publisher);
    backward.counts.read(space, publisher);
    std::swap(scratch.visited, backward.spare);
  }
  backward.spare_valid = !listed;
  std::swap(backward.left, backward.left_next);
  backward.listed = true;
  backward.found_listed = listed;
  backward.num_left = static_cast<std::int64_t>(backward.counts[2]);
  return {static_cast<std::int64_t>(backward.counts[0]), static_cast<Offset>(backward.counts[1]), backward.num_left};
}

}  // namespace dromos::detail
