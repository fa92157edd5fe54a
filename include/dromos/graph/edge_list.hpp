// SPDX-License-Identifier: BSD-3-Clause
// A graph as a list of (source, target) pairs: what generators and readers produce and build_csr() consumes.
//
// Structure of arrays, so that a kernel that needs only the sources streams only the sources. An edge list states
// edges as they came: self loops and duplicates included, each undirected edge once or twice. What becomes of them is
// decided by BuildOptions (graph/build_csr.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/types.hpp>

namespace dromos {

/// Vertex: id type. Memory: the Kokkos memory space that holds the arrays.
template <class Vertex = DefaultVertex, class Memory = Kokkos::DefaultExecutionSpace::memory_space>
struct EdgeList {
  static_assert(is_vertex_type<Vertex>, "vertex ids are std::int32_t or std::int64_t");
  using vertex_type = Vertex;
  using memory_space = Memory;

  /// Vertices are numbered 0 .. num_vertices - 1; every endpoint below is one of them.
  Vertex num_vertices = 0;
  Kokkos::View<Vertex*, Memory> source;
  Kokkos::View<Vertex*, Memory> target;
  /// One weight per edge, or no element at all for an unweighted graph.
  Kokkos::View<float*, Memory> weight;

  EdgeList() = default;
  EdgeList(Vertex n, Offset num_edges)
      : num_vertices(n),
        source(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::edge_list::source"), num_edges),
        target(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::edge_list::target"), num_edges) {}

  Offset num_edges() const { return static_cast<Offset>(source.extent(0)); }
  bool weighted() const { return weight.extent(0) != 0; }
};

/// The same edge list in another memory space; shares the arrays when they are reachable there already.
template <class Memory, class Vertex, class FromMemory>
EdgeList<Vertex, Memory> copy_to(const EdgeList<Vertex, FromMemory>& from) {
  EdgeList<Vertex, Memory> to;
  to.num_vertices = from.num_vertices;
  to.source = Kokkos::create_mirror_view_and_copy(Memory(), from.source);
  to.target = Kokkos::create_mirror_view_and_copy(Memory(), from.target);
  to.weight = Kokkos::create_mirror_view_and_copy(Memory(), from.weight);
  return to;
}

}  // namespace dromos
