// SPDX-License-Identifier: BSD-3-Clause
// Reverse Cuthill-McKee in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/rcm.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template RcmStatistics rcm(const Space&, const CsrGraph<std::int32_t, Memory>&, RcmResult<std::int32_t, Memory>&,
                           const RcmOptions&);
template RcmStatistics rcm(const Space&, const CsrGraph<std::int64_t, Memory>&, RcmResult<std::int64_t, Memory>&,
                           const RcmOptions&);

template RcmStatistics rcm(const Space&, const SymmetricPattern<std::int32_t, Memory>&,
                           RcmResult<std::int32_t, Memory>&, const RcmOptions&);
template RcmStatistics rcm(const Space&, const SymmetricPattern<std::int64_t, Memory>&,
                           RcmResult<std::int64_t, Memory>&, const RcmOptions&);

}  // namespace dromos
