// SPDX-License-Identifier: BSD-3-Clause
// Items that kernels put down for other ranks while they go over edges, and their way there.
//
// The outbox has a region for each rank, as large as what can wait for it at a time, and a cursor in each:
//
//   3 ranks; rank 1 found 4 items for rank 0 and 2 for rank 2
//   items   [a b c d . . . | (rank 1: nothing) | e f . . .]     cursor  4  7  9
//
// What was put down since the last time is a block of each region. It may be sent while the next block is being filled.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <vector>

namespace dromos::detail {

/// What waits to be sent, by rank. Taken by kernels; pointers, for the sake of GPUs.
template <class Item, class Memory>
struct Outbox {
  Item* items = nullptr;
  RankCursors<Memory> cursors;

  KOKKOS_FORCEINLINE_FUNCTION void put(int rank, const Item& item) const { items[cursors.take(rank)] = item; }
};

/// Owns an outbox and what arrives from those of the other ranks. Every rank calls the same functions.
template <class Space, class Item>
class OutboxExchange {
 public:
  using Memory = typename Space::memory_space;

  /// room[r]: items that can wait for rank r at a time.
  OutboxExchange(const Communicator& communicator, const std::vector<std::int64_t>& room)
      : communicator_(communicator),
        regions_(consecutive_blocks(room)),
        cursors_("dromos::outbox::cursor", room.size()),
        items_(uninitialized<Item, Memory>("dromos::outbox::items", total_size(regions_))) {}

  Outbox<Item, Memory> outbox() const { return {items_.data(), cursors_.cursors()}; }

  /// Nothing waits.
  void empty(const Space& space) {
    if (empty_) return;
    leaving_ = regions_;
    for (Block& block : leaving_) block.size = 0;
    cursors_.put_behind(space, leaving_);
    empty_ = true;
  }

  /// What was put down since the last time, by rank: leaves with the next start(). Waits for the kernels.
  const std::vector<Block>& close(const Space& space) {
    empty_ = false;
    leaving_ = cursors_.written_behind(space, leaving_);
    return leaving_;
  }

  /// What close() found the last time; everything else lies behind it. Who takes that away without close() sets the
  /// cursors back.
  const std::vector<Block>& closed() const { return leaving_; }

  /// Sends what close() found. What came before has been waited for. Collective.
  void start(const Space& space) {
    std::vector<std::int64_t> counts;
    for (const Block& block : leaving_) counts.push_back(block.size);
    arriving_ = consecutive_blocks(exchange_counts(communicator_, counts));
    const std::int64_t num_arriving = total_size(arriving_);
    if (static_cast<std::int64_t>(inbox_.extent(0)) < num_arriving) {
      inbox_ = {};
      inbox_ = uninitialized<Item, Memory>("dromos::outbox::inbox", num_arriving + num_arriving / 4);
    }
    request_ = start_alltoallv(communicator_, space, items_, leaving_, inbox_, arriving_);
  }

  /// Is something on its way?
  bool pending() const { return request_.pending(); }

  void wait() { request_.wait(); }

  /// What arrived: the block of each rank in inbox().
  const std::vector<Block>& arriving() const { return arriving_; }
  const Kokkos::View<Item*, Memory>& inbox() const { return inbox_; }

 private:
  const Communicator& communicator_;
  std::vector<Block> regions_;
  RankCursorsOwner<Space> cursors_;
  Kokkos::View<Item*, Memory> items_;
  bool empty_ = false;
  std::vector<Block> leaving_;
  std::vector<Block> arriving_;
  Kokkos::View<Item*, Memory> inbox_;
  Request request_;
};

}  // namespace dromos::detail
