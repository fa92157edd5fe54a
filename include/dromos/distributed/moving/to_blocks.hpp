// SPDX-License-Identifier: BSD-3-Clause
// From one value per owned vertex to one for each of a contiguous block of vertices on each rank, in the order of
// global ids: for output that all ranks write.
//
//   7 vertices, 3 ranks    rank 0 owns 0 3 6, rank 1 owns 1 4, rank 2 owns 2 5
//   blocks                 rank 0 has 0 1, rank 1 has 2 3, rank 2 has 4 5 6
//
// What one rank owns of another's block is a piece of its values, so that nothing is sorted.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <vector>

namespace dromos {

namespace detail {

/// The values of one rank go to every stride-th place of a block.
template <class T, class Memory>
struct PlaceInBlock {
  Kokkos::View<const T*, Memory> arrived;
  std::int64_t first_arrived, first_place, stride;
  Kokkos::View<T*, Memory> block;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    block(first_place + i * stride) = arrived(first_arrived + i);
  }
};

}  // namespace detail

/// Element i of the result is what the owner of vertex first + i has for it, [first, last) being this rank's
/// slice_of(num_vertices, rank, size). Collective.
///
/// \param own  partition.num_local(rank) values
template <class Space, class T, class Memory>
Kokkos::View<T*, Memory> to_blocks(const Communicator& communicator, const Space& space, const Partition1d& partition,
                                   const Kokkos::View<T*, Memory>& own) {
  const int p = communicator.size(), me = communicator.rank();
  const std::int64_t n = partition.num_vertices();
  const std::int64_t stride = partition.dealing() == Dealing::cyclic ? p : 1;
  const auto [first, last] = slice_of(n, me, p);
  std::vector<Block> leaving, arriving;
  std::int64_t size = 0;
  for (int r = 0; r < p; ++r) {
    const auto [begin, end] = slice_of(n, r, p);
    const std::int64_t from = partition.num_local_below(me, begin);
    leaving.push_back({from, partition.num_local_below(me, end) - from});
    const std::int64_t count = partition.num_local_below(r, last) - partition.num_local_below(r, first);
    arriving.push_back({size, count});
    size += count;
  }
  const auto arrived = detail::uninitialized<T, Memory>("dromos::to_blocks::arrived", size);
  alltoallv(communicator, space, own, leaving, arrived, arriving);
  const auto block = detail::uninitialized<T, Memory>("dromos::to_blocks", size);
  for (int r = 0; r < p; ++r) {
    const Block& from = arriving[static_cast<std::size_t>(r)];
    const std::int64_t smallest = partition.global_id(r, partition.num_local_below(r, first));
    Kokkos::parallel_for("dromos::to_blocks",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, from.size),
                         detail::PlaceInBlock<T, Memory>{arrived, from.offset, smallest - first, stride, block});
  }
  fence(space, "dromos::to_blocks");
  return block;
}

}  // namespace dromos
