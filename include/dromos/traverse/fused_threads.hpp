// SPDX-License-Identifier: BSD-3-Clause
// Fused sweeps on a CPU: by the calling thread while a work set is small, and by a few threads of one launch, which
// stay together until it is small again or too large for them.
//
//   edges      3  14  310 | 1,100  1,400  900  300  | 210  60 | 96,000
//              one thread | two threads, one launch | one     | a launch of its own, by all threads
//
// A level of a road network has a thousand edges, which one thread goes through in ten microseconds. To wake all
// threads for them and to deal pieces out costs half as much; a barrier of a few threads that are awake costs less than
// one microsecond. So a few threads gain where many do not.
//
// Each thread keeps who joins in a short list of its own, finds room for that in the next work set by one atomic, and
// notes the piece. In the next sweep it goes through its own pieces first, whose rows and neighbors are in its cache,
// and then through what others have left of theirs. How large the work set has become, all read after the barrier.
//
// Where other programs have the cores, some thread of a few does not run, and the rest wait for it until the scheduler
// gives it its turn, which takes milliseconds. When threads that were awake have waited so for a good part of the time,
// the calling thread goes on alone, and so it does a few times more where that goes on. Something short that comes in
// between now and then, as on every machine, does not count.
#pragma once

#include <Kokkos_Core.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/launch_teams.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <thread>
#include <vector>

namespace dromos {

/// Number of vertices of a work set, and of the edges that leave them.
struct WorkSetSize {
  std::int64_t num_vertices = 0;
  Offset num_edges = 0;
  bool refilled = false;  ///< it is the first of a bucket, which came out of a pile in the launch
};

namespace detail {

/// The most edges that the calling thread goes through while others might help, and where there are no others.
inline constexpr Offset most_edges_of_caller = 1024, most_edges_without_others = 4096;
/// Threads of a launch. A work set is swept by one for so many edges; where it has grown to more than so many for each,
/// another launch has more threads, if there are any, and in the end it is too large for fused sweeps.
inline constexpr int most_fused_threads = 8;
inline constexpr Offset least_edges_of_thread = 256, most_edges_of_few_threads = 1024, most_edges_of_thread = 4096;
/// Threads of a launch divide vertices, so that rows must be short.
inline constexpr Offset most_edges_of_vertex = 32;

/// How many threads a launch has at most.
template <class Space>
int num_fused_threads(const Space& space) {
  return dromos::min(static_cast<int>(space.concurrency()), most_fused_threads);
}

/// How many of those a work set of so many edges is swept by.
inline int num_wanted_threads(Offset num_edges, int most) {
  return static_cast<int>(dromos::max<Offset>(1, dromos::min<Offset>(most, num_edges / least_edges_of_thread)));
}

/// The most edges of a work set of so many vertices that threads of a launch divide.
inline Offset most_divided_edges(std::int64_t num_vertices, int num_threads) {
  return dromos::min(num_threads * most_edges_of_thread, most_edges_of_vertex * num_vertices);
}

/// By whom a work set is swept: by nobody of these where it is too large.
enum class FusedBy { nobody, caller, threads };
inline FusedBy fused_by(const WorkSetSize& size, int num_threads) {
  if (num_threads == 1) return size.num_edges <= most_edges_without_others ? FusedBy::caller : FusedBy::nobody;
  if (size.num_edges <= most_edges_of_caller) return FusedBy::caller;
  return size.num_edges <= most_divided_edges(size.num_vertices, num_threads) ? FusedBy::threads : FusedBy::nobody;
}

/// A few vertices ahead, the row of one and the edges of another are asked for: as Sweep::prefetch_ahead().
template <class Graph, class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_ahead([[maybe_unused]] const Graph& graph,
                                                [[maybe_unused]] const Operator& op,
                                                [[maybe_unused]] const Vertex* work, [[maybe_unused]] std::int64_t k,
                                                [[maybe_unused]] std::int64_t end) {
  if constexpr (HasPrefetch<Graph>::value) {
    constexpr int ahead = 8;
    if (k + 2 * ahead < end) graph.prefetch_row(work[k + 2 * ahead]);
    if (k + ahead < end) prefetch_edges_of(graph, op, work[k + ahead]);
  }
}

/// All edges of u by one thread, which joins(v) each time that somebody joins.
///
/// \tparam Alone  no other thread sweeps
template <bool Alone, class Graph, class Operator, class Vertex, class Joins>
KOKKOS_FORCEINLINE_FUNCTION void sweep_row(const Graph& graph, const Operator& op, Vertex u, const Joins& joins) {
  if (!begin_vertex(op, u)) return;
  for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
    if (vertex_done(op, u)) return;
    const Vertex v = neighbor_of(graph, u, e);
    if (!edge_may_join(op, u, v, e)) continue;
    if (!(Alone ? edge_alone(op, u, v, e) : op.edge(u, v, e))) continue;
    if constexpr (HasJoined<Operator, Vertex>::value) op.joined(u, v);
    joins(joining_vertex(op, u, v));
  }
}

/// Vertices that join are kept in lists of so many, which are the pieces that are gone through by one thread.
inline constexpr int most_in_piece = 128;

/// Pieces of a work set that one thread has put there, of which all take the next one in turn.
struct FusedPieces {
  struct Piece {
    std::int64_t begin, end;
  };
  /// Of a work set that grows, one for each full list, and a last one.
  static constexpr int most = most_fused_threads * most_edges_of_thread / most_in_piece + 1;

