// SPDX-License-Identifier: BSD-3-Clause
// Rules for what is measured of a vertex: core numbers, PageRank, distances, betweenness, and bounds of the diameter.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/judging/slice_graph.hpp>
#include <dromos/distributed/judging/slice_rules.hpp>
#include <dromos/validate/betweenness_rules.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <dromos/validate/rank_rules.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "distributed/judging/slice_walks.hpp"

namespace dromos {
namespace judging {

template <class T>
using HostValues = Kokkos::View<const T*, Kokkos::HostSpace>;

template <class Vertex, class T>
bool has_one_for_each(const SliceGraph<Vertex>& graph, const JudgedValues<T>& values) {
  return values.extent(0) == static_cast<std::size_t>(graph.num_vertices());
}

template <class Vertex, class T>
RuleResult wrong_size(const SliceGraph<Vertex>& graph, const JudgedValues<T>& values, const char* what) {
  return {false, "there are " + std::to_string(values.extent(0)) + " " + what + " for " +
                     std::to_string(graph.num_vertices()) + " vertices"};
}

template <class Vertex, class F>
void for_each_arc_of(const HostGraph<Vertex>& graph, const F& f) {
  const std::int64_t n = graph.num_vertices();
  for (std::int64_t u = 0; u < n; ++u) {
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) f(static_cast<Vertex>(u), graph.entries(e), e);
  }
}

/// Distances that edges realise: from nearer vertices, and from vertices that are as near and realised.
template <class Vertex, class Distance>
RuleResult distances_are_realised_in_slices(const Communicator& communicator, const HostGraph<Vertex>& graph,
                                            Vertex root, const HostValues<Distance>& distance) {
  const auto realises = [&](Vertex u, Vertex v, Offset e) {
    return distance(u) != detail::unreached<Distance> && distance(v) != detail::unreached<Distance> &&
           detail::offered_distance(distance(u), graph.weights(e)) == distance(v);
  };
  std::vector<bool> here(distance.extent(0), false);
  std::vector<Vertex> found;
  for_each_arc_of(graph, [&](Vertex u, Vertex v, Offset e) {
    if (here[v] || !(distance(u) < distance(v)) || !realises(u, v, e)) return;
    here[v] = true;
    found.push_back(v);
  });
  std::vector<bool> realised(distance.extent(0), false);
  std::vector<Vertex> waiting{root};
  realised[root] = true;
  for (const Vertex v : gather_values(communicator, found)) {
    if (realised[v]) continue;
    realised[v] = true;
    waiting.push_back(v);
  }
  follow_marks<Vertex>(communicator, {&graph}, realised, std::move(waiting),
                       [&](Vertex u, Vertex v, Offset e) { return distance(u) == distance(v) && realises(u, v, e); });
  for (std::size_t v = 0; v < realised.size(); ++v) {
    if (realised[v] || distance(v) == detail::unreached<Distance>) continue;
    return {false, "no path from the root to vertex " + std::to_string(v) + " has the length of its distance"};
  }
  return {};
}

/// Paths that lead over each vertex, from one root: Brandes 2001, with the levels of all ranks.
template <class Vertex>
void add_dependencies(const Communicator& communicator, const HostGraph<Vertex>& graph,
                      const SliceLevels<Vertex>& search, std::vector<double>& centrality) {
  const std::size_t n = search.level.size();
  std::vector<double> paths(n, 0), dependency(n, 0), of_level;
  const auto add_up = [&](const std::vector<Vertex>& vertices, std::vector<double>& values) {
    of_level.clear();
    for (const Vertex v : vertices) of_level.push_back(values[v]);
    sum_everywhere(communicator, of_level);
    for (std::size_t i = 0; i < vertices.size(); ++i) values[vertices[i]] = of_level[i];
  };
  const auto each_arc_down = [&](std::size_t l, const auto& f) {
    for (const Vertex u : search.vertices[l]) {
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex v = graph.entries(e);
        if (search.level[v] == search.level[u] + 1) f(u, v);
      }
    }
  };
  paths[search.vertices[0][0]] = 1;
  for (std::size_t l = 0; l + 1 < search.vertices.size(); ++l) {
    each_arc_down(l, [&](Vertex u, Vertex v) { paths[v] += paths[u]; });
    add_up(search.vertices[l + 1], paths);
  }
  for (std::size_t l = search.vertices.size(); l-- > 1;) {
    each_arc_down(l, [&](Vertex u, Vertex v) { dependency[u] += paths[u] / paths[v] * (1 + dependency[v]); });
    add_up(search.vertices[l], dependency);
    for (const Vertex v : search.vertices[l]) centrality[v] += dependency[v];
  }
}

}  // namespace judging

