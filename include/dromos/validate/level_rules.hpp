// SPDX-License-Identifier: BSD-3-Clause
// Are these the levels of a graph without cycles? Two rules in one pass, serial and on the host: every edge leads to a
// higher level, and every vertex above level 0 has an edge from the level below it. By the first no path that ends at a
// vertex is longer than its level, and by the second one is as long.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

/// \param level  by vertex, in the memory of the graph
/// Cost: a serial pass over the edges on the host, and there the graph once more.
template <class Vertex, class Memory>
RuleResult validate_levels(const CsrGraph<Vertex, Memory>& graph, const Kokkos::View<Level*, Memory>& level) {
  const auto levels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), level);
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const std::int64_t n = graph.num_vertices();
  if (static_cast<std::int64_t>(levels.extent(0)) != n) {
    return {false, "there are " + std::to_string(levels.extent(0)) + " levels for " + std::to_string(n) + " vertices"};
  }
  std::vector<bool> follows(static_cast<std::size_t>(n), false);
  for (std::int64_t u = 0; u < n; ++u) {
    for (Offset e = on_host.row_map(u); e < on_host.row_map(u + 1); ++e) {
      const Vertex v = on_host.entries(e);
      if (levels(v) <= levels(u)) {
        return {false, "an edge leads from vertex " + std::to_string(u) + " of level " + std::to_string(levels(u)) +
                           " to vertex " + std::to_string(v) + " of level " + std::to_string(levels(v))};
      }
      if (levels(v) == levels(u) + 1) follows[static_cast<std::size_t>(v)] = true;
    }
  }
  for (std::int64_t v = 0; v < n; ++v) {
    if (levels(v) == 0 || (levels(v) > 0 && follows[static_cast<std::size_t>(v)])) continue;
    return {false, "vertex " + std::to_string(v) + " has level " + std::to_string(levels(v)) +
                       ", and no edge from the level below"};
  }
  return {};
}

}  // namespace dromos
