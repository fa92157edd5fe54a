// SPDX-License-Identifier: BSD-3-Clause
// Transposition and relabelling in the default execution space, compiled once for both widths of ids.
#include <dromos/graph/relabel.hpp>
#include <dromos/graph/transpose.hpp>

namespace dromos {

template CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> transpose(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&);
template CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> transpose(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&);
template RelabeledGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> relabel_by_degree(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&);
template RelabeledGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> relabel_by_degree(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
