// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/sssp.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template SsspStatistics sssp(const Space&, SsspScratch<std::int32_t, Memory>&, std::int32_t,
                             Kokkos::View<float*, Memory>&, const SsspOptions&);
template SsspStatistics sssp(const Space&, SsspScratch<std::int64_t, Memory>&, std::int64_t,
                             Kokkos::View<float*, Memory>&, const SsspOptions&);

}  // namespace dromos
