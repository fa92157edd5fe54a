// SPDX-License-Identifier: BSD-3-Clause
// Where the arcs of a graph to be built come from: an edge list, or another graph read backwards.
//
// Such a source is a struct with size(), the number of its items, and arcs(i, f), which calls f(u, v, w) for each arc
// (u, v) that item i stands for, w being the number of its weight. Builders go over the items twice or more.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos::detail {

/// What a builder of rows does to them.
struct RowOptions {
  bool sort = true;
  bool remove_duplicates = false;  ///< needs sort
};

/// Item i is edge i: one arc, or one in each direction.
template <class Vertex, class Memory>
struct EdgeListArcs {
  Kokkos::View<const Vertex*, Memory> source, target;
  bool symmetrize, drop_self_loops;

  KOKKOS_FUNCTION Offset size() const { return static_cast<Offset>(source.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const Vertex u = source(i);
    const Vertex v = target(i);
    if (u == v) {
      if (!drop_self_loops) f(u, v, i);  // one arc, in both directions at once
      return;
    }
    f(u, v, i);
    if (symmetrize) f(v, u, i);
  }
};

/// Item u is row u: the arc (v, u) for each edge (u, v).
template <class Vertex, class Memory>
struct ReversedArcs {
  CsrView<Vertex, Memory> graph;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset u, const F& f) const {
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) f(graph.neighbor(e), static_cast<Vertex>(u), e);
  }
};

/// Item u is row u: the arc (new_id[u], new_id[v]) for each edge (u, v).
template <class Vertex, class Memory>
struct RenamedArcs {
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> new_id;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset u, const F& f) const {
    const Vertex new_u = new_id(u);
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) f(new_u, new_id(graph.neighbor(e)), e);
  }
};

}  // namespace dromos::detail
