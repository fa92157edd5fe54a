// SPDX-License-Identifier: BSD-3-Clause
// find_first() for machines whose threads come in warps. A team takes a tile of vertices and goes through it in three
// steps:
//
//   1. a thread a vertex tries the ends that are likely to hold, where the search knows some
//      (traverse/find_first_again.hpp); a vote of the warp makes the answer a word of the bitmap
//   2. vertices that had no luck gather in scratch memory, and 8 lanes together look at the row of each; what is left
//      of a long row the whole team looks at
//   3. vertices that found nothing go to the list of those left, where the search goes on from them, and the team adds
//      up its finds: three atomics on global counters
//
// Whose edges leave what was found is wanted, too. Who found at once has not looked where his row lies, and would have
// to for that alone; who is left has looked through the whole of it. So a search that knows the edges of all who look
// has those of the others counted.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <type_traits>

namespace dromos::detail {

/// Does the operator have not_found(u), for each vertex that is not done and finds nothing at once in a sweep over
/// bitmaps, whether it could or not? With warps it may still find in its row. Only asked where op.tells_not_found is
/// true.
template <class Operator, class = void>
struct TellsNotFound : std::false_type {};
template <class Operator>
struct TellsNotFound<Operator, std::void_t<decltype(&Operator::not_found)>> : std::true_type {};

inline constexpr int find_team_size = 256;
inline constexpr int find_group = 8;          // lanes that look at one row together: a sector of 32-bit ids
inline constexpr int find_group_edges = 256;  // of a row; more are the whole team's
/// Vertices a team takes: few of a list, which may be short.
inline constexpr int find_tile(bool listed) { return listed ? find_team_size : 4 * find_team_size; }

/// What a sweep knows of those before and leaves to those after it; nothing where there are none. Pointers, since a
/// Kokkos::View is three times as large and Kokkos launches kernels of up to 512 bytes faster.
template <class Vertex>
struct FindAgain {
  const Vertex* likely = nullptr;  ///< in columns of num_rows elements
  std::size_t num_rows = 0;
  const Vertex* list = nullptr;  ///< of those that look, if listed
  std::int64_t list_size = 0;
  std::uint32_t* second_after = nullptr;  ///< unless listed; null: not wanted
  Vertex* left = nullptr;                 ///< null: not wanted
  std::uint64_t* num_left = nullptr;
  bool counts_left = false;     ///< edges of those left, whose rows it has looked through, and not of those that found
  CountsPublisher publisher{};  ///< if listed and set; otherwise a kernel behind this one publishes
};

/// The likely ends of a vertex that a search knows.
inline constexpr int num_likely_ends = 2;

/// The last of them, where there are no other neighbors: written as another number, below no_vertex.
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION Vertex end_of_row(Vertex v) {
  return no_vertex<Vertex> - 1 - v;
}

/// One team's tile.
///
/// \tparam again   there are likely ends and a list of those left
/// \tparam listed  the vertices that look are those of a list; otherwise those of a bitmap
template <class Space, class Rows, class Sink, class Operator, bool again, bool listed>
struct FindFirstWarps {
  using Vertex = typename Rows::vertex_type;
  using Bits = Bitmap<typename Rows::memory_space>;
  using Word = typename Bits::Word;
  /// Bounded registers, so that a multiprocessor has as many threads as it can: what they do is wait.
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<find_team_size, sizeof(Vertex) == 4 ? 8 : 6>>;
  using Member = typename Policy::member_type;
  static constexpr int tile_size = find_tile(listed);
  static constexpr int tile_words = tile_size / warp_width;
  static constexpr int per_warp = tile_words / (find_team_size / warp_width);
  static constexpr bool lists_found = Sink::lists;
  static_assert(!listed || again, "who looks through a list leaves one");

  Rows rows;
  Sink sink;
  Operator op;
  const Word* could;
  const Word* done;
  Word* after;
  std::int64_t num_words;
  Vertex first_vertex;  ///< of the first bit
  FindAgain<Vertex> more;

  struct Tile {
    unsigned long long edges;
    std::uint64_t left_begin;
    std::uint64_t found_begin;
    int num_found;
    int num_rest;
    int num_long;
    int num_left;
    Vertex hit;                                      // an end that holds of the vertex that the team looks at
    Word found[tile_words];                          // bits, unless listed
    Vertex found_list[lists_found ? tile_size : 1];  // if they are listed
    Vertex rest[tile_size];
    Vertex long_rows[tile_size];
    Vertex left[again ? tile_size : 1];
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
    unsigned long long edges = try_likely_ends(team, tile);
    team.team_barrier();
    edges += look_at_rows(team, tile);
    team.team_barrier();
    edges += look_at_long_rows(team, tile);
    team.team_barrier();
    finish(team, tile, edges);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Vertex likely_end(Vertex u, int k) const { return more.likely[k * more.num_rows + u]; }

