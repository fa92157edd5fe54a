// SPDX-License-Identifier: BSD-3-Clause
// Arrays of a GPU through MPI that takes memory of the host alone. Blocks travel in pieces through pinned memory,
// several at a time: while one piece is on its way to another rank, the GPU copies the next one out, and the one before
// it in.
//
//   sender    copy out  copy out  copy out
//                       send      send      send
//   receiver                      copy in   copy in   copy in
//
// The OR of bitmaps goes in two rounds: each rank unites one part of the words, on the host, and then has it for all.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "comm/blocks.hpp"
#include "comm/staged/staging_memory.hpp"
#include "comm/under_way.hpp"

namespace dromos {
namespace {

using detail::MovingOperation;
using detail::PendingCopy;
using detail::StagingMemory;
using detail::UnderWay;

/// A piece is to take MPI much longer than it takes a GPU to begin a copy.
constexpr std::int64_t longest_piece = std::int64_t(1) << 20;
/// Of all blocks that go one way, on their way at once; two of each at least.
constexpr int most_pieces = 32;
// Those of MpiTransport are below.
constexpr int first_tag = 16384, num_tags = 16384;

struct StagedPiece {
  StagingMemory::Buffer buffer;
  std::int64_t offset = 0, bytes = 0;
  std::unique_ptr<PendingCopy> copy;
  std::vector<MPI_Request> messages;
  bool on_its_way = false;  ///< sent, or being copied in
};

struct StagedOut {
  const char* from = nullptr;
  std::int64_t size = 0;
  std::vector<int> readers;
  bool stages = true;  ///< false: MPI may see it where it lies
  std::int64_t begun = 0;
  std::deque<StagedPiece> pieces;

  bool done() const { return begun == size && pieces.empty(); }
};

struct StagedIn {
  int sender = 0;
  char* to = nullptr;
  std::int64_t size = 0;
  bool unites = false;  ///< with what lies in `to`, memory of the host
  std::int64_t begun = 0;
  std::deque<StagedPiece> pieces;

  bool done() const { return begun == size && pieces.empty(); }
};

bool arrived(std::vector<MPI_Request>& messages) {
  int done = 0;
  check_mpi(MPI_Testall(static_cast<int>(messages.size()), messages.data(), &done, MPI_STATUSES_IGNORE),
            "sending pieces");
  return done != 0;
}

void unite(char* to, const char* from, std::int64_t bytes) {
  auto* const words = reinterpret_cast<std::uint32_t*>(to);
  const auto* const others = reinterpret_cast<const std::uint32_t*>(from);
  for (std::int64_t i = 0; i < bytes / 4; ++i) words[i] |= others[i];
}

struct StagedOperation : MovingOperation {
  StagedOperation(MPI_Comm communicator, StagingMemory& staging, int tag_, std::int64_t piece, int num_ranks)
      : mpi(communicator),
        memory(staging),
        tag(tag_),
        piece_bytes(piece),
        most_of_a_block(static_cast<std::size_t>(std::clamp(most_pieces / num_ranks, 2, 4))) {}

  MPI_Comm mpi;
  StagingMemory& memory;
  int tag;
  std::int64_t piece_bytes;
  std::size_t most_of_a_block;
  std::deque<StagedOut> outgoing;
  std::deque<StagedIn> incoming;
  std::unique_ptr<PendingCopy> own;             ///< before anything is united
  std::function<void(StagedOperation&)> after;  ///< what follows once all that is done

  void send_to(std::vector<int> readers, const char* from, std::int64_t size, bool stages = true) {
    if (size == 0 || readers.empty()) return;
    StagedOut next;
    next.from = from;
    next.size = size;
    next.readers = std::move(readers);
    next.stages = stages;
    outgoing.push_back(std::move(next));
  }
  void receive_from(int sender, char* to, std::int64_t size, bool unites = false) {
    if (size == 0) return;
    StagedIn next;
    next.sender = sender;
    next.to = to;
    next.size = size;
    next.unites = unites;
    incoming.push_back(std::move(next));
  }

  bool done() const override { return round_done() && !after; }

  bool move() override {
    bool moved = false;
    if (own && own->done()) {
      own.reset();
      moved = true;
    }
    for (StagedIn& block : incoming) moved |= receive(block);
    for (StagedOut& block : outgoing) moved |= send(block);
    if (after && round_done()) {
      outgoing.clear();
      incoming.clear();
      std::exchange(after, nullptr)(*this);
      moved = true;
    }
    return moved;
  }

