// SPDX-License-Identifier: BSD-3-Clause
// Words by which GPUs that reach each other's memory tell each other that something lies there: one thread orders what
// it tells of before it stores the word, another waits for the word and finds what lies there.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

/// Orders what other GPUs see and are seen to do. system_fence() would agree on one order of all fences as well, which
/// nobody asks for here and every one would wait for.
KOKKOS_FORCEINLINE_FUNCTION void peer_fence() {
#if defined(__CUDA_ARCH__)
  asm volatile("fence.acq_rel.sys;" ::: "memory");
#endif
}

/// A word that another GPU may be storing; what that one had written before is found by what this thread reads next.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t load_peer_signal(const std::uint64_t* word) {
#if defined(__CUDA_ARCH__)
  unsigned long long value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
#else
  return atomic_load(word);
#endif
}

/// How long a kernel waits for another rank's.
inline constexpr unsigned long long peer_patience_ns = 10'000'000'000ull;

/// Until the word has reached `goal`, by one thread; false if that takes longer than ten seconds. The clock is looked
/// at by those alone that have to wait.
KOKKOS_FORCEINLINE_FUNCTION bool await_word(const std::uint64_t* word, std::uint64_t goal) {
  if (load_peer_signal(word) >= goal) return true;
#if defined(__CUDA_ARCH__)
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  while (load_peer_signal(word) < goal) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now - begin > peer_patience_ns) return false;
  }
  return true;
#else
  return false;  // kernels of a CPU have no peers
#endif
}

}  // namespace dromos
