// SPDX-License-Identifier: BSD-3-Clause
// Components of real graphs on several ranks: as many, and the largest as large, as is published of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/parts/halo.hpp>

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
  if (!zoo.directed) expect_components(64);
}

INSTANTIATE_TEST_SUITE_P(All, PartRealGraphs, ::testing::ValuesIn(all_real_graphs()), test_name);

}  // namespace
}  // namespace dromos::test
