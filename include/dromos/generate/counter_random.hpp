// SPDX-License-Identifier: BSD-3-Clause
// Counter-based random numbers: 64 random bits as a pure function of (seed, stream, counter).
//
// There is no state that runs from number to number, so the n-th number is had without the n - 1 before it: any
// slice of a sequence can be made by any thread, rank or device, in any order, and is the same everywhere.
//
// The function is SplitMix64 read as a counter-based generator: number n is mix(key + n * gamma), with a Weyl constant
// gamma and Stafford's variant 13 of the MurmurHash3 finaliser as mix. Two multiplications a number.
//   G. L. Steele Jr., D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, Figure 16.
//   J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011, for the idea of the counter.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace dromos {

/// A bijection of 64-bit words in which every input bit changes about half of the output bits.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The upper 64 bits of the 128-bit product, in a form that host and device compilers both take.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t multiply_high(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t low = 0xffffffffULL;
  const std::uint64_t x_low = x & low, x_high = x >> 32, y_low = y & low, y_high = y >> 32;
  const std::uint64_t middle = x_high * y_low + (x_low * y_low >> 32);  // at most 2^64 - 2^32: no overflow
  return x_high * y_high + (middle >> 32) + ((x_low * y_high + (middle & low)) >> 32);
}

/// The random sequence of one (seed, stream). A handle of 8 bytes that kernels take by value. Streams keep apart what
/// uses one seed for several purposes.
class CounterRandom {
 public:
  KOKKOS_FUNCTION constexpr explicit CounterRandom(std::uint64_t seed, std::uint64_t stream = 0)
      : key_(mix_bits(mix_bits(seed + gamma) + stream * gamma)) {}

  /// 64 random bits; number `counter` of the sequence.
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t bits(std::uint64_t counter) const {
    return mix_bits(key_ + counter * gamma);
  }

  /// Number `counter` as a uniform integer in [0, bound), without division; its bias of at most bound / 2^64 is beyond
  /// what any experiment can see.
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t counter) const {
    return multiply_high(bits(counter), bound);
  }

 private:
  static constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15ULL;  // 2^64 divided by the golden ratio, odd
  std::uint64_t key_;
};

}  // namespace dromos
