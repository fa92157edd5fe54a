// SPDX-License-Identifier: BSD-3-Clause
// Filling and copying arrays, and bringing small results to the host, without waiting more often than needed.
//
// A GPU fills memory at full speed where every byte is the same (0 and -1, the two values that searches start with),
// and copies to the host without a stop on the way only where the host's memory is pinned.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <string>
#include <type_traits>

namespace dromos {

namespace detail {

template <class Memory>
struct TransferSpace {
  using type = Kokkos::HostSpace;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct TransferSpace<Kokkos::CudaSpace> {
  using type = Kokkos::CudaHostPinnedSpace;
};
#endif

}  // namespace detail

/// Host memory that arrays of `Memory` are copied to fastest.
template <class Memory>
using transfer_space = typename detail::TransferSpace<Memory>::type;

/// Every element becomes `value`. Enqueued in `space`; on a CPU done on return.
template <class Space, class T, class Memory>
void fill(const Space& space, const Kokkos::View<T*, Memory>& view,
          typename Kokkos::View<T*, Memory>::const_value_type& value) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda> && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (value == T(0) || value == static_cast<T>(-1)) {
      const cudaError_t status =
          cudaMemsetAsync(view.data(), value == T(0) ? 0 : 0xff, view.extent(0) * sizeof(T), space.cuda_stream());
      if (status != cudaSuccess) {
        throw Error("filling " + view.label() + " failed on the device: " + cudaGetErrorString(status));
      }
      return;
    }
  }
#endif
  Kokkos::deep_copy(space, view, value);
}

/// to = from, of as many elements. Enqueued in `space`, on a GPU with less to do for the host than
/// Kokkos::deep_copy() has, which is what a search waits for between its levels; on a CPU done on return.
template <class Space, class T, class Memory>
void copy(const Space& space, const Kokkos::View<T*, Memory>& to, const Kokkos::View<T*, Memory>& from) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda> && std::is_trivially_copyable_v<T>) {
    if (to.extent(0) == from.extent(0)) {
      const cudaError_t status = cudaMemcpyAsync(to.data(), from.data(), to.extent(0) * sizeof(T),
                                                 cudaMemcpyDeviceToDevice, space.cuda_stream());
      if (status != cudaSuccess) {
        throw Error("copying " + from.label() + " failed on the device: " + cudaGetErrorString(status));
      }
      return;
    }
  }
#endif
  Kokkos::deep_copy(space, to, from);
}

}  // namespace dromos