  alignas(64) int num_taken = 0;
  int num = 0;
  Piece pieces[most];
};

/// The sizes of the next work set. There are three, in turn: while one grows, another is made zero, and the third may
/// still be read.
struct FusedCounts {
  alignas(64) std::int64_t num_vertices = 0;
  Offset num_edges = 0;
  bool crowded = false;  ///< others have the cores
};

/// All threads of a launch wait for each other here.
class FusedBarrier {
 public:
  /// \param all  arrivals since the launch began, this one's with them, when all are here
  /// \param awake  they have been here before
  void arrive_and_wait(std::int64_t all, bool awake) {
    num_arrived_.fetch_add(1, std::memory_order_acq_rel);
    for (int looks = 0; num_arrived_.load(std::memory_order_acquire) < all; ++looks) {
      if (looks < long_wait) continue;
      const auto start = Clock::now();
      do {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      } while (num_arrived_.load(std::memory_order_acquire) < all);
      if (awake) waited_.fetch_add((Clock::now() - start).count(), std::memory_order_relaxed);
      return;
    }
  }
  /// Have threads waited for others that did not run for more than a quarter of the time since the launch began, and
  /// for a millisecond beside that?
  bool crowded(int num_threads) const {
    const Clock::duration waited(waited_.load(std::memory_order_relaxed));
    if (waited == waited.zero()) return false;
    return waited > (num_threads - 1) * (not_counted + (Clock::now() - begin_) / 4);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int long_wait = 50000;  ///< looks; some 100 us
  static constexpr std::chrono::milliseconds not_counted{1};
  const Clock::time_point begin_ = Clock::now();
  alignas(64) std::atomic<std::int64_t> num_arrived_{0};
  alignas(64) std::atomic<Clock::rep> waited_{0};  ///< by all threads together
};

/// What threads of a launch share.
struct FusedTable {
  FusedPieces pieces[2][most_fused_threads];  ///< of work set i, by thread, in number i % 2
  FusedCounts counts[3];
  FusedBarrier barrier;

