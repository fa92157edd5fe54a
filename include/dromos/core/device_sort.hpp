// SPDX-License-Identifier: BSD-3-Clause
// Sorting of 64-bit keys where the data lies: CUB's radix sort on NVIDIA GPUs, core/host_sort.hpp on the host, where
// values that travel with their keys are left to the standard library: only GPUs have such.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dromos/core/check_cuda.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/host_sort.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace dromos {

/// Arrays that a sort moves between: `current` holds the data, `spare` is work space of the same size.
template <class T, class Memory>
struct SortBuffers {
  Kokkos::View<T*, Memory> current;
  Kokkos::View<T*, Memory> spare;
};

/// Sorts keys ascending by their lowest `num_bits` bits, the values with them, equal keys in the order they had.
/// Values may be empty. The sorted data is in `current` afterwards, which may be the former `spare`. Waits.
template <class Space, class Memory, class Value>
void sort_by_key(const Space& space, SortBuffers<std::uint64_t, Memory>& keys, SortBuffers<Value, Memory>& values,
                 [[maybe_unused]] int num_bits) {
  const std::size_t size = keys.current.extent(0);
  const bool with_values = values.current.extent(0) != 0;
  fence(space, "dromos::sort_by_key");
  if (size == 0) return;
  if constexpr (host_accessible<Memory>) {
    if (!with_values) {
      host_sort(keys.current.data(), size);
      return;
    }
    std::vector<std::pair<std::uint64_t, Value>> pairs(size);
    for (std::size_t i = 0; i < size; ++i) pairs[i] = {keys.current(i), values.current(i)};
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < size; ++i) std::tie(keys.current(i), values.current(i)) = pairs[i];
  } else {
#ifdef KOKKOS_ENABLE_CUDA
    cub::DoubleBuffer<std::uint64_t> key_buffers(keys.current.data(), keys.spare.data());
    cub::DoubleBuffer<Value> value_buffers(values.current.data(), values.spare.data());
    const auto sort = [&](void* work, std::size_t& num_bytes) {
      const auto count = static_cast<std::int64_t>(size);
      return with_values ? cub::DeviceRadixSort::SortPairs(work, num_bytes, key_buffers, value_buffers, count, 0,
                                                           num_bits, space.cuda_stream())
                         : cub::DeviceRadixSort::SortKeys(work, num_bytes, key_buffers, count, 0, num_bits,
                                                          space.cuda_stream());
    };
    std::size_t num_bytes = 0;
    detail::check_cuda(sort(nullptr, num_bytes), "sorting");
    const Kokkos::View<char*, Memory> work(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::sort_by_key::work")), num_bytes);
    detail::check_cuda(sort(work.data(), num_bytes), "sorting");
    fence(space, "dromos::sort_by_key");
    if (key_buffers.Current() != keys.current.data()) std::swap(keys.current, keys.spare);
    if (with_values && value_buffers.Current() != values.current.data()) std::swap(values.current, values.spare);
#else
    static_assert(host_accessible<Memory>, "of devices, Dromos sorts on those that Kokkos reaches through CUDA");
#endif
  }
}

}  // namespace dromos
