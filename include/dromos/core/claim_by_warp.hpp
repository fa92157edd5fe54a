// SPDX-License-Identifier: BSD-3-Clause
// Bits that the lanes of a warp claim together.
//
// Lanes beside each other often want bits of the same word: vertices that are neighbors of the same vertex have numbers
// that lie near each other in web graphs, and all rows that have copies of the same links name the same ones. A GPU
// takes one atomic on a word after the other, so a word that a hundred thousand edges want is what a sweep waits for.
// Here one lane asks for those of all lanes beside it that want the same word:
//
//   bits     70 71 72 70 90 | 5       words of 32    2 2 2 2 2 | 0
//   asks     70 71 72 90 together, by the last lane; 5 for itself; the second 70 is told false
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/warp.hpp>

namespace dromos {

/// Bitmap::claim() of n bits a lane, of which those are claimed for which `joins` says so; it then says who was told
/// true. A collective of the warp; bits that are not claimed may lie anywhere.
template <int n, class Memory, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION void claim_by_warp(const Bitmap<Memory>& bitmap, const Vertex (&v)[n], bool (&joins)[n],
                                               int lane) {
  using Bits = Bitmap<Memory>;
  using Word = typename Bits::Word;
  const std::uint32_t up_to_here = whole_warp >> (warp_width - 1 - lane);
  Word* const words = bitmap.words().data();
  Word before[n];     // of each word, when its bits were claimed: in the lane that did so
  Word by_others[n];  // bits of it that lanes before this one claim
  int asks[n];        // the lane that does
  for (int i = 0; i < n; ++i) {
    const Word mine = joins[i] ? Bits::mask(v[i]) : 0;
    const auto word = static_cast<Vertex>(Bits::word_of(v[i]));
    before[i] = by_others[i] = 0;
    asks[i] = lane;
    const Vertex word_before = warp_shift_up(word, 1);
    const std::uint32_t same = ballot(whole_warp, lane > 0 && word_before == word);
    const std::uint32_t wanted = ballot(whole_warp, joins[i]);
    Word all = mine;
    if ((same & wanted & wanted << 1) != 0) {
      const std::uint32_t begins = ~same;
      const int first = highest_bit(begins & up_to_here);
      const std::uint32_t after = begins & ~up_to_here;
      asks[i] = after == 0 ? warp_width - 1 : count_trailing_zeros(after) - 1;
      for (int step = 1; step < warp_width; step *= 2) {
        const Word other = warp_shift_up(all, step);
        if (lane - step >= first) all |= other;
      }
      const Word up_to_lane_before = warp_shift_up(all, 1);
      if (lane > first) by_others[i] = up_to_lane_before;
    }
    if (lane == asks[i] && all != 0) before[i] = Kokkos::atomic_fetch_or(&words[Bits::word_of(v[i])], all);
  }
  for (int i = 0; i < n; ++i) {
    const Word others = warp_broadcast(before[i], asks[i]) | by_others[i];
    joins[i] = joins[i] && (others & Bits::mask(v[i])) == 0;
  }
}

}  // namespace dromos
