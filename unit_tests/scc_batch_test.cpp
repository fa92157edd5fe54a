// SPDX-License-Identifier: BSD-3-Clause
// Strong components of many graphs at once, against Tarjan's algorithm on each: graphs of any shape with potentials
// that say nothing, and sweep graphs of meshes with flat and with twisted faces. And their levels, against longest
// paths by their definition.
#include <dromos/algorithms/scc_batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/topological_levels_batch.hpp>
#include <dromos/generate/box_mesh.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/reference.hpp>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "graph_zoo.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Offset;
using HostSpace = Kokkos::DefaultHostExecutionSpace;
using HostMemory = Kokkos::HostSpace;

template <class Vertex>
using Labels = Kokkos::View<Vertex**, Kokkos::LayoutRight, HostMemory>;

/// What groups of graphs share that are asked for every edge: nothing but the edges.
template <class Parts, class Vertex>
struct AllEdges {
  using Graph = dromos::CsrView<Vertex, HostMemory>;
  Graph graph;
  const Parts& parts;

  template <class Space>
  AllEdges(const Space&, const Graph& all, const Parts& parts_of_it) : graph(all), parts(parts_of_it) {}
};

/// Such a group.
template <class Parts, class Vertex>
struct AskedGraphs {
  const AllEdges<Parts, Vertex>& edges;
  std::int64_t first;
  int count;

  AskedGraphs(const AllEdges<Parts, Vertex>& all, std::int64_t first_graph, int num_graphs)
      : edges(all), first(first_graph), count(num_graphs) {}
  float potential(Vertex v, int i) const { return edges.parts.potential(first + i, static_cast<double>(v)); }
  template <class F>
  void for_each_backward(const F& f) const {
    for (Vertex u = 0; u < edges.graph.num_vertices(); ++u) {
      for (Offset e = edges.graph.begin(u); e < edges.graph.end(u); ++e) {
        const Vertex v = edges.graph.neighbor(e);
        for (int i = 0; i < count; ++i) {
          if (u == v || potential(u, i) < potential(v, i) || !edges.parts(first + i, u, v, e)) continue;
          f(u, v, i, potential(u, i));
        }
      }
    }
  }
};

/// Graph i has the edges whose random bit i is set; potentials are numbers of vertices, or all alike.
struct RandomParts {
  std::uint64_t seed;
  bool alike;

  template <class Vertex>
  bool operator()(std::int64_t graph, Vertex, Vertex, Offset e) const {
    return std::mt19937_64(seed + static_cast<std::uint64_t>(graph * 1000003 + e))() % 3 != 0;
  }
  float potential(std::int64_t, double vertex) const { return alike ? 1.0f : static_cast<float>(vertex); }
  template <class Vertex>
  using Edges = AllEdges<RandomParts, Vertex>;
  template <class Vertex>
  using Group = AskedGraphs<RandomParts, Vertex>;
};

/// The components of graph i alone.
template <class Vertex, class Parts>
std::vector<Vertex> labels_of(const CsrGraph<Vertex, HostMemory>& graph, const Parts& parts, std::int64_t i) {
  std::vector<Vertex> entries;
  CsrGraph<Vertex, HostMemory> part;
  part.row_map = Kokkos::View<Offset*, HostMemory>("row_map", graph.row_map.extent(0));
  for (Vertex u = 0; u < graph.num_vertices(); ++u) {
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      if (parts(i, u, graph.entries(e), e)) entries.push_back(graph.entries(e));
    }
    part.row_map(u + 1) = static_cast<Offset>(entries.size());
  }
  part.entries = Kokkos::View<Vertex*, HostMemory>("entries", entries.size());
  for (std::size_t e = 0; e < entries.size(); ++e) part.entries(e) = entries[e];
  return dromos::reference::strong_components(part);
}

template <class Vertex, class Parts>
void expect_levels(const CsrGraph<Vertex, HostMemory>& graph, std::int64_t num_graphs, const Parts& parts,
                   const Labels<Vertex>& component);

