// SPDX-License-Identifier: BSD-3-Clause
// The bitmask way with both directions: forward it sends each vertex once (distributed/by_vertices/bfs_1d_sending.hpp);
// backward, where that is less work, it gathers the visited bitmaps of all ranks and lets unvisited vertices look for a
// parent there.
//
// A visited neighbor of an unvisited vertex can only be in the frontier, or the vertex would have been found before: so
// the gathered bitmap of visited vertices serves as the frontier. The rule that chooses (traverse/direction_rule.hpp)
// is fed with the sums over all ranks. What travels in a backward level is a bit for each vertex of the graph to each
// rank, whatever the frontier, or between GPUs that reach each other's memory the words that changed; and each rank
// knows all visited vertices afterwards, none of which it will send again.
//
// A rank alone goes in one direction only here (src/distributed/by_vertices/search_alone.hpp has both).
//
// On a GPU the first level asks nobody how many edges leave the root, where no vertex has so many that one would look
// backward for them; and who is not reached is written by the first sweep that looks at all vertices. Between GPUs that
// reach each other's memory, forward levels of few edges follow each other in one launch
// (distributed/moving/fused_with_peers.hpp), and so do backward levels when few are left (find_with_peers.hpp there).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_sending.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_state.hpp>
#include <dromos/distributed/moving/find_with_peers.hpp>
#include <dromos/distributed/moving/fused_with_peers.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <dromos/traverse/strategy.hpp>
#include <variant>
#include <vector>

namespace dromos::detail {

/// Backward: u, by local number, is found when a neighbor, a block id, was visited before the sweep. Pointers, for the
/// sake of GPUs.
template <class Vertex, class Memory>
struct FindParentAnywhere {
  const typename Bitmap<Memory>::Word* snapshot;
  Vertex* parent;
  Level* level;
  Level next_level;
  Partition1d partition;
  BlockIds<Vertex> ids;
  bool tells_not_found = false;  ///< of vertices that nobody has written results for

  KOKKOS_FORCEINLINE_FUNCTION bool holds(Vertex, Vertex v) const {
    return (snapshot[Bitmap<Memory>::word_of(v)] & Bitmap<Memory>::mask(v)) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void found(Vertex u, Vertex v) const { tell(u, true, v); }
  KOKKOS_FORCEINLINE_FUNCTION void tell(Vertex u, bool found, Vertex v) const {
    parent[u] = found ? static_cast<Vertex>(partition.global_id(ids.rank(v), ids.local(v))) : no_vertex<Vertex>;
    level[u] = found ? next_level : no_level;
  }
  KOKKOS_FORCEINLINE_FUNCTION void not_found(Vertex u) const { tell(u, false, no_vertex<Vertex>); }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }
};

/// Degrees of all vertices, by block id, in 32 bits: larger ones as the largest.
template <class Memory>
struct KnownDegrees {
  Kokkos::View<const std::uint32_t*, Memory> degrees;
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(Vertex v) const {
    return static_cast<Offset>(degrees.data()[v]);
  }
};

template <class Vertex, class Memory>
struct WriteDegrees {
  CsrView<Vertex, Memory> rows;
  Kokkos::View<std::uint32_t*, Memory> degrees;
  KOKKOS_FUNCTION void operator()(const std::int64_t u) const {
    degrees(u) = static_cast<std::uint32_t>(dromos::min<Offset>(rows.degree(static_cast<Vertex>(u)), 0xffffffffll));
  }
};

/// Local numbers to block ids.
template <class Vertex, class Memory>
struct NumberInBlock {
  Kokkos::View<Vertex*, Memory> list;
  Vertex first;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const { list(i) += first; }
};

template <class Space, class Vertex>
class BitmaskExpansion : public Bfs1dExpansion<Space, Vertex> {
 public:
  using Memory = typename Space::memory_space;
  using State = Bfs1dState<Space, Vertex>;

  explicit BitmaskExpansion(const State& state)
      : both_directions_(state.options.direction_optimizing && !state.graph.directed),
        rule_(direction_rule<Space>(chosen_direction(state), state.communicator.size())),
        forward_(state, true) {
    const auto& graph = state.graph;
    if constexpr (sends_messages<Space>) {
      most_edges_ = max<std::int64_t>(state.communicator, longest_row(state.space, graph.rows.view()));
    }
    if (goes_forward_without_host(state, most_peer_edges)) {
      sweeps_with_peers_ = {state.communicator, graph.num_local(), graph.rows.num_edges()};
    }
    if (!both_directions_) return;
    snapshot_ = Bitmap<Memory>(graph.ids.size(), "dromos::bfs_1d::snapshot");
    visited_ = Bitmap<Memory>(graph.num_local(), "dromos::bfs_1d::visited");
    before_ = Bitmap<Memory>(graph.num_local(), "dromos::bfs_1d::before");
    with_edges_ = Bitmap<Memory>(graph.num_local(), "dromos::bfs_1d::with_edges");
    num_with_edges_ =
        sum<std::int64_t>(state.communicator, mark_vertices_with_edges(state.space, graph.rows.view(), with_edges_));
    constexpr int bits = Bitmap<Memory>::bits_per_word;
    for (int r = 0; r < state.communicator.size(); ++r) {
      blocks_.push_back(
          {static_cast<std::int64_t>(graph.ids.first(r)) / bits, (graph.partition.num_local(r) + bits - 1) / bits});
    }
    prepare_sweeps(state);
    finds_with_peers_ = FindsWithPeers<Space, Vertex>(state.communicator);
  }

