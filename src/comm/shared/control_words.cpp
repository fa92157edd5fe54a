// SPDX-License-Identifier: BSD-3-Clause
#include "comm/shared/control_words.hpp"

#include <cstring>
#include <dromos/comm/mpi_check.hpp>
#include <exception>
#include <new>

namespace dromos::detail {

ControlWords::ControlWords(MPI_Comm communicator, int num_lanes, std::int64_t data_bytes)
    : num_lanes_(num_lanes), exceptions_at_start_(std::uncaught_exceptions()) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size_), "MPI_Comm_size");
  // A window begins where it likes: a line more, to begin at one.
  constexpr std::size_t line = alignof(Mailbox);
  const auto bytes = static_cast<MPI_Aint>(control_bytes() + static_cast<std::size_t>(data_bytes) + line);
  void* own = nullptr;
  check_mpi(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, communicator, &own, &window_), "MPI_Win_allocate_shared");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  for (int r = 0; r < size_; ++r) {
    MPI_Aint size = 0;
    int unit = 1;
    void* base = nullptr;
    check_mpi(MPI_Win_shared_query(window_, r, &size, &unit, &base), "MPI_Win_shared_query");
    // Pages are mapped whole, so that every process finds the line at the same place of the block.
    const auto address = reinterpret_cast<std::uintptr_t>(base);
    blocks_.push_back(static_cast<char*>(base) + (line - address % line) % line);
  }
  for (int lane = 0; lane < num_lanes_; ++lane) {
    for (int r = 0; r < size_; ++r) {
      new (&mailbox(rank, lane, r)) Mailbox;
      new (&receipt(rank, lane, r)) Receipt;
    }
  }
  check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
}

ControlWords::~ControlWords() {
  if (window_ == MPI_WIN_NULL || std::uncaught_exceptions() > exceptions_at_start_) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

}  // namespace dromos::detail
