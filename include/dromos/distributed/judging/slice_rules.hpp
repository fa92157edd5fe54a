// SPDX-License-Identifier: BSD-3-Clause
// The node level's rules (validate/) for graphs that are spread over ranks, in slices (slice_graph.hpp), with what was
// found on every rank. Each takes what its namesake takes, is collective, and has the same verdict on every rank;
// whatever was found, none throws. Where the node level asks a serial oracle, a proof takes its place:
//
//   components          the members of a label hang together: from the label, along edges either way inside the
//                       component, all are reached
//   strong components   the label reaches its members, and they it; components can be taken away one after the other,
//                       each once no edge enters it any more
//   colors              no color can rise, and the vertex that a color is called by reaches all of that color through
//                       such alone
//   cores               no number is too large, by the node level's first rule; none is too small: vertices of a number
//                       can be taken away one after the other, each when it has no more neighbors left, of its number
//                       or a larger one, than its number says
//   PageRank            one more iteration, pushed
//   distances           an edge realises each distance, from a vertex that is nearer, or as near and realised itself;
//                       those of float are compared with a search in double
//   betweenness         Brandes' algorithm, the ranks adding up each level
//   diameter            searches, the ranks telling each other each level
//
// Walks are serial on each rank, as far as its own arcs lead; then all ranks tell each other what they have come to. A
// walk takes as many exchanges as it changes ranks, at most the length of the longest path. Memory on each rank, beside
// the result: up to 40 bytes a vertex, and its arcs once more, or twice.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/distributed/judging/slice_graph.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <vector>

namespace dromos {

/// Values of all vertices, the same on every rank, in the memory of the device.
template <class T>
using JudgedValues = Kokkos::View<T*, Kokkos::DefaultExecutionSpace::memory_space>;

/// As in validate/weak_component_rules.hpp.
template <class Vertex>
RuleResult validate_components(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                               const JudgedValues<Vertex>& component);

/// As in validate/strong_component_rules.hpp.
template <class Vertex>
RuleResult validate_strong_components(const SliceGraph<Vertex>& graph, const JudgedValues<Vertex>& component);

/// As in validate/color_rules.hpp.
template <class Vertex>
RuleResult validate_colors(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                           const JudgedValues<Vertex>& color);

/// As in validate/core_rules.hpp.
template <class Vertex>
RuleResult validate_cores(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                          const JudgedValues<Vertex>& core);

/// As in validate/rank_rules.hpp.
template <class Vertex>
RuleResult validate_pagerank(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                             const JudgedValues<double>& rank, double damping, double tolerance,
                             const JudgedValues<const double>& start = {});

/// As in validate/distance_rules.hpp; the arcs have weights. Distance: std::int64_t, double or float.
template <class Vertex, class Distance>
RuleResult validate_distances(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph, Vertex root,
                              const JudgedValues<Distance>& distance, double tolerance = default_distance_tolerance);

/// As in validate/betweenness_rules.hpp.
template <class Vertex>
RuleResult validate_betweenness(const SliceGraph<Vertex>& graph, const std::vector<Vertex>& roots,
                                const JudgedValues<double>& centrality);

/// As in validate/diameter_rules.hpp.
///
/// \param max_edges  that rule 2 may look at on all ranks
template <class Vertex>
RuleResult validate_diameter(const SliceGraph<Vertex>& graph, Vertex from, Vertex to, Level lower, Level upper,
                             std::int64_t max_edges = std::int64_t(1) << 30);

}  // namespace dromos
