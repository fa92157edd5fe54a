// SPDX-License-Identifier: BSD-3-Clause
// How vertices get into the next work set on CPUs: through a small queue of each thread, emptied with one atomic for
// many. (GPUs: traverse/warp_queue.hpp.)
//
// Every thread of a team owns `capacity` slots of the team's scratch memory. Pushing costs a store. The slots are
// emptied in one of two ways:
//
//   flush_together(), flush_round()
//                     all threads of a team at once: a team scan of the counts with one atomic for the whole team.
//                     Every thread must call it (a collective), so the loops around it must be team-uniform.
//   flush_alone()     a thread whose slots are full in the middle of a loop of its own: one atomic for `capacity`.
//
// Where the operator wants to be told of each joining (joined() in traverse/edge_operator.hpp), a slot of a CPU's queue
// keeps both ends of the edge beside who joins, and the operator is told when the slots are emptied; on a GPU it is
// told at once.
//
// Slot s of thread r is element s * team_size + r, so that neighbouring threads touch neighbouring words.
// Source: Slota et al. 2015, Section III (team-local queues; a queue of 16 per thread on GPUs, 1024 on CPUs).
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos {

/// One thread's end of the queue into `Sink`. Lives inside a kernel.
template <class Space, class Member, class Sink, class Operator>
class LocalQueue {
 public:
  using Vertex = typename Sink::Vertex;

  /// Does a slot keep the edge, to tell the operator later?
  static constexpr bool keeps_edges = detail::HasJoined<Operator, Vertex>::value && !is_gpu<Space>;

  /// And its target, since it is another vertex that joins?
  static constexpr bool keeps_targets = keeps_edges && detail::HasJoining<Operator, Vertex>::value;

  /// Bytes of team scratch that a team of this size needs.
  static std::size_t scratch_bytes(int team_size, int capacity) {
    return sizeof(Vertex) * num_slots(team_size, capacity) + 16;
  }

  KOKKOS_FUNCTION LocalQueue(const Member& team, const Sink& sink, const Operator& op, int capacity)
      : sink_(sink),
        op_(op),
        slots_(team_array<Vertex>(team, num_slots(team.team_size(), capacity)) + team.team_rank()),
        stride_(team.team_size()),
        capacity_(capacity) {}

  /// Edge (u, v) said true: its target, or whoever the operator says, joins.
  KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) {
    const int slot = count_++;
    slots_[slot * stride_] = joining_vertex(op_, u, v);
    if constexpr (keeps_edges) {
      slots_[(capacity_ + slot) * stride_] = u;
      if constexpr (keeps_targets) slots_[(2 * capacity_ + slot) * stride_] = v;
    } else if constexpr (detail::HasJoined<Operator, Vertex>::value) {
      op_.joined(u, v);
    }
  }
  /// As push(), but with an atomic of its own on the global queue.
  KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) {
    push(u, v);
    flush_alone();
  }
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return count_ == capacity_; }
  /// How many pushes surely fit between two flushes.
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_; }

  KOKKOS_FUNCTION void flush_alone() {
    if (count_ == 0) return;
    sink_.take(count_, joining());
    tell_operator();
  }

  /// Who was pushed last; no_vertex: there is nobody.
  KOKKOS_FUNCTION Vertex last() const { return count_ > 0 ? slots_[(count_ - 1) * stride_] : no_vertex<Vertex>; }
  /// Takes it back.
  KOKKOS_FUNCTION void take_back() {
    --count_;
    tell_operator(count_);
  }

  /// Between two rounds of capacity() pushes of a loop in which all threads of the team are together.
  KOKKOS_FORCEINLINE_FUNCTION void flush_round(const Member& team) { flush_together(team); }

  KOKKOS_FUNCTION void flush_together(const Member& team) {
    if (stride_ == 1) {
      flush_alone();
      return;
    }
    sink_.take_together(team, count_, joining());
    tell_operator();
  }

 private:
  /// Who joins, slot by slot.
  KOKKOS_FORCEINLINE_FUNCTION auto joining() const {
    return [slots = slots_, stride = stride_](int i) { return slots[i * stride]; };
  }

  KOKKOS_FORCEINLINE_FUNCTION void tell_operator() {
    for (int i = 0; i < count_; ++i) tell_operator(i);
    count_ = 0;
  }
  /// Of one slot.
  KOKKOS_FORCEINLINE_FUNCTION void tell_operator([[maybe_unused]] int i) {
    if constexpr (keeps_edges) {
      const Vertex v = slots_[((keeps_targets ? 2 * capacity_ : 0) + i) * stride_];
      op_.joined(slots_[(capacity_ + i) * stride_], v);
    }
  }

  static KOKKOS_FUNCTION std::size_t num_slots(int team_size, int capacity) {
    constexpr std::size_t per_slot = keeps_targets ? 3 : keeps_edges ? 2 : 1;
    return per_slot * static_cast<std::size_t>(team_size) * capacity;
  }

  const Sink& sink_;
  const Operator& op_;
  Vertex* const slots_;
  const int stride_;
  const int capacity_;
  int count_ = 0;
};

/// The queue of a sweep that gathers nothing: costs nothing.
template <class Space, class Member, class Operator>
class LocalQueue<Space, Member, NoSink, Operator> {
 public:
  static std::size_t scratch_bytes(int, int) { return 0; }
  KOKKOS_FUNCTION LocalQueue(const Member&, const NoSink&, const Operator& op, int capacity)
      : op_(op), capacity_(capacity) {}
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION void push([[maybe_unused]] Vertex u, [[maybe_unused]] Vertex v) {
    if constexpr (detail::HasJoined<Operator, Vertex>::value) op_.joined(u, v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) {
    push(u, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return false; }
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_; }
  KOKKOS_FORCEINLINE_FUNCTION void flush_alone() {}
  KOKKOS_FORCEINLINE_FUNCTION void flush_round(const Member&) {}
  KOKKOS_FORCEINLINE_FUNCTION void flush_together(const Member&) {}

 private:
  const Operator& op_;
  const int capacity_;
};

}  // namespace dromos