template <class Vertex>
RuleResult validate_cores(const Kokkos::DefaultExecutionSpace&, const SliceGraph<Vertex>& graph,
                          const JudgedValues<Vertex>& core) {
  if (!judging::has_one_for_each(graph, core)) return judging::wrong_size(graph, core, "core numbers");
  const Communicator& communicator = *graph.communicator;
  const judging::HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const judging::HostValues<Vertex> cores = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), core);
  std::vector<Offset> support(core.extent(0), 0);
  judging::for_each_arc_of(rows, [&](Vertex u, Vertex v, Offset) { support[u] += u != v && cores(v) >= cores(u); });
  sum_everywhere(communicator, support);
  std::vector<Vertex> vertices;
  for (std::size_t v = 0; v < support.size(); ++v) {
    vertices.push_back(static_cast<Vertex>(v));
    if (cores(v) >= 0 && support[v] >= cores(v)) continue;
    return {false, "vertex " + std::to_string(v) + " has core number " + std::to_string(cores(v)) +
                       ", but fewer neighbors of that number or more"};
  }
  const auto left = judging::left_after_peeling(
      communicator, vertices, support, [&](Vertex v) { return static_cast<Offset>(cores(v)); },
      [&](Vertex u, const auto& f) {
        for (Offset e = rows.row_map(u); e < rows.row_map(u + 1); ++e) {
          const Vertex v = rows.entries(e);
          if (v != u && cores(v) == cores(u)) f(v);
        }
      });
  if (left.empty()) return {};
  const Vertex v = left.front();
  return {false, "vertex " + std::to_string(v) + " has core number " + std::to_string(cores(v)) +
                     ", but it belongs to a subgraph in which every vertex has more neighbors than that"};
}

template <class Vertex>
RuleResult validate_pagerank(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph,
                             const JudgedValues<double>& rank, double damping, double tolerance,
                             const JudgedValues<const double>& start) {
  const RuleResult sizes = detail::ranks_fit(graph.num_vertices(), rank.extent(0), start.extent(0));
  if (!sizes.holds) return sizes;
  const Communicator& communicator = *graph.communicator;
  const Kokkos::View<const double*, Kokkos::DefaultExecutionSpace::memory_space> given = rank;
  const RuleResult result = judging::agreed(communicator, ranks_add_up_to_one(space, given));
  if (!result.holds || rank.extent(0) == 0) return result;
  const judging::HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const judging::HostValues<double> ranks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rank);
  const judging::HostValues<double> starts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), start);
  const std::size_t n = rank.extent(0);
  std::vector<Offset> degree(n);
  for (std::size_t v = 0; v < n; ++v) degree[v] = rows.row_map(v + 1) - rows.row_map(v);
  sum_everywhere(communicator, degree);
  std::vector<double> next(n, 0);
  judging::for_each_arc_of(rows,
                           [&](Vertex u, Vertex v, Offset) { next[v] += ranks(u) / static_cast<double>(degree[u]); });
  sum_everywhere(communicator, next);
  double dangling = 0, change = 0;
  for (std::size_t v = 0; v < n; ++v) dangling += degree[v] == 0 ? ranks(v) : 0;
  const double anywhere = 1 - damping + damping * dangling;
  for (std::size_t v = 0; v < n; ++v) {
    const double share = starts.extent(0) > 0 ? starts(v) : 1 / static_cast<double>(n);
    change += std::abs(anywhere * share + damping * next[v] - ranks(v));
  }
  // The sums of all ranks need not be the same to the last bit.
  change = max(communicator, change);
  if (change <= tolerance + detail::rank_rounding) return {};
  return {false, "one more iteration changes the ranks by " + detail::scientific(change) + ", which is more than " +
                     detail::scientific(tolerance)};
}

template <class Vertex, class Distance>
RuleResult validate_distances(const Kokkos::DefaultExecutionSpace& space, const SliceGraph<Vertex>& graph, Vertex root,
                              const JudgedValues<Distance>& distance, double tolerance) {
  if (!judging::has_one_for_each(graph, distance)) return judging::wrong_size(graph, distance, "distances");
  const Communicator& communicator = *graph.communicator;
  const Kokkos::View<const Distance*, Kokkos::DefaultExecutionSpace::memory_space> distances = distance;
  RuleResult result = judging::agreed(communicator, root_is_at_zero(space, root, distances));
  if (result.holds) result = judging::agreed(communicator, edges_are_relaxed(space, graph.rows, distances));
  if (!result.holds) return result;
  const judging::HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const judging::HostValues<Distance> on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distance);
  result = judging::distances_are_realised_in_slices<Vertex, Distance>(communicator, rows, root, on_host);
  if (!result.holds || !std::is_same_v<Distance, float>) return result;
  const std::vector<double> exact = judging::exact_distances(communicator, rows, root, detail::unreached<double>);
  for (std::size_t v = 0; v < exact.size(); ++v) {
    const double found = static_cast<double>(on_host(v));
    if (found == exact[v] || std::abs(found - exact[v]) <= tolerance * exact[v]) continue;
    return {false, "the distance of vertex " + std::to_string(v) + " is " + std::to_string(found) + ", in double " +
                       std::to_string(exact[v]) + ", which differ by more than the tolerance of single precision"};
  }
  return {};
}

