// SPDX-License-Identifier: BSD-3-Clause
// PageRank: how often a random walk is at each vertex, that follows an out-edge with probability d and goes to any
// vertex with probability 1 - d.
//
//   rank(v) = (1 - d) / n + d * (sum of rank(u) / outdegree(u) over the edges (u, v) + dangling / n)
//
// A walk that is at a vertex without out-edges goes anywhere: `dangling` is the rank of all such vertices. An iteration
// pulls over the in-edges, so that every vertex is written once and no atomics are needed; one pass over the vertices
// does the rest. Parallel edges count as often as they are there, self loops count.
//
// Personalized: where the walk goes when it follows no edge may be said, by probabilities (PageRankScratch::start),
// which take the place of 1 / n, after vertices without out-edges as well.
//
// What an edge asks for is the share of the vertex that it comes from, rank(u) / outdegree(u). Where shares are more
// than caches hold, they may lie in an order of their own (impl/ordered_shares.hpp). While the ranks still
// change by much, shares are numbers of single precision, half the bytes of what an iteration mostly waits for; what is
// rounded off is added to `dangling`, so that the ranks add up to 1 all the same. The last iterations are of double
// precision, and so are ranks and sums always.
//
// Source: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank citation ranking", Stanford InfoLab 1999.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/impl/near_numbers.hpp>
#include <dromos/algorithms/impl/ordered_shares.hpp>
#include <dromos/core/device_limits.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/nearest_name.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

/// Where the share of a vertex lies that its out-edges ask for.
enum class ShareOrder {
  best,       ///< the library chooses: by_degree where that is worth it
  by_vertex,  ///< in the order of vertices
  by_degree   ///< those that many edges ask for lie together
};

inline std::vector<ShareOrder> all_share_orders() {
  return {ShareOrder::best, ShareOrder::by_vertex, ShareOrder::by_degree};
}

inline std::string share_order_name(ShareOrder order) {
  switch (order) {
    case ShareOrder::best:
      return "best";
    case ShareOrder::by_vertex:
      return "by-vertex";
    case ShareOrder::by_degree:
      return "by-degree";
  }
  return "";
}

/// The order of this name; throws ArgumentError that lists the names there are.
inline ShareOrder share_order_from_name(const std::string& name) {
  return value_from_name("order of shares", all_share_orders(), share_order_name, name);
}

struct PageRankOptions {
  /// The probability d that the walk follows an edge; 0 <= d < 1. Nearer to 1 takes more iterations, in proportion to
  /// 1 / (1 - d).
  double damping = 0.85;
  /// Stop when the ranks, whose sum is 1, have changed by less than this in one iteration, all changes added up.
  double tolerance = 1e-9;
  /// Stop after so many iterations whatever the change.
  int max_iterations = 200;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
  /// Where shares lie. By degree takes, once for the scratch, what about an iteration takes (on CPUs three to seven, to
  /// fill new memory), and an id more for every vertex and in-edge. The library chooses it where shares are more than a
  /// GPU's last cache holds, or eight times what a core of a CPU has for itself; hubs have half of the edges; eight
  /// iterations may be needed, or 24; there is room; and on CPUs where neighbors' numbers are not near. Graph views
  /// without arrays stay by vertex whatever is asked for. Of a distributed graph each rank chooses for its part, on
  /// GPUs alone.
  ShareOrder share_order = ShareOrder::best;
  /// Shares are of single precision until the ranks change by less than 1e-6 in an iteration, and then of double;
  /// false: of double from the first. With a tolerance of 1e-6 or more all are of single precision, with a tolerance of
  /// 0, by which one asks for so many iterations and their very ranks, none.
  bool single_precision_first = true;
};

struct PageRankStatistics {
  int num_iterations = 0;
  int num_single_precision = 0;  ///< of these: whose shares were of single precision
  double change = 0;             ///< of the last iteration
  bool converged = false;
  double seconds = 0;
  ShareOrder share_order = ShareOrder::by_vertex;  ///< where shares lay: never `best`
  double order_seconds = 0;  ///< of these, for putting them in order; 0 where the scratch had been in order
};

