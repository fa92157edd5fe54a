// SPDX-License-Identifier: BSD-3-Clause
// Copies of a GPU in a stream of their own. Where Dromos is compiled for CUDA.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/check_cuda.hpp>
#include <memory>
#include <vector>

#include "comm/copies/pending_copy.hpp"

namespace dromos::detail {

/// A stream, the Kokkos instance on it, and events that nobody uses at the moment.
class CopyStream {
 public:
  CopyStream() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    space_ = std::make_unique<Kokkos::Cuda>(stream_);
  }
  ~CopyStream() {
    space_.reset();
    for (cudaEvent_t event : idle_) cudaEventDestroy(event);
    cudaStreamDestroy(stream_);
  }
  CopyStream(const CopyStream&) = delete;
  CopyStream& operator=(const CopyStream&) = delete;

  cudaStream_t stream() const { return stream_; }
  const Kokkos::Cuda& space() const { return *space_; }

  /// Between memories of any kind; null for nothing.
  std::unique_ptr<PendingCopy> copy(char* to, const char* from, std::int64_t bytes) {
    if (bytes == 0) return nullptr;
    check_cuda(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, stream_),
               "cudaMemcpyAsync");
    return enqueued();
  }
  /// All that is in the stream by now.
  std::unique_ptr<PendingCopy> enqueued() { return std::make_unique<Enqueued>(*this); }

 private:
  class Enqueued : public PendingCopy {
   public:
    explicit Enqueued(CopyStream& stream) : stream_(stream), event_(stream.record()) {}
    ~Enqueued() override { stream_.idle_.push_back(event_); }
    bool done() override {
      const cudaError_t code = cudaEventQuery(event_);
      if (code == cudaErrorNotReady) return false;
      check_cuda(code, "copying in a stream of its own");
      return true;
    }

   private:
    CopyStream& stream_;
    cudaEvent_t event_;
  };

  cudaEvent_t record() {
    cudaEvent_t event = nullptr;
    if (idle_.empty()) {
      check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    } else {
      event = idle_.back();
      idle_.pop_back();
    }
    check_cuda(cudaEventRecord(event, stream_), "cudaEventRecord");
    return event;
  }

  cudaStream_t stream_ = nullptr;
  std::unique_ptr<Kokkos::Cuda> space_;
  std::vector<cudaEvent_t> idle_;
};

}  // namespace dromos::detail
