// SPDX-License-Identifier: BSD-3-Clause
// Strong components of many graphs at once, against Tarjan's algorithm on each: graphs of any shape with potentials
// that say nothing, and sweep graphs of meshes with flat and with twisted faces.
#include <dromos/algorithms/scc_batch.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/generate/box_mesh.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/reference.hpp>
#include <random>
#include <string>
#include <vector>

#include "graph_zoo.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Offset;
using HostSpace = Kokkos::DefaultHostExecutionSpace;
using HostMemory = Kokkos::HostSpace;

template <class Vertex>
using Labels = Kokkos::View<Vertex**, Kokkos::LayoutRight, HostMemory>;

/// Graph i has the edges whose random bit i is set; potentials are numbers of vertices, or all alike.
struct RandomParts {
  std::uint64_t seed;
  bool alike;

  template <class Vertex>
  bool operator()(std::int64_t graph, Vertex, Vertex, Offset e) const {
    return std::mt19937_64(seed + static_cast<std::uint64_t>(graph * 1000003 + e))() % 3 != 0;
  }
  struct Group {
    const RandomParts& parts;
    std::int64_t first;
    int count;

    Group(const RandomParts& all, std::int64_t first_graph, int num_graphs)
        : parts(all), first(first_graph), count(num_graphs) {}
    template <class Vertex>
    void potentials(Vertex v, float* values) const {
      for (int i = 0; i < dromos::scc_batch_lanes; ++i) values[i] = parts.alike ? 1.0f : static_cast<float>(v);
    }
    template <class Vertex>
    bool may_have(Vertex, Vertex, Offset) const {
      return true;
    }
    template <class Vertex>
    unsigned present(Vertex u, Vertex v, Offset e, const int (&is_among)[dromos::scc_batch_lanes]) const {
      unsigned bits = 0;
      for (int i = 0; i < count; ++i) bits |= static_cast<unsigned>(is_among[i] != 0 && parts(first + i, u, v, e)) << i;
      return bits;
    }
  };
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
  return found;
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
  EXPECT_LT(found.num_marked, 100 * 512 / 2);
  EXPECT_EQ(expect_right(much.graph, 50, much.faces).num_cyclic, 50);
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
