// SPDX-License-Identifier: BSD-3-Clause
// A transport that counts how many messages had to wait for each other, whatever the machine does meanwhile: every rank
// has a logical clock (Lamport 1978) that travels with its messages, and a message takes one tick.
//
//   0 sends to 1, which then sends to 2: clocks 0 1 2.    0 sends to 1 and to 2: clocks 0 1 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/transport.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace dromos::test {

/// The time of this rank.
using LogicalClock = std::shared_ptr<std::int64_t>;

class ClockedTransport : public Transport {
 public:
  ClockedTransport(MPI_Comm communicator, LogicalClock clock)
      : inner_(make_host_staged_transport(communicator)), clock_(std::move(clock)) {
    MPI_Comm_rank(communicator, &rank_);
    MPI_Comm_size(communicator, &size_);
  }

  const char* name() const override { return "clocked"; }
  void set_piece_bytes(std::int64_t bytes) override { inner_->set_piece_bytes(bytes); }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    auto payload = inner_->exchange(send, send_blocks, receive, receive_blocks);
    auto pending = std::make_unique<Pending>(clock_, size_);
    std::vector<Block> leaving(size_), arriving(size_);
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      if (send_blocks[r].size > 0) leaving[r] = {0, 8};
      if (receive_blocks[r].size > 0) arriving[r] = {8 * r, 8};
    }
    pending->sent = *clock_;
    pending->clocks = inner_->exchange(bytes(&pending->sent), leaving, bytes(pending->received.data()), arriving);
    pending->payload = std::move(payload);
    return pending;
  }

  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    auto payload = inner_->allgather(send, size, receive, receive_blocks);
    return to_all(std::move(payload));
  }
  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    auto pending = std::make_unique<Pending>(clock_, size_);
    pending->payload = inner_->broadcast(data, size, root);
    pending->received[root] = *clock_;
    if (rank_ == root) pending->ticks = 0;
    pending->clocks = inner_->broadcast(bytes(&pending->received[root]), 8, root);
    return pending;
  }
  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    return to_all(inner_->bitwise_or(words, num_words));
  }

 private:
  struct Pending : PendingOperation {
    Pending(LogicalClock clock_of_rank, int size) : clock(std::move(clock_of_rank)), received(size, -1) {}
    bool test() override {
      wait();
      return true;
    }
    void wait() override {
      payload->wait();
      clocks->wait();
      for (const std::int64_t time : received) *clock = std::max(*clock, time + ticks);
    }
    LogicalClock clock;
    std::int64_t sent = 0;
    std::int64_t ticks = 1;
    std::vector<std::int64_t> received;  // by rank
    std::unique_ptr<PendingOperation> payload, clocks;
  };

  static char* bytes(std::int64_t* values) { return reinterpret_cast<char*>(values); }

  std::unique_ptr<PendingOperation> to_all(std::unique_ptr<PendingOperation> payload) {
    auto pending = std::make_unique<Pending>(clock_, size_);
    pending->sent = *clock_;
    if (size_ == 1) pending->ticks = 0;
    std::vector<Block> arriving;
    for (int r = 0; r < size_; ++r) arriving.push_back({8 * r, 8});
    pending->clocks = inner_->allgather(bytes(&pending->sent), 8, bytes(pending->received.data()), arriving);
    pending->payload = std::move(payload);
    return pending;
  }

  std::unique_ptr<Transport> inner_;
  LogicalClock clock_;
  int rank_ = 0;
  int size_ = 1;
};

/// For communicators, and those split off from them: they share the clock.
inline TransportFactory clocked_transport(const LogicalClock& clock) {
  return [clock](MPI_Comm communicator) { return std::make_unique<ClockedTransport>(communicator, clock); };
}

}  // namespace dromos::test
