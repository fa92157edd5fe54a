// SPDX-License-Identifier: BSD-3-Clause
// Maximum matchings in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/maximum_matching.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template MatchingStatistics maximum_matching(const Space&, const BipartiteGraph<std::int32_t, Memory>&,
                                             Kokkos::View<std::int32_t*, Memory>&, const MatchingOptions&);
template MatchingStatistics maximum_matching(const Space&, const BipartiteGraph<std::int64_t, Memory>&,
                                             Kokkos::View<std::int64_t*, Memory>&, const MatchingOptions&);

}  // namespace dromos
