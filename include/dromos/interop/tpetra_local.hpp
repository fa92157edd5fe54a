// SPDX-License-Identifier: BSD-3-Clause
// This rank's own rows of a matrix as a graph by themselves: entries in columns that are no rows of this rank are left
// out. It is the block that an additive Schwarz preconditioner factors.
//
//   rows 10 20 here, entries (10, 20) (20, 20) (20, 30), and row 30 on another rank     edges 0 -> 1, 1 -> 1
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/interop/kokkos_sparse.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <type_traits>

namespace dromos::tpetra::detail {

/// Item i is row i of this rank: an edge for each entry in a column that is another row of this rank.
template <class Graph>
struct OwnArcs {
  typename Graph::local_graph_device_type local;
  typename Graph::map_type::local_map_type rows, columns;
  Offset num_rows;

  KOKKOS_FUNCTION Offset size() const { return num_rows; }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    using Local = typename Graph::local_ordinal_type;
    for (auto e = local.row_map(i); e < local.row_map(i + 1); ++e) {
      const Local own = rows.getLocalElement(columns.getGlobalElement(local.entries(e)));
      if (own == static_cast<Local>(-1) || own == static_cast<Local>(i)) continue;
      f(static_cast<std::int32_t>(i), static_cast<std::int32_t>(own), static_cast<Offset>(e));
    }
  }
};

template <class Graph>
const Graph& check_fill_complete(const Graph& graph) {
  if (!graph.isFillComplete()) {
    throw ArgumentError("the matrix is not fill-complete: call fillComplete() before its graph is used");
  }
  return graph;
}

/// The graph of this rank's rows, by local indices, without self loops, directed. Not collective.
template <class Matrix>
CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> own_graph(const Matrix& matrix) {
  const auto& graph = check_fill_complete(dromos::detail::pattern_of(matrix));
  using Graph = GraphOf<Matrix>;
  using Space = typename Graph::execution_space;
  using Memory = typename Space::memory_space;
  const Space space;
  CsrGraph<std::int32_t, Memory> result;
  const std::int64_t num_rows = num_local_elements(*graph.getRowMap());
  dromos::detail::build_rows(space, num_rows,
                             OwnArcs<Graph>{graph.getLocalGraphDevice(), graph.getRowMap()->getLocalMap(),
                                            graph.getColMap()->getLocalMap(), num_rows},
                             Kokkos::View<const float*, Memory>(), {}, result);
  fence(space, "dromos::tpetra::own_graph");
  return copy_to<Kokkos::DefaultExecutionSpace::memory_space>(result);
}

/// The first column of this rank that is not the row of the same local index; -1 where there is none, so that the
/// local rows are a graph as they lie.
template <class Graph>
std::int64_t first_column_elsewhere(const Graph& graph) {
  const auto& rows = *graph.getRowMap();
  const auto& columns = *graph.getColMap();
  const std::int64_t num_rows = num_local_elements(rows), num_columns = num_local_elements(columns);
  for (std::int64_t i = 0; i < num_columns; ++i) {
    const auto local = static_cast<typename Graph::local_ordinal_type>(i);
    if (i >= num_rows || rows.getGlobalElement(local) != columns.getGlobalElement(local)) return i;
  }
  return -1;
}

/// f(graph of this rank's rows, directed): of the rows where they lie, with self loops, if all columns are rows of this
/// rank in the same order; else of own_graph(). Not collective.
template <class Matrix, class F>
auto with_own_graph(const Matrix& matrix, const F& f) {
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;
  const auto& graph = check_fill_complete(dromos::detail::pattern_of(matrix));
  if constexpr (std::is_same_v<LocalIndexOf<Matrix>, std::int32_t> &&
                std::is_same_v<typename GraphOf<Matrix>::local_graph_device_type::entries_type::memory_space, Memory>) {
    if (first_column_elsewhere(graph) < 0) {
      const auto borrowed = graph_view(graph.getLocalGraphDevice());
      return f(borrowed.graph);
    }
  }
  return f(own_graph(matrix));
}

}  // namespace dromos::tpetra::detail
