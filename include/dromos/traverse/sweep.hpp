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
#include <dromos/core/device_limits.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/launch_teams.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/enqueue.hpp>
#include <dromos/traverse/highest_less_than.hpp>
#include <dromos/traverse/warp_queue.hpp>
#include <dromos/traverse/warp_window.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace dromos {

/// How a team walks a piece of the collapsed loop.
struct CollapsedWalk {
  /// Neighbouring threads take neighbouring edges, which is what GPUs want; otherwise each thread takes a run of its
  /// own, which is what a CPU wants.
  bool coalesced;
  /// Found vertices gather in local queues; otherwise each is enqueued by an atomic of its own.
  bool local_queue;
};

/// Everything a kernel needs to know about one sweep. Copied into the kernel: by reference, some took a fifth longer.
template <class Space_, class Graph_, class Work_, class Sink_, class Operator_>
struct Sweep {
  using Space = Space_;
  using Graph = Graph_;
  using Work = Work_;
  using Sink = Sink_;
  using Operator = Operator_;
  using Vertex = typename Graph::vertex_type;
  static constexpr int scratch_level = dromos::scratch_level<Space>;
  /// Who wants the last vertices first wants all of them before the others.
  static constexpr DealOrder deal_order =
      detail::LastFirst<Operator>::value ? DealOrder::ascending : DealOrder::by_shares;
  // Bounded: a GPU's compiler then spends no more registers on a thread than let a multiprocessor hold 1,024 of them.
  using Policy =
      std::conditional_t<is_gpu<Space>, Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<max_gpu_team_size, 2>>,
                         Kokkos::TeamPolicy<Space>>;
  using Member = TeamMember<Policy>;
  using Queue = std::conditional_t<is_gpu<Space> && Sink::enabled, WarpQueue<Member, Sink, Operator>,
                                   LocalQueue<Space, Member, Sink, Operator>>;
  static_assert(!is_gpu<Space> || has_warps<Space>,
                "of GPUs, Dromos knows those that Kokkos reaches through CUDA; build for CUDA, OpenMP or Serial");

  Graph graph;
  Work work;
  Sink sink;
  Operator op;
  bool alone = false;  ///< on a CPU: no other thread sweeps

  /// Which part of the work set is the team's. Where the operator wants the last vertices first, they are the first
  /// team's: teams begin in the order of their numbers there, on a GPU as well.
  KOKKOS_FORCEINLINE_FUNCTION int league_rank(const Member& team) const {
    if constexpr (detail::LastFirst<Operator>::value) return team.league_size() - 1 - team.league_rank();
    return team.league_rank();
  }

  /// One edge: the operator's body, unless it would do nothing.
  template <class AnyQueue>
  KOKKOS_FORCEINLINE_FUNCTION bool visit(AnyQueue& queue, Vertex u, Offset e, bool through_queue = true) const {
    const Vertex v = neighbor_of(graph, u, e);
    return edge_may_join(op, u, v, e) && visit_wanted(queue, u, v, e, through_queue);
  }

  /// One edge that may join: the operator's body, and the queue if it says so.
  template <class AnyQueue>
  KOKKOS_FORCEINLINE_FUNCTION bool visit_wanted(AnyQueue& queue, Vertex u, Vertex v, Offset e,
                                                bool through_queue) const {
    bool joins;
    if constexpr (!is_gpu<Space> && detail::HasEdgeAlone<Operator, Vertex>::value) {
      joins = alone ? op.edge_alone(u, v, e) : op.edge(u, v, e);
    } else {
      joins = op.edge(u, v, e);
    }
    if (!joins) return false;
    take(queue, u, v, through_queue);
    return true;
  }

  /// An edge that said true.
  template <class AnyQueue>
  KOKKOS_FORCEINLINE_FUNCTION void take(AnyQueue& queue, Vertex u, Vertex v, bool through_queue) const {
    if (through_queue) {
      queue.push(u, v);
    } else {
      queue.push_alone(u, v);
    }
  }

