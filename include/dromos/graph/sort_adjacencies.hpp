// SPDX-License-Identifier: BSD-3-Clause
// Sorts the neighbors of every vertex in ascending order, weights with them (equal neighbors by ascending weight).
//
// On a CPU each row is one std::sort, rows handed out dynamically because their lengths differ widely.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <utility>
#include <vector>

namespace dromos {

/// In place; the rows keep their lengths. Cost: O(sum of degree * log degree).
template <class Space, class Vertex, class Memory>
void sort_adjacencies(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  static_assert(host_accessible<Memory>, "sort_adjacencies() has no implementation for this memory space yet");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  const auto row_map = graph.row_map;
  Vertex* const entries = graph.entries.data();
  float* const weights = graph.weights.data();
  const bool weighted = graph.weighted();
  // Chunks of 256 rows: short enough to balance hubs, long enough to keep the shared counter quiet.
  Kokkos::parallel_for("dromos::build_csr::sort", Range(space, 0, graph.num_vertices(), Kokkos::ChunkSize(256)),
                       [=](const std::int64_t u) {
                         const Offset begin = row_map(u);
                         const Offset end = row_map(u + 1);
                         if (!weighted) {
                           std::sort(entries + begin, entries + end);
                           return;
                         }
                         std::vector<std::pair<Vertex, float>> row(end - begin);
                         for (Offset e = begin; e < end; ++e) row[e - begin] = {entries[e], weights[e]};
                         std::sort(row.begin(), row.end());
                         for (Offset e = begin; e < end; ++e) {
                           entries[e] = row[e - begin].first;
                           weights[e] = row[e - begin].second;
                         }
                       });
  fence(space, "dromos::build_csr::sort");
}

}  // namespace dromos
