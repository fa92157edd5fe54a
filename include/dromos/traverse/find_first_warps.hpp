// SPDX-License-Identifier: BSD-3-Clause
// find_first() for machines whose threads come in warps. A team takes a tile of vertices and goes through it in three
// steps:
//
//   1. a thread a vertex tries the ends that are likely to hold, where the search knows some
//      (traverse/find_first_again.hpp); a vote of the warp makes the answer a word of the bitmap. Whom the likeliest
//      does not help is put together with others of the tile, so that the next is tried by warps without gaps, and a
//      short row as well
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
#include <dromos/traverse/sweep_ahead.hpp>
#include <type_traits>

namespace dromos::detail {

/// Does the operator have not_found(u), for each vertex that is not done and finds nothing at once in a sweep over
/// bitmaps, whether it could or not? With warps it may still find in its row. Only asked where op.tells_not_found is
/// true.
template <class Operator, class = void>
struct TellsNotFound : std::false_type {};
template <class Operator>
struct TellsNotFound<Operator, std::void_t<decltype(&Operator::not_found)>> : std::true_type {};

/// And tell(u, whether it found, what or no_vertex), which writes either at once? Then it is asked for not_found() and
/// found() where a vertex finds its likeliest end or does not.
template <class Operator, class = void>
struct TellsEither : std::false_type {};
template <class Operator>
struct TellsEither<Operator, std::void_t<decltype(&Operator::tell)>> : std::true_type {};

/// And go_on(words of the bitmap of those done), which makes it the operator of the next sweep? Then one launch may
/// make several, where a sweep may follow at all (traverse/sweep_ahead.hpp), and tells begin_several() before the
/// first.
template <class Operator, class = void>
struct GoesOn : std::false_type {};
template <class Operator>
struct GoesOn<Operator, std::void_t<decltype(&Operator::go_on)>> : std::true_type {};

inline constexpr int find_team_size = 256;
inline constexpr int find_group = 8;          // lanes that look at one row together: a sector of 32-bit ids
inline constexpr int find_group_edges = 256;  // of a row; more are the whole team's
inline constexpr int find_alone_edges = 16;   // a row of so few is looked at by the thread that tried its likely ends
/// Vertices that a team takes at a time: few of a list, which may be short. Of either up to four times as many, where
/// all teams have some, since most of a team waits for those of its vertices that take long.
inline constexpr int find_round(bool listed) { return listed ? find_team_size : 4 * find_team_size; }
inline constexpr int find_most_rounds = 4;

/// What a sweep knows of those before and leaves to those after it; nothing where there are none. Pointers, since a
/// Kokkos::View is three times as large and Kokkos launches kernels of up to 512 bytes faster.
template <class Vertex>
struct FindAgain {
  const Vertex* likely = nullptr;  ///< in columns of num_rows elements
  std::size_t num_rows = 0;
  Vertex* list = nullptr;       ///< of those that look, if listed
  Vertex* list_ends = nullptr;  ///< of each the likeliest end, which would else be read from anywhere
  std::int64_t list_size = 0;
  SweepAhead* ahead = nullptr;            ///< if set, it says how many the list holds, and decides about the next sweep
  std::uint64_t order = 0;                ///< of `ahead` when it begins
  bool catches_up = false;                ///< `after` lacks some of those done
  std::uint32_t* second_after = nullptr;  ///< unless listed; null: not wanted
  std::uint32_t* third_after = nullptr;   ///< likewise
  Vertex* left = nullptr;                 ///< null: not wanted
  Vertex* left_ends = nullptr;            ///< as list_ends, where `left` is wanted
  std::uint64_t* num_left = nullptr;
  bool counts_left = false;     ///< edges of those left, whose rows it has looked through, and not of those that found
  CountsPublisher publisher{};  ///< if listed and set; otherwise a kernel behind this one publishes
};

/// The likely ends of a vertex that a search knows.
inline constexpr int num_likely_ends = 2;

/// The last of them, where there are no other neighbors: written as another number, below no_vertex. And back.
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION Vertex end_of_row(Vertex v) {
  return no_vertex<Vertex> - 1 - v;
}
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION bool ends_row(Vertex end) {
  return end < no_vertex<Vertex>;
}
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION Vertex other_end(Vertex end) {
  return ends_row(end) ? end_of_row(end) : end;
}

template <class Value>
KOKKOS_FORCEINLINE_FUNCTION void swap_values(Value& a, Value& b) {
  const Value other = a;
  a = b;
  b = other;
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
  /// How many teams a multiprocessor is to have at a time, which bounds their registers. What threads do is wait; but
  /// those that wait for several answers at once, of likely ends, need registers for them.
  static constexpr int teams_of_multiprocessor =
      listed ? (sizeof(Vertex) == 4 ? 4 : 3) : (again || sizeof(Vertex) > 4 ? 6 : 8);
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<find_team_size, teams_of_multiprocessor>>;
  using Member = typename Policy::member_type;
  static constexpr int round_size = find_round(listed);
  static constexpr int most_rounds = find_most_rounds;
  static constexpr int tile_size = most_rounds * round_size;  // at most
  static constexpr int round_words = round_size / warp_width;
  static constexpr int num_warps = find_team_size / warp_width;
  static constexpr int per_warp = round_words / num_warps;
  static constexpr bool lists_found = Sink::lists;
  static constexpr bool goes_through_list = listed;
  static_assert(!listed || again, "who looks through a list leaves one");

  Rows rows;
  Sink sink;
  Operator op;
  const Word* could;
  Word* done;  ///< only read, unless another sweep follows in the same launch
  Word* after;
  std::int64_t num_words;
  Vertex first_vertex;  ///< of the first bit
  FindAgain<Vertex> more;
  int rounds = 1;  ///< of a team, unless listed

  /// A vertex of a tile: its place there, unless it comes from a list.
  using Item = std::conditional_t<listed, Vertex, std::uint16_t>;
  static_assert(listed || tile_size <= 1 << 16);

  struct Tile {
    unsigned long long edges[num_warps];
    std::uint64_t left_begin;
    std::uint64_t found_begin;
    int num_found;
    int num_open;
    int num_rest;
    int num_left;
    Vertex hit;                // an end that holds of the vertex that the team looks at
    std::int64_t num_looking;  // in the next sweep of this launch
    AfterSweep next;
    Word found[tile_size / warp_width];            // bits, unless listed
    Item found_list[lists_found ? tile_size : 1];  // if they are listed
    /// Those for whom another likely end is tried, and when that is done, those whose rows are too long for 8 lanes.
    Item open[tile_size];
    Item rest[tile_size];  // those whose rows are looked at
    Item left[again ? tile_size : 1];
  };
  enum class Outcome { nothing, found, rest, left };

  static std::size_t scratch_bytes() { return sizeof(Tile) + 32; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    Tile& tile = *team_array<Tile>(team, 1);
    if constexpr (listed) {
      const std::int64_t size = more.ahead != nullptr ? more.ahead->num_looking : more.list_size;
      if (size == 0) return;
      if (more.catches_up) catch_up(team);
      if constexpr (GoesOn<Operator>::value && lists_found) {
        if (more.ahead != nullptr && more.ahead->few_look && size <= std::int64_t(team.league_size()) * tile_size) {
          if (team.league_rank() == 0 && team.team_rank() == 0) more.ahead->made_several = true;
          FindFirstWarps several(*this);
          several.op.begin_several();
          several.look_again(team, tile, size);
          return;
        }
      }
      const std::int64_t rounds_of_team = size / (std::int64_t(round_size) * team.league_size());
      const int tile_here = round_size * static_cast<int>(dromos::max<std::int64_t>(
                                             1, dromos::min<std::int64_t>(rounds_of_team, most_rounds)));
      for (std::int64_t first = std::int64_t(team.league_rank()) * tile_here; first < size;
           first += std::int64_t(team.league_size()) * tile_here) {
        look(team, tile, first, dromos::min<std::int64_t>(size, first + tile_here));
        team.team_barrier();
      }
      if (team.team_rank() == 0 && more.publisher.teams_done != nullptr &&
          more.publisher.last_team_done(team.league_size())) {
        if (more.ahead != nullptr) more.ahead->decide(more.publisher.publish.device);
        more.publisher.publish(0);
      }
    } else {
      look(team, tile, 0, 0);
    }
  }

 protected:
  /// What is done and `after` lacks joins it.
  KOKKOS_FUNCTION void catch_up(const Member& team) const {
    constexpr int batch = 8;  // words that a thread asks for before it looks at the first
    const std::int64_t step = std::int64_t(team.league_size()) * team.team_size();
    for (std::int64_t first = std::int64_t(team.league_rank()) * team.team_size() + team.team_rank(); first < num_words;
         first += batch * step) {
      Word lacking[batch];
      for (int k = 0; k < batch; ++k) {
        const std::int64_t w = first + k * step;
        lacking[k] = w < num_words ? done[w] & ~after[w] : 0;
      }
      for (int k = 0; k < batch; ++k) {
        if (lacking[k] != 0) Kokkos::atomic_fetch_or(&after[first + k * step], lacking[k]);
      }
    }
  }

  /// Several sweeps of few vertices, a tile a team. Whoever has none helped to catch up, and leaves.
  KOKKOS_FUNCTION void look_again(const Member& team, Tile& tile, std::int64_t size) {
    const int tile_here = size <= std::int64_t(team.league_size()) * round_size ? round_size : tile_size;
    const auto num_teams = static_cast<int>((size + tile_here - 1) / tile_here);
    const std::int64_t first = std::int64_t(team.league_rank()) * tile_here;
    for (int sweep = 0;; ++sweep) {
      if (first < size) {
        look(team, tile, first, dromos::min<std::int64_t>(size, first + tile_here));
      } else if (team.team_rank() == 0) {
        tile.num_found = 0;
      }
      team.team_barrier();
      if (team.team_rank() == 0) {
        tile.next = more.ahead->end_sweep(more.publisher, more.order, sweep,
                                          sweep == 0 ? team.league_size() : num_teams, team.league_rank() < num_teams);
        tile.num_looking = more.ahead->num_looking;
      }
      team.team_barrier();
      if (tile.next == AfterSweep::tell_host && team.team_rank() < warp_width) {
        tell_of_sweeps(more.publisher.publish, team.team_rank());
      }
      if (tile.next != AfterSweep::go_on) return;
      // The bitmap that was asked is the next one's to add to, and lacks what was found here.
      for (int i = team.team_rank(); i < tile.num_found; i += team.team_size()) {
        const auto u = static_cast<Vertex>(tile.found_list[i]);
        Kokkos::atomic_fetch_or(&done[Bits::word_of(u)], Bits::mask(u));
      }
      size = tile.num_looking;
      swap_values(done, after);
      swap_values(more.list, more.left);
      swap_values(more.list_ends, more.left_ends);
      op.go_on(done);
      team.team_barrier();
    }
  }

  /// A tile; if listed, numbers first .. last - 1 of the list.
  KOKKOS_FORCEINLINE_FUNCTION void look(const Member& team, Tile& tile, [[maybe_unused]] std::int64_t first,
                                        [[maybe_unused]] std::int64_t last) const {
    if (team.team_rank() == 0) {
      tile.num_found = tile.num_open = tile.num_rest = tile.num_left = 0;
      tile.hit = no_vertex<Vertex>;
    }
    team.team_barrier();
    unsigned long long edges = 0;
    if constexpr (listed) {
      edges += try_ends_of_list(team, tile, first, last);
    } else {
      for (int round = 0; round < rounds; ++round) edges += try_first_ends(team, tile, round);
    }
    if constexpr (again) {
      team.team_barrier();
      edges += try_other_ends(team, tile);
      team.team_barrier();
      if (team.team_rank() == 0) tile.num_open = 0;
    }
    team.team_barrier();
    edges += look_at_rows(team, tile);
    team.team_barrier();
    edges += look_at_long_rows(team, tile);
    team.team_barrier();
    finish(team, tile, edges);
  }

  /// The first word of the bitmaps that is this team's, and from vertex to item and back.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first_word(const Member& team) const {
    return static_cast<std::int64_t>(team.league_rank()) * (rounds * round_words);
  }
  KOKKOS_FORCEINLINE_FUNCTION Item item(const Member& team, Vertex u) const {
    return listed ? static_cast<Item>(u)
                  : static_cast<Item>(u - first_vertex - static_cast<Vertex>(first_word(team) * warp_width));
  }
  KOKKOS_FORCEINLINE_FUNCTION Vertex vertex(const Member& team, Item item) const {
    return listed ? static_cast<Vertex>(item)
                  : first_vertex + static_cast<Vertex>(first_word(team) * warp_width) + static_cast<Vertex>(item);
  }

