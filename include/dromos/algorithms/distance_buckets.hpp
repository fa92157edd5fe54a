// SPDX-License-Identifier: BSD-3-Clause
// What delta-stepping (algorithms/sssp.hpp) needs beside sweeps: weights that are fit for it, and the pile of vertices
// that wait for a later bucket, a bitmap out of which one bucket after the other is taken.
//
// A vertex is put on the pile when its distance shrinks to something beyond the bucket, and stays there when a still
// smaller distance brings it into an earlier one: whoever looks at the pile knows it by that distance.
//
//   bucket [2, 3), waiting 4 5 7 with distances 3.1 2.4 4.0     5 was settled here: smallest waiting 3.1
//   bucket [3.1, 4.1) takes 4 and 7                             nobody waits any more
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/team_reserve.hpp>
#include <dromos/core/types.hpp>
#include <limits>
#include <type_traits>

namespace dromos {

/// Distance of a vertex that was not reached: infinity, and of whole numbers the largest there is.
template <class Distance>
inline constexpr Distance no_distance = std::numeric_limits<Distance>::has_infinity
                                            ? std::numeric_limits<Distance>::infinity()
                                            : std::numeric_limits<Distance>::max();

/// What distances can be: whole numbers of 64 bits, exact where all weights are whole; double; or float, which is half
/// as wide and rounds as soon as a distance has more than 24 significant bits.
template <class Distance>
inline constexpr bool is_distance_type =
    std::is_same_v<Distance, std::int64_t> || std::is_same_v<Distance, double> || std::is_same_v<Distance, float>;

/// Weights whose sum is below this have all distances in whole numbers, with room for a bucket behind the last.
inline constexpr double most_whole_distance = 4611686018427387904.0;  // 2^62

namespace detail {

KOKKOS_FORCEINLINE_FUNCTION bool is_whole(float weight) {
  return weight < static_cast<float>(most_whole_distance) &&
         static_cast<float>(static_cast<std::int64_t>(weight)) == weight;
}

/// The first weight that is negative or not a number; the number of weights where there is none.
template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE Offset first_bad_weight(const Space& space, const Kokkos::View<float*, Memory>& weights) {
  const Offset num_weights = static_cast<Offset>(weights.extent(0));
  Offset first_bad = num_weights;
  Kokkos::parallel_reduce(
      "dromos::sssp::check_weights", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_weights),
      KOKKOS_LAMBDA(const std::int64_t e, Offset& first) {
        if (!(weights(e) >= 0) && e < first) first = e;
      },
      Kokkos::Min<Offset>(first_bad));
  return dromos::min(first_bad, num_weights);
}

template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE double sum_of_weights(const Space& space, const Kokkos::View<float*, Memory>& weights) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "dromos::sssp::sum_of_weights",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, weights.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t e, double& s) { s += static_cast<double>(weights(e)); }, sum);
  return sum;
}

template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE double sum_of_roots(const Space& space, const Kokkos::View<float*, Memory>& weights) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "dromos::sssp::sum_of_roots",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, weights.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t e, double& s) { s += sqrt(static_cast<double>(weights(e))); }, sum);
  return sum;
}

/// What most weights are like. The mean, where it says that: one weight of 10^12 among a million of 1000 makes it a
/// thousand times too large, and buckets as wide. The square of the mean root is then hardly moved, and of weights that
/// are equal, uniform or exponential it is more than half of the mean.
inline double typical_weight(double mean, double mean_root) {
  return mean <= 4 * mean_root * mean_root ? mean : mean_root * mean_root;
}

/// Are there only whole weights?
template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE bool weights_are_whole(const Space& space, const Kokkos::View<float*, Memory>& weights) {
  std::int64_t num_others = 0;
  Kokkos::parallel_reduce(
      "dromos::sssp::whole_weights",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, weights.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t e, std::int64_t& sum) { sum += !is_whole(weights(e)); }, num_others);
  return num_others == 0;
}

/// What a look at the pile found.
template <class Distance>
struct TakenBucket {
  std::int64_t size = 0;
  Distance least_left = no_distance<Distance>;  ///< the smallest distance of those who wait on
};

