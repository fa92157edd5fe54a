// SPDX-License-Identifier: BSD-3-Clause
// The loop nest for what needs all edges of a vertex in one place: a sum, a minimum or a maximum over the edges of each
// vertex of a work set.
//
//   struct LengthOfEdges {
//     using Combine = Sum<double>;
//     Kokkos::View<const double*, Memory> length;
//     KOKKOS_FUNCTION double edge(Vertex, Vertex, Offset e) const { return length(e); }
//   };
//   gather_all(space, graph, LengthOfEdges{length}, total, ManhattanLocal{});     // total(u) = sum over its edges
//
// A collapse splits a vertex over threads, so what edges contribute must be combinable in any order. A thread of a CPU
// combines the contributions of a run of edges of one vertex on its own, the lanes of a GPU's warp combine those of the
// same vertex before any of them writes. Where that is the whole vertex, it is the total; where it is not, it is
// combined with that of others by one atomic. So VertexChunk needs no atomics at all, the collapses two a thread on
// CPUs and two a warp on GPUs.
//
// It is a second way to walk, not a second loop nest: the kernels of the strategies decide who walks what, as they do
// in traverse(), and a new strategy serves both. A sum of floating-point numbers depends in its last bits on how the
// vertices were split.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/strategy.hpp>
#include <dromos/traverse/sweep.hpp>
#include <limits>

namespace dromos {

// Ways to combine; associative and commutative.

template <class T>
struct Sum {
  using Value = T;
  static KOKKOS_FUNCTION T identity() { return T(0); }
  static KOKKOS_FUNCTION T combine(T a, T b) { return a + b; }
  static KOKKOS_FUNCTION void combine_into(T* total, T value) { atomic_fetch_add(total, value); }
};

template <class T>
struct Smallest {
  using Value = T;
  static constexpr T largest = std::numeric_limits<T>::max();  // a constant, not a call: for kernels
  static KOKKOS_FUNCTION T identity() { return largest; }
  static KOKKOS_FUNCTION T combine(T a, T b) { return dromos::min(a, b); }
  static KOKKOS_FUNCTION void combine_into(T* total, T value) { Kokkos::atomic_fetch_min(total, value); }
};

template <class T>
struct Largest {
  using Value = T;
  static constexpr T smallest = std::numeric_limits<T>::lowest();
  static KOKKOS_FUNCTION T identity() { return smallest; }
  static KOKKOS_FUNCTION T combine(T a, T b) { return dromos::max(a, b); }
  static KOKKOS_FUNCTION void combine_into(T* total, T value) { Kokkos::atomic_fetch_max(total, value); }
};

/// Adds up what the other ends of edges have: a product of the adjacency matrix and a vector.
template <class T, class Memory>
struct SumOfNeighbors {
  using Combine = Sum<T>;
  Kokkos::View<const T*, Memory> value;
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION T edge(Vertex, Vertex v, Offset) const {
    return value.data()[v];
  }
};

namespace detail {

/// What a strategy's kernel sees: the data of a sweep that gathers no work set, and other ways to walk.
template <class Space_, class Graph_, class Work_, class Operator_>
struct GatherSweep : Sweep<Space_, Graph_, Work_, NoSink, Operator_> {
  using Base = Sweep<Space_, Graph_, Work_, NoSink, Operator_>;
  using Space = Space_;
  using Vertex = typename Base::Vertex;
  using Queue = typename Base::Queue;
  using Member = typename Base::Member;
  using Combine = typename Operator_::Combine;
  using Value = typename Combine::Value;

  Kokkos::View<Value*, typename Graph_::memory_space> total;

  /// One thread's part of u is done.
  KOKKOS_FORCEINLINE_FUNCTION void finish(Vertex u, Value value, bool whole) const {
    if (whole) {
      total.data()[u] = value;
    } else {
      Combine::combine_into(&total.data()[u], value);
    }
  }

  /// The contributions of the edges first, first + step, ... below last of u, combined.
  KOKKOS_FORCEINLINE_FUNCTION Value combined(Vertex u, Offset first, Offset last, int step) const {
    Value value = Combine::identity();
    for (Offset e = first; e < last; e += step) {
      value = Combine::combine(value, this->op.edge(u, this->graph.neighbor(e), e));
    }
    return value;
  }

  /// Combined over all lanes of a warp.
  static KOKKOS_FORCEINLINE_FUNCTION Value over_warp(Value value) {
    for (int step = warp_width / 2; step > 0; step /= 2) value = Combine::combine(value, warp_exchange(value, step));
    return value;
  }

