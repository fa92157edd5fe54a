// SPDX-License-Identifier: BSD-3-Clause
// Who owns which vertex where every rank owns vertices that follow each other, as files and results have them:
//
//   10 vertices, 3 ranks       rank 0 owns 0 1 2 3, rank 1 owns 4 5 6, rank 2 owns 7 8 9
//   vertex 8                   owner 2, local 1
//
// As graph/partition_1d.hpp, which spreads the hubs and is what searches want.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <utility>

namespace dromos {

/// Part `rank` of `total` things dealt out in `num_ranks` contiguous parts that differ by one at most.
inline std::pair<Offset, Offset> slice_of(Offset total, int rank, int num_ranks) {
  const Offset share = total / num_ranks;
  const Offset rest = total % num_ranks;
  const Offset first = share * rank + (rank < rest ? rank : rest);
  return {first, first + share + (rank < rest ? 1 : 0)};
}

/// The parts are those of slice_of().
class BlockPartition {
 public:
  /// Throws as Partition1d.
  BlockPartition(std::int64_t num_vertices, int num_ranks)
      : cyclic_(num_vertices, num_ranks), share_(num_vertices / num_ranks), num_larger_(num_vertices % num_ranks) {}

  KOKKOS_FUNCTION std::int64_t num_vertices() const { return cyclic_.num_vertices(); }
  KOKKOS_FUNCTION int num_ranks() const { return cyclic_.num_ranks(); }
  /// As many as where they are dealt out one by one.
  KOKKOS_FUNCTION std::int64_t num_local(int rank) const { return cyclic_.num_local(rank); }
  /// The first vertex that the rank owns.
  KOKKOS_FUNCTION std::int64_t first(int rank) const {
    return share_ * rank + (rank < num_larger_ ? rank : num_larger_);
  }

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Place place(Vertex v) const {
    const std::int64_t behind_larger = num_larger_ * (share_ + 1);
    const std::int64_t rank = v < behind_larger ? v / (share_ + 1) : num_larger_ + (v - behind_larger) / share_;
    return {static_cast<int>(rank), v - first(static_cast<int>(rank))};
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t global_id(int rank, std::int64_t local) const { return first(rank) + local; }

 private:
  Partition1d cyclic_;
  std::int64_t share_;       // vertices of a rank at least
  std::int64_t num_larger_;  // ranks, the first ones, that have one more
};

}  // namespace dromos
