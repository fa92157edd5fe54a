// SPDX-License-Identifier: BSD-3-Clause
// Items to their owners: every rank goes over a list of its own, and each element of the list stands for any number of
// items, each with a rank it belongs to. Graphs of every partition are built with it.
//
// A source is a struct with size() and items(i, f), which calls f(rank, item) for each item of element i; or the edges
// of rows, which says of_rows and arc(u, e, f) as sources of arcs do (graph/arcs.hpp), and is gone over edge by edge,
// for a row may be most of all. It is gone over twice: the first pass counts, so that each piece of the list knows
// where its items go, and the second writes. No atomics, and the order of what a rank receives depends on nothing but
// the lists and the kind of machine.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <string>
#include <vector>

namespace dromos {

namespace detail {

/// What edges of a list that anybody may have become: f(from, to), places of both ends, for one arc or two.
template <class Partition, class Vertex, class F>
KOKKOS_FORCEINLINE_FUNCTION void arcs_of_edge(const Partition& partition, Vertex u, Vertex v, bool symmetrize,
                                              bool drop_self_loops, const F& f) {
  if (u == v && drop_self_loops) return;
  const Place from = partition.place(u);
  const Place to = partition.place(v);
  f(from, to);
  if (symmetrize && u != v) f(to, from);
}

template <class T, class Memory>
Kokkos::View<T*, Memory> uninitialized(const char* label, std::int64_t size) {
  Kokkos::View<T*, Memory> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
  if constexpr (host_accessible<Memory>) advise_huge_pages(view.data(), view.extent(0) * sizeof(T));
  return view;
}

/// Items sorted by the rank they go to.
template <class T, class Memory>
struct Outgoing {
  Kokkos::View<T*, Memory> items;
  std::vector<Block> blocks;
};

/// Pieces of a source, a thread each. On a GPU the threads of a warp take turns at neighboring elements, so that they
/// read side by side:
///
///   8 elements, 2 pieces     of threads by themselves: 0 1 2 3, 4 5 6 7     of a warp of two: 0 2 4 6, 1 3 5 7
template <class Source, int width>
struct SourcePieces {
  Source source;
  std::int64_t num_pieces;  ///< a multiple of `width`

  static std::int64_t num_elements(const Source& source) {
    if constexpr (arcs_of_rows<Source>) return source.graph.num_edges();
    return source.size();
  }

  /// f(rank, item) for each item of a piece.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t piece, std::int64_t size, const F& f) const {
    const std::int64_t group = piece / width, num_groups = num_pieces / width;
    const std::int64_t last = size * (group + 1) / num_groups;
    std::int64_t i = size * group / num_groups + piece % width;
    if constexpr (arcs_of_rows<Source>) {
      ArcWalk<Source> walk(source);
      for (; i < last; i += width) walk.visit(i, f);
    } else {
      for (; i < last; i += width) source.items(i, f);
    }
  }
};

template <class Pieces, class Memory>
struct CountItems {
  Pieces pieces;
  std::int64_t size;
  Kokkos::View<std::int64_t*, Memory> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t* const of_piece = counts.data() + piece;
    pieces.items(piece, size, [&](int bin, const auto&) { ++of_piece[bin * pieces.num_pieces]; });
  }
};

/// The items of bins first .. first + num - 1. cursor(k * num_pieces + piece) is where the next item of bin first + k
/// goes.
template <class T, class Pieces, class Memory>
struct WriteItems {
  Pieces pieces;
  std::int64_t size;
  int first, num;
  Kokkos::View<std::int64_t*, Memory> cursor;
  Kokkos::View<T*, Memory> items;
  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t* const cursors = cursor.data() + piece;
    pieces.items(piece, size, [&](int bin, const T& item) {
      const int k = bin - first;
      if (k >= 0 && k < num) items.data()[cursors[k * pieces.num_pieces]++] = item;
    });
  }
};

/// The items of a source by bins: counted when this is made, and written by write(), some bins at a time. A bin is a
/// rank, or a turn and a rank.
template <class Space, class Source>
class BinnedItems {
  using Memory = typename Space::memory_space;
  static constexpr int width = has_warps<Space> ? warp_width : 1;
  template <class Any>
  using PiecesOf = SourcePieces<Any, width>;

