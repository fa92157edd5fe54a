// SPDX-License-Identifier: BSD-3-Clause
// Direction-optimizing breadth-first search: where the frontier is large, the unvisited vertices look for a parent in
// it instead of the frontier looking for unvisited vertices, and each of them may stop at the first it finds.
//
// Forward is the one loop nest (traverse/traverse.hpp), backward is find_first() (traverse/find_first.hpp): it asks
// whether the other end is visited. That is the whole test: a visited in-neighbor of an unvisited vertex can only be in
// the frontier, or the vertex would have been found before. So the visited bitmap as it was before the sweep is the
// frontier as a bitmap, and no conversion is needed to turn backward. To turn forward, the frontier is listed: what the
// visited bitmap has and that from before has not.
//
// Which direction is less work is the rule's to say (traverse/direction_rule.hpp), on a CPU after it has asked a
// sample.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/impl/bfs_late_levels.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <utility>

namespace dromos {

/// The memory of a direction-optimizing search, allocated once per graph: that of the top-down search and two bitmaps
/// more, about 8 bytes a vertex in all; on a GPU 32.
///
/// InEdges: the type of the graph turned round, a CsrGraph or any graph view.
template <class Vertex, class Memory, class InEdges = CsrGraph<Vertex, Memory>>
struct BfsDirectionScratch : BfsScratch<Vertex, Memory> {
  /// The graph turned round; the graph itself where it is undirected.
  InEdges in_edges;
  Bitmap<Memory> snapshot;  ///< what was visited before a backward sweep
  /// Vertices that have an in-edge: the others cannot be found and are never in a work set.
  Bitmap<Memory> can_be_found;
  std::int64_t num_can_be_found = 0;
  detail::FindAgainScratch<Vertex, Memory> backward;
  /// Sweeps of fewer vertices take a GPU less time than the host needs to enqueue another behind them.
  std::int64_t fewest_ahead = std::int64_t(1) << 16;
  detail::LateLevels<Memory> late_levels;

  BfsDirectionScratch() = default;

  /// \param in_edges_of_graph  transpose(graph), or the graph itself where it is undirected
  template <class Space, class Graph>
  BfsDirectionScratch(const Space& space, const Graph& graph, const InEdges& in_edges_of_graph)
      : BfsScratch<Vertex, Memory>(graph),
        in_edges(in_edges_of_graph),
        snapshot(graph.num_vertices(), "dromos::bfs::snapshot"),
        can_be_found(graph.num_vertices(), "dromos::bfs::can_be_found"),
        late_levels(graph.num_vertices()) {
    num_can_be_found = mark_vertices_with_edges(space, view_of(in_edges), can_be_found);
    backward = detail::prepare_find_again(space, view_of(graph), view_of(in_edges));
  }

  /// As above; builds the transpose of a directed graph itself, which takes as long as building the graph did.
  template <class Space>
  BfsDirectionScratch(const Space& space, const CsrGraph<Vertex, Memory>& graph)
      : BfsDirectionScratch(space, graph, transpose(space, graph)) {}
};

template <class Space, class Graph, class InEdges>
BfsDirectionScratch(const Space&, const Graph&, const InEdges&)
    -> BfsDirectionScratch<vertex_type_of<Graph>, memory_space_of<Graph>, InEdges>;

namespace detail {

/// Backward: an unvisited u is found when an in-neighbor was visited before the sweep. Pointers, for the sake of GPUs.
template <class Vertex, class Memory>
struct FindParent {
  const typename Bitmap<Memory>::Word* visited;
  Vertex* parent;  ///< null: not wanted
  Level* level;    ///< null: not wanted
  Level next_level;
  bool tells_not_found = false;  ///< of vertices that nobody has written results for
  Level* late_level = nullptr;   ///< where `level` is null for one sweep only: that of the others in its launch

