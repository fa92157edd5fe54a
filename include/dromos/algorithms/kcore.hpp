// SPDX-License-Identifier: BSD-3-Clause
// k-core decomposition: the core number of a vertex is the largest k such that it belongs to a subgraph in which every
// vertex has at least k neighbors.
//
//   triangle 0 1 2 with a tail 2-3-4     core 2 2 2 1 1
//
// Peeling: for k = 0, 1, 2 ... the vertices with at most k remaining neighbors leave with core number k, and take one
// from each of their neighbors, of whom some then leave as well. A sweep of the loop nest is one wave of leaving; those
// whose number falls from k + 1 to k join the next one. The first wave of each k comes out of a pile
// (traverse/pile.hpp), which skips values of k at which nobody leaves.
//
// On a part of a distributed graph an edge is swept where its end is at home: a vertex that leaves is announced to the
// ranks that have copies of it, once, and their rows of the copy lead to the neighbors that it has there.
//
// Source: V. Batagelj, M. Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003; in parallel:
// H. Kabir, K. Madduri, "Parallel k-core decomposition on multicore platforms", IPDPS workshops 2017.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/pile.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

struct KcoreOptions {
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
};

struct KcoreStatistics {
  std::int64_t largest_core = 0;  ///< the degeneracy of the graph
  std::int64_t num_sweeps = 0;    ///< with several threads of a CPU not the same number each time
  double seconds = 0;
};

/// Memory of one graph, reused from call to call: about 12 bytes a vertex (24 with 64-bit ids); of a part its rows
/// turned round as well, 4 bytes an arc.
template <class Vertex, class Memory>
struct KcoreScratch {
  Frontier<Vertex, Memory> frontier, next;
  /// Who may not have left.
  Bitmap<Memory> remaining;
  /// Neighbors that have not left.
  Kokkos::View<Vertex*, Memory> degree;
  SweepFusion<Memory> fusion;
  DeviceCounts<Memory> counts;
  /// Of a part: what is taken from delegates.
  Kokkos::View<Vertex*, Memory> away;
  /// Of a part: rows that lead to vertices with rows, those of copies among them.
  CsrGraph<Vertex, Memory> turned;

