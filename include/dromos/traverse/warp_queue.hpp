// SPDX-License-Identifier: BSD-3-Clause
// The way into the next work set where threads come in warps: a queue for each warp, in the team's scratch memory.
//
// Nobody waits for the whole team while it walks: the lanes of a warp share a small array, and the warp empties it by
// itself when it is crowded, with one atomic on the global counter for hundreds of vertices. Only at the end the team
// comes together, for one atomic for what all its warps have left.
//
//   4 warps with 3 0 5 2 vertices left: reserve 10; they write at 0, 3, 3 and 8 of these
//
// Same interface as LocalQueue. Teams consist of whole warps, and flush_round() is a collective of a warp.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos {

template <class Member, class Sink, class Operator>
class WarpQueue {
 public:
  using Vertex = typename Sink::Vertex;

  static std::size_t scratch_bytes(int team_size, int capacity) {
    const std::size_t num_warps = (static_cast<std::size_t>(team_size) + warp_width - 1) / warp_width;
    return num_warps * (sizeof(State) + sizeof(Vertex) * warp_width * capacity) + 32;
  }

  /// A collective of the team.
  KOKKOS_FUNCTION WarpQueue(const Member& team, const Sink& sink, const Operator& op, int capacity)
      : sink_(sink),
        op_(op),
        lane_(team.team_rank() % warp_width),
        warp_(team.team_rank() / warp_width),
        num_slots_(warp_width * capacity),
        states_(team_array<State>(team, team.team_size() / warp_width)),
        slots_(team_array<Vertex>(team, static_cast<std::size_t>(team.team_size()) * capacity) +
               static_cast<std::size_t>(warp_) * num_slots_),
        capacity_(capacity) {
    if (lane_ == 0) states_[warp_].count = 0;
    warp_barrier();
  }

  /// Edge (u, v) said true: its target, or whoever the operator says, joins.
  KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) {
    tell(u, v);
    const Vertex joining = joining_vertex(op_, u, v);
    const int slot = Kokkos::atomic_fetch_add(&states_[warp_].count, 1);
    if (slot < num_slots_) {
      slots_[slot] = joining;
    } else {
      sink_.enqueue(joining);
    }
  }
  /// As push(), but with an atomic of its own on the global queue.
  KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) {
    tell(u, v);
    sink_.enqueue(joining_vertex(op_, u, v));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return false; }
  /// How many pushes of each thread surely find a slot after flush_round().
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_ > 1 ? capacity_ / 2 : 1; }
  KOKKOS_FORCEINLINE_FUNCTION void flush_alone() {}

  /// Between two rounds of a loop in which all lanes of the warp are together.
  KOKKOS_FUNCTION void flush_round(const Member&) {
    warp_barrier();
    const int count = dromos::min(states_[warp_].count, num_slots_);
    if (count > num_slots_ - warp_width * capacity()) {
      const auto edges = warp_sum(my_edges(count));
      std::uint64_t reserved = 0;
      if (lane_ == 0) reserved = sink_.reserve(static_cast<std::uint64_t>(count), edges);
      reserved = warp_broadcast(static_cast<unsigned long long>(reserved), 0);
      write(count, sink_.position(reserved), sink_.first_edge(reserved));
      warp_barrier();
      if (lane_ == 0) states_[warp_].count = 0;
    }
    warp_barrier();
  }

  /// A collective of the team.
  KOKKOS_FUNCTION void flush_together(const Member& team) {
    warp_barrier();
    const int count = dromos::min(states_[warp_].count, num_slots_);
    warp_barrier();  // everybody has read the count before it is written
    const auto edges = warp_sum(my_edges(count));
    if (lane_ == 0) {
      states_[warp_].edges = edges;
      states_[warp_].count = count;
    }
    team.team_barrier();
    if (team.team_rank() == 0) {
      std::uint64_t vertices = 0;
      std::uint64_t all_edges = 0;
      for (int w = 0; w < team.team_size() / warp_width; ++w) {
        states_[w].vertices_before = vertices;
        states_[w].edges_before = all_edges;
        vertices += static_cast<std::uint64_t>(states_[w].count);
        all_edges += states_[w].edges;
      }
      if (vertices != 0) states_[0].reserved = sink_.reserve(vertices, all_edges);
    }
    team.team_barrier();
    if (count != 0) {
      const std::uint64_t reserved = states_[0].reserved;
      write(count, sink_.position(reserved) + static_cast<std::int64_t>(states_[warp_].vertices_before),
            sink_.first_edge(reserved) + static_cast<Offset>(states_[warp_].edges_before));
    }
    team.team_barrier();
    if (lane_ == 0) states_[warp_].count = 0;
    warp_barrier();
  }

 private:
  struct State {
    std::uint64_t reserved;  // what the global counter answered; the first warp's is the team's
    std::uint64_t edges;     // of the vertices in the slots
    std::uint64_t vertices_before;
    std::uint64_t edges_before;
    int count;  // pushes since the last flush; may exceed the number of slots
  };

  KOKKOS_FORCEINLINE_FUNCTION void tell([[maybe_unused]] Vertex u, [[maybe_unused]] Vertex v) const {
    if constexpr (detail::HasJoined<Operator, Vertex>::value) op_.joined(u, v);
  }

  KOKKOS_FUNCTION unsigned long long my_edges(int count) const {
    unsigned long long edges = 0;
    for (int i = lane_; i < count; i += warp_width) {
      edges += static_cast<unsigned long long>(sink_.graph.degree(slots_[i]));
    }
    return edges;
  }

  /// Moves the slots to a reserved position; `edge` is where their edges begin. A collective of the warp.
  KOKKOS_FUNCTION void write(int count, std::int64_t to, Offset edge) const {
    const bool with_prefix_sums = sink_.prefix_sums.extent(0) != 0;
    for (int i = lane_; i - lane_ < count; i += warp_width) {
      const Vertex v = i < count ? slots_[i] : no_vertex<Vertex>;
      if (i < count) sink_.queue.data()[to + i] = v;
      if (with_prefix_sums) {
        const auto degree = i < count ? static_cast<unsigned long long>(sink_.graph.degree(v)) : 0ull;
        const auto before = warp_sum_before(degree, lane_);
        if (i < count) sink_.prefix_sums.data()[to + i] = edge + static_cast<Offset>(before);
        edge += static_cast<Offset>(warp_broadcast(before + degree, warp_width - 1));
      }
    }
  }

  const Sink& sink_;
  const Operator& op_;
  const int lane_;
  const int warp_;
  const int num_slots_;
  State* const states_;
  Vertex* const slots_;
  const int capacity_;
};

}  // namespace dromos
