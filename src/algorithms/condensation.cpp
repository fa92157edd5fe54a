// SPDX-License-Identifier: BSD-3-Clause
// Graphs of components in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/condensation.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template Condensation<std::int32_t, Memory> condensation(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                                         const Kokkos::View<std::int32_t*, Memory>&);
template Condensation<std::int64_t, Memory> condensation(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                                         const Kokkos::View<std::int64_t*, Memory>&);

}  // namespace dromos