template <class Vertex>
RuleResult validate_betweenness(const SliceGraph<Vertex>& graph, const std::vector<Vertex>& roots,
                                const JudgedValues<double>& centrality) {
  if (!judging::has_one_for_each(graph, centrality)) return judging::wrong_size(graph, centrality, "values");
  const Communicator& communicator = *graph.communicator;
  const judging::HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const judging::HostValues<double> values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), centrality);
  std::vector<double> right(centrality.extent(0), 0);
  double expected = 0, found = 0;
  for (const Vertex root : roots) {
    const auto search = judging::levels_from(communicator, rows, root);
    for (std::size_t l = 2; l < search.vertices.size(); ++l) {
      expected += static_cast<double>(l - 1) * static_cast<double>(search.vertices[l].size());
    }
    judging::add_dependencies(communicator, rows, search, right);
  }
  RuleResult own;
  for (std::size_t v = 0; v < right.size(); ++v) found += values(v);
  if (!detail::nearly_equal(found, expected)) {
    own = {false, "the values add up to " + std::to_string(found) + ", but " + std::to_string(expected) +
                      " vertices lie between the ends of shortest paths"};
  }
  for (std::size_t v = 0; own.holds && v < right.size(); ++v) {
    if (detail::nearly_equal(values(v), right[v])) continue;
    own = {false, "vertex " + std::to_string(v) + " has betweenness " + std::to_string(values(v)) + " instead of " +
                      std::to_string(right[v])};
  }
  return judging::agreed(communicator, own);
}

template <class Vertex>
RuleResult validate_diameter(const SliceGraph<Vertex>& graph, Vertex from, Vertex to, Level lower, Level upper,
                             std::int64_t max_edges) {
  for (const Vertex end : {from, to}) {
    if (end < 0 || end >= graph.num_vertices()) return {false, std::to_string(end) + " is not a vertex"};
  }
  const Communicator& communicator = *graph.communicator;
  const judging::HostGraph<Vertex> rows = copy_to<Kokkos::HostSpace>(graph.rows);
  const auto search = judging::levels_from(communicator, rows, from);
  const Level distance = search.level[to];
  if (distance != lower) {
    return {false, "vertices " + std::to_string(from) + " and " + std::to_string(to) + " are " +
                       (distance == no_level ? "not connected" : std::to_string(distance) + " edges apart") +
                       ", and the lower bound is " + std::to_string(lower)};
  }
  std::vector<Vertex> members;
  std::int64_t edges_a_search = 0;
  for (std::size_t v = 0; v < search.level.size(); ++v) {
    if (search.level[v] == no_level) continue;
    members.push_back(static_cast<Vertex>(v));
    edges_a_search += rows.row_map(v + 1) - rows.row_map(v);
  }
  const std::int64_t size = static_cast<std::int64_t>(members.size());
  edges_a_search = sum(communicator, edges_a_search) + size + 1;
  const std::int64_t searches = std::clamp<std::int64_t>(max_edges / edges_a_search, 1, size);
  for (std::int64_t i = 0; i < searches; ++i) {
    const Vertex root = members[static_cast<std::size_t>(size * i / searches)];
    const auto depth = static_cast<Level>(judging::levels_from(communicator, rows, root).vertices.size() - 1);
    if (depth <= upper) continue;
    return {false, "vertex " + std::to_string(root) + " has another " + std::to_string(depth) +
                       " edges away, and the upper bound is " + std::to_string(upper)};
  }
  return {};
}

#define DROMOS_JUDGE_DISTANCES(VERTEX, DISTANCE)                                                                  \
  template RuleResult validate_distances(const Kokkos::DefaultExecutionSpace&, const SliceGraph<VERTEX>&, VERTEX, \
                                         const JudgedValues<DISTANCE>&, double);
#define DROMOS_JUDGE_MEASURES(VERTEX)                                                                    \
  template RuleResult validate_cores(const Kokkos::DefaultExecutionSpace&, const SliceGraph<VERTEX>&,    \
                                     const JudgedValues<VERTEX>&);                                       \
  template RuleResult validate_pagerank(const Kokkos::DefaultExecutionSpace&, const SliceGraph<VERTEX>&, \
                                        const JudgedValues<double>&, double, double,                     \
                                        const JudgedValues<const double>&);                              \
  DROMOS_JUDGE_DISTANCES(VERTEX, std::int64_t)                                                           \
  DROMOS_JUDGE_DISTANCES(VERTEX, double)                                                                 \
  DROMOS_JUDGE_DISTANCES(VERTEX, float)                                                                  \
  template RuleResult validate_betweenness(const SliceGraph<VERTEX>&, const std::vector<VERTEX>&,        \
                                           const JudgedValues<double>&);                                 \
  template RuleResult validate_diameter(const SliceGraph<VERTEX>&, VERTEX, VERTEX, Level, Level, std::int64_t);
DROMOS_JUDGE_MEASURES(std::int32_t)
DROMOS_JUDGE_MEASURES(std::int64_t)
#undef DROMOS_JUDGE_MEASURES
#undef DROMOS_JUDGE_DISTANCES

}  // namespace dromos
