// SPDX-License-Identifier: BSD-3-Clause
// Judges a breadth-first search by an independent serial one and by what a parent must be.
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <deque>
#include <dromos/algorithms/bfs.hpp>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {

/// Levels by a queue, the textbook way; -1 where the root does not reach.
template <class Vertex>
std::vector<Level> serial_levels(const std::vector<std::vector<Vertex>>& rows, Vertex root) {
  std::vector<Level> level(rows.size(), -1);
  std::deque<Vertex> queue = {root};
  level[root] = 0;
  while (!queue.empty()) {
    const Vertex u = queue.front();
    queue.pop_front();
    for (const Vertex v : rows[u]) {
      if (level[v] >= 0) continue;
      level[v] = level[u] + 1;
      queue.push_back(v);
    }
  }
  return level;
}

/// Every reached vertex but the root has a parent one level above, to which it is joined by an edge of the graph.
template <class Vertex>
void expect_parents(const std::vector<std::vector<Vertex>>& rows, Vertex root, const std::vector<Level>& level,
                    const std::vector<Vertex>& parent) {
  ASSERT_EQ(parent.size(), rows.size());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (level[v] < 0) {
      ASSERT_EQ(parent[v], Vertex(-1)) << "vertex " << v << " is not reached";
    } else if (static_cast<Vertex>(v) == root) {
      ASSERT_EQ(parent[v], root) << "the root";
    } else {
      ASSERT_TRUE(parent[v] >= 0 && static_cast<std::size_t>(parent[v]) < rows.size())
          << "parent " << parent[v] << " of vertex " << v;
      ASSERT_EQ(level[parent[v]], level[v] - 1) << "parent " << parent[v] << " of vertex " << v;
      const auto& row = rows[parent[v]];
      ASSERT_TRUE(std::find(row.begin(), row.end(), static_cast<Vertex>(v)) != row.end())
          << "no edge from parent " << parent[v] << " to vertex " << v;
    }
  }
}

/// Frontier sizes are level sizes, frontier edges the sums of their degrees, and the totals fit.
template <class Vertex>
void expect_statistics(const std::vector<std::vector<Vertex>>& rows, const std::vector<Level>& level,
                       const BfsStatistics& statistics) {
  std::vector<std::int64_t> sizes;
  std::vector<Offset> edges;
  std::int64_t num_reached = 0;
  Offset edges_reached = 0;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (level[v] < 0) continue;
    if (sizes.size() <= static_cast<std::size_t>(level[v])) {
      sizes.resize(level[v] + 1, 0);
      edges.resize(level[v] + 1, 0);
    }
    ++sizes[level[v]];
    edges[level[v]] += static_cast<Offset>(rows[v].size());
    ++num_reached;
    edges_reached += static_cast<Offset>(rows[v].size());
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

/// All of the above, for the results that were asked for; the others must be empty.
template <class Vertex>
void expect_search(const std::vector<std::vector<Vertex>>& rows, Vertex root, const BfsOptions& options,
                   const BfsResult<Vertex, Memory>& result, const BfsStatistics& statistics) {
  const std::vector<Level> level = serial_levels(rows, root);
  ASSERT_EQ(result.level.extent(0), options.levels ? rows.size() : 0);
  ASSERT_EQ(result.parent.extent(0), options.parents ? rows.size() : 0);
  if (options.levels) {
    ASSERT_EQ(to_vector(result.level), level);
  }
  if (options.parents) expect_parents(rows, root, level, to_vector(result.parent));
  expect_statistics(rows, level, statistics);
}

}  // namespace dromos::test