  /// Deals out the first work set.
  FusedTable(std::int64_t num_vertices, int num_threads) {
    const std::int64_t in_piece =
        dromos::max<std::int64_t>(most_in_piece, num_vertices / (num_threads * (FusedPieces::most - 1)) + 1);
    const std::int64_t share = (num_vertices + num_threads - 1) / num_threads;
    for (int t = 0; t < num_threads; ++t) {
      FusedPieces& mine = pieces[0][t];
      const std::int64_t last = dromos::min((t + 1) * share, num_vertices);
      for (std::int64_t begin = t * share; begin < last; begin += in_piece) {
        mine.pieces[mine.num++] = {begin, dromos::min(begin + in_piece, last)};
      }
    }
  }
};

/// The sweeps of one launch of a single team.
template <class Space, class Graph, class Vertex, class Operator>
struct FusedThreads {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = TeamMember<Policy>;
  Graph graph;
  Operator op;
  Vertex* queue[2];  ///< work set i is in number i % 2
  WorkSetSize first;
  Offset max_edges;
  int max_sweeps;
  FusedTable* table;
  std::vector<WorkSetSize>* work_sets;  ///< those after the first are put there

  void operator()(const Member& team) const {
    const int rank = team.team_rank();
    Operator mine = op;
    WorkSetSize size = first;
    for (int i = 0; i < max_sweeps; ++i) {
      FusedPieces& found = table->pieces[(i + 1) % 2][rank];
      found.num_taken = found.num = 0;
      FusedCounts& next = table->counts[i % 3];
      if (rank == 0) table->counts[(i + 1) % 3] = FusedCounts();
      sweep_some(team, mine, i, size.num_edges, found, next);
      if (rank == 0) next.crowded = table->barrier.crowded(team.team_size());
      table->barrier.arrive_and_wait(std::int64_t(i + 1) * team.team_size(), i > 0);
      size = {next.num_vertices, next.num_edges};
      if (rank == 0) work_sets->push_back(size);
      if (size.num_edges < least_edges_of_thread || size.num_edges > max_edges || next.crowded) return;
      if (size.num_edges > most_edges_of_vertex * size.num_vertices) return;
      begin_next_sweep(mine);
    }
  }

 private:
  /// The thread's pieces of work set i, and what is left of others'.
  ///
  /// \param mine  a copy whose address nobody has, so that a compiler keeps what is in it
  void sweep_some(const Member& team, Operator mine, int i, Offset num_edges_of_all, FusedPieces& found,
                  FusedCounts& next) const {
    const int rank = team.team_rank(), num_threads = team.team_size();
    if (rank >= num_wanted_threads(num_edges_of_all, num_threads)) return;
    const Vertex* const work = queue[i % 2];
    Vertex* const to = queue[(i + 1) % 2];
    Vertex list[most_in_piece];
    int num_listed = 0;
    Offset num_edges = 0;
    const auto flush = [&] {
      const std::int64_t begin = atomic_fetch_add(&next.num_vertices, std::int64_t(num_listed));
      for (int k = 0; k < num_listed; ++k) to[begin + k] = list[k];
      found.pieces[found.num++] = {begin, begin + num_listed};
      num_listed = 0;
    };
    for (int t = 0; t < num_threads; ++t) {
      FusedPieces& owner = table->pieces[i % 2][(rank + t) % num_threads];
      while (atomic_load(&owner.num_taken) < owner.num) {
        const int number = atomic_fetch_add(&owner.num_taken, 1);
        if (number >= owner.num) break;
        const FusedPieces::Piece piece = owner.pieces[number];
        for (std::int64_t k = piece.begin; k < piece.end; ++k) {
          prefetch_ahead(graph, mine, work, k, piece.end);
          sweep_row<false>(graph, mine, work[k], [&](Vertex v) {
            list[num_listed++] = v;
            num_edges += graph.degree(v);
            if (num_listed == most_in_piece) flush();
          });
        }
      }
    }
    if (num_listed > 0) flush();
    if (num_edges > 0) atomic_fetch_add(&next.num_edges, num_edges);
  }
};

}  // namespace detail

}  // namespace dromos
