// SPDX-License-Identifier: BSD-3-Clause
// Totals of what every rank has a piece of: all pieces on all ranks, and each combines them in the order of ranks, so
// that all have the same bits.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <vector>

namespace dromos::detail {

template <class Combine, class Memory>
struct UnitePieces {
  using Value = typename Combine::Value;
  Kokkos::View<const Value*, Memory> pieces;
  std::int64_t size;
  int num_ranks;
  Kokkos::View<Value*, Memory> totals;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    Value value = pieces(k);
    for (int r = 1; r < num_ranks; ++r) value = Combine::combine(value, pieces(r * size + k));
    totals(k) = value;
  }
};

/// totals(k) = own(k) of all ranks, combined (traverse/gather.hpp); `size` of them. Collective. Waits.
///
/// \param pieces  a value for each rank and k
/// \param totals  may be own
template <class Combine, class Space, class Memory>
void unite_pieces(const Communicator& communicator, const Space& space,
                  const Kokkos::View<typename Combine::Value*, Memory>& own, std::int64_t size,
                  ReusedBuffer<Memory>& pieces, const Kokkos::View<typename Combine::Value*, Memory>& totals) {
  const int num_ranks = communicator.size();
  const auto all = pieces.template of<typename Combine::Value>(num_ranks * size);
  allgatherv(communicator, space, own, size, all,
             consecutive_blocks(std::vector<std::int64_t>(static_cast<std::size_t>(num_ranks), size)));
  Kokkos::parallel_for("dromos::unite_pieces",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
                       UnitePieces<Combine, Memory>{all, size, num_ranks, totals});
  fence(space, "dromos::unite_pieces");
}

}  // namespace dromos::detail
