// SPDX-License-Identifier: BSD-3-Clause
// Fused sweeps on a GPU: one launch whose teams stay until the work set is empty or too large for them.
//
// The first team leads. A work set of few edges it sweeps alone, and the others do not hear of it: nothing is faster
// between two sweeps than a barrier of one team. For a larger one it gives an order, one word that all others look at;
// each takes pieces of the collapsed loop over all edges of the work set and puts what joins into the next one. Then
// all wait for each other, read how large that is, and go on with it, until it is small again:
//
//   leader   3 edges, 14, 310 alone | order: 30,000, 96,000, 50,000 shared | 1,500, 200 alone
//   others   look at the order      |        30,000, 96,000, 50,000 shared | look at the order
//
// While the leader is alone, work sets never leave its scratch memory: who joins brings its row along, is told by one
// atomic where its edges begin among those of the others, and notes there that they do, so that nobody has to search.
//
// What a team needs to find its share comes with the work set: who puts vertices into it learns from one atomic, in
// which vertices and edges are counted together (traverse/frontier.hpp), where their edges begin in the collapsed loop,
// and notes for each window the vertex in which it begins.
//
//   window of 4 edges; vertices of degree 3 6 2 begin at 0 3 9; windows 0, 4, 8 begin in vertex number 0, 1, 1
//
// Of a work set with no more edges than all teams have threads, each team has one piece, an edge a thread. Of a larger
// one warps take pieces of up to a window, one after the other, and wait for nobody: a round of the whole team takes as
// long as its longest chain of reads, of which a warp's wait is filled by the others. What they find waits in scratch
// memory until the sweep ends, so that only then the team asks for places in the next work set.
//
// Teams can wait for each other only where all of them run at the same time. There is one for each multiprocessor, and
// whoever leads has seen all others arrive before it gives the first order; where they do not (other programs have the
// GPU), it gives up, and who arrives later finds an order to leave.
//
// Where work sets come out of a pile (traverse/pile.hpp), an empty one is filled again by all teams, each from its
// words of the bitmap: what costs two launches and two waits of the host for a bucket costs two barriers.
//
//   1,500, 200, 0 alone | order: 0, refilled with 700 | 700, 90, 0 alone | order: ...
//
// Memory that a team wrote is read by others after a fence on either side, between which the order changes, or after
// the count of those who are done, which is added to and read with as much of a fence as that needs. The sizes of work
// sets go to the host at the end: a fence waits for everything that was written, and what was written to the host takes
// long.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_message.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/edges_at_hand.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/pile.hpp>
#include <dromos/traverse/sweep.hpp>
#include <string>
#include <type_traits>

namespace dromos {

/// The most sweeps that one launch makes.
inline constexpr int most_fused_sweeps = 4095;

namespace detail {

/// One team a multiprocessor: fewer threads have more registers each, and a barrier of theirs is quicker.
inline constexpr int fused_team_size = 512;
/// Edges of a window, of which it is noted in which vertex it begins.
inline constexpr int fused_window = 128;
/// The most edges of a work set that teams share; one that is larger is worth a launch of its own.
inline constexpr int most_shared_edges = (1 << 21) - fused_team_size;
/// The most of them that a team sweeps, of so many teams.
inline Offset most_edges_of_team(Offset edges, int num_teams) {
  const Offset windows = (edges + fused_window - 1) / fused_window;
  return dromos::max<Offset>((windows + num_teams - 1) / num_teams * fused_window, fused_team_size);
}

/// What the leader wants of the other teams, in one word.
struct FusedOrder {
  int turn;  ///< another one than that of the order before
  bool leave;
  int sweep;
  int num_vertices, num_edges;  ///< of the work set; no vertices: it is to be refilled

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
inline constexpr int fused_vertex_bits = 30;
inline constexpr std::uint64_t fused_vertex_mask = (std::uint64_t(1) << fused_vertex_bits) - 1;
/// A sweep of few edges finds few vertices, but a bucket may hold all that there are.
inline constexpr std::int64_t most_refilled_vertices = fused_vertex_mask;
inline constexpr Offset most_refilled_edges = (Offset(1) << (63 - fused_vertex_bits)) - 1;

/// Words that teams agree by; zero when a launch begins. The size of the next work set grows in one of three, in turn:
/// while one grows, the one after it is made zero, and slow teams may still be reading the one before. So does the
/// least priority of those who wait while a work set is refilled. The edges of the bucket's sweeps come with an order,
/// since of those that the leader sweeps alone others do not hear.
enum FusedWord {
  fused_order,
  fused_done,
  fused_bucket_edges,
  fused_next,
  fused_least = fused_next + 3,
  num_fused_words = fused_least + 3
};

/// What a launch tells the host before the sizes of its work sets: how many sweeps there were, and where the last
/// bucket begins that was not empty, as Pile::word_of().
enum FusedAnswer { fused_sweeps, fused_bucket, num_fused_answers };
/// In the number of edges of a work set: it came out of the pile.
inline constexpr std::uint64_t fused_refilled = std::uint64_t(1) << 63;

/// The memory of teams that share work sets; one launch makes the words of the next one zero.
template <class Memory>
struct FusedTeams {
  Kokkos::View<std::uint64_t*, Memory> words;  ///< of this launch and of the next one
  Kokkos::View<std::uint64_t*, Memory> sizes;  ///< vertices and edges of each work set
  Kokkos::View<int*, Memory> prefix[2], starts[2];
  Kokkos::View<Offset*, Memory> rows[2];
  Kokkos::View<std::int64_t*, Memory> more_found;  ///< by each team, than its scratch memory holds
  std::int64_t most_more_found = 0;                ///< by one
  Kokkos::View<int*, Kokkos::HostSpace> launches;  ///< one element: how many there were

