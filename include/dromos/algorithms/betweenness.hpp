// SPDX-License-Identifier: BSD-3-Clause
// Betweenness centrality by Brandes' algorithm, from all roots or from a sample: how many shortest paths lead over each
// vertex, each pair of end vertices counting 1 in all.
//
//   path 0-1-2: from root 0 the only pair with something in between is (0, 2): vertex 1 gets 1; the same from root 2
//
// From each root, forward level by level: the number of shortest paths to a vertex is the sum of those to its
// predecessors, added by one atomic an edge. Then backward level by level: the dependency of a vertex is a sum over its
// successors, which is a gather over its edges and needs no atomics of its own.
//
//   dependency(u) = sum over edges (u, v), v one level further, of paths(u) / paths(v) * (1 + dependency(v))
//
// Source: U. Brandes, "A faster algorithm for betweenness centrality", J. Mathematical Sociology 2001; sampled roots:
// U. Brandes, C. Pich, "Centrality estimation in large networks", 2007.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/traverse.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos {

struct BetweennessOptions {
  /// How edges are dealt out to threads. The default is the plain one, which is the best on CPUs; on GPUs prefer
  /// ManhattanLocal.
  Strategy strategy = VertexChunk{};
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
  /// Vertices of the levels up to the frontier, and those that its sweep has found.
  Bitmap<Memory> visited, found;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<double*, Memory> num_paths, dependency;
  /// All reached vertices, level by level.
  Kokkos::View<Vertex*, Memory> order;

  BetweennessScratch() = default;
  explicit BetweennessScratch(const CsrGraph<Vertex, Memory>& graph)
      : frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        visited(graph.num_vertices(), "dromos::betweenness::visited"),
        found(graph.num_vertices(), "dromos::betweenness::found") {
    const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
    detail::ensure_size(level, n, "dromos::betweenness::level");
    detail::ensure_size(num_paths, n, "dromos::betweenness::num_paths");
    detail::ensure_size(dependency, n, "dromos::betweenness::dependency");
    detail::ensure_size(order, n, "dromos::betweenness::order");
  }
};

namespace detail {

/// Adds the paths to u to those of v, unless v is in the frontier or before it. `visited` does not change in a sweep,
/// so that every edge into the next level is counted.
template <class Vertex, class Memory>
struct CountPaths {
  Bitmap<Memory> visited, found;
  Kokkos::View<double*, Memory> num_paths;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (visited.test(v)) return false;
    Kokkos::atomic_fetch_add(&num_paths.data()[v], num_paths.data()[u]);
    return found.set(v);
  }
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

/// The out-degree of one vertex, from two elements of the row map.
template <class Space, class Vertex, class Memory>
Offset degree_of(const Space& space, const CsrGraph<Vertex, Memory>& graph, Vertex v) {
  fence(space, "dromos::betweenness::degree_of");
  const auto ends = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      Kokkos::subview(graph.row_map, Kokkos::make_pair(static_cast<std::size_t>(v), static_cast<std::size_t>(v) + 2)));
  return ends(1) - ends(0);
}

