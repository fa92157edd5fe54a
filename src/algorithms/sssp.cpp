// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template SsspStatistics sssp(const Space&, SsspScratch<std::int32_t, Memory>&, std::int32_t,
                             Kokkos::View<float*, Memory>&, const SsspOptions&, const NoHalo&);
template SsspStatistics sssp(const Space&, SsspScratch<std::int64_t, Memory>&, std::int64_t,
                             Kokkos::View<float*, Memory>&, const SsspOptions&, const NoHalo&);

template void shortest_path_tree(const Space&, SsspScratch<std::int32_t, Memory>&, std::int32_t,
                                 const Kokkos::View<float*, Memory>&, Kokkos::View<std::int32_t*, Memory>&,
                                 const SsspOptions&, const NoHalo&);
template void shortest_path_tree(const Space&, SsspScratch<std::int64_t, Memory>&, std::int64_t,
                                 const Kokkos::View<float*, Memory>&, Kokkos::View<std::int64_t*, Memory>&,
                                 const SsspOptions&, const NoHalo&);

}  // namespace dromos
