// SPDX-License-Identifier: BSD-3-Clause
// Edge list to compressed sparse rows: Graph500's kernel 1. What happens to self loops, duplicates and directions is
// the caller's choice; the same edge list gives the same graph on any number of threads (where rows are sorted).
//
// On a CPU the work is done bucket by bucket (graph/bucketed_rows.hpp), on a GPU by sorting (graph/sorted_rows.hpp).
// Memory beside the edge list: the rows, and 0.3 bytes an arc while they are built (2 bytes, of less than 4 M arcs). A
// list that may be used up, of edges in one direction, becomes rows in little more than its own memory. On a GPU: the
// rows twice (with weights, two and a half times), and three times for a graph half of whose edges share an end.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/bucketed_rows.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/sorted_rows.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

struct BuildOptions {
  /// Store every edge in both directions; the graph is then undirected. Doubles the rows before duplicates go.
  bool symmetrize = false;
  /// Leave out edges from a vertex to itself: no traversal needs them. Costs nothing.
  bool drop_self_loops = false;
  /// Keep one of several equal edges (of weighted ones the lightest). Needs sorted rows.
  bool remove_duplicates = false;
  /// Neighbors in ascending order: reproducible, and better for caches. On a CPU about half of the building time.
  bool sort_adjacencies = true;
};

/// What building left out, so that a program can say so.
struct BuildCounts {
  Offset self_loops_dropped = 0;
  /// Stored arcs that were equal to another one: an undirected edge that is listed twice counts two.
  Offset duplicates_removed = 0;
};

namespace detail {

/// Fills the rows of `graph` from `arcs`, in the way that suits the memory space; says how many duplicates went.
template <class Space, class Vertex, class Memory, class Arcs>
Offset build_rows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
                  const Kokkos::View<const float*, Memory>& weight, RowOptions options,
                  CsrGraph<Vertex, Memory>& graph) {
  if constexpr (host_accessible<Memory>) {
    // 16 bits for the position in a bucket, unless that would take too many buckets.
    if (num_vertices <= std::int64_t(1) << 27) {
      return BucketedRows<std::uint16_t, Space, Vertex, Memory, Arcs>(space, num_vertices, arcs, weight, options)
          .build(graph);
    }
    return BucketedRows<std::uint32_t, Space, Vertex, Memory, Arcs>(space, num_vertices, arcs, weight, options)
        .build(graph);
  } else {
    return SortedRows<Space, Vertex, Memory, Arcs>(space, num_vertices, arcs, weight, options).build(graph);
  }
}

}  // namespace detail

namespace detail {

/// Edges with an end outside the graph, and self loops.
template <class Vertex, class Memory>
struct CountBadEdges {
  Kokkos::View<const Vertex*, Memory> source, target;
  Vertex num_vertices;

  KOKKOS_FUNCTION void operator()(const std::int64_t i, Offset& bad, Offset& loops) const {
    const Vertex u = source(i);
    const Vertex v = target(i);
    bad += u < 0 || u >= num_vertices || v < 0 || v >= num_vertices;
    loops += u == v;
  }
};

/// Throws ArgumentError where the list is not one of a graph. Returns how many self loops it has.
template <class Space, class Vertex, class Memory>
Offset check_edge_list(const Space& space, const EdgeList<Vertex, Memory>& edges) {
  const Vertex n = edges.num_vertices;
  const std::size_t num_edges = edges.source.extent(0), num_weights = edges.weight.extent(0);
  if (n < 0 || edges.target.extent(0) != num_edges || (num_weights != 0 && num_weights != num_edges)) {
    throw ArgumentError("an edge list of " + std::to_string(n) + " vertices with " + std::to_string(num_edges) +
                        " sources, " + std::to_string(edges.target.extent(0)) + " targets and " +
                        std::to_string(num_weights) +
                        " weights is not a graph; every edge needs a source and a target, and all a weight or none");
  }
  Offset num_bad = 0;
  Offset num_loops = 0;
  reduce_range("dromos::build_csr::check", space, edges.num_edges(),
               CountBadEdges<Vertex, Memory>{edges.source, edges.target, n}, num_bad, num_loops);
  if (num_bad > 0) {
    throw ArgumentError("the edge list has " + std::to_string(num_bad) + (num_bad == 1 ? " edge" : " edges") +
                        " with an endpoint outside [0, " + std::to_string(n) +
                        "); num_vertices must exceed every vertex id");
  }
  return num_loops;
}

/// \param arcs  of the list
template <class Space, class Vertex, class Memory, class Arcs>
CsrGraph<Vertex, Memory> build_of_list(const Space& space, const EdgeList<Vertex, Memory>& edges, const Arcs& arcs,
                                       const BuildOptions& options, BuildCounts* counts) {
  const Offset num_loops = check_edge_list(space, edges);
  CsrGraph<Vertex, Memory> graph;
  graph.directed = !options.symmetrize;
  const Offset removed =
      build_rows(space, edges.num_vertices, arcs, Kokkos::View<const float*, Memory>(edges.weight),
                 {options.sort_adjacencies || options.remove_duplicates, options.remove_duplicates}, graph);
  fence(space, "dromos::build_csr");
  if (counts != nullptr) *counts = {options.drop_self_loops ? num_loops : 0, removed};
  return graph;
}

/// Does nobody else have the arrays of the list?
template <class Vertex, class Memory>
bool is_only_owner(const EdgeList<Vertex, Memory>& edges) {
  return edges.source.use_count() == 1 && edges.target.use_count() == 1 &&
         (edges.weight.extent(0) == 0 || edges.weight.use_count() == 1);
}

}  // namespace detail

