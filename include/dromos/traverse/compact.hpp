// SPDX-License-Identifier: BSD-3-Clause
// Vertices out of bitmaps: the ascending list of all vertices that one bitmap has and another has not.
//
// The count of a word of 32 vertices is one population count, so that the scan that finds each word its place in the
// list goes over n / 32 elements, and words without a vertex cost nothing more.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>

namespace dromos {

/// Writes the vertices v with has(v) and not has_not(v) to the front of `list`, ascending, and returns their number.
/// Both bitmaps are of the same size; `list` has room for all of them. Waits.
template <class Space, class Vertex, class Memory>
std::int64_t compact_difference(const Space& space, const Bitmap<Memory>& has, const Bitmap<Memory>& has_not,
                                const Kokkos::View<Vertex*, Memory>& list) {
  const auto a = has.words();
  const auto b = has_not.words();
  std::int64_t num_vertices = 0;
  Kokkos::parallel_scan(
      "dromos::compact_difference",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(a.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t w, std::int64_t& sum, const bool final) {
        const auto word = a(w) & ~b(w);
        if (final) {
          Vertex* to = list.data() + sum;
          for (auto rest = word; rest != 0; rest &= rest - 1) {
            *to++ = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
          }
        }
        sum += population_count(word);
      },
      num_vertices);
  return num_vertices;
}

}  // namespace dromos
