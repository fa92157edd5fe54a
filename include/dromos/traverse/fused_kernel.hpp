// SPDX-License-Identifier: BSD-3-Clause
// Fused sweeps on a GPU: one launch whose teams stay until the work set is empty or too large for them.
//
// The first team leads. A work set of few edges it sweeps alone, and the others do not hear of it: nothing is faster
// between two sweeps than a barrier of one team. For a larger one it gives an order, one word that all others look at;
// each takes windows of the collapsed loop over all edges of the work set, puts what joins into the next one and says
// that it is done:
//
//   leader   3 edges, 14, 310 alone | 30,000: order 1, a share of it, waits | 96,000: order 2 ... | 2,000 alone
//   others   look at the order      | their shares, done                    | their shares, done  | look at the order
//
// What a team needs to find its share comes with the work set: who puts vertices into it learns from one atomic, in which
// vertices and edges are counted together (traverse/frontier.hpp), where their edges begin in the collapsed loop, and
// notes for each window the vertex in which it begins.
//
//   window of 4 edges; vertices of degree 3 6 2 begin at 0 3 9; windows 0, 4, 8 begin in vertex number 0, 1, 1
//
// Teams can wait for each other only where all of them run at the same time. There is one for each multiprocessor, and
// whoever leads has seen all others arrive before it gives the first order; where they do not (other programs have the
// GPU), it gives up, and who arrives later finds an order to leave.
//
// Memory that a team wrote is read by others after a fence on either side, between which the order or the count of those
// who are done changes.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_message.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/sweep.hpp>
#include <string>

namespace dromos {

/// The most sweeps that one launch makes.
inline constexpr int most_fused_sweeps = 4095;

namespace detail {

inline constexpr int fused_team_size = 1024;
/// Edges of a window: one a thread.
inline constexpr int fused_window = fused_team_size;
/// The most edges of a work set that teams share; one that is larger is worth a launch of its own.
inline constexpr int most_shared_edges = 1 << 19;

/// What the leader wants of the other teams, in one word.
struct FusedOrder {
  int turn;  ///< another one than that of the order before
  bool leave;
  int sweep;
  int num_vertices, num_edges;  ///< of the work set

  KOKKOS_FUNCTION std::uint64_t pack() const {
    return static_cast<std::uint64_t>(turn) | static_cast<std::uint64_t>(leave) << 7 |
           static_cast<std::uint64_t>(sweep) << 8 | static_cast<std::uint64_t>(num_vertices) << 21 |
           static_cast<std::uint64_t>(num_edges) << 42;
  }
  static KOKKOS_FUNCTION FusedOrder unpack(std::uint64_t word) {
    return {turn_of(word), (word >> 7 & 1) != 0, static_cast<int>(word >> 8 & 0x1fff),
            static_cast<int>(word >> 21 & 0x1fffff), static_cast<int>(word >> 42)};
  }
  static KOKKOS_FUNCTION int turn_of(std::uint64_t word) { return static_cast<int>(word & 127); }
};
static_assert(most_fused_sweeps < 1 << 13 && most_shared_edges < 1 << 21);

/// Sizes of a work set in one word, so that they grow together.
inline constexpr int fused_vertex_bits = 24;
inline constexpr std::uint64_t fused_vertex_mask = (std::uint64_t(1) << fused_vertex_bits) - 1;

/// Words that teams agree by; zero when a launch begins.
enum FusedWord { fused_order, fused_done, fused_next, num_fused_words };

/// The memory of teams that share work sets; one launch makes the words of the next one zero.
template <class Memory>
struct FusedTeams {
  Kokkos::View<std::uint64_t*, Memory> words;    ///< of this launch and of the next one
  Kokkos::View<int*, Memory> prefix[2], starts[2];
  Kokkos::View<int*, Kokkos::HostSpace> launches;  ///< one element: how many there were

