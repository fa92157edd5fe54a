// SPDX-License-Identifier: BSD-3-Clause
// Direction-optimizing breadth-first search: where the frontier is large, the unvisited vertices look for a parent in
// it instead of the frontier looking for unvisited vertices, and each of them may stop at the first it finds.
//
// Both directions are the one loop nest. Backwards, the work set is the compacted list of unvisited vertices, the edges
// are the in-edges, and the operator asks whether the other end is visited. That is the whole test: a visited
// in-neighbor of an unvisited vertex can only be in the frontier, or the vertex would have been found before. So a
// snapshot of the visited bitmap, taken before the sweep, is the frontier as a bitmap, and no conversion is needed in
// either direction; the sweep still gathers a queue, for the sizes and for the way back.
//
// The direction is chosen by comparing workloads (Pan et al. 2018, Section IV-B; the idea is Beamer, Asanovic and
// Patterson's, 2012), with s unvisited vertices and a the chance that an edge of theirs leads into the frontier:
//
//   FV = edges that leave the frontier
//   BV = s / a, the neighbors that s vertices must look at until each has found one
//
// Pan et al. estimate a by counting vertices, q / (q + s) for q in the frontier. Here it is counted in edges, FV over
// the edges of all vertices that are in the frontier or unvisited: a frontier of few hubs is found far more often than
// its number of vertices suggests, and in a scale-free graph the second level is one.
//
//   1,000 vertices with 40,000 edges in the frontier, 9,000 unvisited with 60,000 edges:
//   FV = 40,000, a = 40,000 / 100,000, BV = 9,000 / 0.4 = 22,500
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/backward_sweep_warps.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/compact.hpp>
#include <limits>
#include <utility>

namespace dromos {

struct DirectionOptions {
  /// Turn backward when FV > factor * BV. Smaller turns earlier.
  double forward_to_backward = 0.5;
  /// Turn forward again when FV < factor * BV. Smaller turns later.
  double backward_to_forward = 0.05;
  /// Never turn backward for fewer edges of the frontier; -1: chosen for the device. A GPU goes forward through so many
  /// in the time that a backward sweep takes however little it finds.
  Offset fewest_edges_backward = -1;
  /// How the edges of unvisited vertices are dealt out in backward sweeps, most of which stop after a few edges. Not
  /// asked on GPUs, which sweep backward in their own way (algorithms/backward_sweep_warps.hpp).
  Strategy backward_strategy = Best{};
};

/// The memory of a direction-optimizing search, allocated once per graph: that of the top-down search, a list of
/// vertices and two bitmaps more, about 12 bytes a vertex in all.
template <class Vertex, class Memory>
struct BfsDirectionScratch : BfsScratch<Vertex, Memory> {
  /// The graph turned round; the graph itself where it is undirected.
  CsrGraph<Vertex, Memory> in_edges;
  Bitmap<Memory> snapshot;
  /// Vertices that have an in-edge: the others cannot be found and are never in a work set.
  Bitmap<Memory> can_be_found;
  std::int64_t num_can_be_found = 0;
  Frontier<Vertex, Memory> unvisited;
  /// Of GPUs, which sweep backward in their own way; without memory elsewhere.
  detail::WarpBackwardScratch<Vertex, Memory> backward;

  BfsDirectionScratch() = default;

  /// \param in_edges_of_graph  transpose(graph), or the graph itself where it is undirected
  template <class Space>
  BfsDirectionScratch(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                      const CsrGraph<Vertex, Memory>& in_edges_of_graph)
      : BfsScratch<Vertex, Memory>(graph),
        in_edges(in_edges_of_graph),
        snapshot(graph.num_vertices(), "dromos::bfs::snapshot"),
        can_be_found(graph.num_vertices(), "dromos::bfs::can_be_found") {
    num_can_be_found = mark_vertices_with_edges(space, in_edges.view(), can_be_found);
    if constexpr (has_warps<Space>) {
      backward = detail::prepare_backward_sweeps(space, graph.view(), in_edges.view());
    } else {
      unvisited = Frontier<Vertex, Memory>(graph.num_vertices(), graph.num_edges());
    }
  }

