// SPDX-License-Identifier: BSD-3-Clause
// What ranks of one host say to each other about pieces of messages: a window of host memory that all of them have
// mapped. Each rank owns a block of it, and in this block, on each lane and for each reader,
//
//   a mailbox   the owner counts the pieces that it laid out for the reader, and says how long each is
//   a receipt   the reader counts the pieces that it has taken
//
// Counts only grow. A piece belongs to the reader while mailbox > receipt, else to the owner; of two pieces on the way
// one lies in each half of the lane.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dromos::detail {

struct alignas(64) Mailbox {
  std::atomic<std::uint64_t> num_pieces{0};
  std::atomic<std::uint64_t> operation{0};  ///< the number of the operation that these pieces belong to
  std::int64_t bytes[2] = {0, 0};           ///< of the last two pieces, by half
};

struct alignas(64) Receipt {
  std::atomic<std::uint64_t> num_pieces{0};
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "ranks are processes: a lock would not be shared");

class ControlWords {
 public:
  /// Collective.
  /// \param data_bytes  of each rank, that the others can read: what a CPU's messages lie in
  ControlWords(MPI_Comm communicator, int num_lanes, std::int64_t data_bytes);
  /// Collective, unless an exception is on its way: then the window stays.
  ~ControlWords();
  ControlWords(const ControlWords&) = delete;
  ControlWords& operator=(const ControlWords&) = delete;

  Mailbox& mailbox(int owner, int lane, int reader) const {
    return reinterpret_cast<Mailbox*>(blocks_[static_cast<std::size_t>(owner)])[lane * size_ + reader];
  }
  Receipt& receipt(int owner, int lane, int reader) const {
    return reinterpret_cast<Receipt*>(blocks_[static_cast<std::size_t>(owner)] +
                                      mailboxes_bytes())[lane * size_ + reader];
  }
  char* data(int owner) const { return blocks_[static_cast<std::size_t>(owner)] + control_bytes(); }

 private:
  std::size_t num_pairs() const { return static_cast<std::size_t>(num_lanes_) * static_cast<std::size_t>(size_); }
  std::size_t mailboxes_bytes() const { return num_pairs() * sizeof(Mailbox); }
  std::size_t control_bytes() const { return mailboxes_bytes() + num_pairs() * sizeof(Receipt); }

  int size_ = 1;
  int num_lanes_;
  int exceptions_at_start_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<char*> blocks_;  // of each rank
};

}  // namespace dromos::detail
