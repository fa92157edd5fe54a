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
//   dependency(u) = paths(u) * sum over edges (u, v), v one level further, of share(v)
//   share(v)      = (1 + dependency(v)) / paths(v) = 1 / paths(v) + the sum of v
//
// No edge leads more than one level further, and before a level has had its turn its shares are 0: the sum is one over
// all edges, that asks nothing else of their other ends.
//
// On a part of a distributed graph (traverse/no_halo.hpp) paths to others' vertices are added up and given to their
// owners after each sweep, and dependencies are spread to the copies after each level.
//
// Source: U. Brandes, "A faster algorithm for betweenness centrality", J. Mathematical Sociology 2001; sampled roots:
// U. Brandes, C. Pich, "Centrality estimation in large networks", 2007.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/impl/levels_back.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/first_come_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/no_halo.hpp>
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
  /// Consecutive levels of few edges share a launch on the way back; false: each has its own, as others do.
  bool share_launches = true;
};

struct BetweennessStatistics {
  std::int64_t num_roots = 0;
  /// Edges that leave the vertices reached, all roots together; they are visited once forwards and once backwards.
  Offset edges_reached = 0;
  std::int64_t num_levels = 0;  ///< all roots together
  /// Launches of the way back, all roots together; consecutive levels of few edges share one.
  std::int64_t num_launches_back = 0;
  double seconds = 0;
};

/// Memory of one graph, reused from root to root: about 40 bytes a vertex.
template <class Vertex, class Memory>
struct BetweennessScratch {
  Frontier<Vertex, Memory> frontier, next;
  SweepFusion<Memory> fusion;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<double*, Memory> num_paths, share, sum;
  /// Of a part: paths that others are to be given, and sums over edges of which ranks have parts.
  Kokkos::View<double*, Memory> given, partial;
  /// All reached vertices, level by level; where the next one of each level goes.
  Kokkos::View<Vertex*, Memory> order;
  Kokkos::View<std::uint64_t*, Memory> next_place;

  BetweennessScratch() = default;
  /// \param graph  a CsrGraph, or any graph view
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  explicit BetweennessScratch(const Graph& graph)
      : frontier(graph.num_vertices(), graph.num_edges()), next(graph.num_vertices(), graph.num_edges()) {
    check_graph<Graph>();
    const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
    detail::ensure_size(level, n, "dromos::betweenness::level");
    detail::ensure_size(num_paths, n, "dromos::betweenness::num_paths");
    detail::ensure_size(share, n, "dromos::betweenness::share");
    detail::ensure_size(sum, n, "dromos::betweenness::sum");
    detail::ensure_size(order, n, "dromos::betweenness::order");
  }
};

