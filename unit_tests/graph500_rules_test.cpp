// SPDX-License-Identifier: BSD-3-Clause
// Each rule accepts what is right and rejects, by itself, the kind of corruption it is there for.
#include <dromos/validate/graph500_rules.hpp>

#include <gtest/gtest.h>

#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/reference.hpp>
#include <functional>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"

namespace dromos::test {
namespace {

using Vertex = std::int32_t;

struct Result {
  std::vector<Vertex> parent;
  std::vector<Level> level;
};

/// A right answer: levels by the serial oracle, for each vertex the smallest parent possible.
Result right_answer(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, Vertex root) {
  Result result{std::vector<Vertex>(graph.num_vertices(), no_vertex<Vertex>), reference::bfs_levels(graph, root)};
  for (Vertex u = graph.num_vertices() - 1; u >= 0; --u) {
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      const Vertex v = graph.entries(e);
      if (result.level[u] >= 0 && result.level[v] == result.level[u] + 1) result.parent[v] = u;
    }
  }
  result.parent[root] = root;
  return result;
}

BfsValidation validate(const CsrGraph<Vertex, Memory>& graph, Vertex root, const std::vector<Vertex>& parent,
                       const std::vector<Level>& level) {
  return validate_bfs(Space(), graph, root, Kokkos::View<const Vertex*, Memory>(to_view(parent)),
                      Kokkos::View<const Level*, Memory>(to_view(level)));
}

TEST(Graph500Rules, AcceptRightAnswersOnTheZooAndOnRandomGraphs) {
  std::vector<ZooGraph> graphs = graph_zoo();
  for (std::uint64_t seed = 0; seed < 200; ++seed) graphs.push_back(random_small_graph(seed));
  for (const ZooGraph& zoo : graphs) {
    const auto graph = build<Vertex>(zoo);
    const auto host = copy_to<Kokkos::HostSpace>(graph);
    for (const Vertex root : {Vertex(0), Vertex(zoo.num_vertices / 2), Vertex(zoo.num_vertices - 1)}) {
      const Result right = right_answer(host, root);
      EXPECT_EQ(validate(graph, root, right.parent, right.level).message, "") << zoo.name << " from " << root;
      EXPECT_EQ(validate(graph, root, right.parent, {}).message, "") << zoo.name << " from " << root;
      EXPECT_EQ(validate(graph, root, {}, right.level).message, "") << zoo.name << " from " << root;
    }
  }
}

/// The deepest tree there is: pointer doubling must not take a step per level.
TEST(Graph500Rules, AcceptAPathOf200000Levels) {
  const Vertex n = 200000;
  ZooGraph path{"path", n, {}, false};
  for (Vertex v = 0; v + 1 < n; ++v) path.edges.emplace_back(v, v + 1);
  const auto graph = build<Vertex>(path);
  const Result right = right_answer(copy_to<Kokkos::HostSpace>(graph), 0);
  EXPECT_EQ(validate(graph, 0, right.parent, {}).message, "");
  Result cut = right;
  cut.parent[100] = 101;  // a cycle of two near the root; everything beyond hangs on it
  EXPECT_NE(validate(graph, 0, cut.parent, {}).message.find("rule 1"), std::string::npos);
}

struct Corruption {
  std::string name;
  std::string rule;  // the rule that must object
  std::function<void(Result&)> corrupt;
};

/// Undirected: 0 - 1, 0 - 2, 1 - 3, 2 - 3, 3 - 4, 4 - 5, and 6 - 7 apart. Levels 0 1 1 2 3 4, parents 0 0 0 1 3 4.
const ZooGraph example{"example", 8, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {6, 7}}, false};

