// SPDX-License-Identifier: BSD-3-Clause
// Several sweeps in one launch, for work sets so small that a sweep costs what launching and waiting cost.
//
// The first and the last levels of every search are such, and in a road network all of its thousand levels: a GPU
// spends 20 us on each, most of it to tell the host how many vertices were found and to be told to go on. Here the
// teams of one launch go on by themselves (traverse/fused_kernel.hpp): who joins is the next work set, until that is
// empty or too large; the host is then told the sizes of all work sets in one message.
//
//   sizes in edges   3  14  310  3,900  96,000  41,000 | 2,100,000     one launch for six sweeps, then one a sweep
//
// On a CPU the calling thread does the same, and a few others with it (traverse/fused_threads.hpp). Known as kernel
// fusion (Brahmakshatriya et al., Compiling Graph Applications for GPUs with GraphIt, CGO 2021). What is found,
// and in which sweep, is the same as with traverse(); an operator in which sweeps differ, say by the level that they
// write, offers next_sweep() (traverse/edge_operator.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_message.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/fused_kernel.hpp>
#include <dromos/traverse/fused_threads.hpp>
#include <dromos/traverse/sweep.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace dromos {

namespace detail {

/// The most vertices of a first work set that are gone through faster than by a launch.
template <class Space>
inline constexpr std::int64_t most_fused_vertices = is_gpu<Space> ? 1 << 14 : 1 << 20;

/// The most edges of any. On a CPU few threads go through them before all have been woken.
template <class Space>
Offset most_fused_edges([[maybe_unused]] const Space& space) {
  if constexpr (is_gpu<Space>) {
    return most_shared_edges;
  } else {
    const int num_threads = num_fused_threads(space);
    return num_threads > 1 ? num_threads * most_edges_of_thread : most_edges_without_others;
  }
}

/// The same of an operator. Where large numbers matter first, a launch begins with them and does in one sweep what
/// fused ones do in as many as a path has vertices.
template <class Operator, class Space>
Offset most_fused_edges_of([[maybe_unused]] const Space& space) {
  if constexpr (!is_gpu<Space> && LastFirst<Operator>::value) {
    return 256;
  } else {
    return most_fused_edges(space);
  }
}

}  // namespace detail

/// What fused sweeps say; reused from call to call. Memory is allocated by the first one.
template <class Memory>
struct SweepFusion {
  /// Edges of a work set that one team of a GPU sweeps without the others; 512 at most, one a thread.
  Offset most_alone_edges = 512;
  /// Sweeps of one launch.
  int most_sweeps = most_fused_sweeps;
  /// The work sets of the last call, from the one it began with to the one it left, which is `frontier`: one more than
  /// there were sweeps.
  std::vector<WorkSetSize> work_sets;
  /// Where the bucket begins of the last of them that came out of a pile, as Pile::word_of().
  std::uint64_t bucket = 0;
  /// Of CPUs: so many calls go on alone that would have asked other threads, since others had the cores.
  int calls_alone = 0;
  /// Of CPUs: how many the next time that they have; twice as many each time in a row.
  int next_calls_alone = 0;
  /// Of GPUs: how many sweeps, and the sizes of the work sets, from where kernels write them.
  DeviceMessage<Memory> message;
  /// Of GPUs: by which teams agree.
  detail::FusedTeams<Memory> teams;
};

/// Is a work set small enough for fused sweeps?
template <class Space, class Vertex, class Memory>
bool worth_fusing(const Space& space, const Frontier<Vertex, Memory>& frontier) {
  if (frontier.num_edges() == unknown_edges) return frontier.num_vertices() <= 256;
  if (frontier.num_vertices() > detail::most_fused_vertices<Space>) return false;
  if constexpr (is_gpu<Space>) {
    return frontier.num_edges() <= detail::most_fused_edges(space);
  } else {
    return detail::fused_by({frontier.num_vertices(), frontier.num_edges()}, detail::num_fused_threads(space)) !=
           detail::FusedBy::nobody;
  }
}