/// The graph, its in-edges and 16 bytes a vertex, reused from call to call; where shares lie by degree, an id more for
/// every vertex and in-edge; and, if one likes, where walks start.
///
/// Graph, InEdges: a CsrGraph, or any graph view (graph/graph_view.hpp); of a graph only the degrees are asked for, its
/// edges of the graph turned round. Who writes PageRankScratch(graph, reversed_graph) need not name them.
template <class Vertex, class Memory, class Graph = CsrGraph<Vertex, Memory>, class InEdges = Graph>
struct PageRankScratch {
  Graph graph;
  InEdges in_edges;
  Kokkos::View<double*, Memory> share, total;
  /// In: the probability that a walk which follows no edge goes to each vertex; of 0 or more, 1 in all. Empty: the same
  /// for all. Of a part of a distributed graph: of each of its rows, as `rank` has them.
  Kokkos::View<const double*, Memory> start;
  detail::OrderedShares<Vertex, Memory> ordered;

  PageRankScratch() = default;
  /// \param reversed_graph  transpose(graph), or the graph itself where it is undirected
  PageRankScratch(const Graph& graph_to_rank, const InEdges& reversed_graph)
      : graph(graph_to_rank), in_edges(reversed_graph) {
    check_graph_and_transpose("PageRankScratch", graph, in_edges);
    make_room();
  }
  /// Of a part of a distributed graph, whose edges and edges turned round need not be as many.
  static PageRankScratch of_part(const Graph& out_edges, const InEdges& in_edges) {
    PageRankScratch scratch;
    scratch.graph = out_edges;
    scratch.in_edges = in_edges;
    scratch.make_room();
    return scratch;
  }

 private:
  void make_room() {
    detail::ensure_size(share, static_cast<std::size_t>(graph.num_vertices()), "dromos::pagerank::share");
    detail::ensure_size(total, static_cast<std::size_t>(graph.num_vertices()), "dromos::pagerank::total");
  }
};

template <class Graph, class InEdges>
PageRankScratch(const Graph&, const InEdges&)
    -> PageRankScratch<vertex_type_of<Graph>, memory_space_of<Graph>, Graph, InEdges>;

namespace detail {

/// Shares are of single precision until an iteration changes the ranks by less: rounding changes them by 6e-8 at most.
inline constexpr double least_change_in_single = 1e-6;

/// Shares of single precision in the same memory.
template <class Memory>
Kokkos::View<float*, Memory> in_single_precision(const Kokkos::View<double*, Memory>& share) {
  return Kokkos::View<float*, Memory>(reinterpret_cast<float*>(share.data()), share.extent(0));
}

/// What an iteration makes ranks of: rank(v) = base(v) + damping * total(v).
template <class Graph, class Memory, class Vertices>
struct RankTerms {
  using Vertex = typename Graph::vertex_type;
  Graph graph;
  Vertices vertices;
  Kokkos::View<double*, Memory> rank;
  Kokkos::View<const double*, Memory> total;
  Kokkos::View<const double*, Memory> start;  // empty: base is that of every vertex
  Kokkos::View<const Vertex*, Memory> place;  // of the share of each vertex; empty: its number
  double base, damping;

  KOKKOS_FORCEINLINE_FUNCTION double part_of(std::int64_t v, double all) const {
    return start.data() == nullptr ? all : all * start.data()[v];
  }
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(std::int64_t v) const {
    return vertices.degree(graph, static_cast<Vertex>(v));
  }
  /// What v, of this rank, gives along each of its edges.
  template <class Share>
  KOKKOS_FORCEINLINE_FUNCTION void give(std::int64_t v, double now, Offset num_edges, bool counts,
                                        const Kokkos::View<Share*, Memory>& share, double& dangling) const {
    if (num_edges > 0) {
      const Share each = static_cast<Share>(now / static_cast<double>(num_edges));
      share.data()[place.data() == nullptr ? v : place.data()[v]] = each;
      // What is rounded off goes anywhere, too.
      if (!std::is_same_v<Share, double> && counts) dangling += now - static_cast<double>(num_edges) * each;
    } else if (counts) {
      dangling += now;
    }
  }
};

/// The ranks of an iteration, and the shares of the next. Adds up the changes, and the ranks that go along no edge. One
/// pass over the vertices, several by a thread, which asks for all it reads of them before it waits for the first, and
/// adds up by itself: a GPU's reduction keeps its sums in shared memory, and what follows an addition there waits for
/// it. The threads of a warp take turns at neighboring vertices:
///
///   2 vertices a thread     of threads by themselves: 0 1, 2 3     of a warp of two: 0 2, 1 3
template <class Terms, class Share, class Memory, int width>
struct UpdateRanks {
  static constexpr int at_once = width > 1 ? 8 : 1;  // a thread of a CPU looks ahead by itself