namespace detail {

/// Adds the paths to u to those of v, if v is one level further, and finds v if nobody has.
///
/// Paths to vertices that are away (traverse/no_halo.hpp) are added up in `given`, by their numbers behind the first of
/// them; their level here is that of the first who led there, which is no less than the right one.
template <class Vertex, class Memory, class Vertices>
struct CountPaths {
  using Value = double;
  static constexpr bool adds = true;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<double*, Memory> num_paths, given;
  Vertices vertices;
  Vertex first_away = 0;
  Level next_level = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    const Level now = atomic_load(&level.data()[v]);
    return (now == no_level) | (now == next_level);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const { return offer(u, v, e); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(Vertex u, Vertex v, Offset e) const {
    if (vertices.is_away(v)) return offer_alone(u, v, e);
    const bool finds = level.data()[v] == no_level;  // otherwise it is of the next level: it may join
    level.data()[v] = next_level;
    num_paths.data()[v] += paths_to(u);
    return finds;
  }
  /// Of who is away.
  KOKKOS_FORCEINLINE_FUNCTION bool offer_alone(Vertex u, Vertex v, Offset) const {
    level.data()[v] = next_level;
    given.data()[v - first_away] += paths_to(u);
    return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset) const {
    const auto paths = [&] { return paths_to(u); };
    if (!vertices.is_away(v)) return add(v, paths);
    Level now = atomic_load(&level.data()[v]);
    if (now == no_level) now = find(v) == no_level ? next_level : atomic_load(&level.data()[v]);
    if (now != next_level) return false;
    Kokkos::atomic_fetch_add(&given.data()[v - first_away], paths());
    return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION double give(Vertex v) const {
    const double paths = given.data()[v - first_away];
    given.data()[v - first_away] = 0;
    // What all ranks know is not found by the one that leads there, but by what all are given.
    level.data()[v] = vertices.is_shared(v) ? no_level : next_level;
    return paths;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, double paths) const {
    return add(v, [&] { return paths; });
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }

 private:
  /// Of the root, which finds itself, there is one path.
  KOKKOS_FORCEINLINE_FUNCTION double paths_to(Vertex u) const {
    return next_level == 0 ? 1.0 : atomic_load(&num_paths.data()[u]);
  }
  /// The level of v before; no_level: it is the next one now.
  KOKKOS_FORCEINLINE_FUNCTION Level find(Vertex v) const {
    return Kokkos::atomic_compare_exchange(&level.data()[v], no_level, next_level);
  }
  template <class Paths>
  KOKKOS_FORCEINLINE_FUNCTION bool add(Vertex v, const Paths& paths) const {
    Level now = atomic_load(&level.data()[v]);
    bool finds = false;
    if (now == no_level) {
      now = find(v);
      finds = now == no_level;
    }
    if (!finds && now != next_level) return false;
    Kokkos::atomic_fetch_add(&num_paths.data()[v], paths());
    return finds;
  }
};

/// The work set of each level.
struct WatchSizes : NoWatch {
  std::vector<WorkSetSize> levels;
  void swept(const WorkSetSize& work, double) { levels.push_back(work); }
};

/// Counts (places not given out yet) or lists vertices by level; on a CPU by tiles, of which each level takes its
/// places at once: levels are few where they are large, and a counter of all threads slow.
template <class Vertex, class Memory>
struct OrderByLevel {
  static constexpr std::int64_t tile = 1024;

  Kokkos::View<const Level*, Memory> level;
  Kokkos::View<Vertex*, Memory> order;  ///< empty: they are counted
  Kokkos::View<std::uint64_t*, Memory> next_place;
  std::int64_t num_rows;

  /// On a GPU: a vertex.
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (level(v) != no_level) put(v, take_number(&next_place(level(v))));
  }
  /// On a CPU: a tile.
  void whole_tile(std::int64_t t) const {
    const std::int64_t first = t * tile, last = dromos::min(first + tile, num_rows);
    FirstComeCounts<Level, 16> places;
    for (std::int64_t v = first; v < last; ++v) {
      if (level(v) != no_level) places.count(level(v));
    }
    places.each([&](auto& slot) { slot.first = atomic_fetch_add(&next_place(slot.key), slot.count); });
    for (std::int64_t v = first; v < last; ++v) {
      if (level(v) == no_level) continue;
      if (auto* const slot = places.slot_of(level(v))) {
        put(v, slot->first++);
      } else {
        (*this)(v);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(std::int64_t v, std::uint64_t place) const {
    if (order.extent(0) != 0) order(place) = static_cast<Vertex>(v);
  }
};

template <class Space, class Vertex, class Memory>
void order_by_level(const char* label, const Space& space, const OrderByLevel<Vertex, Memory>& order) {
  if constexpr (is_gpu<Space>) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, order.num_rows),
                         order);
  } else {
    deal_out(label, space, (order.num_rows + order.tile - 1) / order.tile,
             [&](std::int64_t t) { order.whole_tile(t); });
  }
  fence(space, label);
}

/// Lists the reached vertices that have rows here in the order of their levels. Returns where each level begins, and
/// behind them all the end. After it scratch.next_place has where each level ends.
template <class Space, class Graph, class Vertex, class Memory, class AnyHalo>
std::vector<std::uint64_t> order_by_level(const Space& space, const Graph& graph,
                                          BetweennessScratch<Vertex, Memory>& scratch,
                                          const std::vector<WorkSetSize>& levels, const AnyHalo& halo) {
  const std::size_t num_levels = levels.size();
  if (scratch.next_place.extent(0) < num_levels) {
    scratch.next_place = {};
    ensure_size(scratch.next_place, 2 * num_levels, "dromos::betweenness::next_place");
  }
  std::vector<std::uint64_t> begin(num_levels + 1, 0);
  const auto next_place = Kokkos::subview(scratch.next_place, Kokkos::make_pair(std::size_t(0), num_levels));
  const Kokkos::View<std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> on_host(begin.data(), num_levels);
  OrderByLevel<Vertex, Memory> order{scratch.level, {}, scratch.next_place, halo.num_rows(graph)};
  if constexpr (AnyHalo::is_whole) {
    for (std::size_t l = 0; l < num_levels; ++l) begin[l] = static_cast<std::uint64_t>(levels[l].num_vertices);
  } else {
    Kokkos::deep_copy(space, scratch.next_place, std::uint64_t(0));
    order_by_level("dromos::betweenness::count_levels", space, order);
    Kokkos::deep_copy(on_host, next_place);
  }
  std::uint64_t num_reached = 0;
  for (std::uint64_t& place : begin) num_reached += std::exchange(place, num_reached);
  Kokkos::deep_copy(space, next_place, on_host);
  order.order = scratch.order;
  order_by_level("dromos::betweenness::order", space, order);
  return begin;
}

template <class Memory>
struct MostPaths {
  Kokkos::View<const double*, Memory> num_paths;
  KOKKOS_FUNCTION void operator()(std::int64_t v, double& largest) const {
    largest = dromos::max(largest, num_paths(v));
  }
};

/// Puts the root into the work set, on the ranks that have a row of it.
template <class Vertex, class Memory>
struct StartAtRoot {
  Vertex root;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<double*, Memory> num_paths;
  Kokkos::View<Vertex*, Memory> queue;
  KOKKOS_FUNCTION void operator()(int) const {
    level(root) = 0;
    num_paths(root) = 1;
    queue(0) = root;
  }
};

/// Level and paths of everything that the root reaches. Returns the sizes of the levels, of all ranks.
template <class Space, class Graph, class Vertex, class Memory, class Global, class AnyHalo>
std::vector<WorkSetSize> count_paths(const Space& space, const Graph& graph, Global root,
                                     BetweennessScratch<Vertex, Memory>& scratch, const Strategy& strategy,
                                     const AnyHalo& halo) {
  const ScopedRegion region("dromos::betweenness::paths");
  fill(space, scratch.level, no_level);
  Kokkos::deep_copy(space, scratch.num_paths, 0.0);
  const auto vertices = halo.vertices();
  CountPaths<Vertex, Memory, std::decay_t<decltype(vertices)>> count{
      scratch.level, scratch.num_paths, scratch.given, vertices, static_cast<Vertex>(halo.num_settled(graph))};
  WatchSizes watch;
  const auto view = view_of(graph);
  const Vertex start = halo.local(space, root);
  if constexpr (AnyHalo::is_whole) {
    begin_fused(space, view, scratch.frontier, scratch.next, count, start, true, scratch.fusion, watch);
  } else {
    scratch.frontier.set_counts(0);
    if (start != no_vertex<Vertex>) {
      Kokkos::parallel_for(
          "dromos::betweenness::start", Kokkos::RangePolicy<Space>(space, 0, 1),
          StartAtRoot<Vertex, Memory>{start, scratch.level, scratch.num_paths, scratch.frontier.queue()});
      scratch.frontier.set_counts(1);
    }
    count.next_sweep();
  }
  until_empty(space, view, scratch.frontier, scratch.next, count, strategy, &scratch.fusion, watch, halo);
  double most = 0;
  Kokkos::parallel_reduce("dromos::betweenness::most_paths",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, halo.num_rows(graph)),
                          MostPaths<Memory>{scratch.num_paths}, Kokkos::Max<double>(most));
  halo.agree([&] {
    if (most <= std::numeric_limits<double>::max()) return;
    throw Error("betweenness: from vertex " + std::to_string(root) +
                " there are more shortest paths to some vertex than a double can count (1.8e308), as in large grids; "
                "choose other roots or a smaller graph");
  });
  return watch.levels;
}

template <class Memory>
struct AddDependencies {
  Kokkos::View<const double*, Memory> num_paths, sum;
  Kokkos::View<double*, Memory> centrality;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { centrality(v) += num_paths(v) * sum(v); }
};

/// Dependencies from the last level but one back to the root; adds them to `centrality`.
///
/// \param begin  where the vertices of each level that have rows here begin in scratch.order
template <class Space, class Graph, class Vertex, class Memory, class AnyHalo>
void add_dependencies(const Space& space, const Graph& graph, const std::vector<WorkSetSize>& levels,
                      const std::vector<std::uint64_t>& begin, BetweennessScratch<Vertex, Memory>& scratch,
                      const Kokkos::View<double*, Memory>& centrality, const BetweennessOptions& options,
                      std::int64_t& num_launches, const AnyHalo& halo) {
  const ScopedRegion region("dromos::betweenness::dependencies");
  const auto view = view_of(graph);
  Kokkos::deep_copy(space, scratch.sum, 0.0);
  Kokkos::deep_copy(space, scratch.share, 0.0);
  const SumOfNeighbors<double, Memory> sum_of_shares{scratch.share};
  // Sums of which ranks have parts: not into the sums themselves, of which those of other levels are whole already.
  const auto gathered = AnyHalo::is_whole ? scratch.sum : scratch.partial;
  const GiveShares<Vertex, Memory> give{scratch.order, scratch.num_paths, scratch.partial, scratch.sum, scratch.share};
  [[maybe_unused]] const LevelSums<std::decay_t<decltype(view)>, Vertex, Memory> sums{view, give, scratch.next_place};
  // The root is an end of all its paths.
  for (std::size_t l = levels.size(); l-- > 1;) {
    ++num_launches;
    if constexpr (AnyHalo::is_whole) {
      if (options.share_launches) {
        const auto next =
            static_cast<std::size_t>(sum_few_levels(space, sums, levels, static_cast<std::int64_t>(l), scratch.fusion));
        if (next != l) {
          l = next + 1;
          continue;
        }
      }
    }
    const auto first = static_cast<std::int64_t>(begin[l]);
    const auto end = static_cast<std::int64_t>(begin[l + 1]);
    if constexpr (!AnyHalo::is_whole) Kokkos::deep_copy(space, scratch.partial, 0.0);
    if (l + 1 < levels.size()) {
      Frontier<Vertex, Memory> members(
          Kokkos::View<Vertex*, Memory>(Kokkos::subview(scratch.order, Kokkos::make_pair(first, end))),
          AnyHalo::is_whole ? levels[l].num_edges : unknown_edges);
      gather_into_identity(space, view, members, sum_of_shares, gathered, options.strategy);
      halo.template unite<Sum<double>>(space, gathered);
    }
    Kokkos::parallel_for("dromos::betweenness::give_shares",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, first, end), give);
    halo.spread(space, scratch.share);
  }
  Kokkos::parallel_for("dromos::betweenness::add",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, halo.num_rows(graph)),
                       AddDependencies<Memory>{scratch.num_paths, scratch.sum, centrality});
  fence(space, "dromos::betweenness::add_dependencies");
}

}  // namespace detail