  /// As above; builds the transpose of a directed graph itself, which takes as long as building the graph did.
  template <class Space>
  BfsDirectionScratch(const Space& space, const CsrGraph<Vertex, Memory>& graph)
      : BfsDirectionScratch(space, graph, transpose(space, graph)) {}
};

/// Sets the bits of all vertices of degree > 0, a word at a time, and returns their number.
///
/// \param rows  anything with vertex_type, num_vertices() and degree(v), as sweeps take it
template <class Space, class Rows, class Memory>
DROMOS_OF_EACH_SOURCE std::int64_t mark_vertices_with_edges(const Space& space, const Rows& rows,
                                                            const Bitmap<Memory>& marked) {
  const auto words = marked.words();
  const std::int64_t n = rows.num_vertices();
  std::int64_t num_marked = 0;
  Kokkos::parallel_reduce(
      "dromos::bfs::mark_vertices_with_edges",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(words.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t w, std::int64_t& count) {
        typename Bitmap<Memory>::Word word = 0;
        const std::int64_t first = w * Bitmap<Memory>::bits_per_word;
        const std::int64_t last = dromos::min<std::int64_t>(first + Bitmap<Memory>::bits_per_word, n);
        for (std::int64_t v = first; v < last; ++v) {
          if (rows.degree(static_cast<typename Rows::vertex_type>(v)) > 0) word |= Bitmap<Memory>::mask(v);
        }
        words(w) = word;
        count += population_count(word);
      },
      num_marked);
  return num_marked;
}

namespace detail {

/// Backward: an unvisited u is found when an in-neighbor was visited before the sweep.
template <class Vertex, class Memory>
struct FindParent {
  static constexpr bool joins_source = true;
  static constexpr bool stops_at_first = true;

  Bitmap<Memory> snapshot;
  DiscoverNeighbors<Vertex, Memory> discover;

