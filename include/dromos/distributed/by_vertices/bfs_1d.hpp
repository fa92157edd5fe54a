// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search of a graph that is distributed by vertices, in three ways that differ in what travels each
// level.
//
//   straightforward      every edge that leaves the rank, as (vertex, parent): Mastrostefano 2013, Section 4.2.3
//   sort_unique          the same after all neighbors were listed, sorted, and made unique: Section 4.3
//   relabelled_bitmask   a vertex only once in the whole search, by a bitmap of what was sent: Section 5.3, where it is
//                        future work; sending overlaps with searching (5.2); and where the frontier is large, the
//                        unvisited vertices look back at it, for which bitmaps travel instead of vertices
//
// What travels, per vertex, are the receiver's 32-bit local number of it and the sender's of the parent: 8 bytes.
//
//   2 ranks, vertex 5 (local 2 of rank 1) found from vertex 4 (local 2 of rank 0): rank 0 sends rank 1 the word 2|2
//
// All ways run on the one loop nest (traverse/), with any strategy. Results are as those of bfs() on one node.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_options.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/compiled_space.hpp>
#include <memory>
#include <string>
#include <vector>

namespace dromos {

namespace detail {
template <class Space, class Vertex>
class Bfs1dByLevels;
template <class Space, class Vertex>
class SearchAlone;
}  // namespace detail

/// Searches a distributed graph; made once per graph, used for any number of roots. Every rank makes one and calls the
/// same functions.
template <class Space, class Vertex>
class Bfs1d {
  static_assert(detail::is_compiled_for<Space>());

 public:
  using Memory = typename Space::memory_space;

  /// Allocates what a search works in. Collective.
  ///
  /// \param communicator, graph  outlive this object
  /// Memory: see bfs_1d_state.hpp and each way's own header.
  Bfs1d(const Communicator& communicator, const Space& space, const Graph1d<Vertex, Memory>& graph,
        Bfs1dAlgorithm algorithm, const Bfs1dOptions& options = {});
  ~Bfs1d();

  /// Searches from `root`, a global id. Collective.
  /// \returns statistics of this rank; total_statistics() adds up those of all
  /// \throws ArgumentError on every rank when the root is outside the graph
  Bfs1dStatistics search(Vertex root);

  /// Of the last search: num_local elements each, by local number; parents are global ids.
  const BfsResult<Vertex, Memory>& result() const;

 private:
  std::int64_t num_vertices_;
  std::unique_ptr<detail::Bfs1dByLevels<Space, Vertex>> by_levels_;
  std::unique_ptr<detail::SearchAlone<Space, Vertex>> alone_;  ///< of a rank that has the whole graph
};

// Compiled once in the library for the default execution space and both widths of ids.
extern template class Bfs1d<Kokkos::DefaultExecutionSpace, std::int32_t>;
extern template class Bfs1d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
