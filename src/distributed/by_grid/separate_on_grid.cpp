// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/by_grid/separate_on_grid.hpp>

namespace dromos {

using Memory = Kokkos::DefaultExecutionSpace::memory_space;

template GraphDelegate<std::int32_t, Memory> separate_on_grid(const Communicator&, const Kokkos::DefaultExecutionSpace&,
                                                              const Graph1d<std::int32_t, Memory>&, const ProcessGrid&,
                                                              ArcsOnGrid, const Graph1d<std::int32_t, Memory>*);
template GraphDelegate<std::int64_t, Memory> separate_on_grid(const Communicator&, const Kokkos::DefaultExecutionSpace&,
                                                              const Graph1d<std::int64_t, Memory>&, const ProcessGrid&,
                                                              ArcsOnGrid, const Graph1d<std::int64_t, Memory>*);

}  // namespace dromos
