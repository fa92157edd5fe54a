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

#include <dromos/algorithms/color_spreading.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/algorithms/work_budget.hpp>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

namespace scc_detail {

/// Against the edges from u: what has its color reaches it, and is in its component.
template <class Vertex, class Memory>
struct GatherColor {
  Bitmap<Memory> active, found;
  Kokkos::View<const Vertex*, Memory> color;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return active.test(v) && color.data()[u] == color.data()[v] && found.set(v);
  }
};

/// Spreads colors to the end; false when the budget was exhausted.
template <class Space, class Vertex, class Memory>
bool spread_colors(const Space& space, const CsrView<Vertex, Memory>& along, SccScratch<Vertex, Memory>& scratch,
                   const Strategy& strategy, const WorkPrices& prices, WorkBudget& budget, SccStep& step) {
  if (scratch.marks.size() == 0) scratch.marks = {scratch.num_vertices(), "dromos::scc::marks"};
  SpreadColor<Vertex, Memory> spread{scratch.active, scratch.marks, scratch.color, scratch.part};
  const bool complete = until_empty(space, along, scratch.frontier, scratch.next, spread, strategy, &scratch.fusion,
                                    PaidSweeps{prices, budget, step});
  scratch.marks = spread.marks;
  return complete;
}

/// One round in one direction: settles the component of every vertex that keeps its color. False, with nothing settled,
/// when the budget was exhausted.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE bool color_round(const Space& space, const CsrView<Vertex, Memory>& along,
                                       const CsrView<Vertex, Memory>& against, SccScratch<Vertex, Memory>& scratch,
                                       const Kokkos::View<Vertex*, Memory>& component, const Strategy& strategy,
                                       const WorkPrices& prices, WorkBudget& budget, SccStep& step) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t num_active = scratch.num_active;
  const auto list = scratch.remaining.queue();
  const auto color = scratch.color;
  start_coloring(space, scratch);
  scratch.frontier.set_counts(num_active, sum_of_degrees(space, along, list, num_active));
  if (!spread_colors(space, along, scratch, strategy, prices, budget, step)) return false;

  const auto found = scratch.backward;
  clear(space, found);
  Kokkos::parallel_for(
      "dromos::scc::color_roots", Range(space, 0, num_active), KOKKOS_LAMBDA(const std::int64_t i) {
        if (color(list(i)) == list(i)) found.set(list(i));
      });
  const std::int64_t num_roots = compact_difference(space, found, scratch.nothing, scratch.frontier.queue());
  scratch.frontier.set_counts(num_roots, sum_of_degrees(space, against, scratch.frontier.queue(), num_roots));
  GatherColor<Vertex, Memory> gather_color{scratch.active, found, color};
  if (!until_empty(space, against, scratch.frontier, scratch.next, gather_color, strategy, &scratch.fusion,
                   PaidSweeps{prices, budget, step})) {
    return false;
  }

  const auto part = scratch.part;
  Kokkos::parallel_for(
      "dromos::scc::color_parts", Range(space, 0, num_active), KOKKOS_LAMBDA(const std::int64_t i) {
        part(list(i)) = color(list(i));
        component(list(i)) = found.test(list(i)) ? color(list(i)) : list(i);
      });
  settle_by_representative(space, scratch, found, component);
  list_active(space, scratch);
  step.num_settled += num_active - scratch.num_active;
  return true;
}

}  // namespace scc_detail

/// Settles active vertices by rounds of coloring until at most `cutoff` are active or the budget is exhausted.
///
/// \param component  out: the labels of the settled vertices
/// Cost: a round visits the edges of the active vertices about as often as colors change, and at least twice. Waits.
template <class Space, class Vertex, class Memory>
SccStep settle_by_coloring(const Space& space, SccScratch<Vertex, Memory>& scratch,
                           const Kokkos::View<Vertex*, Memory>& component, std::int64_t cutoff,
                           const Strategy& strategy, WorkBudget& budget) {
  const ScopedRegion region("dromos::scc::coloring");
  const Kokkos::Timer timer;
  SccStep step{"coloring"};
  const auto prices = work_prices(space);
  detail::ensure_size(scratch.color, component.extent(0), "dromos::scc::color");
  detail::ensure_size(scratch.part, component.extent(0), "dromos::scc::part");
  Kokkos::deep_copy(space, scratch.part, no_vertex<Vertex>);
  scc_detail::list_active(space, scratch);
  const auto out = scratch.graph.view();
  const auto in = scratch.reversed.view();
  bool forward = true;
  while (scratch.num_active > cutoff && scc_detail::color_round(space, forward ? out : in, forward ? in : out, scratch,
                                                                component, strategy, prices, budget, step)) {
    forward = !forward;
  }
  step.seconds = timer.seconds();
  return step;
}

}  // namespace dromos
