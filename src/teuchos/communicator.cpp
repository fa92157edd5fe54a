// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <Teuchos_DefaultMpiComm.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <dromos/core/error.hpp>
#include <dromos/teuchos/communicator.hpp>

namespace dromos::teuchos {
namespace {

MPI_Comm mpi_of(const Teuchos::Comm<int>& comm) {
  if (const auto* const mpi = dynamic_cast<const Teuchos::MpiComm<int>*>(&comm)) return *mpi->getRawMpiComm();
  if (dynamic_cast<const Teuchos::SerialComm<int>*>(&comm) != nullptr) return MPI_COMM_SELF;
  throw ArgumentError("a communicator can be made of a Teuchos::MpiComm or a Teuchos::SerialComm, and this is " +
                      comm.description());
}

}  // namespace

Communicator make_communicator(const Teuchos::Comm<int>& comm, TransportChoice choice) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) {
    throw ArgumentError(
        "MPI is not initialized: make a Tpetra::ScopeGuard, a Teuchos::GlobalMPISession or a "
        "dromos::MpiSession first");
  }
  return Communicator(mpi_of(comm), choice);
}

}  // namespace dromos::teuchos
