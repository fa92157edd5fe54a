// SPDX-License-Identifier: BSD-3-Clause
// Are these the connected components? Three rules, one function each:
//
//   1  every label is the smallest vertex that bears it (labels_are_smallest_members)
//   2  the two ends of every edge bear the same label
//   3  the members of a label hang together
//
// By 2 no component is too small, by 3 none is too large. Rule 2 is a parallel pass over the edges, where they lie;
// rule 3 a serial union-find on the host that shares no code with the algorithms. Arbitrary garbage is safe as long as
// rule 1 is asked first.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct ReportOtherLabel {
  Kokkos::View<const Vertex*, Memory> component;
  Witness<Memory> witness;
  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset) const {
    if (component(u) != component(v)) witness.report(u);
  }
};

}  // namespace detail

/// Rule 2. `component` has num_vertices elements, in the memory of the graph.
template <class Space, class Vertex, class Memory>
RuleResult labels_are_constant_over_edges(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                          const Kokkos::View<const Vertex*, Memory>& component) {
  const detail::Witness<Memory> witness;
  for_each_arc("dromos::validate::labels_over_edges", space, graph.view(),
               detail::ReportOtherLabel<Vertex, Memory>{component, witness});
  const std::int64_t u = witness.get(space);
  if (u == detail::no_witness) return {};
  return {false, "an edge leaves vertex " + std::to_string(u) + " for a vertex with another component"};
}

/// Rule 3. Needs rule 1.
template <class Vertex>
RuleResult labels_hang_together(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const HostLabels<Vertex>& component) {
  const std::vector<Vertex> expected = reference::weak_components(graph);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (expected[v] == expected[component(v)]) continue;
    return {false, "vertex " + std::to_string(v) + " has component " + std::to_string(component(v)) +
                       ", but no path joins the two"};
  }
  return {};
}

/// All three rules; the first that does not hold speaks.
///
/// \param graph      directed or undirected, in any memory space
/// \param component  labels to judge: num_vertices elements, in the memory of the graph
/// Cost: a parallel and a serial pass over the edges, the latter on the host, and there the graph once more.
template <class Space, class Vertex, class Memory>
RuleResult validate_components(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                               const Kokkos::View<Vertex*, Memory>& component) {
  if (component.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(component.extent(0)) + " labels for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const HostLabels<Vertex> labels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), component);
  RuleResult result = labels_are_smallest_members<Vertex>(labels);
  if (result.holds) {
    result = labels_are_constant_over_edges(space, graph, Kokkos::View<const Vertex*, Memory>(component));
  }
  if (result.holds) result = labels_hang_together(copy_to<Kokkos::HostSpace>(graph), labels);
  return result;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_components(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_components(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
