// SPDX-License-Identifier: BSD-3-Clause
// Two sums in one reduction: what a pass over memory costs is the memory, so that whoever needs two should not go
// twice.
//
//   TwoSums sums;
//   Kokkos::parallel_reduce(policy, KOKKOS_LAMBDA(int i, TwoSums& s) { s.first += a(i); s.second += b(i); },
//                           Kokkos::Sum<TwoSums>(sums));
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace dromos {

struct TwoSums {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  KOKKOS_FUNCTION TwoSums& operator+=(const TwoSums& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
  /// Reductions of Kokkos before 4.0 combine values that they call volatile.
  KOKKOS_FUNCTION void operator+=(const volatile TwoSums& other) volatile {
    first = first + other.first;
    second = second + other.second;
  }
};

}  // namespace dromos

/// \cond  what Kokkos asks for, and nobody else
template <>
struct Kokkos::reduction_identity<dromos::TwoSums> {
  KOKKOS_FORCEINLINE_FUNCTION static dromos::TwoSums sum() { return {}; }
};
/// \endcond