  FusedTeams() = default;
  FusedTeams(std::int64_t queue_size, int num_teams)
      : words("dromos::traverse::fused_words", 2 * num_fused_words),
        sizes("dromos::traverse::fused_sizes", 2 * (most_fused_sweeps + 1)),
        launches("dromos::traverse::fused_launches", 1) {
    const std::int64_t most_vertices = dromos::min<std::int64_t>(queue_size, most_shared_edges);
    const auto without = [](const char* label) {
      return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
    };
    for (int i = 0; i < 2; ++i) {
      prefix[i] = Kokkos::View<int*, Memory>(without("dromos::traverse::fused_prefix"), most_vertices);
      starts[i] =
          Kokkos::View<int*, Memory>(without("dromos::traverse::fused_starts"), most_shared_edges / fused_window + 1);
      rows[i] = Kokkos::View<Offset*, Memory>(without("dromos::traverse::fused_rows"), most_vertices);
    }
    most_more_found = dromos::min<std::int64_t>(queue_size, most_edges_of_team(most_shared_edges, num_teams));
    more_found =
        Kokkos::View<std::int64_t*, Memory>(without("dromos::traverse::fused_more_found"), num_teams * most_more_found);
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
  /// The most edges that the leader sweeps alone: one a thread.
  static constexpr int most_alone = fused_team_size;

  OneSweep shared;
  Vertex* queue[2];
  Vertex start;  ///< what work set 0 consists of; no_vertex: it is there already
  int first_size;
  Offset max_alone;  ///< edges that the leader sweeps alone; at most most_alone
  Offset max_edges;
  int max_sweeps;
  bool may_refill;
  MessageSender host;
  std::uint64_t* words;
  std::uint64_t* next_words;
  std::uint64_t* sizes;
  int* prefix[2];
  int* starts[2];
  Offset* rows[2];
  std::int64_t* more_found;  ///< of each team, so many
  std::int64_t most_more_found;

  /// How a work set came out of the pile.
  struct Refill {
    bool fresh = false;        ///< it did
    bool over = false;         ///< it is empty, and nobody waits there any more
    std::uint64_t bucket = 0;  ///< where the last bucket begins that was not empty, as Pile::word_of()
  };

  /// In the team's scratch memory.
  struct Scratch {
    EdgesAtHand<Vertex, max_vertices, most_alone> hand;
    std::int64_t* totals;
    std::uint64_t* word;  ///< two of them
    unsigned* sizes;      ///< likewise
    int* count;
  };
  static constexpr std::size_t scratch_bytes() {
    return EdgesAtHand<Vertex, max_vertices, most_alone>::bytes() + num_warps * sizeof(std::int64_t) +
           2 * sizeof(std::uint64_t) + 2 * sizeof(unsigned) + sizeof(int) + 4 * 8;
  }
  static_assert(scratch_bytes() + kokkos_scratch_bytes(fused_team_size) <= gpu_scratch_bytes);

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Scratch scratch = take_scratch(team);
    OneSweep sweep = shared;  // its operator changes from sweep to sweep
    if (team.league_rank() == 0) {
      lead(team, sweep, scratch);
    } else {
      follow(team, sweep, scratch);
    }
  }

 protected:
  /// Where the edges of a vertex lie.
  struct Row {
    Offset begin = 0, degree = 0;
  };
  static KOKKOS_FORCEINLINE_FUNCTION Row row_of(const Graph& graph, Vertex v) {
    const Offset begin = graph.begin(v);
    return {begin, graph.end(v) - begin};
  }

  static KOKKOS_FUNCTION Scratch take_scratch(const Member& team) {
    Scratch scratch;
    scratch.hand = EdgesAtHand<Vertex, max_vertices, most_alone>::take(team);
    scratch.totals = team_array<std::int64_t>(team, num_warps);
    scratch.word = team_array<std::uint64_t>(team, 2);
    scratch.sizes = team_array<unsigned>(team, 2);
    scratch.count = team_array<int>(team, 1);
    return scratch;
  }

  /// Takes what joins, for one of several teams: a few vertices a thread, which the team puts in after each round.
  class SharedQueue {
   public:
    static constexpr int most = 4;

    /// \param next  parity of the next work set; its size grows in `size`
    KOKKOS_FUNCTION SharedQueue(const FusedKernel& kernel, const Scratch& scratch, int next, std::uint64_t* size)
        : kernel_(kernel), scratch_(scratch), next_(next), size_(size) {}
    KOKKOS_FORCEINLINE_FUNCTION void put(Vertex joining) {
      for (int i = 0; i < most; ++i) {  // a constant place for each, so that they stay in registers
        if (i == count_) found_[i] = joining;
      }
      ++count_;
    }

