// SPDX-License-Identifier: BSD-3-Clause
// Levels of a search that goes backward through a large graph, on a GPU: its sweeps write none, and one pass over the
// bitmaps that they leave writes all of them.
//
// Those that a sweep over the list finds lie anywhere, one in ten of the vertices around them, and for each level of 4
// bytes the memory reads and writes a line of 64. The pass has neighboring vertices side by side:
//
//   before the sweep over all 0001, behind it 0011, behind that over the list 0111 (vertex 0 on the right):
//   levels of vertices 3 to 0 are none, 5, 4, and that of vertex 0 was written before
//
// It runs behind the sweep over the list that was enqueued behind that over all (traverse/sweep_ahead.hpp), or where
// none was before whatever comes next: from then on levels are written as they are found. A forward level that marked
// what it found (algorithms/impl/bfs_late_updates.hpp) may leave its levels to the same pass.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/sweep_ahead.hpp>

namespace dromos::detail {

/// The pass. A warp has 32 words, the vertices of four of them at a time, four a lane.
template <class Space, class Memory>
struct WriteLateLevels {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Bits = Bitmap<Memory>;
  using Word = typename Bits::Word;
  static constexpr int team_size = 256;
  static constexpr int vertices_of_lane = 4;
  struct alignas(vertices_of_lane * sizeof(Level)) Levels {
    Level of[vertices_of_lane];
  };

  /// What was visited before the frontier of the sweep over all was found (or as `before`, where its levels were
  /// written), before that sweep, and behind it.
  const Word *before_frontier, *before, *after_all;
  /// What the sweep over the list asked and what it added to, if there was one.
  const Word* after_list[2];
  const SweepAhead* list;  ///< of that sweep; null: there was none
  Level* level;
  std::int64_t num_vertices;
  Level of_all;  ///< of what the sweep over all found

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const int lane = team.team_rank() % warp_width;
    const std::int64_t first_word =
        std::int64_t(team.league_rank()) * team.team_size() + team.team_rank() / warp_width * warp_width;
    Word frontier = 0, all = 0, since = 0, written = ~Word(0);  // of word number `lane`
    const std::int64_t w = first_word + lane;
    if (w * Bits::bits_per_word < num_vertices) {
      const Word old = before[w];
      all = after_all[w];
      since = (after_list[0][w] | after_list[1][w]) & ~all;
      frontier = old & ~before_frontier[w];
      // Several sweeps of one launch wrote the levels of what they found.
      written = (old & ~frontier) | (list != nullptr && list->made_several ? since : Word(0));
    }
    // Users may have pieces of arrays.
    const bool aligned = reinterpret_cast<std::uintptr_t>(level) % sizeof(Levels) == 0;
    constexpr int lanes_of_word = Bits::bits_per_word / vertices_of_lane;
    const int shift = lane % lanes_of_word * vertices_of_lane;
    for (int k = 0; k < warp_width; k += warp_width / lanes_of_word) {
      const int from = k + lane / lanes_of_word;
      const Word here[] = {warp_broadcast(frontier, from) >> shift, warp_broadcast(all, from) >> shift,
                           warp_broadcast(since, from) >> shift, warp_broadcast(written, from) >> shift};
      const std::int64_t first = (first_word + from) * Bits::bits_per_word + shift;
      Levels levels;
      for (int i = 0; i < vertices_of_lane; ++i) {
        levels.of[i] = (here[0] >> i & 1u) != 0   ? of_all - 1
                       : (here[1] >> i & 1u) != 0 ? of_all
                       : (here[2] >> i & 1u) != 0 ? of_all + 1
                                                  : no_level;
      }
      if (aligned && (here[3] & ((1u << vertices_of_lane) - 1)) == 0 && first + vertices_of_lane <= num_vertices) {
        reinterpret_cast<Levels*>(level)[first / vertices_of_lane] = levels;
        continue;
      }
      for (int i = 0; i < vertices_of_lane && first + i < num_vertices; ++i) {
        if ((here[3] >> i & 1u) == 0) level[first + i] = levels.of[i];
      }
    }
  }
};

/// What a search has left to the pass, and where it keeps that.
template <class Memory>
struct LateLevels {
  using Bits = Bitmap<Memory>;
  using LevelsOfAll = Kokkos::View<Level*, Memory>;

  /// Of smaller graphs the levels are written in less time than a launch takes.
  std::int64_t fewest_vertices = std::int64_t(1) << 20;
  Bits before_frontier, after_all;  ///< as WriteLateLevels
  bool of_frontier = false;         ///< the levels of what the last forward sweep found
  bool of_sweeps = false;           ///< those of the sweep over all and of whom it left
  Level level_of_all = no_level;    ///< of what the sweep over all finds, or would

  LateLevels() = default;
  explicit LateLevels(std::int64_t num_vertices) {
    if (host_accessible<Memory>) return;
    before_frontier = Bits(num_vertices, "dromos::bfs::before_frontier");
    after_all = Bits(num_vertices, "dromos::bfs::after_all");
  }

  /// A search begins, or the pass is enqueued.
  void start() { of_frontier = of_sweeps = false; }

  /// Are a search's levels left to it, if they are wanted?
  template <class Space>
  bool are_worth(const Space&) const {
    return is_gpu<Space> && after_all.size() >= fewest_vertices;
  }

  /// Enqueues the pass behind the sweep over all, whose levels it was left.
  ///
  /// \param before  what was visited before that sweep; the others as WriteLateLevels
  template <class Space>
  void write_of_sweeps(const Space& space, const LevelsOfAll& level, const Bits& before, const Bits& asked,
                       const Bits& added_to, const SweepAhead* list) {
    enqueue(space, level, of_frontier ? before_frontier : before, before, after_all, asked, added_to, list);
  }
  /// The same of the last forward sweep alone.
  template <class Space>
  void write_of_frontier(const Space& space, const LevelsOfAll& level, const Bits& before, const Bits& visited) {
    enqueue(space, level, before, visited, visited, visited, visited, nullptr);
  }

 private:
  template <class Space>
  void enqueue(const Space& space, const LevelsOfAll& level, const Bits& older, const Bits& before, const Bits& all,
               const Bits& asked, const Bits& added_to, const SweepAhead* list) {
    using Kernel = WriteLateLevels<Space, Memory>;
    const auto num_words = static_cast<std::int64_t>(before.words().extent(0));
    const auto num_teams = static_cast<int>((num_words + Kernel::team_size - 1) / Kernel::team_size);
    Kokkos::parallel_for("dromos::bfs::late_levels", typename Kernel::Policy(space, num_teams, Kernel::team_size),
                         Kernel{older.words().data(),
                                before.words().data(),
                                all.words().data(),
                                {asked.words().data(), added_to.words().data()},
                                list,
                                level.data(),
                                before.size(),
                                level_of_all});
    start();
  }
};

}  // namespace dromos::detail
