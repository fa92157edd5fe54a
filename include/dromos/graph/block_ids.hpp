// SPDX-License-Identifier: BSD-3-Clause
// Vertex numbers inside a distributed graph: the owner in the high bits, its local number in the low ones.
//
//   10 vertices, 3 ranks, blocks of 2^2      global  0 3 6 9   1 4 7     2 5 8
//                                            block   0 1 2 3   4 5 6 .   8 9 10 .
//
// Owner and local number of a neighbor are a shift and a mask instead of a division per edge, and a bitmap over block
// ids has the vertices of a rank in one contiguous piece: what ranks know of each other's vertices is gathered by
// laying their own pieces side by side. This is the contiguous relabelling of Mastrostefano 2013, Section 5.3, without
// a table. A block has at least 32 numbers, a whole word of a bitmap; in all there are fewer than twice as many block
// ids as vertices (plus 64 a rank).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <string>
#include <type_traits>

namespace dromos {

template <class Vertex>
class BlockIds {
 public:
  using Unsigned = std::make_unsigned_t<Vertex>;

  BlockIds() = default;
  /// Throws ArgumentError where ids of this type do not suffice.
  BlockIds(std::int64_t max_num_local, int num_ranks) : num_ranks_(num_ranks) {
    while ((std::int64_t(1) << bits_) < max_num_local) ++bits_;
    if (size() > max_num_vertices<Vertex>) {
      throw ArgumentError("up to " + std::to_string(max_num_local) + " vertices on each of " +
                          std::to_string(num_ranks) + " ranks are more than " + std::to_string(8 * sizeof(Vertex)) +
                          "-bit ids can number in blocks; use 64-bit ids");
    }
  }

  KOKKOS_FUNCTION int num_ranks() const { return num_ranks_; }
  /// log2 of the size of a block.
  KOKKOS_FUNCTION int bits() const { return bits_; }
  /// One more than the largest block id.
  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(num_ranks_) << bits_; }
  /// The first block id of a rank.
  KOKKOS_FORCEINLINE_FUNCTION Vertex first(int rank) const { return static_cast<Vertex>(std::int64_t(rank) << bits_); }

  KOKKOS_FORCEINLINE_FUNCTION Vertex id(int rank, std::int64_t local) const {
    return static_cast<Vertex>((std::int64_t(rank) << bits_) + local);
  }
  KOKKOS_FORCEINLINE_FUNCTION int rank(Vertex id) const { return static_cast<int>(static_cast<Unsigned>(id) >> bits_); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t local(Vertex id) const {
    return static_cast<std::uint32_t>(static_cast<Unsigned>(id) & ((Unsigned(1) << bits_) - 1));
  }

 private:
  int bits_ = 5;
  int num_ranks_ = 1;
};

}  // namespace dromos
