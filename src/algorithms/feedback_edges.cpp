// SPDX-License-Identifier: BSD-3-Clause
// Feedback edges in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/feedback_edges.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template FeedbackStatistics feedback_edges(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                           Kokkos::View<Offset*, Memory>&, const FeedbackOptions&);
template FeedbackStatistics feedback_edges(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                           Kokkos::View<Offset*, Memory>&, const FeedbackOptions&);

}  // namespace dromos