  Terms terms;
  Kokkos::View<Share*, Memory> share;
  std::int64_t num_vertices;

  /// Of threads.
  std::int64_t size() const { return (num_vertices + at_once * width - 1) / (at_once * width) * width; }

  KOKKOS_FUNCTION void operator()(std::int64_t thread, double& change, double& dangling) const {
    const std::int64_t first = thread / width * (at_once * width) + thread % width;
    double before[at_once], total[at_once];
    Offset degree[at_once];
    bool counts[at_once];
    for (int k = 0; k < at_once; ++k) {
      const std::int64_t v = dromos::min(first + k * width, num_vertices - 1);
      before[k] = terms.rank.data()[v];
      total[k] = terms.total.data()[v];
      degree[k] = terms.degree(v);
      counts[k] = terms.vertices.counts(v);
    }
    double changed = 0, anywhere = 0;
    for (int k = 0; k < at_once; ++k) {
      const std::int64_t v = first + k * width;
      if (v >= num_vertices) break;
      const double now = terms.part_of(v, terms.base) + terms.damping * total[k];
      terms.rank.data()[v] = now;
      if (counts[k]) changed += now > before[k] ? now - before[k] : before[k] - now;
      terms.give(v, now, degree[k], counts[k], share, anywhere);
    }
    change += changed;
    dangling += anywhere;
  }
};

/// The first ranks, all alike or where walks start, and what they give.
template <class Terms, class Share, class Memory>
struct FirstRanks {
  Terms terms;
  Kokkos::View<Share*, Memory> share;
  double first;

  KOKKOS_FUNCTION void operator()(std::int64_t v, double& dangling) const {
    const double rank = terms.part_of(v, first);
    terms.rank.data()[v] = rank;
    terms.give(v, rank, terms.degree(v), terms.vertices.counts(v), share, dangling);
  }
};

/// Puts the shares of a scratch in order where that is wanted, and says whether they are.
///
/// \tparam whole  the graph is no part of a distributed one, and its degrees say how many in-edges there are of each
template <bool whole, class Space, class Vertex, class Memory, class Graph, class InEdges>
bool order_if_wanted(const Space& space, PageRankScratch<Vertex, Memory, Graph, InEdges>& scratch,
                     const PageRankOptions& options) {
  if (options.share_order == ShareOrder::by_vertex) return false;
  const std::int64_t num_vertices = scratch.graph.num_vertices();
  const double n = static_cast<double>(num_vertices);
  const auto in_edges = scratch.in_edges.view();
  const auto degrees = [&] {
    if constexpr (whole) {
      return view_of(scratch.graph);
    } else {
      return asking_degrees(space, num_vertices, in_edges, scratch.ordered);
    }
  };
  if (options.share_order == ShareOrder::best) {
    if (!is_gpu<Space> && !whole) return false;
    ShareTraffic traffic{sizeof(double) * n, static_cast<double>(shares_in_any_order(space)), 1,
                         expected_iterations(options.damping, options.tolerance, options.max_iterations),
                         iterations_worth_ordering<Space>};
    if (!worth_ordering(traffic)) return false;
    if constexpr (!is_gpu<Space>) {
      if (has_near_numbers(in_edges)) return false;
    }
    double& part = scratch.ordered.part_of_hubs;
    if (part < 0) part = part_of_hubs(space, degrees(), in_edges.num_edges());
    traffic.part_of_hubs = part;
    if (!worth_ordering(traffic)) return false;
    const double bytes = sizeof(Vertex) * (n + static_cast<double>(in_edges.num_edges()));
    if (!scratch.ordered.made() && !room_for<Memory>(bytes)) return false;
  }
  if (!scratch.ordered.made()) order_shares(space, degrees(), in_edges, scratch.ordered);
  return true;
}

/// Sums of the rows that do not wait for other ranks.
template <class Sums, class Memory>
struct SumsOfOthers : Sums {
  Bitmap<Memory> waits;
  SumsOfOthers(const Sums& sums, const Bitmap<Memory>& waiting) : Sums(sums), waits(waiting) {}
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool begin(Vertex u) const {
    return !waits.test(u);
  }
};

/// The rows of a part that wait for shares of other ranks, where those are few, so that the others are added up
/// meanwhile.
template <class Vertex, class Memory>
struct RowsThatWait {
  Bitmap<Memory> are_waiting;
  Frontier<Vertex, Memory> rows;

