// SPDX-License-Identifier: BSD-3-Clause
// A pseudo-random permutation of [0, 2^bits), computed and not stored: it gives the vertices of a generated graph
// numbers that say nothing about their degree, without a table of 2^bits entries that every rank would need.
//
// Four rounds of three steps, each of which can be undone within `bits` bits, so that the whole is a bijection:
//   add a constant drawn from the seed    modulo 2^bits: undone by subtracting
//   multiply by an odd constant           modulo 2^bits: odd numbers have an inverse
//   x ^= x >> (bits + 1) / 2              carries the well-mixed high bits down; is its own inverse
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/generate/counter_random.hpp>

namespace dromos {

/// Handle that kernels take by value.
class BijectiveHash {
 public:
  /// The identity on [0, 1).
  BijectiveHash() : BijectiveHash(0, CounterRandom(0)) {}

  /// bits: 0 .. 63. The constants are the first numbers of the sequence.
  BijectiveHash(int bits, const CounterRandom& random) : mask_((std::uint64_t(1) << bits) - 1), shift_((bits + 1) / 2) {
    for (int round = 0; round < num_rounds; ++round) summand_[round] = random.bits(static_cast<std::uint64_t>(round));
  }

  /// x: 0 .. 2^bits - 1. The image of x, in the same range.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(std::uint64_t x) const {
    for (int round = 0; round < num_rounds; ++round) {
      x = ((x + summand_[round]) * multiplier) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

 private:
  static constexpr int num_rounds = 4;
  // Of the 64-bit finaliser in generate/counter_random.hpp. Odd in every number of bits.
  static constexpr std::uint64_t multiplier = 0x94d049bb133111ebULL;

  std::uint64_t mask_;
  int shift_;
  std::uint64_t summand_[num_rounds];
};

}  // namespace dromos
