// SPDX-License-Identifier: BSD-3-Clause
// Components across ranks: every rank has joined the vertices it sees, and vertices that several ranks see join what
// they are members of on each.
//
// A tree of a rank is called by the smallest number in it. Who has joined a copy to something tells its owner what the
// copy's tree is called, which makes a pair of names for one component; so do delegates, whose names all ranks hear.
// Pairs are few once each is there once: a table drops most of the repeated ones, all ranks get the rest, and link them
// in a forest over all vertex numbers, as the edges of a graph whose vertices are trees.
//
//   rank 0 sees 0-1, 1 is rank 1's        it tells rank 1 that 1 is in a tree called 0
//   rank 1 sees 1-2                       its own is called 1: the pair 0 1, so that 2 is in 0's component on rank 1
//
// Of trees that ranks have left out the edges of (distributed/parts/largest_trees.hpp) it is known that they are one
// component, and nobody tells of their members. An edge that leads out of such a tree has been looked at by the rank at
// its other end, which tells of this one. So where nearly all is one component, nearly nothing travels.
//
// Two exchanges, whatever the diameter of the graph. Memory: a vertex number for every vertex of the graph, on each
// rank.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/changed_values.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/generate/counter_random.hpp>
#include <limits>
#include <vector>

namespace dromos::detail {

/// Two names of one component.
template <class Global>
struct NamePair {
  Global a, b;
  KOKKOS_FUNCTION bool operator==(const NamePair& other) const { return a == other.a && b == other.b; }
};

/// A tree is called by its root's number, which is the smallest of its own vertices'; here by a delegate's, if that is
/// smaller still. (A copy's is looked after by its owner.)
template <class Global, class Memory>
struct NameByDelegates {
  ComponentForest<LocalVertex, Memory> forest;
  Kokkos::View<const Global*, Memory> numbers;
  Kokkos::View<Global*, Memory> name;
  LocalVertex first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex v = first + static_cast<LocalVertex>(i);
    const LocalVertex root = forest.find(v);
    if (atomic_load(&name(root)) > numbers(v)) atomic_fetch_min(&name(root), numbers(v));
  }
};

/// The root above a vertex, as a sum of one.
template <class Memory>
struct FindRoot {
  ComponentForest<LocalVertex, Memory> forest;
  LocalVertex vertex;
  KOKKOS_FUNCTION void operator()(std::int64_t, std::int64_t& root) const { root = forest.find(vertex); }
};

/// Do others have to hear of the i-th away vertex? Of the copies, who is not alone; of the delegates all; but nobody in
/// the tree that was left out.
template <class Memory>
struct IsTold {
  ComponentForest<LocalVertex, Memory> forest;
  LocalVertex first_away, first_copy, left_out;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(std::int64_t i) const {
    const LocalVertex v = first_away + static_cast<LocalVertex>(i);
    const LocalVertex root = forest.template find_flat<2>(v);  // copies are below own vertices
    return both(root != left_out, !both(root == v, v >= first_copy));
  }
};

template <class Global, class Memory>
struct TellNames {
  using Value = Global;
  ComponentForest<LocalVertex, Memory> forest;
  Kokkos::View<const Global*, Memory> name;
  KOKKOS_FUNCTION Global give(LocalVertex v) const { return name(forest.find(v)); }
};

/// Keeps what was told as pairs with what trees are called here.
template <class Global, class Memory>
struct KeepNewPairs {
  static constexpr std::int64_t last_number = std::numeric_limits<std::int32_t>::max();  // for nvcc no call
  TellNames<Global, Memory> here;
  ArrivedValues<Global, Memory> arrived;
  Kokkos::View<std::int32_t*, Memory> table;
  Kokkos::View<NamePair<Global>*, Memory> kept;
  Kokkos::View<std::int64_t, Memory> num_kept;

  KOKKOS_FUNCTION NamePair<Global> pair(std::int64_t i) const {
    return {arrived.items(i).value, here.give(arrived.vertex(i))};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const NamePair<Global> mine = pair(i);
    if (mine.a == mine.b) return;
    const std::uint64_t mixed =
        mix_bits(static_cast<std::uint64_t>(mine.a) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(mine.b));
    std::int32_t* const slot = &table.data()[mixed & (table.extent(0) - 1)];
    std::int32_t there = atomic_load(slot);
    if (there < 0 && i <= last_number) {
      there = Kokkos::atomic_compare_exchange(slot, std::int32_t(-1), static_cast<std::int32_t>(i));
    }
    if (there >= 0 && there != i && pair(there) == mine) return;
    kept(atomic_fetch_add(num_kept.data(), std::int64_t(1))) = mine;
  }
};

