// SPDX-License-Identifier: BSD-3-Clause
// Is this the decomposition into strongly connected components? Three rules, one function each, that prove it without
// computing it again:
//
//   1  every label is the smallest vertex that bears it
//   2  every component is strongly connected: its label reaches all members, and they the label, inside the component
//   3  no cycle runs through two components: the condensation is acyclic
//
// By 2 no component is too large, by 3 none is too small. The work is serial and on the host, O(vertices + edges), and
// shares no code with the algorithms. Arbitrary garbage is safe as long as rule 1 is asked first: it checks that labels
// are vertices, and the others rely on it.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

/// Labels as the rules see them: num_vertices elements in host memory.
template <class Vertex>
using HostLabels = Kokkos::View<const Vertex*, Kokkos::HostSpace>;

/// Rule 1.
template <class Vertex>
RuleResult labels_are_smallest_members(const HostLabels<Vertex>& component) {
  for (std::size_t v = 0; v < component.extent(0); ++v) {
    const Vertex label = component(v);
    const std::string found = "vertex " + std::to_string(v) + " has component " + std::to_string(label);
    if (label < 0 || static_cast<std::size_t>(label) > v) return {false, found + ", which is not a vertex up to it"};
    if (component(label) != label) {
      return {false, found + ", which itself has component " + std::to_string(component(label))};
    }
  }
  return {};
}

namespace detail {

/// Every vertex that its label reaches without leaving the component.
template <class Vertex>
std::vector<bool> reached_from_label(const CsrView<Vertex, Kokkos::HostSpace>& graph,
                                     const HostLabels<Vertex>& component) {
  std::vector<bool> reached(component.extent(0), false);
  std::vector<Vertex> waiting;
  for (Vertex root = 0; root < graph.num_vertices(); ++root) {
    if (component(root) != root) continue;
    reached[root] = true;
    waiting.push_back(root);
    while (!waiting.empty()) {
      const Vertex u = waiting.back();
      waiting.pop_back();
      for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
        const Vertex v = graph.neighbor(e);
        if (component(v) != root || reached[v]) continue;
        reached[v] = true;
        waiting.push_back(v);
      }
    }
  }
  return reached;
}

/// The edges turned round, by counting.
template <class Vertex>
CsrGraph<Vertex, Kokkos::HostSpace> turned_round(const CsrView<Vertex, Kokkos::HostSpace>& graph) {
  CsrGraph<Vertex, Kokkos::HostSpace> reversed;
  const Vertex n = graph.num_vertices();
  reversed.row_map = Kokkos::View<Offset*, Kokkos::HostSpace>("dromos::validate::row_map", n + 1);
  reversed.entries = Kokkos::View<Vertex*, Kokkos::HostSpace>("dromos::validate::entries", graph.num_edges());
  for (Offset e = 0; e < graph.num_edges(); ++e) ++reversed.row_map(graph.neighbor(e) + 1);
  for (Vertex v = 0; v < n; ++v) reversed.row_map(v + 1) += reversed.row_map(v);
  std::vector<Offset> next(n);
  for (Vertex v = 0; v < n; ++v) next[v] = reversed.row_map(v);
  for (Vertex u = 0; u < n; ++u) {
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) reversed.entries(next[graph.neighbor(e)]++) = u;
  }
  return reversed;
}

}  // namespace detail

/// Rule 2. Needs rule 1.
template <class Vertex>
RuleResult components_are_strongly_connected(const CsrView<Vertex, Kokkos::HostSpace>& graph,
                                             const HostLabels<Vertex>& component) {
  const auto forward = detail::reached_from_label(graph, component);
  const auto reversed = detail::turned_round(graph);
  const auto backward = detail::reached_from_label(reversed.view(), component);
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    if (forward[v] && backward[v]) continue;
    const std::string label = std::to_string(component(v));
    const std::string vertex = std::to_string(v);
    return {false, "component " + label + " is not strongly connected: inside it " +
                       (forward[v] ? vertex + " does not reach " + label : label + " does not reach " + vertex)};
  }
  return {};
}

/// Rule 3. Needs rule 1.
template <class Vertex>
RuleResult condensation_is_acyclic(const CsrView<Vertex, Kokkos::HostSpace>& graph,
                                   const HostLabels<Vertex>& component) {
  const Vertex n = graph.num_vertices();
  std::vector<Offset> num_entering(n, 0);  // edges into the component from components that are left
  std::vector<std::vector<Vertex>> members(n);
  for (Vertex u = 0; u < n; ++u) {
    members[component(u)].push_back(u);
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
      const Vertex to = component(graph.neighbor(e));
      if (to != component(u)) ++num_entering[to];
    }
  }
  std::vector<Vertex> ready;
  std::int64_t num_left = 0;
  for (Vertex c = 0; c < n; ++c) {
    if (component(c) != c) continue;
    ++num_left;
    if (num_entering[c] == 0) ready.push_back(c);
  }
  while (!ready.empty()) {
    const Vertex c = ready.back();
    ready.pop_back();
    --num_left;
    for (const Vertex u : members[c]) {
      for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
        const Vertex to = component(graph.neighbor(e));
        if (to != c && --num_entering[to] == 0) ready.push_back(to);
      }
    }
  }
  if (num_left == 0) return {};
  Vertex witness = 0;
  while (component(witness) != witness || num_entering[witness] == 0) ++witness;
  return {false, std::to_string(num_left) +
                     " components lie on cycles through several components or behind one, "
                     "component " +
                     std::to_string(witness) + " among them: they should have been one"};
}

/// All three rules; the first that does not hold speaks.
///
/// \param graph      directed or undirected, in any memory space
/// \param component  labels to judge: num_vertices elements, in the memory of the graph
/// Cost: serial on the host, three passes over the edges and the graph once more in memory.
template <class Vertex, class Memory>
RuleResult validate_strong_components(const CsrGraph<Vertex, Memory>& graph,
                                      const Kokkos::View<Vertex*, Memory>& component) {
  if (component.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(component.extent(0)) + " labels for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const auto host_graph = copy_to<Kokkos::HostSpace>(graph);
  const HostLabels<Vertex> labels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), component);
  RuleResult result = labels_are_smallest_members<Vertex>(labels);
  if (result.holds) result = components_are_strongly_connected<Vertex>(host_graph.view(), labels);
  if (result.holds) result = condensation_is_acyclic<Vertex>(host_graph.view(), labels);
  return result;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_strong_components(
    const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_strong_components(
    const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
