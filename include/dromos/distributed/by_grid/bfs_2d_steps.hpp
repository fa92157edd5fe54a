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
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
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

/// What kernels tell the host.
enum RowCount { row_found, row_left, row_assigned, row_own_size, row_own_edges, num_row_counts };

/// The same, by teams of whole warps.
template <class Space, class Memory>
struct TakeFoundByWarps {
  TakeFoundWords<Memory> words;
  std::int64_t num_words;
  std::uint64_t* count;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    std::int64_t mine = 0;
    const std::int64_t stride = static_cast<std::int64_t>(team.league_size()) * team.team_size();
    std::int64_t w = static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank();
    for (; w < num_words; w += stride) words(w, mine);
    const unsigned long long of_warp = warp_sum(static_cast<unsigned long long>(mine));
    if (team.team_rank() % warp_width == 0 && of_warp != 0) {
      atomic_fetch_add(count, static_cast<std::uint64_t>(of_warp));
    }
  }
};

/// found = known & ~visited; returns how many. Waits, and reads `counts`, which are open.
template <class Space, class Memory>
std::int64_t take_found(const Space& space, const Bitmap<Memory>& known, const Bitmap<Memory>& visited,
                        const Bitmap<Memory>& found, DeviceCounts<Memory>& counts) {
  const auto to = found.words();
  const auto num_words = static_cast<std::int64_t>(to.extent(0));
  const TakeFoundWords<Memory> body{known.words(), visited.words(), to};
  std::int64_t size = 0;
  if constexpr (has_warps<Space>) {
    if (num_words > 0) {
      Kokkos::parallel_for("dromos::bfs_2d::take_found",
                           teams_of_warps(space, (num_words + warp_width - 1) / warp_width),
                           TakeFoundByWarps<Space, Memory>{body, num_words, counts.on_device().data() + row_found});
    }
    counts.read(space);
    size = static_cast<std::int64_t>(counts[row_found]);
  } else {
    reduce_range("dromos::bfs_2d::take_found", space, num_words, body, size);
    counts.read(space);
  }
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

/// The same in any order, where it is known how many they are. `counter` is work space. Does not wait on a GPU.
template <class Space, class Memory>
void gather_bits(const Space& space, const Bitmap<Memory>& bitmap, std::int64_t first_word, std::int64_t last_word,
                 std::int64_t first_id, const Kokkos::View<LocalId2d*, Memory>& list,
                 const Kokkos::View<unsigned long long*, Memory>& counter) {
  const BitmapWords<Memory> words = Kokkos::subview(bitmap.words(), Kokkos::make_pair(first_word, last_word));
  gather_words(space, words, BitmapWords<Memory>(), static_cast<LocalId2d>(first_id), list, counter);
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

  KOKKOS_FORCEINLINE_FUNCTION bool is_own(std::int64_t w) const { return w >= first_own_word && w < last_own_word; }
  /// The new vertices of a word are visited, and this rank's are assigned to it; adds to both counts.
  template <class Count>
  KOKKOS_FORCEINLINE_FUNCTION void take_word(std::int64_t w, std::uint32_t fresh, Count& num_assigned,
                                             Count& own_size) const {
    const auto now = visited.words()(w) | fresh;
    visited.words()(w) = now;
    known.words()(w) = now;
    const auto mine = found.words()(w) & ~prefix.words()(w);
    assigned.words()(w) |= mine;
    num_assigned += population_count(mine);
    if (is_own(w)) own_size += population_count(fresh);
  }
  /// Of a vertex of an own word.
  KOKKOS_FORCEINLINE_FUNCTION Offset own_degree(std::int64_t w, int bit) const {
    return degree((w - first_own_word) * Bitmap<Memory>::bits_per_word + bit);
  }
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
    row.take_word(w, fresh, assigned, own_size);
    for (auto rest = fresh; rest != 0; rest &= rest - 1) {
      const int bit = count_trailing_zeros(rest);
      row.level(w * Bitmap<Memory>::bits_per_word + bit) = level;
      if (row.is_own(w)) own_edges += row.own_degree(w, bit);
    }
  }
};

/// The same by teams of whole warps: a lane has a word of 32 of them, and then a vertex of each.
template <class Space, class Memory>
struct SettleByWarps {
  static constexpr int batch = 8;  // nobody waits for one degree before he asks for the next

