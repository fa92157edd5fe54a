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
// A collapse splits a vertex over threads, so what edges contribute must be combinable in any order. A thread combines
// the contributions of a run of edges of one vertex on its own. Where the run is the whole vertex, its result is the
// total; where it is not, it is combined with those of other threads by one atomic. So VertexChunk needs no atomics at
// all, the collapses two a thread on CPUs and as many as there are threads on a vertex on GPUs.
//
// It is a second way to walk, not a second loop nest: the kernels of the strategies decide who walks what, as they do
// in traverse(), and a new strategy serves both. A sum of floating-point numbers depends in its last bits on how the
// vertices were split.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
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

  KOKKOS_FORCEINLINE_FUNCTION void walk_edges(Queue&, Vertex u, Offset first, Offset last, int step) const {
    if (first < last) finish(u, combined(u, first, last, step), step == 1);
  }

  KOKKOS_FORCEINLINE_FUNCTION void walk_vertex(Queue& queue, Vertex u) const {
    if (begin_vertex(this->op, u)) walk_edges(queue, u, this->graph.begin(u), this->graph.end(u), 1);
  }

  /// As Sweep::walk_collapsed(), but with nothing to flush: each thread goes once through its part of the loop.
  template <class Prefix, class Place, class VertexAt, class EdgeShift>
  KOKKOS_FORCEINLINE_FUNCTION void walk_collapsed(const Member& team, Queue&, const Prefix& prefix, Place low,
                                                  Place high, Place first, Place last, CollapsedWalk how,
                                                  const VertexAt& vertex_at, const EdgeShift& edge_shift) const {
    const int team_size = team.team_size();
    const int stride = how.coalesced ? team_size : 1;
    const Place per_thread = (last - first + team_size - 1) / team_size;
    const Place begin = first + (how.coalesced ? team.team_rank() : team.team_rank() * per_thread);
    const Place end = how.coalesced ? last : dromos::min<Place>(begin + per_thread, last);
    Place k = low;
    for (Place j = begin; j < end;) {
      k = static_cast<Place>(highest_less_than(prefix, k, high, j));
      const Vertex u = vertex_at(k);
      const Place end_of_vertex = k + 1 < high ? prefix[k + 1] : last;
      const Place run_end = dromos::min<Place>(end_of_vertex, end);
      if (begin_vertex(this->op, u)) {
        const Offset shift = edge_shift(k, u);
        const bool whole = stride == 1 && run_end - j == this->graph.degree(u);
        finish(u, combined(u, j + shift, run_end + shift, stride), whole);
      }
      j += (run_end - j + stride - 1) / stride * stride;
    }
  }
};

template <class Space, class Graph, class Work, class Operator, class Value, class Memory>
void run_gather(const Space& space, const Graph& graph, const Work& work, const Operator& op,
                const Kokkos::View<Value*, Memory>& total, const Strategy& strategy) {
  if (work.size() == 0) return;
  std::visit(
      [&](const auto& chosen) {
        run_sweep(space, GatherSweep<Space, Graph, Work, Operator>{{graph, work, NoSink{}, op}, total}, chosen);
      },
      strategy);
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
  detail::run_gather(space, graph, AllVertices<Graph>{graph}, op, total, strategy);
}

/// The same for the vertices of a work set; total(u) of others is left alone.
template <class Space, class Graph, class Vertex, class Operator, class Value, class Memory>
DROMOS_OF_EACH_SOURCE void gather(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                                  const Operator& op, const Kokkos::View<Value*, Memory>& total,
                                  const Strategy& strategy) {
  const auto queue = frontier.queue();
  Kokkos::parallel_for(
      "dromos::gather::identity",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, frontier.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i) { total(queue(i)) = Operator::Combine::identity(); });
  const bool needs_prefix_sums = std::visit([](const auto& chosen) { return chosen.needs_prefix_sums; }, strategy);
  if (needs_prefix_sums) frontier.ensure_prefix_sums(space, graph);
  detail::run_gather(space, graph, frontier.work(), op, total, strategy);
}

}  // namespace dromos
