// SPDX-License-Identifier: BSD-3-Clause
// Connected components in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/connected_components.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template ComponentStatistics connected_components(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                                  ComponentScratch<std::int32_t, Memory>&,
                                                  ComponentResult<std::int32_t, Memory>&, const ComponentOptions&,
                                                  const NoHalo&);
template ComponentStatistics connected_components(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                                  ComponentScratch<std::int64_t, Memory>&,
                                                  ComponentResult<std::int64_t, Memory>&, const ComponentOptions&,
                                                  const NoHalo&);

}  // namespace dromos
