// SPDX-License-Identifier: BSD-3-Clause
// Components across ranks: every rank has joined the vertices it sees, and vertices that several ranks see join what
// they are members of on each.
//
// A component of a rank is called by the smallest number in it. For each copy its owner learns how the copy's component
// is called there, which makes a pair of names for one component; so do delegates. Pairs are few once each is there
// once: a table drops most of the repeated ones, all ranks get the rest, and link them in a forest over all vertex
// numbers, as the edges of a graph whose vertices are components.
//
//   rank 0 sees 0-1, 1 is rank 1's        its component of 1 is called 0
//   rank 1 sees 1-2                       its own is called 1: the pair 0 1, so that 2 is in 0's component on rank 1
//
// One exchange and one gathering, whatever the diameter of the graph. Memory: a vertex number for every vertex of the
// graph, on each rank.
//
// Before, while ranks have looked at few edges, they agree on a component to leave out the other edges of: each names
// its largest tree, and where a copy in one rank's is in its owner's as well, the two are of one component.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/component_forest.hpp>
#include <dromos/algorithms/component_summary.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/unite_pieces.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/traverse/gather.hpp>
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
  Kokkos::View<const LocalVertex*, Memory> root;
  Kokkos::View<const Global*, Memory> numbers;
  Kokkos::View<Global*, Memory> name;
  std::int64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const LocalVertex r = root(first + k);
    if (atomic_load(&name(r)) > numbers(first + k)) Kokkos::atomic_fetch_min(&name(r), numbers(first + k));
  }
};
template <class Global, class Memory>
struct NameMembers {
  Kokkos::View<const LocalVertex*, Memory> root;
  Kokkos::View<Global*, Memory> name;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const LocalVertex r = root(v);
    if (r != v) name(v) = name(r);
  }
};

/// Candidates: own vertices with the names of their copies, then delegates with their smallest names.
template <class Global, class Memory>
struct KeepNewPairs {
  Kokkos::View<const Global*, Memory> name;
  Kokkos::View<const Global*, Memory> of_copies;
  Kokkos::View<const LocalVertex*, Memory> lent_vertices;
  Kokkos::View<const Global*, Memory> of_delegates;
  std::int64_t num_lent, first_delegate;
  Kokkos::View<std::int32_t*, Memory> table;
  Kokkos::View<NamePair<Global>*, Memory> kept;
  Kokkos::View<std::int64_t, Memory> num_kept;

