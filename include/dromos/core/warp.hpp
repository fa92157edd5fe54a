// SPDX-License-Identifier: BSD-3-Clause
// Threads that execute together: on a GPU whose threads come in warps of 32, votes and sums of a warp cost a few
// instructions where a team's cost barriers. Code that uses them asks has_warps<Space> first and has another way where
// that is false.
//
// In a team without vector lanes, thread r is lane r % warp_width of its warp. Every function is a collective of the
// lanes that it is given.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

/// Do threads of this execution space come in warps of 32 that can vote?
template <class Space>
inline constexpr bool has_warps = false;
#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool has_warps<Kokkos::Cuda> = true;
#endif

inline constexpr int warp_width = 32;
inline constexpr std::uint32_t whole_warp = 0xffffffffu;

/// How many multiprocessors the device has, each of which runs a team of its own.
template <class Space>
int num_multiprocessors([[maybe_unused]] const Space& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (has_warps<Space>) return space.cuda_device_prop().multiProcessorCount;
#endif
  return 1;
}

/// The number of threads a team has when so many are asked for: whole warps, where there are warps.
template <class Space>
int whole_warps(int team_size) {
  return has_warps<Space> ? (team_size + warp_width - 1) / warp_width * warp_width : team_size;
}

/// Bit i of the result is what lane i said, of the lanes given.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t ballot([[maybe_unused]] std::uint32_t lanes, bool vote) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(lanes, vote);
#else
  return vote ? 1u : 0u;  // a warp of one thread; never called, since has_warps is false
#endif
}

/// The sum over a whole warp, told to every lane.
KOKKOS_FORCEINLINE_FUNCTION unsigned long long warp_sum(unsigned long long value) {
#if defined(__CUDA_ARCH__)
  for (int step = warp_width / 2; step > 0; step /= 2) value += __shfl_xor_sync(whole_warp, value, step);
#endif
  return value;
}

/// The sum over the lanes before this one.
KOKKOS_FORCEINLINE_FUNCTION unsigned long long warp_sum_before(unsigned long long value, [[maybe_unused]] int lane) {
#if defined(__CUDA_ARCH__)
  unsigned long long sum = value;
  for (int step = 1; step < warp_width; step *= 2) {
    const unsigned long long other = __shfl_up_sync(whole_warp, sum, step);
    if (lane >= step) sum += other;
  }
  return sum - value;
#else
  return 0 * value;
#endif
}

/// Makes what every lane wrote visible to the others of its warp.
KOKKOS_FORCEINLINE_FUNCTION void warp_barrier() {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#endif
}

/// What this thread and, before a barrier, its team wrote is visible on the device before what it writes later; what
/// others made visible like that is read anew.
KOKKOS_FORCEINLINE_FUNCTION void device_fence() {
#if defined(__CUDA_ARCH__)
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

/// Adds to a number that others wait for by load_acquired(): who sees it sees what this thread and, before a barrier,
/// its team wrote before. Less than device_fence(), which also reads anew what others wrote.
KOKKOS_FORCEINLINE_FUNCTION void add_released(std::uint64_t* address, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
#else
  atomic_fetch_add(address, value);
#endif
}

/// Reads it: what was written before those numbers were added is read anew afterwards, by the whole team after a
/// barrier.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t load_acquired(const std::uint64_t* address) {
#if defined(__CUDA_ARCH__)
  std::uint64_t value;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
#else
  return atomic_load(address);
#endif
}

/// The same for the host, which reads what kernels write to its memory.
KOKKOS_FORCEINLINE_FUNCTION void system_fence() {
#if defined(__CUDA_ARCH__)
  __threadfence_system();
#endif
}

/// A moment in which this thread does nothing.
KOKKOS_FORCEINLINE_FUNCTION void device_pause() {
#if defined(__CUDA_ARCH__)
  __nanosleep(100);
#endif
}

/// The largest value of a whole warp, told to every lane.
KOKKOS_FORCEINLINE_FUNCTION unsigned long long warp_max(unsigned long long value) {
#if defined(__CUDA_ARCH__)
  for (int step = warp_width / 2; step > 0; step /= 2) {
    const unsigned long long other = __shfl_xor_sync(whole_warp, value, step);
    if (other > value) value = other;
  }
#endif
  return value;
}

/// The smallest value of a whole warp, told to every lane.
KOKKOS_FORCEINLINE_FUNCTION unsigned long long warp_min(unsigned long long value) { return ~warp_max(~value); }

