// SPDX-License-Identifier: BSD-3-Clause
// The steps of a search on a grid that a rank does alone: operators of its sweeps, and passes over bitmaps.
//
// A rank keeps three bitmaps of its row's vertices. `visited` is what the row agreed on. `known` is a copy that the
// sweep of a level sets bits in, so that an edge costs a test of one bitmap; afterwards known & ~visited is what the
// rank found (Out in the paper), and the next agreement makes both equal again. `assigned` has the vertices whose
// parent is this rank's to tell.
//
//   visited 0011   the sweep makes known 1011: found 1000   the row found 1100: visited = known = 1111
//
// Passes go over words of 32 vertices; only bits that are set cost more.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_grid/bfs_2d_contraction.hpp>
#include <dromos/distributed/by_grid/graph_2d.hpp>
#include <dromos/traverse/compact.hpp>
#include <vector>

namespace dromos::detail {

using LocalId2d = Partition2d::LocalId;

/// Notes who found a vertex, where that is wanted. One thread per vertex is told that it found it.
template <class Memory>
struct NotePredecessor {
  Kokkos::View<LocalId2d*, Memory> predecessor;  ///< empty: not wanted

  KOKKOS_FORCEINLINE_FUNCTION void note(LocalId2d v, LocalId2d u) const {
    if (predecessor.data() != nullptr) predecessor.data()[v] = u;
  }
};

/// Forward: targets of the frontier become known.
template <class Memory>
struct DiscoverTargets {
  Bitmap<Memory> known;
  NotePredecessor<Memory> notes;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(LocalId2d, LocalId2d v, Offset) const { return !known.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(LocalId2d, LocalId2d v, Offset) const { return known.claim(v); }
  KOKKOS_FORCEINLINE_FUNCTION void joined(LocalId2d u, LocalId2d v) const { notes.note(v, u); }
};

/// Backward: an unvisited vertex becomes known when one of its sources is in the frontier.
template <class Memory>
struct FindSourceInFrontier {
  Bitmap<Memory> frontier;
  NotePredecessor<Memory> notes;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(LocalId2d, LocalId2d source) const { return frontier.test(source); }
  KOKKOS_FORCEINLINE_FUNCTION void found(LocalId2d v, LocalId2d source) const { notes.note(v, source); }
};

/// After the search: a source one level above is a parent.
template <class Memory>
struct FindPredecessor {
  Kokkos::View<const Level*, Memory> in_level, out_level;
  NotePredecessor<Memory> notes;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(LocalId2d v, LocalId2d source) const {
    return in_level.data()[source] + 1 == out_level.data()[v];
  }
  KOKKOS_FORCEINLINE_FUNCTION void found(LocalId2d v, LocalId2d source) const { notes.note(v, source); }
};

template <class Memory>
struct TakeFoundWords {
  BitmapWords<Memory> all, before, to;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& count) const {
    const auto word = all(w) & ~before(w);
    to(w) = word;
    count += population_count(word);
  }
};

/// found = known & ~visited; returns how many. Waits.
template <class Space, class Memory>
std::int64_t take_found(const Space& space, const Bitmap<Memory>& known, const Bitmap<Memory>& visited,
                        const Bitmap<Memory>& found) {
  const auto to = found.words();
  std::int64_t size = 0;
  reduce_range("dromos::bfs_2d::take_found", space, to.extent(0),
               TakeFoundWords<Memory>{known.words(), visited.words(), to}, size);
  return size;
}

/// Lists the bits of words first_word .. last_word - 1, ascending, the first of which is called `first_id`; `list` has
/// room for them. Returns how many. Waits.
template <class Space, class Memory>
std::int64_t list_bits(const Space& space, const Bitmap<Memory>& bitmap, std::int64_t first_word,
                       std::int64_t last_word, std::int64_t first_id, const Kokkos::View<LocalId2d*, Memory>& list) {
  const BitmapWords<Memory> words = Kokkos::subview(bitmap.words(), Kokkos::make_pair(first_word, last_word));
  return compact_words(space, words, BitmapWords<Memory>(), static_cast<LocalId2d>(first_id), list);
}

/// level(v) = value for each v of the list.
template <class Space, class Memory>
void set_levels_of_list(const Space& space, const Kokkos::View<LocalId2d*, Memory>& list, std::int64_t size,
                        const Kokkos::View<Level*, Memory>& level, Level value) {
  store_listed("dromos::bfs_2d::set_levels_of_list", space, list, size, level, value);
}

template <class Memory>
struct SetLevelsOfWord {
  BitmapWords<Memory> words;
  Kokkos::View<Level*, Memory> level;
  Level value;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    for (auto rest = words(w); rest != 0; rest &= rest - 1) {
      level(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest)) = value;
    }
  }
};

