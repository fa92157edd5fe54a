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
// combined with that of others by one atomic. So VertexChunk needs none but for the pieces of long rows, the collapses
// two a thread on CPUs and two a warp on GPUs.
//
// It is a second way to walk, not a second loop nest: the kernels of the strategies decide who walks what, as they do
// in traverse(), and a new strategy serves both. A sum of floating-point numbers depends in its last bits on how the
// vertices were split.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
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
  static KOKKOS_FUNCTION void combine_into(T* total, T value) { atomic_fetch_min(total, value); }
};

template <class T>
struct Largest {
  using Value = T;
  static constexpr T smallest = std::numeric_limits<T>::lowest();
  static KOKKOS_FUNCTION T identity() { return smallest; }
  static KOKKOS_FUNCTION T combine(T a, T b) { return dromos::max(a, b); }
  static KOKKOS_FUNCTION void combine_into(T* total, T value) { atomic_fetch_max(total, value); }
};

/// Adds up what the other ends of edges have: a product of the adjacency matrix and a vector. The vector's numbers may
/// be of less precision than the sums.
template <class T, class Memory, class OfVertex = T>
struct SumOfNeighbors {
  using Combine = Sum<T>;
  Kokkos::View<const OfVertex*, Memory> value;
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
    if constexpr (!has_warps<Space>) {
      if (step == 1) return combined_side_by_side(u, first, last);
    }
    Value value = Combine::identity();
    for (Offset e = first; e < last; e += step) {
      value = Combine::combine(value, this->op.edge(u, neighbor_of(this->graph, u, e), e));
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
    if (first >= last) return;
    finish(u, combined(u, first, last, step), step == 1 && last - first == this->graph.degree(u));
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
  /// Edges that a lane asks for before it waits for the first.
  static constexpr int block = 4;

  /// Edges [begin, end) of the collapsed loop, by one warp: the rest of a row where that fills a block by all lanes,
  /// anything else in blocks of edges, whatever rows they are of.
  ///
  ///   4 lanes, blocks of 8 edges, rows of 3 7 12 2 edges:     8 of three rows, 2 + 6 | ... 12 of one row ... | 2
  ///
  /// What a block has of a row that goes on behind it is carried on.
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
    Value carried = Combine::identity();
    for (Place j = begin; j < end;) {
      k = Base::next_vertex(prefix, k, high, j);
      const Place until = dromos::min<Place>(row_end(k), end);
      if (until - j >= block * warp_width) {
        const Vertex u = vertex_at(k);
        if (begin_vertex(this->op, u)) {
          const Offset shift = edge_shift(k, u);
          const Value sum = over_warp(combined_in_blocks(u, j + shift + lane, until + shift));
          if (lane == 0) finish_row(k, u, Combine::combine(carried, sum));
        }
        carried = Combine::identity();
        j = until;
      } else {
        walk_rows(lane, prefix, k, high, j, end, vertex_at, edge_shift, row_end, finish_row, carried);
        j += block * warp_width;
      }
    }
  }

