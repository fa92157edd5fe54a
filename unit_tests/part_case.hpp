// SPDX-License-Identifier: BSD-3-Clause
// A graph whole and this rank's part of it, for tests of algorithms on parts.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <string>
#include <utility>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {

/// Instead of a threshold.
inline constexpr Offset by_vertices = -2;

/// A zoo graph whole, and this rank's part of it.
template <class Vertex>
struct PartCase {
  CsrGraph<Vertex, Memory> whole;
  GraphPart<Vertex, Memory> part;
  std::string name;

  PartCase(const Communicator& world, const ZooGraph& zoo, Offset threshold) : whole(zoo_graph<Vertex>(zoo)) {
    name = zoo.name + (threshold == by_vertices ? " by vertices" : " threshold " + std::to_string(threshold));
    const auto slice = zoo_slice<Vertex>(world, zoo);
    const auto graph = build_graph_1d(world, Space(), slice, zoo_build(zoo));
    if (!zoo.directed) {
      part = threshold == by_vertices
                 ? part_by_vertices(world, Space(), graph)
                 : part_by_degree(world, Space(), separate_by_degree(world, Space(), graph, threshold));
      return;
    }
    auto turned = slice;
    std::swap(turned.source, turned.target);
    const auto in_edges = build_graph_1d(world, Space(), turned, zoo_build(zoo));
    if (threshold == by_vertices) {
      part = part_by_vertices(world, Space(), graph, &in_edges);
    } else {
      const auto separated = separate_by_degree(world, Space(), graph, threshold, &in_edges);
      const auto separated_turned = separate_by_degree(world, Space(), in_edges, threshold, &graph);
      part = part_by_degree(world, Space(), separated, &separated_turned);
    }
  }

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
