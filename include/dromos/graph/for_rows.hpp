// SPDX-License-Identifier: BSD-3-Clause
// Kernels over the rows of a graph that read or write each row's edges in order, hubs' too.
//
//   for_rows("dromos::...", space, num_rows, body);      body(u, lanes) for each row u
//
// On a CPU a thread takes a row, and rows are dealt out to the threads as they come for more. On a GPU, where one
// thread would walk a hub's row for longer than all others take together, a warp takes a row, and each of its lanes
// every 32nd edge of it. A body is written once for both:
//
//   for (Offset e = begin + lanes.lane; e < end; e += lanes.width) ...      its edges, of Lanes::width threads'
//   together
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/warp.hpp>
#include <string>

namespace dromos {

/// The threads that take a row together: a whole warp, or one. Every function is a collective of all of them.
template <class Space>
struct Lanes {
  static constexpr int width = has_warps<Space> ? warp_width : 1;

  int lane;

  /// What each of them says, a bit each.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t votes(bool vote) const {
    if constexpr (width == 1) return vote ? 1u : 0u;
    return ballot(whole_warp, vote);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int count(std::uint32_t votes) {
    if constexpr (width == 1) return static_cast<int>(votes);
    return population_count(votes);
  }
  /// How many of those who voted come before this one.
  KOKKOS_FORCEINLINE_FUNCTION int before(std::uint32_t votes) const {
    if constexpr (width == 1) return 0;
    return votes_before(votes, lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t sum(std::int64_t value) const {
    if constexpr (width == 1) return value;
    return static_cast<std::int64_t>(warp_sum(static_cast<unsigned long long>(value)));
  }
};

namespace detail {

template <class Space, class Body>
struct RowsByWarps {
  std::int64_t num_rows;
  Body body;
  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    for_words_of_warp(team, num_rows, [&](std::int64_t u, int lane) { body(u, Lanes<Space>{lane}); });
  }
};

template <class Space, class Body>
struct TileOfRows {
  static constexpr std::int64_t size = 64;
  std::int64_t num_rows;
  const Body& body;
  void operator()(std::int64_t tile) const {
    const std::int64_t last = dromos::min(num_rows, (tile + 1) * size);
    for (std::int64_t u = tile * size; u < last; ++u) body(u, Lanes<Space>{0});
  }
};

}  // namespace detail

/// body(u, lanes), a const call, for each u in [0, num_rows). Does not wait.
template <class Space, class Body>
void for_rows(const std::string& label, const Space& space, std::int64_t num_rows, const Body& body) {
  if (num_rows == 0) return;
  if constexpr (has_warps<Space>) {
    Kokkos::parallel_for(label, as_argument<Space>(detail::teams_of_warps(space, num_rows)),
                         detail::RowsByWarps<Space, Body>{num_rows, body});
  } else {
    using Tile = detail::TileOfRows<Space, Body>;
    deal_out(label, space, (num_rows + Tile::size - 1) / Tile::size, Tile{num_rows, body});
  }
}

}  // namespace dromos
