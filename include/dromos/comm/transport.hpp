// SPDX-License-Identifier: BSD-3-Clause
// How bytes get from rank to rank: chosen at run time, never asked about by algorithms.
//
//   shared        ranks of one host take bytes out of each other's memory, a GPU's or the host's, without MPI
//   nccl          NVIDIA's library of collectives, between GPUs of one host and of several; where Dromos has it
//   gpu-aware     MPI on GPU memory, where the MPI library can; point-to-point messages alone, which libraries get
//                 right
//   host-staged   MPI on host memory, with any MPI library; arrays of a GPU pass through pinned host memory
//   mixed         shared inside each host, and another one between hosts
//
// Another transport is another implementation of this interface; doc/distributed.md says what it takes.
//
// Operations are those that level-synchronous searches need, on bytes. Each is a collective: every rank of the
// communicator starts the same ones in the same order. They are non-blocking; what is started must be waited for.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <dromos/comm/peer_mail.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dromos {

/// A piece of a buffer: what one rank sends to, or gets from, another. In bytes.
struct Block {
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

/// An operation on its way. Buffers belong to it until wait() returned.
class PendingOperation {
 public:
  virtual ~PendingOperation() = default;
  /// Has it arrived? Gives the library an occasion to make progress.
  virtual bool test() = 0;
  virtual void wait() = 0;
};

/// What kernels have written for each other rank, and nobody but them knows how much. Pointers are into memory of the
/// GPU; element r of each vector is about rank r, and this rank's own are not looked at.
struct StreamedItems {
  std::vector<const std::uint64_t*> items;  ///< the first for this rank
  std::vector<std::uint64_t*> cursors;      ///< counts them from `begins` on, and is set back to it
  std::vector<std::uint64_t> begins;
  std::uint64_t* num_sent = nullptr;  ///< what left is added to it
};

/// Where they arrive: the ranks counted from this one on, the next rank's items first, `region` further those of the
/// rank after it.
struct StreamedInbox {
  std::uint64_t* items = nullptr;
  std::int64_t region = 0;           ///< even
  std::uint64_t* arrived = nullptr;  ///< out: how many, an element for each other rank
};

/// Operations that are enqueued behind the kernels of a GPU's stream, where a transport has them: kernels behind them
/// in the same stream find the result, and the host waits for nothing. All ranks enqueue the same ones in the same
/// order.
class StreamedOperations {
 public:
  virtual ~StreamedOperations() = default;

  /// Items to every other rank.
  /// \param most  that are for one rank, by what the caller knows
  virtual void exchange(void* stream, const StreamedItems& leaving, const StreamedInbox& inbox, std::int64_t most) = 0;
  /// Items travel in rounds of at most so many bytes, or two. The same on every rank.
  virtual void set_round_bytes(std::int64_t bytes) = 0;

  /// As Transport::allgather(); false, on every rank, for blocks that it does not take.
  virtual bool allgather(void* stream, const char* send, std::int64_t size, char* receive,
                         const std::vector<Block>& receive_blocks) = 0;
  /// The same of blocks of words, sizes and offsets in words, where `all` is the same on every rank before: of this
  /// rank's `send`, words that are not as in its block of `all` travel, and nothing of the others.
  virtual bool allgather_changes(void* stream, const std::uint32_t* send, std::uint32_t* all,
                                 const std::vector<Block>& blocks) = 0;
  /// As Transport::exchange(), of blocks of words of 4 bytes, and where this rank keeps its own they do not overlap;
  /// false, on every rank, where one of them might be too long.
  /// \param most  bytes of the longest that any rank sends; the same on every rank
  virtual bool alltoall(void* stream, const char* send, const std::vector<Block>& send_blocks, char* receive,
                        const std::vector<Block>& receive_blocks, std::int64_t most) = 0;
  /// As Transport::bitwise_or(); false, on every rank, for more words than it takes.
  virtual bool bitwise_or(void* stream, std::uint32_t* words, std::int64_t num_words) = 0;
  /// By what kernels of all ranks meet each other (comm/peer_mail.hpp), with regions of at least so many bytes; the
  /// same on every rank. Collective, where it has to allocate: what was given out before is then no longer to be used.
  virtual PeerMail mail(std::int64_t region_bytes) = 0;
  /// Their last launch had so many meetings; the same on every rank.
  virtual void count_meetings(std::uint64_t meetings) = 0;
  /// So many teams of a kernel run at once on the GPU of any rank, if one fits a multiprocessor.
  virtual int most_teams_at_once() const = 0;
  /// Throws Error once an operation has waited in vain for a rank.
  virtual void check() const = 0;
};

/// Buffers of operations lie in memory of the host, or of the GPU that Kokkos computes on: all those of one operation,
/// on every rank, in the same kind.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual const char* name() const = 0;

  /// Sends send_blocks[r] to rank r and puts what comes from it into receive_blocks[r]; one of each per rank, those of
  /// this rank itself included. The sizes must match: the sender's is what the receiver expects.
  virtual std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks,
                                                     char* receive, const std::vector<Block>& receive_blocks) = 0;

  /// Sends `size` bytes to every rank; puts what comes from rank r into receive_blocks[r].
  virtual std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                                      const std::vector<Block>& receive_blocks) = 0;

  /// `size` bytes of rank `root` to all.
  virtual std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) = 0;

  /// Does bitwise_or() take memory of a GPU?
  virtual bool ors_gpu_memory() const { return false; }

  /// Null: has none.
  virtual StreamedOperations* streamed() { return nullptr; }

  /// The bitwise OR of every rank's words, to all, in place. In memory of the host, unless ors_gpu_memory().
  virtual std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) = 0;

  /// Moves what is under way as far as it goes, for whoever waits for something else meanwhile.
  virtual void progress() {}

  /// Messages are cut into pieces of at most this many bytes, since MPI counts in int. The same on every rank.
  virtual void set_piece_bytes(std::int64_t bytes) = 0;
};

/// Makes the transport of a communicator, which outlives it. Collective.
using TransportFactory = std::function<std::unique_ptr<Transport>(MPI_Comm)>;

enum class TransportChoice { automatic, shared, nccl, gpu_aware, host_staged, mixed };

/// What transport_choice_from_name() takes, for the help of programs.
inline constexpr const char* transport_names = "auto, shared, nccl, gpu-aware, host-staged, mixed";

/// One of transport_names; throws ArgumentError for another name.
TransportChoice transport_choice_from_name(const std::string& name);

}  // namespace dromos
