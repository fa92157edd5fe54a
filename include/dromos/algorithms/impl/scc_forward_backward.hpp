// SPDX-License-Identifier: BSD-3-Clause
// The forward-backward step: what a pivot reaches and what reaches the pivot is the pivot's component.
//
// settle_component_of() does it for one pivot among all active vertices, with direction-optimizing searches, the second
// confined to what the first has found: the way to the one giant component that most real graphs have.
//
// decompose_by_forward_backward() finds all components: every component lies inside one of three sets, reached forward
// only, backward only, or neither, and so it goes on in all of them at once. `part` says which vertices are still
// together: one pivot for each part, all searches in the same sweeps, each staying in its part. A search backward
// confined to what was reached forward cannot tell "backward only" from "neither", so each round splits a part in two.
// What is left then falls to pieces, thousands of small ones where a giant component has been taken out; each piece (a
// weak component inside its part) becomes a part of its own, named by its largest vertex, or there would have to be a
// round for each.
//
// Sources: Fleischer, Hendrickson, Pinar, "On identifying strongly connected components in parallel", IPDPS 2000
// workshops; Hong, Rodia, Olukotun, "On fast parallel detection of strongly connected components (SCC) in small-world
// graphs", SC 2013 (weak components); Slota, Rajamanickam, Madduri, IPDPS 2014, Section III (the pivot: largest product
// of degrees).
#pragma once

#include <dromos/algorithms/impl/both_ways.hpp>
#include <dromos/algorithms/impl/color_spreading.hpp>
#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/algorithms/reachability.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <type_traits>

namespace dromos {

namespace scc_detail {

/// Item w: the smallest number in a word of members, of which the first num_rows vertices count.
template <class Memory, class Vertices>
struct SmallestMember {
  BitmapWords<Memory> words;
  Vertices vertices;
  std::int64_t num_rows;

  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& least) const {
    for (auto rest = words(w); rest != 0; rest &= rest - 1) {
      const std::int64_t v = w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest);
      if (v >= num_rows) return;
      least = dromos::min<std::int64_t>(least, vertices.number(v));
      if (!vertices.is_away((w + 1) * Bitmap<Memory>::bits_per_word - 1)) return;  // those of one rank ascend
    }
  }
};

template <class Label, class Memory>
struct LabelMembers {
  BitmapWords<Memory> members;
  Label label;
  Kokkos::View<Label*, Memory> component;
  KOKKOS_FUNCTION std::uint32_t word(std::int64_t w) const { return members(w); }
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { component.data()[v] = label; }
};

/// Takes the vertices of `members` out of the active ones and labels each that has a row here with the smallest of
/// them. The bits of copies are right in both bitmaps.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo>
void settle_one_component(const Space& space, const SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                          const Bitmap<Memory>& members, const Kokkos::View<Label*, Memory>& component,
                          const AnyHalo& halo) {
  const std::int64_t num_rows = halo.num_rows(scratch.graph);
  const std::int64_t num_words = (num_rows + Bitmap<Memory>::bits_per_word - 1) / Bitmap<Memory>::bits_per_word;
  const auto vertices = halo.vertices();
  std::int64_t smallest = 0;
  Kokkos::parallel_reduce("dromos::scc::smallest_member",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_words),
                          SmallestMember<Memory, std::decay_t<decltype(vertices)>>{members.words(), vertices, num_rows},
                          Kokkos::Min<std::int64_t>(smallest));
  take_away(space, scratch.active, members);
  const Label label = static_cast<Label>(halo.min(smallest));
  for_bits("dromos::scc::label_component", space, num_words,
           LabelMembers<Label, Memory>{members.words(), label, component});
}

template <class Vertex, class Memory>
struct SetBit {
  Bitmap<Memory> bits;
  Vertex vertex;
  KOKKOS_FUNCTION void operator()(int) const { bits.set(vertex); }
};

/// Makes one vertex the frontier and the only member of a bitmap; on ranks that have no row of it there is none.
template <class Space, class View, class Vertex, class Memory>
void start_at(const Space& space, const View& graph, Frontier<Vertex, Memory>& frontier, const Bitmap<Memory>& reached,
              Vertex start) {
  clear(space, reached);
  frontier.set_counts(0);
  if (start == no_vertex<Vertex>) return;
  Kokkos::parallel_for("dromos::scc::start", Kokkos::RangePolicy<Space>(space, 0, 1),
                       SetBit<Vertex, Memory>{reached, start});
  frontier.start(space, graph, start);
}

}  // namespace scc_detail