  KOKKOS_FORCEINLINE_FUNCTION Vertex likely_end(Vertex u, int k) const { return more.likely[k * more.num_rows + u]; }

  /// Returns the edges that leave u.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long discover(Vertex u, Vertex v) const {
    op.found(u, v);
    return edges_of(u);
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long edges_of(Vertex u) const {
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
  KOKKOS_FORCEINLINE_FUNCTION void append(Item* array, int& size, bool mine, Item v, int lane) const {
    const std::uint32_t votes = ballot(whole_warp, mine);
    if (votes == 0) return;
    int begin = 0;
    if (lane == 0) begin = Kokkos::atomic_fetch_add(&size, population_count(votes));
    begin = warp_broadcast(begin, 0);
    if (mine) array[begin + votes_before(votes, lane)] = v;
  }

  /// Does another likely end of u than the likeliest hold? Then v is that. Adds the edges that are counted.
  KOKKOS_FORCEINLINE_FUNCTION Outcome try_ends(Vertex u, Vertex& v, unsigned long long& edges) const {
    for (int k = 1; k < num_likely_ends; ++k) {
      const Vertex end = likely_end(u, k);
      v = other_end(end);
      if (op.holds(u, v)) return Outcome::found;
      if (ends_row(end)) {
        edges += in_vain(k + 1);
        return Outcome::left;
      }
    }
    return Outcome::rest;
  }

  /// Does the row of u, if it is short, have an end that holds? Then v is that. One thread alone, since eight that look
  /// at one short row wait as long as one does, and then for the others of their warp.
  KOKKOS_FORCEINLINE_FUNCTION Outcome look_alone(Vertex u, Vertex& v, unsigned long long& edges) const {
    constexpr int batch = 4;
    const Offset begin = rows.begin(u);
    const Offset end = rows.end(u);
    if (end - begin > find_alone_edges) return Outcome::rest;
    for (Offset e = begin; e < end; e += batch) {
      Vertex ends[batch];
      bool hit[batch];
      for (int k = 0; k < batch; ++k) ends[k] = e + k < end ? neighbor_of(rows, u, e + k) : no_vertex<Vertex>;
      for (int k = 0; k < batch; ++k) hit[k] = ends[k] != no_vertex<Vertex> && op.holds(u, ends[k]);
      for (int k = 0; k < batch; ++k) {
        if (!hit[k]) continue;
        v = ends[k];
        return Outcome::found;
      }
    }
    edges += in_vain(end - begin);
    return Outcome::left;
  }

  /// Appends item `first` + k * warp_width for each bit k of a lane's; a collective of the warp.
  KOKKOS_FORCEINLINE_FUNCTION void append_several(Item* array, int& size, unsigned bits, int first, int lane) const {
    std::uint32_t votes[per_warp];
    int all = 0;
    for (int k = 0; k < per_warp; ++k) {
      votes[k] = ballot(whole_warp, (bits >> k & 1u) != 0);
      all += population_count(votes[k]);
    }
    if (all == 0) return;
    int begin = 0;
    if (lane == 0) begin = Kokkos::atomic_fetch_add(&size, all);
    begin = warp_broadcast(begin, 0);
    for (int k = 0; k < per_warp; ++k) {
      if (bits >> k & 1u) array[begin + votes_before(votes[k], lane)] = static_cast<Item>(first + k * warp_width);
      begin += population_count(votes[k]);
    }
  }

  /// The likeliest ends of a lane's vertices, `first` + k * warp_width for each bit k of `rest`: each step for all of
  /// them, so that nobody waits for one answer before he asks for the next. Returns the edges that are counted; those
  /// that found, and those without (other) edges, leave `rest`.
  ///
  /// \param undone  of those who are told either way
  /// \param left    have no other edges
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long try_first(Vertex first, [[maybe_unused]] unsigned undone,
                                                           unsigned& rest, unsigned& found, unsigned& left) const {
    Vertex end[per_warp];
    for (int k = 0; k < per_warp; ++k) {
      end[k] = no_vertex<Vertex>;
      if (rest >> k & 1u) end[k] = likely_end(first + static_cast<Vertex>(k * warp_width), 0);
    }
    rest = 0;
    for (int k = 0; k < per_warp; ++k) {
      if (end[k] == no_vertex<Vertex>) continue;
      const bool last = ends_row(end[k]);
      end[k] = other_end(end[k]);
      const bool hit = op.holds(first + static_cast<Vertex>(k * warp_width), end[k]);
      found |= static_cast<unsigned>(hit) << k;
      left |= static_cast<unsigned>(!hit && last) << k;
      rest |= static_cast<unsigned>(!hit && !last) << k;
    }
    unsigned long long edges = in_vain(population_count(left));
    for (int k = 0; k < per_warp; ++k) {
      const Vertex u = first + static_cast<Vertex>(k * warp_width);
      const bool hit = (found >> k & 1u) != 0;
      if constexpr (TellsEither<Operator>::value) {
        if ((undone >> k & 1u) != 0) op.tell(u, hit, hit ? end[k] : no_vertex<Vertex>);
        if (!hit) continue;
        if (!op.tells_not_found) op.found(u, end[k]);
        edges += edges_of(u);
      } else if (hit) {
        edges += discover(u, end[k]);
      }
    }
    return edges;
  }

  /// A warp goes through its words first and sorts their vertices into arrays at the end, since that costs as much as
  /// the tries of a word.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long try_first_ends(const Member& team, Tile& tile, int round) const {
    static_assert(round_words % num_warps == 0);
    const int lane = team.team_rank() % warp_width;
    const int word_of_tile = round * round_words + team.team_rank() / warp_width * per_warp;
    const std::int64_t first_word_here = first_word(team) + word_of_tile;
    const Vertex first_here = first_vertex + static_cast<Vertex>(first_word_here * warp_width + lane);
    unsigned long long edges = 0;
    // Of this lane's vertices, one in each word: who found, who is to look on and who is left, who is told either way.
    unsigned found = 0, rest = 0, left = 0, undone = 0;
    for (int k = 0; k < per_warp; ++k) {
      const std::int64_t w = first_word_here + k;
      const Word open = w < num_words ? ~done[w] : 0;
      rest |= (open != 0 && (open & could[w]) >> lane & 1u) << k;
      if constexpr (TellsNotFound<Operator>::value) {
        const Vertex u = first_here + static_cast<Vertex>(k * warp_width);
        undone |= static_cast<unsigned>(op.tells_not_found && (open >> lane & 1u) != 0 && u < rows.num_vertices()) << k;
      }
    }
    if constexpr (again) {
      edges += try_first(first_here, undone, rest, found, left);
    }
    if constexpr (TellsNotFound<Operator>::value && !(again && TellsEither<Operator>::value)) {
      for (int k = 0; k < per_warp; ++k) {
        if ((undone & ~found) >> k & 1u) op.not_found(first_here + static_cast<Vertex>(k * warp_width));
      }
    }
    for (int k = 0; k < per_warp; ++k) {
      const std::uint32_t votes = ballot(whole_warp, (found >> k & 1u) != 0);
      if (lane == 0) tile.found[word_of_tile + k] = votes;
    }
    const int first_item = word_of_tile * warp_width + lane;
    if constexpr (lists_found) append_several(tile.found_list, tile.num_found, found, first_item, lane);
    append_several(again ? tile.open : tile.rest, again ? tile.num_open : tile.num_rest, rest, first_item, lane);
    if constexpr (again) {
      if (more.left != nullptr) append_several(tile.left, tile.num_left, left, first_item, lane);
    }
    return edges;
  }