/// level(v) = value for each v of the bitmap.
template <class Space, class Memory>
void set_levels_of_bitmap(const Space& space, const Bitmap<Memory>& bitmap, const Kokkos::View<Level*, Memory>& level,
                          Level value) {
  const auto words = bitmap.words();
  for_range("dromos::bfs_2d::set_levels_of_bitmap", space, words.extent(0),
            SetLevelsOfWord<Memory>{words, level, value});
}

/// What the row agreed on, as one rank sees it: all bitmaps are of the row's vertices.
template <class Memory>
struct Agreement2d {
  Bitmap<Memory> found;   ///< this rank's
  Bitmap<Memory> prefix;  ///< that of ranks further left
  Bitmap<Memory> total;   ///< all ranks'
  Bitmap<Memory> visited, known, assigned;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<const Offset*, Memory> degree;  ///< of the vertices of the rank's own piece
  std::int64_t first_own_word, last_own_word;
};

struct AgreementCounts {
  std::int64_t assigned = 0;
  std::int64_t own_size = 0;  ///< new vertices of the own piece
  Offset own_edges = 0;       ///< arcs that leave them
};

template <class Memory>
struct SettleWord {
  Agreement2d<Memory> row;
  Level level;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& assigned, std::int64_t& own_size,
                                  Offset& own_edges) const {
    const auto fresh = row.total.words()(w);
    if (fresh == 0) return;
    const auto visited = row.visited.words()(w) | fresh;
    row.visited.words()(w) = visited;
    row.known.words()(w) = visited;
    const auto mine = row.found.words()(w) & ~row.prefix.words()(w);
    row.assigned.words()(w) |= mine;
    assigned += population_count(mine);
    const bool own = w >= row.first_own_word && w < row.last_own_word;
    if (own) own_size += population_count(fresh);
    for (auto rest = fresh; rest != 0; rest &= rest - 1) {
      const std::int64_t bit = count_trailing_zeros(rest);
      row.level(w * Bitmap<Memory>::bits_per_word + bit) = level;
      if (own) own_edges += row.degree((w - row.first_own_word) * Bitmap<Memory>::bits_per_word + bit);
    }
  }
};

/// New vertices are visited, and of this level; and those that are this rank's become assigned to it. Waits.
template <class Space, class Memory>
AgreementCounts settle(const Space& space, const Agreement2d<Memory>& row, Level level) {
  AgreementCounts counts;
  Kokkos::parallel_reduce("dromos::bfs_2d::settle",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                              space, 0, static_cast<std::int64_t>(row.total.words().extent(0))),
                          SettleWord<Memory>{row, level}, counts.assigned, counts.own_size, counts.own_edges);
  return counts;
}

template <class Vertex, class Memory>
struct SettleRoot {
  Agreement2d<Memory> row;
  bool in_row, in_column;
  LocalId2d out, in;
  std::int64_t local;
  Vertex root;
  Kokkos::View<Level*, Memory> in_level;
  Kokkos::View<LocalId2d*, Memory> frontier;
  Kokkos::View<Vertex*, Memory> parent;

  KOKKOS_FUNCTION void operator()(std::int64_t, Offset& sum) const {
    if (in_row) {
      row.visited.set(out);
      row.known.set(out);
      row.level(out) = 0;
    }
    if (in_column) {
      if (in_level.extent(0) != 0) in_level(in) = 0;
      frontier(0) = in;
    }
    if (in_row && in_column) {
      parent(local) = root;
      sum += row.degree(local);
    }
  }
};

