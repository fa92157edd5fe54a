// SPDX-License-Identifier: BSD-3-Clause
// Whose memory is it? Where Dromos is compiled for CUDA.
#pragma once

#include <cuda_runtime.h>

namespace dromos::detail {

/// Memory of the host, pinned or not, is false, and so is null, and whatever there is where there is no GPU.
inline bool is_gpu_memory(const void* data) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
    cudaGetLastError();  // the next kernel's launch is not to find it
    return false;
  }
  return attributes.type == cudaMemoryTypeDevice;
}

}  // namespace dromos::detail
