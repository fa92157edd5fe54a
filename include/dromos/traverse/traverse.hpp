// SPDX-License-Identifier: BSD-3-Clause
// The one loop nest (Slota et al. 2015, Algorithm 1): for each vertex u of a work set, for each edge (u, v), do what
// the operator says, and gather the vertices of the next work set.
//
//   struct Discover {                                                   // the operator: one edge
//     Bitmap<Memory> visited;
//     KOKKOS_FUNCTION bool edge(Vertex, Vertex v, Offset) const { return visited.set(v); }
//   };
//   frontier.assign(space, root, degree);
//   while (!frontier.empty()) {
//     traverse(space, graph, frontier, next, Discover{visited}, ManhattanLocal{});
//     std::swap(frontier, next);
//   }
//
// Operators: traverse/edge_operator.hpp. Strategies: traverse/strategy.hpp.
#pragma once

#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/strategy.hpp>
#include <dromos/traverse/sweep.hpp>

namespace dromos {

/// One sweep over an explicit work set into an explicit sink; enqueued in `space`, does not wait.
///
/// \param space     execution space instance
/// \param graph     a graph view: anything that graph/graph_view.hpp describes
/// \param work      QueueWork or AllVertices; for ManhattanGlobal with prefix sums
/// \param sink      QueueSink (from Frontier::open) or NoSink
/// \param op        the operator
/// \param strategy  how edges are dealt out to threads
template <class Space, class Graph, class Work, class Sink, class Operator, class AnyStrategy>
void sweep(const Space& space, const Graph& graph, const Work& work, const Sink& sink, const Operator& op,
           const AnyStrategy& strategy) {
  check_graph_view<Graph>();
  if (work.size() == 0) return;
  const auto walking = [&] {
    const UncountedViews uncounted;
    return Sweep<Space, Graph, Work, Sink, Operator>{graph, work, sink, op, sweeps_alone(space)};
  }();
  run_sweep(space, walking, strategy);
}

/// The same from a frontier, with a strategy chosen at run time, for which the frontier learns what the strategy wants
/// to know of it; does not wait for the sweep.
///
/// \param open_sink  called with whether the strategy wants prefix sums in the next work set as well; returns the sink
template <class Space, class Graph, class Vertex, class Memory, class OpenSink, class Operator>
void sweep_frontier(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                    const OpenSink& open_sink, const Operator& op, const Strategy& strategy) {
  check_graph_view<Graph>();
  use_strategy<Space>(strategy, [&](const auto& chosen) {
    using Chosen = std::decay_t<decltype(chosen)>;
    frontier.template prepare_for<Chosen>(space, graph);
    const auto sink = open_sink(Chosen::needs_prefix_sums);
    sweep(space, graph, frontier.work(), sink, op, chosen);
  });
}

/// One sweep from `frontier` to `next`, strategy chosen at run time. Waits for the sweep and knows the size of `next`
/// afterwards. Cost: the edges of the frontier, and one host synchronisation.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void traverse(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
              Frontier<Vertex, Memory>& next, const Operator& op, const Strategy& strategy) {
  check_graph_view<Graph>();
  sweep_frontier(
      space, graph, frontier, [&](bool with_prefix_sums) { return next.open(space, graph, with_prefix_sums); }, op,
      strategy);
  next.collect(space);
}

/// One sweep from `frontier` that gathers nothing; does not wait.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void traverse(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier, const Operator& op,
              const Strategy& strategy) {
  sweep_frontier(
      space, graph, frontier, [](bool) { return NoSink{}; }, op, strategy);
}

/// One sweep over all vertices of a graph into `next`. Waits for the sweep and knows the size of `next` afterwards.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void traverse_all(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& next, const Operator& op,
                  const Strategy& strategy) {
  check_graph_view<Graph>();
  use_strategy<Space>(strategy, [&](const auto& chosen) {
    const auto sink = next.open(space, graph, std::decay_t<decltype(chosen)>::needs_prefix_sums);
    sweep(space, graph, AllVertices<Graph>{graph}, sink, op, chosen);
  });
  next.collect(space);
}

/// One sweep over all vertices of a graph that gathers nothing; does not wait.
template <class Space, class Graph, class Operator>
void traverse_all(const Space& space, const Graph& graph, const Operator& op, const Strategy& strategy) {
  check_graph_view<Graph>();
  use_strategy<Space>(
      strategy, [&](const auto& chosen) { sweep(space, graph, AllVertices<Graph>{graph}, NoSink{}, op, chosen); });
}

}  // namespace dromos
