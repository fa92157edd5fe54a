// SPDX-License-Identifier: BSD-3-Clause
// A transport on which everything that comes from another rank comes later: what the steps of an algorithm cost on a
// network can then be seen on one machine.
//
// A message between two ranks takes the latency once, a broadcast or a gather log2(p) times, as a tree of messages
// would. A rank sleeps through it, so that the others have its core. Reductions of a few numbers take what MPI takes.
#pragma once

#include <chrono>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/transport.hpp>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace dromos::perf {

class LatencyTransport : public Transport {
 public:
  LatencyTransport(std::unique_ptr<Transport> inner, MPI_Comm communicator, std::chrono::microseconds latency)
      : inner_(std::move(inner)), latency_(latency) {
    MPI_Comm_rank(communicator, &rank_);
    int size = 1;
    MPI_Comm_size(communicator, &size);
    while ((1 << log2_size_) < size) ++log2_size_;
  }

  const char* name() const override { return inner_->name(); }
  bool ors_gpu_memory() const override { return inner_->ors_gpu_memory(); }
  void set_piece_bytes(std::int64_t bytes) override { inner_->set_piece_bytes(bytes); }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    bool hears = false;
    for (std::size_t r = 0; r < receive_blocks.size(); ++r) {
      hears = hears || (static_cast<int>(r) != rank_ && receive_blocks[r].size > 0);
    }
    return late(inner_->exchange(send, send_blocks, receive, receive_blocks), hears ? 1 : 0);
  }
  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    return late(inner_->allgather(send, size, receive, receive_blocks), log2_size_);
  }
  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    return late(inner_->broadcast(data, size, root), rank_ == root ? 0 : log2_size_);
  }
  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    return late(inner_->bitwise_or(words, num_words), 2 * log2_size_);
  }

 private:
  /// What has arrived is only noticed later.
  struct Pending : PendingOperation {
    bool test() override {
      wait();
      return true;
    }
    void wait() override {
      operation->wait();
      if (delay.count() > 0) std::this_thread::sleep_for(delay);
      delay = std::chrono::microseconds(0);
    }
    std::unique_ptr<PendingOperation> operation;
    std::chrono::microseconds delay{0};
  };

  std::unique_ptr<PendingOperation> late(std::unique_ptr<PendingOperation> operation, int times) const {
    auto pending = std::make_unique<Pending>();
    pending->operation = std::move(operation);
    pending->delay = times * latency_;
    return pending;
  }

  std::unique_ptr<Transport> inner_;
  std::chrono::microseconds latency_;
  int rank_ = 0;
  int log2_size_ = 0;
};

/// Of a communicator and those split off from it; 0 adds nothing.
inline TransportFactory transport_with_latency(TransportChoice choice, std::int64_t microseconds) {
  return [choice, microseconds](MPI_Comm communicator) -> std::unique_ptr<Transport> {
    auto inner = make_transport(communicator, choice);
    if (microseconds == 0) return inner;
    return std::make_unique<LatencyTransport>(std::move(inner), communicator, std::chrono::microseconds(microseconds));
  };
}

}  // namespace dromos::perf
