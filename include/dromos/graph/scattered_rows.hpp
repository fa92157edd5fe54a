// SPDX-License-Identifier: BSD-3-Clause
// Arcs to rows by atomics, the way of devices with thousands of threads:
//
//   count    degree of every vertex, by atomic increments
//   scan     degrees to row offsets
//   scatter  every arc to its row, the place in the row by atomic increment
//   sort     each row, which also makes the result independent of the order in which threads came
//   squeeze  duplicates out, into a second array
//
// Works everywhere; on a CPU graph/bucketed_rows.hpp is several times faster.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/sort_adjacencies.hpp>

namespace dromos::detail {

/// Counts and scatters arcs into rows that are not sorted yet. `weight` may be empty.
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

/// Fills the rows of `graph` from `arcs` and says how many duplicates went. `weight` may be empty.
template <class Space, class Vertex, class Memory, class Arcs>
Offset scattered_rows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
                      const Kokkos::View<const float*, Memory>& weight, RowOptions options,
                      CsrGraph<Vertex, Memory>& graph) {
  fill_rows(space, num_vertices, arcs, weight, graph);
  if (options.sort) sort_adjacencies(space, graph);
  return options.remove_duplicates ? squeeze_duplicates(space, graph) : 0;
}

}  // namespace dromos::detail
