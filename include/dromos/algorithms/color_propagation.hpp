// SPDX-License-Identifier: BSD-3-Clause
// Color propagation: every vertex ends with the largest number of a vertex that reaches it, itself included.
//
//   edges 0->1 4->1 1->2 2->1 3->3     colors 0 1 2 3 4  ->  0 4 2 3 4  ->  0 4 4 3 4
//
// In an undirected graph that is one color a component; in a directed one, vertices of different colors are never in
// the same strongly connected component. A sweep visits the edges of the vertices whose color changed in the sweep
// before. A vertex joins the next work set once, however many neighbors change its color: the first to do so claims its
// bit in a bitmap, and after the sweep the bits of those who joined are cleared again.
//
// Source: Slota et al. 2015, Algorithm 2. (Its last line as printed adds u; the text, and the purpose, want v, whose
// color was altered.) The colors are the same on any number of threads; the number of sweeps and updates depends on
// races, because a color that arrives early travels on within the same sweep.
//
// Where large numbers have far to go, most of what is swept is repainted later: on a path whose numbers descend, n^2 /
// 2 updates for n colors. So sweeps are paid for (algorithms/impl/work_budget.hpp), and when the next one would cost
// more than is left, one host thread colors the graph (algorithms/impl/color_serial.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/color_serial.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/number_vertices.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos {

struct ColorOptions {
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
  /// What sweeps may cost, as a part of what the serial algorithm costs, before it takes over; on a whole graph only,
  /// and of a view that is none of a CsrGraph where the host can read it. At 1.5 a graph whose colors settle in a few
  /// sweeps is swept to its end, and none costs more, by the prices of impl/work_budget.hpp, than 2.5 times the serial
  /// algorithm, or a millisecond besides it where that is more. 0: always serial; infinity: no guard, as in the
  /// published method.
  double waste_limit = 1.5;
};

/// One sweep of a propagation.
struct ColorSweep {
  std::int64_t num_vertices = 0;  ///< of the work set: all vertices, later those whose color the sweep before changed
  Offset num_edges = 0;           ///< visited: those that leave the work set
  double seconds = 0;
};

/// What a propagation did.
struct ColorStatistics {
  /// Changes of color, several in one sweep counted as one.
  std::int64_t vertex_updates = 0;
  /// Edges visited in all sweeps; over the time, the rate that the paper's Figure 3 compares.
  Offset edge_updates = 0;
  double seconds = 0;
  std::vector<ColorSweep> sweeps;
  /// The sweeps cost too much, and the serial algorithm found the colors; its edges are not counted above.
  bool serial = false;
};

/// The color of every vertex: num_vertices elements, sized on first use. A color is a vertex number; of a part of a
/// distributed graph one of the whole graph, whose type need not be that of the part's own numbers.
template <class Color, class Memory>
struct ColorResult {
  Kokkos::View<Color*, Memory> color;
};

/// The memory a propagation works in, allocated once per graph: two frontiers and marks, about 12 bytes a vertex.
template <class Vertex, class Memory>
struct ColorScratch {
  Frontier<Vertex, Memory> frontier;
  Frontier<Vertex, Memory> next;
  /// Who is in the next work set already.
  SweepMarks<Memory> marks;
  SweepFusion<Memory> fusion;

  ColorScratch() = default;
  /// \param graph  a CsrGraph, or any graph view
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  explicit ColorScratch(const Graph& graph) : ColorScratch(graph, graph.num_edges()) {}
  /// Of sweeps over so many edges: of a directed graph whose colors travel both ways, all of them twice.
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  ColorScratch(const Graph& graph, Offset num_edges)
      : frontier(graph.num_vertices(), num_edges),
        next(graph.num_vertices(), num_edges),
        marks(graph.num_vertices(), "dromos::color_propagation::marks") {
    check_graph<Graph>();
  }
};

