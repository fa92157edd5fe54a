// SPDX-License-Identifier: BSD-3-Clause
// Teuchos::Comm where Dromos takes a communicator:
//
//   const Communicator ranks = teuchos::make_communicator(*map->getComm());
//
// The ranks are the same, in the same order; messages of the two cannot meet, as Communicator duplicates.
#pragma once

#include <Teuchos_Comm.hpp>
#include <dromos/comm/communicator.hpp>

namespace dromos::teuchos {

/// A communicator of the ranks of a Teuchos::MpiComm, or of this rank alone for a Teuchos::SerialComm. Collective, as
/// is the end of what it returns.
///
/// \param choice  as for Communicator
/// \throws ArgumentError where MPI is not initialized, for a communicator of another kind, and as Communicator does
Communicator make_communicator(const Teuchos::Comm<int>& comm, TransportChoice choice = TransportChoice::automatic);

}  // namespace dromos::teuchos
