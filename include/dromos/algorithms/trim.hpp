// SPDX-License-Identifier: BSD-3-Clause
// Trimming: vertices that nothing enters, or that nothing leaves, are strongly connected components of their own.
//
// Simple trimming looks at the degrees once; the same pass finds the pivot of the forward-backward step and costs as
// much as reading the two row maps. Complete trimming takes away what trimming has laid bare, until every vertex that
// is left has an active vertex before and behind it. It peels in two independent searches, because a vertex without
// in-edges takes in-edges away from others, never out-edges, and the other way round:
//
//   0 -> 1 -> 2 <-> 3 -> 4      forward: 0, then 1        backward: 4        left: 2 3
//
// Sources: McLendon et al., "Finding strongly connected components in distributed graphs", JPDC 2005; Slota,
// Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected Components and Related
// Problems", IPDPS 2014, Section III.
#pragma once

#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <type_traits>

namespace dromos {

/// What simple trimming found.
template <class Label>
struct SimpleTrim {
  std::int64_t num_trimmed = 0;
  /// The active vertex with the largest product of in-degree and out-degree, which is likely to lie in the largest
  /// component; no_vertex where nothing is active.
  Label pivot = no_vertex<Label>;
};

namespace scc_detail {

/// What trimming counts: how many vertices stay active, and which has the largest product of degrees, the smallest of
/// several.
template <class Label>
struct TrimTotals {
  std::int64_t num_active = 0;
  double product = 0;
  Label pivot = no_vertex<Label>;

  KOKKOS_FUNCTION void take_pivot(double other_product, Label other) {
    if (other_product < product || (other_product == product && (other == no_vertex<Label> || other >= pivot))) return;
    product = other_product;
    pivot = other;
  }
  KOKKOS_FUNCTION TrimTotals& operator+=(const TrimTotals& other) {
    num_active += other.num_active;
    take_pivot(other.product, other.pivot);
    return *this;
  }
  /// Reductions of Kokkos before 4.0 combine values that they call volatile.
  KOKKOS_FUNCTION void operator+=(const volatile TrimTotals& other) volatile {
    num_active = num_active + other.num_active;
    if (other.product < product) return;
    if (other.product == product && (other.pivot == no_vertex<Label> || other.pivot >= pivot)) return;
    product = other.product;
    pivot = other.pivot;
  }
};

/// Item v, which has a row here: labels a vertex, and says whether it is active.
template <class Out, class In, class Label, class Memory, class Vertices>
struct TrimSimple {
  using Vertex = typename Out::vertex_type;
  Out out;
  In in;
  Vertices vertices;
  Kokkos::View<Label*, Memory> component;

  KOKKOS_FUNCTION bool operator()(std::int64_t i, TrimTotals<Label>& totals) const {
    const Vertex v = static_cast<Vertex>(i);
    const Label number = vertices.number(v);
    component.data()[i] = number;
    // Nobody knows beforehand which way a branch on a degree goes.
    const Offset leaving = vertices.degree(out, v), entering = vertices.in_degree(in, v);
    const bool active = both(leaving != 0, entering != 0);
    const bool counted = both(active, vertices.counts(v));
    totals.num_active += counted;
    const double product = static_cast<double>(leaving) * static_cast<double>(entering);
    if (both(counted, product >= totals.product)) totals.take_pivot(product, number);
    return active;
  }
};

/// What a rank says where a decomposition begins.
template <class Label>
struct BegunByRank {
  TrimTotals<Label> totals;
  WorkPrices prices;
};

}  // namespace scc_detail
}  // namespace dromos

/// \cond  what Kokkos asks for, and nobody else
template <class Label>
struct Kokkos::reduction_identity<dromos::scc_detail::TrimTotals<Label>> {
  KOKKOS_FORCEINLINE_FUNCTION static dromos::scc_detail::TrimTotals<Label> sum() { return {}; }
};
/// \endcond

namespace dromos {

/// Begins a decomposition: makes active all vertices that have both in-edges and out-edges, and labels every vertex
/// with itself, which is final for the others.
///
/// \param component  out: label by vertex
/// \param halo       of a part of a distributed graph: that of the part
/// Cost: one pass over both row maps. Waits.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
SimpleTrim<Label> trim_simple(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                              const Kokkos::View<Label*, Memory>& component, const AnyHalo& halo = {}) {
  const ScopedRegion region("dromos::scc::trim_simple");
  const auto vertices = halo.vertices();
  const auto out = view_of(scratch.graph);
  const auto in = view_of(scratch.reversed);
  using Trim = scc_detail::TrimSimple<std::decay_t<decltype(out)>, std::decay_t<decltype(in)>, Label, Memory,
                                      std::decay_t<decltype(vertices)>>;
  using Totals = scc_detail::TrimTotals<Label>;
  Totals totals;
  write_bits("dromos::scc::trim_simple", space, scratch.active.words().data(), halo.num_rows(scratch.graph),
             Trim{out, in, vertices, component}, Kokkos::Sum<Totals>(totals));
  halo.spread_bits(space, scratch.active);
  scratch.prices = work_prices(space);
  if constexpr (!AnyHalo::is_whole) {
    const auto ranks = halo.gather_each(scc_detail::BegunByRank<Label>{totals, scratch.prices});
    totals = {};
    for (const auto& rank : ranks) totals += rank.totals;
    scratch.prices = scc_detail::prices_of_all(ranks);
  }
  scratch.num_active = totals.num_active;
  return {halo.num_vertices(scratch.graph) - totals.num_active, totals.pivot};
}

namespace scc_detail {

/// Counts, for u, the edges that join it to another active vertex.
template <class Label, class Memory>
struct CountActiveNeighbors {
  Bitmap<Memory> active;
  Kokkos::View<Label*, Memory> count;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (u != v && active.test(v)) atomic_fetch_add(&count.data()[u], Label(1));
    return false;
  }
};

/// u is gone: v loses an edge, and joins when that was its last one. The counter falls to zero exactly once. What
/// vertices that are away lose (traverse/no_halo.hpp) is added up in `taken`, by their numbers behind the first of
/// them, until it is given.
template <class Vertex, class Label, class Memory, class Vertices>
struct PeelNeighbors {
  using Value = Label;
  static constexpr bool adds = true;
  static constexpr bool any_order = true;
  Bitmap<Memory> active;
  Kokkos::View<Label*, Memory> count, taken;
  Vertices vertices;
  Vertex first_away;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset) const { return both(u != v, active.test(v)); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const { return offer(u, v, e); }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset) const {
    if (u == v || !active.test(v)) return false;
    if (vertices.is_away(v)) {
      atomic_fetch_add(&taken.data()[v - first_away], Label(1));
      return true;
    }
    return atomic_fetch_sub(&count.data()[v], Label(1)) == 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION Label give(Vertex v) const {
    const Label given = taken.data()[v - first_away];
    taken.data()[v - first_away] = 0;
    return given;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Label given) const {
    return atomic_fetch_sub(&count.data()[v], given) == given;
  }
};

/// Of a list, the vertices whose count is zero.
template <class Vertex, class Label, class Memory>
struct MarkBare {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<const Label*, Memory> count;
  Bitmap<Memory> bare;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (count(list(i)) == 0) bare.set(list(i));
  }
};

