// SPDX-License-Identifier: BSD-3-Clause
// The pattern of A + A^T without a merged graph: the rows of A as they lie in memory, and beside them only what the
// rows of A^T have more.
//
//   A 0 -> 1, 1 -> 0 2, 2 -> |     more of A^T: 2 -> 1
//
//   edges of vertex u       those of its row in A, then the others
//   their numbers           from begin(u) on, one after the other, as if both stood in one array:
//                           0: 0   1: 1 2   2: 3     so that every strategy can deal them out
//
// A matrix whose pattern is nearly symmetric costs an offset a row and next to no entries; one with nothing opposite,
// its transpose. Algorithms take a SymmetricPattern where they take an undirected graph, and say so.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos {

/// What a kernel sees: a graph as traverse() takes it, valid as long as its owner lives. Of any two views of the same
/// vertices.
template <class Vertex, class Memory, class Rows = CsrView<Vertex, Memory>, class More = Rows>
struct SymmetricPatternView {
  using vertex_type = Vertex;
  using memory_space = Memory;
  static constexpr int num_parts = 2;

  Rows rows;
  More more;

  KOKKOS_FUNCTION Vertex num_vertices() const { return rows.num_vertices(); }
  KOKKOS_FUNCTION Offset num_edges() const { return rows.num_edges() + more.num_edges(); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return rows.begin(u) + more.begin(u); }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return rows.end(u) + more.end(u); }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return end(u) - begin(u); }
  /// The other end of edge e of vertex u.
  KOKKOS_FORCEINLINE_FUNCTION Vertex neighbor(Vertex u, Offset e) const {
    const Offset in_rows = e - more.begin(u);
    return in_rows < rows.end(u) ? neighbor_of(rows, u, in_rows) : neighbor_of(more, u, e - rows.end(u));
  }
  const Rows& part(int k) const { return k == 0 ? rows : more; }

  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row([[maybe_unused]] Vertex u) const {
    if constexpr (detail::HasPrefetch<Rows>::value) rows.prefetch_row(u);
    if constexpr (detail::HasPrefetch<More>::value) more.prefetch_row(u);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges([[maybe_unused]] Vertex u) const {
    if constexpr (detail::HasPrefetch<Rows>::value) rows.prefetch_edges(u);
    if constexpr (detail::HasPrefetch<More>::value) more.prefetch_edges(u);
  }
};

template <class Vertex, class Memory, class Rows, class More>
KOKKOS_FORCEINLINE_FUNCTION Vertex neighbor_of(const SymmetricPatternView<Vertex, Memory, Rows, More>& graph, Vertex u,
                                               Offset e) {
  return graph.neighbor(u, e);
}

namespace detail {

/// Item u is row u: the arc (v, u) for each edge (u, v) that is marked, or for each but loops.
template <class Vertex, class Memory>
struct MissingArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Bitmap<Memory> is_missing;
  bool all;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    const Vertex v = graph.neighbor(e);
    if (all ? u != v : is_missing.test(e)) f(v, u, e);
  }
};

/// Is there an edge from u to v? Neighbors ascend.
template <class Vertex, class Memory>
KOKKOS_FORCEINLINE_FUNCTION bool row_has(const CsrView<Vertex, Memory>& graph, Vertex u, Vertex v) {
  Offset low = graph.begin(u);
  for (Offset high = graph.end(u); low < high;) {
    const Offset middle = low + (high - low) / 2;
    const Vertex w = graph.neighbor(middle);
    if (w == v) return true;
    (w < v ? low : high) = w < v ? middle + 1 : middle;
  }
  return false;
}

/// Marks the arcs of a row whose reverses the graph does not have.
template <class Vertex, class Memory>
struct MarkMissing {
  CsrView<Vertex, Memory> graph;
  Bitmap<Memory> is_missing;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex u = static_cast<Vertex>(i);
    const Offset end = graph.end(u);
    for (Offset e = graph.begin(u); e < end; ++e) graph.prefetch_row(graph.neighbor(e));
    for (Offset e = graph.begin(u); e < end; ++e) graph.prefetch_edges(graph.neighbor(e));
    for (Offset e = graph.begin(u); e < end; ++e) {
      const Vertex v = graph.neighbor(e);
      if (u != v && !row_has(graph, v, u)) is_missing.set(e);
    }
  }
};

