// SPDX-License-Identifier: BSD-3-Clause
// Graphs whose answers are known without computing them: paths, cycles, stars, grids, trees, and unions of these.
//
// Each undirected edge is listed once; BuildOptions::symmetrize stores it both ways. A path and a cycle make sense as
// directed graphs too: their edges lead from each vertex to the next.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>
#include <vector>

namespace dromos {

namespace generate_detail {

/// Fills an edge list by edge(i, u, v) for i in [0, num_edges).
template <class Vertex, class Space, class F>
EdgeList<Vertex, typename Space::memory_space> structured_edges(const char* what, const Space& space,
                                                                std::int64_t num_vertices, Offset num_edges,
                                                                const F& edge) {
  checked_num_vertices<Vertex>(what, num_vertices);
  EdgeList<Vertex, typename Space::memory_space> edges(static_cast<Vertex>(num_vertices), num_edges);
  const auto source = edges.source;
  const auto target = edges.target;
  Kokkos::parallel_for(
      "dromos::generate::structured", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_edges),
      KOKKOS_LAMBDA(const std::int64_t i) {
        std::int64_t u = 0, v = 0;
        edge(i, u, v);
        source(i) = static_cast<Vertex>(u);
        target(i) = static_cast<Vertex>(v);
      });
  fence(space, "dromos::generate::structured");
  return edges;
}

}  // namespace generate_detail

/// 0 - 1 - 2 - ... - (n - 1): the largest depth a graph of n vertices can have.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_path(const Space& space, std::int64_t n) {
  return generate_detail::structured_edges<Vertex>(
      "path", space, n, n > 0 ? n - 1 : 0, KOKKOS_LAMBDA(std::int64_t i, std::int64_t& u, std::int64_t& v) {
        u = i;
        v = i + 1;
      });
}

/// A path whose end is joined to its beginning. A cycle of one vertex is a self loop.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_cycle(const Space& space, std::int64_t n) {
  return generate_detail::structured_edges<Vertex>(
      "cycle", space, n, n, KOKKOS_LAMBDA(std::int64_t i, std::int64_t& u, std::int64_t& v) {
        u = i;
        v = i + 1 == n ? 0 : i + 1;
      });
}

/// Vertex 0 joined to all others: the most skewed degrees there are.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_star(const Space& space, std::int64_t n) {
  return generate_detail::structured_edges<Vertex>(
      "star", space, n, n > 0 ? n - 1 : 0, KOKKOS_LAMBDA(std::int64_t i, std::int64_t& u, std::int64_t& v) {
        u = 0;
        v = i + 1;
      });
}

/// Vertex r * columns + c is joined to its right and lower neighbors.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_grid_2d(const Space& space, std::int64_t rows,
                                                                std::int64_t columns) {
  if (rows < 0 || columns < 0 || (columns > 0 && rows > max_num_vertices<std::int64_t> / columns)) {
    throw ArgumentError("2D grid: " + std::to_string(rows) + " by " + std::to_string(columns) +
                        " is not a size; both must be at least 0 and their product fit 63 bits");
  }
  const Offset horizontal = columns > 0 ? rows * (columns - 1) : 0;
  const Offset vertical = rows > 0 ? (rows - 1) * columns : 0;
  return generate_detail::structured_edges<Vertex>(
      "2D grid", space, rows * columns, horizontal + vertical,
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& u, std::int64_t& v) {
        if (i < horizontal) {
          u = i / (columns - 1) * columns + i % (columns - 1);
          v = u + 1;
        } else {
          u = i - horizontal;
          v = u + columns;
        }
      });
}

/// Vertex i > 0 is a child of (i - 1) / 2.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_binary_tree(const Space& space, std::int64_t n) {
  return generate_detail::structured_edges<Vertex>(
      "binary tree", space, n, n > 0 ? n - 1 : 0, KOKKOS_LAMBDA(std::int64_t i, std::int64_t& u, std::int64_t& v) {
        u = i / 2;
        v = i + 1;
      });
}

/// The graphs side by side: the vertices of each part follow those of the part before it. Weights are not kept.
template <class Space, class Vertex>
EdgeList<Vertex, typename Space::memory_space> disjoint_union(
    const Space& space, const std::vector<EdgeList<Vertex, typename Space::memory_space>>& parts) {
  std::int64_t num_vertices = 0;
  Offset num_edges = 0;
  for (const auto& part : parts) {
    num_vertices += part.num_vertices;
    num_edges += part.num_edges();
  }
  generate_detail::checked_num_vertices<Vertex>("disjoint union", num_vertices);
  EdgeList<Vertex, typename Space::memory_space> all(static_cast<Vertex>(num_vertices), num_edges);
  Vertex first_vertex = 0;
  Offset first_edge = 0;
  for (const auto& part : parts) {
    const auto from_source = part.source;
    const auto from_target = part.target;
    const auto to_source = all.source;
    const auto to_target = all.target;
    const Vertex shift = first_vertex;
    const Offset begin = first_edge;
    Kokkos::parallel_for(
        "dromos::generate::disjoint_union",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, part.num_edges()),
        KOKKOS_LAMBDA(const std::int64_t i) {
          to_source(begin + i) = from_source(i) + shift;
          to_target(begin + i) = from_target(i) + shift;
        });
    first_vertex += part.num_vertices;
    first_edge += part.num_edges();
  }
  fence(space, "dromos::generate::disjoint_union");
  return all;
}

}  // namespace dromos
