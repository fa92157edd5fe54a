// SPDX-License-Identifier: BSD-3-Clause
// Are these the distances from a root? Four rules, one function each:
//
//   1  the root has distance 0, and no distance is negative or not a number
//   2  no edge offers its end a shorter distance than it has: so no distance is too large, and what is reached is
//      reached
//   3  every finite distance is realised: edges (u, v) with d(v) = d(u) + w lead from the root to the vertex
//   4  distances in single precision are within a tolerance of those in double
//
// Rule 3 asks for a way from the root and not just for one such edge, because the edges of weight 0 of a cycle would
// vouch for each other. Sums are in the type of the distances, as sssp() adds, so that comparisons are exact. Of whole
// numbers the rules 1 to 3 prove the distances right without a second search; of double they prove them right to 2^-53
// of a distance for each edge of its path, 1e-9 after nine million edges. A float has lost 6e-8 after one edge, and the
// same rules would let 16777216 + 1 + 1 + 1 be 16777216: rule 4 asks a serial search in double. Arbitrary garbage is
// safe.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

/// A distance in single precision may be wrong by this part of it: about one unit in its last place.
inline constexpr double default_distance_tolerance = 1e-7;

namespace detail {

/// What a vertex has that was not reached.
template <class Distance>
inline constexpr Distance unreached = std::numeric_limits<Distance>::has_infinity
                                          ? std::numeric_limits<Distance>::infinity()
                                          : std::numeric_limits<Distance>::max();

/// d + w; whole numbers that would not fit stay the largest.
template <class Distance>
KOKKOS_FORCEINLINE_FUNCTION Distance offered_distance(Distance d, float w) {
  const Distance length = static_cast<Distance>(w);
  if constexpr (std::is_integral_v<Distance>) {
    constexpr Distance most = unreached<Distance>;
    return d > most - length ? most : d + length;
  } else {
    return d + length;
  }
}

template <class Vertex, class Distance, class Memory>
struct DistanceIsWrong {
  Kokkos::View<const Distance*, Memory> distance;
  Vertex root;
  KOKKOS_FUNCTION bool operator()(std::int64_t i) const {
    return !(distance(i) >= 0) || (i == root && distance(i) != 0);
  }
};

}  // namespace detail

/// Rule 1. `distance` is in the memory space of `space`.
template <class Space, class Vertex, class Distance, class Memory>
RuleResult root_is_at_zero(const Space& space, Vertex root, const Kokkos::View<const Distance*, Memory>& distance) {
  const std::int64_t n = static_cast<std::int64_t>(distance.extent(0));
  if (root < 0 || root >= n) return {false, "the root " + std::to_string(root) + " is not a vertex"};
  const std::int64_t v =
      detail::first_wrong_vertex<Memory>(space, n, detail::DistanceIsWrong<Vertex, Distance, Memory>{distance, root});
  if (v == detail::no_witness) return {};
  if (v == root) return {false, "the root " + std::to_string(root) + " does not have distance 0"};
  return {false, "the distance of vertex " + std::to_string(v) + " is negative or not a number"};
}

namespace detail {

template <class Vertex, class Distance, class Memory>
struct ReportUnrelaxed {
  Kokkos::View<const Distance*, Memory> distance;
  Kokkos::View<const float*, Memory> weights;
  Witness<Memory> witness;

  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset e) const {
    if (detail::offered_distance(distance(u), weights(e)) < distance(v)) witness.report(e);
  }
};

}  // namespace detail

/// Rule 2. `distance` has num_vertices elements, in the memory of the graph, which has weights.
template <class Space, class Vertex, class Distance, class Memory>
RuleResult edges_are_relaxed(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                             const Kokkos::View<const Distance*, Memory>& distance) {
  const detail::Witness<Memory> witness;
  for_each_arc("dromos::validate::relaxed", space, graph.view(),
               detail::ReportUnrelaxed<Vertex, Distance, Memory>{distance, graph.weights, witness});
  const std::int64_t e = witness.get(space);
  if (e == detail::no_witness) return {};
  std::int64_t u, v;
  const std::string edge = detail::describe_arc(graph.view(), e, u, v);
  return {false, edge + " offers vertex " + std::to_string(v) + " a shorter distance than it has"};
}

