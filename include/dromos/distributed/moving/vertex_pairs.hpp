// SPDX-License-Identifier: BSD-3-Clause
// A vertex that was found and the one it was found from, as one 64-bit word: what searches sort and send.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos::detail {

/// A vertex and its parent on the wire: the receiver's local number of the one, the sender's of the other.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t pack_pair(std::uint32_t vertex, std::uint32_t parent) {
  return static_cast<std::uint64_t>(vertex) << 32 | parent;
}
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t vertex_of_pair(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32);
}
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t parent_of_pair(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}

template <class Memory>
struct KeepFirst {
  Kokkos::View<const std::uint64_t*, Memory> keys;
  int bits;
  Kokkos::View<std::uint64_t*, Memory> kept;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    if (i > 0 && keys(i - 1) >> bits == keys(i) >> bits) return;
    if (final) kept(sum) = keys(i);
    ++sum;
  }
};

/// Moves the first key of each vertex to `kept`; returns how many there are. Waits.
template <class Space, class Memory>
std::int64_t keep_first_of_each(const Space& space, const Kokkos::View<std::uint64_t*, Memory>& keys, int bits,
                                const Kokkos::View<std::uint64_t*, Memory>& kept) {
  std::int64_t num_kept = 0;
  Kokkos::parallel_scan(
      "dromos::vertex_pairs::unique",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(keys.extent(0))),
      KeepFirst<Memory>{keys, bits, kept}, num_kept);
  return num_kept;
}

}  // namespace dromos::detail
