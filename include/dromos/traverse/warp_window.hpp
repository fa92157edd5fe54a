// SPDX-License-Identifier: BSD-3-Clause
// Whose edges a warp has before it, of 32 that follow each other in the collapsed loop.
//
// Each lane could look for the vertex of its edge by itself (highest_less_than), ten steps that wait for each other.
// But 32 edges are those of 32 vertices at most, from the one on in which the first of them lies: a lane reads where
// one of these begins, and each counts by five exchanges how many do so up to its own edge.
//
//   edges of vertices  5 5 6 8 8 8 8 9     window 5 .. 8 of 4 edges: 8 8 8 9
//   begin at           0 2 3 7             of those after 8, the first begins at place 3 of the window
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/highest_less_than.hpp>
#include <limits>

namespace dromos {

/// A warp's way through the edges, whose windows ascend; the same in every lane. Place: a number of an edge.
template <class Place>
class WarpWindow {
 public:
  /// \param low  a vertex whose edges begin no later than the first window
  KOKKOS_FORCEINLINE_FUNCTION explicit WarpWindow(Place low) : vertex_(low) {}

  /// The next window begins at edge `first`, further on than where the last one ended. A collective of the warp.
  template <class Prefix>
  KOKKOS_FORCEINLINE_FUNCTION void jump(const Prefix& prefix, Place high, Place first, int lane) {
    if (first < end_) return;
    vertex_ = static_cast<Place>(highest_less_than_by_warp(prefix, vertex_, high, first, lane));
    end_ = first;
  }

  /// Of which vertex edge `first` + lane is, of vertices below `high` whose edges begin at `prefix`. The window begins
  /// where the last one ended or where jump() said. A collective of the warp.
  template <class Prefix>
  KOKKOS_FORCEINLINE_FUNCTION Place vertex_of(const Prefix& prefix, Place high, Place first, int lane) {
    if (first + warp_width <= end_) return vertex_;
    const Place other = vertex_ + 1 + lane;
    const int begins =
        other < high ? static_cast<int>(dromos::min<Place>(prefix[other] - first, warp_width)) : warp_width;
    int before = 0;
    for (int step = warp_width / 2; step > 0; step /= 2) {
      if (warp_broadcast(begins, before + step - 1) <= lane) before += step;
    }
    Place k = vertex_ + before;
    if (warp_broadcast(begins, warp_width - 1) <= lane) {  // some between have no edges
      k = static_cast<Place>(highest_less_than(prefix, vertex_ + warp_width, high, first + lane));
    }
    vertex_ = warp_broadcast(k, warp_width - 1);
    end_ = vertex_ + 1 < high ? static_cast<Place>(prefix[vertex_ + 1]) : no_end;
    return k;
  }

 private:
  static constexpr Place no_end = std::numeric_limits<Place>::max();

  Place vertex_;
  Place end_ = std::numeric_limits<Place>::min();  ///< of its edges, or less
};

}  // namespace dromos
