// SPDX-License-Identifier: BSD-3-Clause
// The search that undoes a Manhattan collapse: which vertex does edge number j of the collapsed loop belong to?
//
// Given prefix sums P of degrees, edge j belongs to the largest k with P[k] <= j:
//
//   degrees 2 0 3    P = 0 2 2    j = 0 1 2 3 4
//                                 k = 0 0 2 2 2      vertex 1 has no edge, so no j leads to it
//
// Source: Slota et al. 2015, Algorithm 4 (HIGHESTLESSTHAN). The bounds printed there fail at the last element and at
// vertices of degree zero, so this is the textbook upper-bound search instead, which is right for both and needs no
// sentinel after the last prefix sum.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/warp.hpp>

namespace dromos {

/// The largest k in [low, high) with prefix[k] <= value. Requires low < high and prefix[low] <= value, and prefix
/// ascending. `prefix` is anything that can be indexed: a pointer, a View, a work set's prefix.
template <class Prefix, class Value>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t highest_less_than(const Prefix& prefix, std::int64_t low, std::int64_t high,
                                                           const Value value) {
  // Invariant: prefix[low] <= value, and prefix[high] > value or high is the end.
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    if (prefix[middle] <= value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The same, by a whole warp that asks for 32 places at once, and so answers in a fifth of the steps. A collective of
/// the warp, told to every lane.
template <class Prefix, class Value>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t highest_less_than_by_warp(const Prefix& prefix, std::int64_t low,
                                                                   std::int64_t high, const Value value, int lane) {
  for (;;) {
    const std::int64_t step = (high - low + warp_width - 1) / warp_width;
    const std::int64_t place = low + lane * step;
    const int last = population_count(ballot(whole_warp, place < high && prefix[place] <= value)) - 1;
    low += last * step;
    high = high < low + step ? high : low + step;
    if (step == 1) return low;
  }
}

/// The same for two values at a time, whose answers are on their way together. \returns both, that of `first` first
template <class Prefix, class Value>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::pair<std::int64_t, std::int64_t> highest_less_than_by_warp(
    const Prefix& prefix, std::int64_t low, std::int64_t high, const Value first, const Value second, int lane) {
  std::int64_t lows[2] = {low, low};
  for (std::int64_t width = high - low; width > 1;) {
    const std::int64_t step = (width + warp_width - 1) / warp_width;
    const std::int64_t places[2] = {lows[0] + lane * step, lows[1] + lane * step};
    const bool below[2] = {places[0] < high && prefix[places[0]] <= first,
                           places[1] < high && prefix[places[1]] <= second};
    lows[0] += (population_count(ballot(whole_warp, below[0])) - 1) * step;
    lows[1] += (population_count(ballot(whole_warp, below[1])) - 1) * step;
    width = step;
  }
  return {lows[0], lows[1]};
}

}  // namespace dromos