/// How many of the voters come before this lane.
KOKKOS_FORCEINLINE_FUNCTION int votes_before(std::uint32_t votes, int lane) {
  return population_count(votes & ((1u << lane) - 1u));
}

/// As many numbers of its own as every caller asks for, of which it is told the first: atomic_fetch_add(counter,
/// count), except that threads of a warp that ask the same counter at the same time share one atomic operation.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t take_numbers(std::uint64_t* counter, std::uint64_t count) {
#if defined(__CUDA_ARCH__)
  const std::uint32_t asking = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(counter));
  std::uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  std::uint64_t before = 0, all = 0;
  for (std::uint32_t rest = asking; rest != 0; rest &= rest - 1) {
    const int other = __ffs(static_cast<int>(rest)) - 1;
    const std::uint64_t theirs = __shfl_sync(asking, static_cast<unsigned long long>(count), other);
    if (other < static_cast<int>(lane)) before += theirs;
    all += theirs;
  }
  const int first_lane = __ffs(static_cast<int>(asking)) - 1;
  std::uint64_t first = 0;
  if (static_cast<int>(lane) == first_lane) first = atomic_fetch_add(counter, all);
  first = __shfl_sync(asking, static_cast<unsigned long long>(first), first_lane);
  return first + before;
#else
  return atomic_fetch_add(counter, count);
#endif
}

/// A number of its own for every caller: atomic_fetch_add(counter, 1), except that threads of a warp that ask the same
/// counter at the same time share one atomic operation.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t take_number(std::uint64_t* counter) {
#if defined(__CUDA_ARCH__)
  const std::uint32_t asking = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(counter));
  std::uint32_t lane, lanes_before;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_before));
  const int first_lane = __ffs(static_cast<int>(asking)) - 1;
  std::uint64_t first = 0;
  if (static_cast<int>(lane) == first_lane) first = atomic_fetch_add(counter, std::uint64_t(population_count(asking)));
  first = __shfl_sync(asking, static_cast<unsigned long long>(first), first_lane);
  return first + static_cast<std::uint64_t>(population_count(asking & lanes_before));
#else
  return atomic_fetch_add(counter, std::uint64_t(1));
#endif
}

/// What lane `from` has, told to every lane of the warp.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T warp_broadcast(T value, [[maybe_unused]] int from) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(whole_warp, value, from);
#else
  return value;
#endif
}

/// What the lane `step` places before this one has; the lane's own value in the first `step` lanes.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T warp_shift_up(T value, [[maybe_unused]] int step) {
#if defined(__CUDA_ARCH__)
  return __shfl_up_sync(whole_warp, value, step);
#else
  return value;
#endif
}

/// What another lane has, whose number differs in the bits of `mask`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T warp_exchange(T value, [[maybe_unused]] int mask) {
#if defined(__CUDA_ARCH__)
  return __shfl_xor_sync(whole_warp, value, mask);
#else
  return value;
#endif
}

/// The exclusive prefix sum over a team of whole warps: each warp's own, and before it the totals of the warps before.
/// Adds the total of all to `sum`. A collective of the team, with barriers.
///
/// \param totals  scratch memory of the team, one element a warp
template <class Member>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t team_sum_before(const Member& team, std::int64_t value, std::int64_t* totals,
                                                         std::int64_t& sum) {
  const int lane = team.team_rank() % warp_width;
  const int warp = team.team_rank() / warp_width;
  auto before = static_cast<std::int64_t>(warp_sum_before(static_cast<unsigned long long>(value), lane));
  if (lane == warp_width - 1) totals[warp] = before + value;
  team.team_barrier();
  const int num_warps = team.team_size() / warp_width;
  if (num_warps <= 4) {
    for (int w = 0; w < num_warps; ++w) {
      if (w < warp) before += totals[w];
      sum += totals[w];
    }
  } else {  // at most 32 warps: each adds up their totals, a lane a warp
    const auto total = static_cast<unsigned long long>(lane < num_warps ? totals[lane] : 0);
    const unsigned long long totals_before = warp_sum_before(total, lane);
    before += static_cast<std::int64_t>(warp_broadcast(totals_before, warp));
    sum += static_cast<std::int64_t>(warp_broadcast(totals_before + total, warp_width - 1));
  }
  team.team_barrier();
  return before;
}

}  // namespace dromos