  KOKKOS_FUNCTION NamePair<Global> pair(std::int64_t i) const {
    if (i < num_lent) return {of_copies(i), name(lent_vertices(i))};
    const std::int64_t k = i - num_lent;
    return {of_delegates(k), name(first_delegate + k)};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const NamePair<Global> mine = pair(i);
    if (mine.a == mine.b) return;
    const std::uint64_t mixed =
        mix_bits(static_cast<std::uint64_t>(mine.a) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(mine.b));
    std::int32_t* const slot = &table.data()[mixed & (table.extent(0) - 1)];
    std::int32_t there = atomic_load(slot);
    if (there < 0 && i <= std::numeric_limits<std::int32_t>::max()) {
      there = Kokkos::atomic_compare_exchange(slot, std::int32_t(-1), static_cast<std::int32_t>(i));
    }
    if (there >= 0 && there != i && pair(there) == mine) return;
    kept(Kokkos::atomic_fetch_add(num_kept.data(), std::int64_t(1))) = mine;
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
template <class Global, class Memory>
struct Rename {
  ComponentForest<Global, Memory> forest;
  Kokkos::View<Global*, Memory> name;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Global mine = name(v);
    if (forest.parent(mine) != Global(no_vertex<Global>)) name(v) = forest.find(mine);
  }
};

/// What merging works in, reused from call to call.
template <class Global, class Memory>
struct MergeBuffers {
  /// A vertex number for each vertex of the graph; no_vertex between two calls. Made on first use.
  Kokkos::View<Global*, Memory> parent;
  ReusedBuffer<Memory> of_copies, of_delegates, pieces, table, kept, pairs;
};

/// label(v) = the smallest vertex number in v's component of the whole graph, for every vertex with a row. Collective.
///
/// \param root  of every local vertex, its root in this rank's forest
template <class Space, class Global, class Memory>
void merge_components(const Communicator& communicator, const Space& space, const GraphPart<Global, Memory>& part,
                      const Kokkos::View<LocalVertex*, Memory>& root, MergeBuffers<Global, Memory>& buffers,
                      const Kokkos::View<Global*, Memory>& label) {
  const ScopedRegion region("dromos::merge_components");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Pair = NamePair<Global>;
  const Range all(space, 0, part.num_local());
  Kokkos::deep_copy(space, label, part.numbers);
  Kokkos::parallel_for("dromos::merge_components::delegates", Range(space, 0, part.num_delegates),
                       NameByDelegates<Global, Memory>{root, part.numbers, label, part.num_own});
  Kokkos::parallel_for("dromos::merge_components::members", all, NameMembers<Global, Memory>{root, label});

  const std::int64_t num_lent = static_cast<std::int64_t>(part.lent_vertices.extent(0));
  const auto of_copies = buffers.of_copies.template of<Global>(num_lent);
  std::vector<Block> copies;
  for (const Block& block : part.copies) copies.push_back({part.num_rows() + block.offset, block.size});
  alltoallv(communicator, space, label, copies, of_copies, part.lent);
  const std::int64_t d = part.num_delegates;
  const auto of_delegates = buffers.of_delegates.template of<Global>(d);
  if (d > 0) {
    const Kokkos::View<Global*, Memory> own = Kokkos::subview(label, Kokkos::make_pair(part.num_own, part.num_own + d));
    unite_pieces<Smallest<Global>>(communicator, space, own, d, buffers.pieces, of_delegates);
  }

  std::int64_t table_size = 64;
  while (table_size < num_lent + d && table_size < (1 << 20)) table_size *= 2;
  const auto table = buffers.table.template of<std::int32_t>(table_size);
  Kokkos::deep_copy(space, table, -1);
  const auto kept = buffers.kept.template of<Pair>(num_lent + d);
  const Kokkos::View<std::int64_t, Memory> num_kept("dromos::merge_components::num_kept");
  Kokkos::parallel_for("dromos::merge_components::keep", Range(space, 0, num_lent + d),
                       KeepNewPairs<Global, Memory>{label, of_copies, part.lent_vertices, of_delegates, num_lent,
                                                    part.num_own, table, kept, num_kept});
  fence(space, "dromos::merge_components::keep");
  std::int64_t mine = 0;
  Kokkos::deep_copy(mine, num_kept);
  const auto from = consecutive_blocks(gather_counts(communicator, mine));
  const std::int64_t num_pairs = total_size(from);
  if (num_pairs == 0) return;
  const auto pairs = buffers.pairs.template of<Pair>(num_pairs);
  allgatherv(communicator, space, kept, mine, pairs, from);

  auto& parent = buffers.parent;
  if (static_cast<std::int64_t>(parent.extent(0)) != part.num_vertices()) {
    parent = uninitialized<Global, Memory>("dromos::merge_components::parent", part.num_vertices());
    Kokkos::deep_copy(space, parent, Global(no_vertex<Global>));
  }
  const ComponentForest<Global, Memory> forest{parent};
  const Range each_pair(space, 0, num_pairs);
  Kokkos::parallel_for("dromos::merge_components::plant", each_pair, PlantPairs<Global, Memory>{pairs, parent, true});
  Kokkos::parallel_for("dromos::merge_components::link", each_pair, LinkPairs<Global, Memory>{pairs, forest});
  Kokkos::parallel_for("dromos::merge_components::rename", Range(space, 0, part.num_rows()),
                       Rename<Global, Memory>{forest, label});
  Kokkos::parallel_for("dromos::merge_components::clear", each_pair, PlantPairs<Global, Memory>{pairs, parent, false});
  fence(space, "dromos::merge_components");
}

/// Which of some vertices are in a tree.
template <class Memory>
struct MarkTree {
  Kokkos::View<const LocalVertex*, Memory> root;
  LocalVertex tree;
  std::int64_t first;
  Kokkos::View<std::uint8_t*, Memory> marks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { marks(i) = root(first + i) == tree ? 1 : 0; }
};
/// How many vertices that another rank has in its tree are in this one's.
template <class Memory>
struct CountInBothTrees {
  Kokkos::View<const LocalVertex*, Memory> root;
  LocalVertex tree;
  Kokkos::View<const std::uint8_t*, Memory> marks;
  Kokkos::View<const LocalVertex*, Memory> vertices;  ///< none: those from `first` on
  std::int64_t first, first_mark;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    const std::int64_t v = vertices.extent(0) != 0 ? vertices(first + i) : first + i;
    count += marks(first_mark + i) != 0 && root(v) == tree;
  }
};

