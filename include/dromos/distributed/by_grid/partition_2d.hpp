// SPDX-License-Identifier: BSD-3-Clause
// Arcs on a grid of ranks: rank (i, j) has those from the vertices of column j to the vertices of row i. What it
// searches from is known in its column, what it finds is settled in its row (Fu et al. 2014, Section 3.1).
//
// Each rank owns a piece of the vertices, v mod p as in graph/partition_1d.hpp. The vertices of a row are the pieces
// of its ranks side by side, and so are those of a column, each piece in a block of whole bitmap words:
//
//   10 vertices, 2 x 2      pieces   0 4 8 | 1 5 9      row 0:    0 4 8 .. 1 5 9 ..     out ids 0 1 2 .. 32 33 34 ..
//   (blocks of 32)                   2 6   | 3 7        column 0: 0 4 8 .. 2 6 ..       in ids  0 1 2 .. 32 33 ..
//
//   arc (6, 5): 6 belongs to rank 2, column 0, in id 33; 5 belongs to rank 1, row 0, out id 33: on rank (0, 0)
//
// Where the paper has square grids and lets rank (i, i) hand the frontier of row i to column i, every rank is here the
// diagonal of its own piece: the next frontier of a column is what its ranks have in their pieces, gathered. That works
// for rectangular grids as well, and no rank sends more than another.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <limits>
#include <string>

namespace dromos {

/// Taken by kernels.
class Partition2d {
 public:
  /// Number of a vertex in a row (out id) or a column (in id) of the grid.
  using LocalId = std::int32_t;
  static constexpr int bits_per_word = 32;

  Partition2d() = default;
  /// Throws ArgumentError where the vertices of a row or a column are more than 32 bits can number.
  Partition2d(std::int64_t num_vertices, const ProcessGrid& grid)
      : grid_(grid), owners_(num_vertices, grid.num_ranks()) {
    words_per_piece_ = (owners_.max_num_local() + bits_per_word - 1) / bits_per_word;
    const std::int64_t most = std::numeric_limits<LocalId>::max();
    if (num_out() > most || num_in() > most) {
      throw ArgumentError(std::to_string(num_vertices) + " vertices on a grid of " + grid.name() + " ranks are up to " +
                          std::to_string(num_out() > num_in() ? num_out() : num_in()) +
                          " in a row or a column, and local ids have 31 bits; use more ranks, or a grid nearer to a "
                          "square");
    }
  }

  KOKKOS_FUNCTION const ProcessGrid& grid() const { return grid_; }
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return owners_.num_vertices(); }

  /// Words of a bitmap, and ids, that the piece of a rank takes in its row and in its column.
  KOKKOS_FUNCTION std::int64_t words_per_piece() const { return words_per_piece_; }
  KOKKOS_FUNCTION std::int64_t block() const { return words_per_piece_ * bits_per_word; }
  /// One more than the largest out id, and the largest in id.
  KOKKOS_FUNCTION std::int64_t num_out() const { return grid_.columns() * block(); }
  KOKKOS_FUNCTION std::int64_t num_in() const { return grid_.rows() * block(); }

  // Ids from places: an owner and its local number of a vertex.
  KOKKOS_FORCEINLINE_FUNCTION LocalId out_id(const Place& place) const {
    return static_cast<LocalId>(grid_.column(place.rank) * block() + place.local);
  }
  KOKKOS_FORCEINLINE_FUNCTION LocalId in_id(const Place& place) const {
    return static_cast<LocalId>(grid_.row(place.rank) * block() + place.local);
  }
  /// The vertex that has this in id in this column.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t vertex_of_in(int column, LocalId in) const {
    const std::int64_t row = in / block();
    return owners_.global_id(grid_.rank(static_cast<int>(row), column), in - row * block());
  }

  // Owners: what replicate() and whoever spreads values over ranks ask for.
  KOKKOS_FUNCTION int num_ranks() const { return owners_.num_ranks(); }
  KOKKOS_FUNCTION std::int64_t num_local(int rank) const { return owners_.num_local(rank); }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Place place(Vertex v) const {
    return owners_.place(v);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t global_id(int rank, std::int64_t local) const {
    return owners_.global_id(rank, local);
  }

 private:
  ProcessGrid grid_;
  Partition1d owners_;
  std::int64_t words_per_piece_ = 0;
};

}  // namespace dromos