/// The forest over all vertex numbers. Those of which no pair speaks are not in it: no_vertex.
template <class Global, class Memory>
struct PlantPairs {
  Kokkos::View<const NamePair<Global>*, Memory> pairs;
  Kokkos::View<Global*, Memory> parent;
  bool in;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    plant(pairs(i).a);
    plant(pairs(i).b);
  }
  KOKKOS_FUNCTION void plant(Global name) const { atomic_store(&parent(name), in ? name : Global(no_vertex<Global>)); }
};
template <class Global, class Memory>
struct LinkPairs {
  Kokkos::View<const NamePair<Global>*, Memory> pairs;
  ComponentForest<Global, Memory> forest;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { forest.link(pairs(i).a, pairs(i).b); }
};
/// Trees get the names that they have after all: those that are called by an own vertex, by way of the pairs that speak
/// of them, ...
template <class Global, class Memory>
struct RenameOwnTrees {
  Kokkos::View<const NamePair<Global>*, Memory> pairs;
  ComponentForest<Global, Memory> names;
  Partition1d partition;
  int rank;
  Kokkos::View<Global*, Memory> label;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    rename(pairs(i).a);
    rename(pairs(i).b);
  }
  KOKKOS_FUNCTION void rename(Global name) const {
    const Place place = partition.place(name);
    if (place.rank == rank) atomic_store(&label(place.local), names.find(name));
  }
};
/// ... and those with delegates, by which they may be called.
template <class Global, class Memory>
struct RenameTreesOfDelegates {
  ComponentForest<LocalVertex, Memory> forest;
  ComponentForest<Global, Memory> names;
  LocalVertex first;
  Kokkos::View<Global*, Memory> label;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Global* const label_of_tree = &label(forest.find(first + static_cast<LocalVertex>(i)));
    const Global name = atomic_load(label_of_tree);
    if (names.parent(name) != Global(no_vertex<Global>)) atomic_store(label_of_tree, names.find(name));
  }
};
/// Every vertex gets the name of its tree.
template <class Global, class Memory>
struct NameMembers {
  ComponentForest<LocalVertex, Memory> forest;
  Kokkos::View<Global*, Memory> label;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    atomic_store(&label(v), atomic_load(&label(forest.find_flat(static_cast<LocalVertex>(v)))));
  }
};

/// What merging works in, reused from call to call.
template <class Global, class Memory>
struct MergeBuffers {
  /// A vertex number for each vertex of the graph; no_vertex between two calls. Made on first use.
  Kokkos::View<Global*, Memory> parent;
  ReusedBuffer<Memory> table, kept, pairs;
};

/// The pairs of what was told to all ranks, on all ranks, and those of the trees that ranks have left out, each called
/// `left_out` on its rank (no_vertex: none was). Collective.
template <class Space, class Global, class Memory>
Kokkos::View<NamePair<Global>*, Memory> gather_pairs(const Communicator& communicator, const Space& space,
                                                     const TellNames<Global, Memory>& here,
                                                     const ArrivedValues<Global, Memory>& arrived, Global left_out,
                                                     MergeBuffers<Global, Memory>& buffers) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Pair = NamePair<Global>;
  std::int64_t table_size = 64;
  while (table_size < arrived.size() && table_size < (1 << 20)) table_size *= 2;
  const auto table = buffers.table.template of<std::int32_t>(table_size);
  Kokkos::deep_copy(space, table, -1);
  const auto kept = buffers.kept.template of<Pair>(arrived.size());
  const Kokkos::View<std::int64_t, Memory> num_kept("dromos::merge_components::num_kept");
  Kokkos::parallel_for("dromos::merge_components::keep", Range(space, 0, arrived.size()),
                       KeepNewPairs<Global, Memory>{here, arrived, table, kept, num_kept});
  fence(space, "dromos::merge_components::keep");
  std::int64_t mine = 0;
  Kokkos::deep_copy(mine, num_kept);
  const auto known = gather_values(communicator, std::vector<std::int64_t>{mine, static_cast<std::int64_t>(left_out)});
  std::vector<std::int64_t> counts;
  std::vector<Pair> of_left_out;
  for (std::size_t i = 0; i < known.size(); i += 2) {
    counts.push_back(known[i]);
    const auto name = static_cast<Global>(known[i + 1]);
    if (name == Global(no_vertex<Global>)) continue;
    of_left_out.push_back({name, of_left_out.empty() ? name : of_left_out.front().a});
  }
  const auto from = consecutive_blocks(counts);
  const std::int64_t num_told = total_size(from), num_all = num_told + static_cast<std::int64_t>(of_left_out.size());
  const auto pairs = buffers.pairs.template of<Pair>(num_all);
  if (num_told > 0) allgatherv(communicator, space, kept, mine, pairs, from);
  const Kokkos::View<const Pair*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> on_host(
      of_left_out.data(), of_left_out.size());
  if (!of_left_out.empty()) {
    Kokkos::deep_copy(Kokkos::subview(pairs, Kokkos::make_pair(num_told, num_all)), on_host);
  }
  return pairs;
}

