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
#include <string>
#include <vector>

namespace dromos {

namespace detail {

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

template <class T, class Pieces, class Memory>
struct CountItems {
  Pieces pieces;
  std::int64_t size;
  Kokkos::View<std::int64_t*, Memory> cursor;
  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t* const counts = cursor.data() + piece;
    pieces.items(piece, size, [&](int rank, const T&) { ++counts[rank * pieces.num_pieces]; });
  }
};

template <class T, class Pieces, class Memory>
struct WriteItems {
  Pieces pieces;
  std::int64_t size;
  Kokkos::View<std::int64_t*, Memory> cursor;
  Kokkos::View<T*, Memory> items;
  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t* const cursors = cursor.data() + piece;
    pieces.items(piece, size,
                 [&](int rank, const T& item) { items.data()[cursors[rank * pieces.num_pieces]++] = item; });
  }
};

template <class T, class Space, class Source>
Outgoing<T, typename Space::memory_space> sort_by_rank(const Space& space, int num_ranks, const Source& source) {
  using Memory = typename Space::memory_space;
  constexpr int width = has_warps<Space> ? warp_width : 1;
  using Pieces = SourcePieces<Source, width>;
  const std::int64_t size = Pieces::num_elements(source);
  // Pieces: enough for all threads, large enough that their counters are few beside the items.
  const std::int64_t most = is_gpu<Space> ? 1 << 15 : 16 * space.concurrency();
  const std::int64_t num_pieces = dromos::min<std::int64_t>(most / width, size / (64 * width) + 1) * width;
  const Pieces pieces{source, num_pieces};
  const std::int64_t stride = num_pieces;
  // cursor(r * stride + piece): how many items of the piece go to rank r, then where the first of them goes.
  const Kokkos::View<std::int64_t*, Memory> cursor("dromos::ship::cursor", stride * num_ranks);
  for_range("dromos::ship::count", space, num_pieces, CountItems<T, Pieces, Memory>{pieces, size, cursor});
  fence(space, "dromos::ship::count");

  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cursor);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(num_ranks), 0);
  std::int64_t total = 0;
  for (int r = 0; r < num_ranks; ++r) {
    const std::int64_t begin = total;
    for (std::int64_t piece = 0; piece < num_pieces; ++piece) {
      const std::int64_t count = host(r * stride + piece);
      host(r * stride + piece) = total;
      total += count;
    }
    counts[r] = total - begin;
  }
  Kokkos::deep_copy(cursor, host);

  Outgoing<T, Memory> outgoing{uninitialized<T, Memory>("dromos::ship::outgoing", total), consecutive_blocks(counts)};
  for_range("dromos::ship::write", space, num_pieces,
            WriteItems<T, Pieces, Memory>{pieces, size, cursor, outgoing.items});
  fence(space, "dromos::ship::write");
  return outgoing;
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
  Shipment<T, typename Space::memory_space> shipment;
  shipment.blocks = consecutive_blocks(exchange_counts(communicator, counts));
  shipment.items =
      detail::uninitialized<T, typename Space::memory_space>("dromos::ship::received", total_size(shipment.blocks));
  alltoallv(communicator, space, outgoing.items, outgoing.blocks, shipment.items, shipment.blocks);
  return shipment;
}

}  // namespace dromos
