// SPDX-License-Identifier: BSD-3-Clause
// The loop around the loop nest: sweep, swap, sweep, until the work set is empty.
//
//   RelaxEdges relax{...};                       // an operator; next_sweep() where its sweeps differ
//   until_empty(space, graph, frontier, next, relax, options.strategy, fusion);
//
// Small work sets are swept several in one launch (traverse/fused_sweeps.hpp), others one by one with the strategy;
// what is found, and in which sweep, does not depend on that. Whoever wants to know of every sweep, or to stop, passes
// a watch.
//
// Loops by hand are left where more happens between two sweeps than a swap: a direction is chosen
// (bfs_direction_optimizing.hpp, reachability.hpp), levels have other ways to go (bfs.hpp), or what was found is
// colored or put in order (coloring.hpp, impl/rcm_by_sweeps.hpp). The two searches fuse small levels by sweep_fused()
// all the same.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/fused_sweeps.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/pile.hpp>
#include <dromos/traverse/traverse.hpp>
#include <limits>
#include <type_traits>
#include <utility>

namespace dromos {

/// Watches nothing; what a watch offers.
struct NoWatch {
  /// Asked before each launch, of the work set that it begins with: false ends the loop.
  bool may_sweep(const WorkSetSize&) { return true; }
  /// How many sweeps one launch may make.
  std::int64_t most_sweeps() const { return most_fused_sweeps; }
  /// A launch of several sweeps ends before one of more edges.
  Offset most_edges_fused() const { return std::numeric_limits<Offset>::max(); }
  /// Told of each sweep: what it began with, and what it took. Sweeps of one launch share its time evenly.
  void swept(const WorkSetSize&, double) {}
  /// Told of each round of ranks behind that: how many of its edges threads went through alone with a heap, and how
  /// many ranks had edges at all.
  void met(Offset, std::int64_t) {}
};

/// What a rank has swept by itself before it meets the others.
struct SweptByRank : WorkSetSize {
  Offset num_alone = 0;  ///< of the edges, those that the calling thread went through with a heap
};

/// The same of all ranks, and how many vertices they told each other of when they met.
struct SweptByRanks : SweptByRank {
  std::int64_t num_busy = 0;  ///< ranks that had edges
  std::int64_t num_told = 0;
};

namespace detail {

template <class Operator, class Memory, class Watch>
void tell_of_fused_sweeps(Operator& op, const SweepFusion<Memory>& fusion, double seconds, Watch&& watch) {
  const std::size_t num_sweeps = fusion.work_sets.size() - 1;
  for (std::size_t i = 0; i < num_sweeps; ++i) {
    watch.swept(fusion.work_sets[i], seconds / static_cast<double>(num_sweeps));
    count_in_bucket(op, fusion.work_sets[i].num_edges);
    begin_next_sweep(op);
    if constexpr (Refills<Operator>::value) {
      if (fusion.work_sets[i + 1].refilled) end_bucket(op);
    }
  }
  // Where buckets were empty, it does not lie behind the one before it.
  if constexpr (Refills<Operator>::value) {
    if (fusion.bucket != 0) op.begin_bucket(op.pile.of_word(fusion.bucket));
  }
}

}  // namespace detail

/// The sweeps from `frontier` that one launch makes, if its work set is small enough for that. Waits, tells the watch
/// and the operator of each, and says whether there were any. The operator's next sweep is then that from `frontier`.
template <class Space, class Graph, class Vertex, class Memory, class Operator, class Watch>
bool sweep_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                 Frontier<Vertex, Memory>& next, Operator& op, SweepFusion<Memory>& fusion, Watch&& watch) {
  if (!worth_fusing(space, frontier)) return false;
  const Kokkos::Timer timer;
  fusion.most_sweeps = static_cast<int>(dromos::min<std::int64_t>(most_fused_sweeps, watch.most_sweeps()));
  if (!traverse_fused(space, graph, frontier, next, op, fusion, watch.most_edges_fused())) return false;
  detail::tell_of_fused_sweeps(op, fusion, timer.seconds(), watch);
  return true;
}

/// The same from one vertex, which joins by op.edge(start, start, 0); as start_fused().
template <class Space, class Graph, class Vertex, class Memory, class Operator, class Watch>
void begin_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                 Frontier<Vertex, Memory>& next, Operator& op, Vertex start, bool fuse, SweepFusion<Memory>& fusion,
                 Watch&& watch) {
  const Kokkos::Timer timer;
  fusion.most_sweeps = static_cast<int>(dromos::min<std::int64_t>(most_fused_sweeps, watch.most_sweeps()));
  start_fused(space, graph, frontier, next, op, start, fuse, fusion);
  begin_next_sweep(op);
  detail::tell_of_fused_sweeps(op, fusion, timer.seconds(), watch);
}

/// As until_empty(), where a single sweep from `frontier` to `next`, sweep_once(), is more than a traverse().
template <class Space, class Graph, class Vertex, class Memory, class Operator, class Watch, class SweepOnce>
bool until_empty_by(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                    Frontier<Vertex, Memory>& next, Operator& op, SweepFusion<Memory>* fusion, Watch&& watch,
                    const SweepOnce& sweep_once) {
  while (!frontier.empty()) {
    // Fused sweeps count for themselves; otherwise the watch is told what is true.
    if (fusion == nullptr || !worth_fusing(space, frontier)) frontier.ensure_num_edges(space, graph);
    if (!watch.may_sweep({frontier.num_vertices(), frontier.num_edges()})) return false;
    const bool was_known = frontier.num_edges() != unknown_edges;
    if (fusion != nullptr && sweep_fused(space, graph, frontier, next, op, *fusion, watch)) continue;
    const Kokkos::Timer timer;
    const WorkSetSize size{frontier.num_vertices(), frontier.num_edges()};
    if (!was_known && size.num_edges > watch.most_edges_fused()) return false;
    sweep_once();
    std::swap(frontier, next);
    watch.swept(size, timer.seconds());
    detail::count_in_bucket(op, size.num_edges);
    begin_next_sweep(op);
  }
  return true;
}