  KOKKOS_FORCEINLINE_FUNCTION bool holds(Vertex, Vertex v) const {
    return (visited[Bitmap<Memory>::word_of(v)] & Bitmap<Memory>::mask(v)) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void found(Vertex u, Vertex v) const {
    if (parent != nullptr) parent[u] = v;
    if (level != nullptr) level[u] = next_level;
  }
  KOKKOS_FORCEINLINE_FUNCTION void not_found(Vertex u) const {
    FillUnreached<Vertex, Memory>{visited, 0, parent, level}.fill(u);
  }
  /// Of several sweeps of one launch, and of the next of them.
  KOKKOS_FORCEINLINE_FUNCTION void begin_several() {
    if (late_level != nullptr) level = late_level;
  }
  KOKKOS_FORCEINLINE_FUNCTION void go_on(const typename Bitmap<Memory>::Word* visited_now) {
    visited = visited_now;
    ++next_level;
  }
  KOKKOS_FORCEINLINE_FUNCTION void tell(Vertex u, bool found, Vertex v) const {
    if (parent != nullptr) parent[u] = v;  // no_vertex, unless found
    if (level != nullptr) level[u] = found ? next_level : no_level;
  }
};

/// Enqueues the pass over the bitmaps that writes levels, if any were left to it.
template <class Space, class Vertex, class Memory, class InEdges>
void write_late_levels(const Space& space, BfsDirectionScratch<Vertex, Memory, InEdges>& scratch,
                       const Kokkos::View<Level*, Memory>& level) {
  const Bitmap<Memory>&visited = scratch.visited, &before = scratch.snapshot;
  if (scratch.late_levels.of_sweeps) {
    scratch.late_levels.write_of_sweeps(space, level, before, visited, visited, nullptr);
  } else if (scratch.late_levels.of_frontier) {
    scratch.late_levels.write_of_frontier(space, level, before, visited);
  }
}

/// One backward sweep: the vertices that it finds are counted in scratch.next, but may be listed only by
/// list_frontier().
/// \param rule, work  of this level; where the next one is to be backward as well, a GPU begins it on its own
/// \param filled  have vertices that are not reached results that say so? If not, a sweep over all writes them.
/// \returns how many edges it looked at, on a CPU
template <class Space, class Graph, class Vertex, class Memory, class InEdges>
Offset backward_sweep(const Space& space, const Graph& graph, BfsDirectionScratch<Vertex, Memory, InEdges>& scratch,
                      DiscoverNeighbors<Vertex, Memory>& discover, const DirectionRule& rule, const DirectionWork& work,
                      const BfsOptions& options, bool& filled) {
  LateLevels<Memory>& late = scratch.late_levels;
  const bool over_all = !scratch.backward.listed;
  const bool leaves_levels = over_all && discover.with_levels && late.are_worth(space);
  if (leaves_levels) {
    if (late.of_frontier) std::swap(scratch.snapshot, late.before_frontier);
    late.of_sweeps = true;
    late.level_of_all = discover.next_level;
  } else {
    write_late_levels(space, scratch, discover.level);
  }
  scratch.backward.kept = leaves_levels ? late.after_all : Bitmap<Memory>();
  Level* const level = discover.with_levels ? discover.level.data() : nullptr;
  const FindParent<Vertex, Memory> find{scratch.visited.words().data(),
                                        discover.with_parents ? discover.parent.data() : nullptr,
                                        leaves_levels ? nullptr : level, discover.next_level,
                                        !filled && over_all && (discover.with_parents || !leaves_levels)};
  filled = filled || find.tells_not_found || leaves_levels;
  SweepAhead when;
  when.rule = rule;
  when.work = work;
  when.most_fused_vertices = options.fuse_small_levels ? most_fused_vertices<Space> : -1;
  when.most_fused_edges = most_fused_edges(space);
  // The sweep over the list that is enqueued behind that over all leaves its levels to the same pass, unless it is one
  // of several in its launch.
  const auto make_operator = [find, level](const Bitmap<Memory>& visited) {
    return FindParent<Vertex, Memory>{visited.words().data(), find.parent, find.level,
                                      find.next_level + 1,    false,       level};
  };
  const auto behind_list = [&](const Bitmap<Memory>& asked, const Bitmap<Memory>& added_to, const SweepAhead* list) {
    if (late.of_sweeps) late.write_of_sweeps(space, discover.level, scratch.visited, asked, added_to, list);
  };
  const GoesOnBackward ahead{work.num_unvisited >= scratch.fewest_ahead, when, scratch.frontier.queue(), make_operator,
                             behind_list};
  // What a launch finds after its first sweep lies where that was.
  if (scratch.backward.is_made()) std::swap(scratch.frontier, scratch.next);
  const FoundCounts counts =
      find_first_again(space, graph, view_of(scratch.in_edges), scratch.backward, scratch.can_be_found, scratch.visited,
                       scratch.snapshot, scratch.next.queue(), work.unvisited_edges, find, NothingBehind{}, ahead);
  discover.visited = scratch.visited;
  scratch.private_visits.up_to_date = false;
  scratch.next.set_counts(counts.num_found, counts.edges_found);
  return counts.looked_at;
}

/// The direction of the next level. On a CPU a sample of those who would look is asked.
template <class Space, class Vertex, class Memory, class InEdges>
void choose_direction(const BfsDirectionScratch<Vertex, Memory, InEdges>& scratch, const DirectionWork& work,
                      DirectionRule& rule) {
  if constexpr (is_gpu<Space>) {
    rule.turns(work);
  } else {
    constexpr std::int64_t num_samples = 256;
    rule.turns(work, [&] {
      return would_look_at(view_of(scratch.in_edges),
                           looking<Vertex>(scratch.can_be_found, scratch.visited, scratch.visited), work.num_unvisited,
                           work.unvisited_edges, num_samples,
                           FindParent<Vertex, Memory>{scratch.visited.words().data(), nullptr, nullptr, 0});
    });
  }
}

/// What a forward sweep needs: the frontier as a list.
template <class Space, class Vertex, class Memory, class InEdges>
void list_frontier(const Space& space, BfsDirectionScratch<Vertex, Memory, InEdges>& scratch, bool& listed) {
  if (!listed) {
    gather_difference(space, scratch.visited, scratch.snapshot, scratch.frontier.queue(), scratch.backward.gathered);
  }
  listed = true;
}

/// One forward level, which may leave its levels to write_late_levels(). \returns whether scratch.next lists what it
/// found; the snapshot is otherwise what was visited before.
template <class Space, class Graph, class Vertex, class Memory, class InEdges>
bool forward_sweep(const Space& space, const Graph& graph, BfsDirectionScratch<Vertex, Memory, InEdges>& scratch,
                   const DiscoverNeighbors<Vertex, Memory>& discover, const BfsOptions& options) {
  scratch.backward.spare_valid = false;
  if constexpr (is_gpu<Space>) {
    scratch.frontier.ensure_num_edges(space, graph);
    if (options.late_updates && worth_late_updates<Space>(scratch.late_updates, graph.num_vertices(),
                                                          scratch.frontier.num_edges(), options.strategy)) {
      LateLevels<Memory>& late = scratch.late_levels;
      DiscoverNeighbors<Vertex, Memory> now = discover;
      late.of_frontier = discover.with_levels && !scratch.backward.listed && late.are_worth(space);
      late.level_of_all = discover.next_level + 1;
      now.with_levels = discover.with_levels && !late.of_frontier;
      traverse_and_update_late(space, graph, scratch.frontier, scratch.next, scratch.visited, scratch.snapshot,
                               scratch.late_updates.counts, now, false, options.strategy);
      return false;
    }
    traverse(space, graph, scratch.frontier, scratch.next, discover, options.strategy);
  } else {
    forward_level(space, graph, scratch, discover, options);
  }
  return true;
}

}  // namespace detail

/// Searches from one root, forwards or backwards level by level, whichever is less work.
///
/// Parameters, results and errors as bfs(); `scratch` additionally holds the in-edges. Levels equal those of bfs();
/// parents may be other ones.
/// Cost: at most that of bfs() and a pass over the unvisited vertices per backward level; on graphs of small diameter a
/// small fraction of the edges.
template <class Space, class Graph, class Vertex, class Memory, class InEdges>
BfsStatistics bfs_direction_optimizing(const Space& space, const Graph& graph, Vertex root,
                                       BfsDirectionScratch<Vertex, Memory, InEdges>& scratch,
                                       BfsResult<Vertex, Memory>& result, const BfsOptions& options = {},
                                       const DirectionOptions& direction = {}) {
  const ScopedRegion region("dromos::bfs_direction_optimizing");
  detail::prepare_results(space, graph, root, result, options);
  const Kokkos::Timer total;
  BfsStatistics statistics;
  const auto view = view_of(graph);
  bool listed = true;  // the frontier
  // The first sweep over all vertices says it of those that are not reached: it waits for other things.
  bool filled = false;
  auto discover = detail::start_search(space, graph, root, scratch, result, options, statistics, filled);
  scratch.backward.start();
  scratch.late_levels.start();
  DirectionRule rule = direction_rule<Space>(direction);

  const bool both_ways = detail::same_rows(view, view_of(scratch.in_edges));
  double of_each = 0;  // seconds of the levels of one launch
  Kokkos::Timer timer;
  while (!scratch.frontier.empty()) {
    const std::int64_t size = scratch.frontier.num_vertices();
    if (both_ways && !statistics.levels.empty() && leads_back(size, scratch.frontier.num_edges())) {
      // Nobody is found from here.
      detail::add_level(statistics, {size, size, rule.backward(), 0});
      break;
    }
    const bool runs = scratch.backward.next_runs;  // backward, since the sweep before said so
    if (!runs && options.fuse_small_levels && worth_fusing(space, scratch.frontier)) {
      detail::write_late_levels(space, scratch, result.level);
      detail::list_frontier(space, scratch, listed);
      rule.go_forward();
      if (detail::fused_levels(space, view, scratch, discover, options, statistics)) {
        scratch.backward.spare_valid = false;
        continue;
      }
    }
    const ScopedRegion level_region("dromos::bfs_direction_optimizing::level");
    timer.reset();
    BfsLevel level;
    level.frontier_size = scratch.frontier.num_vertices();
    level.frontier_edges = scratch.frontier.num_edges();
    const Offset unvisited_edges = graph.num_edges() - statistics.edges_reached - level.frontier_edges;
    const DirectionWork work{level.frontier_edges, unvisited_edges,
                             scratch.num_can_be_found - statistics.num_reached - level.frontier_size};
    if (!runs) detail::choose_direction<Space>(scratch, work, rule);
    level.backward = rule.backward();
    discover.next_level = static_cast<Level>(statistics.levels.size()) + 1;
    if (rule.backward()) {
      rule.looked_at(work, detail::backward_sweep(space, view, scratch, discover, rule, work, options, filled));
      listed = scratch.backward.found_listed;
    } else {
      detail::write_late_levels(space, scratch, result.level);
      detail::list_frontier(space, scratch, listed);
      listed = detail::forward_sweep(space, view, scratch, discover, options);
    }
    std::swap(scratch.frontier, scratch.next);
    level.seconds = timer.seconds();
    if (level.backward && scratch.backward.num_further > 0) {
      if (scratch.backward.further_told == 0) of_each = level.seconds / (1 + scratch.backward.num_further);
      level.seconds = of_each;
    }
    detail::add_level(statistics, level);
  }
  detail::write_late_levels(space, scratch, result.level);
  if (!filled) detail::fill_unreached(space, scratch.visited, result, options);
  statistics.seconds = total.seconds();
  return statistics;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template BfsStatistics bfs_direction_optimizing(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int32_t, BfsDirectionScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    BfsResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BfsOptions&, const DirectionOptions&);
extern template BfsStatistics bfs_direction_optimizing(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, BfsDirectionScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    BfsResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BfsOptions&, const DirectionOptions&);

}  // namespace dromos