    /// Was there anything?
    KOKKOS_FUNCTION bool flush_round(const Member& team) {
      Offset row[most];
      Offset degree[most];
      Offset edges = 0;
      for (int i = 0; i < most; ++i) {
        row[i] = i < count_ ? kernel_.shared.graph.begin(found_[i]) : 0;
        degree[i] = i < count_ ? kernel_.shared.graph.end(found_[i]) - row[i] : 0;
        edges += degree[i];
      }
      std::int64_t all = 0;
      const std::int64_t before = team_sum_before(team, edges << fused_vertex_bits | count_, scratch_.totals, all);
      if (all == 0) return false;
      if (team.team_rank() == 0) {
        *scratch_.word = atomic_fetch_add(size_, static_cast<std::uint64_t>(all));
      }
      team.team_barrier();
      const std::uint64_t at = *scratch_.word + static_cast<std::uint64_t>(before);
      std::int64_t position = static_cast<std::int64_t>(at & fused_vertex_mask);
      Offset edge = static_cast<Offset>(at >> fused_vertex_bits);
      const int lane = team.team_rank() % warp_width;
      for (int i = 0; i < most; ++i) {
        const bool there = i < count_;
        if (there) kernel_.queue[next_][position] = found_[i];
        kernel_.note_edges(there, next_, position, {row[i], degree[i]}, edge, lane);
        ++position;
        edge += degree[i];
      }
      count_ = 0;
      return true;
    }

   private:
    const FusedKernel& kernel_;
    const Scratch& scratch_;
    const int next_;
    std::uint64_t* const size_;
    int count_ = 0;
    Vertex found_[most];
  };

  /// Takes what joins, for one of several teams whose warps do not wait for each other: into the team's scratch memory,
  /// and behind that into a list of the team's, from where all of it goes into the next work set in the end.
  class SharedPile {
   public:
    static constexpr int most = OneSweep::batch;

    /// A collective of the team. Parameters as SharedQueue.
    KOKKOS_FUNCTION SharedPile(const Member& team, const FusedKernel& kernel, const Operator& op,
                               const Scratch& scratch, int next, std::uint64_t* size)
        : kernel_(kernel),
          op_(op),
          scratch_(scratch),
          next_(next),
          size_(size),
          more_found_(kernel.more_found + team.league_rank() * kernel.most_more_found) {
      if (team.team_rank() == 0) *scratch_.count = 0;
      team.team_barrier();
    }
    KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) {
      if constexpr (HasJoined<Operator, Vertex>::value) op_.joined(u, v);
      const Vertex joining = joining_vertex(op_, u, v);
      for (int i = 0; i < most; ++i) {  // as SharedQueue::put()
        if (i == count_) found_[i] = joining;
      }
      ++count_;
    }
    KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) { push(u, v); }

    /// What the lanes of a warp have pushed, at most `most` each. A collective of the warp.
    KOKKOS_FUNCTION void flush_warp(int lane) {
      int place[most];
      int all = 0;
      for (int i = 0; i < most; ++i) {
        const std::uint32_t votes = ballot(whole_warp, i < count_);
        place[i] = all + votes_before(votes, lane);
        all += population_count(votes);
      }
      if (all == 0) return;
      Row row[most];
      for (int i = 0; i < most; ++i) {
        if (i < count_) row[i] = row_of(kernel_.shared.graph, found_[i]);
      }
      int first = 0;
      if (lane == 0) first = Kokkos::atomic_fetch_add(scratch_.count, all);
      first = warp_broadcast(first, 0);
      for (int i = 0; i < most; ++i) {
        if (i >= count_) break;
        const int at = first + place[i];
        if (at < max_vertices) {
          scratch_.hand.vertex[at] = found_[i];
          scratch_.hand.edge_shift[at] = row[i].begin;
          scratch_.hand.prefix[at] = static_cast<int>(dromos::min<Offset>(row[i].degree, much));
        } else {
          more_found_[at - max_vertices] = found_[i];
        }
      }
      count_ = 0;
    }

    /// Into the next work set. A collective of the team.
    KOKKOS_FUNCTION void flush_team(const Member& team) const {
      team.team_barrier();
      const int all = *scratch_.count;
      for (int tile = 0; tile < all; tile += max_vertices) {
        flush_tile(team, tile, dromos::min(all - tile, max_vertices));
      }
    }

   private:
    /// A degree that is not noted in scratch memory.
    static constexpr int much = 0x7fffffff;

    KOKKOS_FUNCTION void flush_tile(const Member& team, int tile, int size) const {
      const int rank = team.team_rank();
      const int each = (size + fused_team_size - 1) / fused_team_size;
      Vertex vertex[per_thread];
      Row row[per_thread];
      Offset edges = 0;
      for (int i = 0; i < per_thread; ++i) {
        const int at = rank * each + i;
        if (i >= each || at >= size) continue;
        vertex[i] = tile == 0 ? scratch_.hand.vertex[at] : static_cast<Vertex>(more_found_[tile - max_vertices + at]);
        if (tile == 0 && scratch_.hand.prefix[at] != much) {
          row[i] = {scratch_.hand.edge_shift[at], scratch_.hand.prefix[at]};
        } else {
          row[i] = row_of(kernel_.shared.graph, vertex[i]);
        }
        edges += row[i].degree;
      }
      std::int64_t all = 0;
      const std::int64_t edges_before = team_sum_before(team, edges, scratch_.totals, all);
      if (rank == 0) *scratch_.word = atomic_fetch_add(size_, size_word(size, all));
      team.team_barrier();
      const std::uint64_t begin = *scratch_.word;
      std::int64_t position = static_cast<std::int64_t>(begin & fused_vertex_mask) + rank * each;
      Offset edge = static_cast<Offset>(begin >> fused_vertex_bits) + edges_before;
      for (int i = 0; i < per_thread; ++i) {
        if (i >= each) break;
        const bool there = rank * each + i < size;
        if (there) kernel_.queue[next_][position] = vertex[i];
        kernel_.note_edges(there, next_, position, row[i], edge, rank % warp_width);
        ++position;
        edge += row[i].degree;
      }
    }

