// SPDX-License-Identifier: BSD-3-Clause
// Distance-1 coloring: no two neighbors have the same color, and colors are few. Rows of one color can be worked on at
// once (multicolor Gauss-Seidel).
//
// Greedy coloring in an order of priorities, in parallel: a vertex is colored as soon as all neighbors of higher
// priority are, with the smallest color that none of them has. The colors are those of the serial algorithm in that
// order, whoever wins what race: they depend on the graph and the seed alone.
//
//   path a-b-c, priorities 2 3 1     b has no higher neighbor: color 0; then a: 1, c: 1
//
// Priority is the number of binary digits of the degree, then a random number: hubs first, since they have the fewest
// colors to choose from, and few of them wait for each other. A sweep of the loop nest counts for the lower neighbors
// of the vertices just colored one higher neighbor less; those that wait for no more are colored next. The colors of
// the higher neighbors are gathered as a set of 64 colors; who finds all 64 taken asks again for the next 64.
//
// Source: M. T. Jones, P. E. Plassmann, "A parallel graph coloring heuristic", 1993; W. Hasenplaugh et al., "Ordering
// heuristics for parallel graph coloring", SPAA 2014 (largest logarithm of the degree first).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/chosen_vertices.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/traverse.hpp>
#include <type_traits>
#include <utility>

namespace dromos {

struct ColoringOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
  /// Of the random numbers that decide between vertices of about the same degree.
  std::uint64_t seed = 1;
};

struct ColoringStatistics {
  std::int64_t num_colors = 0;
  std::int64_t num_sweeps = 0;
  double seconds = 0;
};

namespace detail {

/// The union of sets, one bit an element.
struct SetUnion {
  using Value = std::uint64_t;
  static KOKKOS_FUNCTION Value identity() { return 0; }
  static KOKKOS_FUNCTION Value combine(Value a, Value b) { return a | b; }
  static KOKKOS_FUNCTION void combine_into(Value* total, Value value) { atomic_fetch_or(total, value); }
};

/// Which of two neighbors is colored first; a total order.
template <class Graph>
struct ColoringOrder {
  using Vertex = typename Graph::vertex_type;
  Graph graph;
  std::uint64_t seed;

  KOKKOS_FORCEINLINE_FUNCTION bool before(Vertex a, Vertex b) const {
    const int digits_a = degree_bin(graph.degree(a)), digits_b = degree_bin(graph.degree(b));
    if (digits_a != digits_b) return digits_a > digits_b;
    const std::uint64_t bits_a = random_bits(seed, static_cast<std::uint64_t>(a));
    const std::uint64_t bits_b = random_bits(seed, static_cast<std::uint64_t>(b));
    return bits_a != bits_b ? bits_a > bits_b : a < b;
  }
};

/// How many neighbors are colored before u; parallel edges count each.
template <class Graph>
struct CountHigherNeighbors {
  using Vertex = typename Graph::vertex_type;
  using Combine = Sum<Vertex>;
  ColoringOrder<Graph> order;
  KOKKOS_FORCEINLINE_FUNCTION Vertex edge(Vertex u, Vertex v, Offset) const { return u != v && order.before(v, u); }
};

/// u has its color: v waits for one neighbor less, and is next when it waits for none.
template <class Graph>
struct TellLowerNeighbor {
  using Vertex = typename Graph::vertex_type;
  ColoringOrder<Graph> order;
  Kokkos::View<Vertex*, typename Graph::memory_space> waits_for;
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return u != v && order.before(u, v) && atomic_fetch_sub(&waits_for.data()[v], Vertex(1)) == 1;
  }
};

/// The colors from first_color on, 64 of them, that neighbors have; uncolored ones have -1, and wait for u.
template <class Vertex, class Memory>
struct TakenColors {
  using Combine = SetUnion;
  Kokkos::View<const Vertex*, Memory> color;
  Vertex first_color;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t edge(Vertex, Vertex v, Offset) const {
    const Vertex c = color.data()[v];
    return c >= first_color && c - first_color < 64 ? std::uint64_t(1) << (c - first_color) : 0;
  }
};

template <class Vertex, class Memory>
struct WaitsForNobody {
  Kokkos::View<const Vertex*, Memory> waits_for;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return waits_for(v) == 0; }
};

template <class Vertex, class Memory>
struct ChooseColors {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<const std::uint64_t*, Memory> taken;
  Vertex first_color;
  Kokkos::View<Vertex*, Memory> color, queue;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    const Vertex v = list(i);
    const std::uint64_t set = taken(v);
    if (~set == 0) {
      if (final) queue(sum) = v;
      ++sum;
    } else if (final) {
      int free = 0;
      while (set >> free & 1) ++free;
      color(v) = first_color + free;
    }
  }
};

