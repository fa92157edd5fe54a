// SPDX-License-Identifier: BSD-3-Clause
// Block triangular forms in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/block_triangular_form.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template BlockTriangularStatistics block_triangular_form(const Space&, const BipartiteGraph<std::int32_t, Memory>&,
                                                         BlockTriangularForm<std::int32_t, Memory>&,
                                                         const BlockTriangularOptions&);
template BlockTriangularStatistics block_triangular_form(const Space&, const BipartiteGraph<std::int64_t, Memory>&,
                                                         BlockTriangularForm<std::int64_t, Memory>&,
                                                         const BlockTriangularOptions&);

}  // namespace dromos