  /// The calling thread visits the edges first, first + step, ... below last of u.
  KOKKOS_FORCEINLINE_FUNCTION void walk_edges(Queue& queue, Vertex u, Offset first, Offset last, int step) const {
    if constexpr (asks_in_blocks) first = walk_blocks(queue, u, first, last, step);
    for (Offset e = first; e < last; e += step) {
      if (vertex_done(op, u)) break;
      visit(queue, u, e);
      if (Sink::enabled && queue.full()) queue.flush_alone();
    }
  }

  /// The same for all edges but the few that fill no block of eight: eight neighbors are asked for together whether
  /// they may join, which for most edges is the end of it, without a branch to mispredict between two reads. Returns
  /// the first edge that is left.
  KOKKOS_FORCEINLINE_FUNCTION Offset walk_blocks(Queue& queue, Vertex u, Offset first, Offset last, int step) const {
    constexpr int block = 8;
    Offset e = first;
    for (; e + block * step <= last; e += block * step) {
      unsigned wanted = 0;
      DROMOS_UNROLL_8
      for (int i = 0; i < block; ++i) {
        wanted |= static_cast<unsigned>(edge_may_join(op, u, neighbor_of(graph, u, e + i * step), e + i * step)) << i;
      }
      for (; wanted != 0; wanted &= wanted - 1) {
        const Offset position = e + count_trailing_zeros(wanted) * step;
        visit_wanted(queue, u, neighbor_of(graph, u, position), position, true);
        if (Sink::enabled && queue.full()) queue.flush_alone();
      }
    }
    return e;
  }