  KcoreScratch() = default;
  /// \param graph  a CsrGraph, or any graph view
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  explicit KcoreScratch(const Graph& graph)
      : frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        remaining(graph.num_vertices(), "dromos::kcore::remaining"),
        counts(3, "dromos::kcore::counts") {
    check_graph<Graph>();
    detail::ensure_size(degree, static_cast<std::size_t>(graph.num_vertices()), "dromos::kcore::degree");
  }
  /// \param halo  where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp).
  ///              Collective then
  template <class Space, class Graph, class AnyHalo>
  KcoreScratch(const Space& space, const Graph& graph, const AnyHalo& halo) : KcoreScratch(graph) {
    if constexpr (!AnyHalo::is_whole) {
      halo.agree([&] {
        CsrGraph<Vertex, Memory> arcs = graph;
        arcs.directed = true;  // of an undirected graph, but row by row it is not: copies have no rows
        arcs.weights = {};
        turned = transpose(space, arcs);
        turned.directed = false;
      });
    }
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
/// may fall further; nobody reads them any more but to see that they are not above k. What is taken from delegates,
/// which are away (traverse/no_halo.hpp), is added up in `away`, by their numbers behind the first of them, until it is
/// given, which may_wait().
template <class Space, class Vertex, class Memory, class AnyHalo>
struct TakeNeighbor {
  using Value = Vertex;
  static constexpr bool adds = true;
  static constexpr bool any_order = true;
  static constexpr bool may_go_on = AnyHalo::is_whole;
  static constexpr bool announces = !AnyHalo::is_whole;
  static constexpr bool lets_wait = !AnyHalo::is_whole;
  static constexpr bool refills = AnyHalo::is_whole;
  using Announce = decltype(std::declval<AnyHalo>().announcer(Space()));
  Pile<Vertex, Memory> pile;  ///< of those who remain, by their neighbors
  Kokkos::View<Vertex*, Memory> core, away;
  decltype(std::declval<AnyHalo>().vertices()) vertices;
  Announce announce;
  Vertex first_away;
  std::int64_t num_ranks;
  Vertex k;

  KOKKOS_FORCEINLINE_FUNCTION void begin_bucket(Vertex least) {
    pile.from = k = least;
    pile.to = least + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION void end_bucket() { begin_bucket(pile.to); }
  KOKKOS_FORCEINLINE_FUNCTION void taken(Vertex v) const {
    core.data()[v] = k;
    announce(v);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return atomic_load(&pile.priority.data()[v]) > k;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    if (vertices.is_away(v)) return offer(u, v, e);
    return atomic_fetch_sub(&pile.priority.data()[v], Vertex(1)) == k + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(Vertex u, Vertex v, Offset e) const {
    if (vertices.is_away(v)) return offer_alone(u, v, e);
    return pile.priority.data()[v]-- == k + 1;
  }
  /// To who is away.
  KOKKOS_FORCEINLINE_FUNCTION bool offer_alone(Vertex, Vertex v, Offset) const {
    ++away.data()[v - first_away];
    return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex, Vertex v) const { taken(v); }

  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex, Vertex v, Offset) const {
    if (vertices.is_away(v)) {
      atomic_fetch_add(&away.data()[v - first_away], Vertex(1));
      return true;
    }
    Vertex* const left = &pile.priority.data()[v];
    return atomic_load(left) > k && atomic_fetch_sub(left, Vertex(1)) == k + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return true; }
  /// As long as no rank takes its share of what is left above k, all together do not bring v down to k.
  KOKKOS_FORCEINLINE_FUNCTION bool may_wait(Vertex v) const {
    return num_ranks * atomic_load(&away.data()[v - first_away]) < atomic_load(&pile.priority.data()[v]) - k;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool waits(Vertex v) const { return atomic_load(&away.data()[v - first_away]) > 0; }
  KOKKOS_FORCEINLINE_FUNCTION Vertex give(Vertex v) const {
    const Vertex given = away.data()[v - first_away];
    away.data()[v - first_away] = 0;
    return given;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Vertex given) const {
    const Vertex before = atomic_fetch_sub(&pile.priority.data()[v], given);
    return before > k && before - given <= k;
  }
};

/// The rows that are swept.
template <class AnyHalo, class Rows, class Vertex, class Memory>
auto rows_to_peel(const Rows& rows, [[maybe_unused]] const KcoreScratch<Vertex, Memory>& scratch) {
  if constexpr (AnyHalo::is_whole) {
    return rows;
  } else {
    return scratch.turned.view();
  }
}

struct CountSweeps : NoWatch {
  std::int64_t& num_sweeps;
  void swept(const WorkSetSize&, double) { ++num_sweeps; }
};

}  // namespace detail

/// Finds the core number of every vertex.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param graph    a CsrGraph, or any graph view (graph/graph_view.hpp), undirected. Self loops do not count; parallel
///                 edges count as often as they are stored, so remove them when building
///                 (BuildOptions::remove_duplicates) for the usual definition
/// \param scratch  of this graph; reused from call to call
/// \param core     out: num_vertices elements, sized on first use
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
/// \throws ArgumentError for a directed graph, and when the scratch is that of a graph of another size
///
/// Cost: every edge twice (once to count neighbors, once when its end leaves), and the vertices that remain once for
/// each core number that occurs.
template <class Space, class Graph, class Vertex, class Memory, class AnyHalo = NoHalo>
KcoreStatistics kcore(const Space& space, const Graph& graph, KcoreScratch<Vertex, Memory>& scratch,
                      Kokkos::View<Vertex*, Memory>& core, const KcoreOptions& options = {}, const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::kcore");
  const std::int64_t n = graph.num_vertices();
  if (is_directed(graph)) {
    throw ArgumentError(
        "kcore: core numbers are defined for undirected graphs, and this one is directed; build it with "
        "symmetrize to forget the directions");
  }
  if (static_cast<std::int64_t>(scratch.degree.extent(0)) != n) {
    throw ArgumentError("the scratch memory of kcore is that of a graph of " +
                        std::to_string(scratch.degree.extent(0)) + " vertices, and this one has " + std::to_string(n) +
                        "; make one for every graph");
  }
  halo.agree([&] {
    if (AnyHalo::is_whole || scratch.turned.num_vertices() == n) return;
    throw ArgumentError("kcore: the scratch memory of a part is made with its halo: KcoreScratch(space, graph, halo)");
  });
  detail::ensure_size(core, static_cast<std::size_t>(n), "dromos::kcore::core");
  fence(space, "dromos::kcore::start");

  const Kokkos::Timer timer;
  KcoreStatistics statistics;
  const auto view = view_of(graph);
  gather_all(space, view, detail::CountNeighbors<Vertex>{}, scratch.degree, options.strategy);
  halo.template unite<Sum<Vertex>>(space, scratch.degree);
  const auto first_away = static_cast<Vertex>(halo.num_settled(graph));
  if constexpr (!AnyHalo::is_whole) {
    detail::ensure_size(scratch.away, static_cast<std::size_t>(halo.num_rows(graph) - first_away),
                        "dromos::kcore::away");
    Kokkos::deep_copy(space, scratch.away, Vertex(0));
  }
  set_first(space, scratch.remaining, halo.num_rows(graph));
  detail::TakeNeighbor<Space, Vertex, Memory, AnyHalo> take_neighbor{{scratch.remaining, scratch.degree},
                                                                     core,
                                                                     scratch.away,
                                                                     halo.vertices(),
                                                                     halo.announcer(space),
                                                                     first_away,
                                                                     halo.num_ranks(),
                                                                     0};
  const auto rows = detail::rows_to_peel<AnyHalo>(view, scratch);
  detail::CountSweeps watch{{}, statistics.num_sweeps};
  take_neighbor.begin_bucket(0);
  while (next_bucket(space, rows, scratch.frontier, take_neighbor, scratch.counts, halo)) {
    const ScopedRegion core_region("dromos::kcore::core");
    // On a GPU that goes on to other values of k.
    until_empty(space, rows, scratch.frontier, scratch.next, take_neighbor, options.strategy, &scratch.fusion, watch,
                halo);
    statistics.largest_core = take_neighbor.k;
    end_bucket(take_neighbor);
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
                                      const KcoreOptions&, const NoHalo&);
extern template KcoreStatistics kcore(const Kokkos::DefaultExecutionSpace&,
                                      const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      KcoreScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                      const KcoreOptions&, const NoHalo&);

}  // namespace dromos
