// SPDX-License-Identifier: BSD-3-Clause
// What sweeps have marked becomes the next frontier of a search separated by degree, on machines with warps: in one
// pass over the words of two bitmaps, of normal vertices and of delegates, as they are and as they were before the
// level. The vertices of a word lie side by side, and so do their degrees and levels.
//
//   before 0011, now 1011 (vertex 0 on the right): vertex 3 is new; where it has edges to normal vertices it goes to
//   the one list, where it has edges to delegates to the other, and their numbers are added up
//
// A vertex without edges of a kind is not in the list of that kind. So a sweep over a part of the edges is given only
// vertices that have some in that part.
//
// Most levels find few: then the pass is done when the words have been read. There are as many teams as run at once,
// since all of them count themselves at one place when they are done; each goes through tiles of words, and leaves one
// without new vertices after one barrier. Tiles are as small as leave every team one.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/distributed/by_degree/part_work.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>

namespace dromos::detail {

/// Normal vertices or delegates. Pointers, for the sake of GPUs.
template <class Memory>
struct MarkedVertices {
  using Word = typename Bitmap<Memory>::Word;

  const Word* now = nullptr;
  Word* before = nullptr;  ///< in and out: as `now` afterwards
  std::int64_t num_words = 0;
  PairOfDegrees<Memory> degrees{};
  Level* level = nullptr;
  LocalVertex* with_normal = nullptr;    ///< out: those with edges to normal vertices
  LocalVertex* with_delegate = nullptr;  ///< out: those with edges to delegates
  std::uint64_t* counts = nullptr;       ///< num_found_counts, zero at first
};

template <class Space, class Memory>
struct TakeFound {
  static constexpr int team_size = 256;
  static constexpr int teams_of_multiprocessor = 6;
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<team_size, teams_of_multiprocessor>>;
  using Vertices = MarkedVertices<Memory>;
  using Word = typename Vertices::Word;
  static constexpr int num_warps = team_size / warp_width;
  static constexpr int batch = 8;  // words whose vertices are asked for their degrees at a time
  static constexpr int most_words_of_warp = warp_width;

  Vertices normal, delegates;
  int words_of_warp;  ///< of a tile; a multiple of batch
  int normal_tiles;   ///< the first ones; the others have delegates
  int num_tiles;
  Level next_level;
  CountsPublisher publisher;

  struct Scratch {
    std::int64_t totals[num_warps];
    std::uint64_t begin[2];
    unsigned long long found, to_normal, to_delegate;
    int some_in[2];  ///< the last tile with new vertices, of those of even and of odd turns
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }
  /// So many words of a warp give each of so many teams a tile, or take at least one turn.
  static int choose_words_of_warp(std::int64_t num_words, int num_teams) {
    const std::int64_t wanted = num_words / (num_warps * num_teams) / batch * batch;
    return static_cast<int>(dromos::max<std::int64_t>(batch, dromos::min<std::int64_t>(wanted, most_words_of_warp)));
  }
  static int tiles_of(const Vertices& vertices, int words_of_warp) {
    const std::int64_t words_of_tile = num_warps * words_of_warp;
    return static_cast<int>((vertices.num_words + words_of_tile - 1) / words_of_tile);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Scratch& scratch = *team_array<Scratch>(team, 1);
    if (team.team_rank() == 0) scratch.some_in[0] = scratch.some_in[1] = -1;
    team.team_barrier();
    int turn = 0;
    for (int tile = team.league_rank(); tile < num_tiles; tile += team.league_size(), turn ^= 1) {
      if (tile < normal_tiles) {
        take(team, scratch, normal, tile, tile, turn);
      } else {
        take(team, scratch, delegates, tile - normal_tiles, tile, turn);
      }
    }
    if (team.team_rank() == 0) publisher.team_done(team.league_size());
  }

 private:
  /// What a lane has found out about its vertices, one in each word.
  struct Found {
    unsigned has_normal = 0, has_delegate = 0;  // a bit for each word
    unsigned long long count = 0, to_normal = 0, to_delegate = 0;
  };

