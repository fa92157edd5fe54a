// SPDX-License-Identifier: BSD-3-Clause
// The diameter of a component of an undirected graph: bounds that meet after few breadth-first searches, or as far as a
// given number of searches goes.
//
//   lower bound   the depth of a search is a distance that exists. Double sweep: search from anywhere, then from the
//                 farthest vertex found.
//   upper bound   no two vertices are farther apart than twice the depth of a search. From a root in the middle of the
//                 longest path found that is nearly the lower bound. iFUB: once all vertices at level i and deeper have
//                 been searched from, two others are at most 2 (i - 1) apart.
//
//   path 0-1-2-3-4     start 1: farthest 4; from 4: depth 4, farthest 0; middle 2 of depth 2: upper bound 4 = lower
//
// The searches start at vertices that are chosen without regard to parents, so that the same graph gives the same
// bounds on any number of threads.
//
// Source: P. Crescenzi et al., "On computing the diameter of real-world undirected graphs", Theoretical Computer
// Science 2013 (iFUB); C. Magnien, M. Latapy, M. Habib, "Fast computation of empirically tight bounds for the diameter
// of massive graphs", 2009 (double sweep).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos {

struct DiameterOptions {
  /// Stop after so many searches, with bounds that may not meet. Small-world graphs and road networks mostly need a few
  /// dozen to a few hundred for the exact diameter; a grid or a cycle may need one from nearly every vertex. At
  /// least 3.
  int max_searches = 1000;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
};

/// Vertex: the type of vertex numbers in the whole graph.
template <class Vertex>
struct DiameterBounds {
  Level lower = 0;
  Level upper = std::numeric_limits<Level>::max();
  Vertex from = no_vertex<Vertex>, to = no_vertex<Vertex>;  ///< two vertices that are `lower` apart
  std::int64_t component_size = 0;                          ///< of the component that was measured
  int num_searches = 0;
  double seconds = 0;

  /// The diameter is known.
  bool exact() const { return lower == upper; }
};

namespace detail {

/// v gets the next level where it has none.
template <class Memory>
struct FindLevels {
  using Value = std::uint8_t;
  static constexpr bool adds = false;
  Kokkos::View<Level*, Memory> level;
  Level next_level = 0;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return atomic_load(&level.data()[v]) == no_level;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    return offer(u, v, e);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex, Vertex v, Offset) const {
    return take(v, 1);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const {
    return true;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Value give(Vertex) const {
    return 1;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Value) const {
    return atomic_load(&level.data()[v]) == no_level &&
           Kokkos::atomic_compare_exchange(&level.data()[v], no_level, next_level) == no_level;
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }
};

/// The smallest number of a vertex that is counted here and has these two levels in two searches.
template <class Memory, class Vertices>
struct FirstAtLevels {
  Kokkos::View<const Level*, Memory> one, other;
  Level at_one, at_other;
  Vertices vertices;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& first) const {
    if (one(v) != at_one || other(v) != at_other || !vertices.counts(v)) return;
    first = dromos::min<std::int64_t>(first, vertices.number(v));
  }
};

/// Lists the numbers of the vertices of a level that are counted here.
template <class Number, class Memory, class Vertices>
struct ListLevel {
  Kokkos::View<const Level*, Memory> levels;
  Level level;
  Vertices vertices;
  Kokkos::View<Number*, Memory> list;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum, bool final) const {
    if (levels(v) != level || !vertices.counts(v)) return;
    if (final && list.extent(0) != 0) list(sum) = vertices.number(v);
    ++sum;
  }
};

/// Counts the vertices that a search gave a level, of those that are counted here.
template <class Memory, class Vertices>
struct CountLeveled {
  Kokkos::View<const Level*, Memory> level;
  Vertices vertices;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    sum += level(v) != no_level && vertices.counts(v);
  }
};

/// Searches, keeps count and remembers the longest distance seen. Vertices are named by their numbers in the whole
/// graph; of several, the smallest is chosen, so that all is the same on any number of threads and ranks.
template <class Space, class Graph, class Number, class AnyHalo>
class DistanceProber {
  using Vertex = vertex_type_of<Graph>;
  using Memory = memory_space_of<Graph>;

