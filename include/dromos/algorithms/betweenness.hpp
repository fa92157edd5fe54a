// SPDX-License-Identifier: BSD-3-Clause
// Betweenness centrality by Brandes' algorithm, from all roots or from a sample: how many shortest paths lead over each
// vertex, each pair of end vertices counting 1 in all.
//
//   path 0-1-2: from root 0 the only pair with something in between is (0, 2): vertex 1 gets 1; the same from root 2
//
// From each root, forward level by level: the number of shortest paths to a vertex is the sum of those to its
// predecessors, added by one atomic an edge. Sweeps are told apart by the level that they write, so that small ones are
// fused; a pass afterwards lists the vertices by level. Then backward level by level: the dependency of a vertex is a
// sum over its successors, which is a gather over its edges and needs no atomics of its own.
//
//   dependency(u) = sum over edges (u, v), v one level further, of paths(u) / paths(v) * (1 + dependency(v))
//
// Source: U. Brandes, "A faster algorithm for betweenness centrality", J. Mathematical Sociology 2001; sampled roots:
// U. Brandes, C. Pich, "Centrality estimation in large networks", 2007.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos {

struct BetweennessOptions {
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
};

struct BetweennessStatistics {
  std::int64_t num_roots = 0;
  /// Edges that leave the vertices reached, all roots together; they are visited once forwards and once backwards.
  Offset edges_reached = 0;
  double seconds = 0;
};

/// Memory of one graph, reused from root to root: about 32 bytes a vertex.
template <class Vertex, class Memory>
struct BetweennessScratch {
  Frontier<Vertex, Memory> frontier, next;
  SweepFusion<Memory> fusion;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<double*, Memory> num_paths, dependency;
  /// All reached vertices, level by level; where the next one of each level goes.
  Kokkos::View<Vertex*, Memory> order;
  Kokkos::View<std::uint64_t*, Memory> next_place;

  BetweennessScratch() = default;
  explicit BetweennessScratch(const CsrGraph<Vertex, Memory>& graph)
      : frontier(graph.num_vertices(), graph.num_edges()), next(graph.num_vertices(), graph.num_edges()) {
    const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
    detail::ensure_size(level, n, "dromos::betweenness::level");
    detail::ensure_size(num_paths, n, "dromos::betweenness::num_paths");
    detail::ensure_size(dependency, n, "dromos::betweenness::dependency");
    detail::ensure_size(order, n, "dromos::betweenness::order");
  }
};

namespace detail {

/// Adds the paths to u to those of v, if v is one level further, and finds v if nobody has.
template <class Vertex, class Memory>
struct CountPaths {
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<double*, Memory> num_paths;
  Level next_level = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    Level* const theirs = &level.data()[v];
    Level now = atomic_load(theirs);
    bool finds = false;
    if (now == no_level) {
      now = Kokkos::atomic_compare_exchange(theirs, no_level, next_level);
      finds = now == no_level;
    }
    if (!finds && now != next_level) return false;
    // Of the root, which finds itself, there is one path.
    Kokkos::atomic_fetch_add(&num_paths.data()[v], next_level == 0 ? 1.0 : atomic_load(&num_paths.data()[u]));
    return finds;
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }
};

/// What v, if it is one level further, contributes to the dependency of u.
template <class Vertex, class Memory>
struct SumDependencies {
  using Combine = Sum<double>;
  Kokkos::View<const Level*, Memory> level;
  Kokkos::View<const double*, Memory> num_paths;
  // Read for vertices one level further, written for those of this one.
  Kokkos::View<const double*, Memory> dependency;

  KOKKOS_FORCEINLINE_FUNCTION double edge(Vertex u, Vertex v, Offset) const {
    if (level.data()[v] != level.data()[u] + 1) return 0;
    return num_paths.data()[u] / num_paths.data()[v] * (1 + dependency.data()[v]);
  }
};

/// The work set of each level.
struct WatchSizes : NoWatch {
  std::vector<WorkSetSize> levels;
  void swept(const WorkSetSize& work, double) { levels.push_back(work); }
};

/// Lists the reached vertices in the order of their levels, of which number l begins at begin[l].
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void order_by_level(const Space& space, BetweennessScratch<Vertex, Memory>& scratch,
                                          const std::vector<std::uint64_t>& begin) {
  if (scratch.next_place.extent(0) < begin.size()) {
    scratch.next_place = {};
    ensure_size(scratch.next_place, 2 * begin.size(), "dromos::betweenness::next_place");
  }
  const auto next_place = scratch.next_place;
  Kokkos::deep_copy(
      space, Kokkos::subview(next_place, Kokkos::make_pair(std::size_t(0), begin.size())),
      Kokkos::View<const std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(begin.data(), begin.size()));
  const auto level = scratch.level;
  const auto order = scratch.order;
  Kokkos::parallel_for(
      "dromos::betweenness::order",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, level.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v) {
        if (level(v) != no_level) order(take_number(&next_place(level(v)))) = static_cast<Vertex>(v);
      });
  fence(space, "dromos::betweenness::order");
}

