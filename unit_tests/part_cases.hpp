// SPDX-License-Identifier: BSD-3-Clause
// The graphs and partitions on which tests of algorithms on parts run.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/traverse/strategy.hpp>

#include "distributed_zoo.hpp"
#include "part_case.hpp"

namespace dromos::test {

/// Calls f(zoo graph, threshold, turn) for all that parts can be made of.
template <class F>
void for_each_part(const Communicator& world, const F& f) {
  std::uint64_t turn = 0;
  const auto try_one = [&](const ZooGraph& zoo, Offset threshold) {
    f(zoo, threshold, turn++);
    return !failed_anywhere(world);
  };
  // An odd number of turns for each graph: every partition has its turn with every strategy.
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    const Offset large = turn % 2 == 0 ? 6 : 1000000;
    for (const Offset threshold : {by_vertices, in_blocks, on_grid, Offset(0), Offset(2), large}) {
      if (!try_one(zoo, threshold)) return;
    }
    ++turn;
  }
  const Offset thresholds[] = {0, 2, 6, on_grid};
  for (std::uint64_t seed = 0; seed < num_random_graphs(world); ++seed) {
    const ZooGraph zoo = random_small_graph(seed);
    const std::uint64_t round = seed / 4;
    if (!try_one(zoo, round % 2 == 0 ? by_vertices : in_blocks) || !try_one(zoo, thresholds[round % 4])) return;
    ++turn;
  }
}

inline Strategy strategy_of(std::uint64_t turn) { return all_strategies()[turn % all_strategies().size()]; }

using PartVertexTypes = ::testing::Types<std::int32_t, std::int64_t>;

}  // namespace dromos::test
