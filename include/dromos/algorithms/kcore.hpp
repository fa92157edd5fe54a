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
#include <dromos/core/device_counts.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/team_reserve.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/number_vertices.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
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
  SweepFusion<Memory> fusion;
  DeviceCounts<Memory> counts;
  /// Of a part: what is taken from vertices that are away.
  Kokkos::View<Vertex*, Memory> taken;

  KcoreScratch() = default;
  explicit KcoreScratch(const CsrGraph<Vertex, Memory>& graph)
      : frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        counts(4, "dromos::kcore::counts") {
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
/// may fall further; nobody reads them any more but to see that they are not above k. What is taken from vertices that
/// are away (traverse/no_halo.hpp) is added up in `taken`, by their numbers behind the first of them, until it is
/// given.
template <class Vertex, class Memory, class Vertices>
struct TakeNeighbor {
  using Value = Vertex;
  static constexpr bool adds = true;
  static constexpr bool any_order = true;
  Kokkos::View<Vertex*, Memory> degree, core, taken;
  Vertices vertices;
  Vertex first_away, k;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const { return offer(u, v, e); }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex, Vertex v) const { core.data()[v] = k; }

  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex, Vertex v, Offset) const {
    if (vertices.is_away(v)) {
      atomic_fetch_add(&taken.data()[v - first_away], Vertex(1));
      return true;
    }
    Vertex* const left = &degree.data()[v];
    return atomic_load(left) > k && Kokkos::atomic_fetch_sub(left, Vertex(1)) == k + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION Vertex give(Vertex v) const {
    const Vertex given = taken.data()[v - first_away];
    taken.data()[v - first_away] = 0;
    return given;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Vertex given) const {
    const Vertex before = Kokkos::atomic_fetch_sub(&degree.data()[v], given);
    return before > k && before - given <= k;
  }
};

struct CountSweeps : NoWatch {
  std::int64_t& num_sweeps;
  void swept(const WorkSetSize&, double) { ++num_sweeps; }
};

/// One team's tile of the list of remaining vertices.
template <class Space, class Vertex, class Memory>
struct SplitRemaining {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;
  static constexpr int team_size = is_gpu<Space> ? 256 : 1;
  static constexpr std::int64_t tile = is_gpu<Space> ? 4 * team_size : 1024;

  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> list;
  std::int64_t size;
  Kokkos::View<const Vertex*, Memory> degree;
  Vertex left_before, k;
  Kokkos::View<Vertex*, Memory> leave, stay, core;
  /// Who leaves, who stays, the smallest degree of those who stay, complemented, and the edges of those who leave.
  Kokkos::View<std::uint64_t*, Memory> counts;
  CountsPublisher publisher;  ///< where kernels send messages

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t first = team.league_rank() * tile + team.team_rank();
    const std::int64_t last = dromos::min<std::int64_t>(team.league_rank() * tile + tile, size);
    std::int64_t num_leave = 0, num_stay = 0;
    std::uint64_t smallest = 0, edges = 0;
    for (std::int64_t i = first; i < last; i += team.team_size()) {
      const Vertex v = list.data()[i];
      const Vertex d = degree.data()[v];
      num_stay += d > k;
      if (d > k) smallest = dromos::max(smallest, ~static_cast<std::uint64_t>(d));
      if (d <= left_before || d > k) continue;
      ++num_leave;
      edges += static_cast<std::uint64_t>(graph.degree(v));
    }
    Vertex* to_leave = leave.data() + team_reserve(team, num_leave, &counts.data()[0]);
    Vertex* to_stay = stay.data() + team_reserve(team, num_stay, &counts.data()[1]);
    if (smallest > atomic_load(&counts.data()[2])) Kokkos::atomic_fetch_max(&counts.data()[2], smallest);
    if constexpr (has_warps<Space>) {
      edges = warp_sum(edges);
      if (team.team_rank() % warp_width != 0) edges = 0;
    }
    if (edges > 0) atomic_fetch_add(&counts.data()[3], edges);
    for (std::int64_t i = first; i < last; i += team.team_size()) {
      const Vertex v = list.data()[i];
      const Vertex d = degree.data()[v];
      if (d > k) {
        *to_stay++ = v;
      } else if (d > left_before) {
        *to_leave++ = v;
        core.data()[v] = k;
      }
    }
    if constexpr (sends_messages<Space>) {
      team.team_barrier();
      if (team.team_rank() == 0) publisher.team_done(team.league_size());
    }
  }
};