namespace detail {

/// By the calling thread alone, one sweep.
template <class Graph, class Vertex, class Memory, class Operator>
void sweep_by_caller(const Graph& graph, Frontier<Vertex, Memory>& frontier, Frontier<Vertex, Memory>& next,
                     const Operator& op) {
  const Vertex* const from = frontier.queue().data();
  Vertex* const to = next.queue().data();
  std::int64_t num_joined = 0;
  Offset num_edges = 0;
  const std::int64_t size = frontier.num_vertices();
  for (std::int64_t k = 0; k < size; ++k) {
    prefetch_ahead(graph, op, from, k, size);
    sweep_row<true>(graph, op, from[k], [&](Vertex v) {
      to[num_joined++] = v;
      num_edges += graph.degree(v);
    });
  }
  next.set_counts(num_joined, num_edges);
  std::swap(frontier, next);
}

/// By a few threads of one launch, from a work set that is large enough for them. \returns whether they had the cores
template <class Space, class Graph, class Vertex, class Memory, class Operator>
bool fuse_by_threads(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                     Frontier<Vertex, Memory>& next, const Operator& op, Offset max_edges, int most_sweeps,
                     std::vector<WorkSetSize>& work_sets) {
  using Kernel = FusedThreads<Space, Graph, Vertex, Operator>;
  const int most_threads = num_fused_threads(space);
  const int num_threads = dromos::max(2, num_wanted_threads(frontier.num_edges(), most_threads));
  if (num_threads < most_threads) max_edges = dromos::min(max_edges, num_threads * most_edges_of_few_threads);
  const std::size_t num_before = work_sets.size();
  FusedTable table(frontier.num_vertices(), num_threads);
  {
    const UncountedViews uncounted;
    launch_teams<typename Kernel::Policy>("dromos::traverse::fused", space, {1, num_threads, 0},
                                          Kernel{graph,
                                                 op,
                                                 {frontier.queue().data(), next.queue().data()},
                                                 work_sets.back(),
                                                 max_edges,
                                                 most_sweeps + 1 - static_cast<int>(num_before),
                                                 &table,
                                                 &work_sets});
    fence(space, "dromos::traverse::fused");
  }
  if ((work_sets.size() - num_before) % 2 != 0) std::swap(frontier, next);
  frontier.set_counts(work_sets.back().num_vertices, work_sets.back().num_edges);
  return !table.barrier.crowded(num_threads);
}

/// The most calls that go on alone after several in which others had the cores.
inline constexpr int most_calls_alone = 64;

/// After a launch by a few threads: whether others had the cores.
template <class Memory>
void note_crowd(SweepFusion<Memory>& fusion, bool crowded) {
  fusion.calls_alone = crowded ? fusion.next_calls_alone : 0;
  fusion.next_calls_alone = crowded ? dromos::min(2 * fusion.next_calls_alone + 1, most_calls_alone) : 0;
}

/// Where the graph lies in the memory of the calling thread: by it alone, and by a few with it.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void fuse_on_host(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                  Frontier<Vertex, Memory>& next, Operator op, Vertex start, Offset max_edges,
                  SweepFusion<Memory>& fusion) {
  std::vector<WorkSetSize>& work_sets = fusion.work_sets;
  if (start != no_vertex<Vertex>) {
    op.edge(start, start, 0);
    if constexpr (HasJoined<Operator, Vertex>::value) op.joined(start, start);
    frontier.queue()(0) = start;
    frontier.set_counts(1, graph.degree(start));
    begin_next_sweep(op);
  }
  if (frontier.num_edges() == unknown_edges) {
    Offset num_edges = 0;
    for (std::int64_t k = 0; k < frontier.num_vertices(); ++k) num_edges += graph.degree(frontier.queue()(k));
    frontier.set_counts(frontier.num_vertices(), num_edges);
  }
  const int num_threads = num_fused_threads(space);
  bool alone = false, asked = false;
  for (work_sets.push_back({frontier.num_vertices(), frontier.num_edges()});;) {
    if (frontier.empty() || frontier.num_edges() > max_edges) return;
    if (static_cast<int>(work_sets.size()) > fusion.most_sweeps) return;
    const FusedBy by = fused_by(work_sets.back(), num_threads);
    if (by == FusedBy::nobody) return;
    if (by == FusedBy::threads && !asked) {
      asked = true;
      alone = fusion.calls_alone > 0;
      if (alone) --fusion.calls_alone;
    }
    const std::size_t num_before = work_sets.size();
    if (by == FusedBy::threads && !alone) {
      alone = !fuse_by_threads(space, graph, frontier, next, op, max_edges, fusion.most_sweeps, work_sets);
      note_crowd(fusion, alone);
    } else {
      sweep_by_caller(graph, frontier, next, op);
      work_sets.push_back({frontier.num_vertices(), frontier.num_edges()});
    }
    for (std::size_t i = num_before; i < work_sets.size(); ++i) begin_next_sweep(op);
  }
}

