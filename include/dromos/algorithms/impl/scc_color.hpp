// SPDX-License-Identifier: BSD-3-Clause
// The coloring step: every active vertex takes the largest number of a vertex that reaches it (color propagation), and
// the component of a vertex that kept its own color is whatever of that color reaches it. Many components are found in
// one round, and vertices of different colors are never in the same component.
//
//   0 <-> 3 -> 1 <-> 2     colors 3 3 3 3: only vertex 3 keeps its own, and its component is {0, 3}
//                          next round 1 and 2 are left, with colors 2 2
//
// Taken alone, that can need as many rounds as there are components, where each reaches the next and the largest number
// comes first. Two things help: colors spread only among vertices that had the same color in the round before (so that
// the partition gets finer from round to round), and rounds look forward and backward in turn: the chain that is the
// worst case in one direction is done in a single round in the other.
//
// Sources: Orzan, "On distributed verification and verified distribution", 2004 (coloring); Slota et al. 2015,
// Algorithm 2; Barnat et al., "Computing strongly connected components in parallel on CUDA", IPDPS 2011.
#pragma once

#include <dromos/algorithms/impl/color_spreading.hpp>
#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

namespace scc_detail {

/// Against the edges from u: what has its color reaches it, and is in its component.
template <class Label, class Memory>
struct GatherColor {
  using Value = std::uint8_t;
  static constexpr bool adds = false;
  static constexpr bool any_order = true;
  Bitmap<Memory> active, found;
  Kokkos::View<const Label*, Memory> color;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset) const {
    return both(active.test(v), color.data()[u] == color.data()[v]);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    return found.set(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset) const {
    return active.test(v) && color.data()[u] == color.data()[v] && found.set(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const {
    return true;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Value give(Vertex) const {
    return 1;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Value) const {
    return found.set(v);
  }
};

/// Spreads colors to the end; false when the budget was exhausted.
template <class Space, class Along, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo>
bool spread_colors(const Space& space, const Along& along, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                   const Strategy& strategy, const WorkPrices& prices, WorkBudget& budget, SccStep& step,
                   const AnyHalo& halo) {
  if (scratch.marks.size() == 0) scratch.marks = {scratch.num_vertices(), "dromos::scc::marks"};
  SpreadColor<Label, Memory> spread{scratch.active, scratch.marks, scratch.color, scratch.part};
  const bool complete = until_empty(space, along, scratch.frontier, scratch.next, spread, strategy, &scratch.fusion,
                                    PaidSweeps{{}, prices, budget, step}, halo);
  scratch.marks = spread.marks;
  return complete;
}

template <class Vertex, class Label, class Memory, class Vertices>
struct MarkColorRoots {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<const Label*, Memory> color;
  Vertices vertices;
  Bitmap<Memory> roots;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (color(list(i)) == vertices.number(list(i))) roots.set(list(i));
  }
};

/// Vertices of one color stay together; those that were found are called by it.
template <class Vertex, class Label, class Memory, class Vertices>
struct TakeColors {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<const Label*, Memory> color;
  Vertices vertices;
  Bitmap<Memory> found;
  Kokkos::View<Label*, Memory> part, component;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = list(i);
    part(v) = color(v);
    component(v) = found.test(v) ? color(v) : Label(vertices.number(v));
  }
};

/// One round in one direction: settles the component of every vertex that keeps its color. False, with nothing settled,
/// when the budget was exhausted.
template <class Space, class Along, class Against, class Vertex, class Memory, class Label, class Graph, class InEdges,
          class AnyHalo>
bool color_round(const Space& space, const Along& along, const Against& against,
                 SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                 const Kokkos::View<Label*, Memory>& component, const Strategy& strategy, const WorkPrices& prices,
                 WorkBudget& budget, SccStep& step, const AnyHalo& halo) {
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> listed(space, 0, scratch.remaining.num_vertices());
  const std::int64_t num_active = scratch.num_active;
  const auto list = scratch.remaining.queue();
  const auto color = scratch.color;
  const auto vertices = halo.vertices();
  using Vertices = std::decay_t<decltype(vertices)>;
  start_coloring(space, scratch, halo);
  scratch.frontier.ensure_num_edges(space, along);
  if (!spread_colors(space, along, scratch, strategy, prices, budget, step, halo)) return false;

  halo.spread(space, color);
  const auto found = scratch.backward;
  clear(space, found);
  Kokkos::parallel_for("dromos::scc::color_roots", listed,
                       MarkColorRoots<Vertex, Label, Memory, Vertices>{list, color, vertices, found});
  begin_with(space, against, scratch, found, scratch.frontier, halo);
  GatherColor<Label, Memory> gather_color{scratch.active, found, color};
  if (!until_empty(space, against, scratch.frontier, scratch.next, gather_color, strategy, &scratch.fusion,
                   PaidSweeps{{}, prices, budget, step}, halo)) {
    return false;
  }

  Kokkos::parallel_for(
      "dromos::scc::color_parts", listed,
      TakeColors<Vertex, Label, Memory, Vertices>{list, color, vertices, found, scratch.part, component});
  halo.spread(space, scratch.part);
  settle_by_representative(space, scratch, found, component, halo);
  list_active(space, scratch, halo);
  step.num_settled += num_active - scratch.num_active;
  return true;
}

}  // namespace scc_detail

/// Settles active vertices by rounds of coloring until at most `cutoff` are active or the budget is exhausted.
///
/// \param component  out: the labels of the settled vertices
/// \param halo       of a part of a distributed graph: that of the part
/// Cost: a round visits the edges of the active vertices about as often as colors change, and at least twice. Waits.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
SccStep settle_by_coloring(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                           const Kokkos::View<Label*, Memory>& component, std::int64_t cutoff, const Strategy& strategy,
                           WorkBudget& budget, const AnyHalo& halo = {}) {
  const ScopedRegion region("dromos::scc::coloring");
  const Kokkos::Timer timer;
  SccStep step{"coloring"};
  const WorkPrices& prices = scratch.prices;
  detail::ensure_size(scratch.color, component.extent(0), "dromos::scc::color");
  detail::ensure_size(scratch.part, component.extent(0), "dromos::scc::part");
  Kokkos::deep_copy(space, scratch.part, Label(no_vertex<Label>));
  scc_detail::list_active(space, scratch, halo);
  const auto out = view_of(scratch.graph);
  const auto in = view_of(scratch.reversed);
  const auto round = [&](const auto& along, const auto& against) {
    return scratch.num_active > cutoff &&
           scc_detail::color_round(space, along, against, scratch, component, strategy, prices, budget, step, halo);
  };
  while (round(out, in) && round(in, out)) {
  }
  step.seconds = timer.seconds();
  return step;
}

}  // namespace dromos