/// Adds up, over the given roots, the dependency of each root on each vertex.
///
/// \param space       execution space instance; its memory space holds graph, scratch and result
/// \param graph       a CsrGraph, or any graph view (graph/graph_view.hpp), directed (paths follow the edges) or
///                    undirected; parallel edges are different paths
/// \param roots       on the host; all vertices for the exact centrality, random ones for an estimate (multiply by
///                    num_vertices / number of roots). A root may occur several times
/// \param scratch     of this graph; reused from call to call
/// \param centrality  out: num_vertices elements, sized on first use. Of an undirected graph with all vertices as roots
///                    every pair counts twice, once from either end: divide by 2 for the usual convention
/// \param halo        where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp);
///                    roots are numbers of the whole graph
/// \throws ArgumentError when a root is outside the graph, or the scratch is that of a graph of another size; Error
///         when there are more than 1.8e308 shortest paths between two vertices
///
/// Cost: from each root every reached edge twice and the reached vertices; one host synchronisation for a level of many
/// edges, or for a run of levels of few (on a part: for each level). Sums are in double precision; their last bits
/// depend on the order of events.
template <class Space, class Graph, class Vertex, class Memory, class Global = Vertex, class AnyHalo = NoHalo>
BetweennessStatistics betweenness(const Space& space, const Graph& graph, const std::vector<Global>& roots,
                                  BetweennessScratch<Vertex, Memory>& scratch,
                                  Kokkos::View<double*, Memory>& centrality, const BetweennessOptions& options = {},
                                  const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::betweenness");
  if (static_cast<std::int64_t>(scratch.level.extent(0)) != graph.num_vertices()) {
    throw ArgumentError("the scratch memory of betweenness is that of a graph of " +
                        std::to_string(scratch.level.extent(0)) + " vertices, and this one has " +
                        std::to_string(graph.num_vertices()) + "; make one for every graph");
  }
  const std::int64_t n = halo.num_vertices(graph);
  for (const Global root : roots) check_root(root, n);
  detail::ensure_size(centrality, static_cast<std::size_t>(graph.num_vertices()), "dromos::betweenness::centrality");
  fence(space, "dromos::betweenness::start");

  const Kokkos::Timer timer;
  BetweennessStatistics statistics;
  Kokkos::deep_copy(space, centrality, 0.0);
  if constexpr (!AnyHalo::is_whole) {
    const std::size_t num_away = static_cast<std::size_t>(graph.num_vertices() - halo.num_settled(graph));
    detail::ensure_size(scratch.given, num_away, "dromos::betweenness::given");
    detail::ensure_size(scratch.partial, scratch.level.extent(0), "dromos::betweenness::partial");
    Kokkos::deep_copy(space, scratch.given, 0.0);
  }
  for (const Global root : roots) {
    const auto levels = detail::count_paths(space, graph, root, scratch, options.strategy, halo);
    for (const WorkSetSize& level : levels) statistics.edges_reached += level.num_edges;
    statistics.num_levels += static_cast<std::int64_t>(levels.size());
    const auto begin = detail::order_by_level(space, graph, scratch, levels, halo);
    detail::add_dependencies(space, graph, levels, begin, scratch, centrality, options, statistics.num_launches_back,
                             halo);
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
    Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&, const BetweennessOptions&, const NoHalo&);
extern template BetweennessStatistics betweenness(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const std::vector<std::int64_t>&, BetweennessScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&, const BetweennessOptions&, const NoHalo&);

}  // namespace dromos