  /// Hints that work item i is due in two steps' time (its row) or in one (its edges), for strategies whose threads go
  /// through the work set one vertex after the other: the vertices of a frontier lie anywhere, and without the hint
  /// every one of them costs two cache misses in a row.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_ahead(std::int64_t i, std::int64_t step, std::int64_t last) const {
    if constexpr (!is_gpu<Space> && detail::HasPrefetch<Graph>::value) {
      constexpr int ahead = detail::prefetch_distance<Graph>;
      if (i + 2 * ahead * step < last) graph.prefetch_row(work.vertex(i + 2 * ahead * step));
      if (i + ahead * step < last) detail::prefetch_edges_of(graph, op, work.vertex(i + ahead * step));
    }
  }
  /// The same for those with which a thread begins, of whom nobody has given a hint.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_first(std::int64_t first, std::int64_t step, std::int64_t last) const {
    if constexpr (!is_gpu<Space> && detail::HasPrefetch<Graph>::value) {
      constexpr int ahead = detail::prefetch_distance<Graph>;
      const std::int64_t end = dromos::min(first + ahead * step, last),
                         end_of_rows = dromos::min(end + ahead * step, last);
      for (std::int64_t i = first; i < end_of_rows; i += step) graph.prefetch_row(work.vertex(i));
      for (std::int64_t i = first; i < end; i += step) detail::prefetch_edges_of(graph, op, work.vertex(i));
    }
  }

  /// May a thread sweep who has joined through it, in the same sweep?
  static constexpr bool goes_on = !is_gpu<Space> && Sink::enabled && detail::MayGoOn<Operator>::value;
  /// So many edges after a chunk, and no longer row: no thread goes on for long while others have nothing to do.
  static constexpr Offset most_edges_going_on = 4096;

  /// The calling thread, a team of its own beside others, goes on with those in its queue.
  KOKKOS_FORCEINLINE_FUNCTION void go_on(Queue& queue) const {
    for (Offset left = most_edges_going_on; left > 0;) {
      const Vertex u = queue.last();
      if (u == no_vertex<Vertex>) return;
      left -= graph.end(u) - graph.begin(u);
      if (left < 0) return;
      queue.take_back();
      walk_vertex(queue, u);
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
  /// Every thread takes queue.capacity() edges a round, so that its pushes find a slot. Where neighboring threads take
  /// neighboring edges they do so in groups of a warp at most, each of which has a window of its own: its threads then
  /// find the vertex of their next edge a few places on, where the whole team in one line would have to search for it.
  ///
  ///   2 groups of 4 threads, 2 edges a thread:  threads  0 1 2 3 0 1 2 3 | 4 5 6 7 4 5 6 7
  ///
  /// \tparam Place  Offset, or int where the numbers of vertices and edges leave it room for a round more
  template <class AnyQueue, class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_collapsed(const Member& team, AnyQueue& queue, const Prefix& prefix, Place low,
                                                  Place high, Place first, Place last, CollapsedWalk how,
                                                  const VertexAt& vertex_at, const EdgeShift& edge_shift) const {
    const int team_size = team.team_size();
    const Place per_thread = how.local_queue ? queue.capacity() : (last - first + team_size - 1) / team_size;
    const Place per_round = team_size * per_thread;
    const int stride = how.coalesced ? (team_size % warp_width == 0 ? warp_width : team_size) : 1;
    const Place window = team.team_rank() / stride * stride * per_thread;
    if constexpr (walks_by_warps) {
      if (stride == warp_width) {
        const int lane = team.team_rank() % warp_width;
        WarpWindow<Place> warp(low);
        for (Place round = first; round < last; round += per_round) {
          const Place begin = round + window;
          const Place end = dromos::min<Place>(begin + warp_width * per_thread, last);
          if (begin < end) {
            warp.jump(prefix, high, begin, lane);
            walk_warp(queue, prefix, high, begin, end, lane, how.local_queue, warp, vertex_at, edge_shift);
          }
          queue.flush_round(team);
        }
        queue.flush_together(team);
        return;
      }
    }
    Position<Place> at{low, no_vertex<Vertex>, 0, -1};
    for (Place round = first; round < last; round += per_round) {
      const Place end = dromos::min<Place>(round + window + stride * per_thread, last);
      const Place begin = round + window + team.team_rank() % stride;
      if constexpr (walks_in_batches) {
        walk_batches(queue, prefix, high, begin, end, last, stride, how.local_queue, at, vertex_at, edge_shift);
      } else {
        walk_one_by_one(queue, prefix, high, begin, end, last, stride, how.local_queue, at, vertex_at, edge_shift);
      }
      queue.flush_round(team);
      if constexpr (has_warps<Space> && detail::HasBegin<Operator, Vertex>::value) {
        // All lanes in the edges of a vertex that the operator does not want: on to its end.
        const auto unwanted_until = at.shift == skipped ? static_cast<unsigned long long>(at.end_of_vertex) : 0ull;
        const Place next = static_cast<Place>(warp_min(unwanted_until));
        if (next - round > 2 * per_round) round += (next - round) / per_round * per_round - per_round;
      }
    }
    queue.flush_together(team);
  }

  /// Edges that a thread asks for before it waits for the first.
  static constexpr int batch = 4;

  /// Those edges of a batch that are wanted.
  ///
  /// \tparam by_warp  all lanes of a warp call this, each with edges of its own; those that are not wanted are edges,
  ///                  too, so that all are asked for before any is waited for
  /// \tparam nearby   may_join_nearby() is asked before may_join()
  template <bool by_warp, bool nearby, class AnyQueue>
  KOKKOS_FORCEINLINE_FUNCTION void visit_batch(AnyQueue& queue, const Vertex (&source)[batch],
                                               const Offset (&edge)[batch], bool (&wanted)[batch], bool through_queue,
                                               [[maybe_unused]] int lane) const {
    Vertex target[batch];
    for (int i = 0; i < batch; ++i) {
      target[i] = by_warp || wanted[i] ? neighbor_of(graph, source[i], edge[i]) : no_vertex<Vertex>;
    }
    if constexpr (nearby && detail::HasMayJoinNearby<Operator, Vertex>::value) {
      for (int i = 0; i < batch; ++i) wanted[i] = wanted[i] && op.may_join_nearby(source[i], target[i], edge[i]);
    }
    for (int i = 0; i < batch; ++i) wanted[i] = wanted[i] && edge_may_join(op, source[i], target[i], edge[i]);
    // All edges before all pushes: where edge() is an atomic, that of the next need not wait for the answer to this
    // one.
    if constexpr (by_warp) {
      edges_of_warp(op, source, target, edge, wanted, lane);
    } else {
      for (int i = 0; i < batch; ++i) wanted[i] = wanted[i] && op.edge(source[i], target[i], edge[i]);
    }
    for (int i = 0; i < batch; ++i) {
      if (wanted[i]) take(queue, source[i], target[i], through_queue);
    }
  }

 protected:
  static constexpr Offset skipped = std::numeric_limits<Offset>::min();
  /// On a GPU a thread asks for several edges before it waits for the first, unless an early edge could make the others
  /// superfluous.
  static constexpr bool asks_in_blocks =
      !is_gpu<Space> && detail::HasMayJoin<Operator, Vertex>::value && !detail::HasDone<Operator, Vertex>::value;
  static constexpr bool walks_in_batches = is_gpu<Space> && !detail::HasDone<Operator, Vertex>::value;
  /// And the lanes of a warp look together whose edges they have, unless some would pass by those of a vertex.
  static constexpr bool walks_by_warps =
      walks_in_batches && has_warps<Space> && !detail::HasBegin<Operator, Vertex>::value;

  /// Where a thread is in the collapsed loop: at vertex number k, which is u.
  template <class Place>
  struct Position {
    Place k;
    Vertex u;
    Offset shift;         // skipped: the operator does not want the edges of u
    Place end_of_vertex;  // the first edge of the collapsed loop that is not u's; edges ascend within a thread
  };

  template <class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void move_to(Place j, Position<Place>& at, const Prefix& prefix, Place high, Place last,
                                           const VertexAt& vertex_at, const EdgeShift& edge_shift) const {
    if (j < at.end_of_vertex) return;
    at.k = at.u == no_vertex<Vertex> ? static_cast<Place>(highest_less_than(prefix, at.k, high, j))
                                     : next_vertex(prefix, at.k, high, j);
    at.u = vertex_at(at.k);
    at.shift = edge_shift(at.k, at.u);
    at.end_of_vertex = at.k + 1 < high ? prefix[at.k + 1] : last;
    if (!begin_vertex(op, at.u)) at.shift = skipped;
  }

  template <class AnyQueue, class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_one_by_one(AnyQueue& queue, const Prefix& prefix, Place high, Place begin,
                                                   Place end, Place last, int stride, bool through_queue,
                                                   Position<Place>& at, const VertexAt& vertex_at,
                                                   const EdgeShift& edge_shift) const {
    for (Place j = begin; j < end;) {
      move_to(j, at, prefix, high, last, vertex_at, edge_shift);
      const Place run_end = at.end_of_vertex < end ? at.end_of_vertex : end;
      if (at.shift != skipped) {
        for (Place visited = j; visited < run_end; visited += stride) {
          if (vertex_done(op, at.u)) break;
          visit(queue, at.u, visited + at.shift, through_queue);
        }
      }
      j += (run_end - j + stride - 1) / stride * stride;
    }
  }

  template <class AnyQueue, class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_batches(AnyQueue& queue, const Prefix& prefix, Place high, Place begin,
                                                Place end, Place last, int stride, bool through_queue,
                                                Position<Place>& at, const VertexAt& vertex_at,
                                                const EdgeShift& edge_shift) const {
    for (Place j = begin; j < end; j += batch * stride) {
      if (at.shift == skipped && at.end_of_vertex > j) {  // over the edges of a vertex that the operator does not want
        if (at.end_of_vertex >= end) return;
        j += (at.end_of_vertex - j) / (batch * stride) * (batch * stride);
      }
      Vertex source[batch];
      Offset edge[batch];
      bool wanted[batch];
      for (int i = 0; i < batch; ++i) {
        const bool there = j + i * stride < end;
        if (there) move_to(j + i * stride, at, prefix, high, last, vertex_at, edge_shift);
        wanted[i] = there && at.shift != skipped;
        edge[i] = j + i * stride + at.shift;
        source[i] = at.u;
      }
      visit_batch<false, false>(queue, source, edge, wanted, through_queue, 0);
    }
  }

  /// The same by a warp, all of whose lanes call it, for edges begin + lane, begin + lane + 32, ... below end.
  template <class AnyQueue, class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_warp(AnyQueue& queue, const Prefix& prefix, Place high, Place begin, Place end,
                                             int lane, bool through_queue, WarpWindow<Place>& warp,
                                             const VertexAt& vertex_at, const EdgeShift& edge_shift) const {
    for (Place j = begin; j < end; j += batch * warp_width) {
      Vertex source[batch];
      Offset edge[batch];
      bool wanted[batch];
      for (int i = 0; i < batch; ++i) {
        const Place first = j + i * warp_width;
        wanted[i] = first + lane < end;
        if (i > 0 && first >= end) {
          source[i] = source[i - 1];
          edge[i] = edge[i - 1];
          continue;
        }
        const Place k = warp.vertex_of(prefix, high, first, lane);
        source[i] = vertex_at(k);
        edge[i] = first + lane + edge_shift(k, source[i]);
        if (first + warp_width > end) {  // in place of those that are not there, the first
          const Vertex first_source = warp_broadcast(source[i], 0);
          const Offset first_edge = warp_broadcast(edge[i], 0);
          if (!wanted[i]) source[i] = first_source;
          if (!wanted[i]) edge[i] = first_edge;
        }
      }
      visit_batch<true, false>(queue, source, edge, wanted, through_queue, lane);
    }
  }

  /// highest_less_than() for a thread that walks in order: the answer is nearly always one of the next few.
  template <class Prefix, class Place>
  KOKKOS_FORCEINLINE_FUNCTION static Place next_vertex(const Prefix& prefix, Place k, Place high, Place j) {
    constexpr int near = 8;
    for (int i = 0; i < near; ++i) {
      if (k + 1 >= high || prefix[k + 1] > j) return k;
      ++k;
    }
    return static_cast<Place>(highest_less_than(prefix, k, high, j));
  }
};

/// A sweep, of whatever kind, as the calling thread carries it out: with that thread's operator, where it has one.
template <class AnySweep>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) on_this_thread(const AnySweep& sweep) {
  if constexpr (!is_gpu<typename AnySweep::Space> && detail::HasOnThread<typename AnySweep::Operator>::value) {
    AnySweep mine = sweep;
    mine.op = sweep.op.on_thread();
    return mine;
  } else {
    return static_cast<const AnySweep&>(sweep);
  }
}

