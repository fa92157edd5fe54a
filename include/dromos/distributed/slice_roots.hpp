// SPDX-License-Identifier: BSD-3-Clause
// Roots for repeated searches of a distributed graph, as Graph500 asks: distinct, at random, each with an edge that is
// no self loop. The same that generate/random_roots.hpp draws from the whole graph on one node.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/generate/random_roots.hpp>
#include <dromos/graph/edge_list.hpp>
#include <vector>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct MarkSources {
  EdgeList<Vertex, Memory> edges;
  bool directed;
  Bitmap<Memory> marked;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (edges.source(i) == edges.target(i)) return;
    marked.set(edges.source(i));
    if (!directed) marked.set(edges.target(i));
  }
};

/// Marks the vertices from which an edge of the slice leads to another.
template <class Space, class Vertex, class Memory>
void mark_sources(const Space& space, const EdgeList<Vertex, Memory>& edges, bool directed,
                  const Bitmap<Memory>& marked) {
  for_range("dromos::slice_roots::mark", space, edges.num_edges(),
            MarkSources<Vertex, Memory>{edges, directed, marked});
  fence(space, "dromos::slice_roots::mark");
}

}  // namespace detail

/// Up to `count` roots, the same on every rank; fewer where the graph has not so many. Collective.
/// Cost: the OR of a bitmap of all vertices, and 8 bytes a vertex on rank 0.
template <class Space, class Vertex, class Memory>
std::vector<Vertex> slice_roots(const Communicator& communicator, const Space& space,
                                const EdgeList<Vertex, Memory>& edges, bool directed, std::int64_t count,
                                std::uint64_t seed) {
  const std::int64_t n = edges.num_vertices;
  const Bitmap<Memory> marked(n, "dromos::slice_roots::marked");
  detail::mark_sources(space, edges, directed, marked);
  bitwise_or(communicator, space, marked.words());
  std::vector<Vertex> roots;
  if (communicator.rank() == 0) {
    // A graph in which a vertex has one edge or none: all that drawing looks at.
    const auto words = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marked.words());
    CsrGraph<Vertex, Kokkos::HostSpace> degrees;
    degrees.row_map = Kokkos::View<Offset*, Kokkos::HostSpace>("dromos::slice_roots::row_map", n + 1);
    for (std::int64_t v = 0; v < n; ++v) {
      const bool has_edge = (words(Bitmap<Memory>::word_of(v)) & Bitmap<Memory>::mask(v)) != 0;
      degrees.row_map(v + 1) = degrees.row_map(v) + (has_edge ? 1 : 0);
    }
    roots = random_roots(degrees, count, seed);
  }
  std::int64_t num_roots = static_cast<std::int64_t>(roots.size());
  broadcast_in_place(communicator, &num_roots, 1, 0);
  roots.resize(static_cast<std::size_t>(num_roots));
  broadcast_in_place(communicator, roots.data(), num_roots, 0);
  return roots;
}

}  // namespace dromos
