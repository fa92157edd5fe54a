// SPDX-License-Identifier: BSD-3-Clause
// Random weights for a graph that has none: a pure function of the two ends of an edge and the seed, so that both
// directions of an undirected edge, and parallel edges, weigh the same, on any number of threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>

namespace dromos {

namespace detail {

/// The weight of the edge between u and v, whichever comes first: in (0, 1], in steps of 2^-24.
KOKKOS_FORCEINLINE_FUNCTION float random_weight(std::uint64_t seed, std::uint64_t u, std::uint64_t v) {
  const CounterRandom of_smaller_end(seed, dromos::min(u, v));
  return static_cast<float>((of_smaller_end.bits(dromos::max(u, v)) >> 40) + 1) * (1.0f / (1 << 24));
}

}  // namespace detail

/// The same graph with a weight in (0, 1] on every edge, uniformly distributed in steps of 2^-24: never 0, so that
/// distances ascend along every path. Shares the rows.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE CsrGraph<Vertex, Memory> with_random_weights(const Space& space,
                                                                   const CsrGraph<Vertex, Memory>& graph,
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
          weights(e) = detail::random_weight(seed, static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v));
        }
      });
  fence(space, "dromos::generate::edge_weights");
  return weighted;
}

/// The same for an edge list, or a slice of one: the graph that is built of it has the weights that the graph built
/// without would be given. Shares the ends.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE EdgeList<Vertex, Memory> with_random_weights(const Space& space,
                                                                   const EdgeList<Vertex, Memory>& edges,
                                                                   std::uint64_t seed) {
  EdgeList<Vertex, Memory> weighted = edges;
  weighted.weight = Kokkos::View<float*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::edge_list::weight")), edges.num_edges());
  const auto source = edges.source;
  const auto target = edges.target;
  const auto weight = weighted.weight;
  for_range(
      "dromos::generate::edge_weights", space, edges.num_edges(), KOKKOS_LAMBDA(const std::int64_t i) {
        weight(i) =
            detail::random_weight(seed, static_cast<std::uint64_t>(source(i)), static_cast<std::uint64_t>(target(i)));
      });
  fence(space, "dromos::generate::edge_weights");
  return weighted;
}

}  // namespace dromos