/// The root is visited, at level 0: what each rank of its row, of its column, and its owner note. Returns the arcs that
/// leave it, on its owner, and 0 elsewhere. `in_level` may be empty. Waits.
template <class Space, class Vertex, class Memory>
Offset settle_root(const Space& space, const Graph2d<Memory>& graph, Vertex root, const Agreement2d<Memory>& row,
                   const Kokkos::View<Level*, Memory>& in_level, const Kokkos::View<LocalId2d*, Memory>& frontier,
                   const Kokkos::View<Vertex*, Memory>& parent) {
  const Place place = graph.partition.place(root);
  const ProcessGrid& grid = graph.partition.grid();
  const LocalId2d out = graph.partition.out_id(place);
  const LocalId2d in = graph.partition.in_id(place);
  Offset edges = 0;
  reduce_range(
      "dromos::bfs_2d::root", space, 1,
      SettleRoot<Vertex, Memory>{row, grid.row(place.rank) == graph.row(), grid.column(place.rank) == graph.column(),
                                 out, in, place.local, root, in_level, frontier, parent},
      edges);
  return edges;
}

/// What the owner of a vertex is told by the rank that it was assigned to.
struct FoundParent {
  std::uint32_t vertex;  ///< the owner's local number
  std::uint32_t parent;  ///< its in id in the sender's column
};

template <class Memory>
struct PackParents {
  Kokkos::View<const LocalId2d*, Memory> list, predecessor;
  std::int64_t block;
  Kokkos::View<FoundParent*, Memory> found;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalId2d v = list(i);
    found(i) = {static_cast<std::uint32_t>(v % block), static_cast<std::uint32_t>(predecessor(v))};
  }
};

/// found(i) says what the predecessor of list(i) is.
template <class Space, class Memory>
void pack_parents(const Space& space, const Partition2d& partition, const Kokkos::View<LocalId2d*, Memory>& list,
                  std::int64_t size, const Kokkos::View<LocalId2d*, Memory>& predecessor,
                  const Kokkos::View<FoundParent*, Memory>& found) {
  for_range("dromos::bfs_2d::pack_parents", space, size,
            PackParents<Memory>{list, predecessor, partition.block(), found});
}

template <class Memory>
struct FindPieceBegin {
  Kokkos::View<const LocalId2d*, Memory> list;
  std::int64_t size, block;
  Kokkos::View<std::int64_t*, Memory> begin;
  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    std::int64_t low = 0;  // all before it are smaller than j * block
    for (std::int64_t high = size; low < high;) {
      const std::int64_t middle = (low + high) / 2;
      if (list(middle) < j * block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    begin(j) = low;
  }
};

/// Where in an ascending list the vertices of each piece of the row lie.
template <class Space, class Memory>
std::vector<Block> piece_blocks(const Space& space, const Partition2d& partition,
                                const Kokkos::View<LocalId2d*, Memory>& list, std::int64_t size) {
  const int columns = partition.grid().columns();
  const Kokkos::View<std::int64_t*, Memory> begin("dromos::bfs_2d::piece_begin", columns);
  for_range("dromos::bfs_2d::piece_begin", space, columns,
            FindPieceBegin<Memory>{list, size, partition.block(), begin});
  fence(space, "dromos::bfs_2d::piece_begin");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), begin);
  std::vector<Block> blocks;
  for (int j = 0; j < columns; ++j) {
    const std::int64_t end = j + 1 < columns ? host(j + 1) : size;
    blocks.push_back({host(j), end - host(j)});
  }
  return blocks;
}

template <class Vertex, class Memory>
struct TakeParents {
  Partition2d partition;
  int column;
  Kokkos::View<const FoundParent*, Memory> told;
  Kokkos::View<Vertex*, Memory> parent;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    parent(told(i).vertex) =
        static_cast<Vertex>(partition.vertex_of_in(column, static_cast<LocalId2d>(told(i).parent)));
  }
};

/// Parents as global ids, from what the rank of this column told.
template <class Space, class Vertex, class Memory>
void take_parents(const Space& space, const Partition2d& partition, int column,
                  const Kokkos::View<FoundParent*, Memory>& told, const Block& block,
                  const Kokkos::View<Vertex*, Memory>& parent) {
  for_range("dromos::bfs_2d::take_parents", space, {block.offset, block.offset + block.size},
            TakeParents<Vertex, Memory>{partition, column, told, parent});
}

}  // namespace dromos::detail
