// SPDX-License-Identifier: BSD-3-Clause
// Sweeps along the edges of a directed graph and against them, until the work set is empty: what spreads both ways
// finds pieces that hang together.
//
//   sweep    edges that leave the work set, then edges into it    both into one next work set
//
// One after the other, although the rows of both directions are also a view (graph/symmetric_pattern.hpp) that one
// sweep could go through: what has been found along the edges is then offered against them in the same sweep. On a grid
// of 150 x 150 vertices whose edges have random directions, colors change 0.5 million times so, and 3.4 million times
// over the rows of both. Small work sets, of which several are swept in a launch, go by that view.
#pragma once

#include <dromos/core/types.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/traverse/until_empty.hpp>

namespace dromos::detail {

/// As until_empty(), whose graph has edges in two directions. The watch is told of the edges of both.
///
/// \param out, in         views of a graph and of the same turned round
/// \param frontier, next  made for the edges of both
template <class Space, class Out, class In, class Vertex, class Memory, class Operator, class Watch>
bool until_empty_both_ways(const Space& space, const Out& out, const In& in, Frontier<Vertex, Memory>& frontier,
                           Frontier<Vertex, Memory>& next, Operator& op, const Strategy& strategy,
                           SweepFusion<Memory>* fusion, Watch&& watch) {
  const SymmetricPatternView<Vertex, Memory, Out, In> both{out, in};
  return until_empty_by(space, both, frontier, next, op, fusion, watch, [&] {
    // Prefix sums would be those of one direction only, so none are gathered.
    const auto sink = next.open(space, both, false);
    const auto sweep_along = [&](const auto& direction) {
      frontier.set_counts(frontier.num_vertices());  // what it knew was about other edges
      sweep_frontier(
          space, direction, frontier, [&](bool) { return sink; }, op, strategy);
    };
    sweep_along(out);
    sweep_along(in);
    next.collect(space);
  });
}

}  // namespace dromos::detail