/// Level, paths and order of everything that the root reaches. Returns where each level begins in the order, and the
/// end.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE std::vector<std::int64_t> count_paths(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                                            Vertex root, BetweennessScratch<Vertex, Memory>& scratch,
                                                            const Strategy& strategy, Offset& edges_reached) {
  const ScopedRegion region("dromos::betweenness::paths");
  const auto visited = scratch.visited;
  const auto level = scratch.level;
  const auto num_paths = scratch.num_paths;
  const auto order = scratch.order;
  Kokkos::deep_copy(space, level, no_level);
  Kokkos::deep_copy(space, num_paths, 0.0);
  clear(space, visited);
  clear(space, scratch.found);
  scratch.frontier.assign(space, root, degree_of(space, graph, root));
  edges_reached += scratch.frontier.num_edges();
  Kokkos::parallel_for(
      "dromos::betweenness::root", Kokkos::RangePolicy<Space>(space, 0, 1),
      KOKKOS_LAMBDA(const int) { num_paths(root) = 1; });
  std::vector<std::int64_t> begin{0};
  while (!scratch.frontier.empty()) {
    const std::int64_t size = scratch.frontier.num_vertices();
    const std::int64_t first = begin.back();
    const Level now = static_cast<Level>(begin.size()) - 1;
    const auto queue = scratch.frontier.queue();
    Kokkos::parallel_for(
        "dromos::betweenness::level", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
        KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = queue(i);
          order(first + i) = v;
          level(v) = now;
          visited.set(v);
        });
    begin.push_back(first + size);
    traverse(space, graph.view(), scratch.frontier, scratch.next,
             CountPaths<Vertex, Memory>{visited, scratch.found, num_paths}, strategy);
    std::swap(scratch.frontier, scratch.next);
    edges_reached += scratch.frontier.num_edges();
  }
  double most = 0;
  Kokkos::parallel_reduce(
      "dromos::betweenness::most_paths",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, begin.back()),
      KOKKOS_LAMBDA(const std::int64_t i, double& largest) { largest = dromos::max(largest, num_paths(order(i))); },
      Kokkos::Max<double>(most));
  if (!(most <= std::numeric_limits<double>::max())) {
    throw Error("betweenness: from vertex " + std::to_string(root) +
                " there are more shortest paths to some vertex than a double can count (1.8e308), as in large grids; "
                "choose other roots or a smaller graph");
  }
  return begin;
}

/// Dependencies from the last level but one back to the root; adds them to `centrality`.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void add_dependencies(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                            const std::vector<std::int64_t>& begin,
                                            BetweennessScratch<Vertex, Memory>& scratch,
                                            const Kokkos::View<double*, Memory>& centrality, const Strategy& strategy) {
  const ScopedRegion region("dromos::betweenness::dependencies");
  const auto dependency = scratch.dependency;
  const auto order = scratch.order;
  Kokkos::deep_copy(space, dependency, 0.0);
  // The last level depends on nothing, and the root is an end of all its paths.
  for (std::size_t l = begin.size() - 2; l-- > 1;) {
    const std::int64_t first = begin[l];
    const std::int64_t size = begin[l + 1] - first;
    const auto queue = scratch.frontier.queue();
    const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> members(space, 0, size);
    Kokkos::parallel_for(
        "dromos::betweenness::level_back", members,
        KOKKOS_LAMBDA(const std::int64_t i) { queue(i) = order(first + i); });
    scratch.frontier.set_counts(size);
    gather(space, graph.view(), scratch.frontier,
           SumDependencies<Vertex, Memory>{scratch.level, scratch.num_paths, dependency}, dependency, strategy);
    Kokkos::parallel_for(
        "dromos::betweenness::add", members,
        KOKKOS_LAMBDA(const std::int64_t i) { centrality(order(first + i)) += dependency(order(first + i)); });
  }
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
  if (scratch.visited.size() != graph.num_vertices()) {
    throw ArgumentError("the scratch memory of betweenness is that of a graph of " +
                        std::to_string(scratch.visited.size()) + " vertices, and this one has " +
                        std::to_string(graph.num_vertices()) + "; make one for every graph");
  }
  for (const Vertex root : roots) check_root(root, graph.num_vertices());
  detail::ensure_size(centrality, static_cast<std::size_t>(graph.num_vertices()), "dromos::betweenness::centrality");
  fence(space, "dromos::betweenness::start");

  const Kokkos::Timer timer;
  BetweennessStatistics statistics;
  Kokkos::deep_copy(space, centrality, 0.0);
  for (const Vertex root : roots) {
    const auto begin = detail::count_paths(space, graph, root, scratch, options.strategy, statistics.edges_reached);
    detail::add_dependencies(space, graph, begin, scratch, centrality, options.strategy);
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
