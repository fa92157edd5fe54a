// SPDX-License-Identifier: BSD-3-Clause
// How many vertices of a list belong to each rank: by pieces, each of which counts for itself, without atomics.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/graph/block_ids.hpp>
#include <vector>

namespace dromos::detail {

template <class Vertex, class Memory>
struct CountPieceByRank {
  Kokkos::View<const Vertex*, Memory> vertices;
  BlockIds<Vertex> ids;
  std::int64_t num_pieces;
  Kokkos::View<std::int64_t*, Memory> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    const int num_ranks = ids.num_ranks();
    const auto size = static_cast<std::int64_t>(vertices.extent(0));
    const std::int64_t last = size * (piece + 1) / num_pieces;
    for (std::int64_t e = size * piece / num_pieces; e < last; ++e) {
      ++counts(piece * num_ranks + ids.rank(vertices(e)));
    }
  }
};

/// How many of these block ids belong to each rank.
template <class Space, class Vertex, class Memory>
std::vector<std::int64_t> count_by_rank(const Space& space, const Kokkos::View<Vertex*, Memory>& vertices,
                                        const BlockIds<Vertex>& ids) {
  const int num_ranks = ids.num_ranks();
  const std::int64_t size = static_cast<std::int64_t>(vertices.extent(0));
  const std::int64_t num_pieces = dromos::min<std::int64_t>(is_gpu<Space> ? 1 << 15 : 64, size / 64 + 1);
  const Kokkos::View<std::int64_t*, Memory> counts("dromos::count_by_rank", num_pieces * num_ranks);
  for_range("dromos::count_by_rank", space, num_pieces,
            CountPieceByRank<Vertex, Memory>{vertices, ids, num_pieces, counts});
  fence(space, "dromos::count_by_rank");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::vector<std::int64_t> totals(static_cast<std::size_t>(num_ranks), 0);
  for (std::int64_t i = 0; i < num_pieces * num_ranks; ++i) totals[i % num_ranks] += host(i);
  return totals;
}

}  // namespace dromos::detail
