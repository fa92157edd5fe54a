// SPDX-License-Identifier: BSD-3-Clause
// Direction-optimizing breadth-first search in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/bfs_direction_optimizing.hpp>

namespace dromos {

template BfsStatistics bfs_direction_optimizing(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int32_t, BfsDirectionScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    BfsResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BfsOptions&, const DirectionOptions&);
template BfsStatistics bfs_direction_optimizing(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, BfsDirectionScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    BfsResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BfsOptions&, const DirectionOptions&);

}  // namespace dromos