  /// Sweeps with peers learn how many they are; otherwise no root has as many as would be looked for backward.
  Offset first_edges_at_most(const State& state) const override {
    const bool need_not_ask =
        sweeps_with_peers_ || (sends_messages<Space> && goes_forward_without_host(state, most_edges_));
    return need_not_ask ? most_edges_ : -1;
  }

  bool goes_both_ways() const override { return both_directions_; }
  bool starts_search() const override { return static_cast<bool>(sweeps_with_peers_); }
  bool fills_results() const override { return has_warps<Space> && both_directions_; }

  void start(State& state) override {
    rule_.go_forward();
    again_.start();
    gathered_ = forgot_ = list_is_exact_ = false;
    with_peers_until_ = no_level;
    forward_.start(state);
  }

  bool expand_several(State& state, std::vector<Bfs1dLevel>& levels) override {
    if constexpr (has_warps<Space>) {
      return rule_.backward() ? find_with_peers(state, levels) : sweep_with_peers(state, levels);
    } else {
      return false;
    }
  }

  void expand(State& state, Bfs1dLevel& level) override {
    const bool turned = both_directions_ && rule_.turns(direction_work(state));
    if (rule_.backward()) {
      if (turned) {
        turned_at_ = state.next_level;
        turned_behind_peers_ = with_peers_until_ + 1 == state.next_level;
        if (!gathered_) gather_known(state);
      }
      sweep_backward(state, level);
    } else {
      if (turned) turn_forward(state);
      gathered_ = false;
      forward_.expand(state, level, [&] {
        forget_last_search(state);
        gather_ahead(state);
      });
    }
  }

 private:
  /// Is a level of so many edges a forward one whatever the host says, and its strategy none that wants to know them?
  bool goes_forward_without_host(const State& state, Offset num_edges) const {
    return std::holds_alternative<ManhattanLocal>(resolved_strategy<Space>(state.options.strategy)) &&
           !(both_directions_ && rule_.may_turn_backward(num_edges));
  }

  /// Small forward levels, of the root on.
  bool sweep_with_peers(State& state, std::vector<Bfs1dLevel>& levels) {
    if (!sweeps_with_peers_) return false;
    if (!state.edges_are_bound && state.frontier_edges > most_peer_edges) return false;
    gathered_ = false;
    const DiscoverOrSend<Vertex, Memory, SharedOutbox> discover{
        state.claim(state.next_level + 1), {}, state.graph.ids, state.graph.rank, true};
    const auto behind = [&] {
      forget_last_search(state);
      if (turned_behind_peers_ && gathers_without_host(state)) gather_known(state);
    };
    const bool has_begun = state.next_level > 0;
    const PeerStart<Vertex> from{has_begun, has_begun ? no_vertex<Vertex> : state.own_root, state.frontier_edges};
    const auto sweep = [&](const auto& begin) {
      return sweeps_with_peers_.run(state.space, state.view, state.frontier, state.next, discover, both_directions_,
                                    from, begin, behind);
    };
    const std::vector<PeerSweep> sweeps =
        has_begun ? sweep(NothingToBegin()) : sweep(state.start_search(NothingToEnqueue()));
    for (std::size_t i = 0; i + 1 < sweeps.size(); ++i) {
      Bfs1dLevel level;
      level.frontier_size = sweeps[i].num_vertices;
      level.frontier_edges = sweeps[i].num_edges;
      level.sent = sweeps[i].sent;
      level.received = sweeps[i].received;
      level.bytes_sent = 8 * level.sent;
      level.messages = level.sent > 0 ? state.communicator.size() - 1 : 0;
      level.enqueued_received = sweeps[i].joined_received;
      level.enqueued_local = level.local_vertices = sweeps[i + 1].num_vertices - level.enqueued_received;
      pass_level(state, level, sweeps[i + 1].all_vertices, sweeps[i + 1].all_edges);
      levels.push_back(level);
    }
    state.frontier_edges = sweeps.back().all_edges;
    state.edges_are_bound = false;
    with_peers_until_ = state.next_level;
    return true;
  }