template <class Vertex, class Parts>
dromos::SccBatchStatistics expect_right(const CsrGraph<Vertex, HostMemory>& graph, std::int64_t num_graphs,
                                        const Parts& parts) {
  const Labels<Vertex> component("component", static_cast<std::size_t>(num_graphs),
                                 static_cast<std::size_t>(graph.num_vertices()));
  const auto found = dromos::scc_batch(HostSpace(), graph, num_graphs, parts, component);
  std::int64_t num_components = 0, num_cyclic = 0;
  for (std::int64_t i = 0; i < num_graphs; ++i) {
    const std::vector<Vertex> expected = labels_of(graph, parts, i);
    std::int64_t of_graph = 0;
    for (Vertex v = 0; v < graph.num_vertices(); ++v) {
      EXPECT_EQ(component(i, v), expected[static_cast<std::size_t>(v)]) << "graph " << i << " vertex " << v;
      of_graph += component(i, v) == v;
      if (::testing::Test::HasFailure()) return found;
    }
    num_components += of_graph;
    num_cyclic += of_graph < graph.num_vertices();
  }
  EXPECT_EQ(found.num_components, num_components);
  EXPECT_EQ(found.num_cyclic, num_cyclic);
  expect_levels(graph, num_graphs, parts, component);
  return found;
}

/// Levels of the components: an edge between two of them leads to a larger one, and each is as small as that allows.
template <class Vertex, class Parts>
void expect_levels(const CsrGraph<Vertex, HostMemory>& graph, std::int64_t num_graphs, const Parts& parts,
                   const Labels<Vertex>& component) {
  const Labels<dromos::Level> level("level", component.extent(0), component.extent(1));
  const auto found = dromos::topological_levels_batch(HostSpace(), graph, num_graphs, parts, component, level);
  dromos::Level largest = -1;
  for (std::int64_t i = 0; i < num_graphs; ++i) {
    std::vector<dromos::Level> expected(static_cast<std::size_t>(graph.num_vertices()), 0);
    for (bool changes = true; changes;) {
      changes = false;
      for (Vertex u = 0; u < graph.num_vertices(); ++u) {
        for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
          const Vertex from = component(i, u), to = component(i, graph.entries(e));
          if (from == to || !parts(i, u, graph.entries(e), e)) continue;
          dromos::Level& of_head = expected[static_cast<std::size_t>(to)];
          const dromos::Level least = expected[static_cast<std::size_t>(from)] + 1;
          if (of_head >= least) continue;
          of_head = least;
          changes = true;
        }
      }
    }
    for (Vertex v = 0; v < graph.num_vertices(); ++v) {
      ASSERT_EQ(level(i, v), expected[static_cast<std::size_t>(component(i, v))]) << "graph " << i << " vertex " << v;
      largest = std::max(largest, level(i, v));
    }
  }
  EXPECT_EQ(found.most_levels, largest + 1);
}

/// A mesh and some directions, the first along an axis.
struct Mesh {
  CsrGraph<std::int32_t, HostMemory> graph;
  dromos::DownwindFaces faces;

  Mesh(int side, int num_directions, double twist) {
    const dromos::BoxMesh mesh = dromos::box_mesh({side, 0.3, twist, 5});
    const Kokkos::View<double* [3], Kokkos::LayoutLeft, HostMemory> direction("direction", num_directions);
    std::mt19937_64 random(7);
    std::normal_distribution<double> component;
    for (int i = 0; i < num_directions; ++i) {
      for (int k = 0; k < 3; ++k) direction(i, k) = i == 0 ? (k == 0) : component(random);
    }
    graph = mesh.graph;
    faces = {mesh.normal, mesh.center, direction};
  }
};

template <class Vertex>
class SccBatchTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SccBatchTest, VertexTypes, );

TYPED_TEST(SccBatchTest, LevelsRefuseWhatAreNoComponents) {
  // A cycle of three, of which each has a label of its own; then labels that name no smallest vertex.
  CsrGraph<TypeParam, HostMemory> cycle;
  cycle.row_map = Kokkos::View<Offset*, HostMemory>("row_map", 4);
  cycle.entries = Kokkos::View<TypeParam*, HostMemory>("entries", 3);
  for (TypeParam v = 0; v < 3; ++v) {
    cycle.row_map(v + 1) = v + 1;
    cycle.entries(v) = (v + 1) % 3;
  }
  const auto every_edge = [](std::int64_t, TypeParam, TypeParam, Offset) { return true; };
  const Labels<TypeParam> component("component", 1, 3);
  const Labels<dromos::Level> level("level", 1, 3), short_level("short_level", 1, 2);
  const auto find = [&](const std::vector<TypeParam>& labels, const Labels<dromos::Level>& result) {
    for (std::size_t v = 0; v < 3; ++v) component(0, v) = labels[v];
    return dromos::topological_levels_batch(HostSpace(), cycle, 1, every_edge, component, result).most_levels;
  };
  EXPECT_EQ(find({0, 0, 0}, level), 1);
  EXPECT_THROW(find({0, 1, 2}, level), dromos::ArgumentError);
  EXPECT_THROW(find({0, 0, 1}, level), dromos::ArgumentError) << "1 does not name itself";
  EXPECT_THROW(find({2, 2, 2}, level), dromos::ArgumentError) << "not the smallest";
  EXPECT_THROW(find({0, -1, 0}, level), dromos::ArgumentError);
  EXPECT_THROW(find({0, 0, 0}, short_level), dromos::ArgumentError);
}

