// SPDX-License-Identifier: BSD-3-Clause
// The way into the next work set on GPUs: one queue for the whole team, in its scratch memory.
//
// A team of 256 threads finds few vertices per round of edges, so that slots of each thread's own
// (traverse/enqueue.hpp) would mostly be empty and yet cost a scan to collect. Here a push takes a slot of the common
// array by an atomic in scratch memory, and the team empties the array only when it is crowded: one atomic on the
// global counter for thousands of vertices, written side by side. A push that finds the array full goes to the global
// queue by itself, so that loops in which threads run at their own pace need no check.
//
// Same interface as LocalQueue.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos {

template <class Member, class Sink, class Operator>
class SharedQueue {
 public:
  using Vertex = typename Sink::Vertex;

  static std::size_t scratch_bytes(int team_size, int capacity) {
    return sizeof(State) + sizeof(Vertex) * static_cast<std::size_t>(team_size) * capacity + 32;
  }

  /// A collective of the team.
  KOKKOS_FUNCTION SharedQueue(const Member& team, const Sink& sink, const Operator& op, int capacity)
      : sink_(sink),
        op_(op),
        state_(team_array<State>(team, 1)),
        slots_(team_array<Vertex>(team, static_cast<std::size_t>(team.team_size()) * capacity)),
        num_slots_(team.team_size() * capacity),
        capacity_(capacity) {
    if (team.team_rank() == 0) {
      state_->count = 0;
      state_->edges = 0;
    }
    team.team_barrier();
  }

  /// Edge (u, v) said true: its target, or its source, joins.
  KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) {
    tell(u, v);
    const Vertex joining = joins_source ? u : v;
    const int slot = Kokkos::atomic_fetch_add(&state_->count, 1);
    if (slot < num_slots_) {
      slots_[slot] = joining;
    } else {
      sink_.enqueue(joining);
    }
  }
  /// As push(), but with an atomic of its own on the global queue.
  KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) {
    tell(u, v);
    sink_.enqueue(joins_source ? u : v);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return false; }
  /// How many pushes of each thread surely find a slot after flush_round().
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_ > 1 ? capacity_ / 2 : 1; }
  KOKKOS_FORCEINLINE_FUNCTION void flush_alone() {}

  /// Between two rounds of a loop in which all threads of the team are together.
  KOKKOS_FUNCTION void flush_round(const Member& team) {
    team.team_barrier();
    const bool crowded = state_->count > num_slots_ - team.team_size() * capacity();
    team.team_barrier();  // nobody pushes before everybody has seen the same count
    if (crowded) empty(team);
  }

  KOKKOS_FUNCTION void flush_together(const Member& team) {
    team.team_barrier();
    empty(team);
  }

 private:
  struct State {
    unsigned long long edges;  // of the vertices in the slots
    std::uint64_t reserved;    // what the global counter answered
    int count;                 // pushes since the last flush; may exceed the number of slots
  };

  static constexpr bool joins_source = detail::JoinsSource<Operator>::value;

  KOKKOS_FORCEINLINE_FUNCTION void tell([[maybe_unused]] Vertex u, [[maybe_unused]] Vertex v) const {
    if constexpr (detail::HasJoined<Operator, Vertex>::value) op_.joined(u, v);
  }

  /// Empties the slots; a collective that begins with everybody's pushes done and ends with the slots free.
  KOKKOS_FUNCTION void empty(const Member& team) {
    const int count = dromos::min(state_->count, num_slots_);
    if (count == 0) return;
    const int rank = team.team_rank();
    const int team_size = team.team_size();
    if (sink_.prefix_sums.extent(0) != 0) {
      // Each thread a run of its own, so that its prefix sums follow from where the scan puts the run.
      const int run = (count + team_size - 1) / team_size;
      const int begin = dromos::min(rank * run, count);
      const int length = dromos::min(run, count - begin);
      std::uint64_t edges = 0;
      for (int i = begin; i < begin + length; ++i) edges += static_cast<std::uint64_t>(sink_.graph.degree(slots_[i]));
      const std::uint64_t reserved = team.team_scan(sink_.counts.pack(length, edges), sink_.tail.data());
      sink_.write(sink_.position(reserved), sink_.first_edge(reserved), length,
                  [&](int i) { return slots_[begin + i]; });
    } else {
      unsigned long long edges = 0;
      for (int i = rank; i < count; i += team_size) {
        edges += static_cast<unsigned long long>(sink_.graph.degree(slots_[i]));
      }
      atomic_fetch_add(&state_->edges, edges);
      team.team_barrier();
      if (rank == 0) {
        state_->reserved = sink_.reserve(static_cast<std::uint64_t>(count), state_->edges);
        state_->edges = 0;
      }
      team.team_barrier();
      const std::int64_t to = sink_.position(state_->reserved);
      for (int i = rank; i < count; i += team_size) sink_.queue.data()[to + i] = slots_[i];
    }
    team.team_barrier();
    if (rank == 0) state_->count = 0;
    team.team_barrier();
  }

  const Sink& sink_;
  const Operator& op_;
  State* const state_;
  Vertex* const slots_;
  const int num_slots_;
  const int capacity_;
};

}  // namespace dromos
