// SPDX-License-Identifier: BSD-3-Clause
// The graph of the components: one vertex for each, and an edge from one to another where any of their vertices are
// joined that way. Of strongly connected components it has no cycle.
//
//   0 <-> 1 -> 2 -> 3 <-> 4, 0 -> 2     components {0 1} {2} {3 4} are 0 1 2; edges 0 -> 1 -> 2
//   component(v) = 0 0 1 2 2            first(c) = 0 2 3
//
// Components are numbered by their smallest vertex, so that the result depends on the graph alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>

namespace dromos {

template <class Vertex, class Memory>
struct Condensation {
  /// Directed, without self loops and duplicates, rows ascending; its vertices are the components.
  CsrGraph<Vertex, Memory> graph;
  Kokkos::View<Vertex*, Memory> component;  ///< by vertex of the graph given: its vertex here
  Kokkos::View<Vertex*, Memory> first;      ///< by component, ascending: its vertex that the labels name

  std::int64_t num_components() const { return static_cast<std::int64_t>(first.extent(0)); }
};

namespace detail {

/// Item u is row u: an arc between their components for each edge that joins two.
template <class Vertex, class Memory>
struct ComponentArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> component;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    const Vertex from = component(u);
    const Vertex to = component(graph.neighbor(e));
    if (from != to) f(from, to, e);
  }
};

template <class Vertex, class Memory>
struct CheckNames {
  Kokkos::View<const Vertex*, Memory> label;
  std::int64_t n;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& bad, std::int64_t& components) const {
    const Vertex name = label(v);
    bad += name < 0 || name >= n || label(name) != name;
    components += name == v;
  }
};

template <class Vertex, class Memory>
struct NumberNames {
  Kokkos::View<const Vertex*, Memory> label;
  Kokkos::View<Vertex*, Memory> component, first;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Vertex& sum, bool final) const {
    if (label(v) != v) return;
    if (final) {
      component(v) = sum;
      first(sum) = static_cast<Vertex>(v);
    }
    ++sum;
  }
};

/// Reads only of vertices that name themselves, and writes only to others.
template <class Vertex, class Memory>
struct NameByLabel {
  Kokkos::View<const Vertex*, Memory> label;
  Kokkos::View<Vertex*, Memory> component;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (label(v) != v) component(v) = component(label(v));
  }
};

}  // namespace detail

/// Builds the graph of the components.
///
/// \param space  execution space instance; its memory space holds graph, labels and result
/// \param label  by vertex: a vertex of its component that all of the component name, as SccResult::component
/// \throws ArgumentError where there is not one label a vertex, or a vertex that is named does not name itself
///
/// Cost: a few passes over the labels, and building a graph of the edges between components. Waits.
template <class Space, class Vertex, class Memory>
Condensation<Vertex, Memory> condensation(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                          const Kokkos::View<Vertex*, Memory>& label) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const ScopedRegion region("dromos::condensation");
  const std::int64_t n = graph.num_vertices();
  if (static_cast<std::int64_t>(label.extent(0)) != n) {
    throw ArgumentError("condensation: " + std::to_string(label.extent(0)) + " labels for a graph of " +
                        std::to_string(n) + " vertices; every vertex needs one");
  }
  Condensation<Vertex, Memory> result;
  std::int64_t num_bad = 0, num_components = 0;
  reduce_range("dromos::condensation::check", space, n, detail::CheckNames<Vertex, Memory>{label, n}, num_bad,
               num_components);
  if (num_bad > 0) {
    throw ArgumentError("condensation: the labels of " + std::to_string(num_bad) + " of " + std::to_string(n) +
                        " vertices are no vertices that name themselves; give the component of an SccResult");
  }
  detail::ensure_size(result.component, static_cast<std::size_t>(n), "dromos::condensation::component");
  detail::ensure_size(result.first, static_cast<std::size_t>(num_components), "dromos::condensation::first");
  const auto component = result.component;
  Kokkos::parallel_scan("dromos::condensation::number", Range(space, 0, n),
                        detail::NumberNames<Vertex, Memory>{label, component, result.first});
  for_range("dromos::condensation::name", space, n, detail::NameByLabel<Vertex, Memory>{label, component});
  fence(space, "dromos::condensation::name");
  detail::RowOptions rows;
  rows.remove_duplicates = true;
  detail::build_rows(space, num_components, detail::ComponentArcs<Vertex, Memory>{graph.view(), component},
                     Kokkos::View<const float*, Memory>(), rows, result.graph);
  fence(space, "dromos::condensation::end");
  return result;
}

// Compiled once, in src/algorithms/condensation.cpp.
extern template Condensation<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> condensation(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template Condensation<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> condensation(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