  /// \param number  of the tile among those of `vertices`
  /// \param turn    even or odd: what a team left behind in a turn lies there until all have come to the next one
  KOKKOS_FORCEINLINE_FUNCTION void take(const typename Policy::member_type& team, Scratch& scratch,
                                        const Vertices& vertices, int number, int tile, int turn) const {
    const int rank = team.team_rank();
    const int lane = rank % warp_width;
    const std::int64_t first_word = (static_cast<std::int64_t>(number) * num_warps + rank / warp_width) * words_of_warp;
    Word fresh = 0;  // of word `lane`
    if (lane < words_of_warp && first_word + lane < vertices.num_words) {
      const Word now = vertices.now[first_word + lane];
      fresh = now & ~vertices.before[first_word + lane];
      if (fresh != 0) vertices.before[first_word + lane] = now;
    }
    const std::uint32_t words = ballot(whole_warp, fresh != 0);
    if (rank == 0) scratch.found = scratch.to_normal = scratch.to_delegate = 0;
    if (words != 0 && lane == 0) scratch.some_in[turn] = tile;
    team.team_barrier();
    if (scratch.some_in[turn] != tile) return;
    Found found;
    for (int k = 0; k < words_of_warp; k += batch) {
      if ((words >> k & ((1u << batch) - 1u)) != 0) look_at(vertices, first_word, lane, k, fresh, found);
    }
    if (words != 0) {
      const unsigned long long count = warp_sum(found.count);
      const unsigned long long to_normal = warp_sum(found.to_normal);
      const unsigned long long to_delegate = warp_sum(found.to_delegate);
      if (lane == 0) {
        atomic_fetch_add(&scratch.found, count);
        atomic_fetch_add(&scratch.to_normal, to_normal);
        atomic_fetch_add(&scratch.to_delegate, to_delegate);
      }
    }
    std::int64_t all = 0;  // both lists in one sum: a team has few vertices
    const auto mine = static_cast<std::int64_t>(population_count(found.has_normal)) |
                      static_cast<std::int64_t>(population_count(found.has_delegate)) << 32;
    const auto place =
        static_cast<std::int64_t>(warp_broadcast(team_sum_before(team, mine, scratch.totals, all), 0));  // the warp's
    if (rank == 0 && scratch.found != 0) {
      atomic_fetch_add(&vertices.counts[count_found], static_cast<std::uint64_t>(scratch.found));
      scratch.begin[0] = reserve(vertices.counts[work_to_normal], scratch.to_normal);
      scratch.begin[1] = reserve(vertices.counts[work_to_delegate], scratch.to_delegate);
    }
    if (all == 0) return;
    team.team_barrier();
    list(words, found.has_normal, vertices.with_normal + scratch.begin[0] + (place & 0xffffffff), first_word, lane);
    list(words, found.has_delegate, vertices.with_delegate + scratch.begin[1] + (place >> 32), first_word, lane);
  }

  /// The vertices of words k .. k + batch - 1; nobody waits for one answer before he asks for the next.
  KOKKOS_FORCEINLINE_FUNCTION void look_at(const Vertices& vertices, std::int64_t first_word, int lane, int k,
                                           Word fresh, Found& found) const {
    typename PairOfDegrees<Memory>::Degrees degrees[batch] = {};
    unsigned bits = 0;
    for (int i = 0; i < batch; ++i) {
      const unsigned mine = warp_broadcast(fresh, k + i) >> lane & 1u;
      if (mine != 0) degrees[i] = vertices.degrees((first_word + k + i) * warp_width + lane);
      bits |= mine << i;
    }
    for (int i = 0; i < batch; ++i) {
      if (bits >> i & 1u) vertices.level[(first_word + k + i) * warp_width + lane] = next_level;
      found.has_normal |= static_cast<unsigned>(degrees[i].to_normal != 0) << (k + i);
      found.has_delegate |= static_cast<unsigned>(degrees[i].to_delegate != 0) << (k + i);
      found.to_normal += PartWork::pack(degrees[i].to_normal);
      found.to_delegate += PartWork::pack(degrees[i].to_delegate);
    }
    found.count += static_cast<unsigned long long>(population_count(bits));
  }

  /// Where the list goes on: behind the vertices of the work that is there already.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t reserve(std::uint64_t& total, unsigned long long work) {
    if (work == 0) return 0;
    return atomic_fetch_add(&total, static_cast<std::uint64_t>(work)) >> PartWork::edge_bits;
  }
  /// Word by word, so that lanes write side by side. A collective of the warp.
  /// \param words  of the warp, those with vertices; `bits` of this lane says in which of them it has one
  KOKKOS_FORCEINLINE_FUNCTION static void list(std::uint32_t words, unsigned bits, LocalVertex* to,
                                               std::int64_t first_word, int lane) {
    for (; words != 0; words &= words - 1) {
      const int k = count_trailing_zeros(words);
      const bool mine = (bits >> k & 1u) != 0;
      const std::uint32_t votes = ballot(whole_warp, mine);
      if (mine) to[votes_before(votes, lane)] = static_cast<LocalVertex>((first_word + k) * warp_width + lane);
      to += population_count(votes);
    }
  }
};

/// The pass, and the counts to the host. Waits.
///
/// \param delegates  without words where none was found
template <class Space, class Memory>
void take_found(const Space& space, const MarkedVertices<Memory>& normal, const MarkedVertices<Memory>& delegates,
                Level next_level, DeviceCounts<Memory>& counts) {
  using Kernel = TakeFound<Space, Memory>;
  const int most_teams = Kernel::teams_of_multiprocessor * num_multiprocessors(space);
  const int words_of_warp = Kernel::choose_words_of_warp(normal.num_words + delegates.num_words, most_teams);
  const int normal_tiles = Kernel::tiles_of(normal, words_of_warp);
  const int num_tiles = normal_tiles + Kernel::tiles_of(delegates, words_of_warp);
  if (num_tiles == 0) return counts.read(space);
  const CountsPublisher publisher = counts.publisher();
  typename Kernel::Policy policy(space, dromos::min(num_tiles, most_teams), Kernel::team_size);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for("dromos::bfs_delegate::take_found", policy,
                       Kernel{normal, delegates, words_of_warp, normal_tiles, num_tiles, next_level, publisher});
  counts.read(space, publisher);
}

}  // namespace dromos::detail
