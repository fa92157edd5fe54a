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

/// A list of everybody.
template <class Vertex>
struct Everybody {
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(std::int64_t v) const { return static_cast<Vertex>(v); }
};

template <class List, class Vertex, class Memory, class Predicate>
struct ListChosen {
  List list;
  Kokkos::View<Vertex*, Memory> queue;
  Predicate chosen;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    const Vertex v = list(i);
    if (!chosen(v)) return;
    if (final) queue(sum) = v;
    ++sum;
  }
};

/// The chosen of the first `size` of a list become a frontier that knows its counts.
template <class Space, class Graph, class List, class Vertex, class Memory, class Predicate>
void list_chosen(const char* label, const char* edges_label, const Space& space, const Graph& graph, const List& list,
                 std::int64_t size, Frontier<Vertex, Memory>& to, const Predicate& chosen) {
  std::int64_t count = 0;
  Kokkos::parallel_scan(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
                        ListChosen<List, Vertex, Memory, Predicate>{list, to.queue(), chosen}, count);
  to.set_counts(count, sum_of_degrees(space, graph, to.queue(), count, edges_label));
}

/// Vertices 0 .. n-1 for which `chosen` holds become the work set.
template <class Space, class Graph, class Vertex, class Memory, class Predicate>
void start_with(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier, const Predicate& chosen) {
  list_chosen("dromos::start_with::list", "dromos::start_with::edges", space, graph, Everybody<Vertex>{},
              graph.num_vertices(), frontier, chosen);
}

/// Those of a work set for which `chosen` holds become the next one.
template <class Space, class Graph, class Vertex, class Memory, class Predicate>
void keep_chosen(const Space& space, const Graph& graph, const Frontier<Vertex, Memory>& from,
                 Frontier<Vertex, Memory>& to, const Predicate& chosen) {
  list_chosen("dromos::keep_chosen::list", "dromos::keep_chosen::edges", space, graph, from.queue(),
              from.num_vertices(), to, chosen);
}

}  // namespace dromos::detail
