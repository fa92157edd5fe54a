// SPDX-License-Identifier: BSD-3-Clause
// Work in pieces of unlike size, dealt out to the threads of a CPU as they come for more.
//
//   deal_out("dromos::find_first", space, num_tiles, tile_kernel);      tile_kernel(i) once for each i < num_tiles
//
//   2 threads, 5 pieces, the first a long one:    thread 0:  0             thread 1:  1 2 3 4
//
// What pieces add up to, a thread adds up on its own (deal_out_to_each()): a counter that all of them change with each
// piece goes from cache to cache.
//
// It takes the place of Kokkos::Schedule<Kokkos::Dynamic>. There every thread has a range of its own, takes from it by
// a compare and exchange of 16 bytes, and looks through the ranges of all others in the end; unless Kokkos was told of
// a processor, that compare and exchange takes a lock, and the locks of many threads are one: 16,384 pieces cost 16
// threads 31 ms in Kokkos 3.4, and 8 threads 13 (doc/performance.md). Here one counter is raised, by several pieces at
// once where there are many.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <string>

namespace dromos {

/// The pieces 0 .. num_pieces - 1, given in order to whoever asks.
class PieceDealer {
 public:
  PieceDealer(std::int64_t num_pieces, int num_threads)
      : num_pieces_(num_pieces),
        at_once_(dromos::max<std::int64_t>(
            1, dromos::min<std::int64_t>(most_at_once, num_pieces / (least_turns * dromos::max(1, num_threads))))) {}

  /// The first of some pieces that nobody else gets; num_pieces or more: none is left.
  std::int64_t next() { return atomic_fetch_add(&next_, at_once_); }
  /// Behind the last of the pieces of which next() told the first.
  std::int64_t end(std::int64_t first) const { return dromos::min(first + at_once_, num_pieces_); }
  std::int64_t num_pieces() const { return num_pieces_; }

 private:
  /// So many times each thread comes for more at least, where there are enough pieces: what differs between them evens
  /// out.
  static constexpr std::int64_t least_turns = 128;
  /// And never for more than so many, since hubs may lie side by side.
  static constexpr std::int64_t most_at_once = 8;

  // Apart from what all threads only read.
  alignas(64) std::int64_t next_ = 0;
  alignas(64) const std::int64_t num_pieces_;
  const std::int64_t at_once_;
};

namespace detail {

template <class OfThread, class Body, class Finish>
struct DealOut {
  PieceDealer* dealer;
  const Body* body;
  const Finish* finish;

  void operator()(std::int64_t) const {
    OfThread of_thread{};
    for (std::int64_t first = dealer->next(); first < dealer->num_pieces(); first = dealer->next()) {
      const std::int64_t end = dealer->end(first);
      for (std::int64_t piece = first; piece < end; ++piece) (*body)(piece, of_thread);
    }
    (*finish)(of_thread);
  }
};

/// What a thread has that adds nothing up.
struct Nothing {};

}  // namespace detail

/// body(i, mine) for each i in [0, num_pieces), by all threads of a space on the host; small i first. `mine` is an
/// OfThread of the calling thread, made for it as OfThread{}; its thread calls finish(mine) when all is dealt out.
/// Kokkos waits there for its threads.
///
/// \param body  is not copied, and may differ in cost from piece to piece
template <class OfThread, class Space, class Body, class Finish>
void deal_out_to_each(const std::string& label, const Space& space, std::int64_t num_pieces, const Body& body,
                      const Finish& finish) {
  static_assert(!is_gpu<Space>, "a GPU deals its blocks out itself: use parallel_for");
  const int num_threads = static_cast<int>(space.concurrency());
  PieceDealer dealer(num_pieces, num_threads);
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                           space, 0, dromos::min<std::int64_t>(num_threads, num_pieces)),
                       detail::DealOut<OfThread, Body, Finish>{&dealer, &body, &finish});
}

/// The same where threads have nothing of their own: body(i).
template <class Space, class Body>
void deal_out(const std::string& label, const Space& space, std::int64_t num_pieces, const Body& body) {
  deal_out_to_each<detail::Nothing>(
      label, space, num_pieces, [&body](std::int64_t i, detail::Nothing&) { body(i); }, [](const detail::Nothing&) {});
}

}  // namespace dromos
