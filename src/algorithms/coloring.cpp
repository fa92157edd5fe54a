// SPDX-License-Identifier: BSD-3-Clause
// Distance-1 coloring in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/coloring.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template ColoringStatistics color_vertices(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                           Kokkos::View<std::int32_t*, Memory>&, const ColoringOptions&);
template ColoringStatistics color_vertices(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                           Kokkos::View<std::int64_t*, Memory>&, const ColoringOptions&);

}  // namespace dromos
