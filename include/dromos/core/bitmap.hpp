// SPDX-License-Identifier: BSD-3-Clause
// A set of vertices as one bit each: 32 times denser than a flag per int, so that the visited set of a graph of 2^28
// vertices (32 MiB) stays in the cache of a GPU.
//
// Vertex v is bit v % 32 of word v / 32. Bits beyond the size are always zero, so that whole words can be counted,
// compared and combined without masks.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>

namespace dromos {

/// Copyable handle to a bitmap; copies are shallow.
template <class Memory = Kokkos::DefaultExecutionSpace::memory_space>
class Bitmap {
 public:
  using Word = std::uint32_t;
  static constexpr int bits_per_word = 32;

  Bitmap() = default;
  /// All bits zero.
  explicit Bitmap(std::int64_t num_bits, const std::string& label = "dromos::bitmap")
      : words_(label, (num_bits + bits_per_word - 1) / bits_per_word), num_bits_(num_bits) {}

  KOKKOS_FUNCTION std::int64_t size() const { return num_bits_; }
  KOKKOS_FUNCTION const Kokkos::View<Word*, Memory>& words() const { return words_; }

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION static Word mask(Vertex v) {
    return Word(1) << (static_cast<Word>(v) % bits_per_word);
  }
  /// Unsigned, so that the division is a shift.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t word_of(Vertex v) {
    return static_cast<std::make_unsigned_t<Vertex>>(v) / bits_per_word;
  }

  /// Reads a bit that other threads may be setting. A stale 0 is possible, a stale 1 is not, as long as bits are
  /// only set while others read.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool test(Vertex v) const {
    // Shifted, not masked: one instruction on x86.
    return ((atomic_load(&words_.data()[word_of(v)]) >> (static_cast<Word>(v) % bits_per_word)) & 1) != 0;
  }

  /// The same in an old state, perhaps: load_nearby().
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool test_nearby(Vertex v) const {
    return ((load_nearby(&words_.data()[word_of(v)]) >> (static_cast<Word>(v) % bits_per_word)) & 1) != 0;
  }

  /// Sets a bit and says whether this call was the one that changed it: of any number of threads that set the same
  /// bit, exactly one is told true. Reads before it writes, because a word that is already right costs no atomic.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool set(Vertex v) const {
    if ((atomic_load(&words_.data()[word_of(v)]) & mask(v)) != 0) return false;
    return claim(v);
  }

  /// As set(), for whoever has just asked test() and was told false: does not read again.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool claim(Vertex v) const {
    return (Kokkos::atomic_fetch_or(&words_.data()[word_of(v)], mask(v)) & mask(v)) == 0;
  }

  /// As claim(), while no other thread sets bits.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool claim_alone(Vertex v) const {
    Word& word = words_.data()[word_of(v)];
    const Word before = word;
    word = before | mask(v);
    return (before & mask(v)) == 0;
  }

  /// As claim(), for whoever does not want to know: waits for no answer.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION void mark(Vertex v) const {
    Kokkos::atomic_fetch_or(&words_.data()[word_of(v)], mask(v));
  }

 private:
  Kokkos::View<Word*, Memory> words_;
  std::int64_t num_bits_ = 0;
};

/// The words of a bitmap, or some of them.
template <class Memory>
using BitmapWords = Kokkos::View<typename Bitmap<Memory>::Word*, Memory>;

/// Makes every bit zero.
template <class Space, class Memory>
void clear(const Space& space, const Bitmap<Memory>& bitmap) {
  Kokkos::deep_copy(space, bitmap.words(), typename Bitmap<Memory>::Word(0));
}

namespace detail {

template <class Memory>
struct SetFirstBits {
  BitmapWords<Memory> words;
  std::int64_t num_set;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    using Word = typename Bitmap<Memory>::Word;
    const std::int64_t here = num_set - w * Bitmap<Memory>::bits_per_word;
    words(w) = here >= Bitmap<Memory>::bits_per_word ? ~Word(0) : here > 0 ? (Word(1) << here) - 1 : 0;
  }
};

}  // namespace detail

/// Makes the first `num_set` bits one and all others zero.
template <class Space, class Memory>
void set_first(const Space& space, const Bitmap<Memory>& bitmap, std::int64_t num_set) {
  Kokkos::parallel_for("dromos::bitmap::set_first",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                           space, 0, static_cast<std::int64_t>(bitmap.words().extent(0))),
                       detail::SetFirstBits<Memory>{bitmap.words(), num_set});
}

}  // namespace dromos
