// SPDX-License-Identifier: BSD-3-Clause
// Level-synchronous top-down breadth-first search: level and parent of every vertex that a root reaches.
//
// The loop nest does the work; this file is the operator (claim an unvisited neighbor) and the loop over levels. The
// visited set is a bitmap beside the results: the one test per edge then touches 32 times less memory than the parent
// array would, and the atomic that decides between two parents is only tried on a bit that was still 0. On CPUs, levels
// of many edges do without atomics (algorithms/impl/bfs_private_visits.hpp); on GPUs, they write results afterwards
// (algorithms/impl/bfs_late_updates.hpp).
//
// Source: Slota et al. 2015, Section II-B. Results follow Graph500: the root is its own parent, a vertex that was not
// reached has parent -1 and level -1. Which of several possible parents is taken is decided by a race, and every
// outcome of it is a valid tree; levels do not depend on it.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/impl/bfs_late_updates.hpp>
#include <dromos/algorithms/impl/bfs_private_visits.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/claim_by_warp.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dromos {

struct BfsOptions {
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
  /// Produce levels: one random write per reached vertex.
  bool levels = true;
  /// Produce parents: one random write per reached vertex.
  bool parents = true;
  /// Levels of few edges without a launch for each (traverse/fused_sweeps.hpp), in which the strategy has no say.
  bool fuse_small_levels = true;
  /// On GPUs levels of many edges without a queue (algorithms/impl/bfs_late_updates.hpp): where those of the strategy
  /// have no say. Not with strategies that want prefix sums.
  bool late_updates = true;
};

/// One level of a search.
struct BfsLevel {
  std::int64_t frontier_size = 0;
  /// Edges that leave the frontier; a forward sweep examines all of them, a backward sweep as few as it can.
  Offset frontier_edges = 0;
  /// The sweep looked from unvisited vertices back at the frontier (direction-optimizing search only).
  bool backward = false;
  /// Levels that were searched in one launch share its time evenly; zero, where it is known beforehand that nobody is
  /// found.
  double seconds = 0;
};

/// What a search did.
struct BfsStatistics {
  std::int64_t num_reached = 0;  ///< vertices, the root included
  Level depth = 0;               ///< the last level; 0 when the root reaches nothing else
  /// Stored arcs that leave reached vertices: in an undirected graph twice the edges of the root's component.
  Offset edges_reached = 0;
  double seconds = 0;
  std::vector<BfsLevel> levels;
};

/// Levels and parents: num_vertices elements each, or none where they were not asked for. Reused from root to root.
template <class Vertex, class Memory>
struct BfsResult {
  Kokkos::View<Vertex*, Memory> parent;
  Kokkos::View<Level*, Memory> level;
};

/// The memory a search works in, allocated once per graph: two frontiers and a bitmap, about 8 bytes a vertex.
template <class Vertex, class Memory>
struct BfsScratch {
  Frontier<Vertex, Memory> frontier;
  Frontier<Vertex, Memory> next;
  Bitmap<Memory> visited;
  SweepFusion<Memory> fusion;
  /// Of CPUs with up to 64 threads, once a level has many edges: an eighth of a byte more a vertex and thread.
  detail::PrivateVisits<Memory> private_visits;
  /// Of GPUs, for levels of many edges: an eighth of a byte more a vertex.
  detail::LateUpdates<Memory> late_updates;

  BfsScratch() = default;
  /// \param graph  a CsrGraph, or any graph view
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  explicit BfsScratch(const Graph& graph)
      : frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        visited(graph.num_vertices(), "dromos::bfs::visited"),
        late_updates(graph.num_vertices()) {
    check_graph<Graph>();
  }
};

/// Throws ArgumentError unless `root` is a vertex of a graph with `num_vertices` vertices.
inline void check_root(std::int64_t root, std::int64_t num_vertices) {
  if (root < 0 || root >= num_vertices) {
    throw ArgumentError("root " + std::to_string(root) + " is not a vertex of the graph, whose " +
                        std::to_string(num_vertices) + " vertices are numbered from 0");
  }
}

namespace detail {

/// Claims unvisited neighbors.
template <class Vertex, class Memory>
struct DiscoverNeighbors {
  Bitmap<Memory> visited;
  Kokkos::View<Vertex*, Memory> parent;
  Kokkos::View<Level*, Memory> level;
  Level next_level;
  bool with_parents;
  bool with_levels;

