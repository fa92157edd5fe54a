// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/by_vertices/graph_1d.hpp>

namespace dromos {

using Memory = Kokkos::DefaultExecutionSpace::memory_space;

template Graph1d<std::int32_t, Memory> build_graph_1d(const Communicator&, const Kokkos::DefaultExecutionSpace&,
                                                      const EdgeList<std::int32_t, Memory>&, const BuildOptions&,
                                                      Dealing);
template Graph1d<std::int64_t, Memory> build_graph_1d(const Communicator&, const Kokkos::DefaultExecutionSpace&,
                                                      const EdgeList<std::int64_t, Memory>&, const BuildOptions&,
                                                      Dealing);

}  // namespace dromos
