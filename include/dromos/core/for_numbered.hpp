// SPDX-License-Identifier: BSD-3-Clause
// Loops of which some items get numbers of their own from counters that all items share: their places in arrays that
// grow.
//
//   for_numbered("dromos::...", space, n, f);
//
//     F::num_counters                   how many counters there are
//     f.counter(k)                      the k-th
//     F::Item f.look_at(i)              what is to be known of item i; bit k of `asks` in it: it wants a number of
//                                       counter k
//     f.take(item, k, number)           here is one: what the counter had before, all different
//
// Nothing is said about the order of numbers. Atomic operations on one counter are done one after the other: so a team
// of a GPU first looks at all of its items, of which each thread has several, and then asks once for all of them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/warp.hpp>
#include <string>

namespace dromos {

namespace detail {

template <class F>
struct NumberEach {
  F f;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const typename F::Item item = f.look_at(i);
    for (int k = 0; k < F::num_counters; ++k) {
      if ((item.asks >> k & 1u) != 0) f.take(item, k, atomic_fetch_add(f.counter(k), std::uint64_t(1)));
    }
  }
};

template <class Space, class F>
struct NumberTiles {
  static constexpr int team_size = 256;
  static constexpr int num_warps = team_size / warp_width;
  static constexpr int items_of_thread = 4;
  static constexpr int tile = team_size * items_of_thread;
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<team_size, 2>>;

  std::int64_t n;
  F f;

  /// Of the warps: how many numbers each wants, then the first that it gets.
  struct Scratch {
    std::uint64_t numbers[F::num_counters][num_warps];
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + alignof(Scratch); }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Scratch& scratch = *team_array<Scratch>(team, 1);
    const int rank = team.team_rank(), lane = rank % warp_width, warp = rank / warp_width;
    const std::int64_t first = static_cast<std::int64_t>(team.league_rank()) * tile + rank;
    typename F::Item items[items_of_thread] = {};
    for (int j = 0; j < items_of_thread; ++j) {
      if (first + j * team_size < n) items[j] = f.look_at(first + j * team_size);
    }
    int place[F::num_counters][items_of_thread];  // among those of the warp
    for (int k = 0; k < F::num_counters; ++k) {
      int count = 0;
      for (int j = 0; j < items_of_thread; ++j) {
        const std::uint32_t votes = ballot(whole_warp, (items[j].asks >> k & 1u) != 0);
        place[k][j] = count + votes_before(votes, lane);
        count += population_count(votes);
      }
      if (lane == 0) scratch.numbers[k][warp] = static_cast<std::uint64_t>(count);
    }
    team.team_barrier();
    if (rank < F::num_counters) take_for_all(scratch.numbers[rank], f.counter(rank));
    team.team_barrier();
    for (int k = 0; k < F::num_counters; ++k) {
      for (int j = 0; j < items_of_thread; ++j) {
        if ((items[j].asks >> k & 1u) != 0) {
          f.take(items[j], k, scratch.numbers[k][warp] + static_cast<std::uint64_t>(place[k][j]));
        }
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void take_for_all(std::uint64_t (&numbers)[num_warps], std::uint64_t* counter) {
    std::uint64_t all = 0;
    for (int w = 0; w < num_warps; ++w) all += numbers[w];
    std::uint64_t next = all == 0 ? 0 : atomic_fetch_add(counter, all);
    for (int w = 0; w < num_warps; ++w) {
      const std::uint64_t count = numbers[w];
      numbers[w] = next;
      next += count;
    }
  }
};

}  // namespace detail

/// For items 0 .. n - 1. Does not wait.
template <class Space, class F>
void for_numbered(const std::string& label, const Space& space, std::int64_t n, const F& f) {
  if (n == 0) return;
  if constexpr (has_warps<Space>) {
    using Kernel = detail::NumberTiles<Space, F>;
    typename Kernel::Policy policy(space, static_cast<int>((n + Kernel::tile - 1) / Kernel::tile), Kernel::team_size);
    policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
    Kokkos::parallel_for(label, policy, Kernel{n, f});
  } else {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
                         detail::NumberEach<F>{f});
  }
}

}  // namespace dromos
