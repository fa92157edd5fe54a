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

template <class Vertex, class Memory>
struct WeighRows {
  CsrView<Vertex, Memory> view;
  std::uint64_t seed;
  Kokkos::View<float*, Memory> weights;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex u = static_cast<Vertex>(i);
    for (Offset e = view.begin(u); e < view.end(u); ++e) {
      const Vertex v = view.neighbor(e);
      weights(e) = random_weight(seed, static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v));
    }
  }
};

template <class Vertex, class Memory>
struct WeighEdges {
  Kokkos::View<Vertex*, Memory> source, target;
  std::uint64_t seed;
  Kokkos::View<float*, Memory> weight;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    weight(i) = random_weight(seed, static_cast<std::uint64_t>(source(i)), static_cast<std::uint64_t>(target(i)));
  }
};

}  // namespace detail

/// The same graph with a weight in (0, 1] on every edge, uniformly distributed in steps of 2^-24: never 0, so that
/// distances ascend along every path. Shares the rows.
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> with_random_weights(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                             std::uint64_t seed) {
  CsrGraph<Vertex, Memory> weighted = graph;
  weighted.weights = Kokkos::View<float*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph::weights"), graph.entries.extent(0));
  for_range("dromos::generate::edge_weights", space, graph.num_vertices(),
            detail::WeighRows<Vertex, Memory>{graph.view(), seed, weighted.weights});
  fence(space, "dromos::generate::edge_weights");
  return weighted;
}

/// The same for an edge list, or a slice of one: the graph that is built of it has the weights that the graph built
/// without would be given. Shares the ends.
template <class Space, class Vertex, class Memory>
EdgeList<Vertex, Memory> with_random_weights(const Space& space, const EdgeList<Vertex, Memory>& edges,
                                             std::uint64_t seed) {
  EdgeList<Vertex, Memory> weighted = edges;
  weighted.weight = Kokkos::View<float*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::edge_list::weight")), edges.num_edges());
  for_range("dromos::generate::edge_weights", space, edges.num_edges(),
            detail::WeighEdges<Vertex, Memory>{edges.source, edges.target, seed, weighted.weight});
  fence(space, "dromos::generate::edge_weights");
  return weighted;
}

}  // namespace dromos
