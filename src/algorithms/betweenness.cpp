// SPDX-License-Identifier: BSD-3-Clause
// Betweenness centrality in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/betweenness.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template BetweennessStatistics betweenness(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                           const std::vector<std::int32_t>&, BetweennessScratch<std::int32_t, Memory>&,
                                           Kokkos::View<double*, Memory>&, const BetweennessOptions&, const NoHalo&);
template BetweennessStatistics betweenness(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                           const std::vector<std::int64_t>&, BetweennessScratch<std::int64_t, Memory>&,
                                           Kokkos::View<double*, Memory>&, const BetweennessOptions&, const NoHalo&);

}  // namespace dromos