 private:
  bool round_done() const {
    return own == nullptr &&
           std::all_of(outgoing.begin(), outgoing.end(), [](const StagedOut& o) { return o.done(); }) &&
           std::all_of(incoming.begin(), incoming.end(), [](const StagedIn& i) { return i.done(); });
  }

  template <class Way>
  StagedPiece next_piece(Way& block) const {
    StagedPiece piece;
    piece.offset = block.begun;
    piece.bytes = std::min(piece_bytes, block.size - block.begun);
    block.begun += piece.bytes;
    return piece;
  }

  bool send(StagedOut& block) {
    bool moved = false;
    while (block.begun < block.size && block.pieces.size() < most_of_a_block) {
      StagedPiece piece = next_piece(block);
      if (block.stages) {
        piece.buffer = memory.take(piece.bytes);
        piece.copy = memory.copy_out(piece.buffer.data, block.from + piece.offset, piece.bytes);
      }
      block.pieces.push_back(std::move(piece));
      moved = true;
    }
    for (StagedPiece& piece : block.pieces) {
      if (piece.on_its_way) continue;
      if (piece.copy && !piece.copy->done()) break;  // pieces leave in their order
      piece.copy.reset();
      const char* const from = block.stages ? piece.buffer.data : block.from + piece.offset;
      for (const int reader : block.readers) {
        piece.messages.push_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Isend(from, static_cast<int>(piece.bytes), MPI_BYTE, reader, tag, mpi, &piece.messages.back()),
                  "MPI_Isend");
      }
      piece.on_its_way = moved = true;
    }
    while (!block.pieces.empty() && block.pieces.front().on_its_way && arrived(block.pieces.front().messages)) {
      if (block.stages) memory.give_back(block.pieces.front().buffer);
      block.pieces.pop_front();
      moved = true;
    }
    return moved;
  }