  /// The snapshot does not change during the sweep; set() decides where several threads share the edges of u.
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return snapshot.test(v) && discover.visited.set(u);
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const { discover.joined(v, u); }
  /// For strategies whose threads share the edges of u.
  KOKKOS_FORCEINLINE_FUNCTION bool done(Vertex u) const { return discover.visited.test(u); }
};

/// BV: the neighbors that the unvisited vertices are expected to look at. `remaining_edges` are those of the frontier
/// and of the unvisited vertices together.
inline double backward_workload(std::int64_t num_unvisited, Offset frontier_edges, Offset remaining_edges) {
  if (num_unvisited <= 0) return 0;
  if (frontier_edges <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(num_unvisited) * static_cast<double>(remaining_edges) /
         static_cast<double>(frontier_edges);
}

/// One backward sweep: from the unvisited vertices to scratch.next. On a GPU the vertices that the first one finds are
/// counted there, but listed only by turn_forward().
template <class Space, class Vertex, class Memory>
void backward_sweep(const Space& space, const CsrView<Vertex, Memory>& graph,
                    BfsDirectionScratch<Vertex, Memory>& scratch, DiscoverNeighbors<Vertex, Memory>& discover,
                    const Strategy& strategy) {
  if constexpr (has_warps<Space>) {
    const BackwardCounts counts = backward_sweep_warps(space, graph, scratch, discover);
    discover.visited = scratch.visited;
    scratch.next.set_counts(counts.num_found, counts.edges_found);
  } else {
    Kokkos::deep_copy(space, scratch.snapshot.words(), scratch.visited.words());
    scratch.unvisited.set_counts(
        compact_difference(space, scratch.can_be_found, scratch.visited, scratch.unvisited.queue()));
    sweep_frontier(
        space, scratch.in_edges.view(), scratch.unvisited, [&](bool) { return scratch.next.open(space, graph, false); },
        FindParent<Vertex, Memory>{scratch.snapshot, discover}, strategy);
    scratch.next.collect(space);
  }
}

/// A GPU goes through so few unvisited vertices in the time that turning takes.
template <class Space>
inline constexpr std::int64_t not_worth_turning = is_gpu<Space> ? 1 << 16 : 0;

template <class Space>
Offset fewest_edges_backward(const DirectionOptions& direction) {
  if (direction.fewest_edges_backward >= 0) return direction.fewest_edges_backward;
  return is_gpu<Space> ? Offset(1) << 21 : 0;
}

/// What a forward sweep after backward ones needs: the frontier as a list.
template <class Space, class Vertex, class Memory>
void turn_forward([[maybe_unused]] const Space& space, [[maybe_unused]] BfsDirectionScratch<Vertex, Memory>& scratch) {
  if constexpr (has_warps<Space>) {
    if (scratch.backward.found_listed) return;
    gather_difference(space, scratch.visited, scratch.snapshot, scratch.frontier.queue(), scratch.backward.gathered);
  }
}

}  // namespace detail

/// Searches from one root, forwards or backwards level by level, whichever is less work.
///
/// Parameters, results and errors as bfs(); `scratch` additionally holds the in-edges. Levels equal those of bfs();
/// parents may be other ones.
/// Cost: at most that of bfs() and a pass over the unvisited vertices per backward level; on graphs of small diameter a
/// small fraction of the edges.
template <class Space, class Vertex, class Memory>
BfsStatistics bfs_direction_optimizing(const Space& space, const CsrGraph<Vertex, Memory>& graph, Vertex root,
                                       BfsDirectionScratch<Vertex, Memory>& scratch, BfsResult<Vertex, Memory>& result,
                                       const BfsOptions& options = {}, const DirectionOptions& direction = {}) {
  const ScopedRegion region("dromos::bfs_direction_optimizing");
  detail::prepare_results(space, graph, root, result, options);
  const Kokkos::Timer total;
  BfsStatistics statistics;
  const auto view = graph.view();
  auto discover = detail::start_search(space, graph, root, scratch, result, options, statistics);
  scratch.backward.listed = scratch.backward.spare_valid = false;

  Kokkos::Timer timer;
  bool backward = false;
  while (!scratch.frontier.empty()) {
    if (backward && options.fuse_small_levels && worth_fusing(space, scratch.frontier)) {
      detail::turn_forward(space, scratch);
      backward = false;
    }
    if (!backward && detail::fused_levels(space, view, scratch, discover, options, statistics)) {
      scratch.backward.spare_valid = false;
      continue;
    }
    const ScopedRegion level_region("dromos::bfs_direction_optimizing::level");
    timer.reset();
    BfsLevel level;
    level.frontier_size = scratch.frontier.num_vertices();
    level.frontier_edges = scratch.frontier.num_edges();
    const double forward_work = static_cast<double>(level.frontier_edges);
    const std::int64_t num_unvisited = scratch.num_can_be_found - statistics.num_reached - level.frontier_size;
    const double backward_work =
        detail::backward_workload(num_unvisited, level.frontier_edges, graph.num_edges() - statistics.edges_reached);
    if (backward ? forward_work < direction.backward_to_forward * backward_work &&
                       num_unvisited > detail::not_worth_turning<Space>
                 : forward_work > direction.forward_to_backward * backward_work &&
                       level.frontier_edges >= detail::fewest_edges_backward<Space>(direction)) {
      backward = !backward;
      if (!backward) detail::turn_forward(space, scratch);
    }
    level.backward = backward;
    discover.next_level = static_cast<Level>(statistics.levels.size()) + 1;
    if (backward) {
      detail::backward_sweep(space, view, scratch, discover, direction.backward_strategy);
    } else {
      traverse(space, view, scratch.frontier, scratch.next, discover, options.strategy);
      scratch.backward.spare_valid = false;
    }
    std::swap(scratch.frontier, scratch.next);
    level.seconds = timer.seconds();
    detail::add_level(statistics, level);
  }
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
