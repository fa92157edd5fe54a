// SPDX-License-Identifier: BSD-3-Clause
// Edges that are spread over the ranks in any way become rows: each arc travels once, to the owner of its source, as
// its 32-bit local number and the target's number, and rows are built there as on one node.
//
// On a GPU arcs travel as the keys that its builder sorts (graph/key_rows.hpp), and in turns: a range of each rank's
// sources after the other, so that outgoing and arrived arcs are never all there.
//
//   2 ranks, 4 vertices each, 2 turns    first the arcs of local vertices 0 and 1 of both ranks, then of 2 and 3
//
// Peak memory beside the edges there, of ids of 4 bytes: 4 bytes an arc that arrives, duplicates counted, and 16 for
// each of the largest turn, of four where there are many arcs; with weights 8 and 24.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/key_rows.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <dromos/graph/sorted_rows.hpp>
#include <dromos/graph/source_ranges.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace dromos::detail {

/// Have the edges weights? Throws ArgumentError on every rank where some ranks' edges have and others' have not.
inline bool agree_on_weights(const Communicator& communicator, Offset num_edges, bool weighted) {
  std::int64_t kinds[2] = {weighted ? 1 : 0, num_edges > 0 && !weighted ? 1 : 0};
  sum_in_place(communicator, kinds, 2);
  if (kinds[0] > 0 && kinds[1] > 0) {
    throw AgreedError<ArgumentError>("the edges of " + std::to_string(kinds[0]) + " ranks have weights, and those of " +
                                     std::to_string(kinds[1]) + " have none; all need weights, or none");
  }
  return kinds[0] > 0;
}

/// An arc on its way to the owner of its source.
template <class Vertex>
struct ShippedArc {
  std::uint32_t source;  // local to the receiver
  Vertex target;         // as the graph numbers them
};

/// Each edge of a slice as one arc or two, to the owners of their sources. `ids` numbers targets.
template <class Vertex, class Memory, class Partition, class Ids>
struct ArcsToOwners {
  Kokkos::View<const Vertex*, Memory> source, target;
  Partition partition;
  Ids ids;
  bool symmetrize, drop_self_loops;

  KOKKOS_FORCEINLINE_FUNCTION Vertex number(const Place& vertex) const {
    return static_cast<Vertex>(ids.id(vertex.rank, vertex.local));
  }
  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(source.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    arcs_of_edge(partition, source(i), target(i), symmetrize, drop_self_loops, [&](const Place& from, const Place& to) {
      f(from.rank, ShippedArc<Vertex>{static_cast<std::uint32_t>(from.local), number(to)});
    });
  }
};

/// The weights of the same arcs, to the same bins and in the same order.
template <class ToBins, class Memory>
struct WeightsToBins {
  ToBins edges;
  Kokkos::View<const float*, Memory> weight;

  KOKKOS_FUNCTION std::int64_t size() const { return edges.size(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    edges.items(i, [&](int bin, const auto&) { f(bin, weight(i)); });
  }
};

/// What arrived, as arcs of rows (graph/arcs.hpp).
template <class Vertex, class Memory>
struct ArrivedArcs {
  Kokkos::View<const ShippedArc<Vertex>*, Memory> arrived;

  KOKKOS_FUNCTION Offset size() const { return static_cast<Offset>(arrived.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const ShippedArc<Vertex> arc = arrived(i);
    f(static_cast<Vertex>(arc.source), arc.target, i);
  }
};

/// Ranges of local sources, the same on all ranks.
struct Turns {
  static constexpr int most = 64;
  int num = 1;
  std::int64_t end[most] = {};  ///< that of the last is of no meaning

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first(int turn) const { return turn == 0 ? 0 : end[turn - 1]; }
  KOKKOS_FORCEINLINE_FUNCTION int turn_of(std::int64_t local) const {
    int turn = 0;
    for (int t = 0; t + 1 < num; ++t) turn += local >= end[t];
    return turn;
  }
};

/// Arcs as keys, to a bin for each turn and rank.
template <class ToOwners>
struct KeysToBins {
  ToOwners edges;
  Turns turns;
  int num_ranks;
  int bits;  ///< of a target

  KOKKOS_FUNCTION std::int64_t size() const { return edges.size(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    edges.items(i, [&](int rank, const auto& arc) {
      const int turn = turns.turn_of(arc.source);
      const auto source = static_cast<std::uint64_t>(arc.source - turns.first(turn));
      f(turn * num_ranks + rank, source << bits | static_cast<std::uint64_t>(arc.target));
    });
  }
};

/// The local sources of arcs, for a sample of them.
template <class ToOwners, class Vertex>
struct LocalSources {
  ToOwners edges;