  bool receive(StagedIn& block) {
    bool moved = false;
    while (block.begun < block.size && block.pieces.size() < most_of_a_block) {
      StagedPiece piece = next_piece(block);
      piece.buffer = memory.take(piece.bytes);
      piece.messages.push_back(MPI_REQUEST_NULL);
      check_mpi(MPI_Irecv(piece.buffer.data, static_cast<int>(piece.bytes), MPI_BYTE, block.sender, tag, mpi,
                          &piece.messages.back()),
                "MPI_Irecv");
      block.pieces.push_back(std::move(piece));
      moved = true;
    }
    for (StagedPiece& piece : block.pieces) {
      if (piece.on_its_way) continue;
      if ((block.unites && own) || !arrived(piece.messages)) break;
      char* const to = block.to + piece.offset;
      if (block.unites) {
        unite(to, piece.buffer.data, piece.bytes);
      } else {
        piece.copy = memory.copy_in(to, piece.buffer.data, piece.bytes);
      }
      piece.on_its_way = moved = true;
    }
    while (!block.pieces.empty() && block.pieces.front().on_its_way &&
           (!block.pieces.front().copy || block.pieces.front().copy->done())) {
      memory.give_back(block.pieces.front().buffer);
      block.pieces.pop_front();
      moved = true;
    }
    return moved;
  }
};

class StagedTransport : public Transport {
 public:
  StagedTransport(MPI_Comm communicator, std::unique_ptr<StagingMemory> memory)
      : mpi_(communicator), memory_(std::move(memory)), of_host_(make_host_memory_transport(communicator)) {
    check_mpi(MPI_Comm_rank(mpi_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(mpi_, &size_), "MPI_Comm_size");
  }

  const char* name() const override { return "host-staged"; }
  bool ors_gpu_memory() const override { return true; }
  void progress() override { under_way_.move_all(); }
  void set_piece_bytes(std::int64_t bytes) override {
    piece_bytes_ = std::min(bytes, longest_piece);
    of_host_->set_piece_bytes(bytes);
  }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    detail::check_own_blocks(send_blocks, receive_blocks, rank_);
    // A rank that neither sends nor receives has no arrays that say whose memory this is about: it takes part in both.
    const std::vector<Block> nothing(static_cast<std::size_t>(size_));
    const bool stages = memory_->is_needed_for(detail::any_bytes(receive_blocks) ? receive : send);
    auto of_host = stages ? of_host_->exchange(send, nothing, receive, nothing)
                          : of_host_->exchange(send, send_blocks, receive, receive_blocks);
    auto operation = begin();
    if (!stages) return of_host;
    for (int i = 1; i < size_; ++i) {
      const int reader = (rank_ + i) % size_, sender = (rank_ + size_ - i) % size_;
      operation->send_to({reader}, send + send_blocks[reader].offset, send_blocks[reader].size);
      operation->receive_from(sender, receive + receive_blocks[sender].offset, receive_blocks[sender].size);
    }
    const Block& from = send_blocks[rank_];
    const Block& to = receive_blocks[rank_];
    if (receive + to.offset != send + from.offset) {
      operation->own = memory_->copy_in(receive + to.offset, send + from.offset, from.size);
    }
    return under_way_.start(std::move(operation));
  }

  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    if (!memory_->is_needed_for(receive)) return of_host_->allgather(send, size, receive, receive_blocks);
    auto operation = begin();
    gather(*operation, send, size, true, receive, receive_blocks);
    return under_way_.start(std::move(operation));
  }

  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    if (!memory_->is_needed_for(data)) return of_host_->broadcast(data, size, root);
    auto operation = begin();
    if (rank_ == root) {
      operation->send_to(others(), data, size);
    } else {
      operation->receive_from(root, data, size);
    }
    return under_way_.start(std::move(operation));
  }

  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    if (!memory_->is_needed_for(words)) return of_host_->bitwise_or(words, num_words);
    std::vector<Block> parts;
    for (int r = 0; r < size_; ++r) {
      const std::int64_t begin = num_words / size_ * r + std::min<std::int64_t>(r, num_words % size_);
      const std::int64_t end = num_words / size_ * (r + 1) + std::min<std::int64_t>(r + 1, num_words % size_);
      parts.push_back({4 * begin, 4 * (end - begin)});
    }
    char* const data = reinterpret_cast<char*>(words);
    const Block own = parts[rank_];
    const StagingMemory::Buffer united = memory_->take(own.size);
    auto operation = begin();
    begin();  // the second round's
    operation->own = memory_->copy_out(united.data, data + own.offset, own.size);
    for (const int other : others()) {
      operation->send_to({other}, data + parts[other].offset, parts[other].size);
      operation->receive_from(other, united.data, own.size, true);
    }
    operation->after = [this, data, parts, united](StagedOperation& round) {
      round.tag = next_tag(round.tag);
      gather(round, united.data, parts[rank_].size, false, data, parts);
      round.after = [this, united](StagedOperation&) { memory_->give_back(united); };
    };
    return under_way_.start(std::move(operation));
  }

 private:
  static int next_tag(int tag) { return first_tag + (tag - first_tag + 1) % num_tags; }

  /// The next operation. Those that overlap in time have different tags.
  std::shared_ptr<StagedOperation> begin() {
    tag_ = next_tag(tag_);
    return std::make_shared<StagedOperation>(mpi_, *memory_, tag_, piece_bytes_, size_);
  }

  std::vector<int> others() const {
    std::vector<int> ranks;
    for (int i = 1; i < size_; ++i) ranks.push_back((rank_ + i) % size_);
    return ranks;
  }

  void gather(StagedOperation& operation, const char* send, std::int64_t size, bool stages, char* receive,
              const std::vector<Block>& blocks) {
    operation.send_to(others(), send, size, stages);
    for (const int sender : others()) {
      operation.receive_from(sender, receive + blocks[sender].offset, blocks[sender].size);
    }
    char* const own = receive + blocks[rank_].offset;
    if (own != send) operation.own = memory_->copy_in(own, send, size);
  }

  MPI_Comm mpi_;
  std::unique_ptr<StagingMemory> memory_;
  std::unique_ptr<Transport> of_host_;
  int rank_ = 0;
  int size_ = 1;
  int tag_ = first_tag;
  std::int64_t piece_bytes_ = longest_piece;
  UnderWay under_way_;
};

}  // namespace

std::unique_ptr<Transport> make_host_staged_transport(MPI_Comm communicator) {
#if defined(DROMOS_PINNED_STAGING)
  return std::make_unique<StagedTransport>(communicator, detail::make_pinned_staging_memory());
#else
  return make_host_memory_transport(communicator);
#endif
}

std::unique_ptr<Transport> make_always_staged_transport(MPI_Comm communicator) {
#if defined(DROMOS_PINNED_STAGING)
  return make_host_staged_transport(communicator);
#else
  return std::make_unique<StagedTransport>(communicator, detail::make_host_staging_memory());
#endif
}

}  // namespace dromos
