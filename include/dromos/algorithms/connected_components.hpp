// SPDX-License-Identifier: BSD-3-Clause
// Connected components: the vertices that are joined when the directions of edges are forgotten.
//
//   ComponentScratch scratch(graph);
//   ComponentResult<Vertex, Memory> result;
//   ComponentStatistics statistics = connected_components(space, graph, scratch, result);
//   // result.component(v): the smallest vertex of v's component
//
//   afforest   links a few edges, then those of the vertices outside the largest component; on a CPU, where neighbors
//              have near numbers, others first (impl/component_near.hpp)
//   hooking    links every edge
//   color      propagates the largest number of a component to all its members (Slota et al. 2015, Algorithm 2)
//
// The graph is a CsrGraph or any graph view (graph/graph_view.hpp). Colors travel against its edges as well: where a
// view is directed, they want ComponentScratch(graph, reversed_graph).
//
// The result is the same with every method and on any number of threads. Afforest and hooking:
// impl/component_forest.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/component_summary.hpp>
#include <dromos/algorithms/impl/component_colors.hpp>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/algorithms/impl/component_near.hpp>
#include <dromos/algorithms/impl/component_part.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

enum class ComponentMethod { afforest, hooking, color };

inline std::vector<ComponentMethod> all_component_methods() {
  return {ComponentMethod::afforest, ComponentMethod::hooking, ComponentMethod::color};
}

inline std::string component_method_name(ComponentMethod method) {
  switch (method) {
    case ComponentMethod::afforest:
      return "afforest";
    case ComponentMethod::hooking:
      return "hooking";
    case ComponentMethod::color:
      return "color";
  }
  return "";
}

/// The method of this name; throws ArgumentError that lists the names there are.
inline ComponentMethod component_method_from_name(const std::string& name) {
  return value_from_name("method for connected components", all_component_methods(), component_method_name, name);
}

struct ComponentOptions {
  ComponentMethod method = ComponentMethod::afforest;
  /// How edges are dealt out to threads; of near numbers (impl/component_near.hpp) in blocks, whatever it is.
  Strategy strategy = Best{};
  /// Afforest: how many vertices are asked for their component to find the largest one. A component that holds a tenth
  /// of the vertices is practically never missed; a wrong guess costs time, not correctness.
  int sample_size = 1024;
  /// color: what sweeps may cost before one host thread takes over (ColorOptions::waste_limit).
  double waste_limit = ColorOptions{}.waste_limit;
};

/// The label of every vertex: num_vertices elements, sized on first use. A label is a vertex number; of a part of a
/// distributed graph one of the whole graph, whose type need not be that of the part's own numbers.
template <class Label, class Memory>
struct ComponentResult {
  Kokkos::View<Label*, Memory> component;
};

/// Memory of one graph, reused from call to call: 4 bytes a vertex (8 with 64-bit ids) and a bit, and 12 more (24) once
/// the color method is used, for directed graphs with the graph turned round.
///
/// InEdges: what that is, a CsrGraph or any graph view (graph/graph_view.hpp). Who writes ComponentScratch(graph) or
/// ComponentScratch(graph, reversed_graph) need not name it.
template <class Vertex, class Memory, class InEdges = CsrGraph<Vertex, Memory>>
struct ComponentScratch {
  Frontier<Vertex, Memory> remaining;
  ColorScratch<Vertex, Memory> color;
  /// color, of a directed graph: the same turned round. That of a CsrGraph is made where it is wanted.
  InEdges reversed{};
  Kokkos::View<Vertex*, Memory> smallest;
  /// Of a part: the forest of its local numbers.
  Kokkos::View<Vertex*, Memory> parent;
  /// One element: the root of the largest tree.
  Kokkos::View<Vertex*, Memory> largest;
  /// Afforest: of whom hubs are neighbors.
  detail::HubScratch<Vertex, Memory> hub;

  ComponentScratch() = default;
  /// \param graph  a CsrGraph, or any graph view
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  explicit ComponentScratch(const Graph& graph)
      : remaining(graph.num_vertices(), graph.num_edges()), largest("dromos::components::largest", 1) {
    check_graph<Graph>();
  }
  /// For the method color of a directed graph view, which has no arrays to turn round.
  ///
  /// \param reversed_graph  its transpose
  /// \throws ArgumentError where the two differ in size
  template <class Graph, class = detail::NumVerticesOf<Graph>>
  ComponentScratch(const Graph& graph, const InEdges& reversed_graph)
      : remaining(graph.num_vertices(), graph.num_edges()),
        reversed(reversed_graph),
        largest("dromos::components::largest", 1) {
    check_graph_and_transpose("ComponentScratch", graph, reversed_graph);
  }
};