namespace detail {

/// v takes the color of u where that is larger, and joins.
///
/// Colors are read without synchronisation. A color only grows, so a stale one of u makes u offer less than it has, and
/// whoever made it grow has put u into the next work set, where it offers the rest; a stale one of v costs an atomic
/// that changes nothing.
template <class Color, class Memory>
struct PropagateColor {
  using Value = Color;
  static constexpr bool adds = false;
  static constexpr bool any_order = true;
  /// What the largest colors reach first, no smaller one is told on its way: about half as many updates.
  static constexpr bool last_first = true;
  Kokkos::View<Color*, Memory> color;
  SweepMarks<Memory> marks;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset) const {
    return atomic_load(&color.data()[v]) < atomic_load(&color.data()[u]);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    const Color mine = atomic_load(&color.data()[u]);
    return atomic_fetch_max(&color.data()[v], mine) < mine && joins(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset) const {
    return take(v, atomic_load(&color.data()[u]));
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex v) const {
    return marks.claim(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Color give(Vertex v) const {
    return color.data()[v];
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Color offered) const {
    Color* const theirs = &color.data()[v];
    return atomic_load(theirs) < offered && atomic_fetch_max(theirs, offered) < offered;
  }
  /// The largest color first: nobody whom it reaches changes again.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Color urgency(Vertex v) const {
    return color.data()[v];
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { marks.next_sweep(); }
};

/// Makes statistics of sweeps, and pays for them.
struct WatchColors : PayForColors {
  ColorStatistics& statistics;
  WatchColors(const PayForColors& pay, ColorStatistics& of) : PayForColors(pay), statistics(of) {}
  void swept(const WorkSetSize& work, double seconds) {
    PayForColors::swept(work, seconds);
    statistics.edge_updates += work.num_edges;
    statistics.sweeps.push_back({work.num_vertices, work.num_edges, seconds});
  }
};

}  // namespace detail

/// Propagates the numbers of the vertices along the edges; the largest wins.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param graph    a CsrGraph, or any graph view (graph/graph_view.hpp), directed (colors travel forwards) or
///                 undirected
/// \param scratch  of this graph; reused from call to call
/// \param result   out: resized on first use, then reused; color(v) is the largest u that reaches v
/// \param options  strategy, and when to give up sweeps
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
/// \returns the updates and the times of each sweep
/// \throws ArgumentError when the scratch is that of a graph of another size, or waste_limit is negative or not a
/// number
///
/// Cost: all edges once, then those of the changed vertices, sweep by sweep, as long as waste_limit allows; then every
/// vertex and edge once, by one host thread, and the copy of the graph to it where it is elsewhere. One host
/// synchronisation a sweep.
template <class Space, class Graph, class Vertex, class Color, class Memory, class AnyHalo = NoHalo>
ColorStatistics color_propagation(const Space& space, const Graph& graph, ColorScratch<Vertex, Memory>& scratch,
                                  ColorResult<Color, Memory>& result, const ColorOptions& options = {},
                                  const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::color_propagation");
  if (scratch.marks.size() != graph.num_vertices()) {
    throw ArgumentError("the scratch memory of the color propagation is that of a graph of " +
                        std::to_string(scratch.marks.size()) + " vertices, and this one has " +
                        std::to_string(graph.num_vertices()) + "; make one for every graph");
  }
  if (!(options.waste_limit >= 0)) {
    throw ArgumentError("color propagation: waste_limit is " + std::to_string(options.waste_limit) +
                        "; it must be 0 or more, or infinity for no limit");
  }
  detail::ensure_size(result.color, static_cast<std::size_t>(graph.num_vertices()), "dromos::color_propagation::color");
  fence(space, "dromos::color_propagation::start");

  const Kokkos::Timer total;
  ColorStatistics statistics;
  const auto view = view_of(graph);
  detail::PropagateColor<Color, Memory> propagate{result.color, scratch.marks};
  detail::number_vertices(space, result.color, halo.vertices());
  const std::int64_t n = halo.num_vertices(graph);
  const Offset num_edges = halo.sum(graph.num_edges());
  constexpr bool may_end_serially = AnyHalo::is_whole && detail::host_can_read<Graph>;
  detail::WatchColors watch{
      {work_prices(space), may_end_serially ? options.waste_limit : std::numeric_limits<double>::infinity(), n,
       num_edges},
      statistics};
  Kokkos::Timer timer;
  bool complete = true;
  if (n > 0) {
    complete = watch.may_sweep({n, num_edges});
    if (complete) {
      traverse_all(space, view, scratch.frontier, propagate, options.strategy, halo);
      watch.swept({n, num_edges}, timer.seconds());
      propagate.next_sweep();
    }
  }
  complete = complete && until_empty(space, view, scratch.frontier, scratch.next, propagate, options.strategy,
                                     &scratch.fusion, watch, halo);
  if constexpr (may_end_serially) {
    statistics.serial = !complete;
    if (!complete) detail::color_serially(space, result.color, scratch.frontier.queue(), graph);
  }
  // Whoever a sweep changes is the work set of the next one, and the last changes nobody.
  for (std::size_t i = 1; i < statistics.sweeps.size(); ++i) {
    statistics.vertex_updates += statistics.sweeps[i].num_vertices;
  }
  scratch.marks = propagate.marks;
  fence(space, "dromos::color_propagation::end");
  statistics.seconds = total.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/color_propagation.cpp.
extern template ColorStatistics color_propagation(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ColorScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ColorResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const ColorOptions&, const NoHalo&);
extern template ColorStatistics color_propagation(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ColorScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ColorResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const ColorOptions&, const NoHalo&);

}  // namespace dromos