/// Are the trees that ranks name of one component? Returns `tree` on the ranks whose trees are, of several such groups
/// those of the heaviest; no_vertex on the others. Collective. One byte a copy, and one a delegate to each other rank.
template <class Space, class Global, class Memory>
LocalVertex agree_on_trees(const Communicator& communicator, const Space& space, const GraphPart<Global, Memory>& part,
                           const Kokkos::View<LocalVertex*, Memory>& root, LocalVertex tree, std::int64_t weight,
                           MergeBuffers<Global, Memory>& buffers) {
  const ScopedRegion region("dromos::agree_on_trees");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Mark = std::uint8_t;
  const int num_ranks = communicator.size();
  const std::int64_t num_lent = static_cast<std::int64_t>(part.lent_vertices.extent(0));
  const std::int64_t d = part.num_delegates;
  const auto copies = buffers.kept.template of<Mark>(part.num_copies);
  const auto lent = buffers.of_copies.template of<Mark>(num_lent);
  Kokkos::parallel_for("dromos::agree_on_trees::copies", Range(space, 0, part.num_copies),
                       MarkTree<Memory>{root, tree, part.num_rows(), copies});
  alltoallv(communicator, space, copies, part.copies, lent, part.lent);
  const auto delegates = buffers.of_delegates.template of<Mark>(d);
  const auto pieces = buffers.pieces.template of<Mark>(d * num_ranks);
  if (d > 0) {
    Kokkos::parallel_for("dromos::agree_on_trees::delegates", Range(space, 0, d),
                         MarkTree<Memory>{root, tree, part.num_own, delegates});
    allgatherv(communicator, space, delegates, d, pieces,
               consecutive_blocks(std::vector<std::int64_t>(static_cast<std::size_t>(num_ranks), d)));
  }
  // What this rank knows: its weight, and how much its tree shares with each rank's.
  std::vector<std::int64_t> known{weight};
  for (int r = 0; r < num_ranks; ++r) {
    const Block& block = part.lent[static_cast<std::size_t>(r)];
    std::int64_t shared = 0, shared_delegates = 0;
    Kokkos::parallel_reduce("dromos::agree_on_trees::shared", Range(space, 0, block.size),
                            CountInBothTrees<Memory>{root, tree, lent, part.lent_vertices, block.offset, block.offset},
                            shared);
    Kokkos::parallel_reduce("dromos::agree_on_trees::shared_delegates", Range(space, 0, d),
                            CountInBothTrees<Memory>{root, tree, pieces, {}, part.num_own, r * d}, shared_delegates);
    known.push_back(shared + shared_delegates);
  }
  const auto all = gather_values(communicator, known);
  const auto shared = [&](int a, int b) { return all[static_cast<std::size_t>(a * (num_ranks + 1) + 1 + b)]; };
  // Groups of ranks that are joined, each called by its first rank; all ranks find the same.
  std::vector<int> group(static_cast<std::size_t>(num_ranks));
  for (int r = 0; r < num_ranks; ++r) group[static_cast<std::size_t>(r)] = r;
  for (int a = 0; a < num_ranks; ++a) {
    for (int b = 0; b < num_ranks; ++b) {
      const int of_a = group[static_cast<std::size_t>(a)], of_b = group[static_cast<std::size_t>(b)];
      if (of_a == of_b || shared(a, b) == 0) continue;
      for (int& of : group) {
        if (of == dromos::max(of_a, of_b)) of = dromos::min(of_a, of_b);
      }
    }
  }
  std::vector<std::int64_t> weights(static_cast<std::size_t>(num_ranks), 0);
  int heaviest = 0;
  for (int r = 0; r < num_ranks; ++r) {
    const int of = group[static_cast<std::size_t>(r)];
    weights[static_cast<std::size_t>(of)] += all[static_cast<std::size_t>(r * (num_ranks + 1))];
  }
  for (int g = 0; g < num_ranks; ++g) {
    if (weights[static_cast<std::size_t>(g)] > weights[static_cast<std::size_t>(heaviest)]) heaviest = g;
  }
  return group[static_cast<std::size_t>(communicator.rank())] == heaviest ? tree : no_vertex<LocalVertex>;
}

