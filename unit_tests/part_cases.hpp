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

/// Calls f(zoo graph, threshold) for all that parts can be made of.
template <class F>
void for_each_part(const Communicator& world, const F& f) {
  std::uint64_t turn = 0;
  const auto try_one = [&](const ZooGraph& zoo, Offset threshold) {
    f(zoo, threshold, turn++);
    return !failed_anywhere(world);
  };
  const auto try_all = [&](const ZooGraph& zoo, bool every_threshold) {
    if (every_threshold || turn % 2 == 0) {
      if (!try_one(zoo, by_vertices)) return false;
    }
    if (every_threshold || turn % 2 == 1) {
      if (!try_one(zoo, in_blocks)) return false;
    }
    const Offset thresholds[] = {0, 2, 6};
    if (!every_threshold) return try_one(zoo, thresholds[turn % 3]);
    return try_one(zoo, 0) && try_one(zoo, 2) && try_one(zoo, turn % 2 == 0 ? 6 : 1000000);
  };
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (!try_all(zoo, true)) return;
  }
  for (std::uint64_t seed = 0; seed < num_random_graphs(world); ++seed) {
    if (!try_all(random_small_graph(seed), false)) return;
  }
}

inline Strategy strategy_of(std::uint64_t turn) { return all_strategies()[turn % all_strategies().size()]; }

using PartVertexTypes = ::testing::Types<std::int32_t, std::int64_t>;

}  // namespace dromos::test
