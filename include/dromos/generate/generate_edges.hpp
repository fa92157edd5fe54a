// SPDX-License-Identifier: BSD-3-Clause
// From a generator to an edge list, in parallel.
//
// A generator is a small object that kernels take by value, in which edge i is a pure function of i:
//
//   std::int64_t num_vertices() const;
//   Offset num_edges() const;
//   KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const;
//
// So any slice [first, last) can be made anywhere: the ranks of a distributed run each make their own, and together
// they have exactly the list that one thread would have made.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>

namespace dromos {

namespace detail {

template <class Vertex, class Memory, class Generator>
struct GenerateEdges {
  Generator generator;
  Offset first;
  Kokkos::View<Vertex*, Memory> source, target;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Vertex u, v;
    generator.edge(first + i, u, v);
    source(i) = u;
    target(i) = v;
  }
};

}  // namespace detail

/// Edges first .. last - 1 of the generator, in its order, in the memory of the execution space; returns once they are
/// there. Cost: last - first calls of edge() and 2 * sizeof(Vertex) bytes each. Throws ArgumentError unless
/// 0 <= first <= last <= generator.num_edges().
template <class Vertex, class Space, class Generator>
EdgeList<Vertex, typename Space::memory_space> generate_edges(const Space& space, const Generator& generator,
                                                              Offset first, Offset last) {
  if (first < 0 || first > last || last > generator.num_edges()) {
    throw ArgumentError("generate_edges: cannot make the edges " + std::to_string(first) + " to " +
                        std::to_string(last) + " of a generator of " + std::to_string(generator.num_edges()) +
                        " edges; expected 0 <= first <= last <= number of edges");
  }
  const EdgeList<Vertex, typename Space::memory_space> edges(static_cast<Vertex>(generator.num_vertices()),
                                                             last - first);
  for_range("dromos::generate::edges", space, last - first,
            detail::GenerateEdges<Vertex, typename Space::memory_space, Generator>{generator, first, edges.source,
                                                                                   edges.target});
  fence(space, "dromos::generate::edges");
  return edges;
}

/// All edges of the generator.
template <class Vertex, class Space, class Generator>
EdgeList<Vertex, typename Space::memory_space> generate_edges(const Space& space, const Generator& generator) {
  return generate_edges<Vertex>(space, generator, 0, generator.num_edges());
}

namespace generate_detail {

/// Number of vertices of a generated graph, checked against what the id type can number.
template <class Vertex>
std::int64_t checked_num_vertices(const char* generator, std::int64_t num_vertices) {
  if (num_vertices < 0 || num_vertices > max_num_vertices<Vertex>) {
    throw ArgumentError(std::string(generator) + ": the number of vertices is " + std::to_string(num_vertices) +
                        "; expected 0 to " + std::to_string(max_num_vertices<Vertex>) + " for " +
                        std::to_string(8 * sizeof(Vertex)) + "-bit vertex ids");
  }
  return num_vertices;
}

}  // namespace generate_detail
}  // namespace dromos
