// SPDX-License-Identifier: BSD-3-Clause
// The transports on MPI, and the question whether this MPI takes memory of a GPU.
#pragma once

#include <mpi.h>

#include <dromos/comm/transport.hpp>
#include <memory>

namespace dromos {

/// MPI on memory of the host. The communicator must outlive the transport and is not freed by it.
std::unique_ptr<Transport> make_host_memory_transport(MPI_Comm communicator);

/// The same for memory of a GPU, too, which passes through pinned memory of the host in pieces: up to 64 MiB of it, and
/// for the OR of bitmaps a rank's part of the words.
std::unique_ptr<Transport> make_host_staged_transport(MPI_Comm communicator);

/// As host-staged, with every array passing through other memory, whether it has to or not: for tests where no memory
/// is a GPU's.
std::unique_ptr<Transport> make_always_staged_transport(MPI_Comm communicator);

/// MPI on memory of either kind, by point-to-point messages alone. Asks nothing: see mpi_takes_gpu_memory().
std::unique_ptr<Transport> make_gpu_aware_transport(MPI_Comm communicator);

/// Does the MPI library say that it takes pointers into the memory of a GPU? The environment decides where it speaks:
/// DROMOS_GPU_AWARE_MPI, or TPETRA_ASSUME_GPU_AWARE_MPI, each 0 or 1. Otherwise MPIX_Query_cuda_support (Open MPI) or
/// MPIX_GPU_query_support (MPICH) is asked; a library without such a function is taken to say no.
bool mpi_takes_gpu_memory();

/// The transport that `choice` and DROMOS_TRANSPORT ask for; shared and gpu-aware are tried out on a ring of small
/// messages before they are trusted. Collective. Throws ArgumentError on all ranks for a transport that does not work
/// here.
std::unique_ptr<Transport> make_transport(MPI_Comm communicator, TransportChoice choice);

}  // namespace dromos
