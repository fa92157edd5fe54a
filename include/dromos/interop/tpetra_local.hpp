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
#include <dromos/interop/tpetra_names.hpp>

namespace dromos::tpetra::detail {

/// Item i is row i of this rank: an edge, or one in each direction, for each entry in a column that is another row of
/// this rank.
template <class Graph>
struct OwnArcs {
  typename Graph::local_graph_device_type local;
  typename Graph::map_type::local_map_type rows, columns;
  Offset num_rows;
  bool symmetrize;

  KOKKOS_FUNCTION Offset size() const { return num_rows; }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    using Local = typename Graph::local_ordinal_type;
    const auto u = static_cast<std::int32_t>(i);
    for (auto e = local.row_map(i); e < local.row_map(i + 1); ++e) {
      const Local own = rows.getLocalElement(columns.getGlobalElement(local.entries(e)));
      if (own == static_cast<Local>(-1) || own == static_cast<Local>(i)) continue;
      const auto v = static_cast<std::int32_t>(own);
      f(u, v, static_cast<Offset>(e));
      if (symmetrize) f(v, u, static_cast<Offset>(e));
    }
  }
};

/// The graph of this rank's rows, by local indices, without self loops. Not collective.
///
/// \param symmetrize  the pattern of A + A^T, undirected and without duplicates; else as the entries are
template <class Matrix>
CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> own_graph(const Matrix& matrix, bool symmetrize) {
  const auto& graph = dromos::detail::pattern_of(matrix);
  using Graph = GraphOf<Matrix>;
  using Space = typename Graph::execution_space;
  using Memory = typename Space::memory_space;
  if (!graph.isFillComplete()) {
    throw ArgumentError("the matrix is not fill-complete: call fillComplete() before its graph is used");
  }
  const Space space;
  dromos::detail::RowOptions rows;
  rows.remove_duplicates = symmetrize;
  CsrGraph<std::int32_t, Memory> result;
  const std::int64_t num_rows = num_local_elements(*graph.getRowMap());
  dromos::detail::build_rows(space, num_rows,
                             OwnArcs<Graph>{graph.getLocalGraphDevice(), graph.getRowMap()->getLocalMap(),
                                            graph.getColMap()->getLocalMap(), num_rows, symmetrize},
                             Kokkos::View<const float*, Memory>(), rows, result);
  fence(space, "dromos::tpetra::own_graph");
  result.directed = !symmetrize;
  return copy_to<Kokkos::DefaultExecutionSpace::memory_space>(result);
}

}  // namespace dromos::tpetra::detail
