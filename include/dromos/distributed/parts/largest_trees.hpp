// SPDX-License-Identifier: BSD-3-Clause
// Are the largest trees of the ranks of one component? While ranks have looked at few edges, each names a tree, whose
// other edges it would like to leave out. Where a copy in one rank's is in its owner's as well, the two are of one
// component. A few copies say that as well as all: which ones, both ranks know.
//
//   rank 0's tree has its copies of 1 and 7, and rank 1's has 7 and 9: they share 7
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <vector>

namespace dromos::detail {

/// At most so many vertices of two ranks are asked for. Where they share few, and none of these is among them, edges
/// are looked at that need not be.
inline constexpr std::int64_t most_vertices_asked = 4096;

/// Some of the vertices that two ranks know in one order, as far apart as they can be.
template <class Memory>
struct SampleOfBlock {
  Kokkos::View<const LocalVertex*, Memory> vertices;  ///< none: numbers from `first` on
  std::int64_t first = 0, size = 0;

  static std::int64_t num_asked(std::int64_t size) { return dromos::min(size, most_vertices_asked); }
  KOKKOS_FUNCTION LocalVertex vertex(std::int64_t i) const {
    const std::int64_t at = first + (size <= most_vertices_asked ? i : i * size / most_vertices_asked);
    return vertices.extent(0) != 0 ? vertices(at) : static_cast<LocalVertex>(at);
  }
};

template <class Memory>
struct MarkTree {
  ComponentForest<LocalVertex, Memory> forest;
  LocalVertex tree;
  SampleOfBlock<Memory> sample;
  std::int64_t first_mark;
  Kokkos::View<std::uint8_t*, Memory> marks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    marks(first_mark + i) = forest.find_within(sample.vertex(i), steps_of_sample) == tree ? 1 : 0;
  }
};
/// How many vertices that another rank has in its tree are in this one's.
template <class Memory>
struct CountInBothTrees {
  MarkTree<Memory> mine;  ///< with the other rank's marks
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    count += mine.marks(mine.first_mark + i) != 0 &&
             mine.forest.find_within(mine.sample.vertex(i), steps_of_sample) == mine.tree;
  }
};

/// Are the trees that ranks name of one component? Returns `tree` on the ranks whose trees are, of several such groups
/// those of the heaviest; no_vertex on the others. Collective. A byte for each vertex asked for.
template <class Space, class Global, class Memory>
LocalVertex agree_on_trees(const Communicator& communicator, const Space& space, const GraphPart<Global, Memory>& part,
                           const ComponentForest<LocalVertex, Memory>& forest, LocalVertex tree, std::int64_t weight) {
  const ScopedRegion region("dromos::agree_on_trees");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Marks = Kokkos::View<std::uint8_t*, Memory>;
  using Sample = SampleOfBlock<Memory>;
  const int num_ranks = communicator.size();
  const auto consecutive_samples = [](const std::vector<Block>& blocks) {
    std::vector<std::int64_t> sizes;
    for (const Block& block : blocks) sizes.push_back(Sample::num_asked(block.size));
    return consecutive_blocks(sizes);
  };
  const auto send = consecutive_samples(part.copies), receive = consecutive_samples(part.lent);
  const auto marks = uninitialized<std::uint8_t, Memory>("dromos::agree_on_trees::marks", total_size(send));
  const auto arrived = uninitialized<std::uint8_t, Memory>("dromos::agree_on_trees::arrived", total_size(receive));
  for (int r = 0; r < num_ranks; ++r) {
    const Block &copies = part.copies[static_cast<std::size_t>(r)], &block = send[static_cast<std::size_t>(r)];
    Kokkos::parallel_for(
        "dromos::agree_on_trees::copies", Range(space, 0, block.size),
        MarkTree<Memory>{forest, tree, {{}, part.num_rows() + copies.offset, copies.size}, block.offset, marks});
  }
  alltoallv(communicator, space, marks, send, arrived, receive);
  const Sample delegates{{}, part.num_own, part.num_delegates};
  const std::int64_t num_delegates = Sample::num_asked(part.num_delegates);
  const Marks pieces = uninitialized<std::uint8_t, Memory>("dromos::agree_on_trees::pieces", num_delegates * num_ranks);
  if (num_delegates > 0) {
    const auto from = consecutive_blocks(std::vector<std::int64_t>(static_cast<std::size_t>(num_ranks), num_delegates));
    const Marks own = Kokkos::subview(
        pieces, Kokkos::make_pair(communicator.rank() * num_delegates, (communicator.rank() + 1) * num_delegates));
    Kokkos::parallel_for("dromos::agree_on_trees::delegates", Range(space, 0, num_delegates),
                         MarkTree<Memory>{forest, tree, delegates, 0, own});
    allgatherv(communicator, space, own, num_delegates, pieces, from);
  }
  // What this rank knows: its weight, and how much its tree shares with each rank's.
  std::vector<std::int64_t> known{weight};
  for (int r = 0; r < num_ranks; ++r) {
    const Block &lent = part.lent[static_cast<std::size_t>(r)], &block = receive[static_cast<std::size_t>(r)];
    std::int64_t shared = 0, shared_delegates = 0;
    Kokkos::parallel_reduce(
        "dromos::agree_on_trees::shared", Range(space, 0, block.size),
        CountInBothTrees<Memory>{{forest, tree, {part.lent_vertices, lent.offset, lent.size}, block.offset, arrived}},
        shared);
    Kokkos::parallel_reduce("dromos::agree_on_trees::shared_delegates", Range(space, 0, num_delegates),
                            CountInBothTrees<Memory>{{forest, tree, delegates, r * num_delegates, pieces}},
                            shared_delegates);
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
  for (int r = 0; r < num_ranks; ++r) {
    weights[static_cast<std::size_t>(group[static_cast<std::size_t>(r)])] +=
        all[static_cast<std::size_t>(r * (num_ranks + 1))];
  }
  const auto heaviest = static_cast<int>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  return group[static_cast<std::size_t>(communicator.rank())] == heaviest ? tree : no_vertex<LocalVertex>;
}

}  // namespace dromos::detail
