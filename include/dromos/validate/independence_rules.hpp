// SPDX-License-Identifier: BSD-3-Clause
// Is this a greedy coloring, is that a maximal independent set at distance 2, are these its aggregates? Serial rules,
// on the host:
//
//   coloring   neighbors differ; and a vertex of color c has neighbors of all colors below c, so that no color could be
//              smaller by itself
//   mis2       no two members within two edges; and every other vertex within two edges of a member
//   aggregates members are their own; who is beside a member belongs to it, and who is not, as a neighbor does that is
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

/// \param graph  undirected, in any memory space
/// \param color  colors to judge, in the memory of the graph
/// Cost: a serial pass over the edges on the host, and there the graph once more.
template <class Vertex, class Memory>
RuleResult validate_coloring(const CsrGraph<Vertex, Memory>& graph, const Kokkos::View<Vertex*, Memory>& color) {
  const auto colors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), color);
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const auto rows = on_host.view();
  const Vertex n = graph.num_vertices();
  if (static_cast<std::int64_t>(colors.extent(0)) != n) {
    return {false, "there are " + std::to_string(colors.extent(0)) + " colors for " + std::to_string(n) + " vertices"};
  }
  std::vector<Vertex> seen_by(static_cast<std::size_t>(n) + 1, no_vertex<Vertex>);  // by color: the last that saw it
  for (Vertex u = 0; u < n; ++u) {
    const std::string who = "vertex " + std::to_string(u) + " has color " + std::to_string(colors(u));
    if (colors(u) < 0 || colors(u) >= n) return {false, who + ", which is none"};
    Vertex num_below = 0;
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const Vertex v = rows.neighbor(e);
      if (v == u) continue;
      if (colors(v) == colors(u)) return {false, who + ", and so has its neighbor " + std::to_string(v)};
      if (colors(v) < 0 || colors(v) > colors(u)) continue;
      Vertex& seen = seen_by[static_cast<std::size_t>(colors(v))];
      num_below += seen != u;
      seen = u;
    }
    if (num_below != colors(u)) return {false, who + ", but a smaller one is free"};
  }
  return {};
}

/// \param graph   undirected, in any memory space
/// \param member  1 or 0 by vertex, in the memory of the graph
/// Cost: as of validate_coloring().
template <class Vertex, class Memory>
RuleResult validate_mis2(const CsrGraph<Vertex, Memory>& graph, const Kokkos::View<Vertex*, Memory>& member) {
  const auto members = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), member);
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const auto rows = on_host.view();
  const Vertex n = graph.num_vertices();
  if (static_cast<std::int64_t>(members.extent(0)) != n) {
    return {false,
            "there are " + std::to_string(members.extent(0)) + " answers for " + std::to_string(n) + " vertices"};
  }
  // The member at u or beside it: two of them would be within two edges.
  std::vector<Vertex> beside(static_cast<std::size_t>(n), no_vertex<Vertex>);
  for (Vertex u = 0; u < n; ++u) {
    const auto meet = [&](Vertex v) {
      Vertex& known = beside[static_cast<std::size_t>(u)];
      if (members(v) == 0 || known == v) return true;
      if (known != no_vertex<Vertex>) return false;
      known = v;
      return true;
    };
    bool alone = meet(u);
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) alone = meet(rows.neighbor(e)) && alone;
    if (!alone) return {false, "two members are within two edges of each other, at vertex " + std::to_string(u)};
  }
  for (Vertex u = 0; u < n; ++u) {
    bool near = beside[static_cast<std::size_t>(u)] != no_vertex<Vertex>;
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      near = near || beside[static_cast<std::size_t>(rows.neighbor(e))] != no_vertex<Vertex>;
    }
    if (!near) return {false, "no member is within two edges of vertex " + std::to_string(u)};
  }
  return {};
}

/// \param graph   undirected, in any memory space
/// \param member  a maximal independent set at distance 2, as validate_mis2() judges it
/// \param root    the member that each vertex belongs to, in the memory of the graph
/// Cost: as of validate_coloring().
template <class Vertex, class Memory>
RuleResult validate_aggregates(const CsrGraph<Vertex, Memory>& graph, const Kokkos::View<Vertex*, Memory>& member,
                               const Kokkos::View<Vertex*, Memory>& root) {
  const auto members = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), member);
  const auto roots = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), root);
  const auto on_host = copy_to<Kokkos::HostSpace>(graph);
  const auto rows = on_host.view();
  const Vertex n = graph.num_vertices();
  if (static_cast<std::int64_t>(roots.extent(0)) != n) {
    return {false, "there are " + std::to_string(roots.extent(0)) + " answers for " + std::to_string(n) + " vertices"};
  }
  // The member at u or beside it.
  std::vector<Vertex> beside(static_cast<std::size_t>(n), no_vertex<Vertex>);
  for (Vertex u = 0; u < n; ++u) {
    if (members(u) != 0) beside[static_cast<std::size_t>(u)] = u;
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      if (members(rows.neighbor(e)) != 0) beside[static_cast<std::size_t>(u)] = rows.neighbor(e);
    }
  }
  for (Vertex u = 0; u < n; ++u) {
    const std::string who = "vertex " + std::to_string(u) + " belongs to " + std::to_string(roots(u));
    const Vertex nearest = beside[static_cast<std::size_t>(u)];
    if (nearest != no_vertex<Vertex>) {
      if (nearest != roots(u)) return {false, who + ", but is a member or beside one, " + std::to_string(nearest)};
      continue;
    }
    bool holds = false;
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      holds = holds || beside[static_cast<std::size_t>(rows.neighbor(e))] == roots(u);
    }
    if (!holds || roots(u) == no_vertex<Vertex>) return {false, who + ", which is not two edges away"};
  }
  return {};
}

}  // namespace dromos
