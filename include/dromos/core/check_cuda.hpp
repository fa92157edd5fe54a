// SPDX-License-Identifier: BSD-3-Clause
// CUDA's return codes as errors, as comm/mpi_check.hpp has MPI's.
#pragma once

#include <dromos/core/kokkos_compat.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime.h>

#include <dromos/core/error.hpp>
#include <string>

namespace dromos::detail {

inline void check_cuda(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  throw Error(std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(code) + " (code " +
              std::to_string(static_cast<int>(code)) + ")");
}

}  // namespace dromos::detail
#endif
