// SPDX-License-Identifier: BSD-3-Clause
// PageRank in the default execution space, compiled once for both widths of ids.
#include <dromos/algorithms/pagerank.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template PageRankStatistics pagerank(const Space&, PageRankScratch<std::int32_t, Memory>&,
                                     Kokkos::View<double*, Memory>&, const PageRankOptions&, const NoHalo&);
template PageRankStatistics pagerank(const Space&, PageRankScratch<std::int64_t, Memory>&,
                                     Kokkos::View<double*, Memory>&, const PageRankOptions&, const NoHalo&);

}  // namespace dromos
