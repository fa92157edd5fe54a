// SPDX-License-Identifier: BSD-3-Clause
// The Kokkos version seam: one spelling for everything that differs between Kokkos 3.4 and 5.x, and for the few
// questions that depend on a backend. No other file of Dromos asks for a Kokkos version, and beside core/ none for a
// backend.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

#if defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL) || defined(KOKKOS_ENABLE_OPENMPTARGET) || \
    defined(KOKKOS_ENABLE_OPENACC)
#error "Dromos runs on CUDA, OpenMP, Threads and Serial (doc/building.md): give it a Kokkos with no other devices"
#endif
#ifdef KOKKOS_ENABLE_CUDA_UVM
#error "Dromos tells GPUs from CPUs by their memory: give it a Kokkos that was built with Kokkos_ENABLE_CUDA_UVM=OFF"
#endif

namespace dromos {

/// The version of the Kokkos headers compiled against, such as "4.6.2".
inline std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

/// True where host code may read and write memory of this space directly.
template <class Memory>
inline constexpr bool host_accessible = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;

/// True for execution spaces with thousands of light threads (CUDA): tuning defaults and the scheduling of
/// atomics differ there.
template <class Space>
inline constexpr bool is_gpu = !host_accessible<typename Space::memory_space>;

/// Which of Kokkos' two kinds of team scratch memory to use: on a GPU the small one that is shared memory; on a CPU
/// both are ordinary memory, and from Kokkos 4 on the first is limited to 32 KiB a team.
template <class Space>
inline constexpr int scratch_level = is_gpu<Space> ? 0 : 1;

/// The same policy for a kernel that a GPU is handed as an argument whatever its size, up to 4 KiB: parallel_for(label,
/// as_argument<Space>(policy), kernel). Those of 512 bytes or more Kokkos copies to the one place of constant memory
/// that all kernels share, and before that waits on the host until the last one that lay there has ended.
template <class Space, class Policy>
auto as_argument(const Policy& policy) {
  if constexpr (is_gpu<Space>) {
    return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  } else {
    return policy;
  }
}

/// So many elements of the team's scratch memory of that kind, in kernels. Each such array may take 7 bytes more than
/// its elements, to be aligned: what get_shmem() gives is in Kokkos 3.4 and no longer in 4.6.
template <class T, class Member>
KOKKOS_FORCEINLINE_FUNCTION T* team_array(const Member& team, std::size_t count) {
  constexpr int level = scratch_level<typename Member::execution_space>;  // by reference below: it needs an address
  return static_cast<T*>(team.team_scratch(level).get_shmem_aligned(sizeof(T) * count, alignof(T)));
}

/// The smaller of two values, in kernels and outside (Kokkos::min exists from 4.0 on).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T min(T a, T b) {
  return b < a ? b : a;
}

/// The larger of two values.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T max(T a, T b) {
  return a < b ? b : a;
}

/// Relaxed atomic load of a value that other threads may be writing. One instruction: Kokkos has its own from 4.5 on,
/// which is a loop of compare and exchange in 4.6 (desul; no longer in 5.2).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_load(const T* address) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  T value;  // the builtin, unlike a volatile read, tells the thread sanitizer that this is an atomic
  __atomic_load(const_cast<T*>(address), &value, __ATOMIC_RELAXED);
  return value;
#else
  return *static_cast<const volatile T*>(address);
#endif
}

/// The same of a value that may be an old one: a GPU takes it from the cache of its multiprocessor. For what many
/// threads ask at once, which the one place that has it answers one after the other.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T load_nearby(const T* address) {
#if defined(__CUDA_ARCH__)
  return __ldca(address);
#else
  return atomic_load(address);
#endif
}

/// Relaxed atomic store of a value that other threads may be reading; as above.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void atomic_store(T* address, T value) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  __atomic_store(address, &value, __ATOMIC_RELAXED);
#else
  *static_cast<volatile T*>(address) = value;
#endif
}

/// Stores a value where other threads store, and says what was there. Kokkos 3.4 tries a compare and exchange on a host
/// until it fits, whose first guess is a plain read: the thread sanitizer reports it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_exchange(T* address, std::common_type_t<T> value) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  T before;
  __atomic_exchange(address, &value, &before, __ATOMIC_SEQ_CST);
  return before;
#else
  return Kokkos::atomic_exchange(address, value);
#endif
}

// Functions that change a value which other threads change as well, and say what it was. 64-bit integers of any name by
// CUDA's own atomics: Kokkos 3.4 uses those for long long and unsigned long long alone, 4.6 adds by them to
// std::uint64_t alone, and both try the others again and again until no other thread came between.

