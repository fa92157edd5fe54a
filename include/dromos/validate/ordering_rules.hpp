// SPDX-License-Identifier: BSD-3-Clause
// Is this a reverse Cuthill-McKee order? Two rules, one function each, serial and on the host:
//
//   1  new_id and old_id are permutations of the vertices, and inverse to each other
//   2  read from its end, the order is what the serial algorithm of Cuthill and McKee makes of the same starts: a
//   queue,
//      from which each vertex appends its unseen neighbors by degree and number
//
// Rule 2 takes the starts as they are: any vertex may start a component.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

/// Rule 1.
template <class Vertex>
RuleResult order_is_permutation(std::int64_t num_vertices, const Kokkos::View<const Vertex*, Kokkos::HostSpace>& new_id,
                                const Kokkos::View<const Vertex*, Kokkos::HostSpace>& old_id) {
  if (static_cast<std::int64_t>(new_id.extent(0)) != num_vertices ||
      static_cast<std::int64_t>(old_id.extent(0)) != num_vertices) {
    return {false, "there are " + std::to_string(new_id.extent(0)) + " and " + std::to_string(old_id.extent(0)) +
                       " places for " + std::to_string(num_vertices) + " vertices"};
  }
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    if (new_id(v) >= 0 && new_id(v) < num_vertices && old_id(new_id(v)) == v) continue;
    return {false, "vertex " + std::to_string(v) + " has place " + std::to_string(new_id(v)) +
                       ", where the order does not have it"};
  }
  return {};
}

/// Rule 2, of an order that keeps rule 1.
template <class Vertex>
RuleResult order_is_cuthill_mckee(const CsrGraph<Vertex, Kokkos::HostSpace>& graph,
                                  const Kokkos::View<const Vertex*, Kokkos::HostSpace>& old_id) {
  const auto rows = graph.view();
  const std::int64_t n = graph.num_vertices();
  std::vector<Vertex> queue, children;
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  const auto append = [&](Vertex v) {
    queue.push_back(v);
    seen[static_cast<std::size_t>(v)] = true;
  };
  for (std::int64_t place = 0; place < n; ++place) {
    const Vertex u = old_id(n - 1 - place);
    if (static_cast<std::int64_t>(queue.size()) == place) append(u);  // the next component starts here
    if (queue[static_cast<std::size_t>(place)] != u) {
      return {false, "vertex " + std::to_string(u) + " has place " + std::to_string(n - 1 - place) + ", where vertex " +
                         std::to_string(queue[static_cast<std::size_t>(place)]) + " belongs"};
    }
    children.clear();
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const Vertex v = rows.neighbor(e);
      if (seen[static_cast<std::size_t>(v)]) continue;
      seen[static_cast<std::size_t>(v)] = true;
      children.push_back(v);
    }
    std::sort(children.begin(), children.end(), [&](Vertex a, Vertex b) {
      return rows.degree(a) != rows.degree(b) ? rows.degree(a) < rows.degree(b) : a < b;
    });
    queue.insert(queue.end(), children.begin(), children.end());
  }
  return {};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph   undirected, in any memory space
/// \param new_id  by vertex, old_id by place: num_vertices elements each, in the memory of the graph
/// Cost: a serial pass over the edges on the host, and there the graph once more.
template <class Vertex, class Memory>
RuleResult validate_rcm(const CsrGraph<Vertex, Memory>& graph, const Kokkos::View<Vertex*, Memory>& new_id,
                        const Kokkos::View<Vertex*, Memory>& old_id) {
  using HostIds = Kokkos::View<const Vertex*, Kokkos::HostSpace>;
  const HostIds places = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), new_id);
  const HostIds vertices = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), old_id);
  const RuleResult result = order_is_permutation<Vertex>(graph.num_vertices(), places, vertices);
  return result.holds ? order_is_cuthill_mckee<Vertex>(copy_to<Kokkos::HostSpace>(graph), vertices) : result;
}

}  // namespace dromos
