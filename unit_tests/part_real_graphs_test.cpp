// SPDX-License-Identifier: BSD-3-Clause
// Components and strong components of real graphs on several ranks: as many, and the largest as large, as is published
// of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <limits>

#include "part_case.hpp"
#include "real_zoo.hpp"

namespace dromos::test {
namespace {

class PartRealGraphs : public ::testing::TestWithParam<RealGraph> {};

TEST_P(PartRealGraphs, ComponentsAreThosePublished) {
  DROMOS_SKIP_WITHOUT(GetParam().file);
  DROMOS_SKIP_WITHOUT("values.json");
  const auto values = known_values(GetParam().key);
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph zoo = real_graph_as_zoo(GetParam());
  const auto expect_components = [&](Offset threshold) {
    const PartCase<std::int32_t> c(world, zoo, threshold);
    const Halo<Space, std::int32_t> halo(world, c.part);
    ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    ComponentResult<std::int32_t, Memory> result;
    const auto found = connected_components(Space(), c.part.out_edges, scratch, result, {}, halo).components;
    EXPECT_EQ(found.num_components, values.at("wcc").get<std::int64_t>()) << c.name;
    EXPECT_EQ(found.largest_component, values.at("largest_wcc").get<std::int64_t>()) << c.name;
  };
  expect_components(by_vertices);
  expect_components(64);
  expect_components(on_grid);
}

TEST_P(PartRealGraphs, StrongComponentsAreThosePublished) {
  DROMOS_SKIP_WITHOUT(GetParam().file);
  DROMOS_SKIP_WITHOUT("values.json");
  const auto values = known_values(GetParam().key);
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph zoo = real_graph_as_zoo(GetParam());
  if (!zoo.directed || !values.contains("scc")) GTEST_SKIP() << "no strong components are published of it";
  SccOptions without_serial;
  without_serial.multistep.waste_limit = std::numeric_limits<double>::infinity();
  without_serial.multistep.serial_cutoff = 0;
  for (const Offset threshold : {by_vertices, Offset(64), on_grid}) {
    const PartCase<std::int32_t> c(world, zoo, threshold);
    const Halo<Space, std::int32_t> halo(world, c.part);
    auto scratch = SccScratch<LocalVertex, Memory, std::int32_t>::of_part(c.part.out_edges, c.part.in_edges);
    SccResult<std::int32_t, Memory> result;
    for (const SccOptions& options : {SccOptions(), without_serial}) {
      const auto found = scc(Space(), scratch, result, options, halo).components;
      const std::int64_t num_unused = zoo.num_vertices - values.at("vertices").get<std::int64_t>();
      EXPECT_EQ(found.num_components, values.at("scc").get<std::int64_t>() + num_unused) << c.name;
      EXPECT_EQ(found.largest_component, values.at("largest_scc").get<std::int64_t>()) << c.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PartRealGraphs, ::testing::ValuesIn(all_real_graphs()), test_name);

}  // namespace
}  // namespace dromos::test
