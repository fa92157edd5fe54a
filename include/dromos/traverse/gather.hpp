// SPDX-License-Identifier: BSD-3-Clause
// The loop nest for what needs all edges of a vertex in one place: a sum, a minimum or a maximum over the edges of each
// vertex of a work set.
//
//   struct ShareOfNeighbors {
//     using Combine = Sum<double>;
//     Kokkos::View<const double*, Memory> share;
//     KOKKOS_FUNCTION double edge(Vertex, Vertex v, Offset) const { return share(v); }
//   };
//   gather_all(space, graph, ShareOfNeighbors{share}, total, ManhattanLocal{});     // total(u) = sum over v
//
// A collapse splits a vertex over threads, so what edges contribute must be combinable in any order. A thread of a CPU
// combines the contributions of a run of edges of one vertex on its own, the lanes of a GPU's warp combine those of the
// same vertex before any of them writes. Where that is the whole vertex, it is the total; where it is not, it is
// combined with that of others by one atomic. So VertexChunk needs no atomics at all, the collapses two a thread on
// CPUs, and two for 32 edges on GPUs.
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
      const Place warp = team.team_rank() / warp_width;
      for (Place from = first + warp * warp_edges; from < last; from += num_warps * warp_edges) {
        walk_by_warp(team.team_rank() % warp_width, prefix, low, high, from,
                     dromos::min<Place>(from + warp_edges, last), last, vertex_at, edge_shift);
      }
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
  /// Edges of a lane, one behind the other: a sector of 32-bit ids.
  static constexpr int lane_edges = 8;
  static constexpr int warp_edges = lane_edges * warp_width;

  /// Edges [begin, end) of the collapsed loop. Each lane combines a run of them on its own; vertices that begin and end
  /// inside a run are done with that. What a run has of the vertex in which it ends goes to the lanes behind it, until
  /// the last of that vertex tells the total.
  ///
  ///   runs of 4 edges, by vertex   3 3 3 5 | 5 5 5 5 | 5 6 6 8 | 8 8 8 8     lane 2 tells 5 = 1 + 4 + 1, then 6
  template <class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_by_warp(int lane, const Prefix& prefix, Place low, Place high, Place begin,
                                                Place end, Place last, const VertexAt& vertex_at,
                                                const EdgeShift& edge_shift) const {
    const Place first = begin + lane * lane_edges;
    const int length = static_cast<int>(dromos::max<Place>(0, dromos::min<Place>(lane_edges, end - first)));
    Place k[lane_edges];
    Vertex v[lane_edges];
    Place at = length > 0 ? static_cast<Place>(highest_less_than(prefix, low, high, first)) : high;
    for (int i = 0; i < lane_edges; ++i) {
      k[i] = high;  // of nobody
      v[i] = no_vertex<Vertex>;
      if (i >= length) continue;
      if (i > 0) at = Base::next_vertex(prefix, at, high, first + i);
      k[i] = at;
      v[i] = this->graph.neighbor(first + i + edge_shift(at, vertex_at(at)));
    }
    Value value[lane_edges];
    for (int i = 0; i < lane_edges; ++i) {
      value[i] = Combine::identity();
      if (i >= length) continue;
      const Vertex u = vertex_at(k[i]);
      if (begin_vertex(this->op, u)) value[i] = this->op.edge(u, v[i], first + i + edge_shift(k[i], u));
    }

    const auto tell = [&](Place of, Value all) {
      const Place starts = prefix[of];
      const Place ends = of + 1 < high ? prefix[of + 1] : last;
      const Vertex u = vertex_at(of);
      if (begin_vertex(this->op, u)) {
        finish(u, all, starts >= begin && ends <= end && ends - starts == this->graph.degree(u));
      }
    };
    Value sum = value[0];   // of the vertex at hand
    Value first_sum = sum;  // of the first vertex, once it has ended
    bool first_ended = false;
    for (int i = 1; i < lane_edges; ++i) {
      if (i >= length) break;
      if (k[i] == k[i - 1]) {
        sum = Combine::combine(sum, value[i]);
        continue;
      }
      if (first_ended) {
        tell(k[i - 1], sum);
      } else {
        first_sum = sum;
        first_ended = true;
      }
      sum = value[i];
    }
    const Place k_first = k[0];
    const Place k_last = length > 0 ? at : high;
    // What the lanes before this one have of its first vertex: a scan that begins anew in each lane in which one ended.
    const Place k_before = warp_shift_up(k_last, 1);
    Value scanned = sum;
    bool begins = lane == 0 || first_ended || k_first != k_before;
    for (int step = 1; step < warp_width; step *= 2) {
      const Value before = warp_shift_up(scanned, step);
      const bool begins_before = warp_shift_up(static_cast<int>(begins), step) != 0;
      if (lane >= step && !begins) {
        scanned = Combine::combine(before, scanned);
        begins = begins_before;
      }
    }
    const Value from_before = warp_shift_up(scanned, 1);
    const Place k_behind = warp_broadcast(k_first, (lane + 1) % warp_width);
    if (length == 0) return;
    if (first_ended) {
      tell(k_first, lane > 0 && k_first == k_before ? Combine::combine(from_before, first_sum) : first_sum);
    }
    if (lane == warp_width - 1 || k_behind != k_last) tell(k_last, scanned);
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
  use_strategy<Space>(strategy, [&](const auto& chosen) {
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
