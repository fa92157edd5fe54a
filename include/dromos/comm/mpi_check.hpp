// SPDX-License-Identifier: BSD-3-Clause
// MPI's return codes as errors: every communicator of Dromos returns codes instead of aborting, and every code is
// looked at here.
#pragma once

#include <mpi.h>

#include <dromos/core/error.hpp>
#include <string>

namespace dromos {

/// Throws Error, which names the operation and what MPI says of the code, unless the code is MPI_SUCCESS.
inline void check_mpi(int code, const std::string& operation) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  throw Error("MPI: " + operation + " failed: " + std::string(text, static_cast<std::size_t>(length)) + " (code " +
              std::to_string(code) + ")");
}

}  // namespace dromos
