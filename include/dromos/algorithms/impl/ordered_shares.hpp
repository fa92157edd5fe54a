// SPDX-License-Identifier: BSD-3-Clause
// Shares of PageRank in an order of their own, for graphs whose shares are more than the caches hold. Where vertices
// are numbered at random, what is fetched with a hub's share are those of vertices that hardly anybody asks for. So the
// shares that many edges ask for lie together, in classes of out-degrees, and each class in the order that it had:
//
//   classes: 32, 16, 8, 4, 2 times the mean degree and more; the mean and more; with edges at all; without
//   out-degrees 0 1 9 1 5, mean 3.2   place 4 2 0 3 1: vertex 2 first, then 4, then 1 and 3
//
// and the in-edges are once more in an array that says where their share lies. Rows stay as they are, and so does the
// order in which a rank is summed.
//
// Source: P. Faldu, J. Diamond, B. Grot, "A Closer Look at Lightweight Graph Reordering", IISWC 2019 (classes that keep
// their order, of whole graphs).
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/core/device_limits.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <limits>
#include <string>

namespace dromos::detail {

/// Where shares lie, and where those are that each in-edge asks for. Empty until they are wanted.
template <class Vertex, class Memory>
struct OrderedShares {
  /// Of a part of a distributed graph: how many of its in-edges come from each vertex, which no degree says there.
  Kokkos::View<std::uint32_t*, Memory> num_asking;
  Kokkos::View<Vertex*, Memory> place;    ///< by vertex; a permutation
  Kokkos::View<Vertex*, Memory> sources;  ///< by in-edge: the place of the vertex that it comes from
  double part_of_hubs = -1;               ///< of the edges; below zero: not counted yet

  bool made() const { return place.extent(0) > 0; }
};

template <class Vertex, class Memory>
struct CountAsking {
  Kokkos::View<const Vertex*, Memory> entries;
  Kokkos::View<std::uint32_t*, Memory> num_asking;
  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    atomic_fetch_add(&num_asking.data()[load_streamed(&entries.data()[e])], 1u);
  }
};

/// These counts as degrees.
template <class Vertex, class Memory>
struct AskingDegrees {
  using vertex_type = Vertex;
  Kokkos::View<const std::uint32_t*, Memory> num_asking;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(Vertex v) const { return static_cast<Offset>(num_asking.data()[v]); }
  std::int64_t num_vertices() const { return static_cast<std::int64_t>(num_asking.extent(0)); }
};

/// Made once a scratch.
template <class Space, class Vertex, class Memory>
AskingDegrees<Vertex, Memory> asking_degrees(const Space& space, std::int64_t num_vertices,
                                             const CsrView<Vertex, Memory>& in_edges,
                                             OrderedShares<Vertex, Memory>& shares) {
  if (static_cast<std::int64_t>(shares.num_asking.extent(0)) != num_vertices) {
    shares.num_asking = Kokkos::View<std::uint32_t*, Memory>("dromos::pagerank::num_asking", num_vertices);
    for_range("dromos::pagerank::num_asking", space, static_cast<std::int64_t>(in_edges.entries.extent(0)),
              CountAsking<Vertex, Memory>{in_edges.entries, shares.num_asking});
  }
  return {shares.num_asking};
}

/// Vertices of that many edges get the next places, in their order.
template <class Graph, class Memory>
struct PlaceClass {
  using Vertex = typename Graph::vertex_type;
  Graph graph;
  Kokkos::View<Vertex*, Memory> place;
  Offset least, below;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum, bool final) const {
    const Offset degree = graph.degree(static_cast<Vertex>(v));
    if (degree < least || degree >= below) return;
    if (final) place.data()[v] = static_cast<Vertex>(first + sum);
    ++sum;
  }
};

template <class Vertex, class Memory>
struct PlaceSources {
  Kokkos::View<const Vertex*, Memory> place, entries;
  Kokkos::View<Vertex*, Memory> sources;
  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    sources.data()[e] = place.data()[load_streamed(&entries.data()[e])];
  }
};

/// Adds up the edges of those that have so many.
template <class Graph>
struct EdgesOfHubs {
  Graph graph;
  double least;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    const Offset degree = graph.degree(static_cast<typename Graph::vertex_type>(v));
    if (static_cast<double>(degree) >= least) sum += degree;
  }
};

