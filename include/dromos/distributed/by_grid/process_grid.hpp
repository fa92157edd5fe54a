// SPDX-License-Identifier: BSD-3-Clause
// Ranks as places of a grid, and the communicators of its rows and columns.
//
//   6 ranks, 2 x 3      rank  0 1 2   row 0        rank 4: row 1, column 1
//                             3 4 5   row 1        its row: 3 4 5, its column: 1 4
//
// Any number of ranks fills a grid: Fu et al. 2014 take p x p, a prime number of ranks takes 1 x p.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <string>

namespace dromos {

class ProcessGrid {
 public:
  ProcessGrid() = default;

  /// The grid nearest to a square that so many ranks fill, with no more rows than columns: 6 is 2 x 3, 7 is 1 x 7.
  explicit ProcessGrid(int num_ranks) : ProcessGrid(num_ranks, 0, 0) {}

  /// rows x columns; where one of them is 0 it is what the other leaves, where both are, the nearest to a square.
  /// Throws ArgumentError where the ranks do not fill the grid.
  ProcessGrid(int num_ranks, int rows, int columns) {
    if (num_ranks < 1 || rows < 0 || columns < 0) {
      throw ArgumentError("a grid of " + std::to_string(rows) + " x " + std::to_string(columns) + " places for " +
                          std::to_string(num_ranks) + " ranks; expected no negative number, and at least one rank");
    }
    if (rows == 0 && columns == 0) {
      rows = nearest_divisor(num_ranks);
    }
    const bool divides = (rows == 0 || num_ranks % rows == 0) && (columns == 0 || num_ranks % columns == 0);
    const std::int64_t places = std::int64_t(rows == 0 && columns != 0 ? num_ranks / columns : rows) *
                                (columns == 0 && rows != 0 ? num_ranks / rows : columns);
    if (!divides || places != num_ranks) throw ArgumentError(misfit(num_ranks, rows, columns));
    rows_ = rows == 0 ? num_ranks / columns : rows;
    columns_ = num_ranks / rows_;
  }

  KOKKOS_FUNCTION int rows() const { return rows_; }
  KOKKOS_FUNCTION int columns() const { return columns_; }
  KOKKOS_FUNCTION int num_ranks() const { return rows_ * columns_; }
  KOKKOS_FUNCTION int row(int rank) const { return rank / columns_; }
  KOKKOS_FUNCTION int column(int rank) const { return rank % columns_; }
  KOKKOS_FUNCTION int rank(int row, int column) const { return row * columns_ + column; }

  /// "2 x 3"
  std::string name() const { return std::to_string(rows_) + " x " + std::to_string(columns_); }

 private:
  /// The largest divisor that is no more than the root.
  static int nearest_divisor(int num_ranks) {
    int best = 1;
    for (int d = 1; std::int64_t(d) * d <= num_ranks; ++d) {
      if (num_ranks % d == 0) best = d;
    }
    return best;
  }

  /// What is wrong, and what would be right: the grids that these ranks fill, and the nearest numbers of ranks.
  static std::string misfit(int num_ranks, int rows, int columns) {
    std::string grids;
    for (int d = 1; d <= num_ranks; ++d) {
      if (num_ranks % d != 0) continue;
      grids += (grids.empty() ? "" : ", ") + std::to_string(d) + " x " + std::to_string(num_ranks / d);
    }
    const auto text = [](int number) { return number == 0 ? std::string("any") : std::to_string(number); };
    std::string message = "a grid of " + text(rows) + " x " + text(columns);
    std::string advice;
    if (rows != 0 && columns != 0) {
      const std::int64_t places = std::int64_t(rows) * columns;
      message += " has " + std::to_string(places) + " places, and there are " + std::to_string(num_ranks) + " ranks";
      advice = "start " + std::to_string(places);
    } else {
      const int step = rows + columns;  // one of them is 0
      const int below = num_ranks / step * step;
      message += " is not filled by " + std::to_string(num_ranks) + " ranks";
      advice = "start " + (below > 0 ? std::to_string(below) + " or " : "") + std::to_string(below + step);
    }
    return message + "; " + std::to_string(num_ranks) + " ranks fill " + grids + "; or " + advice + " ranks";
  }

  int rows_ = 1;
  int columns_ = 1;
};

/// A grid of ranks that talk: made once, shared by the graph and its searches. The communicator outlives it.
struct GridCommunicators {
  const Communicator& world;
  ProcessGrid grid;
  Communicator row;     ///< the ranks of this rank's row, by column
  Communicator column;  ///< the ranks of its column, by row

  /// Collective. Throws ArgumentError on every rank where the grid is not filled (see ProcessGrid).
  explicit GridCommunicators(const Communicator& communicator, int rows = 0, int columns = 0)
      : world(communicator),
        grid(on_all_ranks(communicator, [&] { return ProcessGrid(communicator.size(), rows, columns); })),
        row(world.split(grid.row(world.rank()), grid.column(world.rank()))),
        column(world.split(grid.column(world.rank()), grid.row(world.rank()))) {}
};

}  // namespace dromos
