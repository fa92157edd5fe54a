// SPDX-License-Identifier: BSD-3-Clause
// Edge list to compressed sparse rows, on the device, in five steps:
//
//   count    degree of every vertex, by atomic increments
//   scan     degrees to row offsets
//   scatter  every edge to its row, the place in the row by atomic increment
//   sort     each row, which also makes the result independent of the order in which threads came
//   squeeze  duplicates out, into a second array
//
// This is Graph500's kernel 1. Memory beside the edge list: the rows once, and once more while duplicates are removed.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/sort_adjacencies.hpp>
#include <string>

namespace dromos {

struct BuildOptions {
  /// Store every edge in both directions; the graph is then undirected. Doubles the rows before duplicates go.
  bool symmetrize = false;
  /// Leave out edges from a vertex to itself: no traversal needs them. Costs nothing.
  bool drop_self_loops = false;
  /// Keep one of several equal edges (of weighted ones the lightest). Needs sorted rows, and the rows twice in memory.
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

/// The arcs of an edge list, as count and scatter see them: arcs(i, f) calls f(u, v, w) for each arc of edge i,
/// where w is the number of its weight.
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

/// Counts and scatters arcs into rows that are not sorted yet. `arcs` is as EdgeListArcs; `weight` may be empty.
template <class Space, class Vertex, class Memory, class Arcs>
void fill_rows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
               const Kokkos::View<const float*, Memory>& weight, CsrGraph<Vertex, Memory>& graph) {
  // Dynamic, because an item may be a whole row.
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  // One counter ahead: after the scan, next(u) is where the next arc of u goes, and after the scatter it is where
  // the row ends, so that the same array ends up as the row map of u + 1.
  Kokkos::View<Offset*, Memory> row_map("dromos::graph::row_map", num_vertices + 1);
  const Kokkos::View<Offset*, Memory> next =
      Kokkos::subview(row_map, Kokkos::make_pair(std::int64_t(num_vertices > 0), num_vertices + 1));
  Kokkos::parallel_for(
      "dromos::build_csr::count", Range(space, 0, arcs.size()), KOKKOS_LAMBDA(const std::int64_t i) {
        arcs.arcs(i, [&](Vertex u, Vertex, Offset) { Kokkos::atomic_fetch_add(&next(u), Offset(1)); });
      });
  Offset num_arcs = 0;
  Kokkos::parallel_scan(
      "dromos::build_csr::scan", Range(space, 0, num_vertices),
      KOKKOS_LAMBDA(const std::int64_t u, Offset& sum, const bool final) {
        const Offset degree = next(u);
        if (final) next(u) = sum;
        sum += degree;
      },
      num_arcs);
  Kokkos::View<Vertex*, Memory> entries(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::entries"),
                                        num_arcs);
  Kokkos::View<float*, Memory> weights;
  const bool weighted = weight.extent(0) != 0;
  if (weighted) {
    weights = Kokkos::View<float*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::weights"), num_arcs);
  }
  Kokkos::parallel_for(
      "dromos::build_csr::scatter", Range(space, 0, arcs.size()), KOKKOS_LAMBDA(const std::int64_t i) {
        arcs.arcs(i, [&](Vertex u, Vertex v, Offset w) {
          const Offset e = Kokkos::atomic_fetch_add(&next(u), Offset(1));
          entries(e) = v;
          if (weighted) weights(e) = weight(w);
        });
      });
  graph.row_map = row_map;
  graph.entries = entries;
  graph.weights = weights;
}

/// Removes equal neighbors from sorted rows.
template <class Space, class Vertex, class Memory>
Offset squeeze_duplicates(const Space& space, CsrGraph<Vertex, Memory>& graph) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t n = graph.num_vertices();
  const auto row_map = graph.row_map;
  const auto entries = graph.entries;
  const auto weights = graph.weights;
  const bool weighted = graph.weighted();
  Kokkos::View<Offset*, Memory> new_row_map(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::row_map"), n + 1);
  Kokkos::parallel_for(
      "dromos::build_csr::count_distinct", Range(space, 0, n), KOKKOS_LAMBDA(const std::int64_t u) {
        Offset distinct = 0;
        const Offset begin = row_map(u);
        const Offset end = row_map(u + 1);
        for (Offset e = begin; e < end; ++e) distinct += e == begin || entries(e) != entries(e - 1);
        new_row_map(u) = distinct;
      });
  Offset num_distinct = 0;
  Kokkos::parallel_scan(
      "dromos::build_csr::scan_distinct", Range(space, 0, n + 1),
      KOKKOS_LAMBDA(const std::int64_t u, Offset& sum, const bool final) {
        const Offset distinct = u < n ? new_row_map(u) : 0;
        if (final) new_row_map(u) = sum;
        sum += distinct;
      },
      num_distinct);
  const Offset removed = graph.num_edges() - num_distinct;
  if (removed == 0) return 0;

  Kokkos::View<Vertex*, Memory> new_entries(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::entries"),
                                            num_distinct);
  Kokkos::View<float*, Memory> new_weights;
  if (weighted) {
    new_weights = Kokkos::View<float*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::weights"), num_distinct);
  }
  Kokkos::parallel_for(
      "dromos::build_csr::squeeze", Range(space, 0, n), KOKKOS_LAMBDA(const std::int64_t u) {
        Offset to = new_row_map(u);
        const Offset begin = row_map(u);
        const Offset end = row_map(u + 1);
        for (Offset e = begin; e < end; ++e) {
          if (e != begin && entries(e) == entries(e - 1)) continue;  // of equal neighbors the first: the lightest
          new_entries(to) = entries(e);
          if (weighted) new_weights(to) = weights(e);
          ++to;
        }
      });
  fence(space, "dromos::build_csr::squeeze");
  graph.row_map = new_row_map;
  graph.entries = new_entries;
  graph.weights = new_weights;
  return removed;
}

}  // namespace detail

