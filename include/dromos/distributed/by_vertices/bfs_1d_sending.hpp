// SPDX-License-Identifier: BSD-3-Clause
// Neighbors on their way to their owners as they are found: the straightforward way, and the one that a bitmap keeps
// from sending a vertex twice.
//
// An edge whose target is the rank's own claims it at once. Any other is written to the outbox
// (distributed/moving/outbox.hpp), which has a region for each rank.
//
// Without the bitmap a region holds as many words as there are edges to that rank, and is emptied each level. With it,
// a vertex is sent once in the whole search, so that a region is never larger than what the other rank owns and is
// filled from search begin to end; what a part of the frontier adds to it travels while the next part is searched
// (Mastrostefano 2013, Section 5.2; pruning is complete all the same, since the bitmap forgets nothing).
//
// Between GPUs that reach each other's memory, all of a level that is not too large is enqueued without the host
// (distributed/moving/streamed_words.hpp), which waits once, for the size of the next frontier.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_state.hpp>
#include <dromos/distributed/moving/count_by_rank.hpp>
#include <dromos/distributed/moving/outbox.hpp>
#include <dromos/distributed/moving/streamed_words.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/traverse/fused_sweeps.hpp>
#include <dromos/traverse/traverse.hpp>
#include <optional>
#include <variant>
#include <vector>

namespace dromos::detail {

/// The operator: claims own neighbors, puts others into the outbox.
template <class Vertex, class Memory, class Out = Outbox<std::uint64_t, Memory>>
struct DiscoverOrSend {
  ClaimVertices<Vertex, Memory> claim;
  Out outbox;
  BlockIds<Vertex> ids;
  int rank;
  bool prune;

  /// On a CPU.
  KOKKOS_FUNCTION DiscoverOrSend on_thread() const {
    DiscoverOrSend mine = *this;
    if constexpr (host_accessible<Memory>) mine.outbox = outbox.on_thread();
    return mine;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_own(Vertex v) const { return ids.rank(v) == rank; }
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return prune || is_own(v) ? !claim.known.test(v) : true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    const bool own = is_own(v);
    if ((own || prune) && !claim.known.claim(v)) return false;
    if (!own) outbox.put(ids.rank(v), pack_pair(ids.local(v), ids.local(u)));
    return own;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const { claim.write(v, rank, ids.local(u)); }
  /// Of a word that another rank put down: who is new, or no_vertex.
  KOKKOS_FORCEINLINE_FUNCTION Vertex arrives(int sender, std::uint64_t word) const {
    return ClaimReceived<Vertex, Memory>{claim}(sender, word);
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++claim.next_level; }
};

template <class Space, class Vertex>
class SendingExpansion : public Bfs1dExpansion<Space, Vertex> {
 public:
  using Memory = typename Space::memory_space;
  using State = Bfs1dState<Space, Vertex>;

  /// prune: by the bitmap.
  SendingExpansion(const State& state, bool prune)
      : prune_(prune),
        num_targets_(prune ? count_targets(state) : std::vector<std::int64_t>()),
        exchange_(state.communicator, room(state)),
        streamed_(state.communicator, prune ? num_targets_[state.graph.rank] : state.graph.num_arcs) {
    if (prune) streamed_.make_room_for_all();
  }

  void start(State& state) override { exchange_.empty(state.space); }

  void expand(State& state, Bfs1dLevel& level) override {
    expand(state, level, [] {});
  }

