// SPDX-License-Identifier: BSD-3-Clause
// The rows of a weighted graph in two parts, light edges before heavy ones, and views of either part or of both. What
// is done again and again with the light edges of a vertex, and once with the heavy ones, looks at no others.
//
//   row of u, weights 5 1 7 2, threshold 4     1 2 | 5 7     in any order within a part
//                                              begin split end
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/traverse.hpp>
#include <string>

namespace dromos {

/// A part of each row, or all of it: as CsrView, but what is behind a part need not be the next row's.
template <class Vertex, class Memory>
struct RowsView {
  using vertex_type = Vertex;
  using memory_space = Memory;

  Kokkos::View<const Offset*, Memory> first, behind;  ///< where the edges of each vertex begin and end
  Kokkos::View<const Vertex*, Memory> entries;

  KOKKOS_FUNCTION Vertex num_vertices() const { return static_cast<Vertex>(first.extent(0)); }
  /// Of both parts.
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return first.data()[u]; }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return behind.data()[u]; }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return end(u) - begin(u); }
  KOKKOS_FUNCTION Vertex neighbor(Offset e) const { return load_streamed(&entries.data()[e]); }

  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Vertex u) const {
    prefetch(&first.data()[u]);
    prefetch(&behind.data()[u]);
  }
  /// At both ends: rows are worth splitting where they are longer than a line of the cache.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const {
    prefetch(&entries.data()[begin(u)]);
    prefetch(&entries.data()[end(u)]);
  }
};

/// Owns edges and weights in that order; shares the row map of the graph. Where nothing was split, all edges are light
/// and the arrays are the graph's own.
template <class Vertex, class Memory>
struct SplitRows {
  Kokkos::View<Offset*, Memory> row_map;
  Kokkos::View<Offset*, Memory> split;  ///< where the heavy edges of each vertex begin
  Kokkos::View<Vertex*, Memory> entries;
  Kokkos::View<float*, Memory> weights;
  double threshold = 0;   ///< weights below it are light
  bool is_split = false;  ///< also where there are no rows, as on a rank without vertices

  RowsView<Vertex, Memory> all() const { return {begins(), ends(), entries}; }
  RowsView<Vertex, Memory> light() const { return {begins(), split, entries}; }
  RowsView<Vertex, Memory> heavy() const { return {split, ends(), entries}; }

 private:
  using Offsets = Kokkos::View<const Offset*, Memory>;
  std::size_t num_rows() const { return row_map.extent(0) == 0 ? 0 : row_map.extent(0) - 1; }
  Offsets begins() const { return Kokkos::subview(row_map, Kokkos::make_pair(std::size_t(0), num_rows())); }
  Offsets ends() const {
    return num_rows() == 0 ? Offsets()
                           : Offsets(Kokkos::subview(row_map, Kokkos::make_pair(std::size_t(1), num_rows() + 1)));
  }
};

/// The weights of a graph view, as kernels ask for them.
template <class Graph>
struct EdgeWeights {
  Graph graph;
  KOKKOS_FORCEINLINE_FUNCTION float operator()(Offset e) const { return static_cast<float>(graph.weight(e)); }
};

/// The rows of any graph view with weights, as they are: nothing is stored, and all edges are light.
template <class Graph>
struct WholeRows {
  Graph graph;
  EdgeWeights<Graph> weights;
  static constexpr double threshold = 0;
  static constexpr bool is_split = false;

  const Graph& all() const { return graph; }
  const Graph& light() const { return graph; }
  const Graph& heavy() const { return graph; }
};

namespace detail {

/// Puts light edges at the front of a row and heavy ones at its end.
template <class Vertex, class Memory>
struct SplitRow {
  Kokkos::View<const Offset*, Memory> row_map;
  Kokkos::View<const float*, Memory> weights;
  float threshold;
  Kokkos::View<std::uint64_t*, Memory> num_light, num_heavy;
  Kokkos::View<Vertex*, Memory> to_entries;
  Kokkos::View<float*, Memory> to_weights;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const float weight = weights.data()[e];
    const Offset place = weight < threshold
                             ? row_map.data()[u] + static_cast<Offset>(take_number(&num_light.data()[u]))
                             : row_map.data()[u + 1] - 1 - static_cast<Offset>(take_number(&num_heavy.data()[u]));
    to_entries.data()[place] = v;
    to_weights.data()[place] = weight;
    return false;
  }
};

template <class Memory>
struct FindSplits {
  Kokkos::View<const Offset*, Memory> row_map;
  Kokkos::View<const std::uint64_t*, Memory> num_light;
  Kokkos::View<Offset*, Memory> split;
  KOKKOS_FUNCTION void operator()(std::int64_t u) const { split(u) = row_map(u) + static_cast<Offset>(num_light(u)); }
};

}  // namespace detail

/// Is there room for split rows, twice over?
template <class Vertex, class Memory>
bool room_to_split_rows(const CsrGraph<Vertex, Memory>& graph) {
  const double bytes = static_cast<double>(graph.num_edges()) * (sizeof(Vertex) + sizeof(float)) +
                       static_cast<double>(graph.num_vertices()) * (sizeof(Offset) + 2 * sizeof(std::uint64_t));
  return room_for<Memory>(bytes);
}

/// The rows of a graph as they are.
template <class Vertex, class Memory>
SplitRows<Vertex, Memory> unsplit_rows(const CsrGraph<Vertex, Memory>& graph) {
  return {graph.row_map, {}, graph.entries, graph.weights, 0, false};
}

/// Splits the rows of a weighted graph at a threshold. Waits. Cost: a pass over the edges; memory: the edges and
/// weights once more, 8 bytes a vertex, and 16 a vertex while it runs.
template <class Space, class Vertex, class Memory>
SplitRows<Vertex, Memory> split_rows(const Space& space, const CsrGraph<Vertex, Memory>& graph, float threshold) {
  const auto without = [](const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  };
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  SplitRows<Vertex, Memory> rows{
      graph.row_map,
      Kokkos::View<Offset*, Memory>(without("dromos::split_rows::split"), n),
      Kokkos::View<Vertex*, Memory>(without("dromos::split_rows::entries"), graph.entries.extent(0)),
      Kokkos::View<float*, Memory>(without("dromos::split_rows::weights"), graph.weights.extent(0)),
      static_cast<double>(threshold),
      true};
  const Kokkos::View<std::uint64_t*, Memory> num_light("dromos::split_rows::num_light", n);
  const Kokkos::View<std::uint64_t*, Memory> num_heavy("dromos::split_rows::num_heavy", n);
  traverse_all(space, graph.view(),
               detail::SplitRow<Vertex, Memory>{graph.row_map, graph.weights, threshold, num_light, num_heavy,
                                                rows.entries, rows.weights},
               Best{});
  Kokkos::parallel_for(
      "dromos::split_rows::splits",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(n)),
      detail::FindSplits<Memory>{graph.row_map, num_light, rows.split});
  fence(space, "dromos::split_rows");
  return rows;
}

}  // namespace dromos
