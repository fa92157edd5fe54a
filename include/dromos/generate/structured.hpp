// SPDX-License-Identifier: BSD-3-Clause
// Graphs whose every distance and component is known without a computation: path, cycle, star, grid, complete binary
// tree, and disjoint unions.
//
// Each is a generator in the sense of generate/generate_edges.hpp, so that generate_edges<Vertex>(space, PathEdges<
// Vertex>(n)) makes it, or a slice of it, on any device; path(n) and the like are the short form for the host. Each
// undirected edge occurs once, directed away from the lower number (the closing edge of a cycle excepted), so that read
// as directed graphs they make sense as well: a path leads from 0 to n - 1, a star and a tree lead away from vertex 0.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dromos {

/// 0 -> 1 -> 2 -> ... -> n - 1. Constructors throw ArgumentError for a negative n and for one that the ids cannot
/// number; so do those of the generators below.
template <class Vertex>
class PathEdges {
 public:
  explicit PathEdges(std::int64_t n) : n_(generate_detail::checked_num_vertices<Vertex>("path", n)) {}
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return n_; }
  KOKKOS_FUNCTION Offset num_edges() const { return n_ == 0 ? 0 : n_ - 1; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    u = static_cast<Vertex>(i);
    v = static_cast<Vertex>(i + 1);
  }

 private:
  std::int64_t n_;
};

/// The path and one edge back, n - 1 -> 0. Of one vertex: a self loop. Of two: an edge there and one back.
template <class Vertex>
class CycleEdges {
 public:
  explicit CycleEdges(std::int64_t n) : n_(generate_detail::checked_num_vertices<Vertex>("cycle", n)) {}
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return n_; }
  KOKKOS_FUNCTION Offset num_edges() const { return n_; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    u = static_cast<Vertex>(i);
    v = static_cast<Vertex>(i + 1 == n_ ? 0 : i + 1);
  }

 private:
  std::int64_t n_;
};

/// n vertices: vertex 0 is joined to each of the n - 1 others.
template <class Vertex>
class StarEdges {
 public:
  explicit StarEdges(std::int64_t n) : n_(generate_detail::checked_num_vertices<Vertex>("star", n)) {}
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return n_; }
  KOKKOS_FUNCTION Offset num_edges() const { return n_ == 0 ? 0 : n_ - 1; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    u = 0;
    v = static_cast<Vertex>(i + 1);
  }

 private:
  std::int64_t n_;
};

/// rows x columns vertices, numbered row by row; each is joined to its neighbours to the right and below. First come
/// the edges to the right, row by row, then those down.
///
///   0 - 1 - 2      2 x 3:  0->1 1->2 3->4 4->5   0->3 1->4 2->5
///   |   |   |
///   3 - 4 - 5
template <class Vertex>
class Grid2dEdges {
 public:
  Grid2dEdges(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), num_right_(checked(rows, columns) ? rows * (columns - 1) : 0) {}
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return rows_ * columns_; }
  KOKKOS_FUNCTION Offset num_edges() const { return num_vertices() == 0 ? 0 : num_right_ + (rows_ - 1) * columns_; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    if (i < num_right_) {
      // Each row has one edge fewer than vertices: the row's number is what the vertex is ahead of the edge.
      u = static_cast<Vertex>(i + i / (columns_ - 1));
      v = u + 1;
    } else {
      u = static_cast<Vertex>(i - num_right_);
      v = static_cast<Vertex>(i - num_right_ + columns_);
    }
  }

 private:
  /// False: the grid is empty.
  static bool checked(std::int64_t rows, std::int64_t columns) {
    // Edges are numbered as well, and there are up to twice as many.
    constexpr std::int64_t most =
        max_num_vertices<Vertex> < (std::int64_t(1) << 62) ? max_num_vertices<Vertex> : (std::int64_t(1) << 62) - 1;
    if (rows < 0 || columns < 0 || (columns > 0 && rows > most / columns)) {
      throw ArgumentError("grid: " + std::to_string(rows) + " rows by " + std::to_string(columns) +
                          " columns; expected none negative and at most " + std::to_string(most) + " vertices for " +
                          std::to_string(8 * sizeof(Vertex)) + "-bit vertex ids");
    }
    return rows > 0 && columns > 0;
  }

  std::int64_t rows_, columns_;
  Offset num_right_;
};

