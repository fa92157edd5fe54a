// SPDX-License-Identifier: BSD-3-Clause
// What a launch may ask of a device, and what its caches hold. How wide a warp is: core/warp.hpp; what teams and queues
// are best: the strategies.
#pragma once

#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace dromos {

/// The most threads that a team may have on a GPU.
inline constexpr int max_gpu_team_size = 512;

/// The largest league that is launched at once.
inline constexpr std::int64_t max_league_size = std::numeric_limits<int>::max();

/// Bytes of scratch memory that a team has on a GPU (what every CUDA device gives a block without being asked for
/// more).
inline constexpr std::size_t gpu_scratch_bytes = 48 * 1024;

/// What Kokkos itself takes of them for a team of so many threads.
constexpr std::size_t kokkos_scratch_bytes(int team_size) {
  return sizeof(double) * (static_cast<std::size_t>(team_size) + 2) + 64;
}

/// Bytes of the cache that a core of a CPU has for itself; 1 MiB where the system does not say.
inline std::int64_t core_cache_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
  return 1 << 20;
}

/// Bytes of the cache that all threads of a GPU share; of a CPU, that of a core.
template <class Space>
std::int64_t near_cache_bytes([[maybe_unused]] const Space& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return space.cuda_device_prop().l2CacheSize;
#endif
  return core_cache_bytes();
}

}  // namespace dromos
