// SPDX-License-Identifier: BSD-3-Clause
// Top-down breadth-first search in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/bfs.hpp>

namespace dromos {

template BfsStatistics bfs(const Kokkos::DefaultExecutionSpace&,
                           const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, std::int32_t,
                           BfsScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                           BfsResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BfsOptions&);
template BfsStatistics bfs(const Kokkos::DefaultExecutionSpace&,
                           const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, std::int64_t,
                           BfsScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                           BfsResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BfsOptions&);

}  // namespace dromos