/// Rule 3: a serial search over the edges that realise distances. Graph and `distance` are on the host.
template <class Vertex, class Distance>
RuleResult distances_are_realised(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex root,
                                  const Kokkos::View<const Distance*, Kokkos::HostSpace>& distance) {
  std::vector<bool> realised(static_cast<std::size_t>(graph.num_vertices()), false);
  std::vector<Vertex> waiting{root};
  realised[root] = true;
  while (!waiting.empty()) {
    const Vertex u = waiting.back();
    waiting.pop_back();
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (realised[v] || detail::offered_distance(distance(u), graph.weights(e)) != distance(v)) continue;
      realised[v] = true;
      waiting.push_back(v);
    }
  }
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    if (realised[v] || distance(v) == detail::unreached<Distance>) continue;
    return {false, "no path from the root to vertex " + std::to_string(v) + " has the length of its distance"};
  }
  return {};
}

/// Rule 4: Dijkstra's algorithm in double. Graph and `distance` are on the host.
template <class Vertex, class Distance>
RuleResult distances_are_precise(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex root,
                                 const Kokkos::View<const Distance*, Kokkos::HostSpace>& distance, double tolerance) {
  const std::vector<double> exact = reference::shortest_distances<double>(graph, root);
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    const double found = static_cast<double>(distance(v)), right = exact[static_cast<std::size_t>(v)];
    if (found == right || std::abs(found - right) <= tolerance * right) continue;
    return {false, "the distance of vertex " + std::to_string(v) + " is " + std::to_string(found) + ", in double " +
                       std::to_string(right) + ", which differ by more than the tolerance of single precision"};
  }
  return {};
}

/// All rules; the first that does not hold speaks.
///
/// \param graph     with weights, in any memory space; whole ones below 2^62 where distances are whole numbers
/// \param distance  distances to judge, of std::int64_t, double or float: num_vertices elements, in the memory of the
///                  graph; no_distance where not reached
/// \param tolerance  how far a distance of float may be from that in double, as a part of the latter; others are exact
///                  in their type
/// Cost: a parallel and a serial pass over the edges, the latter on the host, and there the graph once more; of float
/// a serial search besides.
template <class Space, class Vertex, class Distance, class Memory>
RuleResult validate_distances(const Space& space, const CsrGraph<Vertex, Memory>& graph, Vertex root,
                              const Kokkos::View<Distance*, Memory>& distance,
                              double tolerance = default_distance_tolerance) {
  if (distance.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(distance.extent(0)) + " distances for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const Kokkos::View<const Distance*, Memory> distances = distance;
  RuleResult result = root_is_at_zero(space, root, distances);
  if (result.holds) result = edges_are_relaxed(space, graph, distances);
  if (result.holds) {
    const auto on_host = copy_to<Kokkos::HostSpace>(graph);
    const Kokkos::View<const Distance*, Kokkos::HostSpace> host_distances =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distance);
    result = distances_are_realised(on_host, root, host_distances);
    if (std::is_same_v<Distance, float> && result.holds) {
      result = distances_are_precise(on_host, root, host_distances, tolerance);
    }
  }
  return result;
}

// Compiled once in the library for the default execution space, both widths of ids and every type of distances.
#define DROMOS_VALIDATE_DISTANCES(DECLARE, VERTEX, DISTANCE)                                                      \
  DECLARE RuleResult validate_distances(                                                                          \
      const Kokkos::DefaultExecutionSpace&, const CsrGraph<VERTEX, Kokkos::DefaultExecutionSpace::memory_space>&, \
      VERTEX, const Kokkos::View<DISTANCE*, Kokkos::DefaultExecutionSpace::memory_space>&, double);
#define DROMOS_VALIDATE_DISTANCES_OF_EACH_TYPE(DECLARE, VERTEX) \
  DROMOS_VALIDATE_DISTANCES(DECLARE, VERTEX, std::int64_t)      \
  DROMOS_VALIDATE_DISTANCES(DECLARE, VERTEX, double)            \
  DROMOS_VALIDATE_DISTANCES(DECLARE, VERTEX, float)
DROMOS_VALIDATE_DISTANCES_OF_EACH_TYPE(extern template, std::int32_t)
DROMOS_VALIDATE_DISTANCES_OF_EACH_TYPE(extern template, std::int64_t)

}  // namespace dromos