  /// Of those that the likeliest did not help, a thread each, since they are few.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long try_other_ends(const Member& team, Tile& tile) const {
    const int lane = team.team_rank() % warp_width;
    unsigned long long edges = 0;
    for (int first = team.team_rank() - lane; first < tile.num_open; first += team.team_size()) {
      Vertex u = no_vertex<Vertex>, v = no_vertex<Vertex>;
      Outcome outcome = Outcome::nothing;
      if (first + lane < tile.num_open) {
        u = vertex(team, tile.open[first + lane]);
        outcome = try_ends(u, v, edges);
        if (outcome == Outcome::rest) outcome = look_alone(u, v, edges);
      }
      if (outcome == Outcome::found) edges += found_in_row(team, tile, u, v);
      append(tile.rest, tile.num_rest, outcome == Outcome::rest, item(team, u), lane);
      if (more.left != nullptr) append(tile.left, tile.num_left, outcome == Outcome::left, item(team, u), lane);
    }
    return edges;
  }

  /// The likeliest ends of numbers first .. last - 1 of the list, one of each round a thread: as try_first().
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long try_ends_of_list(const Member& team, Tile& tile, std::int64_t first,
                                                                  std::int64_t last) const {
    const int lane = team.team_rank() % warp_width;
    Vertex looking[most_rounds], end[most_rounds];
    for (int k = 0; k < most_rounds; ++k) {
      const std::int64_t i = first + k * round_size + team.team_rank();
      looking[k] = end[k] = no_vertex<Vertex>;
      if (i >= last) continue;
      looking[k] = more.list[i];
      end[k] = more.list_ends[i];
    }
    unsigned undone = 0, found = 0;
    for (int k = 0; k < most_rounds; ++k) {
      const Vertex u = looking[k];
      if (u == no_vertex<Vertex>) continue;
      undone |= static_cast<unsigned>((done[Bits::word_of(u)] & Bits::mask(u)) == 0) << k;
    }
    for (int k = 0; k < most_rounds; ++k) {
      if ((undone >> k & 1u) == 0) continue;
      found |= static_cast<unsigned>(op.holds(looking[k], other_end(end[k]))) << k;
    }
    unsigned long long edges = 0;
    for (int k = 0; k < most_rounds; ++k) {
      if (first + k * round_size >= last) break;
      const Vertex u = looking[k];
      Outcome outcome = Outcome::nothing;
      if (found >> k & 1u) {
        outcome = Outcome::found;
        set_after(u);
        edges += discover(u, other_end(end[k]));
      } else if (undone >> k & 1u) {
        outcome = ends_row(end[k]) ? Outcome::left : Outcome::rest;
        if (outcome == Outcome::left) edges += in_vain(1);
      }
      if constexpr (lists_found) {
        append(tile.found_list, tile.num_found, outcome == Outcome::found, item(team, u), lane);
      }
      append(tile.open, tile.num_open, outcome == Outcome::rest, item(team, u), lane);
      if (more.left != nullptr) append(tile.left, tile.num_left, outcome == Outcome::left, item(team, u), lane);
    }
    return edges;
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
      next_begin = rows.begin(vertex(team, tile.rest[i]));
      next_end = rows.end(vertex(team, tile.rest[i]));
    }
    for (; i < tile.num_rest; i += step) {
      const Vertex u = vertex(team, tile.rest[i]);
      const Offset begin = next_begin;
      const Offset row_end = next_end;
      if (i + step < tile.num_rest) {  // where the next row lies is on its way while this one is looked at
        next_begin = rows.begin(vertex(team, tile.rest[i + step]));
        next_end = rows.end(vertex(team, tile.rest[i + step]));
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
            tile.open[Kokkos::atomic_fetch_add(&tile.num_open, 1)] = item(team, u);
          } else if constexpr (again) {
            edges += in_vain(row_end - begin);
            if (more.left != nullptr) tile.left[Kokkos::atomic_fetch_add(&tile.num_left, 1)] = item(team, u);
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
    if constexpr (lists_found) tile.found_list[Kokkos::atomic_fetch_add(&tile.num_found, 1)] = item(team, u);
    if constexpr (listed) {
      set_after(u);
    } else {
      const int local = item(team, u);
      Kokkos::atomic_fetch_or(&tile.found[local / warp_width], Word(1) << (local % warp_width));
    }
    return discover(u, v);
  }

  /// What look_at_rows() left of long rows, one after the other, four edges a thread at a time.
  KOKKOS_FUNCTION unsigned long long look_at_long_rows(const Member& team, Tile& tile) const {
    constexpr int batch = 4;
    unsigned long long edges = 0;
    for (int i = 0; i < tile.num_open; ++i) {
      const Vertex u = vertex(team, tile.open[i]);
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
          if (again && more.left != nullptr) tile.left[tile.num_left++] = item(team, u);
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
      static_assert(tile_size / warp_width <= find_team_size);
      const std::int64_t w = first_word(team) + rank;
      if (rank < rounds * round_words && w < num_words) {
        const Word word = done[w] | tile.found[rank];
        after[w] = word;
        if (again && more.second_after != nullptr) more.second_after[w] = word;
        if (again && more.third_after != nullptr) more.third_after[w] = word;
        if (!lists_found && tile.found[rank] != 0)
          Kokkos::atomic_fetch_add(&tile.num_found, population_count(tile.found[rank]));
      }
    }
    edges = warp_sum(edges);
    if (rank % warp_width == 0) tile.edges[rank / warp_width] = edges;
    team.team_barrier();
    if (rank == 0) {
      if constexpr (Sink::enabled) {
        unsigned long long all = 0;
        for (int warp = 0; warp < num_warps; ++warp) all += tile.edges[warp];
        if (tile.num_found != 0 || in_vain(static_cast<Offset>(all)) != 0) {
          const std::uint64_t begin =
              sink.reserve(static_cast<std::uint64_t>(tile.num_found), static_cast<std::uint64_t>(all));
          if constexpr (lists_found) tile.found_begin = begin;  // nobody waits for an answer that nobody uses
        }
      }
      if (again && tile.num_left != 0) {
        tile.left_begin = atomic_fetch_add(more.num_left, static_cast<std::uint64_t>(tile.num_left));
      }
    }
    team.team_barrier();
    if constexpr (again) {
      constexpr int batch = 4;
      for (int first = rank; first < tile.num_left; first += batch * team.team_size()) {
        Vertex u[batch], end[batch];
        for (int k = 0; k < batch; ++k) {
          const int i = first + k * team.team_size();
          u[k] = i < tile.num_left ? vertex(team, tile.left[i]) : no_vertex<Vertex>;
        }
        for (int k = 0; k < batch; ++k) end[k] = u[k] != no_vertex<Vertex> ? likely_end(u[k], 0) : no_vertex<Vertex>;
        for (int k = 0; k < batch; ++k) {
          if (u[k] == no_vertex<Vertex>) break;
          const std::uint64_t to = tile.left_begin + first + k * team.team_size();
          more.left[to] = u[k];
          more.left_ends[to] = end[k];
        }
      }
    }
    if constexpr (lists_found) {
      for (int i = rank; i < tile.num_found; i += team.team_size()) {
        sink.write(sink.position(tile.found_begin) + i, 0, 1, [&](int) { return vertex(team, tile.found_list[i]); });
      }
    }
  }
};

/// Launches it.
///
/// \param size  of the list or of the bitmaps; of a list that grows until the kernel runs, at most
template <class Kernel>
void launch_find_first(const char* label, const typename Kernel::Policy::execution_space& space, Kernel kernel,
                       std::int64_t size) {
  // As many as there are at the same time.
  const std::int64_t all_teams = std::int64_t(num_multiprocessors(space)) * Kernel::teams_of_multiprocessor;
  if constexpr (!Kernel::goes_through_list) {
    kernel.rounds = Kernel::most_rounds;
    while (kernel.rounds > 1 && 10 * size < 9 * all_teams * kernel.rounds * Kernel::round_size) kernel.rounds /= 2;
  }
  const std::int64_t tile = kernel.rounds * Kernel::round_size;
  std::int64_t num_teams = (size + tile - 1) / tile;
  if constexpr (Kernel::goes_through_list) num_teams = dromos::min(num_teams, all_teams);
  typename Kernel::Policy policy(space, static_cast<int>(num_teams), find_team_size);
  policy.set_scratch_size(scratch_level<typename Kernel::Policy::execution_space>,
                          Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for(label, as_argument<typename Kernel::Policy::execution_space>(policy), kernel);
}

}  // namespace dromos::detail
