// SPDX-License-Identifier: BSD-3-Clause
// k-core decomposition: the core number of a vertex is the largest k such that it belongs to a subgraph in which every
// vertex has at least k neighbors.
//
//   triangle 0 1 2 with a tail 2-3-4     core 2 2 2 1 1
//
// Peeling: for k = 0, 1, 2 ... the vertices with at most k remaining neighbors leave with core number k, and take one
// from each of their neighbors, of whom some then leave as well. A sweep of the loop nest is one wave of leaving; those
// whose number falls from k + 1 to k join the next one. Values of k at which nobody leaves are skipped.
//
// Source: V. Batagelj, M. Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003; in parallel:
// H. Kabir, K. Madduri, "Parallel k-core decomposition on multicore platforms", IPDPS workshops 2017.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
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

namespace dromos {

struct KcoreOptions {
  /// How edges are dealt out to threads. The default is the plain one, which is the best on CPUs; on GPUs prefer
  /// ManhattanLocal.
  Strategy strategy = VertexChunk{};
};

struct KcoreStatistics {
  std::int64_t largest_core = 0;  ///< the degeneracy of the graph
  std::int64_t num_sweeps = 0;
  double seconds = 0;
};

/// Memory of one graph, reused from call to call: about 20 bytes a vertex (40 with 64-bit ids).
template <class Vertex, class Memory>
struct KcoreScratch {
  Frontier<Vertex, Memory> frontier, next;
  /// The vertices that have not left, and room for the next such list.
  Kokkos::View<Vertex*, Memory> remaining, still_remaining;
  /// Neighbors that have not left.
  Kokkos::View<Vertex*, Memory> degree;

  KcoreScratch() = default;
  explicit KcoreScratch(const CsrGraph<Vertex, Memory>& graph)
      : frontier(graph.num_vertices(), graph.num_edges()), next(graph.num_vertices(), graph.num_edges()) {
    const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
    detail::ensure_size(remaining, n, "dromos::kcore::remaining");
    detail::ensure_size(still_remaining, n, "dromos::kcore::still_remaining");
    detail::ensure_size(degree, n, "dromos::kcore::degree");
  }
};

namespace detail {

/// Counts the neighbors of a vertex, without itself.
template <class Vertex>
struct CountNeighbors {
  using Combine = Sum<Vertex>;
  KOKKOS_FORCEINLINE_FUNCTION Vertex edge(Vertex u, Vertex v, Offset) const { return u != v ? 1 : 0; }
};

/// u has left: v has one neighbor fewer, and leaves when it is down to k.
///
/// Of all threads that take from v, exactly one takes the neighbor number k + 1. Numbers of vertices that left already
/// may fall further; nobody reads them any more but to see that they are not above k.
template <class Vertex, class Memory>
struct TakeNeighbor {
  Kokkos::View<Vertex*, Memory> degree, core;
  Vertex k;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    Vertex* const left = &degree.data()[v];
    return atomic_load(left) > k && Kokkos::atomic_fetch_sub(left, Vertex(1)) == k + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex, Vertex v) const { core.data()[v] = k; }
};

/// The smallest degree in a list.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE Vertex smallest_degree(const Space& space, const KcoreScratch<Vertex, Memory>& scratch,
                                             std::int64_t count) {
  const auto list = scratch.remaining;
  const auto degree = scratch.degree;
  Vertex smallest = 0;
  Kokkos::parallel_reduce(
      "dromos::kcore::smallest_degree", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i, Vertex& least) { least = dromos::min(least, degree(list(i))); },
      Kokkos::Min<Vertex>(smallest));
  return smallest;
}

/// The remaining vertices of degree k get that core number and are the frontier.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void start_core(const Space& space, KcoreScratch<Vertex, Memory>& scratch,
                                      const Kokkos::View<Vertex*, Memory>& core, Vertex k, std::int64_t count) {
  const auto list = scratch.remaining;
  const auto leave = scratch.frontier.queue();
  const auto degree = scratch.degree;
  std::int64_t num_leave = 0;
  Kokkos::parallel_scan(
      "dromos::kcore::leave", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& sum, const bool final) {
        const Vertex v = list(i);
        if (degree(v) != k) return;
        if (final) {
          leave(sum) = v;
          core(v) = k;
        }
        ++sum;
      },
      num_leave);
  scratch.frontier.set_counts(num_leave);
}

