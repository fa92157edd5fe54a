// SPDX-License-Identifier: BSD-3-Clause
// Graphs without arrays, which compute where their edges lead or hide where they are kept, for tests of algorithms that
// take any graph view.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/graph_view.hpp>
#include <numeric>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {

/// width x height vertices, row by row, each joined with those beside, above and below it. Without an array: where the
/// edges of a vertex begin is computed, and so is where they lead.
template <class Vertex>
struct Grid {
  using vertex_type = Vertex;
  using memory_space = Memory;
  static constexpr bool directed = false;
  Vertex width, height;

  KOKKOS_FUNCTION Vertex num_vertices() const { return width * height; }
  KOKKOS_FUNCTION Offset num_edges() const { return begin(num_vertices()); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const {
    if (u == 0) return 0;
    const Offset x = u % width, y = u / width;
    const Offset beside = 2 * y * (width - 1) + (x == 0 ? 0 : 2 * x - 1);
    const Offset above = u > width ? u - width : 0;
    const Offset last_row = Offset(width) * (height - 1);
    return beside + above + (u < last_row ? u : last_row);
  }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return begin(u + 1); }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return end(u) - begin(u); }
  /// Whole numbers from 1 to 5, not the same in both directions.
  KOKKOS_FUNCTION float weight(Offset e) const { return static_cast<float>(1 + e * 7 % 5); }
};

/// In the order above, left, right, below.
template <class Vertex>
KOKKOS_FUNCTION Vertex neighbor_of(const Grid<Vertex>& grid, Vertex u, Offset e) {
  Offset nth = e - grid.begin(u);
  if (u >= grid.width && nth-- == 0) return u - grid.width;
  if (u % grid.width != 0 && nth-- == 0) return u - 1;
  if (u % grid.width != grid.width - 1 && nth-- == 0) return u + 1;
  return u + grid.width;
}

/// 0 -> 1 -> 2 -> ...; does not say whether it is directed.
struct Chain {
  using vertex_type = std::int32_t;
  using memory_space = Memory;
  std::int32_t length;

  KOKKOS_FUNCTION std::int32_t num_vertices() const { return length; }
  KOKKOS_FUNCTION Offset num_edges() const { return length - 1; }
  KOKKOS_FUNCTION Offset begin(std::int32_t u) const { return u; }
  KOKKOS_FUNCTION Offset end(std::int32_t u) const { return u + 1 < length ? u + 1 : u; }
  KOKKOS_FUNCTION Offset degree(std::int32_t u) const { return end(u) - begin(u); }
  KOKKOS_FUNCTION std::int32_t neighbor(Offset e) const { return static_cast<std::int32_t>(e + 1); }
};

/// From each of `size` vertices edges to those `step` further on, round and round, for up to three steps of 0 or more
/// and less than size. A directed graph, whose components are computed as well.
template <class Vertex>
struct Circulant {
  using vertex_type = Vertex;
  using memory_space = Memory;
  Vertex size;
  int num_steps;
  Vertex steps[3];

  KOKKOS_FUNCTION Vertex num_vertices() const { return size; }
  KOKKOS_FUNCTION Offset num_edges() const { return begin(size); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return Offset(u) * num_steps; }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return begin(u) + num_steps; }
  KOKKOS_FUNCTION Offset degree(Vertex) const { return num_steps; }
  KOKKOS_FUNCTION Vertex neighbor(Offset e) const {
    return static_cast<Vertex>((e / num_steps + steps[e % num_steps]) % size);
  }

  Circulant reversed() const {
    Circulant turned = *this;
    for (Vertex& step : turned.steps) step = (size - step) % size;
    return turned;
  }
  /// Each has the vertices of one remainder, and its smallest vertex is that: weak components and strong ones are
  /// alike.
  Vertex num_components() const {
    Vertex divisor = size;
    for (int i = 0; i < num_steps; ++i) divisor = std::gcd(divisor, steps[i]);
    return divisor;
  }
};

/// A long cycle, several, chords, self loops beside other edges and alone, double edges, no edges at all.
template <class Vertex>
std::vector<Circulant<Vertex>> circulants() {
  return {{5000, 1, {1, 0, 0}}, {5000, 1, {2490, 0, 0}}, {3000, 2, {1, 77, 0}}, {3001, 3, {0, 1700, 9}},
          {600, 2, {0, 6, 0}},  {100, 1, {0, 0, 0}},     {90, 3, {30, 30, 0}},  {65, 0, {0, 0, 0}},
          {1, 0, {0, 0, 0}},    {1, 1, {0, 0, 0}}};
}

/// The rows of a CsrGraph as a view that hides them, and has no more than a view must.
template <class Vertex>
class BareRows {
 public:
  using vertex_type = Vertex;
  using memory_space = Memory;
  bool directed;

  explicit BareRows(const CsrGraph<Vertex, Memory>& graph) : directed(graph.directed), rows_(graph.view()) {}
  KOKKOS_FUNCTION Vertex num_vertices() const { return rows_.num_vertices(); }
  KOKKOS_FUNCTION Offset num_edges() const { return rows_.num_edges(); }
  KOKKOS_FUNCTION Offset begin(Vertex u) const { return rows_.begin(u); }
  KOKKOS_FUNCTION Offset end(Vertex u) const { return rows_.end(u); }
  KOKKOS_FUNCTION Offset degree(Vertex u) const { return rows_.degree(u); }
  friend KOKKOS_FUNCTION Vertex neighbor_of(const BareRows& graph, Vertex, Offset e) { return graph.rows_.neighbor(e); }

 private:
  CsrView<Vertex, Memory> rows_;
};

/// The same edges in arrays, with their weights where they have some.
template <class View>
CsrGraph<typename View::vertex_type, Memory> in_arrays(const View& view) {
  using Vertex = typename View::vertex_type;
  using dromos::neighbor_of;  // the one beside Grid hides it here
  std::vector<std::vector<Vertex>> rows(static_cast<std::size_t>(view.num_vertices()));
  for (std::size_t u = 0; u < rows.size(); ++u) {
    const auto vertex = static_cast<Vertex>(u);
    for (Offset e = view.begin(vertex); e < view.end(vertex); ++e) rows[u].push_back(neighbor_of(view, vertex, e));
  }
  auto graph = make_graph(rows, is_directed(view));
  if constexpr (detail::IsThere<detail::WeightOf, View>::value) {
    std::vector<float> weights;
    for (Offset e = 0; e < view.num_edges(); ++e) weights.push_back(view.weight(e));
    graph.weights = to_view(weights);
  }
  return graph;
}

/// Shapes with long and short rows of vertices, and without.
template <class Vertex>
std::vector<Grid<Vertex>> grids() {
  return {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {13, 9}, {40, 55}};
}

}  // namespace dromos::test
