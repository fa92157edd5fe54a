// SPDX-License-Identifier: BSD-3-Clause
// Which rank of a grid has which edge of a graph of whose edges every rank knows both ends: the rule of the searches on
// a grid (distributed/by_grid/partition_2d.hpp), rank (i, j) has the arcs from vertices of column j to vertices of row
// i. A vertex is of the row and the column of its owner.
//
//   10 vertices, 2 x 2 ranks      owners  0: 0 4 8 | 1: 1 5 9      arc 6 -> 5   from column 0 (6: rank 2) to row 0
//                                         2: 2 6   | 3: 3 7                     (5: rank 1): rank (0, 0)
//
// So the arcs out of a vertex lie on the ranks of one column, those into it on those of one row, however many there
// are. A graph turned round asks for its arcs as they were, so that an arc and the same one turned round meet on a
// rank.
//
// Both arcs of an undirected edge meet as well, as algorithms want it that leave out one of them
// (distributed/parts/merge_components.hpp): one of its ends counts as the source, the smaller one where the places of
// both at their owners have an even sum, otherwise the larger one. That has nothing to do with who the owners are, so
// that each pair of them gives half of its edges to either rank, and a hub, however small its number, has half of its
// edges in its column and half in its row.
//
//   10 vertices, 2 x 2 ranks      edge 5 - 6, places 1 and 1     from 5 (column 1) to 6 (row 1): rank (1, 1)
//                                 edge 1 - 6, places 0 and 1     from 6 (column 0) to 1 (row 0): rank (0, 0)
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/distributed/by_degree/edge_distributor.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/graph/partition_1d.hpp>

namespace dromos {

/// What the arcs of a graph are: those of a directed one, the same turned round, or both of every undirected edge.
enum class ArcsOnGrid { as_they_are, turned, of_undirected_edges };

/// Edges between delegates go where the column of one end crosses the row of the other.
struct CrossesOnGrid {
  /// Both arcs of an edge are sent where they meet: its rank may own neither end.
  static constexpr bool finds_undirected_edges = false;

  ProcessGrid grid;
  Partition1d partition;
  ArcsOnGrid arcs;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION int rank_of(const EdgeEnd<Vertex>& from, const EdgeEnd<Vertex>& to) const {
    const Place source = partition.place(from.vertex), target = partition.place(to.vertex);
    return goes_forward(from.vertex < to.vertex, source.local + target.local)
               ? grid.rank(grid.row(target.rank), grid.column(source.rank))
               : grid.rank(grid.row(source.rank), grid.column(target.rank));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool goes_forward(bool ascends, std::int64_t sum_of_places) const {
    if (arcs == ArcsOnGrid::of_undirected_edges) return ascends == (sum_of_places % 2 == 0);
    return arcs == ArcsOnGrid::as_they_are;
  }
};

}  // namespace dromos
