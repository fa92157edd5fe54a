// SPDX-License-Identifier: BSD-3-Clause
// The bits of chosen places of a bitmap, side by side in another: what one rank tells another of its vertices.
//
//   places 1 0 1 1 0 1, bits 0 1 1 0 1 1      gathered 0 1 0 1
//
// Where the places are many, a CPU moves the chosen bits of a word together at once, in five steps that were worked out
// beforehand: H. Warren, "Hacker's Delight", 2012, Section 7-4.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <string>

namespace dromos::detail {

/// Which bits of a word are chosen, and how they come together at its low end.
struct GatheredWord {
  static constexpr int steps = 5;
  std::uint32_t chosen = 0;
  std::uint32_t moving[steps] = {};  ///< in step i, by 2^i places
  std::int32_t before = 0;           ///< how many are chosen in the words before

  KOKKOS_FUNCTION void plan(std::uint32_t places) {
    chosen = places;
    std::uint32_t gaps = ~places << 1;  // below each place, and not counted yet
    for (int i = 0; i < steps; ++i) {
      std::uint32_t odd = gaps;  // places with an odd number of gaps below
      for (int shift = 1; shift < 32; shift *= 2) odd ^= odd << shift;
      moving[i] = odd & places;
      places = (places ^ moving[i]) | (moving[i] >> (1 << i));
      gaps &= ~odd;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t gather(std::uint32_t word) const {
    word &= chosen;
    for (int i = 0; i < steps; ++i) {
      const std::uint32_t moved = word & moving[i];
      word = (word ^ moved) | (moved >> (1 << i));
    }
    return word;
  }
};

template <class Memory>
struct PlanGathering {
  BitmapWords<Memory> places;
  Kokkos::View<GatheredWord*, Memory> words;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int32_t& before, bool final) const {
    if (final) {
      words(w).plan(places(w));
      words(w).before = before;
    }
    before += population_count(places(w));
  }
};

/// Item: some words, one after the other. Those of the result that several items write begin as zero.
template <class Memory>
struct GatherWords {
  static constexpr std::int64_t per_item = 256;
  Kokkos::View<const GatheredWord*, Memory> plan;
  BitmapWords<Memory> from;
  std::uint32_t* to;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t first = item * per_item;
    const std::int64_t last = dromos::min<std::int64_t>(first + per_item, plan.extent(0));
    std::uint32_t* out = to + plan(first).before / 32;
    int filled = plan(first).before % 32;
    bool shared = filled != 0;
    std::uint64_t bits = 0;
    for (std::int64_t w = first; w < last; ++w) {
      const GatheredWord& word = plan(w);
      bits |= std::uint64_t(word.gather(from(w))) << filled;
      filled += population_count(word.chosen);
      if (filled < 32) continue;
      if (shared) {
        Kokkos::atomic_fetch_or(out, static_cast<std::uint32_t>(bits));
      } else {
        *out = static_cast<std::uint32_t>(bits);
      }
      shared = false;
      ++out;
      bits >>= 32;
      filled -= 32;
    }
    if (filled != 0) Kokkos::atomic_fetch_or(out, static_cast<std::uint32_t>(bits));
  }
};

/// For a CPU. Planned once for a set of places, 28 bytes for each 32 bits of the bitmaps.
template <class Memory>
class GatheredBits {
 public:
  GatheredBits() = default;
  /// Waits.
  template <class Space>
  GatheredBits(const Space& space, const Bitmap<Memory>& places)
      : words_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::gathered_bits"), places.words().extent(0)) {
    std::int32_t size = 0;
    Kokkos::parallel_scan("dromos::gathered_bits::plan", range(space, words_.extent(0)),
                          PlanGathering<Memory>{places.words(), words_}, size);
    size_ = size;
  }

  std::int64_t size() const { return size_; }

  /// Bit i of `to` becomes that of the i-th place; those behind the last one in its word zero. Does not wait.
  template <class Space>
  void gather(const std::string& label, const Space& space, const Bitmap<Memory>& bits, std::uint32_t* to) const {
    const Kokkos::View<std::uint32_t*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> result(to, (size_ + 31) / 32);
    Kokkos::deep_copy(space, result, 0u);
    const auto num_words = static_cast<std::int64_t>(words_.extent(0));
    constexpr std::int64_t per_item = GatherWords<Memory>::per_item;
    Kokkos::parallel_for(label, range(space, (num_words + per_item - 1) / per_item),
                         GatherWords<Memory>{words_, bits.words(), to});
  }

 private:
  template <class Space>
  static Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> range(const Space& space, std::int64_t size) {
    return {space, 0, size};
  }

  Kokkos::View<GatheredWord*, Memory> words_;
  std::int64_t size_ = 0;
};

}  // namespace dromos::detail
