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
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <vector>

namespace dromos::detail {

/// What waits to be sent, by rank. Taken by kernels; pointers, for the sake of GPUs.
template <class Item, class Memory, bool of_host = host_accessible<Memory>>
struct Outbox {
  Item* items = nullptr;
  RankCursors<Memory> cursors;

  KOKKOS_FORCEINLINE_FUNCTION void put(int rank, const Item& item) const { items[cursors.take(rank)] = item; }
};

/// On a CPU each thread gathers some items for each rank before it takes places for them, since threads that count at
/// one address wait for each other. What is left at the end GatheredItems::put_down() puts down.
template <class Item, class Memory>
struct Outbox<Item, Memory, true> {
  static constexpr int most_gathered = 64;
  static constexpr int spacing = 64;  // counts of a thread, for lines of its own

  Item* items = nullptr;
  RankCursors<Memory> cursors;
  int num_ranks = 0;
  Item* gathered = nullptr;  ///< by thread and rank; as on_thread() gives it out, of this thread
  int* counts = nullptr;
  bool of_thread = false;
  ThreadNumbers<Kokkos::DefaultHostExecutionSpace> threads{};

  static KOKKOS_FUNCTION std::size_t counts_of_thread(int num_ranks) {
    return static_cast<std::size_t>((num_ranks + spacing - 1) / spacing * spacing);
  }
  KOKKOS_FUNCTION Outbox on_thread() const { return on_thread(static_cast<int>(threads.acquire())); }
  KOKKOS_FUNCTION Outbox on_thread(int thread) const {
    Outbox mine = *this;
    mine.gathered += static_cast<std::size_t>(thread) * static_cast<std::size_t>(num_ranks) * most_gathered;
    mine.counts += static_cast<std::size_t>(thread) * counts_of_thread(num_ranks);
    mine.of_thread = true;
    return mine;
  }

  KOKKOS_FORCEINLINE_FUNCTION void put(int rank, const Item& item) const {
    if (!of_thread) {
      items[cursors.take(rank)] = item;
      return;
    }
    int& count = counts[rank];
    gathered[rank * most_gathered + count] = item;
    if (++count == most_gathered) put_down(rank);
  }
  /// What this thread has gathered for a rank.
  KOKKOS_FUNCTION void put_down(int rank) const {
    const int count = counts[rank];
    counts[rank] = 0;
    if (count == 0) return;
    Item* const to = items + atomic_fetch_add(cursors.of(rank), static_cast<std::uint64_t>(count));
    for (int i = 0; i < count; ++i) to[i] = gathered[rank * most_gathered + i];
  }
};

/// What threads of a CPU gather; nothing on a GPU.
template <class Space, class Item>
class GatheredItems {
 public:
  using Memory = typename Space::memory_space;
  using Out = Outbox<Item, Memory>;

  explicit GatheredItems(int num_ranks) : num_ranks_(num_ranks) {
    if constexpr (host_accessible<Memory>) {
      num_threads_ = static_cast<int>(ThreadNumbers<Space>().size());
      const std::int64_t ranks_of_threads = std::int64_t(num_threads_) * num_ranks;
      items_ = uninitialized<Item, Memory>("dromos::outbox::gathered", ranks_of_threads * Out::most_gathered);
      counts_ = Kokkos::View<int*, Memory>("dromos::outbox::counts",
                                           static_cast<std::size_t>(num_threads_) * Out::counts_of_thread(num_ranks));
    }
  }

  /// One that puts its items there.
  Out outbox(Item* items, const RankCursors<Memory>& cursors) const {
    if constexpr (host_accessible<Memory>) {
      return {items, cursors, num_ranks_, items_.data(), counts_.data()};
    } else {
      return {items, cursors};
    }
  }

  /// What is left is put down as well. Waits for the kernels.
  void put_down(const Space& space, const Out& outbox) const {
    if constexpr (host_accessible<Memory>) {
      fence(space, "dromos::outbox::put_down");
      for (int thread = 0; thread < num_threads_; ++thread) {
        const Out of_thread = outbox.on_thread(thread);
        for (int r = 0; r < num_ranks_; ++r) of_thread.put_down(r);
      }
    }
  }

 private:
  int num_ranks_, num_threads_ = 0;
  Kokkos::View<Item*, Memory> items_;
  Kokkos::View<int*, Memory> counts_;
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
        items_(uninitialized<Item, Memory>("dromos::outbox::items", total_size(regions_))),
        gathered_(communicator.size()) {}

  Outbox<Item, Memory> outbox() const { return gathered_.outbox(items_.data(), cursors_.cursors()); }

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
    gathered_.put_down(space, outbox());
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
  GatheredItems<Space, Item> gathered_;
  bool empty_ = false;
  std::vector<Block> leaving_;
  std::vector<Block> arriving_;
  Kokkos::View<Item*, Memory> inbox_;
  Request request_;
};

}  // namespace dromos::detail
