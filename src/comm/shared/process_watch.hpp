// SPDX-License-Identifier: BSD-3-Clause
// Whether the processes of this host's other ranks still run. Who waits at a word in shared memory would wait for ever
// for a rank that was killed: MPI, which might have noticed, is not asked.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace dromos::detail {

class ProcessWatch {
 public:
  /// Collective.
  explicit ProcessWatch(MPI_Comm communicator);

  /// Does this rank see the processes of all others? Not from within containers of their own.
  bool sees_all() const { return first_ended() < 0; }

  /// The first rank whose process is no more, or has ended and not been collected; -1: none.
  int first_ended() const;

  /// The same for who waits for these ranks and finds nothing moving, again and again: lets MPI make progress on
  /// `communicator`, where others may wait for it, and looks at the processes five times a second.
  /// \param first  of these calls in a row
  int first_ended_while_waiting(MPI_Comm communicator, bool first);

  /// When this process began, in clock ticks after the machine; 0: it is no more.
  static unsigned long long start_of(long long id);

 private:
  struct Process {
    long long id = 0;
    unsigned long long start = 0;  // identifiers are used again
  };

  std::vector<Process> processes_;
  double next_look_ = 0;
};

}  // namespace dromos::detail
