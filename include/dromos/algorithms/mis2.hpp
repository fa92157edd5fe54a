// SPDX-License-Identifier: BSD-3-Clause
// A maximal set of vertices of which no two are within two edges of each other: the roots of aggregates of algebraic
// multigrid, which want every other vertex near one of them.
//
//   path 0-1-2-3-4-5     {0, 3} is one, and so is {1, 4}
//
// In each round an undecided vertex has a random key, chosen vertices have the smallest key of all and excluded ones
// the largest. Two gathers of the loop nest carry keys over two edges:
//
//   nearest(w)   the smallest key at w and its neighbors; "covered" when that is the key of a chosen vertex
//   v            a covered w at v or beside it: v is excluded. nearest(w) is v's own key for all of them: v is chosen
//
// Keys are a function of seed, round and vertex, and differ from each other, so that the set depends on the graph and
// the seed alone. Excluded vertices and covered ones leave the two work sets.
//
// Source: N. Bell, S. Dalton, L. N. Olson, "Exposing fine-grained parallelism in algebraic multigrid methods", SIAM
// J. Sci. Comput. 2012; B. Kelley, S. Rajamanickam, "Parallel, portable algorithms for distance-2 maximal independent
// set and graph coarsening", IPDPS 2022 (new keys each round, work sets).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/chosen_vertices.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/traverse/gather.hpp>
#include <type_traits>
#include <utility>

namespace dromos {

struct Mis2Options {
  /// How edges are dealt out to threads.
  Strategy strategy{};
  /// Of the random keys.
  std::uint64_t seed = 1;
};

struct Mis2Statistics {
  std::int64_t num_members = 0;
  std::int64_t num_rounds = 0;
  double seconds = 0;
};

namespace detail {

/// Keys of vertices that are decided, and of those that are not: in between, and different for each.
struct Mis2Keys {
  static constexpr std::uint64_t chosen = 0;
  static constexpr std::uint64_t excluded = ~std::uint64_t(0);
  std::uint64_t seed;
  std::uint64_t vertex_mask;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t key(std::uint64_t v) const {
    const std::uint64_t bits = (random_bits(seed, v) & ~vertex_mask) | v;
    return (bits & ~(std::uint64_t(1) << 63)) | std::uint64_t(1) << 62;
  }
};

/// The smallest key among the neighbors.
template <class Memory>
struct SmallestKey {
  using Combine = Smallest<std::uint64_t>;
  Kokkos::View<const std::uint64_t*, Memory> key;
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t edge(Vertex, Vertex v, Offset) const {
    return key.data()[v];
  }
};

/// The smallest of the nearest keys around; Mis2Keys::chosen where one of them is covered.
template <class Memory>
struct SmallestNearest {
  using Combine = Smallest<std::uint64_t>;
  Kokkos::View<const std::uint64_t*, Memory> nearest;
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t edge(Vertex, Vertex v, Offset) const {
    const std::uint64_t k = nearest.data()[v];
    return k == Mis2Keys::excluded ? Mis2Keys::chosen : k;
  }
};

template <class Memory>
struct IsUndecided {
  Kokkos::View<const std::uint64_t*, Memory> key;
  template <class Vertex>
  KOKKOS_FUNCTION bool operator()(Vertex v) const {
    return key(v) != Mis2Keys::chosen && key(v) != Mis2Keys::excluded;
  }
};

template <class Memory>
struct IsNotCovered {
  Kokkos::View<const std::uint64_t*, Memory> nearest;
  template <class Vertex>
  KOKKOS_FUNCTION bool operator()(Vertex v) const {
    return nearest(v) != Mis2Keys::excluded;
  }
};

struct EveryVertex {
  template <class Vertex>
  KOKKOS_FUNCTION bool operator()(Vertex) const {
    return true;
  }
};

template <class Vertex, class Memory>
struct WriteMis2Keys {
  Kokkos::View<const Vertex*, Memory> list;
  Mis2Keys keys;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    key(list(i)) = keys.key(static_cast<std::uint64_t>(list(i)));
  }
};

template <class Vertex, class Memory>
struct JoinOwnKey {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<const std::uint64_t*, Memory> key;
  Kokkos::View<std::uint64_t*, Memory> nearest;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex w = list(i);
    const std::uint64_t smallest = dromos::min(nearest(w), key(w));
    nearest(w) = smallest == Mis2Keys::chosen ? Mis2Keys::excluded : smallest;
  }
};

