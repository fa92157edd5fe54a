// SPDX-License-Identifier: BSD-3-Clause
// Are these the core numbers? Two rules, one function each:
//
//   1  a vertex of core number k has at least k neighbors of core number k or more
//   2  every core number is that of serial peeling
//
// Rule 1 is a parallel pass over the edges, where they lie, and says that no number is too large: the vertices of core
// number k or more are a subgraph of the kind that the definition asks for. Rule 2 says that none is too small.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference_measures.hpp>
#include <string>
#include <vector>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct CountSupport {
  Kokkos::View<const Vertex*, Memory> core;
  Kokkos::View<Vertex*, Memory> support;
  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset) const {
    if (u != v && core(v) >= core(u)) atomic_fetch_add(&support(u), Vertex(1));
  }
};

template <class Vertex, class Memory>
struct LacksSupport {
  Kokkos::View<const Vertex*, Memory> core, support;
  KOKKOS_FUNCTION bool operator()(std::int64_t i) const { return core(i) < 0 || support(i) < core(i); }
};

}  // namespace detail

/// Rule 1. `core` has num_vertices elements, in the memory of the graph.
template <class Space, class Vertex, class Memory>
RuleResult cores_have_neighbors(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                const Kokkos::View<const Vertex*, Memory>& core) {
  const Kokkos::View<Vertex*, Memory> support("dromos::validate::support", core.extent(0));
  for_each_arc("dromos::validate::core_neighbors", space, graph.view(),
               detail::CountSupport<Vertex, Memory>{core, support});
  const std::int64_t v = detail::first_wrong_vertex<Memory>(space, graph.num_vertices(),
                                                            detail::LacksSupport<Vertex, Memory>{core, support});
  if (v == detail::no_witness) return {};
  return {false, "vertex " + std::to_string(v) + " has core number " + std::to_string(detail::element(core, v)) +
                     ", but fewer neighbors of that number or more"};
}

/// Rule 2. `core` has num_vertices elements, on the host.
template <class Vertex>
RuleResult cores_are_peeled(const CsrGraph<Vertex, Kokkos::HostSpace>& graph,
                            const Kokkos::View<const Vertex*, Kokkos::HostSpace>& core) {
  const std::vector<Vertex> expected = reference::core_numbers(graph);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (core(v) == expected[v]) continue;
    return {false, "vertex " + std::to_string(v) + " has core number " + std::to_string(core(v)) + " instead of " +
                       std::to_string(expected[v])};
  }
  return {};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph  undirected, in any memory space
/// \param core   core numbers to judge: num_vertices elements, in the memory of the graph
/// Cost: a parallel and a serial pass over the edges, the latter on the host, and there the graph once more.
template <class Space, class Vertex, class Memory>
RuleResult validate_cores(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                          const Kokkos::View<Vertex*, Memory>& core) {
  if (core.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(core.extent(0)) + " core numbers for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const RuleResult result = cores_have_neighbors(space, graph, Kokkos::View<const Vertex*, Memory>(core));
  if (!result.holds) return result;
  return cores_are_peeled<Vertex>(copy_to<Kokkos::HostSpace>(graph),
                                  Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), core));
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_cores(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_cores(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
