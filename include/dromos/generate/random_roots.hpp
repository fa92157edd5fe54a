// SPDX-License-Identifier: BSD-3-Clause
// Roots for repeated searches, chosen as Graph500 asks: at random, distinct, each with an edge to leave by.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <unordered_set>
#include <vector>

namespace dromos {

/// Up to `count` distinct vertices of out-degree > 0, in the order drawn; fewer where the graph has not so many.
/// The same graph, count and seed give the same roots everywhere.
///
/// Draws until every vertex must have been met in all likelihood, then takes the remaining ones in ascending order, so
/// that a graph with very few vertices of degree > 0 still yields all it has. Cost: copies the row map to the host.
template <class Vertex, class Memory>
std::vector<Vertex> random_roots(const CsrGraph<Vertex, Memory>& graph, std::int64_t count, std::uint64_t seed) {
  const auto row_map = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.row_map);
  const std::int64_t n = graph.num_vertices();
  const CounterRandom random(seed, 0x726f6f7473);  // a stream of its own: "roots"
  std::vector<Vertex> roots;
  std::unordered_set<Vertex> chosen;
  const auto take = [&](std::int64_t v) {
    if (row_map(v + 1) > row_map(v) && chosen.insert(static_cast<Vertex>(v)).second) {
      roots.push_back(static_cast<Vertex>(v));
    }
  };
  const auto done = [&] { return static_cast<std::int64_t>(roots.size()) >= count; };
  for (std::int64_t draw = 0; draw < 4 * n && !done(); ++draw) {
    take(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(draw))));
  }
  for (std::int64_t v = 0; v < n && !done(); ++v) take(v);
  return roots;
}

}  // namespace dromos