TYPED_TEST(SccBatchTest, IsRightOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto zoo = dromos::test::random_small_graph(seed);
    SCOPED_TRACE(zoo.name);
    const auto graph =
        dromos::copy_to<HostMemory>(dromos::build_csr(dromos::test::Space(), zoo.template edge_list<TypeParam>()));
    expect_right(graph, static_cast<std::int64_t>(1 + seed % 40), RandomParts{seed, seed % 3 == 0});
    if (this->HasFailure()) return;
  }
}

/// All edges, and potentials that are numbers of vertices, or none.
struct EveryEdge {
  bool are_numbers;

  template <class Vertex>
  bool operator()(std::int64_t, Vertex, Vertex, Offset) const {
    return true;
  }
  float potential(std::int64_t, double vertex) const {
    return are_numbers ? static_cast<float>(vertex) : std::numeric_limits<float>::quiet_NaN();
  }
  template <class Vertex>
  using Edges = AllEdges<EveryEdge, Vertex>;
  template <class Vertex>
  using Group = AskedGraphs<EveryEdge, Vertex>;
};

TYPED_TEST(SccBatchTest, LooksFarWhereCyclesAreLong) {
  // A path with an edge from its end back to a vertex: a cycle of so many, whether short looks tell or not.
  constexpr TypeParam n = 1000;
  for (const TypeParam size : {2, 5, 150, 199, 200, 201, 202, 1000}) {
    SCOPED_TRACE(size);
    CsrGraph<TypeParam, HostMemory> graph;
    graph.row_map = Kokkos::View<Offset*, HostMemory>("row_map", n + 1);
    graph.entries = Kokkos::View<TypeParam*, HostMemory>("entries", n);
    for (TypeParam v = 0; v < n; ++v) {
      graph.row_map(v + 1) = v + 1;
      graph.entries(v) = v + 1 < n ? v + 1 : n - size;
    }
    EXPECT_EQ(expect_right(graph, 2, EveryEdge{true}).num_components, 2 * (n - size + 1));
    EXPECT_EQ(expect_right(graph, 1, EveryEdge{false}).num_components, n - size + 1);
    // The same without the way back: the last vertex stands before the path.
    graph.entries(n - 2) = n - 2;
    EXPECT_EQ(expect_right(graph, 1, EveryEdge{true}).num_cyclic, 0);
  }
}

TEST(SccBatchSweeps, SweepsOfFlatFacesHaveNoCycle) {
  const Mesh mesh(8, 100, 0);
  const auto found = expect_right(mesh.graph, 100, mesh.faces);
  EXPECT_EQ(found.num_cyclic, 0);
  EXPECT_EQ(found.num_marked, 0);
}

TEST(SccBatchSweeps, SweepsOfTwistedFacesHaveSome) {
  const Mesh slightly(8, 100, 0.1), much(8, 50, 2);
  const auto found = expect_right(slightly.graph, 100, slightly.faces);
  EXPECT_GT(found.num_cyclic, 0);
  EXPECT_LT(found.num_marked, 100 * 512 / 10) << "who lies on no cycle is marked";
  EXPECT_EQ(expect_right(much.graph, 50, much.faces).num_cyclic, 50);
}

