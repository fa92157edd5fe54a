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
#include <cstdint>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <limits>
#include <string>
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

/// Searches, keeps count and remembers the longest distance seen.
template <class Space, class Vertex, class Memory>
class DistanceProber {
 public:
  DistanceProber(const Space& space, const CsrGraph<Vertex, Memory>& graph, const DiameterOptions& options)
      : space_(space), graph_(graph), options_(options), scratch_(space, graph, graph) {}

  /// The depth of the search from `root`.
  Level search(Vertex root) {
    BfsOptions options;
    options.strategy = options_.strategy;
    options.parents = false;
    const BfsStatistics statistics = bfs_direction_optimizing(space_, graph_, root, scratch_, result_, options);
    ++bounds.num_searches;
    bounds.component_size = statistics.num_reached;
    bounds.upper = dromos::min(bounds.upper, 2 * statistics.depth);
    if (statistics.depth > bounds.lower || bounds.from == no_vertex<Vertex>) {
      bounds.lower = statistics.depth;
      bounds.from = root;
      bounds.to = first_at(levels(), statistics.depth);
    }
    return statistics.depth;
  }

  /// Levels of the last search, on the host.
  std::vector<Level> levels() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result_.level);
    return std::vector<Level>(host.data(), host.data() + host.extent(0));
  }

  static Vertex first_at(const std::vector<Level>& levels, Level level) {
    Vertex v = 0;
    while (levels[static_cast<std::size_t>(v)] != level) ++v;
    return v;
  }

  bool may_search() const { return bounds.num_searches < options_.max_searches; }

  DiameterBounds<Vertex> bounds;

 private:
  const Space space_;
  const CsrGraph<Vertex, Memory> graph_;
  const DiameterOptions options_;
  BfsDirectionScratch<Vertex, Memory> scratch_;
  BfsResult<Vertex, Memory> result_;
};

/// The first vertex in the middle of a shortest path between the ends of a double sweep that begins at `start`.
template <class Prober, class Vertex>
Vertex middle_of_double_sweep(Prober& prober, Vertex start) {
  const Level depth_of_start = prober.search(start);
  const Vertex one_end = Prober::first_at(prober.levels(), depth_of_start);
  const Level length = prober.search(one_end);
  const std::vector<Level> from_one = prober.levels();
  prober.search(Prober::first_at(from_one, length));
  const std::vector<Level> from_other = prober.levels();
  Vertex middle = 0;
  while (from_one[static_cast<std::size_t>(middle)] != length / 2 ||
         from_other[static_cast<std::size_t>(middle)] != length - length / 2) {
    ++middle;
  }
  return middle;
}

}  // namespace detail

/// Bounds for the largest distance between two vertices of the component of `start`.
///
/// \param space    execution space instance; its memory space holds the graph
/// \param graph    undirected
/// \param start    any vertex of the component; one of high degree is a good choice
/// \param options  how many searches at most, strategy
/// \throws ArgumentError for a directed graph, a start outside the graph, and fewer than 3 searches
///
/// Cost: the searches, the first of each double sweep with its levels copied to the host; memory of a search.
template <class Space, class Vertex, class Memory>
DiameterBounds<Vertex> diameter(const Space& space, const CsrGraph<Vertex, Memory>& graph, Vertex start,
                                const DiameterOptions& options = {}) {
  const ScopedRegion region("dromos::diameter");
  if (graph.directed) {
    throw ArgumentError(
        "diameter: the bounds hold for undirected graphs, and this one is directed; build it with "
        "symmetrize to forget the directions");
  }
  if (options.max_searches < 3) {
    throw ArgumentError("diameter: max_searches is " + std::to_string(options.max_searches) +
                        "; a double sweep and its middle take at least 3");
  }
  check_root(start, graph.num_vertices());
  const Kokkos::Timer timer;
  detail::DistanceProber<Space, Vertex, Memory> prober(space, graph, options);
  auto& bounds = prober.bounds;
  Vertex root = detail::middle_of_double_sweep(prober, start);
  // A second double sweep, from the middle of the first, finds a root that is nearer to the center.
  if (options.max_searches >= 7) root = detail::middle_of_double_sweep(prober, root);
  if (prober.may_search() && !bounds.exact()) {
    Level level = prober.search(root);
    std::vector<std::vector<Vertex>> members(static_cast<std::size_t>(level) + 1);
    const std::vector<Level> levels = prober.levels();
    for (std::size_t v = 0; v < levels.size(); ++v) {
      if (levels[v] != no_level) members[static_cast<std::size_t>(levels[v])].push_back(static_cast<Vertex>(v));
    }
    // Invariant: vertices deeper than `level` have been searched from, and all others are at most 2 * level apart.
    for (; bounds.lower < bounds.upper; --level) {
      bounds.upper = dromos::min(bounds.upper, dromos::max(bounds.lower, 2 * level));
      if (bounds.exact()) break;
      const auto& fringe = members[static_cast<std::size_t>(level)];
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
    std::int32_t, const DiameterOptions&);
extern template DiameterBounds<std::int64_t> diameter(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, const DiameterOptions&);

}  // namespace dromos