  template <class Space, class AnyHalo>
  RowsThatWait(const Space& space, const AnyHalo& halo) {
    if constexpr (!AnyHalo::is_whole) {
      const auto* const found = halo.waiting_rows(space);
      if (found == nullptr) return;
      are_waiting = found->waits;
      rows = Frontier<Vertex, Memory>(found->list);
    }
  }
};

/// total(u) = the sum of the shares that reach u; of a part, once copies have their owners' shares.
template <class Space, class InEdges, class Share, class Place, class Memory, class Waiting, class AnyHalo>
void gather_shares(const Space& space, const InEdges& in_edges, const Kokkos::View<Share*, Memory>& share,
                   const Place& place, Waiting& waiting, const Kokkos::View<double*, Memory>& total,
                   const Strategy& strategy, const AnyHalo& halo) {
  const SumOfNeighbors<double, Memory, Share> sums{share};
  if constexpr (!AnyHalo::is_whole) {
    if (!waiting.rows.empty()) {
      auto spreading = halo.start_spread(space, share, place);
      gather_all(space, in_edges, SumsOfOthers<std::decay_t<decltype(sums)>, Memory>(sums, waiting.are_waiting), total,
                 strategy);
      spreading.wait();
      gather_into_identity(space, in_edges, waiting.rows, sums, total, strategy);
      return;
    }
    halo.spread(space, share, place);
  }
  gather_all(space, in_edges, sums, total, strategy);
}

/// Adds up where walks start, and counts what is no probability.
template <class Memory, class Vertices>
struct CheckStart {
  Vertices vertices;
  Kokkos::View<const double*, Memory> start;

  KOKKOS_FUNCTION void operator()(std::int64_t v, double& sum, double& num_bad) const {
    if (!vertices.counts(v)) return;
    const double probability = start.data()[v];
    sum += probability;
    if (!(probability >= 0)) num_bad += 1;
  }
};

}  // namespace detail

