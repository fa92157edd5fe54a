// SPDX-License-Identifier: BSD-3-Clause
// What an algorithm says to the loop nest: the body of "for each u of the work set, for each edge (u, v)".
//
// An operator is a small struct of Views that is copied into the kernel. It must offer
//
//   KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const;   // true: v joins the next work set
//
// where e is the position of the edge in the adjacency array. It may offer
//
//   KOKKOS_FUNCTION bool begin(Vertex u) const;    // asked before the edges of u: false skips them all
//   KOKKOS_FUNCTION bool may_join(Vertex u, Vertex v, Offset e) const;   // false: edge(u, v, e) is not called
//   KOKKOS_FUNCTION bool done(Vertex u) const;     // asked before each edge: true skips the remaining edges of u
//   KOKKOS_FUNCTION bool edge_alone(Vertex u, Vertex v, Offset e) const;   // edge() while no other thread sweeps
//   KOKKOS_FUNCTION void joined(Vertex u, Vertex v) const;   // told once of each edge for which edge() said true
//   KOKKOS_FUNCTION Operator on_thread() const;    // CPUs: this operator as the calling thread is to use it
//   KOKKOS_FUNCTION void next_sweep();   // fused sweeps (traverse/fused_sweeps.hpp): the next one begins
//   KOKKOS_FUNCTION Vertex joining(Vertex u, Vertex v) const;   // who joins where edge() says true, unless that is v
//   KOKKOS_FUNCTION void prefetch_edges(Offset first, Offset last) const;   // CPUs: hints for these, due soon
//   static constexpr bool last_first = true;   // sweeps begin at the end of the work set, with its large numbers
//   KOKKOS_FUNCTION bool may_join_nearby(Vertex u, Vertex v, Offset e) const;   // may_join() of old, see below
//   static constexpr bool may_go_on = true;   // CPUs: who joins may be swept in the same sweep, see below
//   static constexpr bool may_ask_at_once = true;   // edge() is right, and costs one atomic, without may_join() before
//   template <int n>
//   KOKKOS_FUNCTION void edges_of_warp(const Vertex (&u)[n], const Vertex (&v)[n], const Offset (&e)[n],
//                                      bool (&joins)[n], int lane) const;   // edge() of many at once, see below
//
// The edges of one u may be visited by many threads at once and in any order: edge() must be safe for that, and where
// a vertex may join only once, edge() must make sure of it (Bitmap::set and claim tell exactly one caller true).
// Small work sets are one thread's on a CPU (traverse/fused_sweeps.hpp), and all are where there is but one:
// edge_alone() needs no atomics, of which one costs as much as the rest of an edge, and more where memory is waited
// for, since what follows an atomic waits for it. begin() may be asked by several threads for the same u. joined()
// comes before the sweep ends, and on CPUs in batches: what only the winner of a race writes belongs there, because a
// write that misses the cache delays every atomic after it. may_join() only reads, so that several edges can be asked
// for at once and their answers waited for together; it should read all it wants without a branch (both(a, b), not a &&
// b), or the second edge waits for the first. Where it is there, edge() comes after it said true, unless that may be
// asked at once; another thread may have changed the answer since. done() is a permission, not a promise: a strategy
// that spreads the edges of u over threads may visit some more of them. Who needs no more than one edge of a vertex
// asks find_first() (traverse/find_first.hpp). joining() only reads, and nothing that joined(u, v) writes.
// may_go_on says that it does not matter in which sweep a vertex joins: with VertexChunk a thread then goes on with
// those who joined through it, and chains in which one vertex a sweep would join are gone through in one. Who is told
// of sweeps hears of fewer. may_join_nearby() may say true where may_join() has said false since the sweep began: on a
// GPU what a multiprocessor has in its own cache is asked for ten times as fast, where many ask for the same.
// edges_of_warp() is told of n edges of each lane of a warp, which all call it: of those for which `joins` is true it
// says what edge() would, and the lanes can share the atomics of vertices that are near each other
// (core/claim_by_warp.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/types.hpp>
#include <type_traits>
#include <utility>