namespace detail {

template <class T>
inline constexpr bool is_64_bit_integer = std::is_integral_v<T> && sizeof(T) == sizeof(unsigned long long);

/// The name by which CUDA's atomics know such an integer.
template <class T>
using CudaInteger = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;

}  // namespace detail

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_add(T* address, std::common_type_t<T> value) {
#if defined(__CUDA_ARCH__)
  if constexpr (detail::is_64_bit_integer<T>) {
    return static_cast<T>(
        atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
  }
#endif
  return Kokkos::atomic_fetch_add(address, value);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_sub(T* address, std::common_type_t<T> value) {
  return atomic_fetch_add(address, static_cast<T>(-value));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_min(T* address, std::common_type_t<T> value) {
#if defined(__CUDA_ARCH__)
  if constexpr (detail::is_64_bit_integer<T>) {
    using Integer = detail::CudaInteger<T>;
    return static_cast<T>(atomicMin(reinterpret_cast<Integer*>(address), static_cast<Integer>(value)));
  }
#endif
  return Kokkos::atomic_fetch_min(address, value);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_max(T* address, std::common_type_t<T> value) {
#if defined(__CUDA_ARCH__)
  if constexpr (detail::is_64_bit_integer<T>) {
    using Integer = detail::CudaInteger<T>;
    return static_cast<T>(atomicMax(reinterpret_cast<Integer*>(address), static_cast<Integer>(value)));
  }
#endif
  return Kokkos::atomic_fetch_max(address, value);
}

/// Of integers without a sign.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_or(T* address, std::common_type_t<T> value) {
#if defined(__CUDA_ARCH__)
  if constexpr (detail::is_64_bit_integer<T>) {
    return static_cast<T>(
        atomicOr(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
  }
#endif
  return Kokkos::atomic_fetch_or(address, value);
}

/// Stores the smaller of what is there and `value`, and says what was there. Neither is negative or not a number:
/// floating-point numbers are then ordered as their bits are, which CUDA has an atomic for, where Kokkos tries again
/// and again until no other thread came between.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atomic_fetch_min_of_positive(T* address, T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == sizeof(unsigned long long)) {
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    bits = atomicMin(reinterpret_cast<unsigned long long*>(address), bits);
    memcpy(&value, &bits, sizeof bits);
    return value;
  } else if constexpr (sizeof(T) == sizeof(unsigned int)) {
    unsigned int bits;
    memcpy(&bits, &value, sizeof bits);
    bits = atomicMin(reinterpret_cast<unsigned int*>(address), bits);
    memcpy(&value, &bits, sizeof bits);
    return value;
  }
#endif
  return Kokkos::atomic_fetch_min(address, value);
}

/// Numbers the threads of a CPU's kernels: acquire() is that of the calling thread, in [0, size()). Of all threads, not
/// of one instance: those numbers are the threads' own, so that there is nothing to give back.
template <class Space>
using ThreadNumbers = Kokkos::Experimental::UniqueToken<Space, Kokkos::Experimental::UniqueTokenScope::Global>;

/// Before a loop of eight rounds on a CPU: unrolled, as g++ does not at -O3 by itself.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define DROMOS_UNROLL_8 _Pragma("GCC unroll 8")
#else
#define DROMOS_UNROLL_8
#endif

/// Asks the cache for the line at this address, which will be read soon. A hint for CPUs, whose threads wait for each
/// miss; GPUs hide misses behind other warps, and there this does nothing.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] const T* address) {
#if !defined(__CUDA_ARCH__) && defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

/// Reads what is read once: a GPU's caches let it go before anything else, such as the results and bitmaps beside it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T load_streamed(const T* address) {
#if defined(__CUDA_ARCH__)
  return __ldcs(address);
#else
  return *address;
#endif
}

/// The stream that this execution space instance enqueues kernels in; null: not one of CUDA's.
template <class Space>
void* native_stream([[maybe_unused]] const Space& space) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return static_cast<void*>(space.cuda_stream());
#endif
  return nullptr;
}

/// Waits for everything enqueued in this execution space instance; the label appears in Kokkos Tools where the
/// version in use can carry one.
template <class Space>
void fence(const Space& space, [[maybe_unused]] const std::string& label) {
#if defined(KOKKOS_VERSION) && KOKKOS_VERSION >= 30500
  space.fence(label);
#else
  space.fence();
#endif
}

/// Before Kokkos is initialized in one of several processes of a host: the processes take the host's GPUs in turn, by
/// their local ranks, unless the environment says otherwise. Newer versions of Kokkos do so by themselves; up to 3.6
/// all would take the first.
inline void spread_processes_over_devices() {
#if defined(KOKKOS_ENABLE_CUDA) && KOKKOS_VERSION < 30700
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices < 2 ||
      std::getenv("KOKKOS_DEVICE_ID") != nullptr) {
    return;
  }
  setenv("KOKKOS_NUM_DEVICES", std::to_string(num_devices).c_str(), 0);
#endif
}

/// A named region in Kokkos Tools for as long as the object lives. Where no tool listens it costs one question, so that
/// levels and phases can have regions as well.
class ScopedRegion {
 public:
  explicit ScopedRegion(const char* name) : open_(Kokkos::Tools::profileLibraryLoaded()) {
    if (open_) Kokkos::Tools::pushRegion(name);
  }
  ~ScopedRegion() {
    if (open_) Kokkos::Tools::popRegion();
  }
  ScopedRegion(const ScopedRegion&) = delete;
  ScopedRegion& operator=(const ScopedRegion&) = delete;

 private:
  bool open_;
};

}  // namespace dromos
