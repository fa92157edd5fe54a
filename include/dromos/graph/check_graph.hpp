// SPDX-License-Identifier: BSD-3-Clause
// Rows that somebody else has made, judged before they are searched: algorithms believe a CsrGraph, and where a target
// is no vertex they read and write outside of their arrays.
//
//   CsrGraph<> graph;
//   graph.row_map = ...;  graph.entries = ...;             // from anywhere
//   check_graph(Kokkos::DefaultExecutionSpace(), graph);    // throws ArgumentError, which says what is wrong
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>

namespace dromos {

namespace detail {

/// Rows that do not begin where the one before ends.
template <class RowMap>
struct CountBadRows {
  RowMap row_map;
  std::int64_t n;
  std::int64_t num_entries;

  KOKKOS_FUNCTION void operator()(std::int64_t u, std::int64_t& bad) const {
    const std::int64_t begin = static_cast<std::int64_t>(row_map(u));
    const std::int64_t least = u == 0 ? 0 : static_cast<std::int64_t>(row_map(u - 1));
    const std::int64_t most = u == 0 ? 0 : num_entries;
    bad += begin < least || begin > most || (u == n && begin != num_entries);
  }
};

/// Columns that are no row's number.
template <class Entries>
struct CountBadEntries {
  Entries entries;
  std::int64_t n;
  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& bad) const {
    bad += static_cast<std::int64_t>(entries(e)) < 0 || static_cast<std::int64_t>(entries(e)) >= n;
  }
};

/// Throws unless the arrays are those of a graph: each of n rows begins where the one before ends, all columns are in
/// [0, n).
template <class Space, class RowMap, class Entries>
void check_rows(const Space& space, const RowMap& row_map, const Entries& entries) {
  const std::int64_t n = row_map.extent(0) == 0 ? 0 : static_cast<std::int64_t>(row_map.extent(0)) - 1;
  const std::int64_t num_entries = static_cast<std::int64_t>(entries.extent(0));
  std::int64_t bad_rows = 0, bad_entries = 0;
  reduce_range("dromos::check_graph::row_map", space, row_map.extent(0), CountBadRows<RowMap>{row_map, n, num_entries},
               bad_rows);
  reduce_range("dromos::check_graph::entries", space, num_entries, CountBadEntries<Entries>{entries, n}, bad_entries);
  if (bad_rows > 0 || (row_map.extent(0) == 0 && num_entries > 0)) {
    throw ArgumentError("the row map of " + std::to_string(row_map.extent(0)) + " offsets does not describe " +
                        std::to_string(num_entries) +
                        " entries: expected ascending offsets, the first 0 and the last the number of entries");
  }
  if (bad_entries > 0) {
    throw ArgumentError(std::to_string(bad_entries) + (bad_entries == 1 ? " column index is" : " column indices are") +
                        " outside of [0, " + std::to_string(n) + "), and a graph of " + std::to_string(n) +
                        " rows has no other vertices; give a square matrix, or edges by build_csr()");
  }
}

}  // namespace detail

/// Throws ArgumentError unless the arrays are those of a graph: offsets that ascend from 0 to the number of entries,
/// and entries that are vertices. Not looked at: whether a graph that is said to be undirected has both arcs of each
/// edge, and whether rows are sorted or list a neighbor twice, which algorithms that mind say of themselves.
///
/// \param space  execution space instance; its memory space holds the graph
/// Cost: row map and entries are read once, in parallel. Waits.
template <class Space, class Vertex, class Memory>
void check_graph(const Space& space, const CsrView<Vertex, Memory>& graph) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  detail::check_rows(space, graph.row_map, graph.entries);
}

/// The same, and there must be a weight for each entry or none at all. The values of weights are not looked at.
template <class Space, class Vertex, class Memory>
void check_graph(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  check_graph(space, graph.view());
  if (!graph.weighted() || graph.weights.extent(0) == graph.entries.extent(0)) return;
  throw ArgumentError("the graph has " + std::to_string(graph.entries.extent(0)) + " entries and " +
                      std::to_string(graph.weights.extent(0)) + " weights: expected one for each, or none at all");
}

}  // namespace dromos