/// One team's tile of the pile.
template <class Space, class Vertex, class Distance, class Memory>
struct TakeFromPile {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;
  static constexpr int team_size = is_gpu<Space> ? 256 : 1;
  static constexpr int words_per_thread = is_gpu<Space> ? 1 : 256;
  using Bits = std::conditional_t<sizeof(Distance) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

  Kokkos::View<typename Bitmap<Memory>::Word*, Memory> words;
  Kokkos::View<const Distance*, Memory> distance;
  Distance from, to;
  Kokkos::View<Vertex*, Memory> queue;
  Kokkos::View<std::uint64_t*, Memory> counts;  ///< taken; the least distance left, as the complement of its bits

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t tile = static_cast<std::int64_t>(team.team_size()) * words_per_thread;
    const std::int64_t first = team.league_rank() * tile + team.team_rank();
    const std::int64_t last = dromos::min<std::int64_t>(first + tile, words.extent(0));
    std::int64_t taken = 0;
    Distance least = no_distance<Distance>;
    for (std::int64_t w = first; w < last; w += team.team_size()) {
      for (auto rest = words.data()[w]; rest != 0; rest &= rest - 1) {
        const Distance d = distance_of(w, rest);
        taken += d >= from && d < to;
        if (d >= to) least = dromos::min(least, d);
      }
    }
    Vertex* put = queue.data() + team_reserve(team, taken, &counts.data()[0]);
    if (least < no_distance<Distance>) {
      const std::uint64_t bits = ~bits_of(least);
      if (atomic_load(&counts.data()[1]) < bits) Kokkos::atomic_fetch_max(&counts.data()[1], bits);
    }
    for (std::int64_t w = first; w < last; w += team.team_size()) {
      const auto word = words.data()[w];
      auto still = word;
      for (auto rest = word; rest != 0; rest &= rest - 1) {
        const Distance d = distance_of(w, rest);
        if (d >= to) continue;
        still &= ~(rest & (~rest + 1));
        if (d >= from) *put++ = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
      }
      if (still != word) words.data()[w] = still;
    }
  }

  /// Distances are not negative, so that they are ordered as their bits are.
  static KOKKOS_FUNCTION std::uint64_t bits_of(Distance d) {
    Bits bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
  }
  static Distance of_bits(std::uint64_t wide) {
    const auto bits = static_cast<Bits>(wide);
    Distance d;
    std::memcpy(&d, &bits, sizeof d);
    return d;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Distance distance_of(std::int64_t w, typename Bitmap<Memory>::Word rest) const {
    return distance.data()[w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest)];
  }
};

/// Takes out those who wait with a distance in [from, to), and those with a smaller one, who were settled in the
/// meantime. The former are written to `queue`, in any order.
///
/// \param counts  two of them
template <class Space, class Vertex, class Distance, class Memory>
TakenBucket<Distance> take_from_pile(const Space& space, const Bitmap<Memory>& waiting,
                                     const Kokkos::View<Distance*, Memory>& distance, Distance from, Distance to,
                                     const Kokkos::View<Vertex*, Memory>& queue, DeviceCounts<Memory>& counts) {
  using Kernel = TakeFromPile<Space, Vertex, Distance, Memory>;
  const std::int64_t num_words = static_cast<std::int64_t>(waiting.words().extent(0));
  const std::int64_t tile = Kernel::team_size * Kernel::words_per_thread;
  if (num_words == 0) return {};
  counts.open(space);
  Kokkos::parallel_for(
      "dromos::sssp::take_from_pile",
      typename Kernel::Policy(space, static_cast<int>((num_words + tile - 1) / tile), Kernel::team_size),
      Kernel{waiting.words(), distance, from, to, queue, counts.on_device()});
  counts.read(space);
  TakenBucket<Distance> taken{static_cast<std::int64_t>(counts[0]), no_distance<Distance>};
  if (counts[1] != 0) taken.least_left = Kernel::of_bits(~counts[1]);
  return taken;
}

}  // namespace detail

}  // namespace dromos
