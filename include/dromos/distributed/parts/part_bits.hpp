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

/// The bits [first, first + size) of `words`, by whole words of it: item w is the w-th word from that of `first` on.
template <class Memory>
struct BitRange {
  using Word = typename Bitmap<Memory>::Word;
  static constexpr std::int64_t bits_per_word = Bitmap<Memory>::bits_per_word;

  BitmapWords<Memory> words;
  std::int64_t first, size;

  std::int64_t num_words() const {
    return size == 0 ? 0 : (first + size - 1) / bits_per_word - first / bits_per_word + 1;
  }
  KOKKOS_FUNCTION Word& word(std::int64_t item) const { return words(first / bits_per_word + item); }
  /// f(i, mask) for each bit i of the range, counted from its first, in the item's word.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(std::int64_t item, const F& f) const {
    const std::int64_t begin = (first / bits_per_word + item) * bits_per_word;
    const std::int64_t last = dromos::min(begin + bits_per_word, first + size);
    for (std::int64_t v = dromos::max(begin, first); v < last; ++v) f(v - first, Word(1) << (v - begin));
  }
};

/// Bit v of a range of bits, which as a bitmap of its own is written by write_bits().
template <class Memory>
struct BitOfRange {
  Bitmap<Memory> from;
  std::int64_t first;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const { return from.test(first + v); }
};
/// And back; item by word of the range.
template <class Memory>
struct PutBackBits {
  using Word = typename Bitmap<Memory>::Word;
  BitRange<Memory> to;
  const Word* from;
  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    auto word = to.word(item);
    to.for_each(item, [&](std::int64_t i, Word mask) {
      word = (from[Bitmap<Memory>::word_of(i)] & Bitmap<Memory>::mask(i)) != 0 ? word | mask : word & ~mask;
    });
    to.word(item) = word;
  }
};

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