  /// \param behind  enqueues more behind the kernels of the level, before the host waits for them
  template <class Behind>
  void expand(State& state, Bfs1dLevel& level, const Behind& behind) {
    if (!prune_) exchange_.empty(state.space);
    const bool alone = state.communicator.size() == 1;
    if constexpr (host_accessible<Memory>) {
      if (is_small(state)) {
        expand_by_caller(state, level);
        behind();
        return;
      }
    }
    const std::int64_t most = most_for_a_rank(state);
    const bool streamed = streamed_.take(most);
    const int num_parts = streamed ? 1 : choose_num_parts(state);
    const std::int64_t size = state.frontier.num_vertices();
    const DiscoverOrSend<Vertex, Memory> discover{state.claim(), exchange_.outbox(), state.graph.ids, state.graph.rank,
                                                  prune_};
    std::optional<CountsPublisher> published;
    use_strategy<Space>(state.options.strategy, [&](const auto& strategy) {
      using Chosen = std::decay_t<decltype(strategy)>;
      state.frontier.template prepare_for<Chosen>(state.space, state.view);
      const auto sink = state.next.open(state.space, state.view, Chosen::needs_prefix_sums);
      for (int part = 0; part < num_parts; ++part) {
        auto work = state.frontier.work();
        if (num_parts > 1) {
          const std::int64_t first = size * part / num_parts;
          const std::int64_t last = size * (part + 1) / num_parts;
          work.queue = Kokkos::subview(work.queue, Kokkos::make_pair(first, last));
          work.num_vertices = last - first;
          work.num_edges = (work.num_edges + num_parts - 1) / num_parts;  // about, which is all it is asked for
        }
        sweep(state.space, state.view, work, sink, discover, strategy);
        if (alone) continue;
        if (streamed) {
          published = exchange_streamed(state, discover.claim, sink, most);
        } else {
          finish_exchange(state, discover.claim, sink);  // of the part before
          start_exchange(state, level);
        }
      }
      finish_exchange(state, discover.claim, sink);
    });
    behind();
    if (published) {
      state.next.collect(state.space, *published);
    } else {
      state.next.collect(state.space);
    }
    if (streamed) {
      level.sent = state.next.note(note_sent);
      level.received = state.next.note(note_received);
      streamed_.count(level.sent, level.received);
    }
    level.enqueued_received = state.next.note(note_enqueued);
    level.enqueued_local = state.next.num_vertices() - level.enqueued_received;
    level.local_vertices = prune_ ? level.enqueued_local : state.frontier.num_edges() - level.sent;
  }

 private:
  /// On a CPU: is a level over before other threads than the calling one have begun? The same on every rank.
  bool is_small(const State& state) const {
    constexpr Offset most_edges = 2048;
    return std::holds_alternative<Best>(state.options.strategy) && state.options.edges_per_part < 0 &&
           state.frontier_edges <= most_edges && state.communicator.size() > 1;
  }

  /// The sweep and what arrives by the calling thread.
  void expand_by_caller(State& state, Bfs1dLevel& level) {
    fence(state.space, "dromos::bfs_1d::expand_by_caller");
    const Offset frontier_edges = state.frontier.num_edges();
    const DiscoverOrSend<Vertex, Memory> discover{state.claim(), exchange_.outbox(), state.graph.ids, state.graph.rank,
                                                  prune_};
    sweep_by_caller(state.view, state.frontier, state.next, discover);
    std::swap(state.frontier, state.next);  // as they were, but that `next` is what joined
    start_exchange(state, level);
    exchange_.wait();
    const std::int64_t size = state.next.num_vertices();
    const auto queue = state.next.queue();
    std::int64_t num_joined = size;
    Offset num_edges = state.next.num_edges();
    for (int r = 0; r < state.communicator.size(); ++r) {
      const Block& block = exchange_.arriving()[r];
      for (std::int64_t i = block.offset; i < block.offset + block.size; ++i) {
        const Vertex v = discover.arrives(r, exchange_.inbox()(i));
        if (v == no_vertex<Vertex>) continue;
        queue(num_joined++) = v;
        num_edges += state.view.degree(v);
      }
    }
    state.next.set_counts(num_joined, num_edges);
    level.enqueued_received = num_joined - size;
    level.enqueued_local = size;
    level.local_vertices = prune_ ? size : frontier_edges - level.sent;
  }