  /// Returns the edges that leave u.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long discover(Vertex u, Vertex v) const {
    op.found(u, v);
    if constexpr (Sink::enabled) {
      if (!(again && more.counts_left)) return static_cast<unsigned long long>(sink.graph.degree(u));
    }
    return 0;
  }
  /// The edges of a row that was looked through in vain, if they are counted.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long in_vain(Offset num_edges) const {
    return again && more.counts_left ? static_cast<unsigned long long>(num_edges) : 0;
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

  /// Does one of the likely ends of u, which comes from a list, hold? Adds the edges that are counted.
  KOKKOS_FORCEINLINE_FUNCTION Outcome try_ends(Vertex u, unsigned long long& edges) const {
    Vertex ends[num_likely_ends];
    for (int k = 0; k < num_likely_ends; ++k) ends[k] = likely_end(u, k);  // all at once: they lie anywhere
    for (int k = 0; k < num_likely_ends; ++k) {
      const bool no_others = ends[k] < no_vertex<Vertex>;
      const Vertex v = no_others ? end_of_row(ends[k]) : ends[k];
      if (v != no_vertex<Vertex> && op.holds(u, v)) {
        edges += discover(u, v);
        return Outcome::found;
      }
      if (no_others || v == no_vertex<Vertex>) {
        edges += in_vain(k + (no_others ? 1 : 0));
        return Outcome::left;
      }
    }
    return Outcome::rest;
  }

  /// Appends vertex `first` + k * warp_width for each bit k of a lane's; a collective of the warp.
  KOKKOS_FORCEINLINE_FUNCTION void append_several(Vertex* array, int& size, unsigned bits, Vertex first,
                                                  int lane) const {
    const int mine = population_count(bits);
    int end = mine;
    for (int step = 1; step < warp_width; step *= 2) {
      const int before = warp_shift_up(end, step);
      if (lane >= step) end += before;
    }
    const int all = warp_broadcast(end, warp_width - 1);
    if (all == 0) return;
    int begin = 0;
    if (lane == 0) begin = Kokkos::atomic_fetch_add(&size, all);
    begin = warp_broadcast(begin, 0) + end - mine;
    for (; bits != 0; bits &= bits - 1) {
      array[begin++] = first + static_cast<Vertex>(count_trailing_zeros(bits) * warp_width);
    }
  }

  /// The c-th likely ends of a lane's vertices, `first` + k * warp_width for each bit k of `rest`: each step for all of
  /// them, so that nobody waits for one answer before he asks for the next. Returns the edges that are counted; those
  /// that found, and those that have no other ends, leave `rest`.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long try_column(int c, Vertex first, unsigned& rest, unsigned& found,
                                                            unsigned& left) const {
    Vertex ends[per_warp];
    for (int k = 0; k < per_warp; ++k) {
      ends[k] = no_vertex<Vertex>;
      if (rest >> k & 1u) ends[k] = likely_end(first + static_cast<Vertex>(k * warp_width), c);
    }
    unsigned hits = 0, none = 0, last = 0;
    for (int k = 0; k < per_warp; ++k) {
      if (ends[k] == no_vertex<Vertex>) {
        none |= 1u << k;
        continue;
      }
      if (ends[k] < no_vertex<Vertex>) {
        last |= 1u << k;
        ends[k] = end_of_row(ends[k]);
      }
      hits |= static_cast<unsigned>(op.holds(first + static_cast<Vertex>(k * warp_width), ends[k])) << k;
    }
    unsigned long long edges = 0;
    for (int k = 0; k < per_warp; ++k) {
      if (hits >> k & 1u) edges += discover(first + static_cast<Vertex>(k * warp_width), ends[k]);
    }
    found |= hits;
    none &= rest;
    last &= rest & ~hits;
    edges += in_vain(c * population_count(none) + (c + 1) * population_count(last));
    left |= none | last;
    rest &= ~(hits | none | last);
    return edges;
  }