TEST(Graph500Rules, RejectEachKindOfCorruption) {
  const auto graph = build<Vertex>(example);
  const Result right = right_answer(copy_to<Kokkos::HostSpace>(graph), 0);
  ASSERT_EQ(right.level, (std::vector<Level>{0, 1, 1, 2, 3, 4, -1, -1}));
  const std::vector<Corruption> corruptions = {
      {"root is not its own parent", "rule 1", [](Result& r) { r.parent[0] = 1; }},
      {"root has no parent", "rule 1", [](Result& r) { r.parent[0] = -1; }},
      {"a second root", "rule 1", [](Result& r) { r.parent[3] = 3; }},
      {"parent beyond the graph", "rule 1", [](Result& r) { r.parent[3] = 8; }},
      {"parent far beyond the graph", "rule 1", [](Result& r) { r.parent[3] = 2147483647; }},
      {"parent negative", "rule 1", [](Result& r) { r.parent[3] = -2; }},
      {"parent not reached", "rule 1", [](Result& r) { r.parent[3] = 6; }},
      {"cycle of two", "rule 1", [](Result& r) { r.parent[4] = 5; }},
      {"cycle apart", "rule 1",
       [](Result& r) {
         r.parent[6] = 7;
         r.parent[7] = 6;
         r.level[6] = r.level[7] = 1;
       }},
      {"level of one vertex too large", "rule 2", [](Result& r) { r.level[5] = 5; }},
      {"level of one vertex too small", "rule 2", [](Result& r) { r.level[5] = 3; }},
      {"level without a parent", "rule 2", [](Result& r) { r.level[6] = 1; }},
      {"parent without a level", "rule 2", [](Result& r) { r.level[5] = -1; }},
      {"root not at level 0", "rule 2",
       [](Result& r) {
         for (auto& l : r.level) l += l >= 0;
       }},
      {"a tree that is not of shortest paths", "rule 3",
       [](Result& r) {  // 1 hangs below 3 although the root is its neighbor
         r.parent = {0, 3, 0, 2, 3, 4, -1, -1};
         r.level = {0, 3, 1, 2, 3, 4, -1, -1};
       }},
      {"a vertex forgotten", "rule 4",
       [](Result& r) {
         r.parent[5] = -1;
         r.level[5] = -1;
       }},
      {"everything forgotten but the root", "rule 4",
       [](Result& r) {
         for (int v = 1; v < 8; ++v) {
           r.parent[v] = -1;
           r.level[v] = -1;
         }
       }},
      {"parent at the right level, but not a neighbor", "rule 5",
       [](Result& r) {  // 7 is claimed to hang below 0, where no edge is; 6 - 7 stays consistent
         r.parent[7] = 0;
         r.level[7] = 1;
         r.parent[6] = 7;
         r.level[6] = 2;
       }},
  };
  for (const Corruption& corruption : corruptions) {
    Result wrong = right;
    corruption.corrupt(wrong);
    const auto verdict = validate(graph, 0, wrong.parent, wrong.level);
    EXPECT_FALSE(verdict.valid) << corruption.name;
    EXPECT_EQ(verdict.message.substr(0, 6), corruption.rule) << corruption.name << ": " << verdict.message;
  }
}

TEST(Graph500Rules, RejectWrongLevelsWithoutParents) {
  const auto graph = build<Vertex>(example);
  const Result right = right_answer(copy_to<Kokkos::HostSpace>(graph), 0);
  for (std::size_t v = 0; v < right.level.size(); ++v) {
    for (const Level wrong : {-1, 0, 1, 2, 3, 4, 5, 100}) {
      if (wrong == right.level[v]) continue;
      auto level = right.level;
      level[v] = wrong;
      EXPECT_FALSE(validate(graph, 0, {}, level).valid) << "vertex " << v << " at level " << wrong;
    }
  }
}

/// Directed: an arc may lead back over any number of levels, but not further than one ahead.
TEST(Graph500Rules, KnowDirections) {
  const ZooGraph directed{"directed", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}}, true};
  const auto graph = build<Vertex>(directed);
  const Result right = right_answer(copy_to<Kokkos::HostSpace>(graph), 0);
  EXPECT_EQ(validate(graph, 0, right.parent, right.level).message, "");
  EXPECT_EQ(right.level[4], -1);  // has an edge to the root, but none leads to it
  Result wrong = right;
  wrong.parent[4] = 0;
  wrong.level[4] = 1;
  EXPECT_EQ(validate(graph, 0, wrong.parent, wrong.level).message.substr(0, 6), "rule 5");
}

TEST(Graph500Rules, NameTheWitness) {
  const auto graph = build<Vertex>(example);
  Result wrong = right_answer(copy_to<Kokkos::HostSpace>(graph), 0);
  wrong.parent[5] = -1;
  wrong.level[5] = -1;
  EXPECT_EQ(validate(graph, 0, wrong.parent, wrong.level).message,
            "rule 4 (spans the component): edge (4, 5) leads from a reached vertex to one that was not reached");
  EXPECT_FALSE(validate(graph, 8, wrong.parent, wrong.level).valid);
  EXPECT_FALSE(validate(graph, 0, {0, 1}, {}).valid);
  EXPECT_FALSE(validate(graph, 0, {}, {}).valid);
}

}  // namespace
}  // namespace dromos::test