/// Builds the graph of an edge list.
///
/// \param space    execution space instance; its memory space holds edges and graph
/// \param edges    endpoints in [0, num_vertices), in any order, loops and duplicates welcome
/// \param options  see BuildOptions
/// \param counts   optional: what was left out
/// \returns the graph; undirected (directed == false) where options.symmetrize
/// \throws ArgumentError when an endpoint is outside the graph, or the arrays of the list differ in length
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> build_csr(const Space& space, const EdgeList<Vertex, Memory>& edges,
                                   const BuildOptions& options = {}, BuildCounts* counts = nullptr) {
  const ScopedRegion region("dromos::build_csr");
  return detail::build_of_list(
      space, edges,
      detail::EdgeListArcs<Vertex, Memory>{edges.source, edges.target, options.symmetrize, options.drop_self_loops},
      options, counts);
}

/// The same of a list that is not needed any more, and is empty afterwards. On a CPU, where each edge becomes one arc
/// and nobody else has the arrays of the list, it shrinks while rows are built of it, so that both together take little
/// more than the list did (most_bytes_of_taken_list()).
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> build_csr(const Space& space, EdgeList<Vertex, Memory>&& edges,
                                   const BuildOptions& options = {}, BuildCounts* counts = nullptr) {
  EdgeList<Vertex, Memory> list = std::move(edges);
  edges = {};
  if constexpr (std::is_same_v<Memory, Kokkos::HostSpace>) {
    if (!options.symmetrize && detail::is_only_owner(list)) {
      const ScopedRegion region("dromos::build_csr");
      return detail::build_of_list(
          space, list,
          detail::TakenEdgeArcs<Vertex>{
              {list.source, list.target, false, options.drop_self_loops}, list.source, list.target, list.weight},
          options, counts);
    }
  }
  return build_csr(space, std::as_const(list), options, counts);
}

// Compiled once in the library for the default execution space and both widths of ids.
#define DROMOS_BUILD_CSR(EXTERN, VERTEX)                                                                          \
  EXTERN template CsrGraph<VERTEX, Kokkos::DefaultExecutionSpace::memory_space> build_csr(                        \
      const Kokkos::DefaultExecutionSpace&, const EdgeList<VERTEX, Kokkos::DefaultExecutionSpace::memory_space>&, \
      const BuildOptions&, BuildCounts*);                                                                         \
  EXTERN template CsrGraph<VERTEX, Kokkos::DefaultExecutionSpace::memory_space> build_csr(                        \
      const Kokkos::DefaultExecutionSpace&, EdgeList<VERTEX, Kokkos::DefaultExecutionSpace::memory_space>&&,      \
      const BuildOptions&, BuildCounts*);
DROMOS_BUILD_CSR(extern, std::int32_t)
DROMOS_BUILD_CSR(extern, std::int64_t)

}  // namespace dromos