  KOKKOS_FUNCTION Offset size() const { return edges.size(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    edges.items(i, [&](int, const auto& arc) { f(static_cast<Vertex>(arc.source), Vertex(0), i); });
  }
};

/// Rows from arcs that travel as keys and in turns. Collective.
template <class Space, class Vertex, class Memory, class ToOwners>
class RowsInTurns {
 public:
  /// \param weight     of the edges, where they are `weighted`
  /// \param most_local  sources of all ranks are below
  RowsInTurns(const Communicator& communicator, const Space& space, const ToOwners& edges,
              const Kokkos::View<const float*, Memory>& weight, bool weighted, std::int64_t num_local,
              std::int64_t most_local, std::int64_t num_ids, SortRanges wanted = {})
      : communicator_(communicator),
        space_(space),
        weight_(weight),
        weighted_(weighted),
        num_local_(num_local),
        most_local_(most_local),
        num_ids_(num_ids),
        wanted_(wanted),
        keys_{edges, Turns(), communicator.size(), bits_for(num_ids)} {}

  void build(bool remove_duplicates, CsrGraph<Vertex, Memory>& graph) {
    const auto items = count();
    Rows rows(space_, num_local_, num_ids_, total_, weighted_, remove_duplicates, wanted_.available);
    append_turns(items, rows);  // whose memory is free before rows are copied that duplicates left
    on_all_ranks(communicator_, [&] { rows.finish(graph); });
  }

  int num_turns() const { return keys_.turns.num; }
  /// The arcs of this rank's largest turn.
  std::int64_t largest_turn() const { return largest_; }

 private:
  using Rows = KeyRows<Space, Vertex, Memory>;
  using Keys = KeysToBins<ToOwners>;

  void append_turns(const BinnedItems<Space, Keys>& items, Rows& rows) const {
    const auto room_for_keys = on_all_ranks(communicator_, [&] { return room<std::uint64_t>(); });
    const auto room_for_weights =
        on_all_ranks(communicator_, [&] { return weighted_ ? room<float>() : Room<float>(); });
    for (int turn = 0; turn < keys_.turns.num; ++turn) {
      const auto keys = send(items, keys_, turn, room_for_keys);
      const auto weights = weighted_ ? send(items, WeightsToBins<Keys, Memory>{keys_, weight_}, turn, room_for_weights)
                                     : SortBuffers<float, Memory>();
      const std::int64_t first = dromos::min(keys_.turns.first(turn), num_local_);
      const std::int64_t end =
          turn + 1 == keys_.turns.num ? num_local_ : dromos::min(keys_.turns.end[turn], num_local_);
      on_all_ranks(communicator_, [&] { rows.append(first, end, keys, weights); });
    }
  }

  /// Memory for the items of any turn, which they take one after the other: for those that leave, later the work space
  /// of the sort, and for those that arrive.
  template <class T>
  struct Room {
    Kokkos::View<T*, Memory> leaving, arriving;
  };
  template <class T>
  Room<T> room() const {
    return {uninitialized<T, Memory>("dromos::ship::outgoing", dromos::max(largest_, largest_leaving_)),
            uninitialized<T, Memory>("dromos::ship::received", largest_)};
  }

  /// The ends of so many ranges of local sources that have about as many arcs each on all ranks together.
  Turns choose_turns(const SourceSample<Vertex>& sample, int num_turns) const {
    Turns turns;
    turns.num = dromos::min(num_turns, Turns::most);
    const auto ends = sample.ends(turns.num, static_cast<Vertex>(most_local_));
    for (int t = 0; t < turns.num; ++t) turns.end[t] = ends[static_cast<std::size_t>(t)];
    return turns;
  }

  /// Counts the arcs of each turn, as many turns as a graph of this size has, and more while those do not fit.
  BinnedItems<Space, Keys> count() {
    SourceSample<Vertex> sample = on_all_ranks(
        communicator_, [&] { return SourceSample<Vertex>(space_, LocalSources<ToOwners, Vertex>{keys_.edges}); });
    sample = SourceSample<Vertex>(gather_values(communicator_, sample.quantiles(quantiles_of_rank)));
    const double arcs_of_rank = sample.num_arcs() / communicator_.size();
    int num_turns = arcs_of_rank < static_cast<double>(wanted_.least_arcs) ? 1 : wanted_.num_ranges;
    while (true) {
      keys_.turns = choose_turns(sample, num_turns);
      auto items = on_all_ranks(communicator_, [&] {
        return BinnedItems<Space, Keys>(space_, keys_.turns.num * communicator_.size(), keys_);
      });
      exchange_sizes(items.sizes());
      const double needed = Rows::row_bytes(num_local_, static_cast<double>(total_), weighted_) +
                            Rows::key_bytes(static_cast<double>(dromos::max(largest_, largest_leaving_)), weighted_);
      const auto room = static_cast<double>(wanted_.available != 0 ? wanted_.available : available_memory<Memory>());
      if (max<std::int64_t>(communicator_, needed > room ? 1 : 0) == 0) return items;
      num_turns *= 2;
      if (num_turns > dromos::min(wanted_.most_ranges, Turns::most)) {
        on_all_ranks(communicator_, [&] {
          if (needed > room) {
            throw MemoryError("building this rank's " + std::to_string(total_) + " arcs on this device",
                              static_cast<std::uint64_t>(needed), static_cast<std::uint64_t>(room));
          }
        });
      }
    }
  }