/// Sweeps from `frontier` until a work set is empty. Waits.
///
/// \param op        in and out: its next_sweep() is called once a sweep
/// \param strategy  of work sets that are not fused
/// \param fusion    memory of fused sweeps, reused from call to call; null: every sweep is a launch of its own
/// \param watch     see NoWatch
/// \returns false when the watch ended it; `frontier` is then what was to be swept next
///
/// Other parameters as traverse(). Cost: the edges of all work sets; a host synchronisation for each launch.
template <class Space, class Graph, class Vertex, class Memory, class Operator, class Watch = NoWatch>
bool until_empty(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                 Frontier<Vertex, Memory>& next, Operator& op, const Strategy& strategy, SweepFusion<Memory>* fusion,
                 Watch&& watch = {}) {
  return until_empty_by(space, graph, frontier, next, op, fusion, watch,
                        [&] { traverse(space, graph, frontier, next, op, strategy); });
}

/// One sweep from `frontier` to `next`, and what there is to settle after it. Waits.
template <class Space, class Graph, class Vertex, class Memory, class Operator, class AnyHalo>
void traverse(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
              Frontier<Vertex, Memory>& next, const Operator& op, const Strategy& strategy, const AnyHalo& halo) {
  if constexpr (AnyHalo::is_whole) {
    traverse(space, graph, frontier, next, op, strategy);
  } else {
    halo.sweep(space, graph, frontier, next, op, strategy);
  }
}

namespace detail {

/// Does it not matter in which sweep a vertex joins? An operator says so by `static constexpr bool any_order = true`.
template <class Operator, class = void>
struct JoinsInAnyOrder : std::false_type {};
template <class Operator>
struct JoinsInAnyOrder<Operator, std::enable_if_t<Operator::any_order>> : std::true_type {};

/// May what it has to tell other ranks wait? (distributed/parts/halo.hpp)
template <class Operator, class = void>
struct LetsWait : std::false_type {};
template <class Operator>
struct LetsWait<Operator, std::enable_if_t<Operator::lets_wait>> : std::true_type {};

/// Does a watch want to be asked before sweeps?
template <class Watch>
inline constexpr bool wants_to_be_asked =
    !std::is_same_v<decltype(&std::decay_t<Watch>::may_sweep), bool (NoWatch::*)(const WorkSetSize&)>;

}  // namespace detail

/// until_empty() on a part of a graph, until the work sets of all ranks are empty: between two sweeps the halo settles
/// what the ranks have to say about each other's vertices (traverse/no_halo.hpp), and the watch is told of the work
/// sets of all ranks together. Where the operator takes vertices in any order, a rank sweeps by itself, several sweeps
/// in one launch, until its own work set is empty, and then settles: a path that lies on three ranks costs three
/// rounds. The watch is told of such a round as of one sweep. Who has swept to the end has nobody left unless another
/// rank tells of somebody: the ranks are done when nobody had anything to tell, which they learn with what they tell
/// each other; where the watch wants to be asked, they add up their work sets as well.
///
/// \param op  on a part also what distributed/parts/halo.hpp asks of an operator
template <class Space, class Graph, class Vertex, class Memory, class Operator, class Watch, class AnyHalo>
bool until_empty(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                 Frontier<Vertex, Memory>& next, Operator& op, const Strategy& strategy, SweepFusion<Memory>* fusion,
                 Watch&& watch, const AnyHalo& halo) {
  if constexpr (AnyHalo::is_whole) {
    return until_empty(space, graph, frontier, next, op, strategy, fusion, watch);
  } else {
    constexpr bool to_the_end = detail::JoinsInAnyOrder<Operator>::value;
    constexpr bool done_when_silent = to_the_end && !detail::wants_to_be_asked<Watch>;
    if constexpr (detail::LetsWait<Operator>::value) halo.note_what_is_due(space, op);
    for (;;) {
      SweptByRanks swept;
      if constexpr (!done_when_silent) {
        frontier.ensure_num_edges(space, graph);
        std::int64_t sizes[2] = {frontier.num_vertices(), frontier.num_edges()};
        halo.sum_in_place(sizes, 2);
        swept = {{{sizes[0], sizes[1]}}};
        if (sizes[0] == 0) return true;
        if (!watch.may_sweep(swept)) return false;
      }
      const Kokkos::Timer timer;
      if constexpr (to_the_end) {
        swept = halo.sweep_to_the_end(space, graph, frontier, next, op, strategy, fusion);
      } else {
        traverse(space, graph, frontier, next, op, strategy, halo);
      }
      std::swap(frontier, next);
      if (swept.num_vertices > 0) {
        watch.swept(swept, timer.seconds());
        if constexpr (to_the_end) watch.met(swept.num_alone, swept.num_busy);
        detail::count_in_bucket(op, swept.num_edges);
        begin_next_sweep(op);
      }
      if (done_when_silent && swept.num_told == 0) return true;
    }
  }
}

/// One sweep over all vertices with rows into `next`, and what there is to settle after it. Waits.
template <class Space, class Graph, class Vertex, class Memory, class Operator, class AnyHalo>
void traverse_all(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& next, const Operator& op,
                  const Strategy& strategy, const AnyHalo& halo) {
  if constexpr (AnyHalo::is_whole) {
    traverse_all(space, graph, next, op, strategy);
  } else {
    halo.sweep_all(space, graph, next, op, strategy);
  }
}

}  // namespace dromos
