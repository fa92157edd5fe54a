// SPDX-License-Identifier: BSD-3-Clause
#include <Kokkos_Core.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/waiting.hpp>
#include <dromos/core/kokkos_compat.hpp>

#include <mpi.h>

#include <cstdlib>
#include <exception>
#include <initializer_list>

namespace dromos {
namespace {

/// The first of these environment variables that holds a number; -1: none.
int number_in_environment(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == '\0') continue;
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (*end == '\0' && value >= 0) return static_cast<int>(value);
  }
  return -1;
}

/// Open MPI prepares pointers that ranks share into every file they open, which nothing here uses: by a semaphore named
/// as the file is, the same for all jobs on a host, or by files beside it. With glibc 2.43, sem_open() fails on ranks
/// that come at the same moment, and the others wait for them without end (seen with Open MPI 6.0.0rc2). Who asks for
/// them by that variable gets them; other MPI libraries ignore it.
void leave_out_shared_file_pointers() { setenv("OMPI_MCA_sharedfp", "^sm,lockedfile", 0); }

/// Open MPI asks every network that its message layer "cm" knows (OFI, PSM) before it takes shared memory for ranks of
/// one host; loading and asking them is most of its start. Who chooses a layer by that variable, or by --mca pml, has
/// it.
void leave_out_networks_within_a_host() {
  const int ranks_here = number_in_environment({"OMPI_COMM_WORLD_LOCAL_SIZE"});
  if (ranks_here > 0 && ranks_here == number_in_environment({"OMPI_COMM_WORLD_SIZE"})) setenv("OMPI_MCA_pml", "^cm", 0);
}

}  // namespace

int launched_ranks() {
  // Open MPI, MPICH and Intel MPI. A process that Slurm started has a size in its environment even where MPI was not
  // asked for, so that only a step of several tasks counts.
  const int ranks = number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"});
  if (ranks >= 0) return ranks;
  const int tasks = number_in_environment({"SLURM_STEP_NUM_TASKS"});
  return tasks > 1 ? tasks : 0;
}

int launched_rank() {
  const int rank = number_in_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"});
  return rank > 0 && launched_ranks() > 0 ? rank : 0;
}

MpiSession::MpiSession() : owns_(!is_running()) {
  if (!owns_) return;
  leave_out_shared_file_pointers();
  leave_out_networks_within_a_host();
  int provided = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  detail::choose_how_to_wait();
  if (launched_ranks() > 1 && !Kokkos::is_initialized()) spread_processes_over_devices();
}

MpiSession::~MpiSession() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (owns_ && finalized == 0) MPI_Finalize();
}

bool MpiSession::is_running() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

int MpiSession::world_rank() {
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return rank;
}

int MpiSession::world_size() {
  int size = 1;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  return size;
}

}  // namespace dromos