/// Builds the graph of an edge list.
///
/// \param space    execution space instance; its memory space holds edges and graph
/// \param edges    endpoints in [0, num_vertices), in any order, loops and duplicates welcome
/// \param options  see BuildOptions
/// \param counts   optional: what was left out
/// \returns the graph; undirected (directed == false) where options.symmetrize
/// \throws ArgumentError when an endpoint is outside the graph
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> build_csr(const Space& space, const EdgeList<Vertex, Memory>& edges,
                                   const BuildOptions& options = {}, BuildCounts* counts = nullptr) {
  const ScopedRegion region("dromos::build_csr");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const Vertex n = edges.num_vertices;
  const auto source = edges.source;
  const auto target = edges.target;

  Offset num_bad = 0;
  Offset num_loops = 0;
  Kokkos::parallel_reduce(
      "dromos::build_csr::check", Range(space, 0, edges.num_edges()),
      KOKKOS_LAMBDA(const std::int64_t i, Offset& bad, Offset& loops) {
        const Vertex u = source(i);
        const Vertex v = target(i);
        bad += u < 0 || u >= n || v < 0 || v >= n;
        loops += u == v;
      },
      num_bad, num_loops);
  if (num_bad > 0) {
    throw ArgumentError("the edge list has " + std::to_string(num_bad) + " edges with an endpoint outside [0, " +
                        std::to_string(n) + "); num_vertices must exceed every vertex id");
  }

  CsrGraph<Vertex, Memory> graph;
  graph.directed = !options.symmetrize;
  detail::fill_rows(space, n,
                    detail::EdgeListArcs<Vertex, Memory>{source, target, options.symmetrize, options.drop_self_loops},
                    Kokkos::View<const float*, Memory>(edges.weight), graph);
  if (options.sort_adjacencies || options.remove_duplicates) sort_adjacencies(space, graph);
  Offset removed = 0;
  if (options.remove_duplicates) removed = detail::squeeze_duplicates(space, graph);
  fence(space, "dromos::build_csr");
  if (counts != nullptr) *counts = {options.drop_self_loops ? num_loops : 0, removed};
  return graph;
}

}  // namespace dromos
