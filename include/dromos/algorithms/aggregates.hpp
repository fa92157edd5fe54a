// SPDX-License-Identifier: BSD-3-Clause
// Aggregates around the members of a maximal independent set at distance 2 (algorithms/mis2.hpp): what algebraic
// multigrid makes the unknowns of the next coarser level of.
//
//   path 0-1-2-3-4-5, members 1 and 4     0 1 2 belong to 1, and 3 4 5 to 4
//
// A vertex beside a member belongs to it; it is beside no other, since members are three edges apart. Who is beside
// none belongs to the aggregate of a neighbor that is: of several, to that of the smallest member. So each aggregate
// hangs together by itself, all within two edges of its member, and depends on graph and members alone.
//
// Source: N. Bell, S. Dalton, L. N. Olson, "Exposing fine-grained parallelism in algebraic multigrid methods", SIAM
// J. Sci. Comput. 2012 (aggregation by two passes over the neighbors of a distance-2 set).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/traverse/gather.hpp>
#include <string>
#include <type_traits>

namespace dromos {

namespace detail {

/// Members are their own.
template <class Vertex, class Memory>
struct StartAggregates {
  Kokkos::View<const Vertex*, Memory> member;
  Kokkos::View<Vertex*, Memory> root;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    root(v) = member(v) != 0 ? static_cast<Vertex>(v) : no_vertex<Vertex>;
  }
};

/// The smallest member that a neighbor belongs to.
template <class Vertex, class Memory>
struct RootOfNeighbor {
  using Combine = Smallest<Vertex>;
  Kokkos::View<const Vertex*, Memory> root;
  KOKKOS_FORCEINLINE_FUNCTION Vertex edge(Vertex, Vertex v, Offset) const {
    const Vertex of_neighbor = root.data()[v];
    return of_neighbor == no_vertex<Vertex> ? Combine::largest : of_neighbor;
  }
};

/// Who belongs to none takes what it has found; counts who found nothing.
template <class Vertex, class Memory>
struct JoinAggregate {
  Kokkos::View<const Vertex*, Memory> found;
  Kokkos::View<Vertex*, Memory> root;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& num_left) const {
    if (root(v) != no_vertex<Vertex>) return;
    if (found(v) == Smallest<Vertex>::largest) {
      ++num_left;
    } else {
      root(v) = found(v);
    }
  }
};

}  // namespace detail

/// Deals all vertices out to the members of a maximal independent set at distance 2.
///
/// \param space     execution space instance; its memory space holds graph and result
/// \param graph     as of mis2()
/// \param member    as mis2() gives it: 1 for members, 0 for others
/// \param root      out: by vertex the member that it belongs to, sized on first use
/// \param strategy  how edges are dealt out to threads
/// \throws ArgumentError for a directed graph, where there is not one element of `member` for each vertex, and where a
///         vertex is not within two edges of a member
///
/// Cost: two passes over the edges. Memory of the call: an id a vertex. Waits.
template <class Space, class Graph, class Vertex, class Memory>
void aggregates(const Space& space, const Graph& graph, const Kokkos::View<Vertex*, Memory>& member,
                Kokkos::View<Vertex*, Memory>& root, const Strategy& strategy = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::aggregates");
  const std::int64_t n = graph.num_vertices();
  if (is_directed(graph)) {
    throw ArgumentError(
        "aggregates: distances are meant in both directions, and this graph is directed; take what mis2() took");
  }
  if (static_cast<std::int64_t>(member.extent(0)) != n) {
    throw ArgumentError("aggregates: there are " + std::to_string(member.extent(0)) +
                        " elements that say who is a "
                        "member, and " +
                        std::to_string(n) + " vertices; mis2() gives one for each");
  }
  detail::ensure_size(root, static_cast<std::size_t>(n), "dromos::aggregates::root");
  if (n == 0) return;
  const Kokkos::View<Vertex*, Memory> found("dromos::aggregates::found", static_cast<std::size_t>(n));
  for_range("dromos::aggregates::start", space, n, detail::StartAggregates<Vertex, Memory>{member, root});
  std::int64_t num_left = 0;
  for (int distance = 1; distance <= 2; ++distance) {
    gather_all(space, view_of(graph), detail::RootOfNeighbor<Vertex, Memory>{root}, found, strategy);
    reduce_range("dromos::aggregates::join", space, n, detail::JoinAggregate<Vertex, Memory>{found, root}, num_left);
  }
  if (num_left > 0) {
    throw ArgumentError("aggregates: " + std::to_string(num_left) + " of " + std::to_string(n) +
                        " vertices are not within two edges of a member; give the set that mis2() finds in this graph");
  }
}

// Compiled once, in src/algorithms/coloring.cpp.
#define DROMOS_AGGREGATES(EXTERN, GRAPH, VERTEX)                                                               \
  EXTERN template void aggregates(                                                                             \
      const Kokkos::DefaultExecutionSpace&, const GRAPH<VERTEX, Kokkos::DefaultExecutionSpace::memory_space>&, \
      const Kokkos::View<VERTEX*, Kokkos::DefaultExecutionSpace::memory_space>&,                               \
      Kokkos::View<VERTEX*, Kokkos::DefaultExecutionSpace::memory_space>&, const Strategy&);
DROMOS_AGGREGATES(extern, CsrGraph, std::int32_t)
DROMOS_AGGREGATES(extern, CsrGraph, std::int64_t)
DROMOS_AGGREGATES(extern, SymmetricPattern, std::int32_t)
DROMOS_AGGREGATES(extern, SymmetricPattern, std::int64_t)

}  // namespace dromos