/// Of the `count` remaining vertices those leave that have more than `left_before` and at most k neighbors: they get
/// that core number and are the frontier. Those who have left before are dropped. \returns how many remain, and the
/// smallest number of their neighbors (the largest number there is where nobody remains)
template <class Space, class Vertex, class Memory>
std::pair<std::int64_t, Vertex> start_core(const Space& space, const CsrView<Vertex, Memory>& graph,
                                           KcoreScratch<Vertex, Memory>& scratch,
                                           const Kokkos::View<Vertex*, Memory>& core, Vertex left_before, Vertex k,
                                           std::int64_t count) {
  using Kernel = SplitRemaining<Space, Vertex, Memory>;
  if (count == 0) {
    scratch.frontier.set_counts(0);
    return {0, std::numeric_limits<Vertex>::max()};
  }
  scratch.counts.open(space);
  CountsPublisher publisher{};
  if constexpr (sends_messages<Space>) publisher = scratch.counts.publisher();
  Kokkos::parallel_for(
      "dromos::kcore::leave",
      typename Kernel::Policy(space, static_cast<int>((count + Kernel::tile - 1) / Kernel::tile), Kernel::team_size),
      Kernel{graph, scratch.remaining, count, scratch.degree, left_before, k, scratch.frontier.queue(),
             scratch.still_remaining, core, scratch.counts.on_device(), publisher});
  if constexpr (sends_messages<Space>) {
    scratch.counts.read(space, publisher);
  } else {
    scratch.counts.read(space);
  }
  std::swap(scratch.remaining, scratch.still_remaining);
  scratch.frontier.set_counts(static_cast<std::int64_t>(scratch.counts[0]), static_cast<Offset>(scratch.counts[3]));
  const auto num_stay = static_cast<std::int64_t>(scratch.counts[1]);
  return {num_stay, num_stay > 0 ? static_cast<Vertex>(~scratch.counts[2]) : std::numeric_limits<Vertex>::max()};
}

}  // namespace detail

/// Finds the core number of every vertex.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param graph    undirected. Self loops do not count; parallel edges count as often as they are stored, so remove
///                 them when building (BuildOptions::remove_duplicates) for the usual definition
/// \param scratch  of this graph; reused from call to call
/// \param core     out: num_vertices elements, sized on first use
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
/// \throws ArgumentError for a directed graph, and when the scratch is that of a graph of another size
///
/// Cost: every edge twice (once to count neighbors, once when its end leaves), and the vertices that remain once for
/// each core number that occurs.
template <class Space, class Vertex, class Memory, class AnyHalo = NoHalo>
KcoreStatistics kcore(const Space& space, const CsrGraph<Vertex, Memory>& graph, KcoreScratch<Vertex, Memory>& scratch,
                      Kokkos::View<Vertex*, Memory>& core, const KcoreOptions& options = {}, const AnyHalo& halo = {}) {
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
  halo.template unite<Sum<Vertex>>(space, scratch.degree);
  const auto first_away = static_cast<Vertex>(halo.num_settled(graph));
  if constexpr (!AnyHalo::is_whole) {
    detail::ensure_size(scratch.taken, static_cast<std::size_t>(n - first_away), "dromos::kcore::taken");
    Kokkos::deep_copy(space, scratch.taken, Vertex(0));
  }
  detail::number_vertices(space, scratch.remaining);
  const auto vertices = halo.vertices();
  detail::TakeNeighbor<Vertex, Memory, std::decay_t<decltype(vertices)>> take_neighbor{
      scratch.degree, core, scratch.taken, vertices, first_away, 0};
  detail::CountSweeps watch{{}, statistics.num_sweeps};
  Vertex k = 0;
  std::int64_t here = halo.num_rows(graph);
  for (std::int64_t everywhere = halo.num_vertices(graph); everywhere > 0;) {
    const ScopedRegion core_region("dromos::kcore::core");
    const auto [num_stay, smallest] =
        detail::start_core(space, view, scratch, core, static_cast<Vertex>(k - 1), k, here);
    here = num_stay;
    std::int64_t counts[2] = {here, scratch.frontier.num_vertices()};
    halo.sum_in_place(counts, 2);
    everywhere = counts[0];
    if (counts[1] == 0) {
      k = halo.min(smallest);
      continue;
    }
    statistics.largest_core = k;
    take_neighbor.k = k;
    until_empty(space, view, scratch.frontier, scratch.next, take_neighbor, options.strategy, &scratch.fusion, watch,
                halo);
    ++k;
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