/// Is there but one thread, on a CPU?
template <class Space>
bool sweeps_alone([[maybe_unused]] const Space& space) {
  if constexpr (is_gpu<Space>) {
    return false;
  } else {
    return space.concurrency() == 1;
  }
}

// What follows is asked once a sweep, by each of hundreds of kernels: those that are no templates are compiled once, in
// src/traverse/sweep.cpp.

/// How many teams it takes to deal out `total` vertices in pieces of `piece`. Throws ArgumentError for too many.
int league_size(std::int64_t total, std::int64_t piece);

/// Throws ArgumentError unless a tuning parameter, with its default filled in, can be used.
void check_tuning(const char* strategy, const char* parameter, int value);

/// Slots of a thread's queue unless said otherwise: the paper's 1024 on CPUs and 16 on GPUs, there 8 of 64-bit ids, so
/// that the scratch memory of a team stays below 48 KiB.
template <class Sweep>
constexpr int default_queue_size() {
  if (!is_gpu<typename Sweep::Space>) return 1024;
  return sizeof(typename Sweep::Vertex) > 4 ? 8 : 16;
}

/// Throws ArgumentError where a GPU has not so much scratch memory for a team; asked here, since Kokkos 3.4 does not
/// recover from refusing a launch.
void check_gpu_scratch(const char* strategy, int team_size, std::size_t bytes);

/// The same in any space.
template <class Space>
void check_scratch(const char* strategy, int team_size, std::size_t bytes) {
  if constexpr (is_gpu<Space>) check_gpu_scratch(strategy, team_size, bytes);
}

/// Throws ArgumentError for more threads a team than a GPU takes.
void check_gpu_team_size(const char* strategy, int team_size);

/// The team size to launch, of one that was asked for: checked, and on a GPU in whole warps.
template <class Space>
int checked_team_size(const char* strategy, int team_size) {
  check_tuning(strategy, "team_size", team_size);
  if constexpr (is_gpu<Space>) check_gpu_team_size(strategy, team_size);
  return whole_warps<Space>(team_size);
}

}  // namespace dromos