  KOKKOS_FORCEINLINE_FUNCTION void walk_edges(Queue&, Vertex u, Offset first, Offset last, int step) const {
    if constexpr (has_warps<Space>) {
      if (step % warp_width == 0) {  // all lanes of the warp are here, each with every step-th edge
        const Value value = over_warp(combined(u, first, last, step));
        const Offset row = this->graph.begin(u);
        if ((first - row) % warp_width == 0) finish(u, value, false);
        return;
      }
    }
    if (first < last) finish(u, combined(u, first, last, step), step == 1);
  }

  KOKKOS_FORCEINLINE_FUNCTION void walk_vertex(Queue& queue, Vertex u) const {
    if (begin_vertex(this->op, u)) walk_edges(queue, u, this->graph.begin(u), this->graph.end(u), 1);
  }

  /// As Sweep::walk_collapsed(), but with nothing to flush.
  template <class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_collapsed(const Member& team, Queue&, const Prefix& prefix, Place low,
                                                  Place high, Place first, Place last, CollapsedWalk,
                                                  const VertexAt& vertex_at, const EdgeShift& edge_shift) const {
    if constexpr (has_warps<Space>) {
      const Place num_warps = team.team_size() / warp_width;
      const Place per_warp = (last - first + num_warps - 1) / num_warps;
      const Place begin = first + team.team_rank() / warp_width * per_warp;
      if (begin >= last) return;
      walk_by_warp(team.team_rank() % warp_width, prefix, low, high, begin, dromos::min<Place>(begin + per_warp, last),
                   last, vertex_at, edge_shift);
    } else {
      const Place per_thread = (last - first + team.team_size() - 1) / team.team_size();
      const Place begin = first + team.team_rank() * per_thread;
      const Place end = dromos::min<Place>(begin + per_thread, last);
      Place k = low;
      for (Place j = begin; j < end;) {
        k = static_cast<Place>(highest_less_than(prefix, k, high, j));
        const Vertex u = vertex_at(k);
        const Place run_end = dromos::min<Place>(k + 1 < high ? prefix[k + 1] : last, end);
        if (begin_vertex(this->op, u)) {
          const Offset shift = edge_shift(k, u);
          finish(u, combined(u, j + shift, run_end + shift, 1), run_end - j == this->graph.degree(u));
        }
        j = run_end;
      }
    }
  }

 private:
  /// Edges [begin, end) of the collapsed loop, by one warp: a row of 32 edges or more by all lanes, several edges each,
  /// and shorter ones together, an edge a lane.
  ///
  ///   4 lanes, rows of 1 2 6 2 1 edges     3 lanes for two rows, whose neighbors in the third wait | 4 + 2 | 3 lanes
  template <class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_by_warp(int lane, const Prefix& prefix, Place low, Place high, Place begin,
                                                Place end, Place last, const VertexAt& vertex_at,
                                                const EdgeShift& edge_shift) const {
    const auto row_end = [&](Place k) { return k + 1 < high ? prefix[k + 1] : last; };
    const auto finish_row = [&](Place k, Vertex u, Value sum) {
      const Place starts = prefix[k];
      const Place ends = row_end(k);
      // Only the last row may go on behind this piece of the loop.
      const bool whole = starts >= begin && ends <= end && (ends < last || ends - starts == this->graph.degree(u));
      finish(u, sum, whole);
    };
    Place k = static_cast<Place>(highest_less_than_by_warp(prefix, low, high, begin, lane));
    for (Place j = begin; j < end;) {
      k = Base::next_vertex(prefix, k, high, j);
      const Place until = dromos::min<Place>(row_end(k), end);
      if (until - j >= warp_width) {
        const Vertex u = vertex_at(k);
        if (begin_vertex(this->op, u)) {
          const Offset shift = edge_shift(k, u);
          const Value sum = over_warp(combined_in_blocks(u, j + shift + lane, until + shift));
          if (lane == 0) finish_row(k, u, sum);
        }
        j = until;
      } else {
        j = walk_short_rows(lane, prefix, k, high, j, end, vertex_at, edge_shift, row_end, finish_row);
      }
    }
  }

