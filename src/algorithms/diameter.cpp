// SPDX-License-Identifier: BSD-3-Clause
// Bounds of the diameter in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/diameter.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template DiameterBounds<std::int32_t> diameter(const Space&, const CsrGraph<std::int32_t, Memory>&, std::int32_t,
                                               const DiameterOptions&, const NoHalo&);
template DiameterBounds<std::int64_t> diameter(const Space&, const CsrGraph<std::int64_t, Memory>&, std::int64_t,
                                               const DiameterOptions&, const NoHalo&);

}  // namespace dromos
