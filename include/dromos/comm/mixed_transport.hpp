// SPDX-License-Identifier: BSD-3-Clause
// The transport of ranks on several hosts: `shared` inside each host, another one between hosts.
//
//   exchange, allgather   each block goes the way between its two ranks
//   broadcast, OR         one rank of each host speaks with those of other hosts, and `shared` does the rest
#pragma once

#include <mpi.h>

#include <dromos/comm/transport.hpp>
#include <memory>

namespace dromos {

/// Its name is both names: "shared+host-staged". The communicator must outlive it and is not freed by it. Collective.
///
/// \param between  makes the transport between hosts, of the communicator and of one with a rank of each host
/// \throws Error on every rank where ranks of a host do not see each other's processes
std::unique_ptr<Transport> make_mixed_transport(MPI_Comm communicator, const TransportFactory& between);

/// The same for ranks that say which host they are on: to try out on one host what runs on several.
std::unique_ptr<Transport> make_mixed_transport_of(MPI_Comm communicator, int host, const TransportFactory& between);

/// Is there a host with several of these ranks, and another host? Collective; the same answer on every rank.
bool ranks_mix(MPI_Comm communicator);

}  // namespace dromos