/// n vertices numbered as in a binary heap: the parent of v is (v - 1) / 2, all levels but the last are full.
template <class Vertex>
class CompleteBinaryTreeEdges {
 public:
  explicit CompleteBinaryTreeEdges(std::int64_t n)
      : n_(generate_detail::checked_num_vertices<Vertex>("complete binary tree", n)) {}
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return n_; }
  KOKKOS_FUNCTION Offset num_edges() const { return n_ == 0 ? 0 : n_ - 1; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    u = static_cast<Vertex>(i / 2);
    v = static_cast<Vertex>(i + 1);
  }

 private:
  std::int64_t n_;
};

/// The structured graphs by name, whole, on the host.
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> path(std::int64_t n) {
  return generate_edges<Vertex>(Kokkos::DefaultHostExecutionSpace(), PathEdges<Vertex>(n));
}
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> cycle(std::int64_t n) {
  return generate_edges<Vertex>(Kokkos::DefaultHostExecutionSpace(), CycleEdges<Vertex>(n));
}
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> star(std::int64_t n) {
  return generate_edges<Vertex>(Kokkos::DefaultHostExecutionSpace(), StarEdges<Vertex>(n));
}
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> grid_2d(std::int64_t rows, std::int64_t columns) {
  return generate_edges<Vertex>(Kokkos::DefaultHostExecutionSpace(), Grid2dEdges<Vertex>(rows, columns));
}
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> complete_binary_tree(std::int64_t n) {
  return generate_edges<Vertex>(Kokkos::DefaultHostExecutionSpace(), CompleteBinaryTreeEdges<Vertex>(n));
}

namespace detail {

template <class Vertex, class Memory>
struct CopyShifted {
  EdgeList<Vertex, Memory> part;
  Vertex shift;
  Kokkos::View<Vertex*, Memory> source, target;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    source(i) = part.source(i) + shift;
    target(i) = part.target(i) + shift;
  }
};

}  // namespace detail

/// All graphs side by side: the vertices of each are numbered after those of the ones before it. The edges keep their
/// order. Throws ArgumentError where the ids cannot number the sum of the vertices, or only some parts have weights.
template <class Vertex, class Memory>
EdgeList<Vertex, Memory> disjoint_union(const std::vector<EdgeList<Vertex, Memory>>& parts) {
  std::int64_t num_vertices = 0;
  Offset num_edges = 0, num_weights = 0;
  for (const auto& part : parts) {
    num_vertices = generate_detail::checked_num_vertices<Vertex>("disjoint union", num_vertices + part.num_vertices);
    num_edges += part.num_edges();
    num_weights += static_cast<Offset>(part.weight.extent(0));
  }
  if (num_weights != 0 && num_weights != num_edges) {
    throw ArgumentError("disjoint union: " + std::to_string(num_weights) + " weights for " + std::to_string(num_edges) +
                        " edges; expected weights in all parts that have edges or in none");
  }
  EdgeList<Vertex, Memory> all(static_cast<Vertex>(num_vertices), num_edges);
  if (num_weights != 0) {
    all.weight = Kokkos::View<float*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::edge_list::weight"), num_edges);
  }

  using Space = typename Memory::execution_space;
  Vertex first_vertex = 0;
  Offset first_edge = 0;
  for (const auto& part : parts) {
    const std::pair<Offset, Offset> slice(first_edge, first_edge + part.num_edges());
    for_range("dromos::generate::disjoint_union", Space(), part.num_edges(),
              detail::CopyShifted<Vertex, Memory>{part, first_vertex, Kokkos::subview(all.source, slice),
                                                  Kokkos::subview(all.target, slice)});
    if (num_weights != 0) Kokkos::deep_copy(Kokkos::subview(all.weight, slice), part.weight);
    first_vertex += part.num_vertices;
    first_edge += part.num_edges();
  }
  Space().fence();
  return all;
}

}  // namespace dromos