    const FusedKernel& kernel_;
    const Operator& op_;
    const Scratch& scratch_;
    const int next_;
    std::uint64_t* const size_;
    std::int64_t* const more_found_;
    int count_ = 0;
    Vertex found_[most];
  };

  /// Vertex number `position` of work set `parity` has edges [edge, edge + row.degree) of the collapsed loop.
  KOKKOS_FORCEINLINE_FUNCTION void note_few_edges(int parity, std::int64_t position, const Row& row,
                                                  Offset edge) const {
    if (edge > most_shared_edges || position >= most_shared_edges) return;  // nobody shares such a work set
    prefix[parity][position] = static_cast<int>(edge);
    rows[parity][position] = row.begin;
    const Offset end = dromos::min<Offset>(edge + row.degree, most_shared_edges);
    for (Offset window = (edge + fused_window - 1) / fused_window; window * fused_window < end; ++window) {
      starts[parity][window] = static_cast<int>(position);
    }
  }

  /// The same, if the vertex is there, of any number of edges. A collective of a warp, whose lanes have a vertex each:
  /// in the row of a hub begin many windows.
  KOKKOS_FORCEINLINE_FUNCTION void note_edges(bool there, int parity, std::int64_t position, const Row& row,
                                              Offset edge, int lane) const {
    constexpr int few = 8;
    int window = 0, end = 0;
    if (there && edge <= most_shared_edges && position < most_shared_edges) {  // nobody shares larger work sets
      prefix[parity][position] = static_cast<int>(edge);
      rows[parity][position] = row.begin;
      const int last = static_cast<int>(dromos::min<Offset>(edge + row.degree, most_shared_edges));
      window = (static_cast<int>(edge) + fused_window - 1) / fused_window;
      end = (last + fused_window - 1) / fused_window;
    }
    const bool many = end - window > few;
    for (; !many && window < end; ++window) starts[parity][window] = static_cast<int>(position);
    for (std::uint32_t votes = ballot(whole_warp, many); votes != 0; votes &= votes - 1) {
      const int whose = count_trailing_zeros(votes);
      const int last = warp_broadcast(end, whose);
      const int number = warp_broadcast(static_cast<int>(position), whose);
      for (int w = warp_broadcast(window, whose) + lane; w < last; w += warp_width) starts[parity][w] = number;
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
    bool in_queue = true;     // the work set
    bool in_scratch = false;  // with its edges numbered; it may be in both
    bool noted = false;       // where its edges lie, for all teams
    int turn = 0;
    std::uint64_t num_shared = 0;
    bool arrived = false;
    Refill refill;
    note_bucket(sweep.op, refill);
    for (int i = 0;;) {
      if (!in_scratch && !noted) {
        edges = number_edges(team, sweep.graph, queue[i % 2], size, scratch);
        in_scratch = size <= max_vertices;
      }
      bool last = refill.over || ends(sweep.op, size, edges, i);
      const bool alone = size > 0 && edges <= max_alone && size <= max_vertices;
      if (!last && !alone && !arrived) {
        arrived = team.league_size() > 1 && wait_for_arrivals(team, scratch);
        last = !arrived;
      }
      if (rank == 0) note_size(i, size, edges, refill.fresh);
      if (!in_queue && (last || !alone)) {
        for (int k = rank; k < size; k += team.team_size()) queue[i % 2][k] = scratch.hand.vertex[k];
      }
      if (last) {
        leave(team, refill, i, turn);
        return;
      }
      if (alone) {
        if (!in_scratch) number_edges(team, sweep.graph, queue[i % 2], size, scratch);
        const Offset swept = edges;
        const JoinedSize next_size = sweep_alone(team, sweep, i, static_cast<int>(edges), scratch);
        size = next_size.vertices();
        edges = next_size.edges();
        count_in_bucket(sweep.op, swept);
        in_queue = noted = false;
        in_scratch = true;
        if (*scratch.hand.large != 0) {
          for (int k = rank; k < size; k += team.team_size()) queue[(i + 1) % 2][k] = scratch.hand.vertex[k];
          team.team_barrier();
          in_queue = true;
          in_scratch = false;
        }
        refill.fresh = false;
        begin_next_sweep(sweep.op);
        ++i;
      } else {
        if (in_scratch) {
          note_edges_at_hand(team, i % 2, size, edges, scratch);
        } else if (!noted) {
          note_all_edges(team, sweep.graph, i % 2, size, scratch);
        }
        turn = (turn + 1) & 127;
        const FusedOrder order{turn, false, i, size, static_cast<int>(edges)};
        team.team_barrier();
        if (rank == 0) {
          if constexpr (Refills<Operator>::value) words[fused_bucket_edges] = sweep.op.pile.num_edges;
          device_fence();
          atomic_store(&words[fused_order], order.pack());
        }
        edges = sweep_shared(team, sweep, i, size, edges, num_shared, scratch, refill);
        in_queue = noted = true;
        in_scratch = false;
      }
    }
  }

  KOKKOS_FUNCTION void follow(const Member& team, OneSweep& sweep, const Scratch& scratch) const {
    if (start != no_vertex<Vertex>) begin_next_sweep(sweep.op);
    int turn = 0;
    int next_sweep = 0;
    std::uint64_t num_shared = 0;
    if (team.team_rank() == 0) atomic_fetch_add(&words[fused_done], std::uint64_t(1));  // has arrived
    for (;;) {
      team.team_barrier();
      if (team.team_rank() == 0) {
        std::uint64_t word = atomic_load(&words[fused_order]);
        for (int looks = 0; FusedOrder::turn_of(word) == turn; ++looks) {
          if (looks > 64) device_pause();  // who looks all the time takes from those who work
          word = atomic_load(&words[fused_order]);
        }
        device_fence();
        scratch.word[0] = word;
        if constexpr (Refills<Operator>::value) scratch.word[1] = words[fused_bucket_edges];
      }
      team.team_barrier();
      const FusedOrder order = FusedOrder::unpack(scratch.word[0]);
      if (order.leave) return;
      if constexpr (Refills<Operator>::value) sweep.op.pile.num_edges = static_cast<Offset>(scratch.word[1]);
      turn = order.turn;
      for (; next_sweep < order.sweep; ++next_sweep) begin_next_sweep(sweep.op);
      int size = order.num_vertices;
      Refill refill;
      sweep_shared(team, sweep, next_sweep, size, order.num_edges, num_shared, scratch, refill);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool ends([[maybe_unused]] const Operator& op, int size, Offset edges, int i) const {
    if constexpr (HasMostEdges<Operator>::value) {
      if (edges > op.most_edges()) return true;
    }
    return (size == 0 && !refills()) || edges > max_edges || size > most_shared_edges || i == max_sweeps;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool refills() const {
    if constexpr (Refills<Operator>::value) {
      return may_refill;
    } else {
      return false;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void note_size(int i, int size, Offset edges, bool refilled) const {
    sizes[2 * i] = static_cast<std::uint64_t>(size);
    sizes[2 * i + 1] = static_cast<std::uint64_t>(edges) | (refilled ? fused_refilled : 0);
  }

  /// The leader tells the host the sizes of work sets 0 to i, and all others to leave.
  KOKKOS_FUNCTION void leave(const Member& team, const Refill& refill, int i, int turn) const {
    team.team_barrier();
    for (int k = team.team_rank(); k < 2 * (i + 1); k += team.team_size()) {
      host.write(num_fused_answers + k, sizes[k]);
    }
    system_fence();
    team.team_barrier();
    if (team.team_rank() != 0) return;
    host.write(fused_sweeps, static_cast<std::uint64_t>(i));
    host.write(fused_bucket, refill.bucket);
    host.send();
    atomic_store(&words[fused_order], FusedOrder{(turn + 1) & 127, true, 0, 0, 0}.pack());
  }

  /// Have all other teams arrived, or do they soon?
  KOKKOS_FUNCTION bool wait_for_arrivals(const Member& team, const Scratch& scratch) const {
    constexpr int most_looks = 1 << 14;  // some ten milliseconds
    if (team.team_rank() == 0) {
      const auto others = static_cast<std::uint64_t>(team.league_size()) - 1;
      int looks = 0;
      while (atomic_load(&words[fused_done]) < others && looks < most_looks) ++looks;
      *scratch.count = looks < most_looks ? 1 : 0;
    }
    team.team_barrier();
    const bool all = *scratch.count != 0;
    team.team_barrier();
    return all;
  }

  /// Work set i, of so many vertices and edges, and those after it, together with all other teams. Afterwards i and
  /// `size` are those of the first work set that is not shared; returns its edges.
  ///
  /// \param num_shared  in and out: how many sweeps and refills of this launch were shared
  /// \param refill      in and out
  KOKKOS_FUNCTION Offset sweep_shared(const Member& team, OneSweep& sweep, int& i, int& size, Offset edges,
                                      std::uint64_t& num_shared, const Scratch& scratch, Refill& refill) const {
    const auto num_teams = static_cast<std::uint64_t>(team.league_size());
    if (size == 0) end_bucket_of(sweep.op);
    for (;;) {
      std::uint64_t* const next = &words[fused_next + num_shared % 3];
      std::uint64_t* const least = &words[fused_least + num_shared % 3];
      const bool was_empty = size == 0;
      if (was_empty) {
        refill_share(team, sweep.op, i % 2, next, least, scratch);
      } else {
        sweep_share(team, sweep, i % 2, size, static_cast<int>(edges), next, scratch);
        count_in_bucket(sweep.op, edges);
      }
      ++num_shared;
      team.team_barrier();
      if (team.team_rank() == 0) {
        if (team.league_rank() == 0) words[fused_next + num_shared % 3] = words[fused_least + num_shared % 3] = 0;
        const std::uint64_t all_done = num_teams - 1 + num_teams * num_shared;
        add_released(&words[fused_done], 1);
        while (load_acquired(&words[fused_done]) < all_done) {
        }
        const std::uint64_t found = atomic_load(next), waiting = atomic_load(least);
        scratch.word[0] = found;
        scratch.word[1] = waiting;
      }
      team.team_barrier();
      const std::uint64_t next_size = scratch.word[0];
      size = static_cast<int>(next_size & fused_vertex_mask);
      edges = static_cast<Offset>(next_size >> fused_vertex_bits);
      if (was_empty) {
        refill.over = size == 0 && scratch.word[1] == 0;
        if (refill.over) return 0;
        if (size == 0) {
          begin_bucket(sweep.op, scratch.word[1]);
        } else {
          note_bucket(sweep.op, refill);
        }
      } else {
        ++i;
        begin_next_sweep(sweep.op);
        if (size == 0 && refills() && i < max_sweeps) end_bucket_of(sweep.op);
      }
      refill.fresh = was_empty;
      if (size == 0 && refills() && i < max_sweeps) continue;
      // Not until it is well below what the leader shares, or they would give each other the work set in turn.
      if (ends(sweep.op, size, edges, i) || (edges <= max_alone / 2 && size <= max_vertices)) return edges;
      if (team.league_rank() == 0 && team.team_rank() == 0) note_size(i, size, edges, was_empty);
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION void end_bucket_of([[maybe_unused]] Operator& op) {
    if constexpr (Refills<Operator>::value) end_bucket(op);
  }
  static KOKKOS_FORCEINLINE_FUNCTION void begin_bucket([[maybe_unused]] Operator& op,
                                                       [[maybe_unused]] std::uint64_t least) {
    if constexpr (Refills<Operator>::value) op.begin_bucket(op.pile.of_word(least));
  }

  static KOKKOS_FORCEINLINE_FUNCTION void note_bucket([[maybe_unused]] const Operator& op,
                                                      [[maybe_unused]] Refill& refill) {
    if constexpr (Refills<Operator>::value) refill.bucket = op.pile.word_of(op.pile.from);
  }

  /// This team's words of the pile; the size of the work set grows in `next`.
  KOKKOS_FUNCTION void refill_share([[maybe_unused]] const Member& team, [[maybe_unused]] const Operator& op,
                                    [[maybe_unused]] int parity, [[maybe_unused]] std::uint64_t* next,
                                    [[maybe_unused]] std::uint64_t* least,
                                    [[maybe_unused]] const Scratch& scratch) const {
    if constexpr (Refills<Operator>::value) {
      using Word = typename Bitmap<Memory>::Word;
      Word* const waiting = op.pile.waiting.words().data();
      const auto num_words = static_cast<std::int64_t>(op.pile.waiting.words().extent(0));
      const std::int64_t per_team = (num_words + team.league_size() - 1) / team.league_size();
      const std::int64_t last = dromos::min<std::int64_t>((team.league_rank() + 1) * per_team, num_words);
      std::int64_t w = team.league_rank() * per_team + team.team_rank() - team.team_size();
      Word taken = 0;  // of word w, and not in the queue yet
      std::uint64_t least_here = 0;
      SharedQueue found_here(*this, scratch, parity, next);
      do {
        for (int room = SharedQueue::most; room > 0;) {
          if (taken != 0) {
            const auto v = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(taken));
            taken &= taken - 1;
            tell_taken(op, v);
            found_here.put(v);
            --room;
          } else {
            w += team.team_size();
            if (w >= last) break;
            const Word word = atomic_load(&waiting[w]);
            if (word == 0) continue;
            const auto found = op.pile.look(w);
            if (found.still != word) waiting[w] = found.still;
            taken = found.taken;
            least_here = dromos::max(least_here, op.pile.word_of(found.least));
          }
        }
      } while (found_here.flush_round(team));  // nobody has put anything in: all are at their ends
      least_here = warp_max(least_here);
      if (team.team_rank() % warp_width == 0 && least_here > atomic_load(least)) {
        atomic_fetch_max(least, least_here);
      }
    }
  }

  /// A thread's edge of those that the team has in scratch memory, and what becomes of it.
  struct OneEdge {
    Vertex source = no_vertex<Vertex>;
    Vertex target = no_vertex<Vertex>;  ///< no_vertex: there is none
    Offset edge = 0;
    bool joins = false;
    Row row;  ///< of who joins
  };

  /// Finds edge number `rank` of so many.
  static KOKKOS_FORCEINLINE_FUNCTION OneEdge take_edge(const OneSweep& sweep, const Scratch& scratch, int rank,
                                                       int num_edges) {
    OneEdge mine;
    const int lane = rank % warp_width;
    if (rank - lane >= num_edges) return mine;
    const int k = scratch.hand.vertex_of(rank, num_edges, lane);
    if (rank >= num_edges) return mine;
    const Vertex u = scratch.hand.vertex[k];
    if (!begin_vertex(sweep.op, u)) return mine;
    mine.source = u;
    mine.edge = rank + scratch.hand.edge_shift[k];
    mine.target = neighbor_of(sweep.graph, u, mine.edge);
    return mine;
  }

  /// Visits it. The row of its end is asked for together with whether it joins: one need not wait for the other.
  ///
  /// \tparam at_once  without may_join(), where the operator allows it
  template <bool at_once>
  static KOKKOS_FORCEINLINE_FUNCTION void visit_edge(const OneSweep& sweep, OneEdge& mine) {
    const Operator& op = sweep.op;
    const bool asks = !HasJoining<Operator, Vertex>::value && has_row(sweep.graph, mine.target);
    if (asks) mine.row = row_of(sweep.graph, mine.target);
    mine.joins = mine.target != no_vertex<Vertex>;
    if constexpr (!at_once || !MayAskAtOnce<Operator>::value) {
      mine.joins = mine.joins && edge_may_join(op, mine.source, mine.target, mine.edge);
    }
    mine.joins = mine.joins && op.edge(mine.source, mine.target, mine.edge);
    if (!mine.joins) return;
    if constexpr (HasJoined<Operator, Vertex>::value) op.joined(mine.source, mine.target);
    mine.target = joining_vertex(op, mine.source, mine.target);
    if (!asks) mine.row = row_of(sweep.graph, mine.target);
  }

  /// One sweep by the leader alone, of work set i, which is in scratch memory with its edges numbered. Afterwards the
  /// next one is, unless scratch.hand.large says that there is a vertex of more edges than are counted. Returns its
  /// size.
  ///
  /// A level of a thin graph takes as long as its longest chain of reads, and the instructions between them. Here the
  /// chain is a neighbor, and what is known of it. More than one edge a thread takes longer than to share them: a
  /// multiprocessor reads little more than one word that lies anywhere in two cycles.
  KOKKOS_FUNCTION JoinedSize sweep_alone(const Member& team, const OneSweep& sweep, int i, int edges,
                                         const Scratch& scratch) const {
    unsigned* const next = &scratch.sizes[i % 2];  // the other one may still be read
    if (team.team_rank() == 0) *next = 0;
    OneEdge mine = take_edge(sweep, scratch, team.team_rank(), edges);
    team.team_barrier();  // nobody needs the work set any more
    visit_edge<true>(sweep, mine);
    if (mine.joins) {
      const JoinedSize before = scratch.hand.take_place(next, mine.row.degree);
      scratch.hand.put(before.vertices(), mine.target, mine.row.begin, before.edges(), mine.row.degree);
    }
    team.team_barrier();
    return {*next};
  }

  /// A part of a window of a work set that all teams share, an edge a thread: parts of `size` edges, of which this is
  /// number `part`.
  KOKKOS_FUNCTION void sweep_part(const Member& team, const OneSweep& sweep, int parity, int part, int size,
                                  int num_vertices, int num_edges, std::uint64_t* next, const Scratch& scratch) const {
    const int rank = team.team_rank();
    const int first = part * size;
    if (first >= num_edges) return;
    const int edges = dromos::min(num_edges - first, size);
    const int next_window = (first + edges + fused_window - 1) / fused_window;
    const int k_first = starts[parity][first / fused_window];
    const int k_last = next_window * fused_window < num_edges ? starts[parity][next_window] : num_vertices - 1;
    unsigned* const here = &scratch.sizes[0];
    if (rank == 0) {
      *here = 0;
      *scratch.hand.large = 0;
    }
    for (int k = k_first + rank; k <= k_last; k += fused_team_size) {
      const int before = prefix[parity][k] - first;  // below 0 where its edges begin before the part
      const int after = (k + 1 < num_vertices ? prefix[parity][k + 1] : num_edges) - first;
      const Vertex v = queue[parity][k];
      const Offset row = rows[parity][k];
      const int begin = dromos::max(before, 0), end = dromos::min(after, edges);
      if (begin >= end) continue;  // of the others there are no more than edges
      scratch.hand.vertex[begin] = v;
      scratch.hand.edge_shift[begin] = row - before;
      scratch.hand.note_begin(begin, begin, end);
    }
    team.team_barrier();
    OneEdge mine = take_edge(sweep, scratch, rank, edges);
    visit_edge<false>(sweep, mine);
    JoinedSize before{0};
    if (mine.joins) before = scratch.hand.take_place(here, mine.row.degree);
    team.team_barrier();
    const JoinedSize all{*here};
    if (all.vertices() == 0) return;
    if (*scratch.hand.large != 0) {
      SharedQueue found(*this, scratch, 1 - parity, next);
      if (mine.joins) found.put(mine.target);
      found.flush_round(team);
      return;
    }
    if (rank == 0) *scratch.word = atomic_fetch_add(next, size_word(all.vertices(), all.edges()));
    team.team_barrier();
    if (!mine.joins) return;
    const std::uint64_t at = *scratch.word + size_word(before.vertices(), before.edges());
    const auto position = static_cast<std::int64_t>(at & fused_vertex_mask);
    queue[1 - parity][position] = mine.target;
    note_few_edges(1 - parity, position, mine.row, static_cast<Offset>(at >> fused_vertex_bits));
  }

  static KOKKOS_FORCEINLINE_FUNCTION std::uint64_t size_word(std::int64_t vertices, Offset edges) {
    return static_cast<std::uint64_t>(edges) << fused_vertex_bits | static_cast<std::uint64_t>(vertices);
  }

  /// This team's part of a work set that all teams share; the size of the next one grows in `next`.
  KOKKOS_FUNCTION void sweep_share(const Member& team, const OneSweep& sweep, int parity, int num_vertices,
                                   int num_edges, std::uint64_t* next, const Scratch& scratch) const {
    const int num_teams = team.league_size();
    const int num_parts = (num_edges + fused_team_size - 1) / fused_team_size;
    if (num_parts <= num_teams) {
      int size = fused_team_size;
      while (size > warp_width && 2 * (fused_team_size / size) * num_parts <= num_teams) size /= 2;
      sweep_part(team, sweep, parity, team.league_rank(), size, num_vertices, num_edges, next, scratch);
      return;
    }
    // Each team has some of all places in the work set, since where one finds many that are new it finds more; its
    // warps take these as they come to them.
    unsigned* const num_taken = &scratch.sizes[0];
    if (team.team_rank() == 0) *num_taken = num_warps;
    SharedPile found(team, *this, sweep.op, scratch, 1 - parity, next);
    int size = fused_window;
    while (size > warp_width && num_edges <= num_warps * num_teams * (size / 2)) size /= 2;
    const int lane = team.team_rank() % warp_width;
    for (int piece = team.team_rank() / warp_width;;) {
      const int first = (piece * num_teams + team.league_rank()) * size;
      if (first >= num_edges) break;
      unsigned number = 0;
      if (lane == 0) number = Kokkos::atomic_fetch_add(num_taken, 1u);
      sweep_piece(sweep, found, parity, first, dromos::min(first + size, num_edges), num_vertices, num_edges, lane);
      piece = static_cast<int>(warp_broadcast(number, 0));
    }
    found.flush_team(team);
  }

  /// Edges of the collapsed loop within one window, by one warp: each lane takes a vertex, and all exchange whose edges
  /// they have.
  KOKKOS_FUNCTION void sweep_piece(const OneSweep& sweep, SharedPile& found, int parity, int first, int last,
                                   int num_vertices, int num_edges, int lane) const {
    constexpr int batch = OneSweep::batch;
    const int window = first / fused_window;
    const bool to_the_end = (window + 1) * fused_window >= num_edges;
    const int k_last = to_the_end ? num_vertices - 1 : starts[parity][window + 1];
    for (int k = starts[parity][window]; k <= k_last; k += warp_width) {
      const int mine = dromos::min(k + lane, k_last);
      const Vertex vertex = queue[parity][mine];
      const int begin = k + lane <= k_last ? prefix[parity][mine] : num_edges;
      const Offset shift = rows[parity][mine] - begin;  // from an edge of the collapsed loop to that of the graph
      const int end = k + warp_width <= k_last ? dromos::min(prefix[parity][k + warp_width], last) : last;
      const std::uint32_t unwanted = ballot(whole_warp, !begin_vertex(sweep.op, vertex));
      for (int j = dromos::max(warp_broadcast(begin, 0), first); j < end; j += batch * warp_width) {
        Vertex source[batch];
        Offset edge[batch];
        bool wanted[batch];
        for (int i = 0; i < batch; ++i) {
          const int at = dromos::min(j + i * warp_width + lane, end - 1);
          int whose = 0;
          for (int step = warp_width / 2; step > 0; step /= 2) {
            if (warp_broadcast(begin, whose + step) <= at) whose += step;
          }
          source[i] = warp_broadcast(vertex, whose);
          edge[i] = at + warp_broadcast(shift, whose);
          wanted[i] =
              j + i * warp_width + lane < end && (unwanted >> whose & 1) == 0 && !vertex_done(sweep.op, source[i]);
        }
        sweep.template visit_batch<true, true>(found, source, edge, wanted, true, lane);
        found.flush_warp(lane);
      }
    }
  }

  /// Brings the vertices of a work set into scratch memory, with where the edges of each begin in the collapsed loop
  /// and where they lie. Of a work set that scratch memory does not hold, nothing. Returns how many edges there are.
  KOKKOS_FUNCTION Offset number_edges(const Member& team, const Graph& graph, const Vertex* work, int size,
                                      const Scratch& scratch) const {
    scratch.hand.forget(team);
    const Offset all =
        add_up_edges(team, graph, work, size, scratch, [&](bool there, int k, Vertex v, const Row& row, Offset before) {
          if (there && size <= max_vertices) {
            scratch.hand.put(k, v, row.begin, before, row.degree);
          }
        });
    team.team_barrier();
    return all;
  }

  /// Notes for all teams where the edges lie of a work set in scratch memory.
  KOKKOS_FUNCTION void note_edges_at_hand(const Member& team, int parity, int size, Offset edges,
                                          const Scratch& scratch) const {
    for (int first = 0; first < size; first += team.team_size()) {
      const int k = first + team.team_rank();
      const bool there = k < size;
      const Offset before = there ? scratch.hand.prefix[k] : 0;
      Row row;
      if (there) {
        row = {before + scratch.hand.edge_shift[k], (k + 1 < size ? scratch.hand.prefix[k + 1] : edges) - before};
      }
      note_edges(there, parity, k, row, before, team.team_rank() % warp_width);
    }
    scratch.hand.forget(team);
  }

  /// Notes for all teams where edges lie. Returns how many there are.
  KOKKOS_FUNCTION Offset note_all_edges(const Member& team, const Graph& graph, int parity, int size,
                                        const Scratch& scratch) const {
    return add_up_edges(team, graph, queue[parity], size, scratch,
                        [&](bool there, int k, Vertex, const Row& row, Offset before) {
                          note_edges(there, parity, k, row, before, team.team_rank() % warp_width);
                        });
  }

  /// Tells tell(true, k, vertex, its row, edges before) for each vertex number k, and tell(false, ...) where a thread
  /// has none while others do; returns the sum of degrees.
  template <class Tell>
  KOKKOS_FORCEINLINE_FUNCTION Offset add_up_edges(const Member& team, const Graph& graph, const Vertex* work, int size,
                                                  const Scratch& scratch, const Tell& tell) const {
    std::int64_t all = 0;
    for (int tile = 0; tile < size; tile += max_vertices) {
      const int first = tile + team.team_rank() * per_thread;
      Vertex vertex[per_thread];
      Row row[per_thread];
      Offset mine = 0;
      for (int i = 0; i < per_thread; ++i) {
        vertex[i] = no_vertex<Vertex>;
        if (first + i >= size) continue;
        vertex[i] = work[first + i];
        row[i] = row_of(graph, vertex[i]);
        mine += row[i].degree;
      }
      const Offset before_tile = all;
      Offset before = before_tile + team_sum_before(team, mine, scratch.totals, all);
      for (int i = 0; i < per_thread; ++i) {
        tell(first + i < size, first + i, vertex[i], row[i], before);
        before += row[i].degree;
      }
    }
    return all;
  }
};

}  // namespace detail

}  // namespace dromos
