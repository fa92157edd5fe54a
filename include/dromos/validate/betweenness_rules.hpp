// SPDX-License-Identifier: BSD-3-Clause
// Is this the betweenness from these roots? Two rules, one function each:
//
//   1  the values add up to the number of vertices between the ends of all shortest paths: of each root and each vertex
//      at level l > 0 of a search from it, l - 1
//   2  every value is that of the serial oracle, but for rounding
//
// Both are asked on the host. The first needs levels only, and would catch an oracle that shares a mistake in counting
// paths.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <dromos/validate/reference_measures.hpp>
#include <string>
#include <vector>

namespace dromos {

namespace detail {

/// Equal but for the rounding of sums in another order.
inline bool nearly_equal(double a, double b) { return std::abs(a - b) <= 1e-8 * (1 + std::abs(a) + std::abs(b)); }

}  // namespace detail

/// Rule 1. Graph and `centrality` are on the host.
template <class Vertex>
RuleResult betweenness_adds_up(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const std::vector<Vertex>& roots,
                               const Kokkos::View<const double*, Kokkos::HostSpace>& centrality) {
  double expected = 0, found = 0;
  for (const Vertex root : roots) {
    for (const Level level : reference::bfs_levels(graph, root)) expected += level > 0 ? level - 1 : 0;
  }
  for (std::size_t v = 0; v < centrality.extent(0); ++v) found += centrality(v);
  if (detail::nearly_equal(found, expected)) return {};
  return {false, "the values add up to " + std::to_string(found) + ", but " + std::to_string(expected) +
                     " vertices lie between the ends of shortest paths"};
}

/// Rule 2. Graph and `centrality` are on the host.
template <class Vertex>
RuleResult betweenness_is_serial(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const std::vector<Vertex>& roots,
                                 const Kokkos::View<const double*, Kokkos::HostSpace>& centrality) {
  const std::vector<double> expected = reference::betweenness(graph, roots);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (detail::nearly_equal(centrality(v), expected[v])) continue;
    return {false, "vertex " + std::to_string(v) + " has betweenness " + std::to_string(centrality(v)) +
                       " instead of " + std::to_string(expected[v])};
  }
  return {};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph       directed or undirected, in any memory space
/// \param roots       those that `centrality` was computed from
/// \param centrality  values to judge: num_vertices elements, in the memory of the graph
/// Cost: two serial searches on the host from each root, and there the graph once more.
template <class Vertex, class Memory>
RuleResult validate_betweenness(const CsrGraph<Vertex, Memory>& graph, const std::vector<Vertex>& roots,
                                const Kokkos::View<double*, Memory>& centrality) {
  if (centrality.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(centrality.extent(0)) + " values for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const Kokkos::View<const double*, Kokkos::HostSpace> values =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), centrality);
  const RuleResult result = betweenness_adds_up<Vertex>(on_host, roots, values);
  return result.holds ? betweenness_is_serial<Vertex>(on_host, roots, values) : result;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_betweenness(
    const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const std::vector<std::int32_t>&,
    const Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_betweenness(
    const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const std::vector<std::int64_t>&,
    const Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
