// SPDX-License-Identifier: BSD-3-Clause
// Neighbors on their way to their owners as they are found: the straightforward way, and the one that a bitmap keeps from
// sending a vertex twice.
//
// An edge whose target is the rank's own claims it at once. Any other is written to the outbox, which has a region for
// each rank:
//
//   3 ranks; rank 1 found 4 vertices of rank 0 and 2 of rank 2
//   words   [a b c d . . . | (rank 1: nothing) | e f . . .]     cursor  4  7  9
//
// Without the bitmap a region holds as many words as there are edges to that rank, and is emptied each level. With it, a
// vertex is sent once in the whole search, so that a region is never larger than what the other rank owns and is filled
// from search begin to end; what a part of the frontier adds to it travels while the next part is searched
// (Mastrostefano 2013, Section 5.2; pruning is complete all the same, since the bitmap forgets nothing).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/dist/bfs_1d_state.hpp>
#include <dromos/dist/count_by_rank.hpp>
#include <dromos/dist/ship.hpp>
#include <dromos/traverse/traverse.hpp>
#include <variant>
#include <vector>

namespace dromos::detail {

/// What waits to be sent, by rank. Taken by kernels.
template <class Memory>
struct Outbox {
  static constexpr int spacing = 8;  // cursors on cache lines of their own

  Kokkos::View<std::uint64_t*, Memory> words;
  Kokkos::View<std::uint64_t*, Memory> cursor;  // element rank * spacing: where the rank's next word goes

  KOKKOS_FORCEINLINE_FUNCTION void put(int rank, std::uint64_t word) const {
    words.data()[atomic_fetch_add(&cursor.data()[rank * spacing], std::uint64_t(1))] = word;
  }
};

/// The operator: claims own neighbors, puts others into the outbox.
template <class Vertex, class Memory>
struct DiscoverOrSend {
  ClaimVertices<Vertex, Memory> claim;
  Outbox<Memory> outbox;
  BlockIds<Vertex> ids;
  int rank;
  bool prune;

  KOKKOS_FORCEINLINE_FUNCTION bool is_own(Vertex v) const { return ids.rank(v) == rank; }
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v) const {
    return prune || is_own(v) ? !claim.known.test(v) : true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    const bool own = is_own(v);
    if ((own || prune) && !claim.known.set(v)) return false;
    if (!own) outbox.put(ids.rank(v), pack_pair(ids.local(v), ids.local(u)));
    return own;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const { claim.write(v, rank, ids.local(u)); }
};

template <class Space, class Vertex>
class SendingExpansion : public Bfs1dExpansion<Space, Vertex> {
 public:
  using Memory = typename Space::memory_space;
  using State = Bfs1dState<Space, Vertex>;

  /// prune: by the bitmap.
  SendingExpansion(const State& state, bool prune) : prune_(prune) {
    std::vector<std::int64_t> sizes = count_by_rank(state.space, state.graph.rows.entries, state.graph.ids);
    for (int r = 0; r < state.communicator.size(); ++r) {
      if (prune) sizes[r] = std::min(sizes[r], state.graph.partition.num_local(r));
      if (r == state.communicator.rank()) sizes[r] = 0;
    }
    regions_ = consecutive_blocks(sizes);
    outbox_.words = uninitialized<std::uint64_t, Memory>("dromos::bfs_1d::outbox", total_size(regions_));
    outbox_.cursor = Kokkos::View<std::uint64_t*, Memory>("dromos::bfs_1d::cursor",
                                                          regions_.size() * Outbox<Memory>::spacing);
    cursor_host_ = Kokkos::create_mirror_view(outbox_.cursor);
  }

  void start(State& state) override { empty_outbox(state.space); }