  Agreement2d<Memory> row;
  Level level;
  std::int64_t num_words;
  std::uint64_t* counts;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    unsigned long long assigned = 0, own_size = 0, own_edges = 0;
    for_words_of_warp(team, (num_words + warp_width - 1) / warp_width, [&](std::int64_t tile, int lane) {
      const std::int64_t first = tile * warp_width, w = first + lane;
      const std::uint32_t fresh = w < num_words ? row.total.words()(w) : 0u;
      const std::uint32_t words = ballot(whole_warp, fresh != 0);
      if (words == 0) return;
      if (fresh != 0) row.take_word(w, fresh, assigned, own_size);
      for (int k = 0; k < warp_width; k += batch) {
        if ((words >> k & ((1u << batch) - 1u)) != 0) own_edges += take_vertices(first, lane, k, fresh);
      }
    });
    add(row_assigned, assigned, team.team_rank());
    add(row_own_size, own_size, team.team_rank());
    add(row_own_edges, own_edges, team.team_rank());
  }

 private:
  /// This lane's of words first + k and behind it; returns the arcs that leave them.
  KOKKOS_FORCEINLINE_FUNCTION unsigned long long take_vertices(std::int64_t first, int lane, int k,
                                                               std::uint32_t fresh) const {
    Offset degrees[batch] = {};
    unsigned long long edges = 0;
    for (int i = 0; i < batch; ++i) {
      if ((warp_broadcast(fresh, k + i) >> lane & 1u) == 0) continue;
      row.level((first + k + i) * warp_width + lane) = level;
      if (row.is_own(first + k + i)) degrees[i] = row.own_degree(first + k + i, lane);
    }
    for (int i = 0; i < batch; ++i) edges += static_cast<unsigned long long>(degrees[i]);
    return edges;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(RowCount which, unsigned long long of_lane, int rank) const {
    const unsigned long long of_warp = warp_sum(of_lane);
    if (rank % warp_width == 0 && of_warp != 0) {
      atomic_fetch_add(&counts[which], static_cast<std::uint64_t>(of_warp));
    }
  }
};

/// New vertices are visited, and of this level; and those that are this rank's become assigned to it. Waits.
template <class Space, class Memory>
AgreementCounts settle(const Space& space, const Agreement2d<Memory>& row, Level level,
                       [[maybe_unused]] DeviceCounts<Memory>& counts) {
  AgreementCounts agreed;
  const auto num_words = static_cast<std::int64_t>(row.total.words().extent(0));
  if constexpr (has_warps<Space>) {
    if (num_words == 0) return agreed;
    counts.open(space);
    Kokkos::parallel_for("dromos::bfs_2d::settle", teams_of_warps(space, (num_words + warp_width - 1) / warp_width),
                         SettleByWarps<Space, Memory>{row, level, num_words, counts.on_device().data()});
    counts.read(space);
    agreed.assigned = static_cast<std::int64_t>(counts[row_assigned]);
    agreed.own_size = static_cast<std::int64_t>(counts[row_own_size]);
    agreed.own_edges = static_cast<Offset>(counts[row_own_edges]);
  } else {
    Kokkos::parallel_reduce("dromos::bfs_2d::settle",
                            Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_words),
                            SettleWord<Memory>{row, level}, agreed.assigned, agreed.own_size, agreed.own_edges);
  }
  return agreed;
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

/// The same of the bits of a piece, in any order, by teams of whole warps: a lane has a word of 32, and then a vertex
/// of each of them.
template <class Space, class Memory>
struct PackPieceByWarps {
  BitmapWords<Memory> assigned;                        ///< of the piece
  Kokkos::View<const LocalId2d*, Memory> predecessor;  ///< of its vertices
  FoundParent* found;
  std::uint64_t* count;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    const auto num_words = static_cast<std::int64_t>(assigned.extent(0));
    for_words_of_warp(team, (num_words + warp_width - 1) / warp_width, [&](std::int64_t tile, int lane) {
      const std::int64_t w = tile * warp_width + lane;
      const std::uint32_t word = w < num_words ? assigned(w) : 0u;
      std::uint32_t words = ballot(whole_warp, word != 0);
      if (words == 0) return;
      const auto mine = static_cast<unsigned long long>(population_count(word));
      const unsigned long long before = warp_sum_before(mine, lane);
      unsigned long long begin = 0;
      if (lane == warp_width - 1) begin = atomic_fetch_add(count, static_cast<std::uint64_t>(before + mine));
      begin = warp_broadcast(begin, warp_width - 1);
      for (; words != 0; words &= words - 1) {
        const int k = count_trailing_zeros(words);
        const std::uint32_t bits = warp_broadcast(word, k);
        const unsigned long long to = begin + warp_broadcast(before, k);
        if ((bits >> lane & 1u) == 0) continue;
        const std::int64_t v = (tile * warp_width + k) * warp_width + lane;
        found[to + static_cast<unsigned long long>(votes_before(bits, lane))] = {
            static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(predecessor(v))};
      }
    });
  }
};

/// What each piece of the row is to be told, from its first vertex on; returns where and how many. Waits.
///
/// \param counts  one a column
template <class Space, class Memory>
std::vector<Block> pack_pieces(const Space& space, const Partition2d& partition, const Bitmap<Memory>& assigned,
                               const Kokkos::View<LocalId2d*, Memory>& predecessor,
                               const Kokkos::View<FoundParent*, Memory>& found, DeviceCounts<Memory>& counts) {
  const std::int64_t words = partition.words_per_piece(), block = partition.block();
  const int columns = partition.grid().columns();
  counts.open(space);
  for (int j = 0; j < columns && words > 0; ++j) {
    Kokkos::parallel_for("dromos::bfs_2d::pack_piece", teams_of_warps(space, (words + warp_width - 1) / warp_width),
                         PackPieceByWarps<Space, Memory>{
                             Kokkos::subview(assigned.words(), Kokkos::make_pair(j * words, (j + 1) * words)),
                             Kokkos::subview(predecessor, Kokkos::make_pair(j * block, (j + 1) * block)),
                             found.data() + j * block, counts.on_device().data() + j});
  }
  counts.read(space);
  std::vector<Block> blocks;
  for (int j = 0; j < columns; ++j) blocks.push_back({j * block, static_cast<std::int64_t>(counts[j])});
  return blocks;
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
