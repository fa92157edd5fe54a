// SPDX-License-Identifier: BSD-3-Clause
// Who owns which vertex: rank v mod p, as Mastrostefano 2013 (Section 4.2.1) and the Graph500 reference code have it.
// Vertex numbers of benchmark graphs say nothing about degrees, so that every rank gets its share of the hubs.
//
//   10 vertices, 3 ranks       rank 0 owns 0 3 6 9, rank 1 owns 1 4 7, rank 2 owns 2 5 8
//   vertex 7                   owner 1, local 2
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

class Partition1d {
 public:
  Partition1d() = default;
  /// Throws ArgumentError for no ranks or a negative number of vertices.
  Partition1d(std::int64_t num_vertices, int num_ranks) : num_vertices_(num_vertices), num_ranks_(num_ranks) {
    if (num_vertices < 0 || num_ranks < 1) {
      throw ArgumentError("partition: " + std::to_string(num_vertices) + " vertices over " + std::to_string(num_ranks) +
                          " ranks; expected none negative, and at least one rank");
    }
  }

  KOKKOS_FUNCTION std::int64_t num_vertices() const { return num_vertices_; }
  KOKKOS_FUNCTION int num_ranks() const { return num_ranks_; }
  /// Vertices that the rank owns; 0 for some ranks where there are more ranks than vertices.
  KOKKOS_FUNCTION std::int64_t num_local(int rank) const {
    return (num_vertices_ + num_ranks_ - 1 - rank) / num_ranks_;
  }
  /// The most that a rank owns.
  std::int64_t max_num_local() const { return num_local(0); }

  /// Of a vertex 0 .. num_vertices() - 1. One division, of the width of the id.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Place place(Vertex v) const {
    using Unsigned = std::make_unsigned_t<Vertex>;
    const Unsigned p = static_cast<Unsigned>(num_ranks_);
    const Unsigned local = static_cast<Unsigned>(v) / p;
    return {static_cast<int>(static_cast<Unsigned>(v) - local * p), static_cast<std::int64_t>(local)};
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t global_id(int rank, std::int64_t local) const {
    return local * num_ranks_ + rank;
  }

 private:
  std::int64_t num_vertices_ = 0;
  int num_ranks_ = 1;
};

}  // namespace dromos