/// Members of a component that a rank has, on their way to the owner of the vertex it is called by.
struct MemberCount {
  std::int64_t local;
  std::int64_t count;
};

template <class Global, class Memory>
struct CountMembers {
  Kokkos::View<const Global*, Memory> label;
  Bitmap<Memory> counted;
  Kokkos::View<Global*, Memory> count;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (counted.test(v)) atomic_fetch_add(&count(label(v)), Global(1));
  }
};

template <class Global, class Memory>
struct CountsToOwners {
  Kokkos::View<const Global*, Memory> count;
  Partition1d partition;
  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(count.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    if (count(i) == 0) return;
    const Place place = partition.place(static_cast<Global>(i));
    f(place.rank, MemberCount{place.local, static_cast<std::int64_t>(count(i))});
  }
};

template <class Memory>
struct AddMembers {
  Kokkos::View<const MemberCount*, Memory> arrived;
  Kokkos::View<std::int64_t*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { atomic_fetch_add(&size(arrived(i).local), arrived(i).count); }
};

template <class Memory>
struct SummarizeSizes {
  Kokkos::View<const std::int64_t*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& num, std::int64_t& nontrivial) const {
    num += size(v) > 0;
    nontrivial += size(v) > 1;
  }
};
template <class Memory>
struct LargestSize {
  Kokkos::View<const std::int64_t*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& most) const { most = dromos::max(most, size(v)); }
};

/// As summarize_components(), of labels of all ranks. Collective. Memory: a vertex number for every vertex of the graph
/// on each rank, and 8 bytes for each own one.
template <class Space, class Global, class Memory>
ComponentSummary summarize_part_components(const Communicator& communicator, const Space& space,
                                           const GraphPart<Global, Memory>& part,
                                           const Kokkos::View<Global*, Memory>& label) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const Kokkos::View<Global*, Memory> count("dromos::component_summary::count", part.num_vertices());
  Kokkos::parallel_for("dromos::component_summary::count", Range(space, 0, part.num_rows()),
                       CountMembers<Global, Memory>{label, part.counted, count});
  fence(space, "dromos::component_summary::count");
  const Kokkos::View<const MemberCount*, Memory> arrived =
      ship<MemberCount>(communicator, space, CountsToOwners<Global, Memory>{count, part.partition}).items;
  const Kokkos::View<std::int64_t*, Memory> size("dromos::component_summary::size", part.num_own);
  Kokkos::parallel_for("dromos::component_summary::add", Range(space, 0, static_cast<std::int64_t>(arrived.extent(0))),
                       AddMembers<Memory>{arrived, size});
  ComponentSummary summary;
  const Range own(space, 0, part.num_own);
  Kokkos::parallel_reduce("dromos::component_summary::components", own, SummarizeSizes<Memory>{size},
                          summary.num_components, summary.num_nontrivial);
  Kokkos::parallel_reduce("dromos::component_summary::largest", own, LargestSize<Memory>{size},
                          Kokkos::Max<std::int64_t>(summary.largest_component));
  std::int64_t sums[2] = {summary.num_components, summary.num_nontrivial};
  sum_in_place(communicator, sums, 2);
  return {sums[0], sums[1], max(communicator, dromos::max<std::int64_t>(summary.largest_component, 0))};
}

}  // namespace dromos::detail