  FusedTeams() = default;
  explicit FusedTeams(std::int64_t queue_size)
      : words("dromos::traverse::fused_words", 2 * num_fused_words), launches("dromos::traverse::fused_launches", 1) {
    using Numbers = Kokkos::View<int*, Memory>;
    const auto numbers = [](const char* label, std::int64_t size) {
      return Numbers(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
    };
    for (int i = 0; i < 2; ++i) {
      prefix[i] = numbers("dromos::traverse::fused_prefix", dromos::min<std::int64_t>(queue_size, most_shared_edges));
      starts[i] = numbers("dromos::traverse::fused_starts", most_shared_edges / fused_window + 1);
    }
  }
};

/// One team and the work set number i, in queue i % 2.
template <class Space, class Graph, class Operator>
struct FusedKernel {
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<fused_team_size, 1>>;
  using Member = typename Policy::member_type;
  using Vertex = typename Graph::vertex_type;
  using Memory = typename Graph::memory_space;
  using OneSweep = Sweep<Space, Graph, QueueWork<Vertex, Memory>, NoSink, Operator>;

  /// Vertices that a team has in its scratch memory at a time.
  static constexpr int max_vertices = 8192 / int(sizeof(Vertex));
  static constexpr int per_thread = max_vertices / fused_team_size;
  static constexpr int num_warps = fused_team_size / warp_width;
  static_assert(max_vertices % fused_team_size == 0);

  OneSweep shared;
  Vertex* queue[2];
  Vertex start;  ///< what work set 0 consists of; no_vertex: it is there already
  int first_size;
  Offset max_alone;  ///< edges that the leader sweeps alone
  Offset max_edges;
  int max_sweeps;
  MessageSender host;
  std::uint64_t* words;
  std::uint64_t* next_words;
  int* prefix[2];
  int* starts[2];

  /// In the team's scratch memory.
  struct Scratch {
    Vertex* vertex;
    Offset* edge_shift;
    int* prefix;
    std::int64_t* totals;
    std::uint64_t* word;
    int* count;
  };
  static std::size_t scratch_bytes() {
    return max_vertices * (sizeof(Vertex) + sizeof(Offset) + sizeof(int)) + num_warps * sizeof(std::int64_t) +
           sizeof(std::uint64_t) + sizeof(int) + 6 * 8;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    Scratch scratch;
    scratch.vertex = team_array<Vertex>(team, max_vertices);
    scratch.edge_shift = team_array<Offset>(team, max_vertices);
    scratch.prefix = team_array<int>(team, max_vertices);
    scratch.totals = team_array<std::int64_t>(team, num_warps);
    scratch.word = team_array<std::uint64_t>(team, 1);
    scratch.count = team_array<int>(team, 1);
    OneSweep sweep = shared;  // its operator changes from sweep to sweep
    if (team.league_rank() == 0) {
      lead(team, sweep, scratch);
    } else {
      follow(team, sweep, scratch);
    }
  }

 private:
  /// Takes what joins, for the leader alone.
  class AloneQueue {
   public:
    static constexpr bool warps_are_free = true;

    KOKKOS_FUNCTION AloneQueue(const Operator& op, int* count, Vertex* to) : op_(op), count_(count), to_(to) {}
    KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) { push_alone(u, v); }
    KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) {
      if constexpr (HasJoined<Operator, Vertex>::value) op_.joined(u, v);
      to_[Kokkos::atomic_fetch_add(count_, 1)] = JoinsSource<Operator>::value ? u : v;
    }
    KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return 1; }
    KOKKOS_FORCEINLINE_FUNCTION void flush_round(const Member&) {}
    KOKKOS_FORCEINLINE_FUNCTION void flush_together(const Member&) {}

   private:
    const Operator& op_;
    int* const count_;
    Vertex* const to_;
  };

  /// Takes what joins, for one of several teams: a few vertices a thread, which the team puts in after each round.
  class SharedQueue {
   public:
    static constexpr bool warps_are_free = false;
    static constexpr int most = 4;

