// SPDX-License-Identifier: BSD-3-Clause
// Rows of a work set that are too long for one thread of a CPU. A thread walks the rows of its vertices alone, and
// while it walks that of a hub, all others may come to the end of the work set and wait. So who meets such a row puts
// it aside, and when everything else is done, all threads walk what was put aside, in pieces.
//
//   2 threads, rows of 3, 2, 90, 3 edges       3 2 | 3      then    30 30 | 30
//
// How long is too long depends on what there is for all: a row that is a small part of a thread's share can wait for
// nobody's harm.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/highest_less_than.hpp>

namespace dromos::detail {

/// Of one sweep.
template <class Vertex>
class LongRows {
 public:
  /// Edges begin .. end - 1 of a vertex, counted within its row.
  struct Piece {
    Vertex vertex;
    Offset begin, end;
  };

  /// \param num_edges  of the work set, or how many there are at most; below 0: nobody has counted them
  LongRows(Offset num_edges, int num_threads)
      : num_threads_(num_threads),
        longest_alone_(num_threads == 1 ? no_limit
                                        : dromos::max(+fewest_edges, num_edges / (parts_of_share * num_threads))) {}

  /// Puts the row of u aside, unless it is short or there is no more room: then the caller walks it.
  KOKKOS_FORCEINLINE_FUNCTION bool put_aside(Vertex u, Offset length) {
    if (length <= longest_alone_) return false;
    const int at = Kokkos::atomic_fetch_add(&num_rows_, 1);
    if (at >= most_rows) return false;
    vertex_[at] = u;
    length_[at] = length;
    return true;
  }

  /// What was put aside becomes pieces. Returns how many there are.
  std::int64_t cut() {
    num_rows_ = dromos::min(num_rows_, +most_rows);
    Offset num_edges = 0;
    for (int i = 0; i < num_rows_; ++i) num_edges += length_[i];
    piece_ = dromos::max(+shortest_piece, dromos::min(+longest_piece, num_edges / (parts_of_share * num_threads_)));
    std::int64_t num_pieces = 0;
    for (int i = 0; i < num_rows_; ++i) {
      first_piece_[i] = num_pieces;
      num_pieces += (length_[i] + piece_ - 1) / piece_;
    }
    are_cut_ = true;
    return num_pieces;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool are_cut() const { return are_cut_; }

  KOKKOS_FUNCTION Piece piece(std::int64_t i) const {
    const auto row = highest_less_than(first_piece_, 0, num_rows_, i);
    const Offset begin = (i - first_piece_[row]) * piece_;
    return {vertex_[row], begin, dromos::min(begin + piece_, length_[row])};
  }

 private:
  /// Fewer edges are walked in the time that another launch takes.
  static constexpr Offset fewest_edges = 8192;
  /// A row of that part of a thread's share is not long, and pieces are no longer.
  static constexpr Offset parts_of_share = 8;
  static constexpr Offset shortest_piece = 1024, longest_piece = 8192;
  /// With more of them than that, and no limit that few could pass, threads have enough to do without pieces.
  static constexpr int most_rows = 512;
  static constexpr Offset no_limit = Offset(1) << 62;

  const int num_threads_;
  const Offset longest_alone_;
  Offset piece_ = 0;
  bool are_cut_ = false;
  alignas(64) int num_rows_ = 0;  // may pass most_rows
  Vertex vertex_[most_rows];
  Offset length_[most_rows];
  std::int64_t first_piece_[most_rows];
};

}  // namespace dromos::detail
