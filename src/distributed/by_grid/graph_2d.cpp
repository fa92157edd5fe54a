// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/by_grid/graph_2d.hpp>

namespace dromos {

using Memory = Kokkos::DefaultExecutionSpace::memory_space;

template Graph2d<Memory> build_graph_2d(const GridCommunicators&, const Kokkos::DefaultExecutionSpace&,
                                        const EdgeList<std::int32_t, Memory>&, const BuildOptions&);
template Graph2d<Memory> build_graph_2d(const GridCommunicators&, const Kokkos::DefaultExecutionSpace&,
                                        const EdgeList<std::int64_t, Memory>&, const BuildOptions&);

}  // namespace dromos
