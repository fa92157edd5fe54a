// SPDX-License-Identifier: BSD-3-Clause
// Judges a breadth-first search: its levels by an independent serial search, its parents by those levels and the edges,
// its statistics by counting; and all of it by the rules of Graph500.
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace dromos::test {

/// A graph with sorted rows, where it is searched and where it is judged.
template <class Vertex>
struct JudgedGraph {
  CsrGraph<Vertex, Memory> device;
  CsrGraph<Vertex, Kokkos::HostSpace> host;

  explicit JudgedGraph(const CsrGraph<Vertex, Memory>& graph)
      : device(graph), host(copy_to<Kokkos::HostSpace>(graph)) {}
  /// Loops and duplicates stay in.
  explicit JudgedGraph(const ZooGraph& zoo) : JudgedGraph(build<Vertex>(zoo)) {}

  Vertex num_vertices() const { return host.num_vertices(); }
  Offset degree(std::size_t v) const { return host.row_map(v + 1) - host.row_map(v); }
};

/// Frontier sizes are level sizes, frontier edges the sums of their degrees, and the totals fit.
template <class Vertex>
void expect_statistics(const JudgedGraph<Vertex>& graph, const std::vector<Level>& level,
                       const BfsStatistics& statistics) {
  std::vector<std::int64_t> sizes;
  std::vector<Offset> edges;
  std::int64_t num_reached = 0;
  Offset edges_reached = 0;
  for (std::size_t v = 0; v < level.size(); ++v) {
    if (level[v] < 0) continue;
    if (sizes.size() <= static_cast<std::size_t>(level[v])) {
      sizes.resize(level[v] + 1, 0);
      edges.resize(level[v] + 1, 0);
    }
    ++sizes[level[v]];
    edges[level[v]] += graph.degree(v);
    ++num_reached;
    edges_reached += graph.degree(v);
  }
  ASSERT_EQ(statistics.levels.size(), sizes.size());
  double seconds = 0;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    EXPECT_EQ(statistics.levels[l].frontier_size, sizes[l]) << "level " << l;
    EXPECT_EQ(statistics.levels[l].frontier_edges, edges[l]) << "level " << l;
    EXPECT_GE(statistics.levels[l].seconds, 0);
    seconds += statistics.levels[l].seconds;
  }
  EXPECT_EQ(statistics.num_reached, num_reached);
  EXPECT_EQ(statistics.edges_reached, edges_reached);
  EXPECT_EQ(statistics.depth, static_cast<Level>(sizes.size()) - 1);
  EXPECT_GE(statistics.seconds, seconds);
}

/// Every reached vertex but the root has a parent one level above, to which it is joined by an edge.
template <class Vertex>
void expect_parents(const JudgedGraph<Vertex>& graph, Vertex root, const std::vector<Level>& level,
                    const std::vector<Vertex>& parent) {
  for (std::size_t v = 0; v < level.size(); ++v) {
    if (level[v] < 0 || static_cast<Vertex>(v) == root) {
      ASSERT_EQ(parent[v], level[v] < 0 ? no_vertex<Vertex> : root) << "parent of vertex " << v;
      continue;
    }
    const Vertex p = parent[v];
    ASSERT_TRUE(p >= 0 && p < graph.num_vertices()) << "parent " << p << " of vertex " << v;
    ASSERT_EQ(level[p], level[v] - 1) << "of parent " << p << " of vertex " << v;
    const Vertex* const row_begin = graph.host.entries.data() + graph.host.row_map(p);
    ASSERT_TRUE(std::binary_search(row_begin, row_begin + graph.degree(p), static_cast<Vertex>(v)))
        << "no edge from parent " << p << " to vertex " << v;
  }
}

/// All of the above, for the results that were asked for; the others must be empty.
template <class Vertex>
void expect_search(const JudgedGraph<Vertex>& graph, Vertex root, const BfsOptions& options,
                   const BfsResult<Vertex, Memory>& result, const BfsStatistics& statistics) {
  const std::vector<Level> level = reference::bfs_levels(graph.host, root);
  ASSERT_EQ(result.level.extent(0), options.levels ? level.size() : 0);
  ASSERT_EQ(result.parent.extent(0), options.parents ? level.size() : 0);
  if (options.levels) {
    ASSERT_EQ(to_vector(result.level), level);
  }
  if (options.parents) expect_parents(graph, root, level, to_vector(result.parent));
  expect_statistics(graph, level, statistics);
}

/// The library's own judgement, by the rules of Graph500.
template <class Vertex>
void expect_valid(const JudgedGraph<Vertex>& graph, Vertex root, const BfsResult<Vertex, Memory>& result) {
  const auto verdict = validate_bfs(Space(), graph.device, root, Kokkos::View<const Vertex*, Memory>(result.parent),
                                    Kokkos::View<const Level*, Memory>(result.level));
  ASSERT_TRUE(verdict.valid) << verdict.message;
}

}  // namespace dromos::test
