// SPDX-License-Identifier: BSD-3-Clause
// Tpetra's sparse matrices as graphs: entry (u, v) is the edge u -> v, whatever its value. Only users of Tpetra include
// this; it needs Dromos::teuchos_support and a Tpetra that was built with the same Kokkos.
//
//   local_graph_view(matrix)                     the rows of this rank, where they lie; on one rank that is the graph
//   global_edges<Vertex>(matrix)                 the entries of this rank as edges between global ids
//   distributed_graph<Vertex>(ranks, matrix)     the graph of all ranks, dealt out anew as Dromos does
//   (distributed/by_vertices/graph_1d.hpp)
//
// Each takes a Tpetra::CrsMatrix or a Tpetra::CrsGraph that is fill-complete. Vertex v is global index v + index base.
#pragma once

#include <Tpetra_CrsGraph.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/interop/kokkos_sparse.hpp>
#include <dromos/interop/tpetra_local.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <string>

namespace dromos {

namespace detail {

/// Throws unless the rows and columns of a matrix can be the same vertices; alike on every rank.
template <class Graph>
void check_global_graph(const Graph& graph) {
  tpetra::detail::check_fill_complete(graph);
  const auto& rows = *graph.getRangeMap();
  const auto& columns = *graph.getDomainMap();
  if (rows.getGlobalNumElements() != columns.getGlobalNumElements() ||
      rows.getMaxAllGlobalIndex() != columns.getMaxAllGlobalIndex()) {
    throw ArgumentError("a graph needs a square matrix, and this one has " +
                        std::to_string(rows.getGlobalNumElements()) + " rows up to global index " +
                        std::to_string(rows.getMaxAllGlobalIndex()) + " and " +
                        std::to_string(columns.getGlobalNumElements()) + " columns up to " +
                        std::to_string(columns.getMaxAllGlobalIndex()));
  }
}

/// Item i is row i of this rank: its entries as edges between global indices, numbered from the index base.
template <class Graph, class Vertex, class Memory>
struct ListGlobalEdges {
  typename Graph::local_graph_device_type local;
  typename Graph::map_type::local_map_type rows, columns;
  typename Graph::global_ordinal_type base;
  Kokkos::View<Vertex*, Memory> source, target;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const auto u =
        static_cast<Vertex>(rows.getGlobalElement(static_cast<typename Graph::local_ordinal_type>(i)) - base);
    for (auto e = local.row_map(i); e < local.row_map(i + 1); ++e) {
      source(e) = u;
      target(e) = static_cast<Vertex>(columns.getGlobalElement(local.entries(e)) - base);
    }
  }
};

}  // namespace detail

/// The part of a matrix on this rank as a graph of its rows, by local indices and without copying. For a matrix on one
/// rank, or one whose rows have no entry in columns of other ranks.
///
/// \returns as graph_view() of interop/kokkos_sparse.hpp
/// \throws ArgumentError where rows and columns of this rank are not the same global indices in the same order
///
/// Cost: as graph_view(), plus one pass over the indices of the rows on the host. Not collective.
template <class Matrix>
auto local_graph_view(const Matrix& matrix, MatrixPattern pattern = MatrixPattern::general) {
  const auto& graph = detail::pattern_of(matrix);
  detail::check_global_graph(graph);
  const std::int64_t i = tpetra::detail::first_column_elsewhere(graph);
  if (i >= 0) {
    const auto& rows = *graph.getRowMap();
    const std::int64_t num_rows = tpetra::num_local_elements(rows);
    const auto local = static_cast<decltype(rows.getMaxLocalIndex())>(i);
    throw ArgumentError("the local part of this matrix is no graph: its column " + std::to_string(i) +
                        " is global index " + std::to_string(graph.getColMap()->getGlobalElement(local)) + ", and " +
                        (i < num_rows
                             ? "row " + std::to_string(i) + " is " + std::to_string(rows.getGlobalElement(local))
                             : "this rank has " + std::to_string(num_rows) + " rows") +
                        "; use distributed_graph(), or import the matrix to one rank");
  }
  return graph_view(graph.getLocalGraphDevice(), pattern);
}

/// The entries of this rank as edges, (row, column) by global indices: what build_graph_1d() and DistributedInput take.
///
/// \returns edges in the memory of the default execution space; num_vertices is that of the whole matrix
/// \throws ArgumentError for a matrix that is not square, or has more rows than ids of type Vertex can number
///
/// Cost: one kernel over the entries, 2 * sizeof(Vertex) bytes each. Not collective.
template <class Vertex, class Matrix>
EdgeList<Vertex> global_edges(const Matrix& matrix) {
  const auto& graph = detail::pattern_of(matrix);
  detail::check_global_graph(graph);
  using Space = typename std::decay_t<decltype(graph)>::execution_space;
  using Memory = typename Space::memory_space;
  const auto base = graph.getRowMap()->getIndexBase();
  const std::int64_t num_vertices =
      graph.getRangeMap()->getGlobalNumElements() == 0
          ? 0
          : static_cast<std::int64_t>(graph.getRangeMap()->getMaxAllGlobalIndex() - base) + 1;
  if (num_vertices > max_num_vertices<Vertex>) {
    throw ArgumentError("a matrix of " + std::to_string(num_vertices) + " rows has too many vertices for ids of " +
                        std::to_string(8 * sizeof(Vertex)) + " bits");
  }
  const auto local = graph.getLocalGraphDevice();
  EdgeList<Vertex, Memory> edges(static_cast<Vertex>(num_vertices), static_cast<Offset>(local.entries.extent(0)));
  for_range(
      "dromos::interop::global_edges", Space(), local.numRows(),
      detail::ListGlobalEdges<std::decay_t<decltype(graph)>, Vertex, Memory>{
          local, graph.getRowMap()->getLocalMap(), graph.getColMap()->getLocalMap(), base, edges.source, edges.target});
  fence(Space(), "dromos::interop::global_edges");
  return copy_to<Kokkos::DefaultExecutionSpace::memory_space>(edges);
}

/// The graph of a distributed matrix, its rows dealt out to the ranks as searches by vertices want them. Collective.
///
/// \param communicator  of the ranks of the matrix: teuchos::make_communicator(*matrix.getComm())
/// \param options       as for build_graph_1d(); symmetrize for a matrix of which only one triangle is stored
/// \throws ArgumentError on every rank, as global_edges() and build_graph_1d() do
template <class Vertex, class Matrix>
auto distributed_graph(const Communicator& communicator, const Matrix& matrix, const BuildOptions& options = {}) {
  return build_graph_1d(communicator, Kokkos::DefaultExecutionSpace(), global_edges<Vertex>(matrix), options);
}

}  // namespace dromos
