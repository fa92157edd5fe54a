// SPDX-License-Identifier: BSD-3-Clause
// Random weights for a graph that has none: a pure function of the two ends of an edge and the seed, so that both
// directions of an undirected edge, and parallel edges, weigh the same, on any number of threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos {

/// The same graph with a weight in (0, 1] on every edge, uniformly distributed in steps of 2^-24: never 0, so that
/// distances ascend along every path. Shares the rows.
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> with_random_weights(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                             std::uint64_t seed) {
  CsrGraph<Vertex, Memory> weighted = graph;
  weighted.weights = Kokkos::View<float*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::weights"), graph.entries.extent(0));
  const auto view = graph.view();
  const auto weights = weighted.weights;
  Kokkos::parallel_for(
      "dromos::generate::edge_weights",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, graph.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const Vertex u = static_cast<Vertex>(i);
        for (Offset e = view.begin(u); e < view.end(u); ++e) {
          const Vertex v = view.neighbor(e);
          const CounterRandom of_smaller_end(seed, static_cast<std::uint64_t>(dromos::min(u, v)));
          const std::uint64_t bits = of_smaller_end.bits(static_cast<std::uint64_t>(dromos::max(u, v)));
          weights(e) = static_cast<float>((bits >> 40) + 1) * (1.0f / (1 << 24));
        }
      });
  fence(space, "dromos::generate::edge_weights");
  return weighted;
}

}  // namespace dromos
