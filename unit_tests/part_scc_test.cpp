// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components of parts of distributed graphs: every method, and Multistep with each of its steps
// forced, finds the components that Tarjan's algorithm finds on the whole graph.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/algorithms/scc.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/halo.hpp>
#include <dromos/validate/reference.hpp>
#include <limits>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"
#include "part_case.hpp"
#include "part_cases.hpp"

namespace dromos::test {
namespace {

struct Variant {
  std::string name;
  SccOptions options;
};

std::vector<Variant> variants() {
  std::vector<Variant> all(5);
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
  return all;
}

template <class Vertex>
class PartScc : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(PartScc, PartVertexTypes);

TYPED_TEST(PartScc, ComponentsAreThoseOfTarjan) {
  using Vertex = TypeParam;
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    const PartCase<Vertex> c(this->world, zoo, threshold);
    const auto expected = reference::strong_components(copy_to<Kokkos::HostSpace>(c.whole));
    const Halo<Space, Vertex> halo(this->world, c.part);
    auto scratch = SccScratch<LocalVertex, Memory, Vertex>::of_part(c.part.out_edges, c.part.in_edges);
    SccResult<Vertex, Memory> result;
    for (const Variant& variant : variants()) {
      SCOPED_TRACE(variant.name);
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
  });
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