/// Settles the component of one active vertex.
///
/// \param pivot      an active vertex, by its number in the whole graph
/// \param component  out: the labels of that component's vertices
/// \param options    of both searches
/// \param halo       of a part of a distributed graph: that of the part
/// Stops early, having settled nothing, when the budget is exhausted.
/// Cost: two searches, see extend_reachability(); a pass over the bitmaps and the writing of the labels. Waits.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
SccStep settle_component_of(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch, Label pivot,
                            const Kokkos::View<Label*, Memory>& component, const Strategy& strategy, WorkBudget& budget,
                            const ReachabilityOptions& options = {}, const AnyHalo& halo = {}) {
  const ScopedRegion region("dromos::scc::forward_backward");
  const Kokkos::Timer timer;
  SccStep step{"forward-backward"};
  const auto out = view_of(scratch.graph);
  const auto in = view_of(scratch.reversed);
  const Vertex start = halo.local(space, pivot);
  const double limit = budget.limit();
  std::int64_t num_forward = 1;
  std::int64_t num_both = 1;
  scc_detail::start_at(space, out, scratch.frontier, scratch.forward, start);
  bool complete = extend_reachability(space, out, in, scratch, scratch.active, scratch.num_active, scratch.forward,
                                      num_forward, strategy, budget, step, options, halo);
  budget.set_limit(limit);
  if (complete) {
    scc_detail::start_at(space, in, scratch.frontier, scratch.backward, start);
    complete = extend_reachability(space, in, out, scratch, scratch.forward, num_forward, scratch.backward, num_both,
                                   strategy, budget, step, options, halo);
  }
  if (complete) {
    scc_detail::settle_one_component(space, scratch, scratch.backward, component, halo);
    scratch.num_active -= num_both;
    step.num_settled = num_both;
  }
  fence(space, "dromos::scc::forward_backward");
  step.seconds = timer.seconds();
  return step;
}

namespace scc_detail {

template <class Out, class In>
struct DegreeProduct {
  Out out;
  In in;
  KOKKOS_FUNCTION float operator()(typename Out::vertex_type v) const {
    return static_cast<float>(out.degree(v)) * static_cast<float>(in.degree(v));
  }
};

template <class Vertex, class Memory>
struct TakeColorsAsParts {
  Kokkos::View<const Vertex*, Memory> list, color;
  Kokkos::View<Vertex*, Memory> part;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { part(list(i)) = color(list(i)); }
};

/// Makes each weak component of the active vertices inside their parts a part of its own: colors spread along the edges
/// and against them. False when the budget was exhausted.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
bool split_into_weak_components(const Space& space, SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                                const Strategy& strategy, const WorkPrices& prices, WorkBudget& budget, SccStep& step) {
  const auto color = scratch.color;
  const auto part = scratch.part;
  if (scratch.marks.size() == 0) scratch.marks = {scratch.num_vertices(), "dromos::scc::marks"};
  SpreadColor<Vertex, Memory> spread{scratch.active, scratch.marks, color, part};
  start_coloring(space, scratch);
  const bool complete = detail::until_empty_both_ways(space, view_of(scratch.graph), view_of(scratch.reversed),
                                                      scratch.frontier, scratch.next, spread, strategy, &scratch.fusion,
                                                      PaidSweeps{{}, prices, budget, step});
  scratch.marks = spread.marks;
  if (!complete) return false;
  for_range("dromos::scc::weak_parts", space, scratch.num_active,
            TakeColorsAsParts<Vertex, Memory>{scratch.remaining.queue(), color, part});
  return true;
}

template <class Vertex, class Memory>
struct StartPivots {
  Kokkos::View<const Vertex*, Memory> list, part;
  Kokkos::View<float*, Memory> best;
  Kokkos::View<Vertex*, Memory> slot;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    // Everybody in a part writes the same.
    atomic_store(&best(part(list(i))), -1.0f);
    atomic_store(&slot(part(list(i))), no_vertex<Vertex>);
  }
};

template <class Product, class Vertex, class Memory>
struct FindLargestProduct {
  Product product;
  Kokkos::View<const Vertex*, Memory> list, part;
  Kokkos::View<float*, Memory> best;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const float mine = product(list(i));
    float* const most = &best(part(list(i)));
    if (atomic_load(most) < mine) atomic_fetch_max(most, mine);
  }
};

template <class Product, class Vertex, class Memory>
struct FindPivot {
  Product product;
  Kokkos::View<const Vertex*, Memory> list, part;
  Kokkos::View<const float*, Memory> best;
  Kokkos::View<Vertex*, Memory> slot;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = list(i);
    Vertex* const pivot = &slot(part(v));
    if (product(v) == best(part(v)) && atomic_load(pivot) < v) atomic_fetch_max(pivot, v);
  }
};

template <class Vertex, class Memory>
struct MarkPivots {
  Kokkos::View<const Vertex*, Memory> list, part, slot;
  Kokkos::View<Vertex*, Memory> component;
  Bitmap<Memory> forward;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = list(i);
    component(v) = slot(part(v));
    if (component(v) == v) forward.set(v);
  }
};

