// SPDX-License-Identifier: BSD-3-Clause
// MPI from start to end, and what happens to an error on the way: no rank is left waiting for one that gave up.
//
// Two kinds of error leave the body of a distributed program. One that all ranks agreed on (comm/agree.hpp) is thrown
// by every rank; each takes its leave in order, and rank 0 alone speaks. Any other belongs to one rank while the others
// may be waiting for it in a collective: that rank's main() speaks and then ends all the others, by MPI_Abort() with
// the exit code of its own. The library itself throws, and neither prints nor ends a process.
#pragma once

#include <cstdint>
#include <string>

namespace dromos {

/// How many ranks the launcher of this process (mpirun, srun) started, from its environment and without MPI; 0 when
/// there is no launcher.
int launched_ranks();

/// This process's number among them; 0 when there is no launcher.
int launched_rank();

/// MPI_Init for as long as the object lives; where MPI is initialized already (an application does that), nothing.
class MpiSession {
 public:
  /// Threads of a rank may exist, and only the one that made the session talks to MPI. Open MPI is asked to leave out
  /// its shared file pointers (OMPI_MCA_sharedfp, unless that is set): opening one file at the same moment can hang
  /// with them.
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  static bool is_running();
  static int world_rank();
  static int world_size();

 private:
  bool owns_;
};

}  // namespace dromos
