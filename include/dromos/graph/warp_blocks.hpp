// SPDX-License-Identifier: BSD-3-Clause
// Items dealt out to warps in consecutive blocks, for work in two passes that writes what it keeps side by side and in
// the order of the items: the first pass counts what each block keeps, the second writes it behind what the blocks
// before keep. No atomics, and the same result every time.
//
//   items a . . b c . d e, kept the letters; blocks of 4     counts 2 3, a block begins at 0 2, kept a b c d e
//
// A lane takes every 32nd item of its block, so that a warp reads side by side. Where there are no warps a thread takes
// a block, as a warp of one lane.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <string>
#include <vector>

namespace dromos::detail {

template <class Space>
inline constexpr int lanes_of_block = has_warps<Space> ? warp_width : 1;

/// Blocks of 2,048 items, or larger ones: enough of them for two turns of all warps that a large GPU has at a time.
struct WarpBlocks {
  static constexpr std::int64_t most_blocks = 16384;

  explicit WarpBlocks(std::int64_t size) : num_items(size) {
    block_size = dromos::max<std::int64_t>(2048, (size + most_blocks - 1) / most_blocks);
    block_size = (block_size + warp_width - 1) / warp_width * warp_width;
    num_blocks = (size + block_size - 1) / block_size;
  }

  std::int64_t num_items;
  std::int64_t block_size;
  std::int64_t num_blocks;
};

/// Calls body(block, first, last, lane) on every lane of each block.
template <class Space, class Body>
struct OfEachBlock {
  using Policy = Kokkos::TeamPolicy<Space>;
  static constexpr int team_size = has_warps<Space> ? 256 : 1;
  static constexpr int blocks_of_team = team_size / lanes_of_block<Space>;

  WarpBlocks blocks;
  Body body;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t block =
        static_cast<std::int64_t>(team.league_rank()) * blocks_of_team + team.team_rank() / lanes_of_block<Space>;
    if (block >= blocks.num_blocks) return;
    const std::int64_t first = block * blocks.block_size;
    body(block, first, dromos::min(first + blocks.block_size, blocks.num_items),
         team.team_rank() % lanes_of_block<Space>);
  }
};

/// Does not wait.
template <class Space, class Body>
void for_each_block(const std::string& label, const Space& space, const WarpBlocks& blocks, const Body& body) {
  if (blocks.num_blocks == 0) return;
  using Kernel = OfEachBlock<Space, Body>;
  const int league = static_cast<int>((blocks.num_blocks + Kernel::blocks_of_team - 1) / Kernel::blocks_of_team);
  Kokkos::parallel_for(label, typename Kernel::Policy(space, league, Kernel::team_size), Kernel{blocks, body});
}

/// Counts become the places at which blocks begin; returns the sum of all counts.
inline Offset sum_up_before(std::vector<Offset>& counts) {
  Offset sum = 0;
  for (Offset& count : counts) {
    const Offset before = sum;
    sum += count;
    count = before;
  }
  return sum;
}

/// The same where the counts are, by block. Waits for what is enqueued.
template <class Space, class Memory>
Offset sum_up_before(const Space& space, const Kokkos::View<Offset*, Memory>& counts) {
  fence(space, "dromos::warp_blocks::counts");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::vector<Offset> begins(host.data(), host.data() + host.extent(0));
  const Offset sum = sum_up_before(begins);
  Kokkos::deep_copy(
      counts, Kokkos::View<const Offset*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(begins.data(), begins.size()));
  return sum;
}

}  // namespace dromos::detail