/// A mesh with what faces may have: nothing of a length, far away, one way only, two of them between the same cells,
/// and directions of any length, none and no number.
Mesh strange_mesh(std::uint64_t seed) {
  Mesh mesh(5, 60, 0.3);
  std::mt19937_64 random(seed);
  const auto n = static_cast<std::int64_t>(mesh.faces.center.extent(0));
  const Offset num_edges = mesh.graph.num_edges();
  const auto normal = Kokkos::View<double* [3], Kokkos::LayoutRight, HostMemory>("normal", num_edges);
  const auto center = Kokkos::View<double* [3], Kokkos::LayoutRight, HostMemory>("center", n);
  const auto direction = Kokkos::View<double* [3], Kokkos::LayoutLeft, HostMemory>("direction", 60);
  Kokkos::deep_copy(normal, mesh.faces.normal);
  Kokkos::deep_copy(center, mesh.faces.center);
  Kokkos::deep_copy(direction, mesh.faces.direction);
  const auto any = [&](std::int64_t size) { return static_cast<std::int64_t>(random() % std::uint64_t(size)); };
  for (int i = 0; i < 20; ++i) normal(any(num_edges), any(3)) = 0.01 * static_cast<double>(any(200) - 100);
  for (int k = 0; k < 3; ++k) normal(any(num_edges), 0) = normal(any(num_edges), 1) = 0;
  for (int i = 0; i < 4; ++i) {
    const auto v = any(n), w = any(n);
    for (int k = 0; k < 3; ++k) center(v, k) = center(w, k);
  }
  const double away = seed % 3 == 0 ? 1e6 : 0;
  for (std::int64_t v = 0; v < n; ++v) center(v, 0) += away;
  for (int i = 0; i < 60; ++i) {
    const double length = i == 7 ? 0 : std::pow(10, static_cast<double>(any(9) - 4));
    for (int k = 0; k < 3; ++k) direction(i, k) *= length;
  }
  if (seed % 2 == 0) center(any(n), 1) = direction(9, 2) = std::numeric_limits<double>::quiet_NaN();
  // Parallel faces: neighbors that were others'.
  const auto entries = Kokkos::create_mirror(mesh.graph.entries);
  Kokkos::deep_copy(entries, mesh.graph.entries);
  for (int i = 0; i < 10; ++i) {
    const Offset e = any(num_edges - 1);
    entries(e) = entries(e + 1);
  }
  mesh.graph.entries = entries;
  mesh.faces = {normal, center, direction};
  return mesh;
}

TEST(SccBatchSweeps, IsRightWhateverFacesAre) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Mesh mesh = strange_mesh(seed);
    expect_right(mesh.graph, 60, mesh.faces);
    if (HasFailure()) return;
  }
}

TEST(SccBatchSweeps, EdgesThatLeadBackwardAreAllListed) {
  const Mesh mesh(6, 100, 0.4);
  const auto view = mesh.graph.view();
  const dromos::DownwindFaces::Edges<std::int32_t> edges(HostSpace(), view, mesh.faces);
  for (std::int64_t first = 0; first < 100; first += dromos::scc_batch_lanes) {
    const int count = static_cast<int>(std::min<std::int64_t>(dromos::scc_batch_lanes, 100 - first));
    const dromos::DownwindFaces::Group<std::int32_t> group(edges, first, count);
    using Found = std::vector<std::tuple<int, int, int>>;
    Found expected, found;
    for (std::int32_t u = 0; u < view.num_vertices(); ++u) {
      for (Offset e = view.begin(u); e < view.end(u); ++e) {
        const std::int32_t v = view.neighbor(e);
        for (int i = 0; i < count; ++i) {
          const bool rises = group.potential(u, i) < group.potential(v, i);
          if (!rises && mesh.faces(first + i, u, v, e)) expected.emplace_back(u, v, i);
        }
      }
    }
    group.for_each_backward([&](int u, int v, int i, float potential) {
      EXPECT_EQ(potential, group.potential(u, i));
      found.emplace_back(u, v, i);
    });
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST(SccBatchSweeps, AcceptsNothingAndRefusesLabelsOfAnotherSize) {
  const Mesh mesh(2, 3, 0);
  EXPECT_EQ(expect_right(mesh.graph, 0, mesh.faces).num_components, 0);
  EXPECT_EQ(expect_right(CsrGraph<std::int32_t, HostMemory>(), 3, mesh.faces).num_components, 0);
  EXPECT_THROW(dromos::scc_batch(HostSpace(), mesh.graph, 3, mesh.faces, Labels<std::int32_t>("component", 2, 8)),
               dromos::ArgumentError);
  EXPECT_THROW(dromos::scc_batch(HostSpace(), mesh.graph, 3, mesh.faces, Labels<std::int32_t>("component", 3, 7)),
               dromos::ArgumentError);
}

}  // namespace
