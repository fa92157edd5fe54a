// SPDX-License-Identifier: BSD-3-Clause
// The bitmask way with both directions: forward it sends each vertex once (distributed/by_vertices/bfs_1d_sending.hpp);
// backward, where that is less work, it gathers the visited bitmaps of all ranks and lets unvisited vertices look for a
// parent there.
//
// A visited neighbor of an unvisited vertex can only be in the frontier, or the vertex would have been found before: so
// the gathered bitmap of visited vertices serves as the frontier. The rule that chooses (traverse/direction_rule.hpp)
// is fed with the sums over all ranks. What travels in a backward level is a bit for each vertex of the graph to each
// rank, whatever the frontier; and each rank knows all visited vertices afterwards, none of which it will send again.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_sending.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_state.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/find_first.hpp>
#include <vector>

namespace dromos::detail {

/// Backward: u is found when a neighbor was visited before the sweep.
template <class Vertex, class Memory>
struct FindParentAnywhere {
  Bitmap<Memory> snapshot;
  ClaimVertices<Vertex, Memory> results;
  BlockIds<Vertex> ids;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(Vertex, Vertex v) const { return snapshot.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION void found(Vertex u, Vertex v) const { results.write(u, ids.rank(v), ids.local(v)); }
};

template <class Space, class Vertex>
class BitmaskExpansion : public Bfs1dExpansion<Space, Vertex> {
 public:
  using Memory = typename Space::memory_space;
  using State = Bfs1dState<Space, Vertex>;

  explicit BitmaskExpansion(const State& state)
      : both_directions_(state.options.direction_optimizing && !state.graph.directed),
        rule_(state.options.direction),
        forward_(state, true) {
    if (!both_directions_) return;
    const auto& graph = state.graph;
    snapshot_ = Bitmap<Memory>(graph.ids.size(), "dromos::bfs_1d::snapshot");
    with_edges_ = Bitmap<Memory>(graph.num_local(), "dromos::bfs_1d::with_edges");
    num_with_edges_ =
        sum<std::int64_t>(state.communicator, mark_vertices_with_edges(state.space, graph.rows.view(), with_edges_));
    constexpr int bits = Bitmap<Memory>::bits_per_word;
    for (int r = 0; r < state.communicator.size(); ++r) {
      blocks_.push_back(
          {static_cast<std::int64_t>(graph.ids.first(r)) / bits, (graph.partition.num_local(r) + bits - 1) / bits});
    }
  }

  void start(State& state) override {
    rule_.go_forward();
    forward_.start(state);
  }

  void expand(State& state, Bfs1dLevel& level) override {
    if (both_directions_) {
      rule_.turns(DirectionWork{state.frontier_edges, state.graph.num_arcs - state.edges_reached - state.frontier_edges,
                                num_with_edges_ - state.num_reached - state.frontier_size});
    }
    if (rule_.backward()) {
      sweep_backward(state, level);
    } else {
      forward_.expand(state, level);
    }
  }

 private:
  void sweep_backward(State& state, Bfs1dLevel& level) {
    const Space& space = state.space;
    const int rank = state.graph.rank;
    const BitmapWords<Memory> own = Kokkos::subview(
        state.known.words(), Kokkos::make_pair(blocks_[rank].offset, blocks_[rank].offset + blocks_[rank].size));
    allgatherv(state.communicator, space, own, blocks_[rank].size, snapshot_.words(), blocks_);
    // Whatever this rank knew of others' vertices, these know, too.
    Kokkos::deep_copy(space, state.known.words(), snapshot_.words());
    find_first(space, state.view, Looking<Vertex, Memory>{with_edges_.words(), own, own, state.graph.ids.first(rank)},
               state.next.open(space, state.view, false),
               FindParentAnywhere<Vertex, Memory>{snapshot_, state.claim(), state.graph.ids});
    state.next.collect(space);
    level.backward = 1;
    level.enqueued_local = state.next.num_vertices();
    level.local_vertices = level.enqueued_local;
  }

  bool both_directions_;
  DirectionRule rule_;
  SendingExpansion<Space, Vertex> forward_;
  Bitmap<Memory> snapshot_;
  Bitmap<Memory> with_edges_;
  std::int64_t num_with_edges_ = 0;
  std::vector<Block> blocks_;  // words of each rank's vertices in a bitmap over block ids
};

}  // namespace dromos::detail
