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

/// label(v) = the smallest vertex of v's color; colors are vertices. `smallest` is memory of one element a vertex.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void label_by_smallest(const Space& space, const Kokkos::View<Vertex*, Memory>& label,
                                             const Kokkos::View<Vertex*, Memory>& smallest) {
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> vertices(space, 0, label.extent(0));
  number_vertices(space, smallest);
  Kokkos::parallel_for(
      "dromos::components::smallest", vertices, KOKKOS_LAMBDA(const std::int64_t v) {
        Vertex* const slot = &smallest.data()[label(v)];
        if (atomic_load(slot) > v) Kokkos::atomic_fetch_min(slot, static_cast<Vertex>(v));
      });
  Kokkos::parallel_for(
      "dromos::components::label", vertices, KOKKOS_LAMBDA(const std::int64_t v) { label(v) = smallest(label(v)); });
}

}  // namespace dromos::detail
