// SPDX-License-Identifier: BSD-3-Clause
// Components of parts in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/components_of_parts.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template ComponentsOfParts components_of_parts(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                               const Kokkos::View<std::int32_t*, Memory>&, const PartComponentOptions&);
template ComponentsOfParts components_of_parts(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                               const Kokkos::View<std::int64_t*, Memory>&, const PartComponentOptions&);

}  // namespace dromos
