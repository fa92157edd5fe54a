// SPDX-License-Identifier: BSD-3-Clause
// Levels of graphs without cycles in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/topological_levels.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template TopologicalStatistics topological_levels(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                                  Kokkos::View<Level*, Memory>&, const TopologicalOptions&);
template TopologicalStatistics topological_levels(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                                  Kokkos::View<Level*, Memory>&, const TopologicalOptions&);

}  // namespace dromos
