// SPDX-License-Identifier: BSD-3-Clause
// How many vertices of a list belong to each rank: by pieces, each of which counts for itself, without atomics.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/block_ids.hpp>
#include <vector>

namespace dromos::detail {

/// How many of these block ids belong to each rank.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE std::vector<std::int64_t> count_by_rank(const Space& space,
                                                              const Kokkos::View<Vertex*, Memory>& vertices,
                                                              const BlockIds<Vertex>& ids) {
  const int num_ranks = ids.num_ranks();
  const std::int64_t size = static_cast<std::int64_t>(vertices.extent(0));
  const std::int64_t num_pieces = dromos::min<std::int64_t>(is_gpu<Space> ? 1 << 15 : 64, size / 64 + 1);
  const Kokkos::View<std::int64_t*, Memory> counts("dromos::count_by_rank", num_pieces * num_ranks);
  Kokkos::parallel_for(
      "dromos::count_by_rank", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_pieces),
      KOKKOS_LAMBDA(const std::int64_t piece) {
        const std::int64_t last = size * (piece + 1) / num_pieces;
        for (std::int64_t e = size * piece / num_pieces; e < last; ++e) {
          ++counts(piece * num_ranks + ids.rank(vertices(e)));
        }
      });
  fence(space, "dromos::count_by_rank");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::vector<std::int64_t> totals(static_cast<std::size_t>(num_ranks), 0);
  for (std::int64_t i = 0; i < num_pieces * num_ranks; ++i) totals[i % num_ranks] += host(i);
  return totals;
}

}  // namespace dromos::detail
