// SPDX-License-Identifier: BSD-3-Clause
// The transport between ranks of one host, who reach each other's memory: no message is sent, the receiver takes the
// bytes from where the sender laid them.
//
//   on CPUs   an MPI-3 shared window; each piece is copied twice, both times through the cache
//   on GPUs   device memory that CUDA maps into the other processes (IPC); pieces travel over NVLink or PCIe, the host
//             only says when
#pragma once

#include <mpi.h>

#include <dromos/comm/transport.hpp>
#include <memory>

namespace dromos {

/// Do all ranks of the communicator run on one host, and see each other's processes? Collective; the same answer on
/// every rank.
bool ranks_share_host(MPI_Comm communicator);

/// The transport `shared`. The communicator must outlive it and is not freed by it. Collective.
///
/// A rank that ended, in whatever way, while others wait for it is an Error on those within a second.
/// Memory of a rank, from the first operation on: 1 MiB on a CPU, 96 MiB on a GPU, and 768 bytes of host memory a pair
/// of ranks. Throws Error on every rank where ranks do not share a host; so does the first operation where a GPU's
/// memory cannot be mapped.
std::unique_ptr<Transport> make_shared_transport(MPI_Comm communicator);

/// The same for ranks that are known to share a host: those of a part of such a communicator.
std::unique_ptr<Transport> make_shared_transport_of_part(MPI_Comm communicator);

}  // namespace dromos