/// Leaves in scratch.slot, for each part that has an active vertex, its pivot: the vertex with the largest product of
/// degrees, the largest of several; makes scratch.forward the set of pivots, and component(v) the pivot of v's part.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
void choose_pivots(const Space& space, SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                   const Kokkos::View<Vertex*, Memory>& component, const Kokkos::View<float*, Memory>& best) {
  const std::int64_t num_active = scratch.num_active;
  const auto list = scratch.remaining.queue();
  const auto part = scratch.part;
  const auto slot = scratch.slot;
  const auto forward = scratch.forward;
  const auto out = view_of(scratch.graph);
  const auto in = view_of(scratch.reversed);
  const DegreeProduct<std::decay_t<decltype(out)>, std::decay_t<decltype(in)>> product{out, in};
  for_range("dromos::scc::pivot_start", space, num_active, StartPivots<Vertex, Memory>{list, part, best, slot});
  for_range("dromos::scc::pivot_product", space, num_active,
            FindLargestProduct<std::decay_t<decltype(product)>, Vertex, Memory>{product, list, part, best});
  for_range("dromos::scc::pivot_vertex", space, num_active,
            FindPivot<std::decay_t<decltype(product)>, Vertex, Memory>{product, list, part, best, slot});
  clear(space, forward);
  for_range("dromos::scc::pivot_mark", space, num_active,
            MarkPivots<Vertex, Memory>{list, part, slot, component, forward});
}

/// Extends `reached` inside `within` and inside each part, pushing only. False when the budget was exhausted.
template <class Space, class Along, class Vertex, class Memory, class Graph, class InEdges>
bool extend_in_parts(const Space& space, const Along& along,
                     SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch, const Bitmap<Memory>& within,
                     const Bitmap<Memory>& reached, const Strategy& strategy, const WorkPrices& prices,
                     WorkBudget& budget, SccStep& step) {
  const std::int64_t num_start = compact_difference(space, reached, scratch.nothing, scratch.frontier.queue());
  scratch.frontier.set_counts(num_start);
  scratch.frontier.ensure_num_edges(space, along);
  ReachNeighborsInPart<Vertex, Memory> op{within, reached, scratch.part};
  return until_empty(space, along, scratch.frontier, scratch.next, op, strategy, &scratch.fusion,
                     PaidSweeps{{}, prices, budget, step});
}

}  // namespace scc_detail

namespace detail {

template <class Vertex, class Memory>
struct SplitParts {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<Vertex*, Memory> part;
  Bitmap<Memory> forward;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (forward.test(list(i))) part(list(i)) = ~part(list(i));  // some other number, of no other part
  }
};

}  // namespace detail

/// Settles all active vertices by rounds of forward-backward searches in every part at once, or those of the rounds
/// that were complete when the budget was exhausted.
///
/// Cost: a round visits the edges of the active vertices some four times, in as many sweeps as its longest searches
/// have levels; the rounds are few, unless components hang together in long chains. Waits.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
SccStep decompose_by_forward_backward(const Space& space, SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                                      const Kokkos::View<Vertex*, Memory>& component, const Strategy& strategy,
                                      WorkBudget& budget) {
  constexpr double num_passes = 9;  // of a round, over the active vertices
  const ScopedRegion region("dromos::scc::decompose_by_forward_backward");
  const Kokkos::Timer timer;
  SccStep step{"forward-backward"};
  const WorkPrices prices = work_prices(space);
  scc_detail::list_active(space, scratch);
  const std::int64_t num_begun = scratch.num_active;
  const std::size_t n = component.extent(0);
  detail::ensure_size(scratch.part, n, "dromos::scc::part");
  detail::ensure_size(scratch.color, n, "dromos::scc::color");
  detail::ensure_size(scratch.slot, n, "dromos::scc::slot");
  const Kokkos::View<float*, Memory> best(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::scc::best_product"),
                                          n);
  Kokkos::deep_copy(space, scratch.part, Vertex(0));
  while (scratch.num_active > 0 && budget.spend(num_passes * prices.pass(scratch.num_active))) {
    scc_detail::choose_pivots(space, scratch, component, best);
    Kokkos::deep_copy(space, scratch.backward.words(), scratch.forward.words());
    if (!scc_detail::extend_in_parts(space, view_of(scratch.graph), scratch, scratch.active, scratch.forward, strategy,
                                     prices, budget, step) ||
        !scc_detail::extend_in_parts(space, view_of(scratch.reversed), scratch, scratch.forward, scratch.backward,
                                     strategy, prices, budget, step)) {
      break;
    }
    for_range("dromos::scc::split_parts", space, scratch.num_active,
              detail::SplitParts<Vertex, Memory>{scratch.remaining.queue(), scratch.part, scratch.forward});
    scc_detail::settle_by_representative(space, scratch, scratch.backward, component);
    scc_detail::list_active(space, scratch);
    if (scratch.num_active > 0 &&
        !scc_detail::split_into_weak_components(space, scratch, strategy, prices, budget, step)) {
      break;
    }
  }
  step.num_settled = num_begun - scratch.num_active;
  step.seconds = timer.seconds();
  return step;
}

}  // namespace dromos
