// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components of parts of distributed graphs: every method, and Multistep with each of its steps
// forced, finds the components that Tarjan's algorithm finds on the whole graph.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/algorithms/scc.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/validate/reference.hpp>
#include <limits>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"
#include "part_case.hpp"
#include "part_cases.hpp"
#include "scc_graphs.hpp"

namespace dromos::test {
namespace {

struct Variant {
  std::string name;
  SccOptions options;
  std::int64_t few_arcs = 1 << 14;
};

std::vector<Variant> variants() {
  std::vector<Variant> all(8);
  all[0].name = "multistep";
  all[1].name = "multistep that never gives up";
  all[1].options.multistep.waste_limit = std::numeric_limits<double>::infinity();
  all[1].options.multistep.serial_cutoff = 0;
  all[2].name = "multistep that finishes serially";
  all[2].options.multistep.waste_limit = std::numeric_limits<double>::infinity();
  all[2].options.multistep.serial_cutoff = std::numeric_limits<std::int64_t>::max();
  all[3].name = "coloring";
  all[3].options.method = SccMethod::coloring;
  all[4].name = "serial";
  all[4].options.method = SccMethod::serial;
  for (int i = 5; i < 8; ++i) all[i].options.method = SccMethod::serial;
  all[5].name = "serial, on the first rank";
  all[5].few_arcs = 0;
  all[6].name = "serial, up to 9 arcs on every rank";
  all[6].few_arcs = 9;
  all[7] = all[2];
  all[7].name += " on the first rank";
  all[7].few_arcs = 0;
  return all;
}

template <class Vertex>
void expect_components(const Communicator& world, const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
  const PartCase<Vertex> c(world, zoo, threshold);
  const auto expected = reference::strong_components(copy_to<Kokkos::HostSpace>(c.whole));
  auto scratch = SccScratch<LocalVertex, Memory, Vertex>::of_part(c.part.out_edges, c.part.in_edges);
  SccResult<Vertex, Memory> result;
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.name);
    Halo<Space, Vertex> halo(world, c.part);
    halo.set_few_arcs(variant.few_arcs);
    SccOptions options = variant.options;
    options.strategy = strategy_of(turn);
    if (result.component.extent(0) != 0) Kokkos::deep_copy(result.component, no_vertex<Vertex>);
    const SccStatistics statistics = scc(Space(), scratch, result, options, halo);
    halo.to_owners(Space(), result.component);
    c.expect(result.component, expected, [](Vertex a, Vertex b) { return a == b; });
    std::int64_t num_settled = 0;
    for (const SccStep& step : statistics.steps) num_settled += step.num_settled;
    EXPECT_EQ(num_settled, zoo.num_vertices) << c.name;
    std::int64_t num_components = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) num_components += expected[v] == static_cast<Vertex>(v);
    EXPECT_EQ(statistics.components.num_components, num_components) << c.name;
  }
}

template <class Vertex>
class PartScc : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(PartScc, PartVertexTypes, );

TYPED_TEST(PartScc, ComponentsAreThoseOfTarjan) {
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    expect_components<TypeParam>(this->world, zoo, threshold, turn);
  });
}

// Searches that push for long, and rounds of coloring that divide what the round before has left together.
TYPED_TEST(PartScc, OfDeepGraphsToo) {
  std::uint64_t turn = 0;
  for (const auto& named : deep_graphs<std::int64_t>(levels_are_cheap(this->world) ? 400 : 150)) {
    ZooGraph zoo{named.name, named.edges.num_vertices, {}, true};
    for (std::int64_t e = 0; e < named.edges.num_edges(); ++e) {
      zoo.edges.emplace_back(named.edges.source(e), named.edges.target(e));
    }
    for (const Offset threshold : {by_vertices, Offset(3), on_grid}) {
      expect_components<TypeParam>(this->world, zoo, threshold, turn++);
      if (failed_anywhere(this->world)) return;
    }
  }
}

TYPED_TEST(PartScc, ForwardBackwardAloneIsForWholeGraphs) {
  using Vertex = TypeParam;
  const PartCase<Vertex> c(this->world, random_small_graph(3), by_vertices);
  const Halo<Space, Vertex> halo(this->world, c.part);
  auto scratch = SccScratch<LocalVertex, Memory, Vertex>::of_part(c.part.out_edges, c.part.in_edges);
  SccResult<Vertex, Memory> result;
  SccOptions options;
  options.method = SccMethod::forward_backward;
  EXPECT_THROW(scc(Space(), scratch, result, options, halo), ArgumentError);
}

}  // namespace
}  // namespace dromos::test
