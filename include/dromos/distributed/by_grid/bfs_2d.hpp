// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search of a graph that is distributed by arcs over a grid of ranks (Fu, Dasari, Bebee, Berzins and
// Thompson 2014, after Checconi et al. 2012).
//
// Rank (i, j) has the arcs from the vertices of column j to those of row i. Each level:
//
//   expand    each rank follows its arcs from the frontier of its column, or unvisited vertices of its row look back
//   contract  the ranks of a row settle what is new, and whose it is (distributed/by_grid/bfs_2d_contraction.hpp)
//   gather    the ranks of a column put the pieces that they own of it together: the next frontier
//
//   2 x 2, 1 finds 6        row 0  (0,0) (0,1)     arc (1, 6) is on rank (1, 1): column of 1, row of 6
//   (v mod 4 is the owner)  row 1  (1,0) (1,1)     row 1 learns that 6 is new; its owner, rank (1, 0), has it in its
//                                                  piece, and column 0 gathers its pieces: the frontier of (0,0), (1,0)
//
// What travels are bitmaps, or lists where these are smaller. No parent travels during the search: each rank knows
// one for those vertices that it was the first of its row to find, among its own arcs, and in the end tells their
// owners, once. Results are as those of bfs() on one node.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/pending_sums.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_grid/bfs_2d_contraction.hpp>
#include <dromos/distributed/by_grid/bfs_2d_options.hpp>
#include <dromos/distributed/by_grid/bfs_2d_steps.hpp>
#include <dromos/distributed/by_grid/graph_2d.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/compiled_space.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <dromos/traverse/frontier.hpp>
#include <vector>

namespace dromos {

/// Searches a distributed graph; made once per graph, used for any number of roots. Every rank makes one and calls the
/// same functions.
template <class Space, class Vertex>
class Bfs2d {
  static_assert(detail::is_compiled_for<Space>());

 public:
  using Memory = typename Space::memory_space;
  using LocalId = Partition2d::LocalId;

  /// Allocates what a search works in. Collective.
  ///
  /// \param communicators, graph  outlive this object
  /// Memory of a rank: 13 bytes a vertex of its row, on a GPU 45 where it may look back, 4 a vertex of its column (8
  /// with predecessors after the search), and those of the results.
  Bfs2d(const GridCommunicators& communicators, const Space& space, const Graph2d<Memory>& graph,
        const Bfs2dOptions& options = {});

  /// Searches from `root`, a global id. Collective.
  /// \returns statistics of this rank; total_statistics() adds up those of all
  /// \throws ArgumentError on every rank when the root is outside the graph
  Bfs2dStatistics search(Vertex root);

  /// Of the last search: num_local elements each, by local number; parents are global ids.
  const BfsResult<Vertex, Memory>& result() const { return result_; }

 private:
  /// Of all ranks together.
  struct Totals {
    std::int64_t frontier_size = 0;
    Offset frontier_edges = 0;
    std::int64_t num_reached = 0;  // before the frontier
    Offset edges_reached = 0;
  };

  void start(Vertex root);
  bool search_level(Level level, Bfs2dLevel& counts);
  std::int64_t expand();
  void list_frontier();
  void contract(std::int64_t num_found, Bfs2dLevel& counts);
  void gather(Level level, Bfs2dLevel& counts);
  void gather_bitmap();
  void gather_lists(const std::vector<std::int64_t>& sizes);
  std::vector<Block> pack_parents();
  void find_predecessors(Bfs2dStatistics& statistics);
  detail::Agreement2d<Memory> agreement() const;
  detail::NotePredecessor<Memory> notes() const;
  CommCounters counters() const;

  const GridCommunicators& communicators_;
  Space space_;
  const Graph2d<Memory>& graph_;
  Bfs2dOptions options_;
  detail::RowContraction<Space> contraction_;

  // Of the row's vertices.
  Bitmap<Memory> visited_, known_, found_, assigned_, can_be_found_;
  Kokkos::View<Level*, Memory> out_level_;
  Kokkos::View<LocalId*, Memory> listed_;  // found ones, assigned ones: whatever has to be listed
  Kokkos::View<LocalId*, Memory> predecessor_;

  // Of the column's.
  Bitmap<Memory> frontier_bits_;
  Frontier<LocalId, Memory> frontier_;
  bool frontier_listed_ = false;
  bool frontier_has_bits_ = false;
  Kokkos::View<Level*, Memory> in_level_;  // only for predecessors after the search

  Kokkos::View<detail::FoundParent*, Memory> parents_told_, parents_heard_;
  BfsResult<Vertex, Memory> result_;

  // What kernels tell the host; work space of gather_bits().
  DeviceCounts<Memory> counts_, piece_counts_;
  Kokkos::View<unsigned long long*, Memory> gathered_;

  // On a GPU: of the row's vertices the sources that are most likely in the frontier, and those who found none yet.
  Kokkos::View<LocalId*, Memory> likely_;
  detail::LeftVertices<LocalId, Memory> left_;

  DirectionRule rule_;
  std::int64_t num_can_be_found_ = 0;
  detail::AgreementCounts own_;  // of the next frontier
  PendingSums sums_;
  Totals totals_;
};

// Compiled once in the library for the default execution space and both widths of ids.
extern template class Bfs2d<Kokkos::DefaultExecutionSpace, std::int32_t>;
extern template class Bfs2d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
