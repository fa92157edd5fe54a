// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices of Kokkos Kernels as graphs: entry (u, v) is the edge u -> v, whatever its value.
//
//   KokkosSparse::CrsMatrix<double, int, Device, void, std::size_t> matrix = ...;
//   const auto borrowed = graph_view(matrix);                       // no array is copied
//   bfs(space, borrowed.graph, root, scratch, result);
//
// A matrix can be used where it lies when its column indices are 32-bit or 64-bit signed integers and its offsets have
// 64 bits: Tpetra's std::size_t is the unsigned twin of Offset, and the two may read each other's memory. Offsets of 32
// bits cannot; graph_copy() says by its name what that costs. Algorithms that take any graph view
// take a class of a few lines around the arrays as well, whatever their types (graph/graph_view.hpp).
//
// Anything that has the arrays row_map and entries will do (Kokkos::StaticCrsGraph, from Kokkos 4.6 on
// KokkosSparse::StaticCrsGraph), and anything that has such a `graph` (KokkosSparse::CrsMatrix): this header includes
// nothing of Kokkos Kernels, so that it fits each version.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/copy_converted.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/check_graph.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

/// What is known of where a matrix has entries.
enum class MatrixPattern {
  general,   ///< a directed graph
  symmetric  ///< (u, v) wherever (v, u): an undirected graph. Not checked; searches that look back would be wrong.
};

/// A graph whose arrays belong to a matrix, and what keeps them alive. Nothing writes to them.
template <class Vertex, class Memory, class Owner>
struct BorrowedGraph {
  CsrGraph<Vertex, Memory> graph;
  Owner owner;
};

namespace detail {

template <class T>
using RemovedConst = std::remove_const_t<typename T::value_type>;

/// An array that kernels may index from 0 to its extent.
template <class View>
inline constexpr bool is_contiguous = !std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>;

template <class Matrix, class = void>
inline constexpr bool has_graph = false;
template <class Matrix>
inline constexpr bool has_graph<Matrix, std::void_t<decltype(std::declval<const Matrix&>().graph)>> = true;

/// Fills the arrays of `graph`, which have their size.
template <class RowMap, class Entries, class Vertex, class Memory>
void copy_rows(const RowMap& row_map, const Entries& entries, const CsrGraph<Vertex, Memory>& graph) {
  const typename Entries::execution_space space;
  using Offsets = Kokkos::View<Offset*, Memory>;
  using Targets = Kokkos::View<Vertex*, Memory>;
  for_range("dromos::interop::copy_row_map", space, row_map.extent(0),
            CopyConverted<RowMap, Offsets>{row_map, graph.row_map});
  for_range("dromos::interop::copy_entries", space, entries.extent(0),
            CopyConverted<Entries, Targets>{entries, graph.entries});
  fence(space, "dromos::interop::graph_copy");
}

template <class Matrix>
void check_square(const Matrix& matrix) {
  if (static_cast<std::int64_t>(matrix.numRows()) != static_cast<std::int64_t>(matrix.numCols())) {
    throw ArgumentError("a graph needs a square matrix, and this one has " + std::to_string(matrix.numRows()) +
                        " rows and " + std::to_string(matrix.numCols()) + " columns");
  }
}

}  // namespace detail

/// The graph of a sparse matrix or its pattern, without copying.
///
/// \param matrix   square, in memory that its execution space reaches; anything with row_map and entries, or with a
///                 `graph` that has them. Neither sorted rows nor a full diagonal are needed.
/// \returns the graph in the memory space of the matrix, and a copy of the handle `matrix` that keeps the arrays alive
/// \throws ArgumentError for a matrix that is not square, or arrays that do not fit together
///
/// Cost: one pass over both arrays, to check them.
template <class Matrix>
auto graph_view(const Matrix& matrix, MatrixPattern pattern = MatrixPattern::general) {
  if constexpr (detail::has_graph<Matrix>) {
    detail::check_square(matrix);
    return graph_view(matrix.graph, pattern);
  } else {
    using RowMap = decltype(matrix.row_map);
    using Entries = decltype(matrix.entries);
    using Vertex = detail::RemovedConst<Entries>;
    using Size = detail::RemovedConst<RowMap>;
    using Memory = typename Entries::memory_space;
    static_assert(is_vertex_type<Vertex>,
                  "column indices must be std::int32_t or std::int64_t to be vertices where they lie; "
                  "graph_copy<Vertex>() converts others");
    static_assert(std::is_same_v<std::make_signed_t<Size>, Offset>,
                  "offsets must have the 64 bits of std::int64_t, or be its unsigned twin, to be used where they lie; "
                  "graph_copy<Vertex>() converts others");
    static_assert(detail::is_contiguous<RowMap> && detail::is_contiguous<Entries>,
                  "strided arrays cannot be used where they lie; graph_copy<Vertex>() gathers them");
    detail::check_rows(typename std::decay_t<decltype(matrix.entries)>::execution_space(), matrix.row_map,
                       matrix.entries);
    BorrowedGraph<Vertex, Memory, Matrix> borrowed{{}, matrix};
    // Who searches a graph only reads it, so that const may go; a type and its unsigned twin may read each other's
    // memory.
    borrowed.graph.row_map = Kokkos::View<Offset*, Memory>(
        reinterpret_cast<Offset*>(const_cast<Size*>(matrix.row_map.data())), matrix.row_map.extent(0));
    borrowed.graph.entries =
        Kokkos::View<Vertex*, Memory>(const_cast<Vertex*>(matrix.entries.data()), matrix.entries.extent(0));
    borrowed.graph.directed = pattern == MatrixPattern::general;
    return borrowed;
  }
}

/// The graph of a sparse matrix or its pattern in arrays of its own: for column indices and offsets of any integer
/// type, and for a graph that outlives the matrix.
///
/// \param matrix   as for graph_view()
/// \returns the graph in the memory space of the matrix
/// \throws ArgumentError as graph_view(), and where there are more vertices than ids of type Vertex can number
///
/// Cost: as graph_view(), plus both arrays once more in memory.
template <class Vertex, class Matrix>
auto graph_copy(const Matrix& matrix, MatrixPattern pattern = MatrixPattern::general) {
  if constexpr (detail::has_graph<Matrix>) {
    detail::check_square(matrix);
    return graph_copy<Vertex>(matrix.graph, pattern);
  } else {
    const auto row_map = matrix.row_map;
    const auto entries = matrix.entries;
    using Entries = std::decay_t<decltype(entries)>;
    using Memory = typename Entries::memory_space;
    detail::check_rows(typename std::decay_t<decltype(entries)>::execution_space(), row_map, entries);
    if (static_cast<std::int64_t>(row_map.extent(0)) - 1 > max_num_vertices<Vertex>) {
      throw ArgumentError("a matrix of " + std::to_string(row_map.extent(0) - 1) +
                          " rows has too many vertices for ids of " + std::to_string(8 * sizeof(Vertex)) + " bits");
    }
    CsrGraph<Vertex, Memory> graph;
    graph.row_map = Kokkos::View<Offset*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::row_map"), row_map.extent(0));
    graph.entries = Kokkos::View<Vertex*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::entries"), entries.extent(0));
    graph.directed = pattern == MatrixPattern::general;
    detail::copy_rows(row_map, entries, graph);
    return graph;
  }
}

}  // namespace dromos