template <class Graph>
explicit ComponentScratch(const Graph&) -> ComponentScratch<vertex_type_of<Graph>, memory_space_of<Graph>>;
template <class Graph, class InEdges>
ComponentScratch(const Graph&, const InEdges&)
    -> ComponentScratch<vertex_type_of<Graph>, memory_space_of<Graph>, InEdges>;

struct ComponentStatistics {
  double seconds = 0;
  /// Afforest: edges inside the largest component that were not looked at.
  Offset edges_left_out = 0;
  /// color: sweeps would have cost too much, and one host thread finished (ColorOptions::waste_limit).
  bool serial = false;
  ComponentSummary components;  ///< counted after the clock has stopped
};

namespace detail {

/// Memory of colors, and the graph turned round where they need it.
template <class Space, class Graph, class Vertex, class Memory, class InEdges>
void prepare_colors(const Space& space, const Graph& graph, ComponentScratch<Vertex, Memory, InEdges>& scratch) {
  const bool directed = is_directed(graph);
  const auto is_reversed = [&] {
    return scratch.reversed.num_vertices() == graph.num_vertices() && scratch.reversed.num_edges() == graph.num_edges();
  };
  if constexpr (has_csr_arrays<Graph> && std::is_same_v<Graph, InEdges>) {
    if (directed && !is_reversed()) scratch.reversed = transpose(space, graph);
  }
  if (directed && !is_reversed()) {
    throw ArgumentError(
        "connected components: colors also travel against the edges of a directed graph, and that of a view without "
        "arrays cannot be turned round here; make the scratch of it and its transpose, ComponentScratch(graph, "
        "reversed_graph), or use afforest or hooking");
  }
  if (scratch.color.marks.size() != graph.num_vertices()) {
    scratch.color = {graph, (directed ? 2 : 1) * graph.num_edges()};
  }
  ensure_size(scratch.smallest, static_cast<std::size_t>(graph.num_vertices()), "dromos::components::smallest");
}

/// By colors, of a graph with all it needs: they may have to travel against its edges. Returns whether one host thread
/// finished.
template <class Space, class Graph, class Vertex, class Memory, class InEdges>
bool components_by_colors(const Space& space, const Graph& graph, ComponentScratch<Vertex, Memory, InEdges>& scratch,
                          ComponentResult<Vertex, Memory>& result, const ComponentOptions& options) {
  const ColorOptions color_options{options.strategy, options.waste_limit};
  bool serial = false;
  if (is_directed(graph)) {
    serial = !propagate_both_ways(space, graph, scratch.reversed, scratch.color, result.component, color_options);
  } else {
    ColorResult<Vertex, Memory> colors{result.component};
    serial = color_propagation(space, graph, scratch.color, colors, color_options).serial;
  }
  label_by_smallest(space, result.component, scratch.smallest);
  return serial;
}

/// Of a whole graph, after all checks.
template <class Space, class Graph, class Vertex, class Memory, class InEdges>
ComponentStatistics components_of_whole(const Space& space, const Graph& graph,
                                        ComponentScratch<Vertex, Memory, InEdges>& scratch,
                                        ComponentResult<Vertex, Memory>& result, const ComponentOptions& options) {
  const Vertex n = graph.num_vertices();
  if (options.method == ComponentMethod::color) prepare_colors(space, graph, scratch);
  fence(space, "dromos::connected_components::start");

  const Kokkos::Timer timer;
  ComponentStatistics statistics;
  const ComponentForest<Vertex, Memory> forest{result.component};
  if (n == 0) {
    // A sample needs a vertex.
  } else if (options.method == ComponentMethod::afforest) {
    const auto view = view_of(graph);
    const auto afforest = [&] {
      return components_by_afforest(space, view, is_directed(graph), forest, scratch.remaining, scratch.largest,
                                    scratch.hub, options.sample_size, options.strategy);
    };
    if constexpr (is_gpu<Space>) {
      statistics.edges_left_out = afforest();
    } else {
      const auto largest_tree = [&](bool wanted) {
        return wanted ? most_frequent(sample_roots(space, forest, n, options.sample_size)).first : no_vertex<Vertex>;
      };
      statistics.edges_left_out = !is_directed(graph) && has_near_numbers(view)
                                      ? components_by_near_edges(space, view, n, forest, largest_tree)
                                      : afforest();
    }
  } else if (options.method == ComponentMethod::hooking) {
    components_by_hooking(space, view_of(graph), forest, options.strategy);
  } else {
    statistics.serial = components_by_colors(space, graph, scratch, result, options);
  }
  fence(space, "dromos::connected_components::end");
  statistics.seconds = timer.seconds();
  statistics.components = summarize_components(space, result.component);
  return statistics;
}

}  // namespace detail