  static constexpr bool may_ask_at_once = true;
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const { return !visited.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool may_join_nearby(Vertex, Vertex v, Offset) const { return !visited.test_nearby(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const { return visited.claim(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(Vertex, Vertex v, Offset) const { return visited.claim_alone(v); }
  template <int n>
  KOKKOS_FORCEINLINE_FUNCTION void edges_of_warp(const Vertex (&)[n], const Vertex (&v)[n], const Offset (&)[n],
                                                 bool (&joins)[n], int lane) const {
    claim_by_warp(visited, v, joins, lane);
  }

  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }

  /// claim() tells one caller per vertex true, so that only one thread writes here.
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const {
    if (with_parents) parent.data()[v] = u;
    if (with_levels) level.data()[v] = next_level;
  }
};

/// What happens before the clock starts: the root is checked and the results have their size.
template <class Space, class Graph, class Vertex, class Memory>
void prepare_results(const Space& space, const Graph& graph, Vertex root, BfsResult<Vertex, Memory>& result,
                     const BfsOptions& options) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  check_root(root, graph.num_vertices());
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  ensure_size(result.parent, options.parents ? n : 0, "dromos::bfs::parent");
  ensure_size(result.level, options.levels ? n : 0, "dromos::bfs::level");
  fence(space, "dromos::bfs::start");
}

inline void add_level(BfsStatistics& statistics, const BfsLevel& level) {
  statistics.num_reached += level.frontier_size;
  statistics.edges_reached += level.frontier_edges;
  statistics.depth = static_cast<Level>(statistics.levels.size());
  statistics.levels.push_back(level);
}

/// Makes levels of sweeps.
struct WatchLevels : NoWatch {
  BfsStatistics& statistics;
  explicit WatchLevels(BfsStatistics& of) : statistics(of) {}
  void swept(const WorkSetSize& frontier, double seconds) {
    add_level(statistics, {frontier.num_vertices, frontier.num_edges, false, seconds});
  }
};

/// The results of vertices that were not reached.
template <class Vertex, class Memory>
struct FillUnreached {
  const typename Bitmap<Memory>::Word* visited;
  std::int64_t first;  ///< the bit of vertex 0
  Vertex* parent;      ///< null: not wanted
  Level* level;        ///< likewise

  KOKKOS_FORCEINLINE_FUNCTION void fill(std::int64_t v) const {
    if (parent != nullptr) parent[v] = no_vertex<Vertex>;
    if (level != nullptr) level[v] = no_level;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const std::int64_t bit = first + v;
    if ((visited[Bitmap<Memory>::word_of(bit)] & Bitmap<Memory>::mask(bit)) == 0) fill(v);
  }
};

/// The same by words of the bitmap, most of which hold visited vertices alone.
template <class Vertex, class Memory>
struct FillUnreachedWords {
  FillUnreached<Vertex, Memory> results;  ///< bit 0 is vertex 0's
  std::int64_t num_vertices;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    using Word = typename Bitmap<Memory>::Word;
    const std::int64_t first = w * Bitmap<Memory>::bits_per_word;
    for (Word rest = ~results.visited[w]; rest != 0; rest &= rest - 1) {
      const std::int64_t v = first + count_trailing_zeros(rest);
      if (v < num_vertices) results.fill(v);
    }
  }
};

/// Says of the vertices that are not visited that they are not reached. Waits.
template <class Space, class Vertex, class Memory>
void fill_unreached(const Space& space, const Bitmap<Memory>& visited, const BfsResult<Vertex, Memory>& result,
                    const BfsOptions& options) {
  const FillUnreached<Vertex, Memory> fill{visited.words().data(), 0, options.parents ? result.parent.data() : nullptr,
                                           options.levels ? result.level.data() : nullptr};
  if constexpr (is_gpu<Space>) {
    for_range("dromos::bfs::fill_unreached", space, visited.size(), fill);
  } else {
    for_range("dromos::bfs::fill_unreached", space, visited.words().extent(0),
              FillUnreachedWords<Vertex, Memory>{fill, visited.size()});
  }
  fence(space, "dromos::bfs::fill_unreached");
}

/// Nothing is visited but the root and what the first levels found, where these are small; the last of them is the
/// frontier. Returns the operator of the forward sweeps.
///
/// \param fills_results  otherwise somebody else says of the vertices that are not reached that they are not
template <class Space, class Graph, class Vertex, class Memory, class Scratch>
DiscoverNeighbors<Vertex, Memory> start_search(const Space& space, const Graph& graph, Vertex root, Scratch& scratch,
                                               const BfsResult<Vertex, Memory>& result, const BfsOptions& options,
                                               BfsStatistics& statistics, bool fills_results = true) {
  if (scratch.visited.size() != graph.num_vertices()) {
    throw ArgumentError("the scratch memory of the search is that of a graph of " +
                        std::to_string(scratch.visited.size()) + " vertices, and this one has " +
                        std::to_string(graph.num_vertices()) + "; make one for every graph");
  }
  if (fills_results && options.parents) fill(space, result.parent, no_vertex<Vertex>);
  if (fills_results && options.levels) fill(space, result.level, no_level);
  fill(space, scratch.visited.words(), typename Bitmap<Memory>::Word(0));
  scratch.private_visits.up_to_date = false;
  DiscoverNeighbors<Vertex, Memory> discover{scratch.visited, result.parent, result.level, 0,
                                             options.parents, options.levels};
  const ScopedRegion region("dromos::bfs::first_levels");
  begin_fused(space, view_of(graph), scratch.frontier, scratch.next, discover, root, options.fuse_small_levels,
              scratch.fusion, WatchLevels(statistics));
  return discover;
}

/// The levels from scratch.frontier on that one launch can search. Waits, and says whether there were any.
template <class Space, class Graph, class Vertex, class Memory>
bool fused_levels(const Space& space, const Graph& graph, BfsScratch<Vertex, Memory>& scratch,
                  DiscoverNeighbors<Vertex, Memory>& discover, const BfsOptions& options, BfsStatistics& statistics) {
  if (!options.fuse_small_levels || !worth_fusing(space, scratch.frontier)) return false;
  const ScopedRegion region("dromos::bfs::fused_levels");
  scratch.private_visits.up_to_date = false;
  discover.next_level = static_cast<Level>(statistics.levels.size()) + 1;
  return sweep_fused(space, graph, scratch.frontier, scratch.next, discover, scratch.fusion, WatchLevels(statistics));
}

/// One level from scratch.frontier to scratch.next. Waits.
template <class Space, class Graph, class Vertex, class Memory>
void forward_level(const Space& space, const Graph& graph, BfsScratch<Vertex, Memory>& scratch,
                   const DiscoverNeighbors<Vertex, Memory>& discover, const BfsOptions& options) {
  const Strategy& strategy = options.strategy;
  if constexpr (is_gpu<Space>) {
    LateUpdates<Memory>& late = scratch.late_updates;
    scratch.frontier.ensure_num_edges(space, graph);
    if (options.late_updates &&
        worth_late_updates<Space>(late, graph.num_vertices(), scratch.frontier.num_edges(), strategy)) {
      traverse_and_update_late(space, graph, scratch.frontier, scratch.next, scratch.visited, late.before, late.counts,
                               discover, true, strategy);
      return;
    }
  } else {
    if (worth_private_visits<Space>(graph.num_vertices(), scratch.frontier.num_edges())) {
      traverse_privately(space, graph, scratch.frontier, scratch.next, scratch.visited, scratch.private_visits,
                         discover, strategy);
      return;
    }
    scratch.private_visits.up_to_date = false;
  }
  traverse(space, graph, scratch.frontier, scratch.next, discover, strategy);
}

}  // namespace detail

/// Searches from one root.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param graph    a CsrGraph, or any graph view (graph/graph_view.hpp), directed (edges are followed forwards) or not
/// \param root     where to start, in [0, num_vertices)
/// \param scratch  of this graph; reused from call to call
/// \param result   out: resized on first use, then reused
/// \param options  strategy, and which results are wanted
/// \returns sizes and times of each level; the time is that of the search with the initialisation of its results
/// \throws ArgumentError when the root is outside the graph, or the scratch is that of a graph of another size
///
/// Cost: every edge that leaves a reached vertex once, plus the vertices once, plus one host synchronisation a level.
template <class Space, class Graph, class Vertex, class Memory>
BfsStatistics bfs(const Space& space, const Graph& graph, Vertex root, BfsScratch<Vertex, Memory>& scratch,
                  BfsResult<Vertex, Memory>& result, const BfsOptions& options = {}) {
  const ScopedRegion region("dromos::bfs");
  detail::prepare_results(space, graph, root, result, options);
  const Kokkos::Timer total;
  BfsStatistics statistics;
  const auto view = view_of(graph);
  auto discover = detail::start_search(space, graph, root, scratch, result, options, statistics);

  Kokkos::Timer timer;
  while (!scratch.frontier.empty()) {
    if (detail::fused_levels(space, view, scratch, discover, options, statistics)) continue;
    const ScopedRegion level_region("dromos::bfs::level");
    timer.reset();
    BfsLevel level;
    level.frontier_size = scratch.frontier.num_vertices();
    level.frontier_edges = scratch.frontier.num_edges();
    discover.next_level = static_cast<Level>(statistics.levels.size()) + 1;
    detail::forward_level(space, view, scratch, discover, options);
    std::swap(scratch.frontier, scratch.next);
    level.seconds = timer.seconds();
    detail::add_level(statistics, level);
  }
  statistics.seconds = total.seconds();
  return statistics;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template BfsStatistics bfs(const Kokkos::DefaultExecutionSpace&,
                                  const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  std::int32_t, BfsScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  BfsResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const BfsOptions&);
extern template BfsStatistics bfs(const Kokkos::DefaultExecutionSpace&,
                                  const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  std::int64_t, BfsScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  BfsResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const BfsOptions&);

}  // namespace dromos
