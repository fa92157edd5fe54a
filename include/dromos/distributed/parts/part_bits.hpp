// SPDX-License-Identifier: BSD-3-Clause
// Bitmaps of local vertices, a bit of which several ranks know: owners' bits for the copies, and those that any rank
// has set of a delegate for all ranks.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/transport.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <vector>

namespace dromos::detail {

/// The bit of the i-th lent vertex, from the `first` of the list on.
template <class Memory>
struct LentBit {
  Bitmap<Memory> bits;
  Kokkos::View<const LocalVertex*, Memory> lent;
  std::int64_t first;
  KOKKOS_FUNCTION bool operator()(std::int64_t i) const { return bits.test(lent.data()[first + i]); }
};

/// Bitmaps of so many vertices each as blocks of words that begin where 16 bytes do: GPUs copy so many at once.
template <class Memory>
std::vector<Block> bitmap_blocks(const std::vector<Block>& vertices) {
  constexpr std::int64_t bits_per_word = Bitmap<Memory>::bits_per_word, alignment = 4;
  std::vector<Block> words;
  std::int64_t offset = 0;
  for (const Block& block : vertices) {
    words.push_back({offset, (block.size + bits_per_word - 1) / bits_per_word});
    offset += (words.back().size + alignment - 1) / alignment * alignment;
  }
  return words;
}

template <class Memory>
struct CountCounted {
  Kokkos::View<const LocalVertex*, Memory> list;
  Bitmap<Memory> counted;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const { sum += counted.test(list(i)); }
};

template <class Memory>
struct CountCountedBits {
  BitmapWords<Memory> bits, counted;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum) const {
    sum += population_count(bits(w) & counted(w));
  }
};

}  // namespace dromos::detail