/// Finds the (weak) components.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param graph    a CsrGraph, or any graph view (graph/graph_view.hpp), directed or undirected; of a directed graph
///                 the out-edges suffice. Parts of distributed graphs are CsrGraphs
/// \param scratch  of this graph; reused from call to call
/// \param result   out: resized on first use, then reused; component(v) is the smallest vertex of v's component
/// \param options  method, strategy
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
/// \returns time, and the number and sizes of the components
/// \throws ArgumentError when the scratch is that of a graph of another size, the sample is empty, waste_limit is
///         negative or not a number, a part is to be colored, or a directed view is whose scratch has no transpose
///
/// Cost: afforest of an undirected graph with a giant component about one edge a vertex; afforest otherwise, and
/// hooking, every edge about once. color: see color_propagation(); of a directed graph it needs the transpose, which is
/// made before the clock starts and kept in the scratch; that of a view without arrays the scratch is made of.
template <class Space, class Graph, class Vertex, class Label, class Memory, class InEdges, class AnyHalo = NoHalo>
ComponentStatistics connected_components(const Space& space, const Graph& graph,
                                         ComponentScratch<Vertex, Memory, InEdges>& scratch,
                                         ComponentResult<Label, Memory>& result, const ComponentOptions& options = {},
                                         const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::connected_components");
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  const std::size_t scratch_size = scratch.remaining.queue().extent(0);
  if (scratch_size != n) {
    throw ArgumentError("the scratch memory of connected components is that of a graph of " +
                        std::to_string(scratch_size) + " vertices, and this one has " + std::to_string(n) +
                        "; make one for every graph");
  }
  if (!(options.waste_limit >= 0)) {
    throw ArgumentError("connected components: waste_limit is " + std::to_string(options.waste_limit) +
                        "; it must be 0 or more, or infinity for no limit");
  }
  if (options.sample_size < 1) {
    throw ArgumentError("connected components: sample_size is " + std::to_string(options.sample_size) +
                        "; it must be at least 1");
  }
  detail::ensure_size(result.component, n, "dromos::components::component");
  if constexpr (!AnyHalo::is_whole) {
    halo.agree([&] {
      if (options.method != ComponentMethod::color) return;
      throw ArgumentError("connected components: the method color takes a whole graph; use afforest or hooking");
    });
    detail::ensure_size(scratch.parent, n, "dromos::components::parent");
    fence(space, "dromos::connected_components::start");
    const Kokkos::Timer timer;
    ComponentStatistics statistics;
    const auto edges = graph.directed || options.method == ComponentMethod::hooking
                           ? detail::EdgesOfPart::all
                           : detail::choose_edges(space, graph, halo);
    statistics.edges_left_out = detail::components_of_part(
        space, graph, detail::ComponentForest<Vertex, Memory>{scratch.parent}, scratch.remaining, scratch.hub,
        result.component, options.sample_size, edges, options.strategy, halo);
    statistics.seconds = timer.seconds();
    statistics.components = halo.summarize_components(space, result.component);
    return statistics;
  } else {
    return detail::components_of_whole(space, graph, scratch, result, options);
  }
}

// Compiled once, in src/algorithms/connected_components.cpp.
extern template ComponentStatistics connected_components(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ComponentScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ComponentResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const ComponentOptions&,
    const NoHalo&);
extern template ComponentStatistics connected_components(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ComponentScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    ComponentResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const ComponentOptions&,
    const NoHalo&);

}  // namespace dromos
