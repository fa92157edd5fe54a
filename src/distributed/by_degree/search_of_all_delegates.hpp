// SPDX-License-Identifier: BSD-3-Clause
// The search of a graph separated by degree whose vertices with edges are all delegates: the one by vertices
// (distributed/by_vertices/bfs_1d_bitmask.hpp), which is what the others come to there. Every rank has the edges of its
// own vertices and knows by a bit of each vertex of the graph who is visited; nothing is searched part by part, and no
// delegate has to be told to its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_degree/bfs_delegate_options.hpp>
#include <dromos/distributed/by_vertices/bfs_1d.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <vector>

namespace dromos::detail {

template <class Space, class Vertex>
class SearchOfAllDelegates {
 public:
  using Memory = typename Space::memory_space;

  SearchOfAllDelegates(const Communicator& communicator, const Space& space, const Graph1d<Vertex, Memory>& graph,
                       const BfsDelegateOptions& options)
      : communicator_(communicator),
        bfs_(communicator, space, graph, Bfs1dAlgorithm::relabelled_bitmask, options_by_vertices(options)) {}

  BfsDelegateStatistics search(Vertex root) {
    const Bfs1dStatistics by_vertices = bfs_.search(root);
    std::vector<std::int64_t> sizes;
    for (const Bfs1dLevel& level : by_vertices.levels) sizes.push_back(level.frontier_size);
    sum_in_place(communicator_, sizes.data(), static_cast<int>(sizes.size()));
    BfsDelegateStatistics statistics;
    statistics.seconds = by_vertices.seconds;
    for (std::size_t l = 0; l < sizes.size(); ++l) {
      const Bfs1dLevel& from = by_vertices.levels[l];
      BfsDelegateLevel level;
      level.delegates = sizes[l];
      level.dd_edges = from.frontier_edges;
      level.dd_backward = from.backward;
      level.sent = from.sent;
      level.reductions = communicator_.size() > 1 ? from.backward : 0;
      level.bytes_sent = from.bytes_sent;
      level.messages = from.messages;
      level.seconds = from.seconds;
      level.reduction_seconds = from.communication_seconds;
      statistics.levels.push_back(level);
    }
    return statistics;
  }

  const BfsResult<Vertex, Memory>& result() const { return bfs_.result(); }

 private:
  /// What is said of dd; nothing else is there.
  static Bfs1dOptions options_by_vertices(const BfsDelegateOptions& options) {
    Bfs1dOptions by_vertices;
    by_vertices.strategy = options.dd_strategy;
    by_vertices.direction_optimizing = options.direction_optimizing;
    by_vertices.direction = options.dd;
    return by_vertices;
  }

  const Communicator& communicator_;
  Bfs1d<Space, Vertex> bfs_;
};

}  // namespace dromos::detail