/// Drops from the list of remaining vertices who has left. Returns how many remain.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE std::int64_t drop_left(const Space& space, KcoreScratch<Vertex, Memory>& scratch, Vertex k,
                                             std::int64_t count) {
  const auto list = scratch.remaining;
  const auto stay = scratch.still_remaining;
  const auto degree = scratch.degree;
  std::int64_t num_stay = 0;
  Kokkos::parallel_scan(
      "dromos::kcore::drop_left", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& sum, const bool final) {
        const Vertex v = list(i);
        if (degree(v) <= k) return;
        if (final) stay(sum) = v;
        ++sum;
      },
      num_stay);
  std::swap(scratch.remaining, scratch.still_remaining);
  return num_stay;
}

}  // namespace detail

/// Finds the core number of every vertex.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param graph    undirected. Self loops do not count; parallel edges count as often as they are stored, so remove
///                 them when building (BuildOptions::remove_duplicates) for the usual definition
/// \param scratch  of this graph; reused from call to call
/// \param core     out: num_vertices elements, sized on first use
/// \throws ArgumentError for a directed graph, and when the scratch is that of a graph of another size
///
/// Cost: every edge twice (once to count neighbors, once when its end leaves), and the vertices that remain once for
/// each core number that occurs.
template <class Space, class Vertex, class Memory>
KcoreStatistics kcore(const Space& space, const CsrGraph<Vertex, Memory>& graph, KcoreScratch<Vertex, Memory>& scratch,
                      Kokkos::View<Vertex*, Memory>& core, const KcoreOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::kcore");
  const std::int64_t n = graph.num_vertices();
  if (graph.directed) {
    throw ArgumentError(
        "kcore: core numbers are defined for undirected graphs, and this one is directed; build it with "
        "symmetrize to forget the directions");
  }
  if (static_cast<std::int64_t>(scratch.degree.extent(0)) != n) {
    throw ArgumentError("the scratch memory of kcore is that of a graph of " +
                        std::to_string(scratch.degree.extent(0)) + " vertices, and this one has " + std::to_string(n) +
                        "; make one for every graph");
  }
  detail::ensure_size(core, static_cast<std::size_t>(n), "dromos::kcore::core");
  fence(space, "dromos::kcore::start");

  const Kokkos::Timer timer;
  KcoreStatistics statistics;
  const auto view = graph.view();
  gather_all(space, view, detail::CountNeighbors<Vertex>{}, scratch.degree, options.strategy);
  const auto list = scratch.remaining;
  Kokkos::parallel_for(
      "dromos::kcore::remaining", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t v) { list(v) = static_cast<Vertex>(v); });
  for (std::int64_t count = n; count > 0;) {
    const ScopedRegion core_region("dromos::kcore::core");
    const Vertex k = detail::smallest_degree(space, scratch, count);
    statistics.largest_core = k;
    detail::start_core(space, scratch, core, k, count);
    while (!scratch.frontier.empty()) {
      traverse(space, view, scratch.frontier, scratch.next,
               detail::TakeNeighbor<Vertex, Memory>{scratch.degree, core, k}, options.strategy);
      std::swap(scratch.frontier, scratch.next);
      ++statistics.num_sweeps;
    }
    count = detail::drop_left(space, scratch, k, count);
  }
  fence(space, "dromos::kcore::end");
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/kcore.cpp.
extern template KcoreStatistics kcore(const Kokkos::DefaultExecutionSpace&,
                                      const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      KcoreScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      const KcoreOptions&);
extern template KcoreStatistics kcore(const Kokkos::DefaultExecutionSpace&,
                                      const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      KcoreScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      const KcoreOptions&);

}  // namespace dromos