  /// A block of edges, of rows from number k on, from edge j on. `carried` is what the row of edge j had before, and is
  /// then what the row of the last edge has, where that goes on.
  template <class Prefix, class Place, class VertexAt, class EdgeShift, class RowEnd, class FinishRow>
  KOKKOS_FORCEINLINE_FUNCTION void walk_rows(int lane, const Prefix& prefix, Place k, Place high, Place j, Place end,
                                             const VertexAt& vertex_at, const EdgeShift& edge_shift,
                                             const RowEnd& row_end, const FinishRow& finish_row, Value& carried) const {
    Place row[block];
    Vertex u[block], v[block];
    Offset edge[block];
    bool wanted[block];
    for (int i = 0; i < block; ++i) {
      const Place at = dromos::min<Place>(j + i * warp_width + lane, end - 1);
      row[i] = k = Base::next_vertex(prefix, k, high, at);
      u[i] = vertex_at(k);
      edge[i] = at + edge_shift(k, u[i]);
      wanted[i] = j + i * warp_width + lane < end && begin_vertex(this->op, u[i]);
    }
    for (int i = 0; i < block; ++i) v[i] = neighbor_of(this->graph, u[i], edge[i]);
    Value of_row[block];
    for (int i = 0; i < block; ++i) of_row[i] = wanted[i] ? this->op.edge(u[i], v[i], edge[i]) : Combine::identity();
    for (int i = 0; i < block; ++i) {
      const Place at = j + i * warp_width + lane;
      // The lanes that have edges of this lane's row stand beside each other: how many come before it?
      const Place first = prefix[row[i]];
      const int before = static_cast<int>(dromos::min<Place>(at - dromos::min(first, at), lane));
      if (lane == 0) of_row[i] = Combine::combine(carried, of_row[i]);
      for (int step = 1; step < warp_width; step *= 2) {
        const Value other = warp_shift_up(of_row[i], step);
        if (before >= step) of_row[i] = Combine::combine(other, of_row[i]);
      }
      const bool last_of_row = at + 1 == end || at + 1 == row_end(row[i]);
      if (wanted[i] && last_of_row) finish_row(row[i], u[i], of_row[i]);
      carried = warp_broadcast(last_of_row ? Combine::identity() : of_row[i], warp_width - 1);
    }
  }

  /// Of edges beside each other, by one thread: four at a time, so that one addition does not wait for another.
  KOKKOS_FORCEINLINE_FUNCTION Value combined_side_by_side(Vertex u, Offset first, Offset last) const {
    const auto of = [&](Offset e) { return this->op.edge(u, neighbor_of(this->graph, u, e), e); };
    Value value = Combine::identity();
    Offset e = first;
    if (last - first >= 8) {
      Value others[3] = {Combine::identity(), Combine::identity(), Combine::identity()};
      for (; e + 4 <= last; e += 4) {
        value = Combine::combine(value, of(e));
        others[0] = Combine::combine(others[0], of(e + 1));
        others[1] = Combine::combine(others[1], of(e + 2));
        others[2] = Combine::combine(others[2], of(e + 3));
      }
      value = Combine::combine(Combine::combine(value, others[0]), Combine::combine(others[1], others[2]));
    }
    for (; e < last; ++e) value = Combine::combine(value, of(e));
    return value;
  }

  /// What the calling lane has of the edges of u: first, first + 32, ... below last.
  KOKKOS_FORCEINLINE_FUNCTION Value combined_in_blocks(Vertex u, Offset first, Offset last) const {
    Value value = Combine::identity();
    Offset e = first;
    for (; e + (block - 1) * warp_width < last; e += block * warp_width) {
      Vertex v[block];
      Value of[block];
      for (int i = 0; i < block; ++i) v[i] = neighbor_of(this->graph, u, e + i * warp_width);
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
  const auto gathering = [&] {
    const UncountedViews uncounted;
    return GatherSweep<Space, Graph, Work, Operator>{{graph, work, NoSink{}, op}, total};
  }();
  run_sweep(space, gathering, strategy);
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
  check_graph_view<Graph>();
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
  check_graph_view<Graph>();
  use_strategy<Space>(strategy, [&](const auto& chosen) {
    frontier.template prepare_for<std::decay_t<decltype(chosen)>>(space, graph);
    detail::run_gather(space, graph, frontier.work(), op, total, chosen);
  });
}

/// The same, whatever total(u) was.
template <class Space, class Graph, class Vertex, class Operator, class Value, class Memory>
void gather(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier, const Operator& op,
            const Kokkos::View<Value*, Memory>& total, const Strategy& strategy) {
  detail::store_listed("dromos::gather::identity", space, frontier.queue(), frontier.num_vertices(), total,
                       Operator::Combine::identity());
  gather_into_identity(space, graph, frontier, op, total, strategy);
}

}  // namespace dromos