  /// The rows from number k on that end within the next 32 edges, from edge j on; of the last one what there is before
  /// `end`. Returns where the next row begins.
  template <class Prefix, class Place, class VertexAt, class EdgeShift, class RowEnd, class FinishRow>
  KOKKOS_FORCEINLINE_FUNCTION Place walk_short_rows(int lane, const Prefix& prefix, Place k, Place high, Place j,
                                                    Place end, const VertexAt& vertex_at, const EdgeShift& edge_shift,
                                                    const RowEnd& row_end, const FinishRow& finish_row) const {
    const bool last_ones = end - j <= warp_width;
    const Place at = dromos::min<Place>(j + lane, end - 1);
    const Place mine = Base::next_vertex(prefix, k, high, at);
    const Place first_behind = last_ones ? end : prefix[warp_broadcast(mine, warp_width - 1)];
    const bool ends_here = row_end(mine) <= j + warp_width;
    const Place stop = last_ones || warp_broadcast(static_cast<int>(ends_here), warp_width - 1) != 0
                           ? dromos::min<Place>(j + warp_width, end)
                           : first_behind;
    const Vertex u = vertex_at(mine);
    const bool wanted = j + lane < stop && begin_vertex(this->op, u);
    const Offset e = at + edge_shift(mine, u);
    Value sum = wanted ? this->op.edge(u, this->graph.neighbor(e), e) : Combine::identity();
    for (int step = 1; step < warp_width; step *= 2) {
      const Value before = warp_shift_up(sum, step);
      if (warp_shift_up(mine, step) == mine && lane >= step) sum = Combine::combine(before, sum);
    }
    const bool last_of_row =
        warp_broadcast(mine, (lane + 1) % warp_width) != mine || lane + 1 == warp_width || j + lane + 1 == stop;
    if (wanted && last_of_row) finish_row(mine, u, sum);
    return stop;
  }

  /// What the calling lane has of the edges of u: first, first + 32, ... below last.
  KOKKOS_FORCEINLINE_FUNCTION Value combined_in_blocks(Vertex u, Offset first, Offset last) const {
    constexpr int block = 4;
    Value value = Combine::identity();
    Offset e = first;
    for (; e + (block - 1) * warp_width < last; e += block * warp_width) {
      Vertex v[block];
      Value of[block];
      for (int i = 0; i < block; ++i) v[i] = this->graph.neighbor(e + i * warp_width);
      for (int i = 0; i < block; ++i) of[i] = this->op.edge(u, v[i], e + i * warp_width);
      for (int i = 0; i < block; ++i) value = Combine::combine(value, of[i]);
    }
    return Combine::combine(value, combined(u, e, last, warp_width));
  }
};

template <class Space, class Graph, class Work, class Operator, class Value, class Memory, class Chosen>
void run_gather(const Space& space, const Graph& graph, const Work& work, const Operator& op,
                const Kokkos::View<Value*, Memory>& total, const Chosen& strategy) {
  if (work.size() == 0) return;
  run_sweep(space, GatherSweep<Space, Graph, Work, Operator>{{graph, work, NoSink{}, op}, total}, strategy);
}

}  // namespace detail

/// total(u) = the combination of op.edge(u, v, e) over all edges e = (u, v), the identity where u has none, for every
/// vertex u. Does not wait.
///
/// \param op     offers Combine (Sum, Smallest or Largest), edge(), and if it likes begin()
/// (traverse/edge_operator.hpp):
///               vertices for which that is false keep the identity
/// \param total  out: one element a vertex
template <class Space, class Graph, class Operator, class Value, class Memory>
void gather_all(const Space& space, const Graph& graph, const Operator& op, const Kokkos::View<Value*, Memory>& total,
                const Strategy& strategy) {
  Kokkos::deep_copy(space, total, Operator::Combine::identity());
  use_strategy_to_gather_all<Space, Graph>(strategy, [&](const auto& chosen) {
    detail::run_gather(space, graph, AllVertices<Graph>{graph}, op, total, chosen);
  });
}

/// The same for the vertices of a work set, where total(u) of each is the identity already; that of others is left
/// alone.
template <class Space, class Graph, class Vertex, class Operator, class Value, class Memory>
void gather_into_identity(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                          const Operator& op, const Kokkos::View<Value*, Memory>& total, const Strategy& strategy) {
  use_strategy<Space>(strategy, [&](const auto& chosen) {
    frontier.template prepare_for<std::decay_t<decltype(chosen)>>(space, graph);
    detail::run_gather(space, graph, frontier.work(), op, total, chosen);
  });
}

/// The same, whatever total(u) was.
template <class Space, class Graph, class Vertex, class Operator, class Value, class Memory>
DROMOS_OF_EACH_SOURCE void gather(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                                  const Operator& op, const Kokkos::View<Value*, Memory>& total,
                                  const Strategy& strategy) {
  const auto queue = frontier.queue();
  Kokkos::parallel_for(
      "dromos::gather::identity",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, frontier.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i) { total(queue(i)) = Operator::Combine::identity(); });
  gather_into_identity(space, graph, frontier, op, total, strategy);
}

}  // namespace dromos