  /// A warp goes through its words first and sorts their vertices into arrays at the end, since that costs as much as
  /// the tries of a word.
  KOKKOS_FUNCTION unsigned long long try_likely_ends(const Member& team, Tile& tile) const {
    static_assert(tile_words % (find_team_size / warp_width) == 0);
    const int lane = team.team_rank() % warp_width;
    const int warp = team.team_rank() / warp_width;
    const std::int64_t first = static_cast<std::int64_t>(team.league_rank()) * tile_size;
    unsigned long long edges = 0;
    if constexpr (listed) {
      static_assert(per_warp == 1);
      const std::int64_t i = first + team.team_rank();
      Vertex u = no_vertex<Vertex>;
      Outcome outcome = Outcome::nothing;
      if (i < more.list_size) {
        u = more.list[i];
        if ((done[Bits::word_of(u)] & Bits::mask(u)) == 0) outcome = try_ends(u, edges);
      }
      if (outcome == Outcome::found) set_after(u);
      if constexpr (lists_found) append(tile.found_list, tile.num_found, outcome == Outcome::found, u, lane);
      append(tile.rest, tile.num_rest, outcome == Outcome::rest, u, lane);
      if (more.left != nullptr) append(tile.left, tile.num_left, outcome == Outcome::left, u, lane);
    } else {
      const std::int64_t first_word = first / warp_width + warp * per_warp;
      const Vertex first_here = first_vertex + static_cast<Vertex>(first_word * warp_width + lane);
      // Of this lane's vertices, one in each word: who found, who is to look at its row, and who is left.
      unsigned found = 0, rest = 0, left = 0;
      for (int k = 0; k < per_warp; ++k) {
        const std::int64_t w = first_word + k;
        const Word open = w < num_words ? could[w] & ~done[w] : 0;
        rest |= (open >> lane & 1u) << k;
      }
      if constexpr (again) {
        for (int c = 0; c < num_likely_ends; ++c) edges += try_column(c, first_here, rest, found, left);
      }
      if constexpr (TellsNotFound<Operator>::value) {
        if (op.tells_not_found) tell_not_found(first_word, first_here, found, lane);
      }
      for (int k = 0; k < per_warp; ++k) {
        const std::uint32_t votes = ballot(whole_warp, (found >> k & 1u) != 0);
        if (lane == 0) tile.found[warp * per_warp + k] = votes;
      }
      if constexpr (lists_found) append_several(tile.found_list, tile.num_found, found, first_here, lane);
      append_several(tile.rest, tile.num_rest, rest, first_here, lane);
      if constexpr (again) {
        if (more.left != nullptr) append_several(tile.left, tile.num_left, left, first_here, lane);
      }
    }
    return edges;
  }

  /// The operator, of a lane's vertices without those of `found`.
  KOKKOS_FORCEINLINE_FUNCTION void tell_not_found(std::int64_t first_word, Vertex first, unsigned found,
                                                  int lane) const {
    for (int k = 0; k < per_warp; ++k) {
      const std::int64_t w = first_word + k;
      const Vertex u = first + static_cast<Vertex>(k * warp_width);
      if (w >= num_words || u >= rows.num_vertices()) continue;
      if (((done[w] >> lane | found >> k) & 1u) == 0) op.not_found(u);
    }
  }

  KOKKOS_FUNCTION unsigned long long look_at_rows(const Member& team, Tile& tile) const {
    const int lane = team.team_rank() % warp_width;
    const int group_lane = lane % find_group;
    const std::uint32_t group = ((1u << find_group) - 1u) << (lane - group_lane);
    unsigned long long edges = 0;
    const int step = team.team_size() / find_group;
    int i = team.team_rank() / find_group;
    Offset next_begin = 0, next_end = 0;
    if (i < tile.num_rest) {
      next_begin = rows.begin(tile.rest[i]);
      next_end = rows.end(tile.rest[i]);
    }
    for (; i < tile.num_rest; i += step) {
      const Vertex u = tile.rest[i];
      const Offset begin = next_begin;
      const Offset row_end = next_end;
      if (i + step < tile.num_rest) {  // where the next row lies is on its way while this one is looked at
        next_begin = rows.begin(tile.rest[i + step]);
        next_end = rows.end(tile.rest[i + step]);
      }
      const Offset end = dromos::min<Offset>(row_end, begin + find_group_edges);
      std::uint32_t hits = 0;
      Vertex v = no_vertex<Vertex>;
      for (Offset e = begin; e < end && hits == 0; e += find_group) {
        bool hit = false;
        if (e + group_lane < end) {
          v = neighbor_of(rows, u, e + group_lane);
          hit = op.holds(u, v);
        }
        hits = ballot(group, hit);
      }
      if (hits == 0) {
        if (group_lane == 0) {
          if (end < row_end) {
            tile.long_rows[Kokkos::atomic_fetch_add(&tile.num_long, 1)] = u;
          } else if constexpr (again) {
            edges += in_vain(row_end - begin);
            if (more.left != nullptr) tile.left[Kokkos::atomic_fetch_add(&tile.num_left, 1)] = u;
          }
        }
      } else if (lane == count_trailing_zeros(hits)) {
        edges += found_in_row(team, tile, u, v);
      }
    }
    return edges;
  }