namespace dromos {

namespace detail {

template <class Operator, class Vertex, class = void>
struct HasBegin : std::false_type {};
template <class Operator, class Vertex>
struct HasBegin<Operator, Vertex, std::void_t<decltype(std::declval<const Operator&>().begin(std::declval<Vertex>()))>>
    : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasMayJoin : std::false_type {};
template <class Operator, class Vertex>
struct HasMayJoin<Operator, Vertex,
                  std::void_t<decltype(std::declval<const Operator&>().may_join(
                      std::declval<Vertex>(), std::declval<Vertex>(), std::declval<Offset>()))>> : std::true_type {};

/// Of before edges were handed over; it would be passed by without a word.
template <class Operator, class Vertex, class = void>
struct HasMayJoinWithoutEdge : std::false_type {};
template <class Operator, class Vertex>
struct HasMayJoinWithoutEdge<
    Operator, Vertex,
    std::void_t<decltype(std::declval<const Operator&>().may_join(std::declval<Vertex>(), std::declval<Vertex>()))>>
    : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasMayJoinNearby : std::false_type {};
template <class Operator, class Vertex>
struct HasMayJoinNearby<Operator, Vertex,
                        std::void_t<decltype(std::declval<const Operator&>().may_join_nearby(
                            std::declval<Vertex>(), std::declval<Vertex>(), std::declval<Offset>()))>>
    : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasEdgesOfWarp : std::false_type {};
template <class Operator, class Vertex>
struct HasEdgesOfWarp<Operator, Vertex,
                      std::void_t<decltype(std::declval<const Operator&>().edges_of_warp(
                          std::declval<const Vertex (&)[1]>(), std::declval<const Vertex (&)[1]>(),
                          std::declval<const Offset (&)[1]>(), std::declval<bool (&)[1]>(), 0))>> : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasEdgeAlone : std::false_type {};
template <class Operator, class Vertex>
struct HasEdgeAlone<Operator, Vertex,
                    std::void_t<decltype(std::declval<const Operator&>().edge_alone(
                        std::declval<Vertex>(), std::declval<Vertex>(), std::declval<Offset>()))>> : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasDone : std::false_type {};
template <class Operator, class Vertex>
struct HasDone<Operator, Vertex, std::void_t<decltype(std::declval<const Operator&>().done(std::declval<Vertex>()))>>
    : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasJoined : std::false_type {};
template <class Operator, class Vertex>
struct HasJoined<
    Operator, Vertex,
    std::void_t<decltype(std::declval<const Operator&>().joined(std::declval<Vertex>(), std::declval<Vertex>()))>>
    : std::true_type {};

template <class Operator, class = void>
struct HasPrefetchEdges : std::false_type {};
template <class Operator>
struct HasPrefetchEdges<Operator, std::void_t<decltype(std::declval<const Operator&>().prefetch_edges(
                                      std::declval<Offset>(), std::declval<Offset>()))>> : std::true_type {};

template <class Operator, class = void>
struct LastFirst : std::false_type {};
template <class Operator>
struct LastFirst<Operator, std::enable_if_t<Operator::last_first>> : std::true_type {};

template <class Operator, class = void>
struct MayGoOn : std::false_type {};
template <class Operator>
struct MayGoOn<Operator, std::enable_if_t<Operator::may_go_on>> : std::true_type {};

template <class Operator, class = void>
struct MayAskAtOnce : std::false_type {};
template <class Operator>
struct MayAskAtOnce<Operator, std::enable_if_t<Operator::may_ask_at_once>> : std::true_type {};

template <class Operator, class = void>
struct HasOnThread : std::false_type {};
template <class Operator>
struct HasOnThread<Operator, std::void_t<decltype(std::declval<const Operator&>().on_thread())>> : std::true_type {};

template <class Operator, class = void>
struct HasNextSweep : std::false_type {};
template <class Operator>
struct HasNextSweep<Operator, std::void_t<decltype(std::declval<Operator&>().next_sweep())>> : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasJoining : std::false_type {};
template <class Operator, class Vertex>
struct HasJoining<
    Operator, Vertex,
    std::void_t<decltype(std::declval<const Operator&>().joining(std::declval<Vertex>(), std::declval<Vertex>()))>>
    : std::true_type {};

/// The first edges of u are due soon: what the graph and the operator have of them.
template <class Graph, class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges_of(const Graph& graph, [[maybe_unused]] const Operator& op, Vertex u) {
  graph.prefetch_edges(u);
  if constexpr (HasPrefetchEdges<Operator>::value) op.prefetch_edges(graph.begin(u), graph.end(u));
}

}  // namespace detail

/// Should the edges of u be visited at all?
template <class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION bool begin_vertex([[maybe_unused]] const Operator& op, [[maybe_unused]] Vertex u) {
  if constexpr (detail::HasBegin<Operator, Vertex>::value) {
    return op.begin(u);
  } else {
    return true;
  }
}

/// Could edge (u, v) say true?
template <class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION bool edge_may_join([[maybe_unused]] const Operator& op, [[maybe_unused]] Vertex u,
                                               [[maybe_unused]] Vertex v, [[maybe_unused]] Offset e) {
  static_assert(!detail::HasMayJoinWithoutEdge<Operator, Vertex>::value,
                "may_join() takes the edge as well: may_join(Vertex u, Vertex v, Offset e)");
  if constexpr (detail::HasMayJoin<Operator, Vertex>::value) {
    return op.may_join(u, v, e);
  } else {
    return true;
  }
}

/// n edges of each lane of a warp, all of whose lanes call it: which of those for which `joins` is true say true?
template <int n, class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION void edges_of_warp(const Operator& op, const Vertex (&u)[n], const Vertex (&v)[n],
                                               const Offset (&e)[n], bool (&joins)[n], [[maybe_unused]] int lane) {
  if constexpr (detail::HasEdgesOfWarp<Operator, Vertex>::value) {
    op.edges_of_warp(u, v, e, joins, lane);
  } else {
    for (int i = 0; i < n; ++i) joins[i] = joins[i] && op.edge(u[i], v[i], e[i]);
  }
}

/// Edge (u, v), while no other thread sweeps.
template <class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(const Operator& op, Vertex u, Vertex v, Offset e) {
  if constexpr (detail::HasEdgeAlone<Operator, Vertex>::value) {
    return op.edge_alone(u, v, e);
  } else {
    return op.edge(u, v, e);
  }
}

/// Who joins where edge (u, v) says true?
template <class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION Vertex joining_vertex([[maybe_unused]] const Operator& op, [[maybe_unused]] Vertex u,
                                                  Vertex v) {
  if constexpr (detail::HasJoining<Operator, Vertex>::value) {
    return op.joining(u, v);
  } else {
    return v;
  }
}

/// May the remaining edges of u be skipped?
template <class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION bool vertex_done([[maybe_unused]] const Operator& op, [[maybe_unused]] Vertex u) {
  if constexpr (detail::HasDone<Operator, Vertex>::value) {
    return op.done(u);
  } else {
    return false;
  }
}

/// Tells a copy of the operator that the next sweep begins.
template <class Operator>
KOKKOS_FORCEINLINE_FUNCTION void begin_next_sweep([[maybe_unused]] Operator& op) {
  if constexpr (detail::HasNextSweep<Operator>::value) op.next_sweep();
}

}  // namespace dromos
