// SPDX-License-Identifier: BSD-3-Clause
// What waits to be sent to other ranks of a search separated by degree: the receiver's local number of a vertex that
// was found, 4 bytes, and beside it, kept here, the vertex that it was found from. Nothing is overwritten during a
// search, so that a rank that is told "your 17th vertex" at the end can be answered whose child it is.
//
// Ranks are counted from this one on, as in the targets of nn. Each has a region as large as there are edges to it,
// which suffices because a normal vertex is in the frontier once:
//
//   3 ranks, 4 edges to the next rank and 2 to the one after      regions  0..0 | 0..4 | 4..6
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/distributed/moving/rank_cursors.hpp>

namespace dromos::detail {

/// Taken by kernels.
template <class Memory>
struct NormalOutbox {
  Kokkos::View<std::uint32_t*, Memory> vertex;  ///< the receiver's local number
  Kokkos::View<std::uint32_t*, Memory> from;    ///< the sender's
  RankCursors<Memory> cursors;

  KOKKOS_FORCEINLINE_FUNCTION void post(int away, std::uint32_t v, std::uint32_t u) const {
    const std::uint64_t place = cursors.take(away);
    vertex.data()[place] = v;
    from.data()[place] = u;
  }
};

}  // namespace dromos::detail
