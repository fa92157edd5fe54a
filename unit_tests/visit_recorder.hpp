// SPDX-License-Identifier: BSD-3-Clause
// What tests of the loop nest share: a graph of given degrees with a made-up answer for every edge ("its target joins
// the next work set" or not), an operator that counts the visits of every edge, and the expected counts and work sets.
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/frontier.hpp>
#include <random>
#include <string>
#include <vector>

#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace dromos::test {

/// Counts visits by edge, and those that were told something wrong.
template <class Vertex>
struct RecordVisits {
  Kokkos::View<const Vertex*, Memory> source, target;
  Kokkos::View<const int*, Memory> joins;  ///< by edge: what edge() answers
  Kokkos::View<int*, Memory> visits;       ///< by edge
  Kokkos::View<int*, Memory> wrong;        ///< one element: visits of no edge, or with endpoints of another edge

  KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    if (e < 0 || e >= static_cast<Offset>(visits.extent(0)) || source(e) != u || target(e) != v) {
      Kokkos::atomic_fetch_add(&wrong(0), 1);
      return false;
    }
    Kokkos::atomic_fetch_add(&visits(e), 1);
    return joins(e) != 0;
  }
};

/// Out-degrees of a test graph, with a name for messages.
struct DegreePattern {
  std::string name;
  std::vector<int> degrees;
};

/// Degrees smaller and larger than every team, and vertices without edges first, last, in runs, everywhere.
inline std::vector<DegreePattern> degree_patterns() {
  const int hub = 4 * largest_team() + 5;  // several rounds of any team, and no larger: teams that wait cost time
  std::vector<DegreePattern> patterns = {
      {"one isolated vertex", {0}},
      {"one vertex with one edge", {1}},
      {"one vertex of high degree", {hub}},
      {"only isolated vertices", std::vector<int>(20, 0)},
      {"isolated first", {0, 3}},
      {"isolated last", {3, 0}},
      {"isolated runs", {0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0}},
      {"every other isolated", {2, 0, 1, 0, 3, 0, 1, 0, 5, 0}},
      {"all of degree one", std::vector<int>(17, 1)},
      {"one large among small", {1, 1, 0, hub, 1, 0, 2}},
      {"ascending", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {"lone edge among many isolated", {}},
  };
  patterns.back().degrees.assign(40, 0);
  patterns.back().degrees[23] = 7;
  std::mt19937_64 random(11);
  for (int seed = 0; seed < 3; ++seed) {
    std::vector<int> degrees(20);
    for (int& degree : degrees) degree = random() % 3 == 0 ? 0 : static_cast<int>(random() % 9);
    degrees[random() % degrees.size()] = hub;
    patterns.push_back({"random " + std::to_string(seed), degrees});
  }
  return patterns;
}

template <class Vertex>
class RecordedGraph {
 public:
  explicit RecordedGraph(const std::vector<int>& degrees, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    for (std::size_t u = 0; u < degrees.size(); ++u) {
      rows.emplace_back();
      first_edge.push_back(static_cast<Offset>(source.size()));
      for (int i = 0; i < degrees[u]; ++i) {
        const auto v = static_cast<Vertex>(random() % degrees.size());
        rows[u].push_back(v);
        source.push_back(static_cast<Vertex>(u));
        target.push_back(v);
        joins.push_back(static_cast<int>(random() % 2));
      }
    }
    graph = make_graph(rows);
    op.source = to_view(source);
    op.target = to_view(target);
    op.joins = to_view(joins);
    op.visits = to_view(std::vector<int>(source.size()));
    op.wrong = to_view(std::vector<int>(1));
  }

  std::size_t num_edges() const { return source.size(); }

  Offset degree_sum(const std::vector<Vertex>& vertices) const {
    Offset sum = 0;
    for (const Vertex u : vertices) sum += static_cast<Offset>(rows[u].size());
    return sum;
  }

  void forget_visits() const {
    Kokkos::deep_copy(op.visits, 0);
    Kokkos::deep_copy(op.wrong, 0);
  }

  /// How often each edge is to be visited when the work set is `work`, which may list a vertex more than once.
  std::vector<int> expected_visits(const std::vector<Vertex>& work) const {
    std::vector<int> visits(num_edges(), 0);
    for (const Vertex u : work)
      for (std::size_t i = 0; i < rows[u].size(); ++i) ++visits[first_edge[u] + i];
    return visits;
  }

  /// The vertices that must gather in the next work set, ascending, each as often as it joins.
  std::vector<Vertex> expected_next(const std::vector<Vertex>& work) const {
    std::vector<Vertex> next;
    for (const Vertex u : work)
      for (std::size_t i = 0; i < rows[u].size(); ++i)
        if (joins[first_edge[u] + i]) next.push_back(rows[u][i]);
    std::sort(next.begin(), next.end());
    return next;
  }

  std::vector<std::vector<Vertex>> rows;
  std::vector<Offset> first_edge;
  std::vector<Vertex> source, target;
  std::vector<int> joins;
  CsrGraph<Vertex, Memory> graph;
  RecordVisits<Vertex> op;
};

/// Puts vertices into a frontier.
template <class Vertex>
void fill(Frontier<Vertex, Memory>& frontier, const std::vector<Vertex>& vertices, Offset num_edges) {
  const auto part = Kokkos::subview(frontier.queue(), Kokkos::make_pair(std::size_t(0), vertices.size()));
  Kokkos::deep_copy(part, to_view(vertices));
  frontier.set_counts(static_cast<std::int64_t>(vertices.size()), num_edges);
}

/// The vertices of a frontier, ascending.
template <class Vertex>
std::vector<Vertex> sorted_vertices(const Frontier<Vertex, Memory>& frontier) {
  auto vertices = to_vector(frontier.queue(), static_cast<std::size_t>(frontier.num_vertices()));
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

}  // namespace dromos::test