/// Colors those of the list that find a color in this window, and puts the others into `rest`.
template <class Space, class Graph, class Vertex, class Memory>
std::int64_t color_from_window(const Space& space, const Graph& graph, const Kokkos::View<Vertex*, Memory>& list,
                               std::int64_t count, const Kokkos::View<std::uint64_t*, Memory>& taken,
                               Vertex first_color, const Kokkos::View<Vertex*, Memory>& color,
                               Frontier<Vertex, Memory>& rest) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const auto queue = rest.queue();
  std::int64_t num_rest = 0;
  Kokkos::parallel_scan("dromos::coloring::choose", Range(space, 0, count),
                        ChooseColors<Vertex, Memory>{list, taken, first_color, color, queue}, num_rest);
  rest.set_counts(num_rest, sum_of_degrees(space, graph, rest.queue(), num_rest, "dromos::coloring::rest_edges"));
  return num_rest;
}

}  // namespace detail

/// Colors the vertices so that neighbors differ.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    an undirected CsrGraph, the SymmetricPattern of any, or a graph view (graph/graph_view.hpp) whose
///                 `directed` is false. Self loops and parallel edges only count as degrees
/// \param color    out: num_vertices colors from 0 on, sized on first use
/// \param options  strategy, seed
/// \throws ArgumentError for a directed graph
///
/// Cost: every edge three times, and for more than 64 colors the edges of those vertices again for each 64; three host
/// synchronisations for each vertex of the longest chain of falling priorities. Memory of the call: 5 ids a vertex.
template <class Space, class Graph, class Vertex, class Memory>
ColoringStatistics color_vertices(const Space& space, const Graph& graph, Kokkos::View<Vertex*, Memory>& color,
                                  const ColoringOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::coloring");
  const std::int64_t n = graph.num_vertices();
  if (is_directed(graph)) {
    throw ArgumentError(
        "coloring: neighbors are meant in both directions, and this graph is directed; take its "
        "SymmetricPattern, or build it with symmetrize, to forget the directions");
  }
  detail::ensure_size(color, static_cast<std::size_t>(n), "dromos::coloring::color");
  ColoringStatistics statistics;
  if (n == 0) return statistics;
  fence(space, "dromos::coloring::start");

  const Kokkos::Timer timer;
  const auto view = view_of(graph);
  using View = std::decay_t<decltype(view)>;
  const detail::ColoringOrder<View> order{view, options.seed};
  Kokkos::View<Vertex*, Memory> waits_for("dromos::coloring::waits_for", static_cast<std::size_t>(n));
  Kokkos::View<std::uint64_t*, Memory> taken("dromos::coloring::taken", static_cast<std::size_t>(n));
  Frontier<Vertex, Memory> ready(n, graph.num_edges()), next(n, graph.num_edges()), rest(n, graph.num_edges());
  fill(space, color, Vertex(-1));
  gather_all(space, view, detail::CountHigherNeighbors<View>{order}, waits_for, options.strategy);
  detail::start_with(space, view, ready, detail::WaitsForNobody<Vertex, Memory>{waits_for});
  while (!ready.empty()) {
    gather(space, view, ready, detail::TakenColors<Vertex, Memory>{color, 0}, taken, options.strategy);
    std::int64_t num_rest =
        detail::color_from_window(space, view, ready.queue(), ready.num_vertices(), taken, Vertex(0), color, rest);
    for (Vertex first_color = 64; num_rest > 0; first_color += 64) {
      gather(space, view, rest, detail::TakenColors<Vertex, Memory>{color, first_color}, taken, options.strategy);
      // The list is read before `next` is: it takes those that are left, and is filled anew below.
      num_rest = detail::color_from_window(space, view, rest.queue(), num_rest, taken, first_color, color, next);
      std::swap(rest, next);
    }
    traverse(space, view, ready, next, detail::TellLowerNeighbor<View>{order, waits_for}, options.strategy);
    std::swap(ready, next);
    ++statistics.num_sweeps;
  }
  statistics.num_colors = static_cast<std::int64_t>(dromos::max<Vertex>(
                              -1, detail::largest_value("dromos::coloring::largest", space, color))) +
                          1;
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/coloring.cpp.
extern template ColoringStatistics color_vertices(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const ColoringOptions&);
extern template ColoringStatistics color_vertices(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const ColoringOptions&);
extern template ColoringStatistics color_vertices(
    const Kokkos::DefaultExecutionSpace&,
    const SymmetricPattern<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const ColoringOptions&);
extern template ColoringStatistics color_vertices(
    const Kokkos::DefaultExecutionSpace&,
    const SymmetricPattern<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const ColoringOptions&);

}  // namespace dromos
