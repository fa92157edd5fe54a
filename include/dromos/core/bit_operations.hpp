// SPDX-License-Identifier: BSD-3-Clause
// The two bit operations that bitmaps need, on CPUs and GPUs (Kokkos has them from 4.1 on), and one of conditions.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace dromos {

/// Do both hold? Without a branch, so that what the second loads is asked for while the first is on its way.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool both(bool first, bool second) {
  return (static_cast<int>(first) & static_cast<int>(second)) != 0;
}

/// How many bits are 1.
KOKKOS_FORCEINLINE_FUNCTION int population_count(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __popc(word);
#else
  return __builtin_popcount(word);
#endif
}

/// The position of the highest 1; `word` must not be 0.
KOKKOS_FORCEINLINE_FUNCTION int highest_bit(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(word));
#else
  return 31 - __builtin_clz(word);
#endif
}

/// The position of the lowest 1; `word` must not be 0.
KOKKOS_FORCEINLINE_FUNCTION int count_trailing_zeros(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(word)) - 1;
#else
  return __builtin_ctz(word);
#endif
}

}  // namespace dromos