  /// u found v in its row. Returns the edges that leave u.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long found_in_row(const Member& team, Tile& tile, Vertex u,
                                                              Vertex v) const {
    if constexpr (lists_found) tile.found_list[Kokkos::atomic_fetch_add(&tile.num_found, 1)] = u;
    if constexpr (listed) {
      set_after(u);
    } else {
      const int local = static_cast<int>(u - first_vertex - static_cast<Vertex>(team.league_rank()) * tile_size);
      Kokkos::atomic_fetch_or(&tile.found[local / warp_width], Word(1) << (local % warp_width));
    }
    return discover(u, v);
  }

  /// What look_at_rows() left of long rows, one after the other, four edges a thread at a time.
  KOKKOS_FUNCTION unsigned long long look_at_long_rows(const Member& team, Tile& tile) const {
    constexpr int batch = 4;
    unsigned long long edges = 0;
    for (int i = 0; i < tile.num_long; ++i) {
      const Vertex u = tile.long_rows[i];
      const Offset end = rows.end(u);
      Vertex hit = no_vertex<Vertex>;
      for (Offset e = rows.begin(u) + find_group_edges; e < end && hit == no_vertex<Vertex>;
           e += batch * team.team_size()) {
        Vertex v[batch];
        for (int k = 0; k < batch; ++k) {
          const Offset mine = e + k * team.team_size() + team.team_rank();
          v[k] = mine < end ? neighbor_of(rows, u, mine) : no_vertex<Vertex>;
        }
        for (int k = 0; k < batch; ++k) {
          if (v[k] != no_vertex<Vertex> && op.holds(u, v[k])) atomic_store(&tile.hit, v[k]);
        }
        team.team_barrier();
        hit = tile.hit;
        team.team_barrier();
      }
      if (team.team_rank() == 0) {
        if (hit == no_vertex<Vertex>) {
          edges += in_vain(end - rows.begin(u));
          if (again && more.left != nullptr) tile.left[tile.num_left++] = u;
        } else {
          edges += found_in_row(team, tile, u, hit);
          tile.hit = no_vertex<Vertex>;
        }
      }
      team.team_barrier();
    }
    return edges;
  }

  KOKKOS_FORCEINLINE_FUNCTION void set_after(Vertex u) const {
    Kokkos::atomic_fetch_or(&after[Bits::word_of(u)], Bits::mask(u));
  }

  KOKKOS_FUNCTION void finish(const Member& team, Tile& tile, unsigned long long edges) const {
    const int rank = team.team_rank();
    if constexpr (!listed) {
      const std::int64_t w = static_cast<std::int64_t>(team.league_rank()) * tile_words + rank;
      if (rank < tile_words && w < num_words) {
        const Word word = done[w] | tile.found[rank];
        after[w] = word;
        if (again && more.second_after != nullptr) more.second_after[w] = word;
        if (!lists_found && tile.found[rank] != 0)
          Kokkos::atomic_fetch_add(&tile.num_found, population_count(tile.found[rank]));
      }
    }
    edges = warp_sum(edges);
    if (rank % warp_width == 0 && edges != 0) atomic_fetch_add(&tile.edges, edges);
    team.team_barrier();
    if (rank == 0) {
      if constexpr (Sink::enabled) {
        if (tile.num_found != 0 || in_vain(static_cast<Offset>(tile.edges)) != 0) {
          const std::uint64_t begin =
              sink.reserve(static_cast<std::uint64_t>(tile.num_found), static_cast<std::uint64_t>(tile.edges));
          if constexpr (lists_found) tile.found_begin = begin;  // nobody waits for an answer that nobody uses
        }
      }
      if (again && tile.num_left != 0) {
        tile.left_begin = atomic_fetch_add(more.num_left, static_cast<std::uint64_t>(tile.num_left));
      }
    }
    team.team_barrier();
    if constexpr (again) {
      for (int i = rank; i < tile.num_left; i += team.team_size()) more.left[tile.left_begin + i] = tile.left[i];
    }
    if constexpr (lists_found) {
      for (int i = rank; i < tile.num_found; i += team.team_size()) {
        sink.write(sink.position(tile.found_begin) + i, 0, 1, [&](int) { return tile.found_list[i]; });
      }
    }
    if (listed && rank == 0 && more.publisher.teams_done != nullptr) more.publisher.team_done(team.league_size());
  }
};

/// Launches it.
template <class Kernel>
void launch_find_first(const char* label, const typename Kernel::Policy::execution_space& space, const Kernel& kernel,
                       std::int64_t size) {
  typename Kernel::Policy policy(space, static_cast<int>((size + Kernel::tile_size - 1) / Kernel::tile_size),
                                 find_team_size);
  policy.set_scratch_size(scratch_level<typename Kernel::Policy::execution_space>,
                          Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for(label, policy, kernel);
}

}  // namespace dromos::detail
