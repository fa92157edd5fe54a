// SPDX-License-Identifier: BSD-3-Clause
// Launches kernels of teams. What Kokkos makes of a functor (a closure, a parallel region, names for its tools) takes a
// compiler longer than what most of our kernels do, of which there are hundreds; so on a CPU all of them are one
// functor to Kokkos, which calls a kernel by its address, once a team.
//
//   launch_teams<Policy>("dromos::traverse::vertex_chunk", space, {league, team, bytes}, kernel)
//
//   on a GPU    parallel_for(label, policy, kernel), the kernel handed over as an argument whatever its size
//   on a CPU    parallel_for(label, policy, {address of kernel, its operator()}), whose league is as large as there are
//               threads: each of its teams is one after the other of those that were asked for, dealt out as they
//               come for more (core/deal_out.hpp). Kokkos waits there for its threads
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <type_traits>

namespace dromos {

/// While it lives, copies of Views that the calling thread makes do not count, as those do not that Kokkos makes for
/// its kernels: the Views outlive them. Threads may then copy them further, and none waits for a count that all
/// change.
class UncountedViews {
 public:
  UncountedViews() { Kokkos::Impl::SharedAllocationRecord<void, void>::tracking_disable(); }
  ~UncountedViews() { Kokkos::Impl::SharedAllocationRecord<void, void>::tracking_enable(); }
  UncountedViews(const UncountedViews&) = delete;
  UncountedViews& operator=(const UncountedViews&) = delete;
};

struct TeamSizes {
  int league;                 ///< teams
  int team;                   ///< threads of each
  std::size_t scratch_bytes;  ///< for each team, of scratch_level
};

/// A team of the league that was asked for, carried out by `Member`, a team of Kokkos' league.
template <class Member>
class DealtTeam : public Member {
 public:
  KOKKOS_FUNCTION DealtTeam(const Member& team, int league_rank, int league_size)
      : Member(team), league_rank_(league_rank), league_size_(league_size) {}
  KOKKOS_FUNCTION int league_rank() const { return league_rank_; }
  KOKKOS_FUNCTION int league_size() const { return league_size_; }

 private:
  int league_rank_, league_size_;
};

/// What the kernels of launch_teams() are called with.
template <class Policy>
using TeamMember = std::conditional_t<is_gpu<typename Policy::execution_space>, typename Policy::member_type,
                                      DealtTeam<typename Policy::member_type>>;

namespace detail {

/// A kernel by its address.
template <class Member>
struct KernelOnHost {
  const void* kernel;
  void (*run)(const void* kernel, const DealtTeam<Member>& team);
  PieceDealer* dealer;

  void operator()(const Member& team) const {
    PieceDealer::Taker taker(*dealer, team.league_rank());
    for (std::int64_t rank = 0, end = 0; next(team, taker, rank, end);) {
      for (; rank < end; ++rank) {
        run(kernel, DealtTeam<Member>(team, static_cast<int>(rank), static_cast<int>(dealer->num_pieces())));
        team.team_barrier();  // the next one has the same scratch memory
      }
    }
  }
  bool next(const Member& team, PieceDealer::Taker& taker, std::int64_t& begin, std::int64_t& end) const {
    if (team.team_size() == 1) return taker.next(begin, end);
    if (team.team_rank() == 0 && !taker.next(begin, end)) begin = end = 0;
    team.team_broadcast(begin, 0);
    team.team_broadcast(end, 0);
    return begin < end;
  }
};

template <class Kernel, class Member>
void run_kernel(const void* kernel, const DealtTeam<Member>& team) {
  (*static_cast<const Kernel*>(kernel))(team);
}

template <class Policy, class Kernel>
void launch_by_policy(const char* label, const typename Policy::execution_space& space, const TeamSizes& sizes,
                      const Kernel& kernel) {
  using Space = typename Policy::execution_space;
  Policy policy(space, sizes.league, sizes.team);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(sizes.scratch_bytes));
  Kokkos::parallel_for(label, as_argument<Space>(policy), kernel);
}

}  // namespace detail

/// Enqueues kernel(team) for every team of the league; does not wait on a GPU. On a CPU the Views of the kernel should
/// be copies under UncountedViews where teams copy them.
///
/// \param order  on a CPU, who gets which team of the league
template <class Policy, class Kernel>
void launch_teams(const char* label, const typename Policy::execution_space& space, const TeamSizes& sizes,
                  const Kernel& kernel, [[maybe_unused]] DealOrder order = DealOrder::by_shares) {
  if constexpr (is_gpu<typename Policy::execution_space>) {
    detail::launch_by_policy<Policy>(label, space, sizes, kernel);
  } else {
    using Member = typename Policy::member_type;
    static_assert(!std::is_invocable_v<const Kernel&, const Member&>,
                  "kernels of launch_teams() take a TeamMember<Policy>: a team of Kokkos' own knows another league");
    const int most_teams = dromos::max(1, static_cast<int>(space.concurrency()) / dromos::max(1, sizes.team));
    const int num_teams = dromos::min(sizes.league, most_teams);
    PieceDealer dealer(sizes.league, num_teams, order);
    detail::launch_by_policy<Policy>(
        label, space, {num_teams, sizes.team, sizes.scratch_bytes},
        detail::KernelOnHost<Member>{&kernel, &detail::run_kernel<Kernel, Member>, &dealer});
  }
}

}  // namespace dromos
