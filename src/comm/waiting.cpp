// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/waiting.hpp>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

namespace dromos {
namespace {

bool yields = false;

/// Do more ranks run on this machine than it has cores? Collective over MPI_COMM_WORLD.
bool outnumber_cores() {
  MPI_Comm node = MPI_COMM_NULL;
  int num_ranks = 1;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  check_mpi(MPI_Comm_size(node, &num_ranks), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  // Of the machine, not those that this rank is bound to: other ranks have others.
  return num_ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

}  // namespace

bool yields_while_waiting() { return yields; }

void set_yields_while_waiting(bool will_yield) { yields = will_yield; }

namespace detail {

void choose_how_to_wait() {
  int choice = outnumber_cores() ? 1 : 0;
  // A launcher may hand its environment to some ranks only: whoever has a wish, has it for all.
  const char* const wish = std::getenv("DROMOS_YIELD");
  int wishes[2] = {wish != nullptr && std::strcmp(wish, "1") == 0, wish != nullptr && std::strcmp(wish, "0") == 0};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &choice, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, wishes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
  yields = wishes[0] != 0 || (choice != 0 && wishes[1] == 0);
}

void wait_all(MPI_Request* requests, int count, const char* what) {
  if (!yields) {
    check_mpi(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE), what);
    return;
  }
  for (;;) {
    int done = 0;
    check_mpi(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE), what);
    if (done != 0) return;
    std::this_thread::yield();
  }
}

}  // namespace detail

}  // namespace dromos
