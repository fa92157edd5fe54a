// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/by_degree/graph_delegate.hpp>

namespace dromos {

using Memory = Kokkos::DefaultExecutionSpace::memory_space;

template GraphDelegate<std::int32_t, Memory> separate_by_degree(const Communicator&,
                                                                const Kokkos::DefaultExecutionSpace&,
                                                                const Graph1d<std::int32_t, Memory>&, Offset,
                                                                DelegateEdges, const Graph1d<std::int32_t, Memory>*);
template GraphDelegate<std::int64_t, Memory> separate_by_degree(const Communicator&,
                                                                const Kokkos::DefaultExecutionSpace&,
                                                                const Graph1d<std::int64_t, Memory>&, Offset,
                                                                DelegateEdges, const Graph1d<std::int64_t, Memory>*);

}  // namespace dromos