/// label(v) = the smallest vertex number in v's component of the whole graph, for every vertex with a row. Collective.
///
/// \param forest    of all local vertices: each edge of this rank is inside of a tree, but for edges of `left_out`
/// \param left_out  a vertex of a tree that agree_on_trees() has allowed to leave out edges of; no_vertex: none
template <class Space, class Global, class Memory>
void merge_components(const Communicator& communicator, const Space& space, const GraphPart<Global, Memory>& part,
                      const ComponentForest<LocalVertex, Memory>& forest, LocalVertex left_out,
                      ChangedValues<Global, Memory>& changes, MergeBuffers<Global, Memory>& buffers,
                      const Kokkos::View<Global*, Memory>& label) {
  const ScopedRegion region("dromos::merge_components");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const auto num_rows = static_cast<LocalVertex>(part.num_rows());
  const auto first_away = static_cast<LocalVertex>(part.num_own);
  const auto rows = Kokkos::make_pair(std::int64_t(0), part.num_rows());
  Kokkos::deep_copy(space, Kokkos::subview(label, rows), Kokkos::subview(part.numbers, rows));
  Kokkos::parallel_for("dromos::merge_components::delegates", Range(space, 0, part.num_delegates),
                       NameByDelegates<Global, Memory>{forest, part.numbers, label, first_away});
  std::int64_t root = no_vertex<LocalVertex>;
  Global name_left_out = no_vertex<Global>;
  if (left_out != no_vertex<LocalVertex>) {
    Kokkos::parallel_reduce("dromos::merge_components::left_out", Range(space, 0, 1),
                            FindRoot<Memory>{forest, left_out}, root);
    fence(space, "dromos::merge_components::left_out");
    Kokkos::deep_copy(name_left_out, Kokkos::subview(label, root));
  }
  write_bits("dromos::merge_components::mark", space, changes.changed().words().data(),
             part.num_delegates + part.num_copies,
             IsTold<Memory>{forest, first_away, num_rows, static_cast<LocalVertex>(root)});
  const TellNames<Global, Memory> here{forest, label};
  SweptByRanks none;
  const auto arrived = changes.exchange(communicator, space, part, here, none);
  const auto pairs = gather_pairs(communicator, space, here, arrived, name_left_out, buffers);
  const auto num_pairs = static_cast<std::int64_t>(pairs.extent(0));
  auto& parent = buffers.parent;
  if (num_pairs > 0 && static_cast<std::int64_t>(parent.extent(0)) != part.num_vertices()) {
    parent = uninitialized<Global, Memory>("dromos::merge_components::parent", part.num_vertices());
    Kokkos::deep_copy(space, parent, Global(no_vertex<Global>));
  }
  const ComponentForest<Global, Memory> names{parent};
  const Range each_pair(space, 0, num_pairs);
  Kokkos::parallel_for("dromos::merge_components::plant", each_pair, PlantPairs<Global, Memory>{pairs, parent, true});
  Kokkos::parallel_for("dromos::merge_components::link", each_pair, LinkPairs<Global, Memory>{pairs, names});
  Kokkos::parallel_for("dromos::merge_components::rename", each_pair,
                       RenameOwnTrees<Global, Memory>{pairs, names, part.partition, part.rank, label});
  Kokkos::parallel_for("dromos::merge_components::rename_delegates",
                       Range(space, 0, num_pairs > 0 ? part.num_delegates : 0),
                       RenameTreesOfDelegates<Global, Memory>{forest, names, first_away, label});
  Kokkos::parallel_for("dromos::merge_components::members", Range(space, 0, num_rows),
                       NameMembers<Global, Memory>{forest, label});
  Kokkos::parallel_for("dromos::merge_components::clear", each_pair, PlantPairs<Global, Memory>{pairs, parent, false});
  fence(space, "dromos::merge_components");
}

}  // namespace dromos::detail
