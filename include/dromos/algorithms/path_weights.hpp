// SPDX-License-Identifier: BSD-3-Clause
// Weights that paths may be added up from, and the types of what comes out: what delta-stepping (algorithms/sssp.hpp)
// asks of a graph before it begins.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/graph/warp_blocks.hpp>
#include <dromos/traverse/pile.hpp>
#include <type_traits>

namespace dromos {

/// Distance of a vertex that was not reached: infinity, and of whole numbers the largest there is.
template <class Distance>
inline constexpr Distance no_distance = no_priority<Distance>;

/// What distances can be: whole numbers of 64 bits, exact where all weights are whole; double; or float, which is half
/// as wide and rounds as soon as a distance has more than 24 significant bits.
template <class Distance>
inline constexpr bool is_distance_type =
    std::is_same_v<Distance, std::int64_t> || std::is_same_v<Distance, double> || std::is_same_v<Distance, float>;

/// Weights whose sum is below this have all distances in whole numbers, with room for a bucket behind the last.
inline constexpr double most_whole_distance = 4611686018427387904.0;  // 2^62

namespace detail {

/// The smallest number above one that is not negative.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number next_above(Number number) {
  std::conditional_t<sizeof(Number) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t> bits;
  memcpy(&bits, &number, sizeof bits);
  ++bits;
  memcpy(&number, &bits, sizeof bits);
  return number;
}

KOKKOS_FORCEINLINE_FUNCTION bool is_whole(float weight) {
  return weight < static_cast<float>(most_whole_distance) &&
         static_cast<float>(static_cast<std::int64_t>(weight)) == weight;
}

template <class Weights>
struct FindBadWeight {
  Weights weights;
  KOKKOS_FUNCTION void operator()(std::int64_t e, Offset& first) const {
    if (!(weights(e) >= 0) && e < first) first = e;
  }
};

/// The first weight that is negative or not a number; the number of weights where there is none. As of all functions
/// here, weights(e) is the weight of edge e.
template <class Space, class Weights>
Offset first_bad_weight(const Space& space, Offset num_weights, const Weights& weights) {
  const Offset first_bad = reduce_range_by<Kokkos::Min<Offset>>("dromos::sssp::check_weights", space, num_weights,
                                                                FindBadWeight<Weights>{weights});
  return dromos::min(first_bad, num_weights);
}

template <class Weights>
struct SumWeights {
  Weights weights;
  KOKKOS_FUNCTION void operator()(std::int64_t e, double& s) const { s += static_cast<double>(weights(e)); }
};

template <class Space, class Weights>
double sum_of_weights(const Space& space, Offset num_weights, const Weights& weights) {
  double sum = 0;
  reduce_range("dromos::sssp::sum_of_weights", space, num_weights, SumWeights<Weights>{weights}, sum);
  return sum;
}

template <class Weights>
struct SumRoots {
  Weights weights;
  KOKKOS_FUNCTION void operator()(std::int64_t e, double& s) const { s += sqrt(static_cast<double>(weights(e))); }
};

template <class Space, class Weights>
double sum_of_roots(const Space& space, Offset num_weights, const Weights& weights) {
  double sum = 0;
  reduce_range("dromos::sssp::sum_of_roots", space, num_weights, SumRoots<Weights>{weights}, sum);
  return sum;
}

/// What most weights are like. The mean, where it says that: one weight of 10^12 among a million of 1000 makes it a
/// thousand times too large, and buckets as wide. The square of the mean root is then hardly moved, and of weights that
/// are equal, uniform or exponential it is more than half of the mean.
inline double typical_weight(double mean, double mean_root) {
  return mean <= 4 * mean_root * mean_root ? mean : mean_root * mean_root;
}

template <class Weights>
struct CountBrokenWeights {
  Weights weights;
  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& sum) const { sum += !is_whole(weights(e)); }
};

/// Are there only whole weights?
template <class Space, class Weights>
bool weights_are_whole(const Space& space, Offset num_weights, const Weights& weights) {
  std::int64_t num_others = 0;
  reduce_range("dromos::sssp::whole_weights", space, num_weights, CountBrokenWeights<Weights>{weights}, num_others);
  return num_others == 0;
}

/// Of each edge a number that is the same for both directions: added where it leads to a larger number of a vertex,
/// taken off where it leads to a smaller one.
template <class Graph, class Weights>
struct SumByDirection {
  Graph graph;
  Weights weights;
  using Vertex = typename Graph::vertex_type;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& sum) const {
    const auto u = static_cast<Vertex>(i);
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) sum += number_of(u, e);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t number_of(Vertex u, Offset e) const {
    const Vertex v = neighbor_of(graph, u, e);
    const float weight = weights(e);
    std::uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    const std::uint64_t ends = mix_bits(static_cast<std::uint64_t>(dromos::min(u, v))) + dromos::max(u, v);
    const std::uint64_t number = mix_bits(mix_bits(ends) + bits);
    return u < v ? number : u > v ? ~number + 1 : 0;
  }
};

/// The same by blocks of edges, since a thread would have a hub to itself: a sum for each block.
template <class Graph, class Weights, class Memory>
struct SumBlocksByDirection {
  SumByDirection<Graph, Weights> edges;
  Kokkos::View<std::uint64_t*, Memory> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    unsigned long long mine = 0;
    for_rows_of_edges(edges.graph, first, last, [&](std::int64_t u, Offset begin, Offset end) {
      const auto v = static_cast<typename Graph::vertex_type>(u);
      for (Offset e = begin + lane; e < end; e += warp_width) mine += edges.number_of(v, e);
    });
    const unsigned long long all = warp_sum(mine);
    if (lane == 0) sums(block) = all;
  }
};

template <class Memory>
struct AddUpSums {
  Kokkos::View<const std::uint64_t*, Memory> sums;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& sum) const { sum += sums(i); }
};

/// Is each edge there in both directions, with the same weight? By sums of 64 bits, which differ otherwise as sure as
/// random numbers do. Waits. Cost: a pass over the edges.
template <class Space, class Graph, class Weights>
bool weights_are_symmetric(const Space& space, const Graph& graph, const Weights& weights) {
  const SumByDirection<Graph, Weights> edges{graph, weights};
  std::uint64_t sum = 0;
  if constexpr (has_warps<Space>) {
    using Memory = typename Space::memory_space;
    const WarpBlocks blocks(graph.num_edges());
    const Kokkos::View<std::uint64_t*, Memory> sums("dromos::sssp::symmetric_weights", blocks.num_blocks);
    for_each_block("dromos::sssp::symmetric_weights", space, blocks,
                   SumBlocksByDirection<Graph, Weights, Memory>{edges, sums});
    reduce_range("dromos::sssp::symmetric_weights", space, blocks.num_blocks, AddUpSums<Memory>{sums}, sum);
  } else {
    reduce_range("dromos::sssp::symmetric_weights", space, graph.num_vertices(), edges, sum);
  }
  return sum == 0;
}

}  // namespace detail

}  // namespace dromos
