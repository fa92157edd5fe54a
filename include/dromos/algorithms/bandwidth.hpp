// SPDX-License-Identifier: BSD-3-Clause
// How far from the diagonal a symmetric matrix reaches when its rows stand in a given order.
//
//   path 0-2-1     new_id = 0 1 2: entries (0, 2) and (2, 1), bandwidth 2, profile 0 + 0 + 2 = 2
//                  new_id = 0 2 1: 2 stands second, bandwidth 1, profile 0 + 1 + 1 = 2
//
// bandwidth  the largest distance |new_id(u) - new_id(v)| over all edges (u, v)
// profile    the sum over all rows of the distance from the first entry of the row to the diagonal: what a
// factorization
//            that keeps the envelope stores
//
// Both are one gather of the loop nest: the largest distance of a vertex, the first place among its neighbors.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/gather.hpp>
#include <string>

namespace dromos {

namespace detail {

/// The distance between the two ends of an edge.
template <class Vertex, class Memory>
struct DistanceInOrder {
  using Combine = Largest<Vertex>;
  Kokkos::View<const Vertex*, Memory> new_id;

  KOKKOS_FORCEINLINE_FUNCTION Vertex edge(Vertex u, Vertex v, Offset) const {
    const Vertex difference = new_id(u) - new_id(v);
    return difference < 0 ? -difference : difference;
  }
};

/// Where a neighbor stands.
template <class Vertex, class Memory>
struct PlaceOfNeighbor {
  using Combine = Smallest<Vertex>;
  Kokkos::View<const Vertex*, Memory> new_id;

  KOKKOS_FORCEINLINE_FUNCTION Vertex edge(Vertex, Vertex v, Offset) const { return new_id(v); }
};

template <class Graph, class Vertex, class Memory>
void check_order(const Graph& graph, const Kokkos::View<Vertex*, Memory>& new_id) {
  if (static_cast<std::int64_t>(new_id.extent(0)) == graph.num_vertices()) return;
  throw ArgumentError("an order of " + std::to_string(new_id.extent(0)) +
                      " vertices is not one of this graph, which has " + std::to_string(graph.num_vertices()) +
                      "; give every vertex its place");
}

}  // namespace detail

/// The bandwidth of the graph's matrix in the order in which vertex v is row new_id(v); 0 without edges.
///
/// \param graph   a CsrGraph, the SymmetricPattern of one (A + A^T has the bandwidth of A), or any graph view
/// \param new_id  a permutation of [0, num_vertices), by vertex, in the memory of the graph
/// \throws ArgumentError when new_id has another length
/// Cost: one pass over the edges, num_vertices ids of memory. Waits.
template <class Space, class Graph, class Vertex, class Memory>
std::int64_t bandwidth(const Space& space, const Graph& graph, const Kokkos::View<Vertex*, Memory>& new_id,
                       const Strategy& strategy = {}) {
  detail::check_order(graph, new_id);
  const std::int64_t n = graph.num_vertices();
  if (n == 0) return 0;
  const Kokkos::View<Vertex*, Memory> farthest("dromos::bandwidth::farthest", static_cast<std::size_t>(n));
  gather_all(space, view_of(graph), detail::DistanceInOrder<Vertex, Memory>{new_id}, farthest, strategy);
  return dromos::max<std::int64_t>(0, detail::largest_value("dromos::bandwidth::largest", space, farthest));
}

namespace detail {

template <class Vertex, class Memory>
struct SumProfile {
  Kokkos::View<const Vertex*, Memory> first, new_id;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    if (first(v) < new_id(v)) sum += static_cast<std::int64_t>(new_id(v) - first(v));
  }
};

}  // namespace detail

/// The profile of the graph's matrix in that order. Parameters, errors and cost as of bandwidth().
template <class Space, class Graph, class Vertex, class Memory>
std::int64_t profile(const Space& space, const Graph& graph, const Kokkos::View<Vertex*, Memory>& new_id,
                     const Strategy& strategy = {}) {
  detail::check_order(graph, new_id);
  const std::int64_t n = graph.num_vertices();
  if (n == 0) return 0;
  const Kokkos::View<Vertex*, Memory> first("dromos::profile::first", static_cast<std::size_t>(n));
  gather_all(space, view_of(graph), detail::PlaceOfNeighbor<Vertex, Memory>{new_id}, first, strategy);
  std::int64_t total = 0;
  reduce_range("dromos::profile::sum", space, n, detail::SumProfile<Vertex, Memory>{first, new_id}, total);
  return total;
}

}  // namespace dromos
