// SPDX-License-Identifier: BSD-3-Clause
// Launches kernels of teams. What Kokkos makes of a functor (a closure, a parallel region, names for its tools) takes a
// compiler longer than what most of our kernels do, of which there are hundreds; so on a CPU all of them are one
// functor to Kokkos, which calls a kernel by its address, once a team.
//
//   launch_teams<Policy>("dromos::traverse::vertex_chunk", space, {league, team, bytes}, kernel)
//
//   on a GPU    parallel_for(label, policy, kernel)
//   on a CPU    parallel_for(label, policy, {address of kernel, its operator()}): Kokkos waits there for its threads
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <dromos/core/kokkos_compat.hpp>

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

namespace detail {

/// A kernel by its address.
template <class Member>
struct KernelOnHost {
  const void* kernel;
  void (*run)(const void* kernel, const Member& team);
  void operator()(const Member& team) const { run(kernel, team); }
};

template <class Kernel, class Member>
void run_kernel(const void* kernel, const Member& team) {
  (*static_cast<const Kernel*>(kernel))(team);
}

template <class Policy, class Kernel>
void launch_by_policy(const char* label, const typename Policy::execution_space& space, const TeamSizes& sizes,
                      const Kernel& kernel) {
  Policy policy(space, sizes.league, sizes.team);
  policy.set_scratch_size(scratch_level<typename Policy::execution_space>, Kokkos::PerTeam(sizes.scratch_bytes));
  Kokkos::parallel_for(label, policy, kernel);
}

}  // namespace detail

/// Enqueues kernel(team) for every team of the league; does not wait on a GPU. On a CPU the Views of the kernel should
/// be copies under UncountedViews where teams copy them.
template <class Policy, class Kernel>
void launch_teams(const char* label, const typename Policy::execution_space& space, const TeamSizes& sizes,
                  const Kernel& kernel) {
  if constexpr (is_gpu<typename Policy::execution_space>) {
    detail::launch_by_policy<Policy>(label, space, sizes, kernel);
  } else {
    using Member = typename Policy::member_type;
    detail::launch_by_policy<Policy>(label, space, sizes,
                                     detail::KernelOnHost<Member>{&kernel, &detail::run_kernel<Kernel, Member>});
  }
}

}  // namespace dromos
