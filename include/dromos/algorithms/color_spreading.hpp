// SPDX-License-Identifier: BSD-3-Clause
// Color propagation (Slota et al. 2015, Algorithm 2) inside the parts of a partition of the active vertices: the
// largest color wins. Along the edges it is the first half of a round of coloring; along and against them it finds
// pieces that hang together.
#pragma once

#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos::scc_detail {

/// v takes the color of u where that is larger, and joins once a sweep.
///
/// The colors are read without synchronisation: a color only grows, so a stale one makes u offer less than it could,
/// and whoever made it grow has put u (again) into the next work set.
template <class Vertex, class Memory>
struct SpreadColor {
  Bitmap<Memory> active;
  /// Who is in the next work set already.
  SweepMarks<Memory> marks;
  Kokkos::View<Vertex*, Memory> color;
  Kokkos::View<const Vertex*, Memory> part;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (!active.test(v)) return false;
    const Vertex mine = atomic_load(&color.data()[u]);
    Vertex* const theirs = &color.data()[v];
    if (atomic_load(theirs) >= mine || part.data()[u] != part.data()[v]) return false;
    return Kokkos::atomic_fetch_max(theirs, mine) < mine && marks.claim(v);
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { marks.next_sweep(); }
};

/// Every active vertex, in the order of scratch.remaining, has its own number as color and is in the frontier.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void start_coloring(const Space& space, SccScratch<Vertex, Memory>& scratch) {
  const auto list = scratch.remaining.queue();
  const auto color = scratch.color;
  const auto frontier = scratch.frontier.queue();
  Kokkos::parallel_for(
      "dromos::scc::color_start",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, scratch.num_active),
      KOKKOS_LAMBDA(const std::int64_t i) {
        color(list(i)) = list(i);
        frontier(i) = list(i);
      });
  scratch.frontier.set_counts(scratch.num_active);
}

}  // namespace dromos::scc_detail