  /// The last backward levels, when few are left.
  bool find_with_peers(State& state, std::vector<Bfs1dLevel>& levels) {
    const DirectionWork work = direction_work(state);
    if (!finds_with_peers_ || !list_is_exact_ || work.num_unvisited <= 0 ||
        work.num_unvisited > most_looking_with_peers || rule_.would_turn(work)) {
      return false;
    }
    if (!gathered_) gather(state, visited_.words());
    gathered_ = false;
    const FindParentAnywhere<Vertex, Memory> find = find_parent(state, state.next_level + 1);
    const CsrView<Vertex, Memory> rows = state.graph.rows.view();
    const PeerLooking looking{own_unvisited_edges(state), work.unvisited_edges, work.num_unvisited};
    const auto finds =
        finds_with_peers_.run(state.space, rows, again_, with_edges_, visited_, snapshot_,
                              state.graph.ids.first(state.graph.rank), state.next.queue(), looking, find);
    gathered_ = true;
    for (const PeerFinds& found : finds) {
      Bfs1dLevel level;
      level.frontier_size = state.frontier.num_vertices();
      level.frontier_edges = state.frontier.num_edges();
      level.backward = 1;
      level.enqueued_local = level.local_vertices = found.num_found;
      level.messages = found.num_found > 0 ? state.communicator.size() - 1 : 0;
      level.bytes_sent = level.messages * found.num_found * static_cast<std::int64_t>(sizeof(Vertex));
      pass_level(state, level, found.all_found, found.all_edges_found);
      state.frontier.set_counts(found.num_found, found.edges_found);
      levels.push_back(level);
    }
    std::swap(state.frontier, state.next);
    state.frontier.set_counts(finds.back().num_found, finds.back().edges_found);
    return true;
  }

  /// Goes on to the next level behind one that was made without the host.
  static void pass_level(State& state, const Bfs1dLevel& level, std::int64_t next_size, Offset next_edges) {
    state.pass_level(level.frontier_edges);
    state.edges_reached += state.frontier_edges;
    state.frontier_size = next_size;
    state.frontier_edges = next_edges;
    ++state.next_level;
  }

  DirectionWork direction_work(const State& state) const {
    return {state.frontier_edges, state.graph.num_arcs - state.edges_reached - state.frontier_edges,
            num_with_edges_ - state.num_reached - state.frontier_size};
  }

  /// That leave unvisited vertices of this rank.
  static Offset own_unvisited_edges(const State& state) {
    return state.graph.rows.num_edges() - state.own_edges_reached - state.frontier.num_edges();
  }

  /// What unvisited vertices look for, to reach this level.
  FindParentAnywhere<Vertex, Memory> find_parent(const State& state, Level next_level) const {
    return {snapshot_.words().data(),       state.result.parent.data(),
            state.result.level.data(),      next_level,
            state.graph.partition,          state.graph.ids,
            !state.filled && !again_.listed};
  }

  static DirectionOptions chosen_direction(const State& state) {
    DirectionOptions direction = state.options.direction;
    direction.replace_unset(Bfs1dOptions::default_direction(state.communicator.size()));
    return direction;
  }

  /// This rank's piece of a bitmap over all vertices.
  BitmapWords<Memory> own_words(const State& state, const Bitmap<Memory>& bitmap) const {
    const Block& own = blocks_[static_cast<std::size_t>(state.graph.rank)];
    return Kokkos::subview(bitmap.words(), Kokkos::make_pair(own.offset, own.offset + own.size));
  }

  /// Likely ends are neighbors of high degree, of whatever rank: on a GPU all ranks learn all degrees for a moment.
  void prepare_sweeps(const State& state) {
    const Space& space = state.space;
    const CsrView<Vertex, Memory> rows = state.graph.rows.view();
    Kokkos::View<std::uint32_t*, Memory> degrees;
    if constexpr (has_warps<Space>) {
      const Partition1d& partition = state.graph.partition;
      std::vector<Block> blocks;
      for (int r = 0; r < state.communicator.size(); ++r) {
        blocks.push_back({static_cast<std::int64_t>(state.graph.ids.first(r)), partition.num_local(r)});
      }
      degrees = Kokkos::View<std::uint32_t*, Memory>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::bfs_1d::degrees"), state.graph.ids.size());
      const Block& mine = blocks[static_cast<std::size_t>(state.graph.rank)];
      const Kokkos::View<std::uint32_t*, Memory> own =
          Kokkos::subview(degrees, Kokkos::make_pair(mine.offset, mine.offset + mine.size));
      Kokkos::parallel_for("dromos::bfs_1d::degrees",
                           Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, mine.size),
                           WriteDegrees<Vertex, Memory>{rows, own});
      allgatherv(state.communicator, space, own, mine.size, degrees, blocks);
    }
    again_ = prepare_find_again(space, KnownDegrees<Memory>{degrees}, rows);
  }

