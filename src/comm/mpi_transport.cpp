// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/mpi_transport.hpp>

#include <algorithm>
#include <cstring>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/waiting.hpp>
#include <limits>
#include <utility>

#include "comm/blocks.hpp"

namespace dromos {
namespace {

class PendingRequests : public PendingOperation {
 public:
  PendingRequests(std::vector<MPI_Request> requests, const char* what) : requests_(std::move(requests)), what_(what) {}

  bool test() override {
    int done = 0;
    check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE), what_);
    return done != 0;
  }
  void wait() override { detail::wait_all(requests_.data(), static_cast<int>(requests_.size()), what_); }

 private:
  std::vector<MPI_Request> requests_;
  const char* what_;
};

class MpiTransport : public Transport {
 public:
  MpiTransport(MPI_Comm communicator, bool gpu_memory) : mpi_(communicator), gpu_memory_(gpu_memory) {
    check_mpi(MPI_Comm_rank(mpi_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(mpi_, &size_), "MPI_Comm_size");
  }

  const char* name() const override { return gpu_memory_ ? "gpu-aware" : "host-staged"; }
  void set_piece_bytes(std::int64_t bytes) override { piece_bytes_ = bytes; }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    std::vector<MPI_Request> requests;
    const int tag = next_tag();
    // From the neighbor on, so that not every rank's first message goes to rank 0.
    for (int i = 0; i < size_; ++i) {
      const int from = (rank_ + size_ - i) % size_;
      if (from == rank_ && !gpu_memory_) continue;
      for_each_piece(receive_blocks[from], [&](std::int64_t offset, int bytes) {
        check_mpi(MPI_Irecv(receive + offset, bytes, MPI_BYTE, from, tag, mpi_, add(requests)), "MPI_Irecv");
      });
    }
    for (int i = 0; i < size_; ++i) {
      const int to = (rank_ + i) % size_;
      if (to == rank_ && !gpu_memory_) continue;
      for_each_piece(send_blocks[to], [&](std::int64_t offset, int bytes) {
        check_mpi(MPI_Isend(send + offset, bytes, MPI_BYTE, to, tag, mpi_, add(requests)), "MPI_Isend");
      });
    }
    if (!gpu_memory_) {
      detail::check_own_blocks(send_blocks, receive_blocks, rank_);
      const Block& from = send_blocks[rank_];
      const Block& to = receive_blocks[rank_];
      if (from.size > 0 && receive + to.offset != send + from.offset) {
        std::memcpy(receive + to.offset, send + from.offset, static_cast<std::size_t>(from.size));
      }
    }
    return std::make_unique<PendingRequests>(std::move(requests), "exchanging messages");
  }

  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    std::int64_t end = 0;
    for (const Block& block : receive_blocks) end = std::max(end, block.offset + block.size);
    const Block& own = receive_blocks[rank_];
    const bool in_place = send == receive + own.offset;
    if (gpu_memory_ || end > piece_bytes_) {
      if (in_place) {
        std::vector<Block> sent(static_cast<std::size_t>(size_), Block{0, size});
        std::vector<Block> received = receive_blocks;
        sent[rank_].size = received[rank_].size = 0;
        return exchange(send, sent, receive, received);
      }
      return exchange(send, std::vector<Block>(static_cast<std::size_t>(size_), Block{0, size}), receive,
                      receive_blocks);
    }
    // Counts live until the operation is over, as MPI asks of non-blocking collectives.
    auto operation = std::make_unique<PendingGather>();
    for (const Block& block : receive_blocks) {
      operation->counts.push_back(static_cast<int>(block.size));
      operation->offsets.push_back(static_cast<int>(block.offset));
    }
    check_mpi(MPI_Iallgatherv(in_place ? MPI_IN_PLACE : send, static_cast<int>(size), MPI_BYTE, receive,
                              operation->counts.data(), operation->offsets.data(), MPI_BYTE, mpi_, &operation->request),
              "MPI_Iallgatherv");
    return operation;
  }

  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    if (gpu_memory_) {
      std::vector<Block> sent(static_cast<std::size_t>(size_)), received(static_cast<std::size_t>(size_));
      if (rank_ == root) {
        std::fill(sent.begin(), sent.end(), Block{0, size});
        sent[rank_].size = 0;
      } else {
        received[root] = {0, size};
      }
      return exchange(data, sent, data, received);
    }
    std::vector<MPI_Request> requests;
    for_each_piece({0, size}, [&](std::int64_t offset, int bytes) {
      check_mpi(MPI_Ibcast(data + offset, bytes, MPI_BYTE, root, mpi_, add(requests)), "MPI_Ibcast");
    });
    return std::make_unique<PendingRequests>(std::move(requests), "broadcasting");
  }

  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    std::vector<MPI_Request> requests;
    char* const data = reinterpret_cast<char*>(words);
    for_each_piece({0, num_words * 4}, [&](std::int64_t offset, int bytes) {
      check_mpi(MPI_Iallreduce(MPI_IN_PLACE, data + offset, bytes / 4, MPI_UINT32_T, MPI_BOR, mpi_, add(requests)),
                "MPI_Iallreduce");
    });
    return std::make_unique<PendingRequests>(std::move(requests), "combining bitmaps");
  }

 private:
  struct PendingGather : PendingOperation {
    std::vector<int> counts;
    std::vector<int> offsets;
    MPI_Request request = MPI_REQUEST_NULL;

    bool test() override {
      int done = 0;
      check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "gathering");
      return done != 0;
    }
    void wait() override { detail::wait_all(&request, 1, "gathering"); }
  };

  static MPI_Request* add(std::vector<MPI_Request>& requests) {
    requests.push_back(MPI_REQUEST_NULL);
    return &requests.back();
  }

  template <class F>
  void for_each_piece(const Block& block, const F& f) const {
    for (std::int64_t done = 0; done < block.size; done += piece_bytes_) {
      f(block.offset + done, static_cast<int>(std::min(piece_bytes_, block.size - done)));
    }
  }

  /// Operations that overlap in time have different tags: a message that is late for one is not taken for another's.
  /// Tags above are those of host-staged.
  int next_tag() { return tag_ = (tag_ + 1) % 16384; }

  MPI_Comm mpi_;
  bool gpu_memory_;
  int rank_ = 0;
  int size_ = 1;
  int tag_ = 0;
  std::int64_t piece_bytes_ = std::int64_t(1) << 30;
};

}  // namespace

std::unique_ptr<Transport> make_host_memory_transport(MPI_Comm communicator) {
  return std::make_unique<MpiTransport>(communicator, false);
}

std::unique_ptr<Transport> make_gpu_aware_transport(MPI_Comm communicator) {
  return std::make_unique<MpiTransport>(communicator, true);
}

}  // namespace dromos
