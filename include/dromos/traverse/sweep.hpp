// SPDX-License-Identifier: BSD-3-Clause
// What every strategy's kernel has in common: the data of one sweep, and the two ways to walk edges.
//
//   walk_vertex()     one thread, the edges of one vertex, one after the other
//   walk_collapsed()  a whole team, a contiguous piece of the collapsed loop over all edges of several vertices
//
// A strategy is then only the decision who walks what.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/enqueue.hpp>
#include <dromos/traverse/highest_less_than.hpp>
#include <dromos/traverse/shared_queue.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace dromos {

namespace detail {

template <class Graph, class = void>
struct HasPrefetch : std::false_type {};
template <class Graph>
struct HasPrefetch<Graph, std::void_t<decltype(&Graph::prefetch_row), decltype(&Graph::prefetch_edges)>>
    : std::true_type {};

}  // namespace detail

/// How a team walks a piece of the collapsed loop.
struct CollapsedWalk {
  /// Neighbouring threads take neighbouring edges, which is what GPUs want; otherwise each thread takes a run of its
  /// own, which is what a CPU wants.
  bool coalesced;
  /// Found vertices gather in local queues; otherwise each is enqueued by an atomic of its own.
  bool local_queue;
};

/// Everything a kernel needs to know about one sweep. Copied into the kernel.
template <class Space_, class Graph_, class Work_, class Sink_, class Operator_>
struct Sweep {
  using Space = Space_;
  using Graph = Graph_;
  using Work = Work_;
  using Sink = Sink_;
  using Operator = Operator_;
  using Vertex = typename Graph::vertex_type;
  static constexpr int scratch_level = dromos::scratch_level<Space>;
  // Dynamic: on CPUs the teams differ in work; GPUs schedule blocks dynamically anyway.
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Member = typename Policy::member_type;
  using Queue = std::conditional_t<is_gpu<Space> && Sink::enabled, SharedQueue<Member, Sink, Operator>,
                                   LocalQueue<Space, Member, Sink, Operator>>;

  Graph graph;
  Work work;
  Sink sink;
  Operator op;

  /// One edge: the operator's body, and the queue if it says so.
  KOKKOS_FORCEINLINE_FUNCTION bool visit(Queue& queue, Vertex u, Offset e, bool through_queue = true) const {
    const Vertex v = graph.neighbor(e);
    if (!op.edge(u, v, e)) return false;
    if (through_queue) {
      queue.push(u, v);
    } else {
      queue.push_alone(u, v);
    }
    return true;
  }

  /// The calling thread visits the edges first, first + step, ... below last of u.
  KOKKOS_FORCEINLINE_FUNCTION void walk_edges(Queue& queue, Vertex u, Offset first, Offset last, int step) const {
    // Who walks a vertex alone and stops at the first success knows without asking.
    const bool ask = step != 1 || !detail::StopsAtFirst<Operator>::value;
    for (Offset e = first; e < last; e += step) {
      if (ask && vertex_done(op, u)) break;
      const bool joined = visit(queue, u, e);
      if (Sink::enabled && queue.full()) queue.flush_alone();
      if (detail::StopsAtFirst<Operator>::value && joined) break;
    }
  }

