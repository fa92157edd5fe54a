// SPDX-License-Identifier: BSD-3-Clause
// What sweeps have marked becomes the next frontier of a search separated by degree, on machines with warps: in one
// pass over the words of a bitmap as it is and as it was before the level. The vertices of a word lie side by side, and
// so do their degrees and levels.
//
//   before 0011, now 1011 (vertex 0 on the right): vertex 3 is new; where it has edges to normal vertices it goes to
//   the one list, where it has edges to delegates to the other, and their numbers are added up
//
// A vertex without edges of a kind is not in the list of that kind. So a sweep over a part of the edges is given only
// vertices that have some in that part.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/distributed/by_degree/part_work.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>

namespace dromos::detail {

/// What the pass tells of one kind of vertices: their number, and both kinds of work, packed (PartWork).
enum FoundCount { count_found, work_to_normal, work_to_delegate, num_found_counts };

/// Normal vertices or delegates. Pointers, for the sake of GPUs.
template <class ToNormal, class Memory>
struct MarkedVertices {
  using Word = typename Bitmap<Memory>::Word;

  const Word* now;
  Word* before;  ///< in and out: as `now` afterwards
  std::int64_t num_words;
  SubgraphView<ToNormal, Memory> to_normal;
  SubgraphView<LocalVertex, Memory> to_delegate;
  Level* level;
  LocalVertex* with_normal;    ///< out: those with edges to normal vertices
  LocalVertex* with_delegate;  ///< out: those with edges to delegates
  std::uint64_t* counts;       ///< num_found_counts, zero at first
};

template <class Space, class ToNormal, class Memory>
struct TakeFound {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Vertices = MarkedVertices<ToNormal, Memory>;
  using Word = typename Vertices::Word;
  static constexpr int team_size = 256;
  static constexpr int num_warps = team_size / warp_width;
  static constexpr int words_of_warp = 16;
  static constexpr int words_of_team = num_warps * words_of_warp;

  Vertices vertices;
  Level next_level;

  struct Scratch {
    std::int64_t totals[num_warps];
    std::uint64_t begin[2];
    unsigned long long found, to_normal, to_delegate;
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Scratch& scratch = *team_array<Scratch>(team, 1);
    const int rank = team.team_rank();
    const int lane = rank % warp_width;
    const std::int64_t first_word =
        (static_cast<std::int64_t>(team.league_rank()) * num_warps + rank / warp_width) * words_of_warp;
    if (rank == 0) scratch.found = scratch.to_normal = scratch.to_delegate = 0;
    team.team_barrier();
    Word fresh = 0;  // of word `lane`
    if (lane < words_of_warp && first_word + lane < vertices.num_words) {
      const Word now = vertices.now[first_word + lane];
      fresh = now & ~vertices.before[first_word + lane];
      if (fresh != 0) vertices.before[first_word + lane] = now;
    }
    // Of this lane's vertices, one in each word: who has edges of a kind, and how much work they are.
    unsigned has_normal = 0, has_delegate = 0;
    unsigned long long found = 0, to_normal = 0, to_delegate = 0;
    for (std::uint32_t rest = ballot(whole_warp, fresh != 0); rest != 0; rest &= rest - 1) {
      const int k = count_trailing_zeros(rest);
      if ((warp_broadcast(fresh, k) >> lane & 1u) == 0) continue;
      const auto v = static_cast<LocalVertex>((first_word + k) * warp_width + lane);
      const Offset normal = vertices.to_normal.degree(static_cast<ToNormal>(v));
      const Offset delegate = vertices.to_delegate.degree(v);
      vertices.level[v] = next_level;
      ++found;
      has_normal |= static_cast<unsigned>(normal != 0) << k;
      has_delegate |= static_cast<unsigned>(delegate != 0) << k;
      to_normal += PartWork::pack(normal);
      to_delegate += PartWork::pack(delegate);
    }
    found = warp_sum(found);
    if (found != 0) {
      to_normal = warp_sum(to_normal);
      to_delegate = warp_sum(to_delegate);
      if (lane == 0) {
        atomic_fetch_add(&scratch.found, found);
        atomic_fetch_add(&scratch.to_normal, to_normal);
        atomic_fetch_add(&scratch.to_delegate, to_delegate);
      }
    }
    std::int64_t all = 0;  // both lists in one sum: a team has few vertices
    const auto mine = static_cast<std::int64_t>(population_count(has_normal)) |
                      static_cast<std::int64_t>(population_count(has_delegate)) << 32;
    const std::int64_t place = team_sum_before(team, mine, scratch.totals, all);
    if (rank == 0 && scratch.found != 0) {
      atomic_fetch_add(&vertices.counts[count_found], static_cast<std::uint64_t>(scratch.found));
      scratch.begin[0] = reserve(vertices.counts[work_to_normal], scratch.to_normal);
      scratch.begin[1] = reserve(vertices.counts[work_to_delegate], scratch.to_delegate);
    }
    if (all == 0) return;
    team.team_barrier();
    list(has_normal, vertices.with_normal + scratch.begin[0] + (place & 0xffffffff), first_word, lane);
    list(has_delegate, vertices.with_delegate + scratch.begin[1] + (place >> 32), first_word, lane);
  }

 private:
  /// Where the list goes on: behind the vertices of the work that is there already.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t reserve(std::uint64_t& total, unsigned long long work) {
    if (work == 0) return 0;
    return atomic_fetch_add(&total, static_cast<std::uint64_t>(work)) >> PartWork::edge_bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void list(unsigned bits, LocalVertex* to, std::int64_t first_word, int lane) {
    for (; bits != 0; bits &= bits - 1) {
      *to++ = static_cast<LocalVertex>((first_word + count_trailing_zeros(bits)) * warp_width + lane);
    }
  }
};

/// The pass over one kind of vertices, which get this level. Enqueued in `space`.
template <class Space, class ToNormal, class Memory>
void take_found(const Space& space, const MarkedVertices<ToNormal, Memory>& vertices, Level next_level) {
  using Kernel = TakeFound<Space, ToNormal, Memory>;
  if (vertices.num_words == 0) return;
  typename Kernel::Policy policy(
      space, static_cast<int>((vertices.num_words + Kernel::words_of_team - 1) / Kernel::words_of_team),
      Kernel::team_size);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for("dromos::bfs_delegate::take_found", policy, Kernel{vertices, next_level});
}

}  // namespace dromos::detail
