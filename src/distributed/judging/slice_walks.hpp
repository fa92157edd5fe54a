// SPDX-License-Identifier: BSD-3-Clause
// Walks over a graph in slices (dromos/distributed/judging/slice_graph.hpp), for judges: every rank has the same marks
// and counters of all vertices, follows its own arcs, and hears from the others where theirs have led. Serial on each
// rank, on the host, and apart from everything that finds results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/judging/slice_graph.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace dromos::judging {

template <class Vertex>
using HostGraph = CsrGraph<Vertex, Kokkos::HostSpace>;

/// What all ranks say: what holds on each, or what the first rank says where it does not.
inline RuleResult agreed(const Communicator& communicator, const RuleResult& own) {
  const detail::BrokenRule broken = detail::first_broken_rule(communicator, {own.holds ? 0 : 1, own.message});
  return {broken.rule == 0, broken.message};
}

/// Marks spread along arcs from what is waiting, all of which is marked: v gets one where leads(u, v, e) of an arc
/// (u, v) of any rank, u being marked. Before and afterwards all ranks have the same marks.
///
/// \param graphs  several: arcs of each, with e by its own count
template <class Vertex, class Leads>
void follow_marks(const Communicator& communicator, const std::vector<const HostGraph<Vertex>*>& graphs,
                  std::vector<bool>& marked, std::vector<Vertex> waiting, const Leads& leads) {
  while (true) {
    std::vector<Vertex> found;
    while (!waiting.empty()) {
      const Vertex u = waiting.back();
      waiting.pop_back();
      for (const HostGraph<Vertex>* graph : graphs) {
        for (Offset e = graph->row_map(u); e < graph->row_map(u + 1); ++e) {
          const Vertex v = graph->entries(e);
          if (marked[v] || !leads(u, v, e)) continue;
          marked[v] = true;
          waiting.push_back(v);
          found.push_back(v);
        }
      }
    }
    const std::vector<Vertex> of_all = gather_values(communicator, found);
    if (of_all.empty()) return;
    for (const Vertex v : of_all) {
      if (marked[v]) continue;
      marked[v] = true;
      waiting.push_back(v);
    }
  }
}

/// Every vertex that its label reaches along the arcs without leaving its class; labels are vertices.
template <class Vertex, class Labels>
std::vector<bool> reached_from_labels(const Communicator& communicator,
                                      const std::vector<const HostGraph<Vertex>*>& graphs, const Labels& label) {
  std::vector<bool> reached(label.extent(0), false);
  std::vector<Vertex> waiting;
  for (std::size_t v = 0; v < label.extent(0); ++v) {
    if (static_cast<std::size_t>(label(v)) != v) continue;
    reached[v] = true;
    waiting.push_back(static_cast<Vertex>(v));
  }
  follow_marks(communicator, graphs, reached, std::move(waiting),
               [&](Vertex u, Vertex v, Offset) { return label(u) == label(v); });
  return reached;
}

/// Takes items away, each once its counter is no more than its limit; the counters of those that its arcs lead to fall
/// by one for each. Returns what is left. All ranks have the same counters and limits.
///
/// \param items      those that are to be taken away
/// \param limit      limit(item)
/// \param each_arc   each_arc(item, f) calls f(other) for every arc of this rank that leads from the item
template <class Vertex, class Limit, class EachArc>
std::vector<Vertex> left_after_peeling(const Communicator& communicator, const std::vector<Vertex>& items,
                                       std::vector<Offset>& counter, const Limit& limit, const EachArc& each_arc) {
  struct Fall {
    std::int64_t item, by;
  };
  std::vector<bool> gone(counter.size(), false);
  std::vector<Offset> fall(counter.size(), 0);
  std::vector<Vertex> waiting;
  const auto take_if_ready = [&](Vertex item) {
    if (gone[item] || counter[item] > limit(item)) return;
    gone[item] = true;
    waiting.push_back(item);
  };
  for (const Vertex item : items) take_if_ready(item);
  while (!waiting.empty()) {
    std::vector<Vertex> touched;
    for (const Vertex item : waiting) {
      each_arc(item, [&](Vertex other) {
        if (!gone[other] && fall[other]++ == 0) touched.push_back(other);
      });
    }
    std::vector<Fall> falls;
    for (const Vertex item : touched) falls.push_back({item, std::exchange(fall[item], 0)});
    waiting.clear();
    for (const Fall& each : gather_values(communicator, falls)) {
      counter[each.item] -= each.by;
      take_if_ready(static_cast<Vertex>(each.item));
    }
  }
  std::vector<Vertex> left;
  for (const Vertex item : items) {
    if (!gone[item]) left.push_back(item);
  }
  return left;
}

/// A search from one vertex, level by level.
template <class Vertex>
struct SliceLevels {
  std::vector<Level> level;                   ///< by vertex; no_level where not reached
  std::vector<std::vector<Vertex>> vertices;  ///< by level, in the same order on every rank
};

template <class Vertex>
SliceLevels<Vertex> levels_from(const Communicator& communicator, const HostGraph<Vertex>& graph, Vertex root) {
  SliceLevels<Vertex> search;
  search.level.assign(static_cast<std::size_t>(graph.num_vertices()), no_level);
  search.level[root] = 0;
  search.vertices.push_back({root});
  std::vector<bool> listed(search.level.size(), false);
  while (true) {
    const Level next = static_cast<Level>(search.vertices.size());
    std::vector<Vertex> found, new_vertices;
    for (const Vertex u : search.vertices.back()) {
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex v = graph.entries(e);
        if (search.level[v] != no_level) continue;
        search.level[v] = next;
        found.push_back(v);
      }
    }
    for (const Vertex v : gather_values(communicator, found)) {
      if (listed[v]) continue;
      listed[v] = true;
      search.level[v] = next;
      new_vertices.push_back(v);
    }
    if (new_vertices.empty()) return search;
    search.vertices.push_back(std::move(new_vertices));
  }
}

/// Shortest distances in double, by paths that each rank follows as far as its arcs lead (Dijkstra's algorithm), and
/// what others then have shorter.
template <class Vertex>
std::vector<double> exact_distances(const Communicator& communicator, const HostGraph<Vertex>& graph, Vertex root,
                                    double unreached) {
  struct Shorter {
    std::int64_t vertex;
    double distance;
  };
  using Entry = std::pair<double, Vertex>;
  std::vector<double> distance(static_cast<std::size_t>(graph.num_vertices()), unreached);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> nearest_first;
  std::vector<bool> improved(distance.size(), false);
  distance[root] = 0;
  nearest_first.emplace(0.0, root);
  while (true) {
    std::vector<Vertex> changed;
    while (!nearest_first.empty()) {
      const auto [d, u] = nearest_first.top();
      nearest_first.pop();
      if (d != distance[u]) continue;
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        const Vertex v = graph.entries(e);
        const double offered = d + static_cast<double>(graph.weights(e));
        if (!(offered < distance[v])) continue;
        distance[v] = offered;
        nearest_first.emplace(offered, v);
        if (!improved[v]) changed.push_back(v);
        improved[v] = true;
      }
    }
    std::vector<Shorter> shorter;
    for (const Vertex v : changed) {
      improved[v] = false;
      shorter.push_back({v, distance[v]});
    }
    const std::vector<Shorter> of_all = gather_values(communicator, shorter);
    if (of_all.empty()) return distance;
    for (const Shorter& each : of_all) {
      if (!(each.distance < distance[each.vertex])) continue;
      distance[each.vertex] = each.distance;
      nearest_first.emplace(each.distance, static_cast<Vertex>(each.vertex));
    }
  }
}

}  // namespace dromos::judging
