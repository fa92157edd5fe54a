// SPDX-License-Identifier: BSD-3-Clause
// k-core decomposition in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/kcore.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template KcoreStatistics kcore(const Space&, const CsrGraph<std::int32_t, Memory>&, KcoreScratch<std::int32_t, Memory>&,
                               Kokkos::View<std::int32_t*, Memory>&, const KcoreOptions&, const NoHalo&);
template KcoreStatistics kcore(const Space&, const CsrGraph<std::int64_t, Memory>&, KcoreScratch<std::int64_t, Memory>&,
                               Kokkos::View<std::int64_t*, Memory>&, const KcoreOptions&, const NoHalo&);

}  // namespace dromos