/// Ranks all vertices; the ranks add up to 1.
///
/// \param space    execution space instance; its memory space holds scratch and result
/// \param scratch  of the graph to rank, directed or undirected; scratch.start makes the ranks personalized
/// \param rank     out: num_vertices elements, sized on first use
/// \param options  damping, tolerance, strategy
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
/// \throws ArgumentError when damping is not in [0, 1), tolerance is negative, max_iterations is below 1, or
///         scratch.start is not one probability for each vertex, 1 in all
///
/// Cost of an iteration: every edge once and the vertices twice. The result is the same on any number of threads, and
/// wherever shares lie, but for the last bits.
template <class Space, class Vertex, class Memory, class Graph, class InEdges, class AnyHalo = NoHalo>
PageRankStatistics pagerank(const Space& space, PageRankScratch<Vertex, Memory, Graph, InEdges>& scratch,
                            Kokkos::View<double*, Memory>& rank, const PageRankOptions& options = {},
                            const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::pagerank");
  if (!(options.damping >= 0 && options.damping < 1) || !(options.tolerance >= 0) || options.max_iterations < 1) {
    throw ArgumentError("pagerank: damping is " + std::to_string(options.damping) + ", tolerance " +
                        std::to_string(options.tolerance) + ", max_iterations " +
                        std::to_string(options.max_iterations) +
                        "; damping must be at least 0 and below 1, tolerance at least 0, max_iterations at least 1");
  }
  const double n = static_cast<double>(halo.num_vertices(scratch.graph));
  detail::ensure_size(rank, static_cast<std::size_t>(scratch.graph.num_vertices()), "dromos::pagerank::rank");
  fence(space, "dromos::pagerank::start");
  const Kokkos::Timer timer;
  PageRankStatistics statistics;
  if (n == 0) {
    statistics.converged = true;
    return statistics;
  }
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> vertices(space, 0, halo.num_rows(scratch.graph));
  const auto part = halo.vertices();
  const auto view = view_of(scratch.graph);
  auto in_edges = view_of(scratch.in_edges);
  using Terms = detail::RankTerms<std::decay_t<decltype(view)>, Memory, std::decay_t<decltype(part)>>;
  Terms terms{view, part, rank, scratch.total, {}, {}, 0, options.damping};
  // Of all ranks: those that say where walks start, the sum, what is no probability, and rows that are left out.
  double told[4] = {scratch.start.extent(0) > 0 ? 1. : 0., 0, 0, 0};
  if (told[0] > 0 && scratch.start.extent(0) >= static_cast<std::size_t>(vertices.end())) {
    Kokkos::parallel_reduce("dromos::pagerank::check_start", vertices,
                            detail::CheckStart<Memory, std::decay_t<decltype(part)>>{part, scratch.start}, told[1],
                            told[2]);
  } else {
    told[3] = static_cast<double>(vertices.end());
  }
  halo.sum_in_place(told, 4);
  const bool personalized = told[0] > 0;
  if (personalized) terms.start = scratch.start;  // without elements it need not be null
  if (personalized && (told[2] > 0 || told[3] > 0 || !(std::abs(told[1] - 1) <= 1e-9))) {
    throw ArgumentError(
        "pagerank: where walks start takes a probability of at least 0 for every vertex, 1 in all; found " +
        std::to_string(told[1]) + " in all, " + std::to_string(static_cast<std::int64_t>(told[2])) +
        " that are none, and " + std::to_string(static_cast<std::int64_t>(told[3])) + " vertices without one");
  }
  if constexpr (detail::has_csr_arrays<InEdges>) {
    const Kokkos::Timer order_timer;
    const bool was_made = scratch.ordered.made();
    if (detail::order_if_wanted<AnyHalo::is_whole>(space, scratch, options)) {
      statistics.share_order = ShareOrder::by_degree;
      if (!was_made) statistics.order_seconds = order_timer.seconds();
      terms.place = scratch.ordered.place;
      in_edges.entries = scratch.ordered.sources;
    }
  }
  const double num_shares = personalized ? 1 : n;
  double sums[2] = {0, 0};  // change, dangling
  const auto shares = [&scratch](bool in_single, const auto& use) {
    if (in_single) {
      use(detail::in_single_precision(scratch.share));
    } else {
      use(scratch.share);
    }
  };
  bool in_single = options.single_precision_first && options.tolerance > 0;
  detail::RowsThatWait<Vertex, Memory> waiting(space, halo);
  shares(in_single, [&](const auto& share) {
    using Share = typename std::decay_t<decltype(share)>::value_type;
    Kokkos::parallel_reduce("dromos::pagerank::first", vertices,
                            detail::FirstRanks<Terms, Share, Memory>{terms, share, 1 / num_shares}, sums[1]);
  });
  halo.sum_in_place(sums, 2);
  while (statistics.num_iterations < options.max_iterations && !statistics.converged) {
    const ScopedRegion iteration_region("dromos::pagerank::iteration");
    shares(in_single, [&](const auto& share) {
      detail::gather_shares(space, in_edges, share, terms.place, waiting, scratch.total, options.strategy, halo);
    });
    halo.template unite<Sum<double>>(space, scratch.total);
    terms.base = (1 - options.damping + options.damping * sums[1]) / num_shares;
    statistics.num_single_precision += in_single;
    const bool decides = !in_single || options.tolerance >= detail::least_change_in_single;
    in_single =
        in_single && (decides || statistics.num_iterations == 0 || statistics.change >= detail::least_change_in_single);
    shares(in_single, [&](const auto& share) {
      using Share = typename std::decay_t<decltype(share)>::value_type;
      constexpr int width = has_warps<Space> ? warp_width : 1;
      const detail::UpdateRanks<Terms, Share, Memory, width> update{terms, share, vertices.end()};
      reduce_range("dromos::pagerank::update", space, update.size(), update, sums[0], sums[1]);
    });
    halo.sum_in_place(sums, 2);
    statistics.change = sums[0];
    statistics.converged = decides && statistics.change < options.tolerance;
    ++statistics.num_iterations;
  }
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/pagerank.cpp.
extern template PageRankStatistics pagerank(const Kokkos::DefaultExecutionSpace&,
                                            PageRankScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                            Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                            const PageRankOptions&, const NoHalo&);
extern template PageRankStatistics pagerank(const Kokkos::DefaultExecutionSpace&,
                                            PageRankScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                            Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                            const PageRankOptions&, const NoHalo&);

}  // namespace dromos
