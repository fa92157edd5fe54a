// SPDX-License-Identifier: BSD-3-Clause
// Each operation has a lane of this rank's memory, which all others can read: what goes out is laid there piece by
// piece and counted in the readers' mailboxes (comm/shared/control_words.hpp); what comes in is taken from others'
// lanes.
//
//   exchange              a region of the lane for each reader
//   allgather, broadcast, bitwise OR   the whole lane for all readers
//
// On a CPU, long blocks are left to MPI, which copies them once, from process to process, where this copies twice.
//
// A region has two halves, so that one piece is laid out while the one before is taken.
#include <dromos/comm/shared_transport.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "comm/blocks.hpp"
#include "comm/shared/control_words.hpp"
#include "comm/shared/peer_memory.hpp"
#include "comm/shared/process_watch.hpp"
#include "comm/shared/streamed.hpp"
#include "comm/under_way.hpp"

namespace dromos {
namespace {

using detail::ControlWords;
using detail::Mailbox;
using detail::MovingOperation;
using detail::PeerMemory;
using detail::PendingCopy;
using detail::ProcessWatch;
using detail::UnderWay;

constexpr bool on_gpu = is_gpu<Kokkos::DefaultExecutionSpace>;
constexpr int num_lanes = 4;  // so many operations may be under way at once before one waits for another
/// A piece is half a lane. On a CPU both halves stay in a core's cache; between GPUs a piece is to take much longer
/// than the host needs to say that it is there.
constexpr std::int64_t lane_bytes = on_gpu ? std::int64_t(16) << 20 : std::int64_t(256) << 10;
/// What a GPU gives to an operation that its stream waits for; twice that memory is taken once there is one.
constexpr std::int64_t streamed_bytes = std::int64_t(64) << 20;
constexpr std::int64_t line_bytes = 64;
/// Longer blocks go through MPI. From 1 MiB on that was faster (bench_transports, 2 ranks), for the OR it never was.
constexpr std::int64_t longest_block = on_gpu ? std::numeric_limits<std::int64_t>::max() : std::int64_t(512) << 10;

/// The blocks that go one way, and those that go the other: empty where they do not.
struct DividedBlocks {
  std::vector<Block> here, by_mpi;
  bool any_by_mpi = false;

  explicit DividedBlocks(const std::vector<Block>& blocks) : here(blocks), by_mpi(blocks) {
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      const bool is_long = blocks[r].size > longest_block;
      (is_long ? here : by_mpi)[r].size = 0;
      any_by_mpi = any_by_mpi || is_long;
    }
  }
};

/// Both ways of one operation.
struct BothPending : PendingOperation {
  std::unique_ptr<PendingOperation> here, by_mpi;

  BothPending(std::unique_ptr<PendingOperation> here_, std::unique_ptr<PendingOperation> by_mpi_)
      : here(std::move(here_)), by_mpi(std::move(by_mpi_)) {}
  bool test() override {
    const bool arrived = by_mpi->test();
    return here->test() && arrived;
  }
  void wait() override {
    here->wait();
    by_mpi->wait();
  }
};

/// Where pieces lie in a lane, the same for sender and reader.
struct Region {
  std::int64_t offset = 0;  ///< in the memory of a rank
  std::int64_t half = 0;    ///< from a piece to the next one's place
  std::int64_t piece = 0;   ///< the most bytes of a piece

  std::int64_t num_pieces(std::int64_t bytes) const { return (bytes + piece - 1) / piece; }
  std::int64_t begin(std::int64_t k) const { return k * piece; }
  std::int64_t bytes(std::int64_t k, std::int64_t all) const { return std::min(piece, all - begin(k)); }
  std::int64_t place(std::int64_t k) const { return offset + (k % 2) * half; }
};

struct Outgoing {
  const char* from = nullptr;
  std::int64_t size = 0;
  Region region;
  std::vector<int> readers;
  std::int64_t num_begun = 0;   ///< pieces whose copy has begun
  std::int64_t num_posted = 0;  ///< pieces that readers were told of
  std::unique_ptr<PendingCopy> copy;

  bool done() const { return num_posted == region.num_pieces(size); }
};

struct Incoming {
  int peer = 0;
  char* to = nullptr;
  std::int64_t size = 0;
  Region region;
  bool unites = false;  ///< the OR of what is there and what comes
  std::int64_t num_taken = 0;
  std::unique_ptr<PendingCopy> copy;

  bool done() const { return num_taken == region.num_pieces(size); }
};

class SharedTransport;

struct Operation : MovingOperation {
  explicit Operation(SharedTransport& t) : transport(t) {}
  bool move() override;

  SharedTransport& transport;
  std::uint64_t number = 0;
  int lane = 0;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  std::unique_ptr<PendingCopy> own;  ///< what a rank sends itself
  // Pieces on this lane before this operation, by rank.
  std::vector<std::uint64_t> posted_before, taken_before;

