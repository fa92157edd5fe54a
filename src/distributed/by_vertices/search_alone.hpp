// SPDX-License-Identifier: BSD-3-Clause
// The search by vertices of a rank that has the whole graph: the one of the node level
// (algorithms/bfs_direction_optimizing.hpp), to which block ids, local numbers and global ids are the same there.
#pragma once

#include <cstddef>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_options.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>

namespace dromos::detail {

/// Of undirected graphs.
template <class Space, class Vertex>
class SearchAlone {
 public:
  using Memory = typename Space::memory_space;

  SearchAlone(const Space& space, const Graph1d<Vertex, Memory>& graph, const Bfs1dOptions& options)
      : space_(space), rows_(graph.rows), direction_(options.direction), scratch_(space, graph.rows, graph.rows) {
    options_.strategy = options.strategy;
    direction_.replace_unset(Bfs1dOptions::default_direction(1));
  }

  Bfs1dStatistics search(Vertex root) {
    const BfsStatistics whole = bfs_direction_optimizing(space_, rows_, root, scratch_, result_, options_, direction_);
    Bfs1dStatistics statistics;
    statistics.seconds = whole.seconds;
    for (std::size_t l = 0; l < whole.levels.size(); ++l) {
      Bfs1dLevel level;
      level.frontier_size = whole.levels[l].frontier_size;
      level.frontier_edges = whole.levels[l].frontier_edges;
      level.backward = whole.levels[l].backward ? 1 : 0;
      level.seconds = whole.levels[l].seconds;
      level.enqueued_local = l + 1 < whole.levels.size() ? whole.levels[l + 1].frontier_size : 0;
      level.local_vertices = level.enqueued_local;
      statistics.levels.push_back(level);
    }
    return statistics;
  }

  const BfsResult<Vertex, Memory>& result() const { return result_; }

 private:
  Space space_;
  CsrGraph<Vertex, Memory> rows_;
  BfsOptions options_;
  DirectionOptions direction_;
  BfsDirectionScratch<Vertex, Memory> scratch_;
  BfsResult<Vertex, Memory> result_;
};

}  // namespace dromos::detail
