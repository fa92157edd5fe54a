// SPDX-License-Identifier: BSD-3-Clause
// What waits to be sent to other ranks of a search separated by degree: the receiver's local number of a vertex that
// was found and this rank's of the vertex that it was found from, 8 bytes together
// (distributed/moving/vertex_pairs.hpp).
//
// Ranks are counted from this one on, as in the targets of nn. Each has a region as large as there are edges to it,
// which suffices because a normal vertex is in the frontier once:
//
//   3 ranks, 4 edges to the next rank and 2 to the one after      regions  0..0 | 0..4 | 4..6
//
// Who marks what he posts (U of the paper) posts each vertex once in a search.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/outbox.hpp>
#include <dromos/distributed/moving/vertex_pairs.hpp>
#include <dromos/graph/block_ids.hpp>

namespace dromos::detail {

/// Taken by kernels.
template <class Memory>
struct NormalOutbox {
  Outbox<std::uint64_t, Memory> pairs;
  Bitmap<Memory> posted{};  ///< by target; empty: a vertex is posted as often as it is found

  /// Own vertex u found v, a target of nn.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION void post(const BlockIds<Vertex>& ids, Vertex v, std::uint32_t u) const {
    if (posted.size() != 0 && !posted.claim(v)) return;
    pairs.put(ids.rank(v), pack_pair(static_cast<std::uint32_t>(ids.local(v)), u));
  }
};

}  // namespace dromos::detail
