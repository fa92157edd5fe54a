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

#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/algorithms/work_budget.hpp>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

/// What simple trimming found.
template <class Vertex>
struct SimpleTrim {
  std::int64_t num_trimmed = 0;
  /// The active vertex with the largest product of in-degree and out-degree, which is likely to lie in the largest
  /// component; no_vertex where nothing is active.
  Vertex pivot = no_vertex<Vertex>;
};

/// Begins a decomposition: makes active all vertices that have both in-edges and out-edges, and labels every vertex
/// with itself, which is final for the others.
///
/// \param component  out: label by vertex
/// Cost: one pass over both row maps. Waits.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE SimpleTrim<Vertex> trim_simple(const Space& space, SccScratch<Vertex, Memory>& scratch,
                                                     const Kokkos::View<Vertex*, Memory>& component) {
  const ScopedRegion region("dromos::scc::trim_simple");
  const auto out = scratch.graph.view();
  const auto in = scratch.reversed.view();
  const auto words = scratch.active.words();
  const std::int64_t n = scratch.num_vertices();
  using Largest = Kokkos::MaxLoc<double, Vertex>;
  typename Largest::value_type best;
  best.val = 0;
  best.loc = no_vertex<Vertex>;
  Kokkos::parallel_reduce(
      "dromos::scc::trim_simple",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, scratch.num_words()),
      KOKKOS_LAMBDA(const std::int64_t w, typename Largest::value_type& pivot) {
        const std::int64_t first = w * Bitmap<Memory>::bits_per_word;
        const std::int64_t last = dromos::min<std::int64_t>(first + Bitmap<Memory>::bits_per_word, n);
        typename Bitmap<Memory>::Word word = 0;
        for (std::int64_t i = first; i < last; ++i) {
          const Vertex v = static_cast<Vertex>(i);
          component(v) = v;
          const double product = static_cast<double>(out.degree(v)) * static_cast<double>(in.degree(v));
          if (product == 0) continue;
          word |= Bitmap<Memory>::mask(v);
          if (product > pivot.val) {
            pivot.val = product;
            pivot.loc = v;
          }
        }
        words(w) = word;
      },
      Largest(best));
  scratch.num_active = scc_detail::count_members(space, scratch.active);
  return {n - scratch.num_active, scratch.num_active > 0 ? best.loc : no_vertex<Vertex>};
}

namespace scc_detail {

/// Counts, for u, the edges that join it to another active vertex.
template <class Vertex, class Memory>
struct CountActiveNeighbors {
  Bitmap<Memory> active;
  Kokkos::View<Vertex*, Memory> count;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (u != v && active.test(v)) atomic_fetch_add(&count.data()[u], Vertex(1));
    return false;
  }
};

/// u is gone: v loses an edge, and joins when that was its last one. The counter falls to zero exactly once.
template <class Vertex, class Memory>
struct PeelNeighbors {
  Bitmap<Memory> active;
  Kokkos::View<Vertex*, Memory> count;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return u != v && active.test(v) && Kokkos::atomic_fetch_sub(&count.data()[v], Vertex(1)) == 1;
  }
};

/// Settles every active vertex that no infinite walk backwards leads to, `along` being the direction of the edges.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void peel(const Space& space, const CsrView<Vertex, Memory>& along,
                                const CsrView<Vertex, Memory>& against, SccScratch<Vertex, Memory>& scratch,
                                const Strategy& strategy, const WorkPrices& prices, WorkBudget& budget, SccStep& step) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  list_active(space, scratch);
  const std::int64_t num_active = scratch.num_active;
  const auto list = scratch.remaining.queue();
  const auto active = scratch.active;
  if (num_active == 0 || !budget.spend(prices.push(num_active, sum_of_degrees(space, against, list, num_active)))) {
    return;
  }

  const auto count = scratch.color;
  Kokkos::parallel_for(
      "dromos::scc::peel_start", Range(space, 0, num_active),
      KOKKOS_LAMBDA(const std::int64_t i) { count(list(i)) = 0; });
  visit_edges(space, against, scratch.remaining, NoSink{}, CountActiveNeighbors<Vertex, Memory>{active, count},
              strategy);
  ++step.num_sweeps;

  const auto bare = scratch.forward;
  clear(space, bare);
  Kokkos::parallel_for(
      "dromos::scc::peel_bare", Range(space, 0, num_active), KOKKOS_LAMBDA(const std::int64_t i) {
        if (count(list(i)) == 0) bare.set(list(i));
      });
  const std::int64_t num_bare = compact_difference(space, bare, scratch.nothing, scratch.frontier.queue());
  scratch.frontier.set_counts(num_bare, sum_of_degrees(space, along, scratch.frontier.queue(), num_bare));
  PeelNeighbors<Vertex, Memory> peel_neighbors{active, count};
  until_empty(space, along, scratch.frontier, scratch.next, peel_neighbors, strategy, &scratch.fusion,
              PaidSweeps{prices, budget, step});

  // Their label is their own number since the decomposition began.
  Kokkos::parallel_for(
      "dromos::scc::peel_settle", Range(space, 0, num_active), KOKKOS_LAMBDA(const std::int64_t i) {
        const Vertex v = list(i);
        if (count(v) == 0) Kokkos::atomic_fetch_and(&active.words()(active.word_of(v)), ~active.mask(v));
      });
  list_active(space, scratch);
  step.num_settled += num_active - scratch.num_active;
}

}  // namespace scc_detail

/// Settles every active vertex that does not lie between two cycles (or on one): complete trimming.
///
/// Follows trim_simple() or any other step. Stops early, leaving vertices active, when the budget is exhausted.
/// Cost: the edges of the active vertices in each direction, those of the trimmed ones once more; one sweep for each
/// layer that is peeled off. Waits.
template <class Space, class Vertex, class Memory>
SccStep trim_complete(const Space& space, SccScratch<Vertex, Memory>& scratch, const Strategy& strategy,
                      WorkBudget& budget) {
  const ScopedRegion region("dromos::scc::trim_complete");
  const Kokkos::Timer timer;
  SccStep step{"trim-complete"};
  detail::ensure_size(scratch.color, static_cast<std::size_t>(scratch.num_vertices()), "dromos::scc::color");
  const auto prices = work_prices(space);
  scc_detail::peel(space, scratch.graph.view(), scratch.reversed.view(), scratch, strategy, prices, budget, step);
  scc_detail::peel(space, scratch.reversed.view(), scratch.graph.view(), scratch, strategy, prices, budget, step);
  step.seconds = timer.seconds();
  return step;
}

}  // namespace dromos
