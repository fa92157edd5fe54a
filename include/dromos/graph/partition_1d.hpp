// SPDX-License-Identifier: BSD-3-Clause
// Who owns which vertex: rank v mod p, as Mastrostefano 2013 (Section 4.2.1) and the Graph500 reference code have it.
// Vertex numbers of benchmark graphs say nothing about degrees, so that every rank gets its share of the hubs.
//
//   10 vertices, 3 ranks       rank 0 owns 0 3 6 9, rank 1 owns 1 4 7, rank 2 owns 2 5 8
//   vertex 7                   owner 1, local 2
//
// Or in blocks of vertices that follow each other, as files and results have them, and as graphs want it whose
// neighbors have close numbers (road networks, meshes, web pages by address): few of their edges leave a block.
//
//   in blocks                  rank 0 owns 0 1 2 3, rank 1 owns 4 5 6, rank 2 owns 7 8 9
//
// A partition is a small object that kernels take by value. Whatever ships edges or replicates results asks one for
// no more than num_ranks(), num_local(rank), place(v) and global_id(rank, local).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <string>
#include <type_traits>

namespace dromos {

/// Where a vertex lives: element `local` of what rank `rank` holds.
struct Place {
  int rank;
  std::int64_t local;
};

/// How vertices are dealt out to ranks: one by one, or in blocks.
enum class Dealing { cyclic, blocks };

class Partition1d {
 public:
  Partition1d() = default;
  /// Throws ArgumentError for no ranks or a negative number of vertices.
  Partition1d(std::int64_t num_vertices, int num_ranks, Dealing dealing = Dealing::cyclic)
      : num_vertices_(num_vertices), num_ranks_(num_ranks), dealing_(dealing) {
    if (num_vertices < 0 || num_ranks < 1) {
      throw ArgumentError("partition: " + std::to_string(num_vertices) + " vertices over " + std::to_string(num_ranks) +
                          " ranks; expected none negative, and at least one rank");
    }
    share_ = num_vertices / num_ranks;
    num_larger_ = num_vertices % num_ranks;
  }

  Dealing dealing() const { return dealing_; }
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return num_vertices_; }
  KOKKOS_FUNCTION int num_ranks() const { return num_ranks_; }
  /// Vertices that the rank owns, the same with both dealings; 0 for some ranks where there are more ranks than
  /// vertices.
  KOKKOS_FUNCTION std::int64_t num_local(int rank) const {
    return (num_vertices_ + num_ranks_ - 1 - rank) / num_ranks_;
  }
  /// The most that a rank owns.
  std::int64_t max_num_local() const { return num_local(0); }

  /// How many vertices below v the rank owns.
  std::int64_t num_local_below(int rank, std::int64_t v) const {
    if (dealing_ == Dealing::cyclic) return v <= rank ? 0 : (v - rank + num_ranks_ - 1) / num_ranks_;
    const std::int64_t from_first = v - global_id(rank, 0);
    return from_first < 0 ? 0 : from_first < num_local(rank) ? from_first : num_local(rank);
  }

  /// Of a vertex 0 .. num_vertices() - 1. One division, of the width of the id.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Place place(Vertex v) const {
    using Unsigned = std::make_unsigned_t<Vertex>;
    if (dealing_ == Dealing::blocks) {
      const Unsigned share = static_cast<Unsigned>(share_), larger = static_cast<Unsigned>(num_larger_);
      const Unsigned behind_larger = larger * (share + 1);
      const Unsigned u = static_cast<Unsigned>(v);
      const int rank = static_cast<int>(u < behind_larger ? u / (share + 1) : larger + (u - behind_larger) / share);
      return {rank, static_cast<std::int64_t>(v) - global_id(rank, 0)};
    }
    const Unsigned p = static_cast<Unsigned>(num_ranks_);
    const Unsigned local = static_cast<Unsigned>(v) / p;
    return {static_cast<int>(static_cast<Unsigned>(v) - local * p), static_cast<std::int64_t>(local)};
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t global_id(int rank, std::int64_t local) const {
    if (dealing_ == Dealing::blocks) return share_ * rank + (rank < num_larger_ ? rank : num_larger_) + local;
    return local * num_ranks_ + rank;
  }

 private:
  std::int64_t num_vertices_ = 0;
  int num_ranks_ = 1;
  Dealing dealing_ = Dealing::cyclic;
  std::int64_t share_ = 0;       // vertices of a rank at least
  std::int64_t num_larger_ = 0;  // ranks, the first ones, that have one more
};

}  // namespace dromos
