// SPDX-License-Identifier: BSD-3-Clause
// Do neighbors have near numbers, as nodes of roads and pages of a crawl have? Then what an algorithm reads of a
// neighbor is in a cache, and what it does one vertex after the other is far cheaper than where they lie anywhere.
#pragma once

#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/graph_view.hpp>

namespace dromos::detail {

/// Numbers that differ by less are near.
constexpr int near_distance = 4096;

enum class Nearness {
  unknown,  ///< so few vertices that they are near by chance, or none with edges
  near,     ///< most vertices have a first neighbor near them
  far
};

/// By a sample, which this thread takes: of a graph in host memory.
template <class View>
Nearness nearness_of_numbers(const View& graph) {
  using Vertex = typename View::vertex_type;
  constexpr std::uint64_t sample_size = 256;
  const auto n = static_cast<std::uint64_t>(graph.num_vertices());
  if (n < 16 * std::uint64_t(near_distance)) return Nearness::unknown;
  const CounterRandom random(0, 0x6e656172);  // a stream of its own: "near"
  int num_asked = 0, num_near = 0;
  for (std::uint64_t i = 0; i < sample_size; ++i) {
    const auto u = static_cast<Vertex>(random.below(n, i));
    const Offset first = graph.begin(u);
    if (first == graph.end(u)) continue;
    const Vertex v = neighbor_of(graph, u, first);
    ++num_asked;
    num_near += dromos::max(u, v) - dromos::min(u, v) < near_distance;
  }
  if (num_asked == 0) return Nearness::unknown;
  return 2 * num_near > num_asked ? Nearness::near : Nearness::far;
}

template <class View>
bool has_near_numbers(const View& graph) {
  return nearness_of_numbers(graph) == Nearness::near;
}

}  // namespace dromos::detail
