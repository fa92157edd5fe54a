// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/scc.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template SccStatistics scc(const Space&, SccScratch<std::int32_t, Memory>&, SccResult<std::int32_t, Memory>&,
                           const SccOptions&, const NoHalo&);
template SccStatistics scc(const Space&, SccScratch<std::int64_t, Memory>&, SccResult<std::int64_t, Memory>&,
                           const SccOptions&, const NoHalo&);

}  // namespace dromos