  /// Hints that work item i is due in two steps' time (its row) or in one (its edges), for strategies whose threads go
  /// through the work set one vertex after the other: the vertices of a frontier lie anywhere, and without the hint
  /// every one of them costs two cache misses in a row.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_ahead(std::int64_t i, std::int64_t step, std::int64_t last) const {
    if constexpr (!is_gpu<Space> && detail::HasPrefetch<Graph>::value) {
      constexpr int ahead = 8;
      if (i + 2 * ahead * step < last) graph.prefetch_row(work.vertex(i + 2 * ahead * step));
      if (i + ahead * step < last) graph.prefetch_edges(work.vertex(i + ahead * step));
    }
  }

  /// The calling thread visits all edges of u.
  KOKKOS_FORCEINLINE_FUNCTION void walk_vertex(Queue& queue, Vertex u) const {
    if (begin_vertex(op, u)) walk_edges(queue, u, graph.begin(u), graph.end(u), 1);
  }

  /// The team visits edges [first, last) of the collapsed loop over vertices low .. high - 1, whose prefix sums are
  /// prefix[low] .. prefix[high - 1] with prefix[low] <= first. vertex_at(k) is vertex number k, and
  /// edge_shift(k, u) + j is where edge j of the collapsed loop lies in the adjacency array.
  ///
  /// Every thread takes queue.capacity() edges a round, so that its pushes find a slot.
  template <class Prefix, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_collapsed(const Member& team, Queue& queue, const Prefix& prefix,
                                                  std::int64_t low, std::int64_t high, Offset first, Offset last,
                                                  CollapsedWalk how, const VertexAt& vertex_at,
                                                  const EdgeShift& edge_shift) const {
    const int team_size = team.team_size();
    const Offset per_thread = how.local_queue ? queue.capacity() : (last - first + team_size - 1) / team_size;
    const Offset per_round = team_size * per_thread;
    const int stride = how.coalesced ? team_size : 1;
    std::int64_t k = low;
    Vertex u = no_vertex<Vertex>;
    Offset shift = 0;
    Offset end_of_vertex = -1;  // the first edge of the collapsed loop that is not u's; edges ascend within a thread
    for (Offset round = first; round < last; round += per_round) {
      const Offset begin = round + (how.coalesced ? team.team_rank() : team.team_rank() * per_thread);
      Offset end = how.coalesced ? round + per_round : begin + per_thread;
      if (end > last) end = last;
      for (Offset j = begin; j < end;) {
        if (j >= end_of_vertex) {
          k = how.coalesced || u == no_vertex<Vertex> ? highest_less_than(prefix, k, high, j)
                                                  : next_vertex(prefix, k, high, j);
          u = vertex_at(k);
          shift = edge_shift(k, u);
          end_of_vertex = k + 1 < high ? prefix[k + 1] : last;
          if (!begin_vertex(op, u)) shift = skipped;
        }
        const Offset run_end = end_of_vertex < end ? end_of_vertex : end;
        if (shift != skipped) {
          Offset visited = j;
          for (; visited < run_end; visited += stride) {
            if (vertex_done(op, u)) break;
            const bool joined = visit(queue, u, visited + shift, how.local_queue);
            if (detail::StopsAtFirst<Operator>::value && joined) break;
          }
        }
        j += (run_end - j + stride - 1) / stride * stride;
      }
      queue.flush_round(team);
    }
    queue.flush_together(team);
  }

 private:
  static constexpr Offset skipped = std::numeric_limits<Offset>::min();

  /// highest_less_than() for a thread that walks in order: the answer is nearly always k + 1.
  template <class Prefix>
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t next_vertex(const Prefix& prefix, std::int64_t k, std::int64_t high,
                                                              Offset j) {
    while (k + 1 < high && prefix[k + 1] <= j) ++k;
    return k;
  }
};

/// The largest league that is launched at once.
inline constexpr std::int64_t max_league_size = std::numeric_limits<int>::max();

/// How many teams it takes to deal out `total` vertices in pieces of `piece`.
inline int league_size(std::int64_t total, std::int64_t piece) {
  const std::int64_t teams = total / piece + (total % piece != 0);
  if (teams > max_league_size) {
    throw ArgumentError("a work set of " + std::to_string(total) + " vertices in pieces of " + std::to_string(piece) +
                        " takes more than " + std::to_string(max_league_size) + " teams; raise vertices_per_team");
  }
  return static_cast<int>(teams);
}

/// Throws ArgumentError unless a tuning parameter, with its default filled in, can be used.
inline void check_tuning(const char* strategy, const char* parameter, int value) {
  if (value < 1) {
    throw ArgumentError(std::string(strategy) + ": " + parameter + " is " + std::to_string(value) +
                        "; it must be at least 1, or 0 for the default");
  }
}

}  // namespace dromos
