// SPDX-License-Identifier: BSD-3-Clause
// Validation of searches in the default execution space, compiled once for both widths of ids.
#include <dromos/validate/graph500_rules.hpp>

namespace dromos {

template BfsValidation validate_bfs(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int32_t, const Kokkos::View<const std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space>&);
template BfsValidation validate_bfs(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, const Kokkos::View<const std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