 public:
  DistanceProber(const Space& space, const Graph& graph, const DiameterOptions& options, const AnyHalo& halo)
      : space_(space), graph_(graph), options_(options), halo_(halo), scratch_(scratch_of(space, graph)) {
    if constexpr (!AnyHalo::is_whole) {
      frontier_ = Frontier<Vertex, Memory>(graph.num_vertices(), graph.num_edges());
      next_ = Frontier<Vertex, Memory>(graph.num_vertices(), graph.num_edges());
      ensure_size(result_.level, static_cast<std::size_t>(graph.num_vertices()), "dromos::diameter::level");
    }
  }

  /// The depth of the search from `root`.
  Level search(Number root) {
    const auto [depth, num_reached] = search_from(root);
    ++bounds.num_searches;
    bounds.component_size = num_reached;
    bounds.upper = dromos::min(bounds.upper, 2 * depth);
    if (depth > bounds.lower || bounds.from == no_vertex<Number>) {
      bounds.lower = depth;
      bounds.from = root;
      bounds.to = first_at(result_.level, depth);
    }
    return depth;
  }

  /// The levels of the last search, until there are others.
  const Kokkos::View<Level*, Memory>& levels() const { return result_.level; }
  /// The same, for good.
  Kokkos::View<Level*, Memory> copy_of_levels() const {
    const Kokkos::View<Level*, Memory> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::diameter::levels"),
                                            result_.level.extent(0));
    Kokkos::deep_copy(space_, copy, result_.level);
    fence(space_, "dromos::diameter::levels");
    return copy;
  }

  using Levels = Kokkos::View<Level*, Memory>;
  Number first_at(const Levels& levels, Level level) const { return first_at(levels, level, levels, level); }
  /// The first vertex of one level in one search, and of another in the other.
  Number first_at(const Levels& one, Level at_one, const Levels& other, Level at_other) const {
    const auto vertices = halo_.vertices();
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    Kokkos::parallel_reduce(
        "dromos::diameter::first_at", rows(),
        FirstAtLevels<Memory, std::decay_t<decltype(vertices)>>{one, other, at_one, at_other, vertices},
        Kokkos::Min<std::int64_t>(first));
    return static_cast<Number>(halo_.min(first));
  }
  /// All vertices of a level, on all ranks, ascending.
  std::vector<Number> all_at(const Levels& levels, Level level) const {
    const auto vertices = halo_.vertices();
    ListLevel<Number, Memory, std::decay_t<decltype(vertices)>> list{levels, level, vertices, {}};
    std::int64_t count = 0;
    Kokkos::parallel_scan("dromos::diameter::count_level", rows(), list, count);
    list.list = Kokkos::View<Number*, Memory>("dromos::diameter::level_members", count);
    if (count > 0) Kokkos::parallel_scan("dromos::diameter::list_level", rows(), list, count);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.list);
    std::vector<Number> all = halo_.gather(std::vector<Number>(host.data(), host.data() + host.extent(0)));
    std::sort(all.begin(), all.end());
    return all;
  }

  bool may_search() const { return bounds.num_searches < options_.max_searches; }

  DiameterBounds<Number> bounds;

 private:
  using Scratch = BfsDirectionScratch<Vertex, Memory, Graph>;
  /// A graph view need not have a default.
  static std::optional<Scratch> scratch_of(const Space& space, const Graph& graph) {
    if constexpr (AnyHalo::is_whole) {
      return Scratch(space, graph, graph);
    } else {
      return {};
    }
  }

  Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> rows() const {
    return {space_, 0, halo_.num_rows(graph_)};
  }

  /// Depth, and how many vertices were reached.
  std::pair<Level, std::int64_t> search_from(Number root) {
    if constexpr (AnyHalo::is_whole) {
      BfsOptions options;
      options.strategy = options_.strategy;
      options.parents = false;
      const BfsStatistics statistics = bfs_direction_optimizing(space_, graph_, root, *scratch_, result_, options);
      return {statistics.depth, statistics.num_reached};
    } else {
      fill(space_, result_.level, no_level);
      const Vertex start = halo_.local(space_, root);
      frontier_.set_counts(0);
      if (start != no_vertex<Vertex>) {
        Kokkos::deep_copy(space_, Kokkos::subview(result_.level, Kokkos::make_pair(start, start + 1)), Level(0));
        frontier_.assign(space_, start, unknown_edges);
      }
      FindLevels<Memory> find{result_.level, 1};
      Level num_levels = 0;
      const auto view = view_of(graph_);
      SweepFusion<Memory>* const no_fusion = nullptr;
      until_empty(space_, view, frontier_, next_, find, options_.strategy, no_fusion, CountLevels{{}, num_levels},
                  halo_);
      std::int64_t num_reached = 0;
      const auto vertices = halo_.vertices();
      Kokkos::parallel_reduce("dromos::diameter::count_reached", rows(),
                              CountLeveled<Memory, std::decay_t<decltype(vertices)>>{result_.level, vertices},
                              num_reached);
      return {num_levels - 1, halo_.sum(num_reached)};
    }
  }

  struct CountLevels : NoWatch {
    Level& num_levels;
    void swept(const WorkSetSize&, double) { ++num_levels; }
  };

  const Space space_;
  const Graph graph_;
  const DiameterOptions options_;
  const AnyHalo& halo_;
  std::optional<Scratch> scratch_;
  BfsResult<Vertex, Memory> result_;
  Frontier<Vertex, Memory> frontier_, next_;
};