/// Level, paths and order of everything that the root reaches. Returns the sizes of the levels.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE std::vector<WorkSetSize> count_paths(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                                           Vertex root, BetweennessScratch<Vertex, Memory>& scratch,
                                                           const Strategy& strategy, Offset& edges_reached) {
  const ScopedRegion region("dromos::betweenness::paths");
  fill(space, scratch.level, no_level);
  Kokkos::deep_copy(space, scratch.num_paths, 0.0);
  CountPaths<Vertex, Memory> count{scratch.level, scratch.num_paths};
  WatchSizes watch;
  const auto view = graph.view();
  begin_fused(space, view, scratch.frontier, scratch.next, count, root, true, scratch.fusion, watch);
  until_empty(space, view, scratch.frontier, scratch.next, count, strategy, &scratch.fusion, watch);
  std::vector<std::uint64_t> begin;
  std::uint64_t num_reached = 0;
  for (const WorkSetSize& level : watch.levels) {
    begin.push_back(num_reached);
    num_reached += static_cast<std::uint64_t>(level.num_vertices);
    edges_reached += level.num_edges;
  }
  order_by_level(space, scratch, begin);
  const auto num_paths = scratch.num_paths;
  double most = 0;
  Kokkos::parallel_reduce(
      "dromos::betweenness::most_paths",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_paths.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v, double& largest) { largest = dromos::max(largest, num_paths(v)); },
      Kokkos::Max<double>(most));
  if (!(most <= std::numeric_limits<double>::max())) {
    throw Error("betweenness: from vertex " + std::to_string(root) +
                " there are more shortest paths to some vertex than a double can count (1.8e308), as in large grids; "
                "choose other roots or a smaller graph");
  }
  return watch.levels;
}

/// Dependencies from the last level but one back to the root; adds them to `centrality`.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void add_dependencies(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                            const std::vector<WorkSetSize>& levels,
                                            BetweennessScratch<Vertex, Memory>& scratch,
                                            const Kokkos::View<double*, Memory>& centrality, const Strategy& strategy) {
  const ScopedRegion region("dromos::betweenness::dependencies");
  const auto dependency = scratch.dependency;
  Kokkos::deep_copy(space, dependency, 0.0);
  std::int64_t end = 0;
  for (const WorkSetSize& level : levels) end += level.num_vertices;
  // The last level depends on nothing, and the root is an end of all its paths.
  for (std::size_t l = levels.size(); l-- > 1;) {
    const std::int64_t first = end - levels[l].num_vertices;
    if (l + 1 < levels.size()) {
      Frontier<Vertex, Memory> members(
          Kokkos::View<Vertex*, Memory>(Kokkos::subview(scratch.order, Kokkos::make_pair(first, end))),
          levels[l].num_edges);
      gather_into_identity(space, graph.view(), members,
                           SumDependencies<Vertex, Memory>{scratch.level, scratch.num_paths, dependency}, dependency,
                           strategy);
    }
    end = first;
  }
  Kokkos::parallel_for(
      "dromos::betweenness::add",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, dependency.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v) { centrality(v) += dependency(v); });
  fence(space, "dromos::betweenness::add_dependencies");
}

}  // namespace detail

/// Adds up, over the given roots, the dependency of each root on each vertex.
///
/// \param space       execution space instance; its memory space holds graph, scratch and result
/// \param graph       directed (paths follow the edges) or undirected; parallel edges are different paths
/// \param roots       on the host; all vertices for the exact centrality, random ones for an estimate (multiply by
///                    num_vertices / number of roots). A root may occur several times
/// \param scratch     of this graph; reused from call to call
/// \param centrality  out: num_vertices elements, sized on first use. Of an undirected graph with all vertices as roots
///                    every pair counts twice, once from either end: divide by 2 for the usual convention
/// \throws ArgumentError when a root is outside the graph, or the scratch is that of a graph of another size; Error
/// when
///         there are more than 1.8e308 shortest paths between two vertices
///
/// Cost: from each root every reached edge twice and the reached vertices, one host synchronisation a level. Sums are
/// in double precision; their last bits depend on the order of events.
template <class Space, class Vertex, class Memory>
BetweennessStatistics betweenness(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                  const std::vector<Vertex>& roots, BetweennessScratch<Vertex, Memory>& scratch,
                                  Kokkos::View<double*, Memory>& centrality, const BetweennessOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::betweenness");
  if (static_cast<std::int64_t>(scratch.level.extent(0)) != graph.num_vertices()) {
    throw ArgumentError("the scratch memory of betweenness is that of a graph of " +
                        std::to_string(scratch.level.extent(0)) + " vertices, and this one has " +
                        std::to_string(graph.num_vertices()) + "; make one for every graph");
  }
  for (const Vertex root : roots) check_root(root, graph.num_vertices());
  detail::ensure_size(centrality, static_cast<std::size_t>(graph.num_vertices()), "dromos::betweenness::centrality");
  fence(space, "dromos::betweenness::start");

  const Kokkos::Timer timer;
  BetweennessStatistics statistics;
  Kokkos::deep_copy(space, centrality, 0.0);
  for (const Vertex root : roots) {
    const auto levels = detail::count_paths(space, graph, root, scratch, options.strategy, statistics.edges_reached);
    detail::add_dependencies(space, graph, levels, scratch, centrality, options.strategy);
    ++statistics.num_roots;
  }
  fence(space, "dromos::betweenness::end");
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/betweenness.cpp.
extern template BetweennessStatistics betweenness(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const std::vector<std::int32_t>&, BetweennessScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&, const BetweennessOptions&);
extern template BetweennessStatistics betweenness(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const std::vector<std::int64_t>&, BetweennessScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&, const BetweennessOptions&);

}  // namespace dromos
