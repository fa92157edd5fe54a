// SPDX-License-Identifier: BSD-3-Clause
// Distance-1 coloring, distance-2 independent sets and aggregates in the default execution space, compiled once for
// both widths of ids.
#include <dromos/algorithms/aggregates.hpp>
#include <dromos/algorithms/coloring.hpp>
#include <dromos/algorithms/mis2.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template ColoringStatistics color_vertices(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                           Kokkos::View<std::int32_t*, Memory>&, const ColoringOptions&);
template ColoringStatistics color_vertices(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                           Kokkos::View<std::int64_t*, Memory>&, const ColoringOptions&);

template Mis2Statistics mis2(const Space&, const CsrGraph<std::int32_t, Memory>&, Kokkos::View<std::int32_t*, Memory>&,
                             const Mis2Options&);
template Mis2Statistics mis2(const Space&, const CsrGraph<std::int64_t, Memory>&, Kokkos::View<std::int64_t*, Memory>&,
                             const Mis2Options&);

template ColoringStatistics color_vertices(const Space&, const SymmetricPattern<std::int32_t, Memory>&,
                                           Kokkos::View<std::int32_t*, Memory>&, const ColoringOptions&);
template ColoringStatistics color_vertices(const Space&, const SymmetricPattern<std::int64_t, Memory>&,
                                           Kokkos::View<std::int64_t*, Memory>&, const ColoringOptions&);

template Mis2Statistics mis2(const Space&, const SymmetricPattern<std::int32_t, Memory>&,
                             Kokkos::View<std::int32_t*, Memory>&, const Mis2Options&);
template Mis2Statistics mis2(const Space&, const SymmetricPattern<std::int64_t, Memory>&,
                             Kokkos::View<std::int64_t*, Memory>&, const Mis2Options&);

DROMOS_AGGREGATES(, CsrGraph, std::int32_t)
DROMOS_AGGREGATES(, CsrGraph, std::int64_t)
DROMOS_AGGREGATES(, SymmetricPattern, std::int32_t)
DROMOS_AGGREGATES(, SymmetricPattern, std::int64_t)

}  // namespace dromos