template <class Vertex, class Memory>
struct DecideMis2 {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<const std::uint64_t*, Memory> nearest, around;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = list(i);
    if (nearest(v) == Mis2Keys::excluded || around(v) == Mis2Keys::chosen) {
      key(v) = Mis2Keys::excluded;
    } else if (dromos::min(around(v), nearest(v)) == key(v)) {
      // None of them is larger: v is in the neighborhood of each.
      key(v) = Mis2Keys::chosen;
    }
  }
};

template <class Vertex, class Memory>
struct WriteMembers {
  Kokkos::View<const std::uint64_t*, Memory> key;
  Kokkos::View<Vertex*, Memory> member;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    member(v) = key(v) == Mis2Keys::chosen ? 1 : 0;
    sum += member(v);
  }
};

}  // namespace detail

/// Finds a maximal independent set at distance 2.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    an undirected CsrGraph, the SymmetricPattern of any, or a graph view (graph/graph_view.hpp) whose
///                 `directed` is false. Self loops and parallel edges make no difference
/// \param member   out: num_vertices elements, 1 for members and 0 for others, sized on first use
/// \param options  strategy, seed
/// \throws ArgumentError for a directed graph
///
/// Cost: two passes over the edges of the vertices that are left in each round, of which there are few (about 5 to 10).
/// Memory of the call: 24 bytes and 4 ids a vertex.
template <class Space, class Graph, class Vertex, class Memory>
Mis2Statistics mis2(const Space& space, const Graph& graph, Kokkos::View<Vertex*, Memory>& member,
                    const Mis2Options& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::mis2");
  using Keys = Kokkos::View<std::uint64_t*, Memory>;
  const std::int64_t n = graph.num_vertices();
  if (is_directed(graph)) {
    throw ArgumentError(
        "mis2: distances are meant in both directions, and this graph is directed; take its SymmetricPattern, "
        "or build it with symmetrize, to forget the directions");
  }
  detail::ensure_size(member, static_cast<std::size_t>(n), "dromos::mis2::member");
  Mis2Statistics statistics;
  if (n == 0) return statistics;
  fence(space, "dromos::mis2::start");

  const Kokkos::Timer timer;
  const auto view = view_of(graph);
  const auto size = static_cast<std::size_t>(n);
  const Keys key("dromos::mis2::key", size), nearest("dromos::mis2::nearest", size),
      around("dromos::mis2::around", size);
  Frontier<Vertex, Memory> undecided(n, graph.num_edges()), uncovered(n, graph.num_edges()), next(n, graph.num_edges());
  detail::start_with(space, view, undecided, detail::EveryVertex{});
  detail::start_with(space, view, uncovered, detail::EveryVertex{});
  const std::uint64_t vertex_mask = (std::uint64_t(1) << FrontierCounts::bits_for(n)) - 1;
  while (!undecided.empty()) {
    const detail::Mis2Keys keys{detail::random_bits(options.seed, static_cast<std::uint64_t>(statistics.num_rounds)),
                                vertex_mask};
    auto list = undecided.queue();
    for_range("dromos::mis2::keys", space, undecided.num_vertices(),
              detail::WriteMis2Keys<Vertex, Memory>{list, keys, key});
    gather(space, view, uncovered, detail::SmallestKey<Memory>{key}, nearest, options.strategy);
    list = uncovered.queue();
    for_range("dromos::mis2::nearest", space, uncovered.num_vertices(),
              detail::JoinOwnKey<Vertex, Memory>{list, key, nearest});
    gather(space, view, undecided, detail::SmallestNearest<Memory>{nearest}, around, options.strategy);
    list = undecided.queue();
    for_range("dromos::mis2::decide", space, undecided.num_vertices(),
              detail::DecideMis2<Vertex, Memory>{list, nearest, around, key});
    detail::keep_chosen(space, view, undecided, next, detail::IsUndecided<Memory>{key});
    std::swap(undecided, next);
    detail::keep_chosen(space, view, uncovered, next, detail::IsNotCovered<Memory>{nearest});
    std::swap(uncovered, next);
    ++statistics.num_rounds;
  }
  reduce_range("dromos::mis2::members", space, n, detail::WriteMembers<Vertex, Memory>{key, member},
               statistics.num_members);
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/coloring.cpp.
extern template Mis2Statistics mis2(const Kokkos::DefaultExecutionSpace&,
                                    const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const Mis2Options&);
extern template Mis2Statistics mis2(const Kokkos::DefaultExecutionSpace&,
                                    const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const Mis2Options&);
extern template Mis2Statistics mis2(const Kokkos::DefaultExecutionSpace&,
                                    const SymmetricPattern<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const Mis2Options&);
extern template Mis2Statistics mis2(const Kokkos::DefaultExecutionSpace&,
                                    const SymmetricPattern<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const Mis2Options&);

}  // namespace dromos