  /// Vertices of each rank that an edge can lead to. Half of those of a Kronecker graph have none.
  static std::vector<std::int64_t> count_targets(const State& state) {
    const auto rows = state.graph.rows.view();
    const std::int64_t own = state.graph.directed ? state.graph.num_local() : count_rows_with_edges(state.space, rows);
    return gather_counts(state.communicator, own);
  }

  /// What can wait for each rank at a time.
  std::vector<std::int64_t> room(const State& state) const {
    std::vector<std::int64_t> sizes = count_by_rank(state.space, state.graph.rows.entries, state.graph.ids);
    for (int r = 0; r < state.communicator.size(); ++r) {
      if (prune_) sizes[r] = std::min(sizes[r], num_targets_[r]);
      if (r == state.communicator.rank()) sizes[r] = 0;
    }
    return sizes;
  }

  /// What this level can send to a rank, by what all know.
  std::int64_t most_for_a_rank(const State& state) const {
    if (!prune_) return state.frontier_edges;
    return std::min<std::int64_t>(state.frontier_edges, *std::max_element(num_targets_.begin(), num_targets_.end()));
  }

  /// The same on every rank.
  int choose_num_parts(const State& state) const {
    const bool can_be_cut = !wants_prefix_sums<Space>(state.options.strategy);
    if (!prune_ || !can_be_cut || state.communicator.size() == 1) return 1;
    constexpr std::int64_t most = 16;
    const std::int64_t edges_a_rank = state.frontier_edges / state.communicator.size();
    const std::int64_t chosen = is_gpu<Space> ? std::int64_t(1) << 23 : std::int64_t(1) << 18;
    const std::int64_t edges_a_part = state.options.edges_per_part < 0 ? chosen : state.options.edges_per_part;
    return static_cast<int>(std::min(most, 1 + edges_a_rank / std::max<std::int64_t>(1, edges_a_part)));
  }

  /// Sends what was put into the outbox since the last time.
  void start_exchange(State& state, Bfs1dLevel& level) {
    level.sent += total_size(exchange_.close(state.space));
    exchange_.start(state.space);
    level.received += total_size(exchange_.arriving());
  }

  /// Waits for what is on its way, and takes it in.
  template <class Sink>
  void finish_exchange(State& state, const ClaimVertices<Vertex, Memory>& claim, const Sink& sink) {
    if (!exchange_.pending()) return;
    exchange_.wait();
    for (int r = 0; r < state.communicator.size(); ++r) {
      const Block& block = exchange_.arriving()[r];
      enqueue_claimed(
          state.space, sink, ClaimReceived<Vertex, Memory>{claim},
          ArrivedWords{exchange_.inbox().data() + block.offset, block.size, r, 1, state.communicator.size()});
    }
  }

  /// Both, enqueued. \returns what tells the host of the next frontier, unless nothing can have arrived
  template <class Sink>
  std::optional<CountsPublisher> exchange_streamed(State& state, const ClaimVertices<Vertex, Memory>& claim,
                                                   const Sink& sink, std::int64_t most) {
    const Outbox<std::uint64_t, Memory> outbox = exchange_.outbox();
    streamed_.travel(state.space, outbox.items, outbox.cursors, exchange_.closed(), false, most,
                     sink.notes() + note_sent);
    std::optional<CountsPublisher> publisher;
    if constexpr (sends_messages<Space>) publisher = state.next.publisher();
    const bool claims = enqueue_claimed(state.space, sink, ClaimReceived<Vertex, Memory>{claim}, streamed_.arrived(),
                                        note_enqueued, publisher.value_or(CountsPublisher{}));
    return claims ? publisher : std::nullopt;
  }

  bool prune_;
  std::vector<std::int64_t> num_targets_;  // of each rank, where prune_
  OutboxExchange<Space, std::uint64_t> exchange_;
  StreamedWords<Space> streamed_;
};

}  // namespace dromos::detail