  bool done() const override {
    return own == nullptr &&
           std::all_of(outgoing.begin(), outgoing.end(), [](const Outgoing& o) { return o.done(); }) &&
           std::all_of(incoming.begin(), incoming.end(), [](const Incoming& i) { return i.done(); });
  }
};

class SharedTransport : public Transport {
 public:
  explicit SharedTransport(MPI_Comm communicator)
      : mpi_(communicator), long_blocks_(make_host_memory_transport(communicator)) {
    check_mpi(MPI_Comm_rank(mpi_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(mpi_, &size_), "MPI_Comm_size");
    for (auto* totals : {&posted_, &taken_}) {
      totals->assign(num_lanes, std::vector<std::uint64_t>(static_cast<std::size_t>(size_), 0));
    }
  }

  const char* name() const override { return "shared"; }
  bool ors_gpu_memory() const override { return on_gpu; }
  /// Moves an operation as far as it goes; says whether anything moved.
  bool move(Operation& operation) {
    bool moved = false;
    if (operation.own && operation.own->done()) {
      operation.own.reset();
      moved = true;
    }
    for (Outgoing& outgoing : operation.outgoing) moved |= lay_out(operation, outgoing);
    for (Incoming& incoming : operation.incoming) moved |= take(operation, incoming);
    return moved;
  }
  void progress() override { under_way_.move_all(); }
  StreamedOperations* streamed() override {
#if defined(DROMOS_DEVICE_PEER_MEMORY)
    if (!streamed_) {
      streamed_ = detail::make_streamed_operations(mpi_, streamed_bytes);
      if (*streamed_) (*streamed_)->set_round_bytes(round_bytes_);
    }
#endif
    return streamed_ ? streamed_->get() : nullptr;
  }
  void set_piece_bytes(std::int64_t bytes) override {
    piece_bytes_ = bytes;
    round_bytes_ = bytes;
    if (streamed_ && *streamed_) (*streamed_)->set_round_bytes(bytes);
    long_blocks_->set_piece_bytes(bytes);
  }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    detail::check_own_blocks(send_blocks, receive_blocks, rank_);
    const DividedBlocks sent(send_blocks), received(receive_blocks);
    // On ranks without long blocks as well: all count the operations, by which messages find theirs.
    auto by_mpi = long_blocks_->exchange(send, sent.by_mpi, receive, received.by_mpi);
    auto here = exchange_here(send, sent.here, receive, received.here);
    if (!sent.any_by_mpi && !received.any_by_mpi) return here;
    return std::make_unique<BothPending>(std::move(here), std::move(by_mpi));
  }

  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    // The same blocks on every rank: all of them go the same way.
    if (DividedBlocks(receive_blocks).any_by_mpi) return long_blocks_->allgather(send, size, receive, receive_blocks);
    auto operation = begin();
    const Region region = region_for_all(operation->lane);
    send_to(*operation, others(), send, size, region);
    for (const int sender : others()) {
      receive_from(*operation, sender, receive + receive_blocks[sender].offset, receive_blocks[sender].size, region,
                   false);
    }
    char* const own = receive + receive_blocks[rank_].offset;
    if (own != send) operation->own = memory_->copy_out(own, send, size);
    return start(std::move(operation));
  }

  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    if (size > longest_block) return long_blocks_->broadcast(data, size, root);
    auto operation = begin();
    const Region region = region_for_all(operation->lane);
    if (rank_ == root) {
      send_to(*operation, others(), data, size, region);
    } else {
      receive_from(*operation, root, data, size, region, false);
    }
    return start(std::move(operation));
  }

  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    auto operation = begin();
    const Region region = region_for_all(operation->lane);
    char* const data = reinterpret_cast<char*>(words);
    // A word may go out with bits of others in it already: no harm to an OR.
    send_to(*operation, others(), data, num_words * 4, region);
    for (const int sender : others()) receive_from(*operation, sender, data, num_words * 4, region, true);
    return start(std::move(operation));
  }

 private:
  std::unique_ptr<PendingOperation> exchange_here(const char* send, const std::vector<Block>& send_blocks,
                                                  char* receive, const std::vector<Block>& receive_blocks) {
    const Block& from = send_blocks[rank_];
    const Block& to = receive_blocks[rank_];
    auto operation = begin();
    for (int i = 1; i < size_; ++i) {
      const int reader = (rank_ + i) % size_, sender = (rank_ + size_ - i) % size_;
      send_to(*operation, {reader}, send + send_blocks[reader].offset, send_blocks[reader].size,
              region_for(operation->lane, reader));
      receive_from(*operation, sender, receive + receive_blocks[sender].offset, receive_blocks[sender].size,
                   region_for(operation->lane, rank_), false);
    }
    if (receive + to.offset != send + from.offset) {
      operation->own = memory_->copy_out(receive + to.offset, send + from.offset, from.size);
    }
    return start(std::move(operation));
  }

  std::vector<int> others() const {
    std::vector<int> ranks;
    for (int i = 1; i < size_; ++i) ranks.push_back((rank_ + i) % size_);
    return ranks;
  }

  Region region_of(std::int64_t offset, std::int64_t bytes) const {
    const std::int64_t half = bytes / 2 / line_bytes * line_bytes;
    return {offset, half, std::min(half, piece_bytes_)};
  }
  Region region_for_all(int lane) const { return region_of(lane * lane_bytes, lane_bytes); }
  Region region_for(int lane, int reader) const {
    const std::int64_t each = lane_bytes / size_ / (2 * line_bytes) * (2 * line_bytes);
    return region_of(lane * lane_bytes + reader * each, each);
  }

  static void send_to(Operation& operation, std::vector<int> readers, const char* from, std::int64_t size,
                      const Region& region) {
    if (size == 0) return;
    Outgoing outgoing;
    outgoing.from = from;
    outgoing.size = size;
    outgoing.region = region;
    outgoing.readers = std::move(readers);
    operation.outgoing.push_back(std::move(outgoing));
  }
  static void receive_from(Operation& operation, int peer, char* to, std::int64_t size, const Region& region,
                           bool unites) {
    if (size == 0) return;
    Incoming incoming;
    incoming.peer = peer;
    incoming.to = to;
    incoming.size = size;
    incoming.region = region;
    incoming.unites = unites;
    operation.incoming.push_back(std::move(incoming));
  }

  /// At the first operation, which all ranks begin: many communicators never have one.
  void map_memory() {
    if (memory_) return;
    words_ = std::make_unique<ControlWords>(mpi_, num_lanes, on_gpu ? 0 : num_lanes * lane_bytes);
    watch_ = std::make_unique<ProcessWatch>(mpi_);
#if defined(DROMOS_DEVICE_PEER_MEMORY)
    memory_ = detail::make_device_peer_memory(mpi_, num_lanes * lane_bytes);
#else
    memory_ = detail::make_host_peer_memory(*words_);
#endif
  }

  /// The next operation; waits until its lane is free of the one before.
  std::shared_ptr<Operation> begin() {
    map_memory();
    auto operation = std::make_shared<Operation>(*this);
    operation->number = ++num_operations_;
    operation->lane = static_cast<int>(operation->number % num_lanes);
    std::shared_ptr<Operation>& on_lane = on_lane_[operation->lane];
    under_way_.wait([&] { return !on_lane || on_lane->done(); });
    on_lane = operation;
    operation->posted_before = posted_[operation->lane];
    operation->taken_before = taken_[operation->lane];
    return operation;
  }

  std::unique_ptr<PendingOperation> start(std::shared_ptr<Operation> operation) {
    for (const Outgoing& outgoing : operation->outgoing) {
      for (const int reader : outgoing.readers) {
        posted_[operation->lane][reader] += static_cast<std::uint64_t>(outgoing.region.num_pieces(outgoing.size));
      }
    }
    for (const Incoming& incoming : operation->incoming) {
      taken_[operation->lane][incoming.peer] += static_cast<std::uint64_t>(incoming.region.num_pieces(incoming.size));
    }
    return under_way_.start(std::move(operation));
  }

  bool lay_out(const Operation& operation, Outgoing& outgoing) {
    const Region& region = outgoing.region;
    bool moved = false;
    for (;;) {
      if (outgoing.num_posted < outgoing.num_begun) {
        if (outgoing.copy && !outgoing.copy->done()) return moved;
        outgoing.copy.reset();
        post(operation, outgoing);
        moved = true;
      }
      const std::int64_t k = outgoing.num_begun;
      if (k == region.num_pieces(outgoing.size) || !is_free(operation, outgoing, k)) return moved;
      outgoing.copy = memory_->copy_out(memory_->data(rank_) + region.place(k), outgoing.from + region.begin(k),
                                        region.bytes(k, outgoing.size));
      ++outgoing.num_begun;
      moved = true;
    }
  }

  /// Has everyone taken what lay where piece k will?
  bool is_free(const Operation& operation, const Outgoing& outgoing, std::int64_t k) const {
    const auto has_taken = [&](int reader, std::uint64_t pieces) {
      return words_->receipt(rank_, operation.lane, reader).num_pieces.load(std::memory_order_acquire) >=
             operation.posted_before[reader] + pieces;
    };
    if (k < 2) {
      // Of the lane's last operation, which may have had other regions.
      for (int reader = 0; reader < size_; ++reader) {
        if (reader != rank_ && !has_taken(reader, 0)) return false;
      }
      return true;
    }
    return std::all_of(outgoing.readers.begin(), outgoing.readers.end(),
                       [&](int reader) { return has_taken(reader, static_cast<std::uint64_t>(k - 1)); });
  }

  void post(const Operation& operation, Outgoing& outgoing) {
    const std::int64_t k = outgoing.num_posted++;
    for (const int reader : outgoing.readers) {
      Mailbox& mailbox = words_->mailbox(rank_, operation.lane, reader);
      mailbox.operation.store(operation.number, std::memory_order_relaxed);
      mailbox.bytes[k % 2] = outgoing.region.bytes(k, outgoing.size);
      mailbox.num_pieces.store(operation.posted_before[reader] + static_cast<std::uint64_t>(k + 1),
                               std::memory_order_release);
    }
  }

  bool take(const Operation& operation, Incoming& incoming) {
    const Region& region = incoming.region;
    const Mailbox& mailbox = words_->mailbox(incoming.peer, operation.lane, rank_);
    auto& receipt = words_->receipt(incoming.peer, operation.lane, rank_).num_pieces;
    bool moved = false;
    while (!incoming.done()) {
      const std::int64_t k = incoming.num_taken;
      const std::uint64_t number = operation.taken_before[incoming.peer] + static_cast<std::uint64_t>(k + 1);
      if (!incoming.copy) {
        if (mailbox.num_pieces.load(std::memory_order_acquire) < number) return moved;
        check(operation, incoming, mailbox);
        const char* const from = memory_->data(incoming.peer) + region.place(k);
        char* const to = incoming.to + region.begin(k);
        const std::int64_t bytes = region.bytes(k, incoming.size);
        incoming.copy = incoming.unites ? memory_->unite(to, from, bytes) : memory_->copy_in(to, from, bytes);
        moved = true;
      }
      if (incoming.copy && !incoming.copy->done()) return moved;
      incoming.copy.reset();
      ++incoming.num_taken;
      receipt.store(number, std::memory_order_release);
      moved = true;
    }
    return moved;
  }

  /// Does the sender mean what this rank expects?
  void check(const Operation& operation, const Incoming& incoming, const Mailbox& mailbox) const {
    const std::int64_t expected = incoming.region.bytes(incoming.num_taken, incoming.size);
    const std::int64_t sent = mailbox.bytes[incoming.num_taken % 2];
    const std::uint64_t number = mailbox.operation.load(std::memory_order_relaxed);
    if (number == operation.number && sent == expected) return;
    throw Error("transport shared: rank " + std::to_string(incoming.peer) + " sends a piece of " +
                std::to_string(sent) + " bytes in its operation " + std::to_string(number) + ", and rank " +
                std::to_string(rank_) + " expects " + std::to_string(expected) + " in operation " +
                std::to_string(operation.number) + "; all ranks must call the same operations with fitting blocks");
  }

  /// Nothing moves: is everybody still there?
  void look_around(bool first) {
    const int ended = watch_->first_ended_while_waiting(mpi_, first);
    if (ended >= 0) {
      throw Error("transport shared: rank " + std::to_string(ended) + " has ended while rank " + std::to_string(rank_) +
                  " waits for its part of an operation");
    }
  }

  MPI_Comm mpi_;
  int rank_ = 0;
  int size_ = 1;
  std::unique_ptr<ControlWords> words_;
  std::unique_ptr<ProcessWatch> watch_;
  std::unique_ptr<PeerMemory> memory_;
  std::optional<std::unique_ptr<StreamedOperations>> streamed_;  // once they were asked for
  std::int64_t round_bytes_ = streamed_bytes;
  std::unique_ptr<Transport> long_blocks_;
  std::int64_t piece_bytes_ = std::int64_t(1) << 30;
  std::uint64_t num_operations_ = 0;
  UnderWay under_way_{[this](bool first) { look_around(first); }};
  std::array<std::shared_ptr<Operation>, num_lanes> on_lane_;  ///< the last one
  std::vector<std::vector<std::uint64_t>> posted_, taken_;     ///< pieces to and from each rank so far, by lane
};

bool Operation::move() { return transport.move(*this); }

}  // namespace

bool ranks_share_host(MPI_Comm communicator) {
  int size = 1, here = 1;
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  check_mpi(MPI_Comm_size(node, &here), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  int shares = here == size && detail::ProcessWatch(communicator).sees_all() ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shares, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return shares != 0;
}

std::unique_ptr<Transport> make_shared_transport_of_part(MPI_Comm communicator) {
  return std::make_unique<SharedTransport>(communicator);
}

std::unique_ptr<Transport> make_shared_transport(MPI_Comm communicator) {
  if (!ranks_share_host(communicator)) throw Error("these ranks run on several hosts, or in containers of their own");
  return std::make_unique<SharedTransport>(communicator);
}

}  // namespace dromos
