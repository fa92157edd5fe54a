// SPDX-License-Identifier: BSD-3-Clause
// Color propagation (Slota et al. 2015, Algorithm 2) inside the parts of a partition of the active vertices: the
// largest color wins. Along the edges it is the first half of a round of coloring; along and against them it finds
// pieces that hang together.
#pragma once

#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/number_vertices.hpp>
#include <type_traits>

namespace dromos::scc_detail {

/// v takes the color of u where that is larger, and joins once a sweep.
///
/// The colors are read without synchronisation: a color only grows, so a stale one makes u offer less than it could,
/// and whoever made it grow has put u (again) into the next work set.
template <class Label, class Memory>
struct SpreadColor {
  using Value = Label;
  static constexpr bool adds = false;
  static constexpr bool last_first = true;  // as PropagateColor
  Bitmap<Memory> active;
  /// Who is in the next work set already.
  SweepMarks<Memory> marks;
  Kokkos::View<Label*, Memory> color;
  Kokkos::View<const Label*, Memory> part;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset) const {
    return both(active.test(v), atomic_load(&color.data()[v]) < atomic_load(&color.data()[u]));
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (part.data()[u] != part.data()[v]) return false;
    const Label mine = atomic_load(&color.data()[u]);
    return atomic_fetch_max(&color.data()[v], mine) < mine && joins(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset) const {
    if (!active.test(v)) return false;
    const Label mine = atomic_load(&color.data()[u]);
    Label* const theirs = &color.data()[v];
    if (atomic_load(theirs) >= mine || part.data()[u] != part.data()[v]) return false;
    return atomic_fetch_max(theirs, mine) < mine;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex v) const {
    return marks.claim(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Label give(Vertex v) const {
    return color.data()[v];
  }
  /// Whoever offered it has seen that v is active, and of the same part.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Label offered) const {
    Label* const mine = &color.data()[v];
    return atomic_load(mine) < offered && atomic_fetch_max(mine, offered) < offered;
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { marks.next_sweep(); }
};

template <class Vertex, class Label, class Memory, class Vertices>
struct StartColoring {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<Label*, Memory> color;
  Kokkos::View<Vertex*, Memory> frontier;
  Vertices vertices;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    color(list(i)) = vertices.number(list(i));
    frontier(i) = list(i);
  }
};

/// Every active vertex, in the order of scratch.remaining, has its own number as color and is in the frontier.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
void start_coloring(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                    const AnyHalo& halo = {}) {
  const std::int64_t count = scratch.remaining.num_vertices();
  const auto vertices = halo.vertices();
  if constexpr (!AnyHalo::is_whole) detail::number_vertices(space, scratch.color, vertices);  // copies, too
  Kokkos::parallel_for("dromos::scc::color_start",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
                       StartColoring<Vertex, Label, Memory, std::decay_t<decltype(vertices)>>{
                           scratch.remaining.queue(), scratch.color, scratch.frontier.queue(), vertices});
  scratch.frontier.set_counts(count);
}

}  // namespace dromos::scc_detail
