// SPDX-License-Identifier: BSD-3-Clause
// Who owns which vertex where every rank owns vertices that follow each other, as files and results have them:
//
//   10 vertices, 3 ranks       rank 0 owns 0 1 2 3, rank 1 owns 4 5 6, rank 2 owns 7 8 9
//   vertex 8                   owner 2, local 1
//
// As graph/partition_1d.hpp has it with Dealing::blocks; slices of other things as well.
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

/// The partition in blocks, of which each is that of slice_of().
class BlockPartition : public Partition1d {
 public:
  /// Throws as Partition1d.
  BlockPartition(std::int64_t num_vertices, int num_ranks) : Partition1d(num_vertices, num_ranks, Dealing::blocks) {}

  /// The first vertex that the rank owns.
  KOKKOS_FUNCTION std::int64_t first(int rank) const { return global_id(rank, 0); }
};

}  // namespace dromos