  /// Is there going to be a next level, and backward? As long as much was found.
  bool goes_on(const State& state) const {
    return num_with_edges_ > state.num_reached + state.frontier_size && state.frontier_size > 4096;
  }

  static bool gathers_without_host(const State& state) {
    return streamed_operations<Memory>(state.communicator) != nullptr;
  }

  /// Empties the snapshot while the host and other ranks are waited for. Words that changed are then those of whom this
  /// search has visited: few, where nearly all vertices were when the last one ended.
  void forget_last_search(const State& state) {
    if (forgot_ || !both_directions_ || !gathers_without_host(state)) return;
    fill(state.space, snapshot_.words(), typename Bitmap<Memory>::Word(0));
    forgot_ = true;
  }

  /// All ranks' visited vertices into the snapshot, which is the same on all of them.
  void gather(const State& state, const BitmapWords<Memory>& own) {
    allgather_changes(state.communicator, state.space, own, snapshot_.words(), blocks_);
  }

  /// Behind a forward level, before the host knows what it found: if the search before turned backward after as many
  /// levels, this one probably does.
  void gather_ahead(const State& state) {
    if (state.next_level + 1 == turned_at_ && gathers_without_host(state)) gather_known(state);
  }

  /// What the first backward level asks and adds to.
  void gather_known(const State& state) {
    gather(state, own_words(state, state.known));
    copy(state.space, visited_.words(), own_words(state, state.known));
    gathered_ = true;
  }

  void sweep_backward(State& state, Bfs1dLevel& level) {
    const Space& space = state.space;
    if (!gathered_) gather(state, visited_.words());
    gathered_ = false;
    const FindParentAnywhere<Vertex, Memory> find = find_parent(state, state.next_level);
    state.filled = state.filled || find.tells_not_found;
    const CsrView<Vertex, Memory> rows = state.graph.rows.view();
    // What the next sweep asks for is enqueued before the host looks at the counts.
    const bool gather_now = gathers_without_host(state) && goes_on(state);
    const auto gather_behind = [&](const Bitmap<Memory>& visited) {
      if (gather_now) gather(state, visited.words());
    };
    const FoundCounts counts =
        find_first_again<false>(space, rows, rows, again_, with_edges_, visited_, before_, state.next.queue(),
                                own_unvisited_edges(state), find, gather_behind);
    gathered_ = gather_now;
    list_is_exact_ = again_.listed;
    state.next.set_counts(counts.num_found, counts.edges_found);
    level.backward = 1;
    level.enqueued_local = level.local_vertices = counts.num_found;
  }

  /// The frontier as a list; and whatever any rank knew of visited vertices before the last sweep, all know now.
  void turn_forward(State& state) {
    list_is_exact_ = false;
    const Space& space = state.space;
    if (!again_.found_listed) {
      gather_difference(space, visited_, before_, state.frontier.queue(), again_.gathered);
    }
    const std::int64_t size = state.frontier.num_vertices();
    const Vertex first = state.graph.ids.first(state.graph.rank);
    if (first != 0 && size > 0) {
      Kokkos::parallel_for("dromos::bfs_1d::number_in_block",
                           Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
                           NumberInBlock<Vertex, Memory>{state.frontier.queue(), first});
    }
    copy(space, state.known.words(), snapshot_.words());
    copy(space, own_words(state, state.known), visited_.words());
  }

  bool both_directions_;
  Offset most_edges_ = 0;  // that leave a vertex, of any rank; where first_edges_at_most() asks
  DirectionRule rule_;
  SendingExpansion<Space, Vertex> forward_;
  SweepsWithPeers<Space, Vertex> sweeps_with_peers_;
  FindsWithPeers<Space, Vertex> finds_with_peers_;
  bool list_is_exact_ = false;  // those that the last sweep left are those unvisited: no forward level came between
  Bitmap<Memory> snapshot_;     // what all ranks had visited before the sweep, by block id
  bool gathered_ = false;       // the snapshot is that of the next sweep
  bool forgot_ = false;         // and has nothing of the search before
  Level with_peers_until_ = no_level;  // as many levels of this search were made by sweeps with peers
  bool turned_behind_peers_ = false;   // the last search that went backward did so behind such sweeps
  Level turned_at_ = no_level;         // the first backward level of the last search that had one
  Bitmap<Memory> visited_, before_;    // of this rank's vertices, while it goes backward
  Bitmap<Memory> with_edges_;
  std::int64_t num_with_edges_ = 0;
  FindAgainScratch<Vertex, Memory> again_;
  std::vector<Block> blocks_;  // words of each rank's vertices in a bitmap over block ids
};

}  // namespace dromos::detail
