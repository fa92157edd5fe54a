// SPDX-License-Identifier: BSD-3-Clause
// A parallel loop over the arcs of a graph for checks, deliberately not the loop nest of traverse/: a check that shared
// the code it checks would share its mistakes.
//
// Arcs are cut into pieces of equal number; a thread finds the row of its first arc by a binary search in the row map
// and walks on from there, so that one vertex of enormous degree is no one's burden alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>

namespace dromos {

namespace detail {

/// One piece of the arcs, in their order.
template <class Vertex, class Memory, class F>
struct VisitPieceOfArcs {
  static constexpr std::int64_t piece = 256;
  CsrView<Vertex, Memory> graph;
  F f;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Offset num_arcs = graph.num_edges();
    const Offset first = i * piece;
    const Offset last = dromos::min<Offset>(first + piece, num_arcs);
    // The last row that begins at or before `first`; rows before it that begin there too are empty.
    std::int64_t u = 0;
    for (std::int64_t high = graph.num_vertices(); high - u > 1;) {
      const std::int64_t middle = u + (high - u) / 2;
      (graph.row_map(middle) <= first ? u : high) = middle;
    }
    for (Offset e = first; e < last; ++e) {
      while (graph.row_map(u + 1) <= e) ++u;
      f(static_cast<Vertex>(u), graph.entries(e), e);
    }
  }
};

}  // namespace detail

/// Calls f(u, v, e) for every arc e = (u, v) of the graph, in no order. f is copied into the kernel. Does not wait.
template <class Space, class Vertex, class Memory, class F>
void for_each_arc(const std::string& label, const Space& space, const CsrView<Vertex, Memory>& graph, const F& f) {
  using Visit = detail::VisitPieceOfArcs<Vertex, Memory, F>;
  for_range(label, space, (graph.num_edges() + Visit::piece - 1) / Visit::piece, Visit{graph, f});
}

}  // namespace dromos
