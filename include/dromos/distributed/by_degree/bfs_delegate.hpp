// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search of a graph separated by degree (Pan, Pearce and Owens 2018, Sections IV and V).
//
// A level goes over four parts of the edges in two streams, by what is found:
//
//   delegates   nd, dd     then the ranks combine their bitmaps of delegates found, if any rank found one
//   normal      nn, dn     normal vertices that nn found on other ranks travel there while dn is searched
//
// The streams are two execution space instances: on a GPU the sweeps of both run beside each other. Combining is under
// way while the second stream searches. Before its sweeps each stream counts the edges that leave the frontier and the
// vertices that could look back, part by part: dd, dn and nd choose their directions by that
// (traverse/direction_rule.hpp), each rank for itself, since of these parts every rank has both arcs of an edge. Who
// looks back along dn, from delegates to normal vertices, are the normal vertices that have edges in nd, and the other
// way round. nn is never searched backward: its edges are few and their other ends are elsewhere.
//
//   delegates of the frontier with 50,000 edges to normal vertices (FV), unvisited ones with 30,000, and 8,000 normal
//   vertices that could look back:  BV = 8,000 * 80,000 / 50,000 = 12,800
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/own_instance.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/bfs_delegate_options.hpp>
#include <dromos/distributed/by_degree/delegate_reduction.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/normal_exchange.hpp>
#include <dromos/distributed/compiled_space.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos {

namespace detail {

/// What a frontier could do in a part of the edges.
struct PartWork {
  std::int64_t sources = 0;  ///< its vertices that have edges there
  Offset edges = 0;          ///< FV
};

/// Where one part of the edges stands in a search, on one rank.
struct PartState {
  std::int64_t unvisited_sources = 0;  ///< vertices that have edges there
  Offset unvisited_edges = 0;          ///< and these
  DirectionRule rule;

  void start(std::int64_t sources, Offset edges) {
    unvisited_sources = sources;
    unvisited_edges = edges;
    rule.go_forward();
  }
  void visit(const PartWork& work) {
    unvisited_sources -= work.sources;
    unvisited_edges -= work.edges;
  }
  /// \param looking  the unvisited vertices that could look back
  void choose_direction(const PartWork& work, std::int64_t looking) {
    if (work.edges > 0) rule.turns(DirectionWork{work.edges, unvisited_edges, looking});
  }
};

}  // namespace detail

/// Searches a separated graph; made once per graph, used for any number of roots. Every rank makes one and calls the
/// same functions.
template <class Space, class Vertex>
class BfsDelegate {
  static_assert(detail::is_compiled_for<Space>());

 public:
  using Memory = typename Space::memory_space;

  /// Allocates what a search works in: 16 bytes an own vertex, 25 a delegate (of 32-bit ids; on a GPU 24 and 41), 8 for
  /// each nn edge to another rank. Collective.
  ///
  /// \param communicator, graph  outlive this object
  BfsDelegate(const Communicator& communicator, const Space& space, const GraphDelegate<Vertex, Memory>& graph,
              const BfsDelegateOptions& options = {});

  /// Searches from `root`, a global id. Collective.
  /// \returns statistics of this rank; total_statistics() adds up those of all
  /// \throws ArgumentError on every rank when the root is outside the graph
  BfsDelegateStatistics search(Vertex root);

  /// Of the last search: num_local elements each, by local number; parents are global ids.
  const BfsResult<Vertex, Memory>& result() const { return result_; }

 private:
  using Delegates = Frontier<LocalVertex, Memory>;

  void start(Vertex root);
  void look_at_frontier(BfsDelegateLevel& level);
  void choose_directions();
  void start_finding_delegates();
  QueueSink<NoDegrees<Memory>> start_finding_normal_vertices();
  /// \param most_posts  what nn posts on all ranks together, at most
  void finish_finding_normal_vertices(const QueueSink<NoDegrees<Memory>>& sink, Offset most_posts,
                                      BfsDelegateLevel& level);
  void take_found_delegates();
  void take_no_delegates();
  void finish_parents(BfsDelegateStatistics& statistics);
  detail::NormalResults<Vertex, Memory> normal_results() const;

  const Communicator& communicator_;
  OwnInstance<Space> normal_stream_, delegate_stream_;
  Space space_;  // of the normal stream, which all that is between sweeps is done in, too
  const GraphDelegate<Vertex, Memory>& graph_;
  BfsDelegateOptions options_;
  detail::DelegateReduction reduction_;
  detail::NormalExchange<Space, Vertex> exchange_;
  BfsResult<Vertex, Memory> result_;

  Frontier<LocalVertex, Memory> normal_, next_normal_;
  Bitmap<Memory> normal_visited_;
  Bitmap<Memory> normal_visited_before_;  // this level: only where streams run beside each other
  Delegates delegates_;                   // of the frontier
  Delegates found_delegates_;             // by this rank, on this level
  Bitmap<Memory> delegate_visited_;       // of all ranks, before this level
  Bitmap<Memory> delegate_found_;         // and what this rank found on it
  DeviceCounts<Memory> taken_;
  /// Of the rows that are looked through backward, on a GPU: the ends that are most likely visited.
  Kokkos::View<LocalVertex*, Memory> likely_nd_, likely_dd_, likely_dn_;
  Kokkos::View<Vertex*, Memory> delegate_parent_;
  Kokkos::View<Level*, Memory> delegate_level_;
  Kokkos::View<Vertex*, Memory> ordered_parent_;  // by owner, on their way there
  Kokkos::View<Vertex*, Memory> candidates_;      // what the ranks have for this one's delegates
  Level next_level_ = 0;
  detail::PartWork nn_work_, nd_work_, dn_work_, dd_work_;
  detail::PartState nd_, dn_, dd_;
};

// Compiled once in the library for the default execution space and both widths of ids.
extern template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int32_t>;
extern template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