  /// \param sizes  of what this rank sends, by turn and rank
  void exchange_sizes(const std::vector<std::int64_t>& sizes) {
    const auto num_ranks = static_cast<std::size_t>(communicator_.size());
    const auto num_turns = static_cast<std::size_t>(keys_.turns.num);
    std::vector<std::int64_t> by_rank(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) by_rank[i % num_ranks * num_turns + i / num_ranks] = sizes[i];
    by_rank = exchange_counts(communicator_, by_rank);
    total_ = largest_ = largest_leaving_ = 0;
    arriving_.assign(num_turns, std::vector<std::int64_t>(num_ranks));
    for (std::size_t turn = 0; turn < num_turns; ++turn) {
      for (std::size_t r = 0; r < num_ranks; ++r) arriving_[turn][r] = by_rank[r * num_turns + turn];
      const std::int64_t of_turn = std::accumulate(arriving_[turn].begin(), arriving_[turn].end(), std::int64_t(0));
      total_ += of_turn;
      largest_ = dromos::max(largest_, of_turn);
      const auto begin = sizes.begin() + static_cast<std::ptrdiff_t>(turn * num_ranks);
      const std::int64_t leaving =
          std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(num_ranks), std::int64_t(0));
      largest_leaving_ = dromos::max(largest_leaving_, leaving);
    }
  }

  /// What arrives in a turn, and as much work space.
  template <class T, class Source>
  SortBuffers<T, Memory> send(const BinnedItems<Space, Keys>& items, const Source& source, int turn,
                              const Room<T>& room) const {
    const int num_ranks = communicator_.size();
    const auto outgoing =
        on_all_ranks(communicator_, [&] { return items.write(source, turn * num_ranks, num_ranks, room.leaving); });
    const auto arriving = consecutive_blocks(arriving_[static_cast<std::size_t>(turn)]);
    const auto part = Kokkos::make_pair(std::int64_t(0), total_size(arriving));
    const Kokkos::View<T*, Memory> left = Kokkos::subview(room.leaving, part);
    const Kokkos::View<T*, Memory> arrived = Kokkos::subview(room.arriving, part);
    if (num_ranks == 1) return {left, arrived};
    alltoallv(communicator_, space_, outgoing.items, outgoing.blocks, arrived, arriving);
    return {arrived, left};
  }

  static constexpr int quantiles_of_rank = 256;
  const Communicator& communicator_;
  const Space space_;
  const Kokkos::View<const float*, Memory> weight_;
  const bool weighted_;
  const std::int64_t num_local_, most_local_, num_ids_;
  const SortRanges wanted_;
  Keys keys_;
  std::vector<std::vector<std::int64_t>> arriving_;  ///< by turn, from each rank
  std::int64_t total_ = 0, largest_ = 0;             ///< arcs that arrive: of all turns, and of the largest
  std::int64_t largest_leaving_ = 0;                 ///< arcs that leave in a turn, at most
};

/// The rows that a rank owns, from the edges of all: each arc travels to the owner of its source. Collective.
///
/// \param ids  numbers targets: id(rank, local), each below `num_ids`
template <class Space, class Vertex, class Memory, class Partition, class Ids>
CsrGraph<Vertex, Memory> ship_rows(const Communicator& communicator, const Space& space,
                                   const EdgeList<Vertex, Memory>& edges, const BuildOptions& options,
                                   const Partition& partition, const Ids& ids, std::int64_t num_ids) {
  const bool weighted = agree_on_weights(communicator, edges.num_edges(), edges.weighted());
  using ToOwners = ArcsToOwners<Vertex, Memory, Partition, Ids>;
  const ToOwners to_owners{edges.source, edges.target, partition, ids, options.symmetrize, options.drop_self_loops};
  const std::int64_t num_local = partition.num_local(communicator.rank());
  CsrGraph<Vertex, Memory> rows;
  if constexpr (host_accessible<Memory>) {
    const auto arcs = ship<ShippedArc<Vertex>>(communicator, space, to_owners);
    Kokkos::View<const float*, Memory> weights;
    if (weighted) {
      weights = ship<float>(communicator, space, WeightsToBins<ToOwners, Memory>{to_owners, edges.weight}).items;
    }
    on_all_ranks(communicator, [&] {
      const RowOptions rows_options{options.sort_adjacencies || options.remove_duplicates, options.remove_duplicates};
      build_rows(space, num_local, ArrivedArcs<Vertex, Memory>{arcs.items}, weights, rows_options, rows);
      fence(space, "dromos::ship_rows");
    });
  } else {
    RowsInTurns<Space, Vertex, Memory, ToOwners>(communicator, space, to_owners, edges.weight, weighted, num_local,
                                                 partition.max_num_local(), num_ids)
        .build(options.remove_duplicates, rows);
  }
  rows.directed = !options.symmetrize;
  return rows;
}

}  // namespace dromos::detail
