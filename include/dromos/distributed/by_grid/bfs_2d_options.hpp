// SPDX-License-Identifier: BSD-3-Clause
// Distributed searches on a grid of ranks: how they are tuned, and what they report.
#pragma once

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/strategy.hpp>
#include <vector>

namespace dromos {

/// How the ranks of a row agree on what they found, where bitmaps travel (distributed/by_grid/bfs_2d_contraction.hpp).
enum class Contraction2d {
  wave,  ///< from column to column, columns - 1 steps: Checconi et al. 2012
  scan   ///< between pairs of ranks, log2(columns) steps, rounded up: Fu et al. 2014
};

/// What travels instead of vertices.
enum class FrontierForm2d {
  smaller,  ///< at each level, in each row and column: whichever of the two is smaller
  bitmap,   ///< a bit for each vertex of the row, or of a piece of the column
  list      ///< 4 bytes for each vertex found
};

/// When a rank finds parents for the vertices that were assigned to it; either way among its own arcs alone.
enum class Predecessors2d {
  /// After the search, by levels (Fu et al. 2014, Section 3.4): notes the levels of the column's vertices, too, and
  /// goes through the in-edges of each assigned vertex up to the first that comes from one level above.
  after_search,
  /// Each time it finds a vertex: one write more for those that are then assigned to another rank, and nothing
  /// afterwards.
  while_searching
};

struct Bfs2dOptions {
  /// Rows and columns of the grid, 0: as ProcessGrid chooses. (Of searches that are made by name; who makes the
  /// communicators of the grid has chosen already.)
  int rows = 0;
  int columns = 0;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
  Contraction2d contraction = Contraction2d::scan;
  /// A form that adapts costs a reduction of one number in each row and each column per level.
  FrontierForm2d form = FrontierForm2d::smaller;
  Predecessors2d predecessors = Predecessors2d::while_searching;
  /// Let unvisited vertices look back where that is less work. What travels stays the same; but every rank of a row
  /// looks for a parent of its own for each unvisited vertex, so that it gains less the more columns there are (Pan
  /// et al. 2018, Section II-B).
  bool direction_optimizing = true;
  DirectionOptions direction;
};

/// One level of a search on one rank, or of all ranks together: then counts are sums, and times the slowest rank's.
struct Bfs2dLevel {
  std::int64_t frontier_size = 0;  ///< vertices of the frontier that the rank owns
  Offset frontier_edges = 0;       ///< arcs that leave them, on whatever rank
  std::int64_t found = 0;          ///< unvisited vertices of the row that the rank found: Out of rank (i, j)
  std::int64_t assigned = 0;       ///< those of them that no rank to the left found, too
  std::int64_t backward = 0;       ///< 1: unvisited vertices looked back
  std::int64_t row_lists = 0;      ///< 1: the row exchanged lists
  std::int64_t column_lists = 0;   ///< 1: the column exchanged lists
  std::int64_t row_bytes = 0;      ///< sent to settle what was found
  std::int64_t column_bytes = 0;   ///< sent to make the next frontier known
  std::int64_t bytes_sent = 0;     ///< these two and reductions
  std::int64_t messages = 0;
  double seconds = 0;
  double expand_seconds = 0;         ///< of those, until the local expansion was over
  double row_seconds = 0;            ///< inside communication along the row, waiting included
  double column_seconds = 0;         ///< likewise along the column
  double termination_seconds = 0;    ///< likewise to find out whether it goes on
  double communication_seconds = 0;  ///< all three
};

struct Bfs2dStatistics {
  double seconds = 0;
  std::vector<Bfs2dLevel> levels;  ///< as many on every rank
  /// After the last level: parents found by every rank for what it was assigned, and told to the owners.
  double predecessor_seconds = 0;
  double predecessor_communication_seconds = 0;
  std::int64_t predecessor_bytes = 0;
  std::int64_t predecessor_messages = 0;
};

/// Sums over all ranks; times are those of the slowest. Collective, outside of what is timed.
inline Bfs2dStatistics total_statistics(const Communicator& communicator, const Bfs2dStatistics& own) {
  Bfs2dStatistics total = own;
  total_in_place(communicator, {&total.predecessor_bytes, &total.predecessor_messages},
                 {&total.seconds, &total.predecessor_seconds, &total.predecessor_communication_seconds});
  for (Bfs2dLevel& level : total.levels) {
    total_in_place(
        communicator,
        {&level.frontier_size, &level.frontier_edges, &level.found, &level.assigned, &level.backward, &level.row_lists,
         &level.column_lists, &level.row_bytes, &level.column_bytes, &level.bytes_sent, &level.messages},
        {&level.seconds, &level.expand_seconds, &level.row_seconds, &level.column_seconds, &level.termination_seconds,
         &level.communication_seconds});
  }
  return total;
}

/// "wave", "scan".
inline const char* contraction_2d_name(Contraction2d contraction) {
  return contraction == Contraction2d::wave ? "wave" : "scan";
}

}  // namespace dromos