  void expand(State& state, Bfs1dLevel& level) override {
    if (!prune_) empty_outbox(state.space);
    const int num_parts = choose_num_parts(state);
    const std::int64_t size = state.frontier.num_vertices();
    const DiscoverOrSend<Vertex, Memory> discover{state.claim(), outbox_, state.graph.ids, state.graph.rank, prune_};
    std::visit(
        [&](const auto& strategy) {
          constexpr bool needs_prefix_sums = std::decay_t<decltype(strategy)>::needs_prefix_sums;
          if (needs_prefix_sums) state.frontier.ensure_prefix_sums(state.space, state.view);
          const auto sink = state.next.open(state.space, state.view, needs_prefix_sums);
          for (int part = 0; part < num_parts; ++part) {
            auto work = state.frontier.work();
            if (num_parts > 1) {
              const std::int64_t first = size * part / num_parts;
              const std::int64_t last = size * (part + 1) / num_parts;
              work.queue = Kokkos::subview(work.queue, Kokkos::make_pair(first, last));
              work.num_vertices = last - first;
            }
            sweep(state.space, state.view, work, sink, discover, strategy);
            finish_exchange(state, discover.claim, sink, level);  // of the part before
            start_exchange(state, level);
          }
          finish_exchange(state, discover.claim, sink, level);
        },
        state.options.strategy);
    state.next.collect(state.space);
    level.enqueued_local = state.next.num_vertices() - level.enqueued_received;
    level.local_vertices = prune_ ? level.enqueued_local : level.frontier_edges - level.sent;
  }

 private:
  /// The same on every rank.
  int choose_num_parts(const State& state) const {
    const bool can_be_cut =
        std::visit([](const auto& s) { return !std::decay_t<decltype(s)>::needs_prefix_sums; }, state.options.strategy);
    if (!prune_ || !can_be_cut || state.communicator.size() == 1) return 1;
    constexpr std::int64_t most = 16;
    const std::int64_t edges_a_rank = state.frontier_edges / state.communicator.size();
    return static_cast<int>(std::min(most, 1 + edges_a_rank / std::max<std::int64_t>(1, state.options.edges_per_part)));
  }

  void empty_outbox(const Space& space) {
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      cursor_host_(r * Outbox<Memory>::spacing) = static_cast<std::uint64_t>(regions_[r].offset);
    }
    Kokkos::deep_copy(space, outbox_.cursor, cursor_host_);
    fence(space, "dromos::bfs_1d::empty_outbox");
    unsent_ = regions_;
    for (Block& block : unsent_) block.size = 0;
  }

  /// Sends what was put into the outbox since the last time.
  void start_exchange(State& state, Bfs1dLevel& level) {
    Kokkos::deep_copy(state.space, cursor_host_, outbox_.cursor);
    fence(state.space, "dromos::bfs_1d::start_exchange");
    std::vector<std::int64_t> counts;
    for (std::size_t r = 0; r < unsent_.size(); ++r) {
      unsent_[r].offset += unsent_[r].size;
      unsent_[r].size = static_cast<std::int64_t>(cursor_host_(r * Outbox<Memory>::spacing)) - unsent_[r].offset;
      counts.push_back(unsent_[r].size);
    }
    arriving_ = consecutive_blocks(exchange_counts(state.communicator, counts));
    const std::int64_t num_arriving = total_size(arriving_);
    if (static_cast<std::int64_t>(inbox_.extent(0)) < num_arriving) {
      inbox_ = {};
      inbox_ = uninitialized<std::uint64_t, Memory>("dromos::bfs_1d::inbox", num_arriving + num_arriving / 4);
    }
    request_ = start_alltoallv(state.communicator, state.space, outbox_.words, unsent_, inbox_, arriving_);
    level.sent += total_size(unsent_);
    level.received += num_arriving;
  }

  /// Waits for what is on its way, and takes it in.
  template <class Sink>
  void finish_exchange(State& state, const ClaimVertices<Vertex, Memory>& claim, const Sink& sink, Bfs1dLevel& level) {
    if (!request_.pending()) return;
    request_.wait();
    for (int r = 0; r < state.communicator.size(); ++r) {
      level.enqueued_received += enqueue_received(state.space, claim, sink, inbox_, arriving_[r], r);
    }
  }

  bool prune_;
  std::vector<Block> regions_;
  Outbox<Memory> outbox_;
  typename Kokkos::View<std::uint64_t*, Memory>::host_mirror_type cursor_host_;
  std::vector<Block> unsent_;
  std::vector<Block> arriving_;
  Kokkos::View<std::uint64_t*, Memory> inbox_;
  Request request_;
};

}  // namespace dromos::detail
