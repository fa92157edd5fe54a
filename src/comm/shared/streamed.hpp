// SPDX-License-Identifier: BSD-3-Clause
// Makes the operations between GPUs that go without the host (comm/transport.hpp). Defined where Dromos is compiled for
// CUDA.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <dromos/comm/transport.hpp>
#include <memory>

namespace dromos::detail {

/// Null, on every rank, where ranks share a GPU or are too many. Collective.
/// \param slot_bytes  the most that a rank gives to one operation; it takes twice that memory
std::unique_ptr<StreamedOperations> make_streamed_operations(MPI_Comm communicator, std::int64_t slot_bytes);

}  // namespace dromos::detail
