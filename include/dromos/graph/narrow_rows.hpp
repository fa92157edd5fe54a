// SPDX-License-Identifier: BSD-3-Clause
// The rows of a graph by offsets of 32 bits: 4 bytes a vertex instead of 8, where the graph has fewer than 2^32 edges.
//
//   auto rows = narrow_rows(space, graph);      // shares the entries
//   graph.row_map = {};                         // who has little memory lets go of what is not needed any more
//   bfs(space, rows, root, scratch, result);
//
// For who has little memory; nothing in the library takes such rows unasked. They are a graph view
// (graph/graph_view.hpp), which every algorithm that takes one is compiled for where it is called: those of a CsrGraph
// are in the library. What wants arrays of a CsrGraph (transpose(), subgraphs) comes first.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/copy_converted.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <limits>
#include <string>

namespace dromos {

/// A graph view, copied by value, that keeps its arrays alive. The edges of u are those in entries from row_map(u) to
/// before row_map(u + 1), as in a CsrGraph.
template <class Vertex, class Memory>
struct NarrowRows {
  static_assert(is_vertex_type<Vertex>, "vertex ids are std::int32_t or std::int64_t");
  using vertex_type = Vertex;
  using memory_space = Memory;

  Kokkos::View<const std::uint32_t*, Memory> row_map;
  Kokkos::View<const Vertex*, Memory> entries;
  bool directed = true;

  KOKKOS_FUNCTION Vertex num_vertices() const {
    return row_map.extent(0) == 0 ? 0 : static_cast<Vertex>(row_map.extent(0) - 1);
  }
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return row_map(u); }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return row_map(u + 1); }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return end(u) - begin(u); }
  KOKKOS_FUNCTION Vertex neighbor(Offset e) const { return load_streamed(&entries.data()[e]); }

  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Vertex u) const { prefetch(&row_map.data()[u]); }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const { prefetch(&entries.data()[row_map.data()[u]]); }
};

/// The same graph by offsets of 32 bits; weights are left behind.
///
/// \param space  execution space instance; its memory space holds the graph
/// \throws ArgumentError for a graph of 2^32 edges or more
/// Cost: one pass over the row map. Memory: 4 bytes a vertex; the entries are shared. Waits.
template <class Space, class Vertex, class Memory>
NarrowRows<Vertex, Memory> narrow_rows(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  constexpr auto most_edges = static_cast<Offset>(std::numeric_limits<std::uint32_t>::max());
  if (graph.num_edges() > most_edges) {
    throw ArgumentError("narrow_rows: offsets of 32 bits number " + std::to_string(most_edges) +
                        " edges, and this graph has " + std::to_string(graph.num_edges()) +
                        "; use it as it is, with offsets of 64 bits");
  }
  using From = Kokkos::View<const Offset*, Memory>;
  using To = Kokkos::View<std::uint32_t*, Memory>;
  const To row_map(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::narrow_rows::row_map"),
                   graph.row_map.extent(0));
  for_range("dromos::narrow_rows", space, static_cast<std::int64_t>(row_map.extent(0)),
            detail::CopyConverted<From, To>{graph.row_map, row_map});
  fence(space, "dromos::narrow_rows");
  return {row_map, graph.entries, graph.directed};
}

}  // namespace dromos
