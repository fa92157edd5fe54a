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
      const Place num_blocks = (last - first + block_edges - 1) / block_edges;
      const Place per_warp = (num_blocks + num_warps - 1) / num_warps * block_edges;
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
  /// So many groups of 32 neighboring edges, an edge a lane, are asked for before the first answer is waited for.
  static constexpr int num_groups = 4;
  static constexpr int block_edges = num_groups * warp_width;

  /// The vertex at which a warp is, and what each lane has of its sum that is not told yet.
  template <class Place>
  struct Open {
    Place k;
    Value part;
  };

  /// Edges [begin, end) of the collapsed loop, by one warp. While all lanes are in the edges of one vertex, each adds
  /// to a part of its own; where the vertex ends, the parts become one sum.
  ///
  ///   groups of 4 lanes, by vertex   3 3 3 3 | 3 3 5 6 | 6 6 6 6     in the second group 3 and 5 are told, 6 at the
  ///   end
  template <class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_by_warp(int lane, const Prefix& prefix, Place low, Place high, Place begin,
                                                Place end, Place last, const VertexAt& vertex_at,
                                                const EdgeShift& edge_shift) const {
    const auto tell = [&](Place k, Value sum) {
      const Place starts = prefix[k];
      const Place ends = k + 1 < high ? prefix[k + 1] : last;
      const Vertex u = vertex_at(k);
      if (begin_vertex(this->op, u)) {
        finish(u, sum, starts >= begin && ends <= end && ends - starts == this->graph.degree(u));
      }
    };
    Open<Place> open{static_cast<Place>(highest_less_than_by_warp(prefix, low, high, begin, lane)),
                     Combine::identity()};
    for (Place from = begin; from < end; from += block_edges) {
      const Place block_last = dromos::min<Place>(from + block_edges, end) - 1;
      // Lane i finds the vertex in which group i begins, one lane more that of the last edge: few are between two.
      const Place start = dromos::min<Place>(from + dromos::min(lane, num_groups) * warp_width, block_last);
      const Place starts_in = static_cast<Place>(highest_less_than(prefix, open.k, high, start));
      Place k[num_groups];
      Vertex u[num_groups], v[num_groups];
      Offset edge[num_groups];
      for (int i = 0; i < num_groups; ++i) {
        const Place j = from + i * warp_width + lane;
        const Place sought = dromos::min<Place>(j, block_last);  // lanes behind the end go along with the last edge
        const Place lowest = warp_broadcast(starts_in, i);
        const Place highest = warp_broadcast(starts_in, i + 1);
        k[i] = static_cast<Place>(highest_less_than(prefix, lowest, highest + 1, sought));
        u[i] = vertex_at(k[i]);
        edge[i] = j <= block_last && begin_vertex(this->op, u[i]) ? j + edge_shift(k[i], u[i]) : Base::skipped;
      }
      for (int i = 0; i < num_groups; ++i) {
        v[i] = edge[i] != Base::skipped ? this->graph.neighbor(edge[i]) : no_vertex<Vertex>;
      }
      Value value[num_groups];
      for (int i = 0; i < num_groups; ++i) {
        value[i] = edge[i] != Base::skipped ? this->op.edge(u[i], v[i], edge[i]) : Combine::identity();
      }
      for (int i = 0; i < num_groups; ++i) {
        if (from + i * warp_width <= block_last) add_group(lane, k[i], value[i], open, tell);
      }
    }
    tell_open(lane, open, tell);
  }

  /// 32 edges, lane by lane: that of this lane belongs to vertex number k and contributes `value`.
  template <class Place, class Tell>
  static KOKKOS_FORCEINLINE_FUNCTION void add_group(int lane, Place k, Value value, Open<Place>& open,
                                                    const Tell& tell) {
    const Place first = warp_broadcast(k, 0);
    const Place last = warp_broadcast(k, warp_width - 1);
    if (first != open.k) {
      tell_open(lane, open, tell);
      open = {first, Combine::identity()};
    }
    if (first == last) {
      open.part = Combine::combine(open.part, value);
      return;
    }
    const Value before = over_warp(open.part);
    Value sum = lane == 0 ? Combine::combine(before, value) : value;
    for (int step = 1; step < warp_width; step *= 2) {
      const Value sum_before = warp_shift_up(sum, step);
      if (warp_shift_up(k, step) == k && lane >= step) sum = Combine::combine(sum_before, sum);
    }
    if (warp_broadcast(k, (lane + 1) % warp_width) != k && lane + 1 < warp_width) tell(k, sum);
    open = {last, lane + 1 == warp_width ? sum : Combine::identity()};
  }

  template <class Place, class Tell>
  static KOKKOS_FORCEINLINE_FUNCTION void tell_open(int lane, const Open<Place>& open, const Tell& tell) {
    const Value sum = over_warp(open.part);
    if (lane == 0) tell(open.k, sum);
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
