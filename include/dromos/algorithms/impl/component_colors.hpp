// SPDX-License-Identifier: BSD-3-Clause
// Weak components by color propagation: along and against the edges, the largest number of a component reaches all its
// members (algorithms/impl/both_ways.hpp).
//
// Source: Slota et al. 2015, Algorithm 2 (algorithms/color_propagation.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/impl/both_ways.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <limits>

namespace dromos::detail {

/// The colors of the weak components of a directed graph: the largest vertex of each. Sweeps are paid for, and when the
/// next would cost more than is left, one host thread takes over, as in color_propagation(): then false. Where the host
/// cannot read both views, sweeps go on to the end. The scratch memory is that of twice as many edges.
template <class Space, class Graph, class InEdges, class Vertex, class Memory>
bool propagate_both_ways(const Space& space, const Graph& graph, const InEdges& reversed,
                         ColorScratch<Vertex, Memory>& scratch, const Kokkos::View<Vertex*, Memory>& color,
                         const ColorOptions& options) {
  PropagateColor<Vertex, Memory> propagate{color, scratch.marks};
  number_vertices(space, color);
  number_vertices(space, scratch.frontier.queue());
  scratch.frontier.set_counts(graph.num_vertices());
  // The serial algorithm has both directions to follow, too.
  constexpr bool may_end_serially = host_can_read<Graph> && host_can_read<InEdges>;
  PayForColors pay(work_prices(space), may_end_serially ? options.waste_limit : std::numeric_limits<double>::infinity(),
                   graph.num_vertices(), 2 * graph.num_edges());
  const bool complete = until_empty_both_ways(space, view_of(graph), view_of(reversed), scratch.frontier, scratch.next,
                                              propagate, options.strategy, &scratch.fusion, pay);
  scratch.marks = propagate.marks;
  if constexpr (may_end_serially) {
    if (!complete) color_serially(space, color, scratch.next.queue(), graph, reversed);
  }
  return complete;
}

template <class Vertex, class Memory>
struct FindSmallestOf {
  Kokkos::View<const Vertex*, Memory> label;
  Kokkos::View<Vertex*, Memory> smallest;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    Vertex* const slot = &smallest.data()[label(v)];
    if (atomic_load(slot) > v) atomic_fetch_min(slot, static_cast<Vertex>(v));
  }
};

template <class Vertex, class Memory>
struct TakeSmallest {
  Kokkos::View<const Vertex*, Memory> smallest;
  Kokkos::View<Vertex*, Memory> label;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { label(v) = smallest(label(v)); }
};

/// label(v) = the smallest vertex of v's color; colors are vertices. `smallest` is memory of one element a vertex.
template <class Space, class Vertex, class Memory>
void label_by_smallest(const Space& space, const Kokkos::View<Vertex*, Memory>& label,
                       const Kokkos::View<Vertex*, Memory>& smallest) {
  number_vertices(space, smallest);
  for_range("dromos::components::smallest", space, label.extent(0), FindSmallestOf<Vertex, Memory>{label, smallest});
  for_range("dromos::components::label", space, label.extent(0), TakeSmallest<Vertex, Memory>{smallest, label});
}

}  // namespace dromos::detail
