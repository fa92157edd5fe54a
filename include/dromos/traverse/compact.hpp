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
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>

namespace dromos {

namespace detail {

/// Of a word: how many bits `has` has and `has_not` has not, and at last their vertices where the list has room for
/// them.
template <class Vertex, class Memory>
struct WriteDifference {
  BitmapWords<Memory> has, has_not;
  bool all;  ///< there is no has_not
  Vertex first;
  Kokkos::View<Vertex*, Memory> list;

  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum, bool final) const {
    const auto word = all ? has(w) : has(w) & ~has_not(w);
    if (final) {
      Vertex* to = list.data() + sum;
      for (auto rest = word; rest != 0; rest &= rest - 1) {
        *to++ = first + static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
      }
    }
    sum += population_count(word);
  }
};

}  // namespace detail

/// Writes the vertices of bits that `has` has and `has_not` has not to the front of `list`, ascending, and returns
/// their number. Waits.
///
/// \param has_not  of the same size, or empty: nothing
/// \param first    the vertex of the first bit
/// \param list     has room for all of them
template <class Space, class Vertex, class Memory>
std::int64_t compact_words(const Space& space, const BitmapWords<Memory>& has, const BitmapWords<Memory>& has_not,
                           Vertex first, const Kokkos::View<Vertex*, Memory>& list) {
  std::int64_t num_vertices = 0;
  Kokkos::parallel_scan(
      "dromos::compact_difference",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(has.extent(0))),
      detail::WriteDifference<Vertex, Memory>{has, has_not, has_not.extent(0) == 0, first, list}, num_vertices);
  return num_vertices;
}

/// The same of whole bitmaps.
template <class Space, class Vertex, class Memory>
std::int64_t compact_difference(const Space& space, const Bitmap<Memory>& has, const Bitmap<Memory>& has_not,
                                const Kokkos::View<Vertex*, Memory>& list) {
  return compact_words<Space, Vertex, Memory>(space, has.words(), has_not.words(), 0, list);
}

namespace detail {

template <class Vertex, class Memory>
struct TakeOutBits {
  Kokkos::View<typename Bitmap<Memory>::Word*, Memory> words;
  Kokkos::View<Vertex*, Memory> list;

  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum, bool final) const {
    const auto word = words(w);
    if (final && word != 0) {
      Vertex* to = list.data() + sum;
      for (auto rest = word; rest != 0; rest &= rest - 1) {
        *to++ = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
      }
      words(w) = 0;
    }
    sum += population_count(word);
  }
};

}  // namespace detail

/// Writes the vertices of a bitmap to the front of `list`, ascending, makes every bit zero and returns their number.
/// Waits.
template <class Space, class Vertex, class Memory>
std::int64_t take_out(const Space& space, const Bitmap<Memory>& bitmap, const Kokkos::View<Vertex*, Memory>& list) {
  std::int64_t num_vertices = 0;
  Kokkos::parallel_scan("dromos::take_out",
                        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                            space, 0, static_cast<std::int64_t>(bitmap.words().extent(0))),
                        detail::TakeOutBits<Vertex, Memory>{bitmap.words(), list}, num_vertices);
  return num_vertices;
}

namespace detail {

/// A team asks for room once, and its threads, a word each, write behind each other.
template <class Space, class Vertex, class Memory>
struct GatherDifference {
  BitmapWords<Memory> has, has_not;
  std::int64_t num_words;
  bool all;  ///< there is no has_not
  Vertex first;
  Kokkos::View<Vertex*, Memory> list;
  Kokkos::View<unsigned long long*, Memory> counter;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    const std::int64_t w = static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank();
    const auto word = w >= num_words ? 0u : all ? has(w) : has(w) & ~has_not(w);
    const int mine = population_count(word);
    const int before = team.team_scan(mine);
    unsigned long long begin = 0;
    if (team.team_rank() == team.team_size() - 1) {
      begin = atomic_fetch_add(counter.data(), static_cast<unsigned long long>(before + mine));
    }
    team.team_broadcast(begin, team.team_size() - 1);
    Vertex* to = list.data() + begin + before;
    for (auto rest = word; rest != 0; rest &= rest - 1) {
      *to++ = first + static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
    }
  }
};

}  // namespace detail

/// The vertices of compact_words(), in any order on a GPU, where that is several times faster (ascending
/// elsewhere). The caller knows how many there are. Does not wait on a GPU.
///
/// \param counter  one element, work space
template <class Space, class Vertex, class Memory>
void gather_words(const Space& space, const BitmapWords<Memory>& has, const BitmapWords<Memory>& has_not, Vertex first,
                  const Kokkos::View<Vertex*, Memory>& list,
                  [[maybe_unused]] const Kokkos::View<unsigned long long*, Memory>& counter) {
  if constexpr (is_gpu<Space>) {
    using Policy = Kokkos::TeamPolicy<Space>;
    constexpr int team_size = 256;
    const std::int64_t num_words = static_cast<std::int64_t>(has.extent(0));
    fill(space, counter, 0ull);
    Kokkos::parallel_for("dromos::gather_difference",
                         Policy(space, static_cast<int>((num_words + team_size - 1) / team_size), team_size),
                         detail::GatherDifference<Space, Vertex, Memory>{has, has_not, num_words,
                                                                         has_not.extent(0) == 0, first, list, counter});
  } else {
    compact_words(space, has, has_not, first, list);
  }
}

/// The same of whole bitmaps.
template <class Space, class Vertex, class Memory>
void gather_difference(const Space& space, const Bitmap<Memory>& has, const Bitmap<Memory>& has_not,
                       const Kokkos::View<Vertex*, Memory>& list,
                       const Kokkos::View<unsigned long long*, Memory>& counter) {
  gather_words<Space, Vertex, Memory>(space, has.words(), has_not.words(), 0, list, counter);
}

}  // namespace dromos