 public:
  BinnedItems() = default;
  BinnedItems(const Space& space, int num_bins, const Source& source)
      : space_(space), size_(PiecesOf<Source>::num_elements(source)) {
    // Pieces: enough for all threads, large enough that their counters are few beside the items.
    const std::int64_t most = is_gpu<Space> ? 1 << 15 : 16 * space.concurrency();
    num_pieces_ = dromos::min<std::int64_t>(most / width, size_ / (64 * width) + 1) * width;
    const Kokkos::View<std::int64_t*, Memory> counts("dromos::ship::counts", num_pieces_ * num_bins);
    for_range("dromos::ship::count", space, num_pieces_,
              CountItems<PiecesOf<Source>, Memory>{{source, num_pieces_}, size_, counts});
    fence(space, "dromos::ship::count");
    begin_ = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    std::int64_t i = 0;
    for (int bin = 0; bin < num_bins; ++bin) {
      std::int64_t in_bin = 0;
      for (const std::int64_t end = i + num_pieces_; i < end; ++i) {
        const std::int64_t count = begin_(i);
        begin_(i) = in_bin;
        in_bin += count;
      }
      sizes_.push_back(in_bin);
    }
  }

  /// Of each bin, in items.
  const std::vector<std::int64_t>& sizes() const { return sizes_; }

  /// Items of bins first .. first + num - 1, bin by bin: those of `source`, which has as many for the same bins in the
  /// same order as what was counted.
  template <class T, class Any>
  Outgoing<T, Memory> write(const Any& source, int first, int num) const {
    std::int64_t size = 0;
    for (int k = 0; k < num; ++k) size += sizes_[static_cast<std::size_t>(first + k)];
    return write(source, first, num, uninitialized<T, Memory>("dromos::ship::outgoing", size));
  }
  /// The same to the front of `room`, which has enough.
  template <class T, class Any>
  Outgoing<T, Memory> write(const Any& source, int first, int num, const Kokkos::View<T*, Memory>& room) const {
    const auto blocks = consecutive_blocks({sizes_.begin() + first, sizes_.begin() + first + num});
    const auto cursor = uninitialized<std::int64_t, Memory>("dromos::ship::cursor", num_pieces_ * num);
    const auto host = Kokkos::create_mirror_view(cursor);
    for (int k = 0; k < num; ++k) {
      for (std::int64_t i = 0; i < num_pieces_; ++i) {
        host(k * num_pieces_ + i) = begin_((first + k) * num_pieces_ + i) + blocks[static_cast<std::size_t>(k)].offset;
      }
    }
    Kokkos::deep_copy(cursor, host);
    const Outgoing<T, Memory> outgoing{Kokkos::subview(room, Kokkos::make_pair(std::int64_t(0), total_size(blocks))),
                                       blocks};
    for_range("dromos::ship::write", space_, num_pieces_,
              WriteItems<T, PiecesOf<Any>, Memory>{{source, num_pieces_}, size_, first, num, cursor, outgoing.items});
    fence(space_, "dromos::ship::write");
    return outgoing;
  }

 private:
  Space space_;
  std::int64_t size_ = 0;  ///< of the source, in elements
  std::int64_t num_pieces_ = 0;
  /// begin_(bin * num_pieces_ + piece): the items of the bin in the pieces before.
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> begin_;
  std::vector<std::int64_t> sizes_;
};

template <class T, class Space, class Source>
Outgoing<T, typename Space::memory_space> sort_by_rank(const Space& space, int num_ranks, const Source& source) {
  return BinnedItems<Space, Source>(space, num_ranks, source).template write<T>(source, 0, num_ranks);
}

}  // namespace detail

/// What a rank was sent, by sender.
template <class T, class Memory>
struct Shipment {
  Kokkos::View<T*, Memory> items;
  std::vector<Block> blocks;  ///< from each rank, in its order
};

/// Sends every item of every rank's source to its rank. Collective.
///
/// Memory: the items once on the sender, beside its list, and once on the receiver.
template <class T, class Space, class Source>
Shipment<T, typename Space::memory_space> ship(const Communicator& communicator, const Space& space,
                                               const Source& source) {
  const ScopedRegion region("dromos::ship");
  const auto outgoing = detail::sort_by_rank<T>(space, communicator.size(), source);
  std::vector<std::int64_t> counts;
  for (const Block& block : outgoing.blocks) counts.push_back(block.size);
  if (communicator.size() == 1) return {outgoing.items, outgoing.blocks};
  Shipment<T, typename Space::memory_space> shipment;
  shipment.blocks = consecutive_blocks(exchange_counts(communicator, counts));
  shipment.items =
      detail::uninitialized<T, typename Space::memory_space>("dromos::ship::received", total_size(shipment.blocks));
  alltoallv(communicator, space, outgoing.items, outgoing.blocks, shipment.items, shipment.blocks);
  return shipment;
}

}  // namespace dromos
