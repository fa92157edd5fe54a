// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a row found vertices, the same ones perhaps: which are new in all, and whose is each of them?
//
// A vertex is the leftmost rank's that found it. With Out(j) what column j found, as bits:
//
//   Prefix(j) = Out(0) | ... | Out(j - 1)     Assigned(j) |= Out(j) & ~Prefix(j)     total = Out(0) | ... | Out(c - 1)
//
// (Fu et al. 2014, Section 3.3.) There are three ways to Prefix and total, S being the bytes of a bitmap of the row:
//
//   wave   rank j waits for Prefix(j) from its left neighbor and sends Prefix(j) | Out(j) to its right one: c - 1
//          steps, S bytes a rank; then the last rank, which has the total, broadcasts it
//   scan   recursive doubling: in step k ranks whose columns differ in bit k alone exchange what their group of 2^k
//          found. ceil(log2 c) steps, S bytes a rank and step. Where c is a power of two everybody has the total then,
//          and the broadcast of the paper is not needed; otherwise some ranks miss partners, the last one never does
//
//            c = 3   step 0: 0 <-> 1    step 1: 0 <-> 2 (1 has no partner)     total: rank 2 has it, and broadcasts
//
//   lists  every rank's vertices to all, 4 bytes each: where that is less than S
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_grid/partition_2d.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <vector>

namespace dromos::detail {

template <class Memory>
struct AddReceived {
  BitmapWords<Memory> from, news, left, all;
  bool from_left, clear;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    const auto word = news(w);
    all(w) = from(w) | word;
    const auto before = clear ? 0u : left(w);
    left(w) = from_left ? before | word : before;
  }
};

/// total = own | received, and prefix |= received where it comes from the left. `clear`: prefix was nothing before.
template <class Space, class Memory>
void add_received(const Space& space, const Bitmap<Memory>& own, const BitmapWords<Memory>& received, bool from_left,
                  bool clear, const Bitmap<Memory>& prefix, const Bitmap<Memory>& total) {
  const auto all = total.words();
  for_range("dromos::bfs_2d::contract", space, all.extent(0),
            AddReceived<Memory>{own.words(), received, prefix.words(), all, from_left, clear});
}

/// Sets the bits of list(first .. last - 1).
template <class Space, class Memory>
void set_listed(const Space& space, const Kokkos::View<Partition2d::LocalId*, Memory>& list, std::int64_t first,
                std::int64_t last, const Bitmap<Memory>& bitmap) {
  mark_listed("dromos::bfs_2d::set_listed", space, list, {first, last}, bitmap);
}

/// One row's contraction. The communicator outlives it. Collective, as are its functions.
template <class Space>
class RowContraction {
 public:
  using Memory = typename Space::memory_space;
  using LocalId = Partition2d::LocalId;
  using Words = Kokkos::View<std::uint32_t*, Memory>;

  /// \param row       the ranks of the row, by column
  /// \param num_bits  vertices of the row; a multiple of 32
  RowContraction(const Communicator& row, const Space& space, std::int64_t num_bits)
      : row_(row),
        space_(space),
        prefix_(num_bits, "dromos::bfs_2d::prefix"),
        total_(num_bits, "dromos::bfs_2d::total") {
    if (row.size() > 1) received_ = Bitmap<Memory>(num_bits, "dromos::bfs_2d::received");
  }

  /// What ranks further left found, and what all found, of the last contraction. Without columns `total` is `found`
  /// itself.
  const Bitmap<Memory>& prefix() const { return prefix_; }
  const Bitmap<Memory>& total() const { return row_.size() == 1 ? found_ : total_; }

  void wave(const Bitmap<Memory>& found) {
    found_ = found;
    const int c = row_.size();
    const int j = row_.rank();
    if (c == 1) return;
    clear(space_, prefix_);
    Kokkos::deep_copy(space_, total_.words(), found.words());
    for (int step = 0; step + 1 < c; ++step) {
      // Rank `step` is ahead of the wave, its right neighbor behind it; the others have nothing to do in this step.
      exchange(total_, j == step ? j + 1 : -1, j == step + 1 ? j - 1 : -1);
      if (j == step + 1) add_received(space_, found, received_.words(), true, true, prefix_, total_);
    }
    broadcast(row_, space_, total_.words(), c - 1);
  }

  void scan(const Bitmap<Memory>& found) {
    found_ = found;
    const int c = row_.size();
    const int j = row_.rank();
    if (c == 1) return;
    if (c == 2 && streamed_operations<Memory>(row_) != nullptr) {
      swap_enqueued(found);
      return;
    }
    bool first = true;
    for (int bit = 1; bit < c; bit <<= 1) {
      const int partner = (j ^ bit) < c ? j ^ bit : -1;
      exchange(first ? found : total_, partner, partner);
      if (partner < 0) continue;
      add_received(space_, first ? found : total_, received_.words(), partner < j, first, prefix_, total_);
      first = false;
    }
    if ((c & (c - 1)) != 0) broadcast(row_, space_, total_.words(), c - 1);
  }

  /// \param list    the vertices of `found`
  /// \param counts  how many each rank of the row has
  void lists(const Bitmap<Memory>& found, const Kokkos::View<LocalId*, Memory>& list,
             const std::vector<std::int64_t>& counts) {
    found_ = found;
    if (row_.size() == 1) return;
    const auto blocks = consecutive_blocks(counts);
    const std::int64_t size = total_size(blocks);
    if (static_cast<std::int64_t>(all_lists_.extent(0)) < size) {
      all_lists_ = {};
      all_lists_ = uninitialized<LocalId, Memory>("dromos::bfs_2d::all_lists", size + size / 4);
    }
    allgatherv(row_, space_, list, counts[row_.rank()], all_lists_, blocks);
    clear(space_, prefix_);
    clear(space_, total_);
    set_listed(space_, all_lists_, 0, blocks[row_.rank()].offset, prefix_);
    set_listed(space_, all_lists_, 0, size, total_);
  }

 private:
  /// The step of two columns between GPUs, without the host.
  void swap_enqueued(const Bitmap<Memory>& found) {
    const auto num_words = static_cast<std::int64_t>(found.words().extent(0));
    if (both_.extent(0) == 0) both_ = uninitialized<std::uint32_t, Memory>("dromos::bfs_2d::both", 2 * num_words);
    const int partner = 1 - row_.rank();
    allgatherv(row_, space_, found.words(), num_words, both_, consecutive_blocks({num_words, num_words}));
    const BitmapWords<Memory> theirs =
        Kokkos::subview(both_, Kokkos::make_pair(partner * num_words, (partner + 1) * num_words));
    add_received(space_, found, theirs, partner == 0, true, prefix_, total_);
  }

  /// Sends a bitmap to one rank, and receives one from another; -1: none.
  void exchange(const Bitmap<Memory>& bitmap, int to, int from) {
    const std::int64_t num_words = static_cast<std::int64_t>(bitmap.words().extent(0));
    std::vector<Block> leaving(static_cast<std::size_t>(row_.size())), arriving = leaving;
    if (to >= 0) leaving[to] = {0, num_words};
    if (from >= 0) arriving[from] = {0, num_words};
    alltoallv(row_, space_, bitmap.words(), leaving, received_.words(), arriving);
  }

  const Communicator& row_;
  Space space_;
  Bitmap<Memory> found_;
  Bitmap<Memory> prefix_;
  Bitmap<Memory> total_;
  Bitmap<Memory> received_;
  Words both_;
  Kokkos::View<LocalId*, Memory> all_lists_;
};

}  // namespace dromos::detail
