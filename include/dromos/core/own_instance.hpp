// SPDX-License-Identifier: BSD-3-Clause
// Two things at a time: an instance of an execution space of one's own, for work that may go on beside that of others.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/check_cuda.hpp>
#include <memory>

namespace dromos {

/// What is enqueued in two such instances may run at the same time where `concurrent` is true (streams of a GPU).
/// Elsewhere it is the instance given, in which things are done one by one.
template <class Space>
class OwnInstance {
 public:
  static constexpr bool concurrent = false;
  explicit OwnInstance(const Space& given) : space_(given) {}
  const Space& space() const { return space_; }

  /// What is enqueued here from now on runs after what was enqueued in `other` before; the host does not wait.
  void run_after(const OwnInstance&) const {}

 private:
  Space space_;
};

#ifdef KOKKOS_ENABLE_CUDA
/// A stream that does wait for the default stream, and that one for it: Kokkos 3.4 brings the total of a scan to the
/// host by the default stream, whatever instance the scan was on.
template <>
class OwnInstance<Kokkos::Cuda> {
 public:
  static constexpr bool concurrent = true;
  explicit OwnInstance(const Kokkos::Cuda&)
      : stream_(make_stream(), cudaStreamDestroy), reached_(make_event(), cudaEventDestroy), space_(stream_.get()) {}
  const Kokkos::Cuda& space() const { return space_; }

  void run_after(const OwnInstance& other) const {
    detail::check_cuda(cudaEventRecord(other.reached_.get(), other.stream_.get()), "recording an event");
    detail::check_cuda(cudaStreamWaitEvent(stream_.get(), other.reached_.get(), 0), "waiting for an event");
  }

 private:
  static cudaStream_t make_stream() {
    cudaStream_t stream = nullptr;
    detail::check_cuda(cudaStreamCreate(&stream), "creating a stream");
    return stream;
  }

  static cudaEvent_t make_event() {
    cudaEvent_t event = nullptr;
    detail::check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    return event;
  }

  std::shared_ptr<CUstream_st> stream_;  // outlives the instance
  std::shared_ptr<CUevent_st> reached_;
  Kokkos::Cuda space_;
};
#endif

}  // namespace dromos
