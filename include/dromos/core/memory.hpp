// SPDX-License-Identifier: BSD-3-Clause
// Is there room? A graph that does not fit should say so before anything is built, in bytes needed and bytes there are.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace dromos {

/// Bytes that can still be allocated in this memory space; the largest number where that is not known. (Of a host's
/// memory it is not: pages are given out when they are written.)
template <class Memory>
std::uint64_t available_memory() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Memory, Kokkos::CudaSpace>) {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess) return free_bytes;
  }
#endif
  return std::numeric_limits<std::uint64_t>::max();
}

/// Is so much to be had without a pinch, twice over? Of a host as of a GPU; for copies that only save time.
template <class Memory>
bool room_for(double bytes) {
  const double available = host_accessible<Memory> ? static_cast<double>(available_host_memory())
                                                   : static_cast<double>(available_memory<Memory>());
  return 2 * bytes < available;
}

/// Throws MemoryError where less is available; `purpose` is the subject of its sentence.
template <class Memory>
void require_memory(const std::string& purpose, double bytes_needed) {
  const std::uint64_t available = available_memory<Memory>();
  if (bytes_needed > static_cast<double>(available)) {
    const bool countable = bytes_needed < static_cast<double>(std::numeric_limits<std::uint64_t>::max());
    throw MemoryError(purpose,
                      countable ? static_cast<std::uint64_t>(bytes_needed) : std::numeric_limits<std::uint64_t>::max(),
                      available);
  }
}

}  // namespace dromos
