// SPDX-License-Identifier: BSD-3-Clause
// Work sets of the vertices that a predicate chooses, out of all or out of another work set, in the order they had; and
// the random numbers by which vertices are told apart, a function of seed and vertex alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos::detail {

/// 64 random bits of a vertex. SplitMix64's finaliser (generate/counter_random.hpp has the whole generator, a floor
/// beside this one).
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t random_bits(std::uint64_t seed, std::uint64_t v) {
  std::uint64_t x = seed * 0xd1342543de82ef95ULL + v * 0x9e3779b97f4a7c15ULL + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Vertices 0 .. n-1 for which `chosen` holds become the work set.
template <class Space, class Graph, class Vertex, class Memory, class Predicate>
DROMOS_OF_EACH_SOURCE void start_with(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                                      const Predicate& chosen) {
  const auto queue = frontier.queue();
  std::int64_t count = 0;
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_scan(
      "dromos::start_with::list", Range(space, 0, graph.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t v, std::int64_t& sum, const bool final) {
        if (!chosen(static_cast<Vertex>(v))) return;
        if (final) queue(sum) = static_cast<Vertex>(v);
        ++sum;
      },
      count);
  Offset num_edges = 0;
  Kokkos::parallel_reduce(
      "dromos::start_with::edges", Range(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i, Offset& sum) { sum += graph.degree(queue(i)); }, num_edges);
  frontier.set_counts(count, num_edges);
}

/// Those of a work set for which `chosen` holds become the next one.
template <class Space, class Graph, class Vertex, class Memory, class Predicate>
DROMOS_OF_EACH_SOURCE void keep_chosen(const Space& space, const Graph& graph, const Frontier<Vertex, Memory>& from,
                                       Frontier<Vertex, Memory>& to, const Predicate& chosen) {
  const auto list = from.queue();
  const auto queue = to.queue();
  std::int64_t count = 0;
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_scan(
      "dromos::keep_chosen::list", Range(space, 0, from.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& sum, const bool final) {
        const Vertex v = list(i);
        if (!chosen(v)) return;
        if (final) queue(sum) = v;
        ++sum;
      },
      count);
  Offset num_edges = 0;
  Kokkos::parallel_reduce(
      "dromos::keep_chosen::edges", Range(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i, Offset& sum) { sum += graph.degree(queue(i)); }, num_edges);
  to.set_counts(count, num_edges);
}

}  // namespace dromos::detail