/// The first vertex in the middle of a shortest path between the ends of a double sweep that begins at `start`.
template <class Prober, class Number>
Number middle_of_double_sweep(Prober& prober, Number start) {
  const Level depth_of_start = prober.search(start);
  const Number one_end = prober.first_at(prober.levels(), depth_of_start);
  const Level length = prober.search(one_end);
  const auto from_one = prober.copy_of_levels();
  prober.search(prober.first_at(from_one, length));
  return prober.first_at(from_one, length / 2, prober.levels(), length - length / 2);
}

}  // namespace detail

/// Bounds for the largest distance between two vertices of the component of `start`.
///
/// \param space    execution space instance; its memory space holds the graph
/// \param graph    a CsrGraph, or any graph view (graph/graph_view.hpp), undirected
/// \param start    any vertex of the component; one of high degree is a good choice
/// \param options  how many searches at most, strategy
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp); start
///                 and the ends of the longest distance are numbers of the whole graph, and searches only push
/// \throws ArgumentError for a directed graph, a start outside the graph, and fewer than 3 searches
///
/// Cost: the searches, and a pass over their levels for each vertex that is chosen; memory of a search, and of the
/// levels of one more.
template <class Space, class Graph, class Number, class AnyHalo = NoHalo>
DiameterBounds<Number> diameter(const Space& space, const Graph& graph, Number start,
                                const DiameterOptions& options = {}, const AnyHalo& halo = {}) {
  const ScopedRegion region("dromos::diameter");
  if (is_directed(graph)) {
    throw ArgumentError(
        "diameter: the bounds hold for undirected graphs, and this one is directed; build it with "
        "symmetrize to forget the directions");
  }
  if (options.max_searches < 3) {
    throw ArgumentError("diameter: max_searches is " + std::to_string(options.max_searches) +
                        "; a double sweep and its middle take at least 3");
  }
  check_root(start, halo.num_vertices(graph));
  const Kokkos::Timer timer;
  detail::DistanceProber<Space, Graph, Number, AnyHalo> prober(space, graph, options, halo);
  auto& bounds = prober.bounds;
  Number root = detail::middle_of_double_sweep(prober, start);
  // A second double sweep, from the middle of the first, finds a root that is nearer to the center.
  if (options.max_searches >= 7) root = detail::middle_of_double_sweep(prober, root);
  if (prober.may_search() && !bounds.exact()) {
    Level level = prober.search(root);
    const auto levels = prober.copy_of_levels();
    // Invariant: vertices deeper than `level` have been searched from, and all others are at most 2 * level apart.
    for (; bounds.lower < bounds.upper; --level) {
      bounds.upper = dromos::min(bounds.upper, dromos::max(bounds.lower, 2 * level));
      if (bounds.exact()) break;
      const auto fringe = prober.all_at(levels, level);
      std::size_t i = 0;
      while (i < fringe.size() && prober.may_search() && bounds.lower < bounds.upper) prober.search(fringe[i++]);
      if (i < fringe.size()) break;
    }
  }
  bounds.seconds = timer.seconds();
  return bounds;
}

// Compiled once, in src/algorithms/diameter.cpp.
extern template DiameterBounds<std::int32_t> diameter(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int32_t, const DiameterOptions&, const NoHalo&);
extern template DiameterBounds<std::int64_t> diameter(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, const DiameterOptions&, const NoHalo&);

}  // namespace dromos
