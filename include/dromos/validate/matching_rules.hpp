// SPDX-License-Identifier: BSD-3-Clause
// Is this a maximum matching? Two rules, one function each, serial and on the host:
//
//   1  mates are mutual, joined by an edge, and on different sides
//   2  no path from a free row to a free column alternates between edges outside and inside the matching: by Berge's
//      theorem no matching then has more edges
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

/// Rule 1. Vertices below num_rows are rows.
template <class Vertex>
RuleResult mates_are_mutual(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex num_rows,
                            const Kokkos::View<const Vertex*, Kokkos::HostSpace>& mate) {
  const auto rows = graph.view();
  const Vertex n = graph.num_vertices();
  if (static_cast<std::int64_t>(mate.extent(0)) != n) {
    return {false, "there are " + std::to_string(mate.extent(0)) + " mates for " + std::to_string(n) + " vertices"};
  }
  for (Vertex u = 0; u < n; ++u) {
    const Vertex v = mate(u);
    if (v == no_vertex<Vertex>) continue;
    const std::string who = "vertex " + std::to_string(u) + " has mate " + std::to_string(v);
    if (v < 0 || v >= n || (u < num_rows) == (v < num_rows)) return {false, who + ", which is not of the other side"};
    if (mate(v) != u) return {false, who + ", whose mate is another"};
    bool joined = false;
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) joined = joined || rows.neighbor(e) == v;
    if (!joined) return {false, who + ", but no edge joins the two"};
  }
  return {};
}

/// Rule 2, of mates that keep rule 1.
template <class Vertex>
RuleResult no_path_augments(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex num_rows,
                            const Kokkos::View<const Vertex*, Kokkos::HostSpace>& mate) {
  const auto rows = graph.view();
  std::vector<bool> seen(static_cast<std::size_t>(graph.num_vertices()), false);
  std::vector<Vertex> queue;
  for (Vertex u = 0; u < num_rows; ++u) {
    if (mate(u) == no_vertex<Vertex>) queue.push_back(u);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (Offset e = rows.begin(queue[i]); e < rows.end(queue[i]); ++e) {
      const Vertex v = rows.neighbor(e);
      if (seen[static_cast<std::size_t>(v)]) continue;
      seen[static_cast<std::size_t>(v)] = true;
      if (mate(v) == no_vertex<Vertex>) {
        return {false, "the matching is not maximum: a path that augments it ends at vertex " + std::to_string(v)};
      }
      queue.push_back(mate(v));
    }
  }
  return {};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph  bipartite, in any memory space; vertices below num_rows are rows
/// \param mate   mates to judge, in the memory of the graph
/// Cost: two serial passes over the edges on the host, and there the graph once more.
template <class Vertex, class Memory>
RuleResult validate_matching(const CsrGraph<Vertex, Memory>& graph, Vertex num_rows,
                             const Kokkos::View<Vertex*, Memory>& mate) {
  const Kokkos::View<const Vertex*, Kokkos::HostSpace> mates =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mate);
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const RuleResult result = mates_are_mutual<Vertex>(on_host, num_rows, mates);
  return result.holds ? no_path_augments<Vertex>(on_host, num_rows, mates) : result;
}

}  // namespace dromos
