// SPDX-License-Identifier: BSD-3-Clause
// Rules for what names a class of vertices by one of them: components, strong components, colors.
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/judging/slice_graph.hpp>
#include <dromos/distributed/judging/slice_rules.hpp>
#include <dromos/validate/color_rules.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <dromos/validate/weak_component_rules.hpp>
#include <string>
#include <vector>

#include "distributed/judging/slice_walks.hpp"

namespace dromos {

using Memory = Kokkos::DefaultExecutionSpace::memory_space;
using judging::agreed;
using judging::HostGraph;

namespace judging {

/// How many values there are, and how many there should be.
template <class Vertex, class T>
RuleResult one_for_each_vertex(const SliceGraph<Vertex>& graph, const JudgedValues<T>& values, const char* what) {
  if (values.extent(0) == static_cast<std::size_t>(graph.num_vertices())) return {};
  return {false, "there are " + std::to_string(values.extent(0)) + " " + what + " for " +
                     std::to_string(graph.num_vertices()) + " vertices"};
}

/// No cycle runs through two components, which their labels stand for.
template <class Vertex>
RuleResult components_can_be_taken_away(const Communicator& communicator, const HostGraph<Vertex>& graph,
                                        const HostLabels<Vertex>& component) {
  const std::size_t n = component.extent(0);
  // Arcs between components, by the one that they leave.
  std::vector<Offset> first(n + 1, 0), num_entering(n, 0);
  const auto each_arc_between = [&](const auto& f) {
    for (std::size_t u = 0; u < n; ++u) {
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex from = component(u), to = component(graph.entries(e));
        if (from != to) f(from, to);
      }
    }
  };
  each_arc_between([&](Vertex from, Vertex to) {
    ++first[static_cast<std::size_t>(from) + 1];
    ++num_entering[to];
  });
  for (std::size_t v = 0; v < n; ++v) first[v + 1] += first[v];
  std::vector<Vertex> entered(static_cast<std::size_t>(first[n]));
  std::vector<Offset> next(first.begin(), first.end() - 1);
  each_arc_between([&](Vertex from, Vertex to) { entered[next[from]++] = to; });
  sum_everywhere(communicator, num_entering);
  std::vector<Vertex> components;
  for (std::size_t v = 0; v < n; ++v) {
    if (static_cast<std::size_t>(component(v)) == v) components.push_back(static_cast<Vertex>(v));
  }
  const auto left = left_after_peeling(
      communicator, components, num_entering, [](Vertex) { return Offset(0); },
      [&](Vertex from, const auto& f) {
        for (Offset i = first[from]; i < first[static_cast<std::size_t>(from) + 1]; ++i) f(entered[i]);
      });
  if (left.empty()) return {};
  return {false, std::to_string(left.size()) +
                     " components lie on cycles through several components or behind one, component " +
                     std::to_string(left.front()) + " among them: they should have been one"};
}

}  // namespace judging

template <class Vertex>
RuleResult validate_components(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                               const JudgedValues<Vertex>& component) {
  const Communicator& communicator = *graph.communicator;
  RuleResult result = judging::one_for_each_vertex(graph, component, "labels");
  if (!result.holds) return result;
  const HostLabels<Vertex> labels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), component);
  result = agreed(communicator, labels_are_smallest_members<Vertex>(labels));
  if (!result.holds) return result;
  result = agreed(communicator,
                  labels_are_constant_over_edges(space, graph.rows, Kokkos::View<const Vertex*, Memory>(component)));
  if (!result.holds) return result;
  const HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  HostGraph<Vertex> turned;
  std::vector<const HostGraph<Vertex>*> both{&rows};
  if (graph.rows.directed) {
    turned = detail::turned_round(rows.view());
    both.push_back(&turned);
  }
  const std::vector<bool> reached = judging::reached_from_labels(communicator, both, labels);
  for (std::size_t v = 0; v < reached.size(); ++v) {
    if (reached[v]) continue;
    return {false, "vertex " + std::to_string(v) + " has component " + std::to_string(labels(v)) +
                       ", but no path joins the two"};
  }
  return {};
}

template <class Vertex>
RuleResult validate_strong_components(const SliceGraph<Vertex>& graph, const JudgedValues<Vertex>& component) {
  const Communicator& communicator = *graph.communicator;
  RuleResult result = judging::one_for_each_vertex(graph, component, "labels");
  if (!result.holds) return result;
  const HostLabels<Vertex> labels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), component);
  result = agreed(communicator, labels_are_smallest_members<Vertex>(labels));
  if (!result.holds) return result;
  const HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const std::vector<bool> forward = judging::reached_from_labels<Vertex>(communicator, {&rows}, labels);
  std::vector<bool> backward = forward;
  if (graph.rows.directed) {
    const HostGraph<Vertex> turned = detail::turned_round(rows.view());
    backward = judging::reached_from_labels<Vertex>(communicator, {&turned}, labels);
  }
  for (std::size_t v = 0; v < forward.size(); ++v) {
    if (forward[v] && backward[v]) continue;
    const std::string label = std::to_string(labels(v)), vertex = std::to_string(v);
    return {false, "component " + label + " is not strongly connected: inside it " +
                       (forward[v] ? vertex + " does not reach " + label : label + " does not reach " + vertex)};
  }
  return agreed(communicator, judging::components_can_be_taken_away(communicator, rows, labels));
}

template <class Vertex>
RuleResult validate_colors(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                           const JudgedValues<Vertex>& color) {
  const Communicator& communicator = *graph.communicator;
  RuleResult result = judging::one_for_each_vertex(graph, color, "colors");
  if (!result.holds) return result;
  result = agreed(communicator, no_color_can_rise(space, graph.rows, Kokkos::View<const Vertex*, Memory>(color)));
  if (!result.holds) return result;
  const HostLabels<Vertex> colors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), color);
  const auto wrong = [&](std::size_t v, const std::string& why) {
    return RuleResult{false, "vertex " + std::to_string(v) + " has color " + std::to_string(colors(v)) + why};
  };
  for (std::size_t v = 0; v < colors.extent(0); ++v) {
    const Vertex c = colors(v);
    if (c < 0 || c >= graph.num_vertices()) return wrong(v, ", which is not a vertex");
    if (colors(c) != c) return wrong(v, ", which itself has color " + std::to_string(colors(c)));
  }
  const HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const std::vector<bool> reached = judging::reached_from_labels<Vertex>(communicator, {&rows}, colors);
  for (std::size_t v = 0; v < reached.size(); ++v) {
    if (!reached[v]) return wrong(v, ", which does not reach it");
  }
  return {};
}

#define DROMOS_JUDGE_LABELS(VERTEX)                                                                        \
  template RuleResult validate_components(const Kokkos::DefaultExecutionSpace&, const SliceGraph<VERTEX>&, \
                                          const JudgedValues<VERTEX>&);                                    \
  template RuleResult validate_strong_components(const SliceGraph<VERTEX>&, const JudgedValues<VERTEX>&);  \
  template RuleResult validate_colors(const Kokkos::DefaultExecutionSpace&, const SliceGraph<VERTEX>&,     \
                                      const JudgedValues<VERTEX>&);
DROMOS_JUDGE_LABELS(std::int32_t)
DROMOS_JUDGE_LABELS(std::int64_t)
#undef DROMOS_JUDGE_LABELS

}  // namespace dromos
