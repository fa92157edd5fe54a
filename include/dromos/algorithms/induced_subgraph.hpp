// SPDX-License-Identifier: BSD-3-Clause
// The subgraph that some vertices induce: these vertices, and every edge of which both ends are among them.
//
//   edges 0-1 0-3 1-2 1-3 3-4, vertices 0 1 3     old_id = 0 1 3, new_id = 0 1 - 2 -
//                                                 edges 0-1 0-2 1-2
//
//   const auto dense = induced_subgraph(space, graph, select_vertices(space, core, 3, most));   // of kcore()
//   const auto near = induced_subgraph(space, graph, select_vertices(space, level, 0, 2));      // of bfs()
//
// Vertices are renumbered in their order, so that the result depends on the graph and the set alone, and names that
// ascend with the vertices still do.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/compact.hpp>
#include <string>
#include <type_traits>

namespace dromos {

namespace detail {

template <class T, class Memory>
struct LiesBetween {
  Kokkos::View<const T*, Memory> values;
  T least, most;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const { return least <= values(v) && values(v) <= most; }
};

}  // namespace detail

/// The vertices whose value lies between `least` and `most`, both included, as one bit each: of core numbers, levels or
/// the labels of components. Waits.
template <class Space, class T, class Memory>
Bitmap<Memory> select_vertices(const Space& space, const Kokkos::View<T*, Memory>& values, T least, T most) {
  const auto n = static_cast<std::int64_t>(values.extent(0));
  const Bitmap<Memory> selected(n, "dromos::select_vertices");
  write_bits("dromos::select_vertices", space, selected.words().data(), n,
             detail::LiesBetween<T, Memory>{values, least, most});
  fence(space, "dromos::select_vertices");
  return selected;
}

template <class Vertex, class Memory>
struct InducedSubgraph {
  /// Directed as the graph given, with its weights, self loops and duplicates; rows ascending.
  CsrGraph<Vertex, Memory> graph;
  Kokkos::View<Vertex*, Memory> old_id;  ///< by vertex of the subgraph, ascending: the vertex of the graph given
  Kokkos::View<Vertex*, Memory> new_id;  ///< by vertex of the graph given; no_vertex where it was left out
};

namespace detail {

/// Item i is row old_id(i): an arc for each edge to a vertex that has a new number.
template <class Vertex, class Memory>
struct KeptArcs {
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> old_id, new_id;

  KOKKOS_FUNCTION Offset size() const { return static_cast<Offset>(old_id.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const Vertex u = old_id(i);
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
      const Vertex v = new_id(graph.neighbor(e));
      if (v != no_vertex<Vertex>) f(static_cast<Vertex>(i), v, e);
    }
  }
};

template <class Vertex, class Memory>
struct NumberKept {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<Vertex*, Memory> old_id, new_id;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    old_id(i) = list(i);
    new_id(list(i)) = static_cast<Vertex>(i);
  }
};

}  // namespace detail

/// Builds the subgraph that the vertices of a bitmap induce.
///
/// \param space  execution space instance; its memory space holds graph, bitmap and result
/// \param graph  directed or not, weighted or not
/// \param kept   one bit for each vertex of the graph: those that stay
/// \throws ArgumentError where the bitmap has another size than the graph has vertices
///
/// Cost: a pass over the bitmap, and building a graph of the kept vertices' edges. Waits.
template <class Space, class Vertex, class Memory>
InducedSubgraph<Vertex, Memory> induced_subgraph(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                                 const Bitmap<Memory>& kept) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::induced_subgraph");
  const std::int64_t n = graph.num_vertices();
  if (kept.size() != n) {
    throw ArgumentError("induced_subgraph: a bitmap of " + std::to_string(kept.size()) + " bits for a graph of " +
                        std::to_string(n) + " vertices; every vertex needs one");
  }
  InducedSubgraph<Vertex, Memory> result;
  const auto allocate = [](const std::string& label) { return Kokkos::view_alloc(Kokkos::WithoutInitializing, label); };
  const Kokkos::View<Vertex*, Memory> list(allocate("dromos::induced_subgraph::list"), static_cast<std::size_t>(n));
  const std::int64_t num_kept = compact_difference(space, kept, Bitmap<Memory>(), list);
  result.old_id =
      Kokkos::View<Vertex*, Memory>(allocate("dromos::induced_subgraph::old_id"), static_cast<std::size_t>(num_kept));
  result.new_id =
      Kokkos::View<Vertex*, Memory>(allocate("dromos::induced_subgraph::new_id"), static_cast<std::size_t>(n));
  const auto old_id = result.old_id;
  const auto new_id = result.new_id;
  Kokkos::deep_copy(space, new_id, no_vertex<Vertex>);
  for_range("dromos::induced_subgraph::number", space, num_kept,
            detail::NumberKept<Vertex, Memory>{list, old_id, new_id});
  fence(space, "dromos::induced_subgraph::number");
  result.graph.directed = graph.directed;
  detail::build_rows(space, num_kept, detail::KeptArcs<Vertex, Memory>{graph.view(), old_id, new_id},
                     Kokkos::View<const float*, Memory>(graph.weights), {}, result.graph);
  fence(space, "dromos::induced_subgraph::end");
  return result;
}

// Compiled once, in src/algorithms/induced_subgraph.cpp.
extern template InducedSubgraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> induced_subgraph(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Bitmap<Kokkos::DefaultExecutionSpace::memory_space>&);
extern template InducedSubgraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> induced_subgraph(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Bitmap<Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