    KOKKOS_FUNCTION SharedQueue(const FusedKernel& kernel, const Operator& op, const Scratch& scratch, int next,
                                int capacity)
        : kernel_(kernel), op_(op), scratch_(scratch), next_(next), capacity_(capacity) {}
    KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) {
      if constexpr (HasJoined<Operator, Vertex>::value) op_.joined(u, v);
      const Vertex joining = JoinsSource<Operator>::value ? u : v;
      for (int i = 0; i < most; ++i) {  // a constant place for each, so that they stay in registers
        if (i == count_) found_[i] = joining;
      }
      ++count_;
    }
    KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) { push(u, v); }
    KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_; }

    KOKKOS_FUNCTION void flush_round(const Member& team) {
      Offset degree[most];
      Offset edges = 0;
      for (int i = 0; i < most; ++i) {
        degree[i] = i < count_ ? kernel_.shared.graph.degree(found_[i]) : 0;
        edges += degree[i];
      }
      std::int64_t all = 0;
      const std::int64_t before =
          team_sum_before(team, edges << fused_vertex_bits | count_, scratch_.totals, all);
      if (all == 0) return;
      if (team.team_rank() == 0) {
        *scratch_.word = atomic_fetch_add(&kernel_.words[fused_next], static_cast<std::uint64_t>(all));
      }
      team.team_barrier();
      const std::uint64_t at = *scratch_.word + static_cast<std::uint64_t>(before);
      std::int64_t position = static_cast<std::int64_t>(at & fused_vertex_mask);
      Offset edge = static_cast<Offset>(at >> fused_vertex_bits);
      for (int i = 0; i < most; ++i) {
        if (i >= count_) break;
        kernel_.queue[next_][position] = found_[i];
        kernel_.note_edges(next_, position, edge, degree[i]);
        ++position;
        edge += degree[i];
      }
      count_ = 0;
    }
    KOKKOS_FORCEINLINE_FUNCTION void flush_together(const Member&) {}

   private:
    const FusedKernel& kernel_;
    const Operator& op_;
    const Scratch& scratch_;
    const int next_;
    const int capacity_;
    int count_ = 0;
    Vertex found_[most];
  };

  /// Vertex number `position` of work set `parity` has edges [edge, edge + degree) of the collapsed loop.
  KOKKOS_FORCEINLINE_FUNCTION void note_edges(int parity, std::int64_t position, Offset edge, Offset degree) const {
    if (edge > most_shared_edges) return;  // nobody shares such a work set
    prefix[parity][position] = static_cast<int>(edge);
    const Offset end = dromos::min<Offset>(edge + degree, most_shared_edges);
    for (Offset window = (edge + fused_window - 1) / fused_window; window * fused_window < end; ++window) {
      starts[parity][window] = static_cast<int>(position);
    }
  }

  KOKKOS_FUNCTION void lead(const Member& team, OneSweep& sweep, const Scratch& scratch) const {
    const int rank = team.team_rank();
    if (rank < num_fused_words) next_words[rank] = 0;
    if (start != no_vertex<Vertex>) {
      if (rank == 0) {
        sweep.op.edge(start, start, 0);
        if constexpr (HasJoined<Operator, Vertex>::value) sweep.op.joined(start, start);
        queue[0][0] = start;
      }
      begin_next_sweep(sweep.op);
      team.team_barrier();
    }
    int size = first_size;
    Offset edges = 0;
    bool shared_before = false;  // by all teams; they have noted where edges lie
    int turn = 0;
    std::uint64_t done = static_cast<std::uint64_t>(team.league_size()) - 1;  // arrivals and shares that were waited for
    bool arrived = false;
    for (int i = 0;; ++i) {
      if (!shared_before) edges = number_edges(team, sweep.graph, queue[i % 2], size, scratch);
      bool last = size == 0 || edges > max_edges || i == max_sweeps;
      const bool alone = edges <= max_alone && size <= max_vertices;
      if (!last && !alone && !arrived) {
        arrived = team.league_size() > 1 && wait_until_done(team, done, scratch, true);
        last = !arrived;
      }
      if (rank == 0) {
        host.write(1 + 2 * i, static_cast<std::uint64_t>(size));
        host.write(2 + 2 * i, static_cast<std::uint64_t>(edges));
        if (last) {
          host.write(0, static_cast<std::uint64_t>(i));
          host.send();
          atomic_store(&words[fused_order], FusedOrder{(turn + 1) & 127, true, 0, 0, 0}.pack());
        }
      }
      if (last) return;
      if (alone) {
        if (shared_before) number_edges(team, sweep.graph, queue[i % 2], size, scratch);
        size = sweep_alone(team, sweep, i, size, static_cast<int>(edges), scratch);
      } else {
        if (!shared_before) note_all_edges(team, sweep.graph, i % 2, size, scratch);
        turn = (turn + 1) & 127;
        const FusedOrder order{turn, false, i, size, static_cast<int>(edges)};
        team.team_barrier();
        if (rank == 0) {
          words[fused_next] = 0;
          Kokkos::memory_fence();
          atomic_store(&words[fused_order], order.pack());
        }
        sweep_share(team, sweep, order, scratch);
        done += static_cast<std::uint64_t>(team.league_size()) - 1;
        team.team_barrier();
        wait_until_done(team, done, scratch, false);
        const std::uint64_t next = *scratch.word;
        size = static_cast<int>(next & fused_vertex_mask);
        edges = static_cast<Offset>(next >> fused_vertex_bits);
      }
      shared_before = !alone;
      begin_next_sweep(sweep.op);
    }
  }

  KOKKOS_FUNCTION void follow(const Member& team, OneSweep& sweep, const Scratch& scratch) const {
    if (start != no_vertex<Vertex>) begin_next_sweep(sweep.op);
    int turn = 0;
    int sweeps_begun = 0;
    for (;;) {
      team.team_barrier();
      if (team.team_rank() == 0) {
        Kokkos::memory_fence();
        atomic_fetch_add(&words[fused_done], std::uint64_t(1));  // has arrived, or is done with its share
        std::uint64_t word;
        do {
          word = atomic_load(&words[fused_order]);
        } while (FusedOrder::turn_of(word) == turn);
        Kokkos::memory_fence();
        *scratch.word = word;
      }
      team.team_barrier();
      const FusedOrder order = FusedOrder::unpack(*scratch.word);
      if (order.leave) return;
      turn = order.turn;
      for (; sweeps_begun < order.sweep; ++sweeps_begun) begin_next_sweep(sweep.op);
      sweep_share(team, sweep, order, scratch);
    }
  }

  /// Waits until so many teams were done and leaves in scratch.word the sizes of the next work set. \returns false when
  /// it gave up
  KOKKOS_FUNCTION bool wait_until_done(const Member& team, std::uint64_t done, const Scratch& scratch,
                                       bool may_give_up) const {
    constexpr int most_looks = 1 << 14;  // some ten milliseconds
    if (team.team_rank() == 0) {
      *scratch.count = 1;
      for (int looks = 0; atomic_load(&words[fused_done]) < done; ++looks) {
        if (may_give_up && looks == most_looks) {
          *scratch.count = 0;
          break;
        }
      }
      Kokkos::memory_fence();
      *scratch.word = atomic_load(&words[fused_next]);
    }
    team.team_barrier();
    const bool all_done = *scratch.count != 0;
    team.team_barrier();
    return all_done;
  }

  /// By the leader, with the edges numbered. Returns how many joined.
  KOKKOS_FUNCTION int sweep_alone(const Member& team, const OneSweep& sweep, int i, int size, int edges,
                                  const Scratch& scratch) const {
    if (team.team_rank() == 0) *scratch.count = 0;
    team.team_barrier();
    AloneQueue found(sweep.op, scratch.count, queue[(i + 1) % 2]);
    walk(team, sweep, found, scratch, size, edges, CollapsedWalk{false, false});
    team.team_barrier();
    return *scratch.count;
  }

  /// This team's windows of a work set that all teams share.
  KOKKOS_FUNCTION void sweep_share(const Member& team, const OneSweep& sweep, const FusedOrder& order,
                                   const Scratch& scratch) const {
    const int parity = order.sweep % 2;
    const int num_windows = (order.num_edges + fused_window - 1) / fused_window;
    const int per_team = (num_windows + team.league_size() - 1) / team.league_size();
    const int window = team.league_rank() * per_team;
    if (window >= num_windows) return;
    const bool to_the_end = window + per_team >= num_windows;
    const int last = to_the_end ? order.num_edges : (window + per_team) * fused_window;
    const int k_last = to_the_end ? order.num_vertices - 1 : starts[parity][window + per_team];
    SharedQueue found(*this, sweep.op, scratch, 1 - parity, dromos::min(per_team, int(SharedQueue::most)));
    int first = window * fused_window;
    for (int k = starts[parity][window]; k <= k_last && first < last; k += max_vertices) {
      const int count = dromos::min(max_vertices, k_last + 1 - k);
      team.team_barrier();
      for (int i = team.team_rank(); i < count; i += team.team_size()) {
        const Vertex v = queue[parity][k + i];
        const int before = prefix[parity][k + i] - first;  // below 0 where edges of v begin before the share
        scratch.vertex[i] = v;
        scratch.prefix[i] = before;
        scratch.edge_shift[i] = sweep.graph.begin(v) - before;
      }
      const int end = k + count <= k_last ? dromos::min(prefix[parity][k + count], last) : last;
      team.team_barrier();
      if (first < end) walk(team, sweep, found, scratch, count, end - first, CollapsedWalk{true, true});
      first = end;
    }
  }

  /// The first `length` edges of the collapsed loop over what is in scratch memory.
  template <class Queue>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Member& team, const OneSweep& sweep, Queue& found, const Scratch& scratch,
                                        int size, int length, CollapsedWalk how) const {
    sweep.walk_collapsed(
        team, found, scratch.prefix, 0, size, 0, length, how, [vertex = scratch.vertex](int k) { return vertex[k]; },
        [shift = scratch.edge_shift](int k, Vertex) { return shift[k]; });
  }

  /// Brings the vertices of a work set into scratch memory, with where the edges of each begin in the collapsed loop and
  /// where they lie. Of a work set that scratch memory does not hold, nothing. Returns how many edges there are.
  KOKKOS_FUNCTION Offset number_edges(const Member& team, const Graph& graph, const Vertex* work, int size,
                                      const Scratch& scratch) const {
    return add_up_edges(team, graph, work, size, scratch, [&](int k, Vertex v, Offset row, Offset before, Offset) {
      if (size > max_vertices) return;
      scratch.vertex[k] = v;
      scratch.prefix[k] = static_cast<int>(before);  // not used where there are too many edges for it
      scratch.edge_shift[k] = row - before;
    });
  }

  /// Notes for all teams where edges lie.
  KOKKOS_FUNCTION void note_all_edges(const Member& team, const Graph& graph, int parity, int size,
                                      const Scratch& scratch) const {
    add_up_edges(team, graph, queue[parity], size, scratch, [&](int k, Vertex, Offset, Offset before, Offset degree) {
      note_edges(parity, k, before, degree);
    });
  }

  /// Tells tell(k, vertex, begin of its row, edges before, degree) for each vertex number k; returns the sum of degrees.
  template <class Tell>
  KOKKOS_FORCEINLINE_FUNCTION Offset add_up_edges(const Member& team, const Graph& graph, const Vertex* work, int size,
                                                  const Scratch& scratch, const Tell& tell) const {
    std::int64_t all = 0;
    for (int tile = 0; tile < size; tile += max_vertices) {
      const int first = tile + team.team_rank() * per_thread;
      Vertex vertex[per_thread];
      Offset row[per_thread];
      Offset degree[per_thread];
      Offset mine = 0;
      for (int i = 0; i < per_thread; ++i) {
        row[i] = degree[i] = 0;
        if (first + i >= size) continue;
        vertex[i] = work[first + i];
        row[i] = graph.begin(vertex[i]);
        degree[i] = graph.end(vertex[i]) - row[i];
        mine += degree[i];
      }
      const Offset before_tile = all;
      Offset before = before_tile + team_sum_before(team, mine, scratch.totals, all);
      for (int i = 0; i < per_thread && first + i < size; ++i) {
        tell(first + i, vertex[i], row[i], before, degree[i]);
        before += degree[i];
      }
    }
    return all;
  }
};

}  // namespace detail

}  // namespace dromos
