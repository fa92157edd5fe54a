// SPDX-License-Identifier: BSD-3-Clause
// A graph whole and this rank's part of it, for tests of algorithms on parts.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {

/// Instead of a threshold.
inline constexpr Offset by_vertices = -2, in_blocks = -3, on_grid = -4;

/// A zoo graph whole, and this rank's part of it.
template <class Vertex>
struct PartCase {
  CsrGraph<Vertex, Memory> whole;
  GraphPart<Vertex, Memory> part;
  std::string name;

  /// \param grid  for on_grid
  PartCase(const Communicator& world, const ZooGraph& zoo, Offset threshold, const ProcessGrid& grid)
      : whole(zoo_graph<Vertex>(zoo)) {
    name = zoo.name + (threshold == by_vertices ? " by vertices"
                       : threshold == in_blocks ? " in blocks"
                       : threshold == on_grid   ? " on a grid of " + grid.name()
                                                : " threshold " + std::to_string(threshold));
    // Delegates beside blocks, too.
    const Dealing dealing = threshold == in_blocks || threshold == 2 ? Dealing::blocks : Dealing::cyclic;
    const auto slice = zoo_slice<Vertex>(world, zoo);
    const auto graph = build_graph_1d(world, Space(), slice, zoo_build(zoo), dealing);
    std::optional<Graph1d<Vertex, Memory>> turned;
    if (zoo.directed) {
      auto turned_slice = slice;
      std::swap(turned_slice.source, turned_slice.target);
      turned = build_graph_1d(world, Space(), turned_slice, zoo_build(zoo), dealing);
    }
    if (threshold == by_vertices || threshold == in_blocks) {
      part = part_by_vertices(world, Space(), graph, turned);
    } else if (threshold == on_grid) {
      part = part_on_grid(world, Space(), graph, grid, turned);
    } else {
      part = part_by_degree(world, Space(), graph, threshold, turned);
    }
  }
  PartCase(const Communicator& world, const ZooGraph& zoo, Offset threshold)
      : PartCase(world, zoo, threshold, ProcessGrid(world.size())) {}

  /// values of own vertices against those of the whole graph.
  template <class T, class Same>
  void expect(const Kokkos::View<T*, Memory>& values, const std::vector<T>& whole_values, const Same& same) const {
    const auto host = to_vector(values);
    const auto numbers = to_vector(part.numbers);
    for (std::int64_t v = 0; v < part.num_own; ++v) {
      const T expected = whole_values[static_cast<std::size_t>(numbers[v])];
      ASSERT_TRUE(same(host[v], expected))
          << name << ": vertex " << numbers[v] << " has " << host[v] << ", expected " << expected;
    }
  }
};

}  // namespace dromos::test
