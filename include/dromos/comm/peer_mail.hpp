// SPDX-License-Identifier: BSD-3-Clause
// How the teams of a kernel that runs on every rank's GPU at once meet, and leave things for each other, without the
// end of the kernel and without the host: for levels so small that a launch for each of their steps would take most of
// the time.
//
//   each rank   sweeps, writes what is for others into their memory | meets | takes what they wrote | meets | ...
//
// Memory of a rank that others reach holds Signals and, for each rank, a region for meetings of even number and one for
// those of odd number. What was written for a meeting may be read when it is over, until the reader comes to the next
// one; who writes for that writes elsewhere. Meetings count on from launch to launch, on all ranks alike.
//
// All teams of a launch are to run at once, and at a meeting none waits longer than ten seconds: a rank that does not
// come is a fault that the host is told of (StreamedOperations::check()), and all teams leave.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/peer_signals.hpp>
#include <dromos/core/warp.hpp>

namespace dromos {

/// What a kernel needs for it; given out by StreamedOperations::mail(). Copyable.
struct PeerMail {
  static constexpr int most_ranks = 16;
  static constexpr std::int64_t header_bytes = 4096;

  /// The words at the beginning of a rank's memory; others write them. A word that is said comes in two halves, each
  /// with the number of the meeting before it, so that no order between them has to be waited for.
  struct Signals {
    std::uint64_t arrived[most_ranks];         ///< the meeting that rank has come to, of those where it said nothing
    std::uint64_t said[2][most_ranks][2 * 2];  ///< what it said there
  };
  static_assert(sizeof(Signals) <= header_bytes);

  int rank = 0, size = 1;
  std::uint64_t met = 0;  ///< meetings before this launch
  char* memory[most_ranks] = {};
  std::int64_t region_bytes = 0;
  unsigned int* fault = nullptr;  ///< of the host: 1 + the rank that did not come

  /// Where rank `from` writes for rank `to`, or for itself, before this meeting.
  KOKKOS_FUNCTION char* region(int to, int from, std::uint64_t meeting) const {
    const std::int64_t number = static_cast<std::int64_t>(meeting % 2) * size + from;
    return memory[to] + header_bytes + number * region_bytes;
  }
  static std::int64_t bytes(int num_ranks, std::int64_t region_bytes) {
    return header_bytes + 2 * num_ranks * region_bytes;
  }

  /// What another rank said at that meeting, before the next but one.
  KOKKOS_FUNCTION std::uint64_t said(int r, std::uint64_t meeting, int word) const {
    const std::uint64_t* const halves = &signals(rank).said[meeting % 2][r][2 * word];
    return (atomic_load(&halves[1]) & half_mask) << 32 | (atomic_load(&halves[0]) & half_mask);
  }

  /// All teams of all ranks come to this meeting, after which they find what the others wrote before; a collective of
  /// the team. \returns false where a rank did not come: the kernel is then to end
  ///
  /// \param teams_here  on the device: how many teams of this rank came, zero when the launch begins
  /// \param all_here    what it is when the last one has come to this meeting
  /// \param has_mail    something was written for others since the last meeting
  /// \param words       two of the device that this rank says to the others, as they are then; null, on every rank:
  ///                    says nothing
  /// \param scratch     of the team
  template <class Member>
  KOKKOS_FUNCTION bool meet(const Member& team, std::uint64_t meeting, std::uint64_t* teams_here,
                            std::uint64_t all_here, bool has_mail, const std::uint64_t* words, int* scratch) const {
    team.team_barrier();
    const int r = team.team_rank();
    if (r == 0) {
      *scratch = 1;
      fence_for(has_mail);  // of what the whole team did before the barrier: it is cumulative
      if (atomic_fetch_add(teams_here, std::uint64_t(1)) + 1 == all_here) {
        fence_for(has_mail);
        tell(meeting, words);
      }
    }
    team.team_barrier();
    if (r < size && !await_rank(r, meeting, teams_here, all_here, words != nullptr)) {
      atomic_store(scratch, 0);
      if (r != rank) atomic_store(fault, 1u + static_cast<unsigned int>(r));
    }
    team.team_barrier();
    const bool all_came = atomic_load(scratch) != 0;
    team.team_barrier();
    return all_came;
  }

  /// The same of the teams of this rank alone.
  template <class Member>
  KOKKOS_FUNCTION bool wait_for_own(const Member& team, std::uint64_t* teams_here, std::uint64_t all_here,
                                    int* scratch) const {
    team.team_barrier();
    if (team.team_rank() == 0) {
      device_fence();
      atomic_fetch_add(teams_here, std::uint64_t(1));
      *scratch = await_word(teams_here, all_here) ? 1 : 0;
    }
    team.team_barrier();
    const bool all_came = *scratch != 0;
    team.team_barrier();
    return all_came;
  }

 private:
  static constexpr std::uint64_t half_mask = 0xffffffffu;

  KOKKOS_FUNCTION Signals& signals(int r) const { return *reinterpret_cast<Signals*>(memory[r]); }

  static KOKKOS_FUNCTION void fence_for(bool peers) {
    if (peers) {
      peer_fence();
    } else {
      device_fence();
    }
  }
  /// A half of a word with the meeting before it.
  static KOKKOS_FUNCTION std::uint64_t half(std::uint64_t meeting, std::uint64_t word, int k) {
    return meeting << 32 | (word >> (32 * k) & half_mask);
  }

  KOKKOS_FUNCTION void tell(std::uint64_t meeting, const std::uint64_t* words) const {
    std::uint64_t said[2] = {};
    for (int w = 0; w < 2 && words != nullptr; ++w) said[w] = atomic_load(&words[w]);
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      if (words == nullptr) atomic_store(&signals(r).arrived[rank], meeting);
      for (int k = 0; k < 4 && words != nullptr; ++k) {
        atomic_store(&signals(r).said[meeting % 2][rank][k], half(meeting, said[k / 2], k % 2));
      }
    }
  }

  /// By one thread: until all teams of this rank are here, or another rank is.
  KOKKOS_FUNCTION bool await_rank(int r, std::uint64_t meeting, const std::uint64_t* teams_here, std::uint64_t all_here,
                                  bool says) const {
    if (r == rank) return await_word(teams_here, all_here);
    if (!says) return await_word(&signals(rank).arrived[r], meeting);
    for (int k = 0; k < 4; ++k) {
      // The meeting is the greater part of the word: none before this one is as large.
      if (!await_word(&signals(rank).said[meeting % 2][r][k], meeting << 32)) return false;
    }
    return true;
  }
};

}  // namespace dromos