/// What ordering is to be worth it for.
struct ShareTraffic {
  double bytes_of_shares;
  double bytes_of_cache;  ///< 0: not known
  double part_of_hubs;    ///< of the edges: those of vertices with `hub_degree` times the mean
  double num_iterations;  ///< at the most
  double fewest_iterations = 8;
};

/// Iterations that make up for what ordering takes, which on CPUs is first of all new memory.
template <class Space>
inline constexpr double iterations_worth_ordering = is_gpu<Space> ? 8 : 24;

/// Bytes of shares that are asked for as fast in any order. Cores of a CPU hide what the next cache takes while one in
/// a few shares comes from it.
template <class Space>
std::int64_t shares_in_any_order(const Space& space) {
  return (is_gpu<Space> ? 1 : 8) * near_cache_bytes(space);
}

/// A hub has so many times the mean degree: at most a quarter of the vertices do.
inline constexpr double hub_degree = 4;

/// Do most edges ask for few shares that would fit the cache if they lay together, and often enough to make up for what
/// ordering takes?
constexpr bool worth_ordering(const ShareTraffic& traffic) {
  constexpr double least_part_of_hubs = 0.5;
  return traffic.bytes_of_cache > 0 && traffic.bytes_of_shares > traffic.bytes_of_cache &&
         traffic.part_of_hubs >= least_part_of_hubs && traffic.num_iterations >= traffic.fewest_iterations;
}

/// How many iterations may be needed until the ranks change by less than the tolerance: each shrinks their changes by
/// the damping.
inline double expected_iterations(double damping, double tolerance, int most) {
  if (damping == 0) return 1;
  if (tolerance <= 0) return most;
  return dromos::min<double>(most, dromos::max(1.0, 1 + std::log(tolerance) / std::log(damping)));
}

/// The edges of hubs, as a part of all.
///
/// \param degrees  a graph view, of which degrees are asked for alone, or what else has them
template <class Space, class Degrees>
double part_of_hubs(const Space& space, const Degrees& degrees, Offset num_arcs) {
  const std::int64_t n = degrees.num_vertices();
  const auto num_edges = static_cast<double>(num_arcs);
  if (num_arcs == 0) return 0;
  std::int64_t of_hubs = 0;
  reduce_range("dromos::pagerank::hubs", space, n,
               EdgesOfHubs<Degrees>{degrees, hub_degree * num_edges / static_cast<double>(n)}, of_hubs);
  return static_cast<double>(of_hubs) / num_edges;
}

/// Makes both arrays. Waits. Cost: a pass over the in-edges, whose vertices are asked for their places, and eight over
/// the degrees; memory: an id for every vertex and every in-edge.
///
/// \param degrees   how many of the in-edges come from each vertex: a view of the graph, or what else has them
/// \param in_edges  the graph turned round
template <class Space, class Degrees, class Vertex, class Memory>
void order_shares(const Space& space, const Degrees& degrees, const CsrView<Vertex, Memory>& in_edges,
                  OrderedShares<Vertex, Memory>& shares) {
  const std::int64_t n = degrees.num_vertices();
  const double mean = static_cast<double>(in_edges.num_edges()) / static_cast<double>(dromos::max<std::int64_t>(1, n));
  Kokkos::View<Vertex*, Memory> place;
  ensure_size(place, static_cast<std::size_t>(n), "dromos::pagerank::place");
  ensure_size(shares.sources, in_edges.entries.extent(0), "dromos::pagerank::sources");
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> vertices(space, 0, n);
  Offset below = std::numeric_limits<Offset>::max();
  std::int64_t first = 0;
  for (const double times : {32., 16., 8., 4., 2., 1., 0., -1.}) {
    Offset least = 0;  // at last those without edges
    if (times >= 0) least = dromos::max<Offset>(1, static_cast<Offset>(std::ceil(times * mean)));
    if (least >= below) continue;
    std::int64_t num_placed = 0;
    Kokkos::parallel_scan("dromos::pagerank::place", vertices,
                          PlaceClass<Degrees, Memory>{degrees, place, least, below, first}, num_placed);
    first += num_placed;
    below = least;
  }
  for_range("dromos::pagerank::sources", space, static_cast<std::int64_t>(in_edges.entries.extent(0)),
            PlaceSources<Vertex, Memory>{place, in_edges.entries, shares.sources});
  fence(space, "dromos::pagerank::sources");
  shares.place = place;
}

}  // namespace dromos::detail
