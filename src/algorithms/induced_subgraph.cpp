// SPDX-License-Identifier: BSD-3-Clause
// Induced subgraphs in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/induced_subgraph.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template InducedSubgraph<std::int32_t, Memory> induced_subgraph(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                                                const Bitmap<Memory>&);
template InducedSubgraph<std::int64_t, Memory> induced_subgraph(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                                                const Bitmap<Memory>&);

}  // namespace dromos