template <class Vertex, class Label, class Memory>
struct StartCounts {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<Label*, Memory> count;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { count(list(i)) = 0; }
};

/// Settles every active vertex that no infinite walk backwards leads to, `along` being the direction of the edges.
template <class Space, class Along, class Against, class Vertex, class Memory, class Label, class Graph, class InEdges,
          class AnyHalo>
void peel(const Space& space, const Along& along, const Against& against,
          SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch, const Strategy& strategy,
          const WorkPrices& prices, WorkBudget& budget, SccStep& step, const AnyHalo& halo) {
  list_active(space, scratch, halo);
  const std::int64_t num_active = scratch.num_active;
  const std::int64_t num_listed = scratch.remaining.num_vertices();
  const auto list = scratch.remaining.queue();
  if (num_active == 0 ||
      !budget.spend(prices.push(num_active, halo.sum(sum_of_degrees(space, against, list, num_listed))))) {
    return;
  }

  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> listed(space, 0, num_listed);
  const auto count = scratch.color;
  Kokkos::parallel_for("dromos::scc::peel_start", listed, StartCounts<Vertex, Label, Memory>{list, count});
  visit_edges(space, against, scratch.remaining, NoSink{}, CountActiveNeighbors<Label, Memory>{scratch.active, count},
              strategy);
  halo.template unite<Sum<Label>>(space, count);
  ++step.num_sweeps;

  const auto bare = scratch.forward;
  clear(space, bare);
  Kokkos::parallel_for("dromos::scc::peel_bare", listed, MarkBare<Vertex, Label, Memory>{list, count, bare});
  begin_with(space, along, scratch, bare, scratch.frontier, halo);
  const auto vertices = halo.vertices();
  const auto first_away = static_cast<Vertex>(halo.num_settled(scratch.graph));
  if constexpr (!AnyHalo::is_whole) {
    detail::ensure_size(scratch.taken, static_cast<std::size_t>(scratch.num_vertices() - first_away),
                        "dromos::scc::taken");
    Kokkos::deep_copy(space, scratch.taken, Label(0));
  }
  PeelNeighbors<Vertex, Label, Memory, std::decay_t<decltype(vertices)>> peel_neighbors{
      scratch.active, count, scratch.taken, vertices, first_away};
  until_empty(space, along, scratch.frontier, scratch.next, peel_neighbors, strategy, &scratch.fusion,
              PaidSweeps{{}, prices, budget, step}, halo);

  // Their label is their own number since the decomposition began.
  Kokkos::parallel_for("dromos::scc::peel_settle", listed, MarkBare<Vertex, Label, Memory>{list, count, bare});
  deactivate(space, scratch, bare, halo);
  list_active(space, scratch, halo);
  step.num_settled += num_active - scratch.num_active;
}

}  // namespace scc_detail

/// Settles every active vertex that does not lie between two cycles (or on one): complete trimming.
///
/// \param halo  of a part of a distributed graph: that of the part
/// Follows trim_simple() or any other step. Stops early, leaving vertices active, when the budget is exhausted.
/// Cost: the edges of the active vertices in each direction, those of the trimmed ones once more; one sweep for each
/// layer that is peeled off. Waits.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
SccStep trim_complete(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                      const Strategy& strategy, WorkBudget& budget, const AnyHalo& halo = {}) {
  const ScopedRegion region("dromos::scc::trim_complete");
  const Kokkos::Timer timer;
  SccStep step{"trim-complete"};
  detail::ensure_size(scratch.color, static_cast<std::size_t>(scratch.num_vertices()), "dromos::scc::color");
  const WorkPrices& prices = scratch.prices;
  const auto out = view_of(scratch.graph);
  const auto in = view_of(scratch.reversed);
  scc_detail::peel(space, out, in, scratch, strategy, prices, budget, step, halo);
  scc_detail::peel(space, in, out, scratch, strategy, prices, budget, step, halo);
  step.seconds = timer.seconds();
  return step;
}

}  // namespace dromos
