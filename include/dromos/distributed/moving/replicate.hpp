// SPDX-License-Identifier: BSD-3-Clause
// From one value per owned vertex on each rank to all values on every rank, in the order of global ids: for checks and
// for output, where a graph's vertices (not its edges) fit each rank.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <vector>

namespace dromos {

namespace detail {

template <class Partition, class T, class Memory>
struct PutInOrder {
  Partition partition;
  int r;
  std::int64_t first;
  Kokkos::View<const T*, Memory> by_rank;
  Kokkos::View<T*, Memory> all;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { all(partition.global_id(r, i)) = by_rank(first + i); }
};

}  // namespace detail

/// Element v of the result is what the owner of vertex v has for it. Collective.
///
/// \param partition  num_ranks(), num_vertices(), num_local(rank), global_id(rank, local)
/// \param local      num_local(rank) values
/// Memory: twice the result while it is made.
template <class Space, class Partition, class T, class Memory>
Kokkos::View<T*, Memory> replicate(const Communicator& communicator, const Space& space, const Partition& partition,
                                   const Kokkos::View<T*, Memory>& local) {
  std::vector<std::int64_t> sizes;
  for (int r = 0; r < communicator.size(); ++r) sizes.push_back(partition.num_local(r));
  const auto blocks = consecutive_blocks(sizes);
  const auto by_rank = detail::uninitialized<T, Memory>("dromos::replicate::by_rank", total_size(blocks));
  allgatherv(communicator, space, local, sizes[communicator.rank()], by_rank, blocks);
  const auto all = detail::uninitialized<T, Memory>("dromos::replicate", partition.num_vertices());
  for (int r = 0; r < communicator.size(); ++r) {
    for_range("dromos::replicate", space, sizes[r],
              detail::PutInOrder<Partition, T, Memory>{partition, r, blocks[r].offset, by_rank, all});
  }
  fence(space, "dromos::replicate");
  return all;
}

}  // namespace dromos
