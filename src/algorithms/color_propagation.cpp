// SPDX-License-Identifier: BSD-3-Clause
// Color propagation in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/color_propagation.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template ColorStatistics color_propagation(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                           ColorScratch<std::int32_t, Memory>&, ColorResult<std::int32_t, Memory>&,
                                           const ColorOptions&, const NoHalo&);
template ColorStatistics color_propagation(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                           ColorScratch<std::int64_t, Memory>&, ColorResult<std::int64_t, Memory>&,
                                           const ColorOptions&, const NoHalo&);

}  // namespace dromos
