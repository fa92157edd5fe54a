// SPDX-License-Identifier: BSD-3-Clause
// Where the arcs of a graph to be built come from: an edge list, or another graph read backwards.
//
// Such a source is a struct with size(), the number of its items, and arcs(i, f), which calls f(u, v, w) for each arc
// (u, v) that item i stands for, w being the number of its weight. Builders go over the items twice or more.
//
// Of a source whose items are the rows of a graph, a row may be most of all arcs. Such a source says of_rows, has the
// graph, and says by arc(u, e, f), in place of arcs(), what becomes of edge e of row u alone; builders on a GPU then
// deal out edges (ArcWalk):
//
//   row_map 0 2 2 5     by rows: 0 1 | | 2 3 4     by edges: (0, 0) (0, 1) (2, 2) (2, 3) (2, 4)
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <type_traits>

namespace dromos::detail {

/// What a builder of rows does to them.
struct RowOptions {
  bool sort = true;
  bool remove_duplicates = false;  ///< needs sort
};

/// The row that edge e is in, looked for from row `low` on, which begins at e or before: a few steps, where it is near.
template <class Graph>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t row_of_edge(const Graph& graph, std::int64_t low, Offset e) {
  using Vertex = typename Graph::vertex_type;
  const std::int64_t n = graph.num_vertices();
  std::int64_t step = 1;
  for (; low + step < n && graph.begin(static_cast<Vertex>(low + step)) <= e; step *= 2) low += step;
  // The last row that begins at e or before; rows before it that begin there too are empty.
  for (std::int64_t high = dromos::min(low + step, n); high - low > 1;) {
    const std::int64_t middle = low + (high - low) / 2;
    (graph.begin(static_cast<Vertex>(middle)) <= e ? low : high) = middle;
  }
  return low;
}

/// f(u, begin, end) for every row u that has some of the edges first .. last - 1, which are those from begin to end
/// - 1.
template <class Graph, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_rows_of_edges(const Graph& graph, Offset first, Offset last, const F& f) {
  for (std::int64_t u = row_of_edge(graph, 0, first); first < last; ++u) {
    const Offset end = dromos::min<Offset>(graph.end(static_cast<typename Graph::vertex_type>(u)), last);
    if (end > first) f(u, first, end);
    first = dromos::max<Offset>(first, end);
  }
}

template <class Arcs, class = void>
inline constexpr bool arcs_of_rows = false;
template <class Arcs>
inline constexpr bool arcs_of_rows<Arcs, std::void_t<decltype(Arcs::of_rows)>> = Arcs::of_rows;

/// f(u, v, w) for each arc of item i of a source of either kind.
template <class Arcs, class F>
KOKKOS_FORCEINLINE_FUNCTION void arcs_of(const Arcs& source, Offset i, const F& f) {
  if constexpr (arcs_of_rows<Arcs>) {
    const auto u = static_cast<typename decltype(source.graph)::vertex_type>(i);
    for (Offset e = source.graph.begin(u); e < source.graph.end(u); ++e) source.arc(u, e, f);
  } else {
    source.arcs(i, f);
  }
}

/// A thread's way over a source, item by item as it is: num_items() of them, visit(i, f) with i ascending.
template <class Arcs, bool of_rows = arcs_of_rows<Arcs>>
struct ArcWalk {
  const Arcs& source;

  KOKKOS_FUNCTION explicit ArcWalk(const Arcs& arcs) : source(arcs) {}
  KOKKOS_FUNCTION Offset num_items() const { return source.size(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Offset i, const F& f) {
    arcs_of(source, i, f);
  }
};

/// Over a source of rows, edge by edge.
template <class Arcs>
struct ArcWalk<Arcs, true> {
  const Arcs& source;
  std::int64_t row = 0;  ///< of the edge before

  KOKKOS_FUNCTION explicit ArcWalk(const Arcs& arcs) : source(arcs) {}
  KOKKOS_FUNCTION Offset num_items() const { return source.graph.num_edges(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Offset e, const F& f) {
    row = row_of_edge(source.graph, row, e);
    source.arc(static_cast<typename decltype(source.graph)::vertex_type>(row), e, f);
  }
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

/// Item i is edge i, one arc, of a list in memory of the host that nobody else needs: who has taken the arcs of a range
/// out of a block of it moves what is left of the block to its front, and hands the rest back to the system.
template <class Vertex>
struct TakenEdgeArcs : EdgeListArcs<Vertex, Kokkos::HostSpace> {
  static constexpr bool are_taken = true;
  Kokkos::View<Vertex*, Kokkos::HostSpace> left_source, left_target;
  Kokkos::View<float*, Kokkos::HostSpace> left_weight;

  void move_to(Offset i, Vertex u, Vertex v) const {
    left_source(i) = u;
    left_target(i) = v;
  }
  void move_weight_to(Offset i, float weight) const { left_weight(i) = weight; }
  void release(Offset first, Offset last) const {
    const auto release_of = [&](const auto& array) {
      if (array.extent(0) == 0) return;
      release_pages(array.data() + first, static_cast<std::size_t>(last - first) * sizeof(*array.data()));
    };
    release_of(left_source);
    release_of(left_target);
    release_of(left_weight);
  }
};

template <class Arcs, class = void>
inline constexpr bool arcs_are_taken = false;
template <class Arcs>
inline constexpr bool arcs_are_taken<Arcs, std::void_t<decltype(Arcs::are_taken)>> = Arcs::are_taken;

/// Item u is row u: the arc (v, u) for each edge (u, v).
template <class Vertex, class Memory>
struct ReversedArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    f(graph.neighbor(e), u, e);
  }
};

/// Item u is row u: the arc (new_id[u], new_id[v]) for each edge (u, v).
template <class Vertex, class Memory>
struct RenamedArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> new_id;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    f(new_id(u), new_id(graph.neighbor(e)), e);
  }
};

}  // namespace dromos::detail
