// SPDX-License-Identifier: BSD-3-Clause
// A program whose last rank gives up alone while the others wait for it: driver_mpi_test looks at how it ends.
#include <mpi.h>

#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>

#include "command_line/abort_all_ranks.hpp"

int main() {
  const dromos::MpiSession session;
  const dromos::Communicator world(MPI_COMM_WORLD);
  if (world.rank() == world.size() - 1) dromos::abort_all_ranks(7, "the last rank gives up");
  world.barrier();
  return 0;
}
