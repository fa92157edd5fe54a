// SPDX-License-Identifier: BSD-3-Clause
// The transport of NVIDIA's library of collectives (NCCL 2.20 or newer), between GPUs of one host and of several.
#pragma once

#include <mpi.h>

#include <dromos/comm/transport.hpp>
#include <memory>

namespace dromos {

/// For memory of GPUs; memory of the host goes by MPI. The communicator must outlive it and is not freed by it.
/// Collective. It waits for what other kernels do on its GPU, and takes memory of it as NCCL sees fit.
///
/// \throws Error on every rank where Dromos was built without NCCL, two ranks have one GPU, or NCCL refuses
std::unique_ptr<Transport> make_nccl_transport(MPI_Comm communicator);

}  // namespace dromos
