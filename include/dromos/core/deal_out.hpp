// SPDX-License-Identifier: BSD-3-Clause
// Work in pieces of unlike size, dealt out to the threads of a CPU as they come for more.
//
//   deal_out("dromos::find_first", space, num_tiles, tile_kernel);      tile_kernel(i) once for each i < num_tiles
//
//   2 threads, 6 pieces, the first a long one:    thread 0:  0             thread 1:  3 4 5 1 2
//
// Every thread has a share of neighboring pieces and helps others when it is done with them. What it wrote in the sweep
// before is in its own cache, then, and on hosts with several memories in the one beside it. Two threads whose caches
// lie apart search soc-Epinions1 in 0.8 of the time that they took where whoever asked got the next piece
// (doc/performance.md).
//
// What pieces add up to, a thread adds up on its own (deal_out_to_each()): a counter that all of them change with each
// piece goes from cache to cache.
//
// It takes the place of Kokkos::Schedule<Kokkos::Dynamic>, whose threads have ranges of their own as well, but take
// from them by a compare and exchange of 16 bytes. Unless Kokkos was told of a processor, that takes a lock, and the
// locks of many threads are one: 16,384 pieces cost 16 threads 31 ms in Kokkos 3.4, and 8 threads 13.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <string>
#include <vector>

namespace dromos {

/// Who gets which piece.
enum class DealOrder {
  by_shares,  ///< each thread those of a share of its own, in order, and then what is left of others'
  ascending,  ///< whoever asks the first that is left: where what is found in one piece spares work in those behind it
};

/// The pieces 0 .. num_pieces - 1, for a number of takers.
class PieceDealer {
 public:
  PieceDealer(std::int64_t num_pieces, int num_takers, DealOrder order = DealOrder::by_shares)
      : num_pieces_(num_pieces),
        at_once_(dromos::max<std::int64_t>(
            1, dromos::min<std::int64_t>(most_at_once, num_pieces / (least_turns * dromos::max(1, num_takers))))),
        num_shares_(order == DealOrder::ascending ? 1 : dromos::max(1, num_takers)) {
    if (num_shares_ > few_shares) more_shares_.resize(static_cast<std::size_t>(num_shares_));
    shares_ = num_shares_ > few_shares ? more_shares_.data() : own_shares_;
    for (int i = 0; i < num_shares_; ++i) {
      shares_[i].next = num_pieces * i / num_shares_;
      shares_[i].end = num_pieces * (i + 1) / num_shares_;
    }
  }
  PieceDealer(const PieceDealer&) = delete;
  PieceDealer& operator=(const PieceDealer&) = delete;

  std::int64_t num_pieces() const { return num_pieces_; }

  /// One of those who take, on its own thread.
  class Taker {
   public:
    /// \param number  0 .. num_takers - 1, not two of the same
    Taker(PieceDealer& dealer, int number) : dealer_(dealer), share_(dealer.num_shares_ == 1 ? 0 : number) {}

    /// Pieces begin .. end - 1 that nobody else gets. False: there are no more.
    bool next(std::int64_t& begin, std::int64_t& end) {
      const int num_shares = dealer_.num_shares_;
      for (; num_empty_ < num_shares; ++num_empty_, share_ = share_ + 1 < num_shares ? share_ + 1 : 0) {
        Share& share = dealer_.shares_[share_];
        const std::int64_t left = share.end - atomic_load(&share.next);
        if (left <= 0) continue;
        const std::int64_t count = num_shares == 1 ? dealer_.at_once_ : num_empty_ == 0 ? 1 : of_others(left);
        begin = atomic_fetch_add(&share.next, count);
        if (begin >= share.end) continue;
        end = dromos::min(begin + count, share.end);
        return true;
      }
      return false;
    }

   private:
    /// So many pieces of another's share, each turn of which costs both: several as long as there are many.
    std::int64_t of_others(std::int64_t left) const {
      return dromos::max<std::int64_t>(1, dromos::min<std::int64_t>(most_at_once, left / (4 * dealer_.num_shares_)));
    }

    PieceDealer& dealer_;
    int share_;          // whose
    int num_empty_ = 0;  // shares that had nothing left
  };

 private:
  /// What is left of a share: next .. end - 1, where there is anything. Apart from those of others, who change theirs.
  struct alignas(64) Share {
    std::int64_t next, end;
  };

  /// In ascending order each thread comes for more so many times at least, where there are enough pieces: what differs
  /// between them evens out, and pieces wait for few of those before them.
  static constexpr std::int64_t least_turns = 128;
  /// And nobody ever gets more than so many, since hubs may lie side by side.
  static constexpr std::int64_t most_at_once = 8;
  /// Of so many nothing is allocated, which would take as long as a launch now and then.
  static constexpr int few_shares = 64;

  const std::int64_t num_pieces_;
  const std::int64_t at_once_;  ///< in ascending order
  const int num_shares_;
  Share* shares_;
  std::vector<Share> more_shares_;
  Share own_shares_[few_shares];
};

namespace detail {

template <class OfThread, class Body, class Finish>
struct DealOut {
  PieceDealer* dealer;
  const Body* body;
  const Finish* finish;

  void operator()(std::int64_t thread) const {
    OfThread of_thread{};
    PieceDealer::Taker taker(*dealer, static_cast<int>(thread));
    for (std::int64_t piece = 0, end = 0; taker.next(piece, end);) {
      for (; piece < end; ++piece) (*body)(piece, of_thread);
    }
    (*finish)(of_thread);
  }
};

/// What a thread has that adds nothing up.
struct Nothing {};

}  // namespace detail

/// body(i, mine) for each i in [0, num_pieces), by all threads of a space on the host. `mine` is an
/// OfThread of the calling thread, made for it as OfThread{}; its thread calls finish(mine) when all is dealt out.
/// Kokkos waits there for its threads.
///
/// \param body  is not copied, and may differ in cost from piece to piece
template <class OfThread, class Space, class Body, class Finish>
void deal_out_to_each(const std::string& label, const Space& space, std::int64_t num_pieces, const Body& body,
                      const Finish& finish, DealOrder order = DealOrder::by_shares) {
  static_assert(!is_gpu<Space>, "a GPU deals its blocks out itself: use parallel_for");
  const std::int64_t num_threads = dromos::min<std::int64_t>(space.concurrency(), num_pieces);
  PieceDealer dealer(num_pieces, static_cast<int>(num_threads), order);
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_threads),
                       detail::DealOut<OfThread, Body, Finish>{&dealer, &body, &finish});
}

/// The same where threads have nothing of their own: body(i).
template <class Space, class Body>
void deal_out(const std::string& label, const Space& space, std::int64_t num_pieces, const Body& body) {
  deal_out_to_each<detail::Nothing>(
      label, space, num_pieces, [&body](std::int64_t i, detail::Nothing&) { body(i); }, [](const detail::Nothing&) {});
}

}  // namespace dromos
