// SPDX-License-Identifier: BSD-3-Clause
// The end of programs on several ranks of which one met an error alone, while the others may wait for it. The library
// throws, and neither prints nor ends a process: this is for whoever has a main().
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace dromos {

/// Ends all ranks with this exit code, after the message was written to stderr in the name of this rank.
[[noreturn]] inline void abort_all_ranks(int exit_code, const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace dromos
