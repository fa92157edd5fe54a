// SPDX-License-Identifier: BSD-3-Clause
// Room in an array for what the threads of a team have to put there, by one atomic for all of them.
//
//   threads with 2 0 3 elements, counter 10   ->   they write from 10, 12 and 12 on; counter 15
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

/// Where the calling thread may write `mine` elements. A collective of the team.
///
/// \param counter  how many elements there are; raised by those of the team
template <class Member>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t team_reserve(const Member& team, std::int64_t mine, std::uint64_t* counter) {
  if constexpr (!is_gpu<typename Member::execution_space>) {
    if (team.team_size() == 1) return mine > 0 ? atomic_fetch_add(counter, static_cast<std::uint64_t>(mine)) : 0;
  }
  const std::int64_t before = team.team_scan(mine);
  std::uint64_t begin = 0;
  if (team.team_rank() == team.team_size() - 1 && before + mine > 0) {
    begin = atomic_fetch_add(counter, static_cast<std::uint64_t>(before + mine));
  }
  team.team_broadcast(begin, team.team_size() - 1);
  return begin + static_cast<std::uint64_t>(before);
}

}  // namespace dromos
