// SPDX-License-Identifier: BSD-3-Clause
// Two things at a time: a second instance of an execution space, for work that may go on beside that of the first.
#pragma once

#include <Kokkos_Core.hpp>
#include <memory>
#include <string>

namespace dromos {

/// An execution space instance beside another one: what is enqueued in the two may run at the same time where
/// `concurrent` is true (streams of a GPU). Elsewhere it is the other one, in which things are done one by one.
template <class Space>
class SecondInstance {
 public:
  static constexpr bool concurrent = false;
  explicit SecondInstance(const Space& first) : space_(first) {}
  const Space& space() const { return space_; }

 private:
  Space space_;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
class SecondInstance<Kokkos::Cuda> {
 public:
  static constexpr bool concurrent = true;
  explicit SecondInstance(const Kokkos::Cuda&) : stream_(make_stream(), cudaStreamDestroy), space_(stream_.get()) {}
  const Kokkos::Cuda& space() const { return space_; }

 private:
  static cudaStream_t make_stream() {
    cudaStream_t stream = nullptr;  // not one that waits for the default stream
    const cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (status != cudaSuccess) {
      Kokkos::abort((std::string("creating a CUDA stream failed: ") + cudaGetErrorString(status)).c_str());
    }
    return stream;
  }

  std::shared_ptr<CUstream_st> stream_;  // outlives the instance
  Kokkos::Cuda space_;
};
#endif

}  // namespace dromos