/// Marks the edges without an opposite: each is looked for in the row of its other end, by halves.
template <class Space, class Vertex, class Memory>
void mark_missing(const Space& space, const CsrView<Vertex, Memory>& graph, const Bitmap<Memory>& is_missing) {
  for_range("dromos::symmetric_pattern::mark", space, graph.num_vertices(),
            MarkMissing<Vertex, Memory>{graph, is_missing});
}

/// Entries of a row that are not greater than the ones before.
template <class Vertex, class Memory>
struct CountNotAscending {
  CsrView<Vertex, Memory> graph;
  KOKKOS_FUNCTION void operator()(std::int64_t u, std::int64_t& sum) const {
    const Offset end = graph.end(static_cast<Vertex>(u));
    for (Offset e = graph.begin(static_cast<Vertex>(u)) + 1; e < end; ++e) {
      sum += graph.neighbor(e - 1) >= graph.neighbor(e);
    }
  }
};

/// In how many places a neighbor does not follow a smaller one.
template <class Space, class Vertex, class Memory>
std::int64_t num_not_ascending(const Space& space, const CsrView<Vertex, Memory>& graph) {
  std::int64_t count = 0;
  reduce_range("dromos::symmetric_pattern::ascending", space, graph.num_vertices(),
               CountNotAscending<Vertex, Memory>{graph}, count);
  return count;
}

}  // namespace detail

/// Owns what A^T has more than A, and shares the arrays of A. Copies are shallow, as those of Kokkos Views are.
template <class Vertex = DefaultVertex, class Memory = Kokkos::DefaultExecutionSpace::memory_space>
class SymmetricPattern {
 public:
  using vertex_type = Vertex;
  using memory_space = Memory;
  using view_type = SymmetricPatternView<Vertex, Memory>;
  /// What an algorithm asks that wants neighbors in both directions.
  static constexpr bool directed = false;

  /// \param space  execution space instance; its memory space holds the graph
  /// \param graph  directed or not, loops welcome. Where neighbors do not ascend in every row, or are listed twice, all
  /// of
  ///               the transpose is kept beside it: what is there twice only counts as degrees
  /// Cost: of a directed graph every edge looked for in the row of its other end, and the rows that are kept built.
  /// Memory: 8 bytes a vertex and an id for each edge without an opposite; meanwhile half as much again, and a bit an
  /// edge.
  template <class Space>
  SymmetricPattern(const Space& space, const CsrGraph<Vertex, Memory>& graph) : rows_(graph) {
    const ScopedRegion region("dromos::symmetric_pattern");
    const auto view = graph.view();
    if (!graph.directed) {
      more_.row_map = Kokkos::View<Offset*, Memory>("dromos::symmetric_pattern::row_map", graph.row_map.extent(0));
      return;
    }
    const bool all = detail::num_not_ascending(space, view) != 0;
    const Bitmap<Memory> is_missing(all ? 0 : graph.num_edges(), "dromos::symmetric_pattern::is_missing");
    if (!all) detail::mark_missing(space, view, is_missing);
    detail::build_rows(space, graph.num_vertices(), detail::MissingArcs<Vertex, Memory>{view, is_missing, all},
                       Kokkos::View<const float*, Memory>(), {}, more_);
    fence(space, "dromos::symmetric_pattern");
  }

  Vertex num_vertices() const { return rows_.num_vertices(); }
  /// Those of the graph and those beside it: an entry and its opposite count twice.
  Offset num_edges() const { return rows_.num_edges() + more_.num_edges(); }
  view_type view() const { return {rows_.view(), more_.view()}; }

  const CsrGraph<Vertex, Memory>& rows() const { return rows_; }
  /// What it costs beside the graph.
  const CsrGraph<Vertex, Memory>& more() const { return more_; }

 private:
  CsrGraph<Vertex, Memory> rows_, more_;
};

/// A graph with the same edges, each of them in one direction at least: whose components are the same.
template <class Vertex, class Memory>
const CsrGraph<Vertex, Memory>& in_some_direction(const SymmetricPattern<Vertex, Memory>& pattern) {
  return pattern.rows();
}
template <class Vertex, class Memory>
const CsrGraph<Vertex, Memory>& in_some_direction(const CsrGraph<Vertex, Memory>& graph) {
  return graph;
}

}  // namespace dromos
