// SPDX-License-Identifier: BSD-3-Clause
// Is this what color propagation must find? Two rules, one function each:
//
//   1  no edge leads from a larger color to a smaller one, and no vertex has a color below its own number
//   2  every color is that of the serial oracle: the largest vertex that reaches
//
// Rule 1 is a parallel pass over the edges, where they lie, and says that propagation is complete. Rule 2 says in
// addition that no color came from nowhere.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <vector>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct ColorIsLow {
  Kokkos::View<const Vertex*, Memory> color;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const { return color(v) < v; }
};

template <class Vertex, class Memory>
struct ReportRise {
  Kokkos::View<const Vertex*, Memory> color;
  Witness<Memory> witness;
  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset) const {
    if (color(u) > color(v)) witness.report(u);
  }
};

}  // namespace detail

/// Rule 1. `color` has num_vertices elements, in the memory of the graph.
template <class Space, class Vertex, class Memory>
RuleResult no_color_can_rise(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                             const Kokkos::View<const Vertex*, Memory>& color) {
  const std::int64_t low =
      detail::first_wrong_vertex<Memory>(space, graph.num_vertices(), detail::ColorIsLow<Vertex, Memory>{color});
  if (low != detail::no_witness) return {false, "vertex " + std::to_string(low) + " has a color below its own number"};
  const detail::Witness<Memory> witness;
  for_each_arc("dromos::validate::colors_over_edges", space, graph.view(),
               detail::ReportRise<Vertex, Memory>{color, witness});
  const std::int64_t u = witness.get(space);
  if (u == detail::no_witness) return {};
  return {false, "the color of vertex " + std::to_string(u) + " is larger than that of one of its neighbors"};
}

/// What rule 2 compares with: the colors that the serial oracle finds, in the memory of the graph. Where many results
/// of one graph are judged, once is enough.
///
/// \param graph  directed or undirected, in any memory space
/// Cost: a serial pass over the edges, on the host, and there the graph once more.
template <class Vertex, class Memory>
Kokkos::View<const Vertex*, Memory> expected_colors(const CsrGraph<Vertex, Memory>& graph) {
  const std::vector<Vertex> expected = reference::largest_reaching(copy_to<Kokkos::HostSpace>(graph));
  const Kokkos::View<const Vertex*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> on_host(expected.data(),
                                                                                        expected.size());
  const Kokkos::View<Vertex*, Memory> colors(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::validate::expected_colors"), expected.size());
  Kokkos::deep_copy(colors, on_host);
  return colors;
}

namespace detail {

template <class Vertex, class Memory>
struct ColorDiffers {
  Kokkos::View<const Vertex*, Memory> color, expected;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const { return color(v) != expected(v); }
};

}  // namespace detail

/// Rule 2. Both have num_vertices elements, in one memory space.
template <class Space, class Vertex, class Memory>
RuleResult colors_are_expected(const Space& space, const Kokkos::View<const Vertex*, Memory>& color,
                               const Kokkos::View<const Vertex*, Memory>& expected) {
  const std::int64_t wrong = detail::first_wrong_vertex<Memory>(space, static_cast<std::int64_t>(expected.extent(0)),
                                                                detail::ColorDiffers<Vertex, Memory>{color, expected});
  if (wrong == detail::no_witness) return {};
  return {false, "vertex " + std::to_string(wrong) + " has color " + std::to_string(detail::element(color, wrong)) +
                     ", but the largest vertex that reaches it is " + std::to_string(detail::element(expected, wrong))};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph     directed or undirected, in any memory space
/// \param color     to judge: num_vertices elements, in the memory of the graph
/// \param expected  expected_colors(graph)
/// \throws ArgumentError when `expected` is of another number of vertices
/// Cost: a parallel pass over the edges.
template <class Space, class Vertex, class Memory>
RuleResult validate_colors(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                           const Kokkos::View<Vertex*, Memory>& color,
                           const Kokkos::View<const Vertex*, Memory>& expected) {
  if (expected.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    throw ArgumentError("the expected colors are those of " + std::to_string(expected.extent(0)) +
                        " vertices, and the graph has " + std::to_string(graph.num_vertices()) +
                        "; compute them of this graph by expected_colors()");
  }
  if (color.extent(0) != static_cast<std::size_t>(graph.num_vertices())) {
    return {false, "there are " + std::to_string(color.extent(0)) + " colors for " +
                       std::to_string(graph.num_vertices()) + " vertices"};
  }
  const Kokkos::View<const Vertex*, Memory> judged(color);
  const RuleResult complete = no_color_can_rise(space, graph, judged);
  return complete.holds ? colors_are_expected(space, judged, expected) : complete;
}

/// The same for one result: with expected_colors(), which takes longer.
template <class Space, class Vertex, class Memory>
RuleResult validate_colors(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                           const Kokkos::View<Vertex*, Memory>& color) {
  return validate_colors(space, graph, color, expected_colors(graph));
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template Kokkos::View<const std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space> expected_colors(
    const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template Kokkos::View<const std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space> expected_colors(
    const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_colors(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_colors(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_colors(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_colors(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
