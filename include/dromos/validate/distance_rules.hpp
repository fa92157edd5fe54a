// SPDX-License-Identifier: BSD-3-Clause
// Are these the distances from a root? Three rules, one function each:
//
//   1  the root has distance 0, and no distance is negative or not a number
//   2  no edge offers its end a shorter distance than it has; so no distance is too large, and what is reached is
//   reached 3  every finite distance is realised: edges (u, v) with d(v) = d(u) + w lead from the root to the vertex
//
// Rule 3 asks for a way from the root and not just for one such edge, because the edges of weight 0 of a cycle would
// vouch for each other. Together the rules prove the distances right without a second search of the same kind. Sums
// are in single precision, as sssp() adds, so that all comparisons are exact. Arbitrary garbage is safe.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <limits>
#include <string>
#include <vector>

namespace dromos {

/// Rule 1. `distance` is in the memory space of `space`.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE RuleResult root_is_at_zero(const Space& space, Vertex root,
                                                 const Kokkos::View<const float*, Memory>& distance) {
  const std::int64_t n = static_cast<std::int64_t>(distance.extent(0));
  if (root < 0 || root >= n) return {false, "the root " + std::to_string(root) + " is not a vertex"};
  const std::int64_t v = detail::first_wrong_vertex<Memory>(
      space, n, KOKKOS_LAMBDA(const std::int64_t i) { return !(distance(i) >= 0) || (i == root && distance(i) != 0); });
  if (v == detail::no_witness) return {};
  if (v == root) return {false, "the root " + std::to_string(root) + " does not have distance 0"};
  return {false, "the distance of vertex " + std::to_string(v) + " is negative or not a number"};
}

/// Rule 2. `distance` has num_vertices elements, in the memory of the graph, which has weights.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE RuleResult edges_are_relaxed(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                                   const Kokkos::View<const float*, Memory>& distance) {
  const auto weights = graph.weights;
  const detail::Witness<Memory> witness;
  for_each_arc(
      "dromos::validate::relaxed", space, graph.view(), KOKKOS_LAMBDA(const Vertex u, const Vertex v, const Offset e) {
        if (distance(u) + weights(e) < distance(v)) witness.report(e);
      });
  const std::int64_t e = witness.get(space);
  if (e == detail::no_witness) return {};
  std::int64_t u, v;
  const std::string edge = detail::describe_arc(graph.view(), e, u, v);
  return {false, edge + " offers vertex " + std::to_string(v) + " a shorter distance than it has"};
}

/// Rule 3: a serial search over the edges that realise distances. Graph and `distance` are on the host.
template <class Vertex>
RuleResult distances_are_realised(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex root,
                                  const Kokkos::View<const float*, Kokkos::HostSpace>& distance) {
  std::vector<bool> realised(static_cast<std::size_t>(graph.num_vertices()), false);
  std::vector<Vertex> waiting{root};
  realised[root] = true;
  while (!waiting.empty()) {
    const Vertex u = waiting.back();
    waiting.pop_back();
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (realised[v] || distance(u) + graph.weights(e) != distance(v)) continue;
      realised[v] = true;
      waiting.push_back(v);
    }
  }
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    if (realised[v] || distance(v) == std::numeric_limits<float>::infinity()) continue;
    return {false, "no path from the root to vertex " + std::to_string(v) + " has the length of its distance"};
  }
  return {};
}

/// All three rules; the first that does not hold speaks.
///
/// \param graph     with weights, in any memory space
/// \param distance  distances to judge: num_vertices elements, in the memory of the graph; infinity where not reached
/// Cost: a parallel and a serial pass over the edges, the latter on the host, and there the graph once more.
template <class Space, class Vertex, class Memory>
RuleResult validate_distances(const Space& space, const CsrGraph<Vertex, Memory>& graph, Vertex root,
                              const Kokkos::View<float*, Memory>& distance) {
  if (distance.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(distance.extent(0)) + " distances for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const Kokkos::View<const float*, Memory> distances = distance;
  RuleResult result = root_is_at_zero(space, root, distances);
  if (result.holds) result = edges_are_relaxed(space, graph, distances);
  if (result.holds) {
    result = distances_are_realised<Vertex>(copy_to<Kokkos::HostSpace>(graph), root,
                                            Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distance));
  }
  return result;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_distances(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int32_t, const Kokkos::View<float*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_distances(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, const Kokkos::View<float*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
