// SPDX-License-Identifier: BSD-3-Clause
// The rows of a weighted graph in classes of weights, light edges before heavy ones, and views of a class, of several
// or of all. What is done again and again with the light edges of a vertex, and once with heavier ones, looks at no
// others.
//
//   row of u, weights 5 1 7 2, bounds 2 6     1 | 5 2 | 7     in any order within a class
//
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/traverse.hpp>
#include <string>
#include <vector>

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

/// At most so many classes.
inline constexpr int most_weight_classes = 6;

/// Owns edges and weights in that order; shares the row map of the graph. Where nothing was split, there is one class,
/// and the arrays are the graph's own.
template <class Vertex, class Memory>
struct SplitRows {
  using View = RowsView<Vertex, Memory>;

  Kokkos::View<Offset*, Memory> row_map;
  Kokkos::View<Vertex*, Memory> entries;
  Kokkos::View<float*, Memory> weights;
  /// Where each vertex's edges of a class end, of all classes but the last.
  std::vector<Kokkos::View<const Offset*, Memory>> class_ends;
  std::vector<float> bounds;  ///< weights of class i are below bounds[i], those behind are not
  bool is_split = false;      ///< also where there are no rows, as on a rank without vertices

  int last_class() const { return static_cast<int>(class_ends.size()); }
  View all() const { return between(0, last_class()); }
  View light() const { return between(0, 0); }
  /// Those of classes first .. last.
  View between(int first, int last) const {
    return {first == 0 ? begins() : class_ends[static_cast<std::size_t>(first - 1)],
            last == last_class() ? ends() : class_ends[static_cast<std::size_t>(last)], entries};
  }

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

/// The rows of any graph view with weights, as they are: nothing is stored, and there is one class.
template <class Graph>
struct WholeRows {
  Graph graph;
  EdgeWeights<Graph> weights;
  std::vector<float> bounds = {};
  static constexpr bool is_split = false;

  int last_class() const { return 0; }
  const Graph& all() const { return graph; }
  const Graph& light() const { return graph; }
  const Graph& between(int, int) const { return graph; }
};

namespace detail {

/// The class of each edge, in `place`: of a vertex and a class first the number of edges, then where the next one goes.
template <class Memory>
struct WeightClasses {
  Kokkos::View<const float*, Memory> weights;
  float bounds[most_weight_classes - 1];
  int last;
  std::uint64_t* place[most_weight_classes];

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t take_place(Vertex u, float weight) const {
    int c = 0;
    for (int i = 0; i < last; ++i) c += static_cast<int>(weight >= bounds[i]);
    return take_number(&place[c][u]);
  }
};

template <class Vertex, class Memory>
struct CountByWeight : WeightClasses<Memory> {
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex, Offset e) const {
    this->take_place(u, this->weights.data()[e]);
    return false;
  }
};

/// Turns numbers into the places of the first edges.
template <class Memory>
struct PlaceByWeight : WeightClasses<Memory> {
  Kokkos::View<const Offset*, Memory> row_map;
  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    auto next = static_cast<std::uint64_t>(row_map(u));
    for (int c = 0; c <= this->last; ++c) {
      const std::uint64_t size = this->place[c][u];
      this->place[c][u] = next;
      next += size;
    }
  }
};

/// Puts edges there. The next place of a class is then its end.
template <class Vertex, class Memory>
struct FillByWeight : WeightClasses<Memory> {
  Kokkos::View<Vertex*, Memory> to_entries;
  Kokkos::View<float*, Memory> to_weights;
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const float weight = this->weights.data()[e];
    const std::uint64_t at = this->take_place(u, weight);
    to_entries.data()[at] = v;
    to_weights.data()[at] = weight;
    return false;
  }
};

}  // namespace detail

/// Is there room for rows split into so many classes, twice over?
template <class Vertex, class Memory>
bool room_to_split_rows(const CsrGraph<Vertex, Memory>& graph, std::size_t num_classes) {
  const double bytes = static_cast<double>(graph.num_edges()) * (sizeof(Vertex) + sizeof(float)) +
                       static_cast<double>(graph.num_vertices()) * static_cast<double>(num_classes * sizeof(Offset));
  return room_for<Memory>(bytes);
}

/// The rows of a graph as they are.
template <class Vertex, class Memory>
SplitRows<Vertex, Memory> unsplit_rows(const CsrGraph<Vertex, Memory>& graph) {
  return {graph.row_map, graph.entries, graph.weights, {}, {}, false};
}

/// Splits the rows of a weighted graph. Waits. Cost: two passes over the edges; memory: the edges and weights once
/// more, and 8 bytes for each vertex and class.
///
/// \param bounds  ascending, fewer than most_weight_classes: lighter edges come before those that are as heavy or
/// heavier
template <class Space, class Vertex, class Memory>
SplitRows<Vertex, Memory> split_rows(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                     const std::vector<float>& bounds) {
  const auto without = [](const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  };
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  SplitRows<Vertex, Memory> rows{
      graph.row_map,
      Kokkos::View<Vertex*, Memory>(without("dromos::split_rows::entries"), graph.entries.extent(0)),
      Kokkos::View<float*, Memory>(without("dromos::split_rows::weights"), graph.weights.extent(0)),
      {},
      bounds,
      true};
  detail::WeightClasses<Memory> classes{graph.weights, {}, static_cast<int>(bounds.size()), {}};
  std::copy(bounds.begin(), bounds.end(), classes.bounds);
  std::vector<Kokkos::View<Offset*, Memory>> places;
  for (std::size_t c = 0; c <= bounds.size(); ++c) {
    places.emplace_back("dromos::split_rows::places", n);
    classes.place[c] = reinterpret_cast<std::uint64_t*>(places[c].data());
  }
  traverse_all(space, graph.view(), detail::CountByWeight<Vertex, Memory>{classes}, Best{});
  for_range("dromos::split_rows::places", space, static_cast<std::int64_t>(n),
            detail::PlaceByWeight<Memory>{classes, graph.row_map});
  traverse_all(space, graph.view(), detail::FillByWeight<Vertex, Memory>{classes, rows.entries, rows.weights}, Best{});
  fence(space, "dromos::split_rows");
  rows.class_ends.assign(places.begin(), places.end() - 1);
  return rows;
}

}  // namespace dromos
