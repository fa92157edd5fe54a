// SPDX-License-Identifier: BSD-3-Clause
// Are these bounds of the diameter? Two rules, one function each:
//
//   1  the lower bound is the distance of the two vertices that are named with it
//   2  no vertex of the component has another farther away than the upper bound
//
// Rule 2 searches serially from every vertex of the component where that takes no more edges than allowed, and proves
// the bound then; where it takes more, from as many vertices as allowed, and can only disprove it.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <vector>

namespace dromos {

/// Rule 1. The graph is on the host.
template <class Vertex>
RuleResult lower_bound_is_a_distance(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex from, Vertex to,
                                     Level lower) {
  for (const Vertex end : {from, to}) {
    if (end < 0 || end >= graph.num_vertices()) return {false, std::to_string(end) + " is not a vertex"};
  }
  const Level distance = reference::bfs_levels(graph, from)[to];
  if (distance == lower) return {};
  return {false, "vertices " + std::to_string(from) + " and " + std::to_string(to) + " are " +
                     (distance == no_level ? "not connected" : std::to_string(distance) + " edges apart") +
                     ", and the lower bound is " + std::to_string(lower)};
}

/// Rule 2. The graph is on the host; `start` is in the component.
template <class Vertex>
RuleResult upper_bound_holds(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex start, Level upper,
                             std::int64_t max_edges) {
  std::vector<Vertex> members;
  std::int64_t edges_a_search = 1;
  const std::vector<Level> component = reference::bfs_levels(graph, start);
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    if (component[v] == no_level) continue;
    members.push_back(v);
    edges_a_search += graph.row_map(v + 1) - graph.row_map(v) + 1;
  }
  const std::int64_t size = static_cast<std::int64_t>(members.size());
  const std::int64_t searches = std::clamp<std::int64_t>(max_edges / edges_a_search, 1, size);
  for (std::int64_t i = 0; i < searches; ++i) {
    const Vertex root = members[static_cast<std::size_t>(size * i / searches)];
    const std::vector<Level> level = reference::bfs_levels(graph, root);
    const Level depth = *std::max_element(level.begin(), level.end());
    if (depth <= upper) continue;
    return {false, "vertex " + std::to_string(root) + " has another " + std::to_string(depth) +
                       " edges away, and the upper bound is " + std::to_string(upper)};
  }
  return {};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph      undirected, in any memory space
/// \param from, to   two vertices, `lower` apart
/// \param max_edges  that rule 2 may look at; a second takes some 10^8
template <class Vertex, class Memory>
RuleResult validate_diameter(const CsrGraph<Vertex, Memory>& graph, Vertex from, Vertex to, Level lower, Level upper,
                             std::int64_t max_edges = std::int64_t(1) << 30) {
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const RuleResult result = lower_bound_is_a_distance(on_host, from, to, lower);
  return result.holds ? upper_bound_holds(on_host, from, upper, max_edges) : result;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_diameter(const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                             std::int32_t, std::int32_t, Level, Level, std::int64_t);
extern template RuleResult validate_diameter(const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                             std::int64_t, std::int64_t, Level, Level, std::int64_t);

}  // namespace dromos
