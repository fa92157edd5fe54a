// SPDX-License-Identifier: BSD-3-Clause
// Where the next item for each rank goes, in an outbox that has a region for every rank: kernels take places, the host
// reads between them how far each region is filled.
//
//   3 ranks, regions 0.. | 100.. | 200..     two items for rank 0 and one for rank 2 were written     cursors 2 100 201
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/warp.hpp>
#include <string>
#include <vector>

namespace dromos::detail {

/// Taken by kernels; a pointer, for the sake of GPUs.
template <class Memory>
struct RankCursors {
  static constexpr int spacing = 8;  // on cache lines of their own

  std::uint64_t* next = nullptr;  ///< element rank * spacing

  std::uint64_t* of(int rank) const { return &next[rank * spacing]; }

  /// A place for one item to this rank.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t take(int rank) const { return take_number(&next[rank * spacing]); }
};

/// The same from the host.
template <class Space>
class RankCursorsOwner {
 public:
  using Memory = typename Space::memory_space;

  RankCursorsOwner(const std::string& label, std::size_t num_ranks)
      : next_(label, num_ranks * RankCursors<Memory>::spacing), host_(Kokkos::create_mirror_view(next_)) {}

  RankCursors<Memory> cursors() const { return {next_.data()}; }

  /// The next item for each rank goes behind its block.
  void put_behind(const Space& space, const std::vector<Block>& blocks) {
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      host_(r * RankCursors<Memory>::spacing) = static_cast<std::uint64_t>(blocks[r].offset + blocks[r].size);
    }
    Kokkos::deep_copy(space, next_, host_);
    fence(space, "dromos::rank_cursors::put_behind");
  }

  /// Blocks of what was written behind these blocks since.
  std::vector<Block> written_behind(const Space& space, std::vector<Block> blocks) {
    Kokkos::deep_copy(space, host_, next_);
    fence(space, "dromos::rank_cursors::written_behind");
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      blocks[r].offset += blocks[r].size;
      blocks[r].size = static_cast<std::int64_t>(host_(r * RankCursors<Memory>::spacing)) - blocks[r].offset;
    }
    return blocks;
  }

 private:
  Kokkos::View<std::uint64_t*, Memory> next_;
  typename Kokkos::View<std::uint64_t*, Memory>::host_mirror_type host_;
};

}  // namespace dromos::detail