/// By the teams of one launch.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void fuse_on_device(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                    Frontier<Vertex, Memory>& next, const Operator& op, Vertex start, Offset max_edges,
                    SweepFusion<Memory>& fusion) {
  using Kernel = FusedKernel<Space, Graph, Operator>;
  if (fusion.message.size() == 0) {
    fusion.message = DeviceMessage<Memory>(num_fused_answers + 2 * (most_fused_sweeps + 1), "dromos::traverse::fused");
    fusion.teams = FusedTeams<Memory>(static_cast<std::int64_t>(next.queue().extent(0)), num_multiprocessors(space));
  }
  const FusedTeams<Memory>& teams = fusion.teams;
  bool may_refill = false;
  if constexpr (Refills<Operator>::value) {
    may_refill = op.pile.may_refill && op.pile.waiting.size() <= most_refilled_vertices &&
                 graph.num_edges() <= most_refilled_edges;
  }
  const int own_words = teams.launches(0)++ % 2 * num_fused_words;
  const MessageSender sender = fusion.message.expect();
  typename Kernel::Policy policy(space, num_multiprocessors(space), fused_team_size);
  policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
  Kokkos::parallel_for("dromos::traverse::fused", as_argument<Space>(policy),
                       Kernel{{graph, frontier.work(), NoSink{}, op},
                              {frontier.queue().data(), next.queue().data()},
                              start,
                              start != no_vertex<Vertex> ? 1 : static_cast<int>(frontier.num_vertices()),
                              dromos::min<Offset>(fusion.most_alone_edges, Kernel::most_alone),
                              max_edges,
                              fusion.most_sweeps,
                              may_refill,
                              sender,
                              teams.words.data() + own_words,
                              teams.words.data() + (num_fused_words - own_words),
                              teams.sizes.data(),
                              {teams.prefix[0].data(), teams.prefix[1].data()},
                              {teams.starts[0].data(), teams.starts[1].data()},
                              {teams.rows[0].data(), teams.rows[1].data()},
                              teams.more_found.data(),
                              teams.most_more_found});
  fusion.message.wait(space, sender);
  const int num_sweeps = static_cast<int>(fusion.message[fused_sweeps]);
  for (int i = 0; i <= num_sweeps; ++i) {
    const int at = num_fused_answers + 2 * i;
    const std::uint64_t edges = fusion.message[at + 1];
    fusion.work_sets.push_back({static_cast<std::int64_t>(fusion.message[at]),
                                static_cast<Offset>(edges & ~fused_refilled), (edges & fused_refilled) != 0});
  }
  if constexpr (Refills<Operator>::value) fusion.bucket = fusion.message[fused_bucket];
  if (num_sweeps % 2 != 0) std::swap(frontier, next);
  frontier.set_counts(fusion.work_sets.back().num_vertices, fusion.work_sets.back().num_edges);
}

/// `start`: a vertex, or no_vertex where the work set is `frontier`.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void run_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
               Frontier<Vertex, Memory>& next, const Operator& op, Vertex start, Offset max_edges,
               SweepFusion<Memory>& fusion) {
  fusion.work_sets.clear();
  if constexpr (host_accessible<Memory>) {
    fence(space, "dromos::traverse::fused");
    fuse_on_host(space, graph, frontier, next, op, start, max_edges, fusion);
  } else {
    fuse_on_device(space, graph, frontier, next, op, start, max_edges, fusion);
  }
}

}  // namespace detail

/// Sweeps from `frontier`, one after the other, as long as the work set is small. Waits; `frontier` is then the first
/// work set that is not, or empty, and fusion.work_sets tells the sizes of all. A frontier that is not worth_fusing()
/// stays as it is.
///
/// Parameters as traverse(); `next` is overwritten; a work set of more than `most_edges` is not small. Cost: the edges
/// of the work sets, and one launch and one host synchronisation for up to 4,095 sweeps. Whoever refills work sets out
/// of a pile wants until_empty(), which tells the operator of them. \returns whether there was a sweep
template <class Space, class Graph, class Vertex, class Memory, class Operator>
bool traverse_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                    Frontier<Vertex, Memory>& next, const Operator& op, SweepFusion<Memory>& fusion,
                    Offset most_edges = std::numeric_limits<Offset>::max()) {
  if (!worth_fusing(space, frontier)) {
    fusion.work_sets.assign(1, {frontier.num_vertices(), frontier.num_edges()});
    return false;
  }
  detail::run_fused(space, graph, frontier, next, op, no_vertex<Vertex>,
                    dromos::min(most_edges, detail::most_fused_edges_of<Operator>(space)), fusion);
  return fusion.work_sets.size() > 1;
}

/// The same from one vertex, which joins by op.edge(start, start, 0) before the first sweep.
///
/// \param fuse  false: no sweep, `frontier` is then `start` alone
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void start_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                 Frontier<Vertex, Memory>& next, const Operator& op, Vertex start, bool fuse,
                 SweepFusion<Memory>& fusion) {
  detail::run_fused(space, graph, frontier, next, op, start,
                    fuse ? detail::most_fused_edges_of<Operator>(space) : Offset(-1), fusion);
}

}  // namespace dromos
