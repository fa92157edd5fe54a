// SPDX-License-Identifier: BSD-3-Clause
// Several sweeps in one launch, for work sets so small that a sweep costs what launching and waiting cost.
//
// The first and the last levels of every search are such, and in a road network all of its thousand levels: a GPU
// spends 20 us on each, most of it to tell the host how many vertices were found and to be told to go on. Here one team
// goes on by itself: it walks the edges of the work set as one loop, as in traverse/manhattan_local.hpp, and whoever
// joins is the next work set, until that is empty or too large for a team; the host is then told the sizes of all work
// sets in one message.
//
//   sizes in edges   3  14  310  3,900 | 96,000     one launch for four sweeps, then one launch a sweep
//
// On a CPU the calling thread does the same, without waking the others. Known as kernel fusion (Brahmakshatriya et al.,
// Compiling Graph Applications for GPUs with GraphIt, CGO 2021). What is found, and in which sweep, is the same as with
// traverse(); an operator in which sweeps differ, say by the level that they write, offers next_sweep()
// (traverse/edge_operator.hpp).
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
#include <utility>
#include <vector>

namespace dromos {

/// Number of vertices of a work set, and of the edges that leave them.
struct WorkSetSize {
  std::int64_t num_vertices = 0;
  Offset num_edges = 0;
};

/// Can sweeps be fused in this execution space?
template <class Space>
inline constexpr bool fuses_sweeps = host_accessible<typename Space::memory_space> ||
                                     (has_warps<Space> && sends_messages<Space>);

namespace detail {

/// The most that one team, or one thread of a CPU, goes through faster than a launch for all of them would.
template <class Space, class Vertex>
inline constexpr int most_fused_vertices = is_gpu<Space> ? 8192 / int(sizeof(Vertex)) : 1 << 20;
template <class Space>
inline constexpr Offset most_fused_edges = is_gpu<Space> ? 4096 : 256;

inline constexpr int fused_team_size = 1024;
inline constexpr int most_fused_sweeps = 255;

}  // namespace detail

/// What fused sweeps say; reused from call to call. Memory is allocated by the first one.
template <class Memory>
struct SweepFusion {
  /// The work sets of the last call, from the one it began with to the one it left, which is `frontier`: one more than
  /// there were sweeps.
  std::vector<WorkSetSize> work_sets;
  /// How many sweeps, and the sizes of the work sets, from where kernels write them.
  DeviceMessage<Memory> message;
};

/// Is a work set small enough for fused sweeps?
template <class Space, class Vertex, class Memory>
bool worth_fusing(const Space&, const Frontier<Vertex, Memory>& frontier) {
  return fuses_sweeps<Space> && frontier.num_edges() <= detail::most_fused_edges<Space> &&
         frontier.num_vertices() <= detail::most_fused_vertices<Space, Vertex>;
}

namespace detail {

/// Takes what joins, for one team.
template <class Vertex, class Operator>
class FusedQueue {
 public:
  KOKKOS_FUNCTION FusedQueue(const Operator& op, int* count, Vertex* queue) : op_(op), count_(count), queue_(queue) {}

  KOKKOS_FORCEINLINE_FUNCTION void push(Vertex u, Vertex v) { push_alone(u, v); }
  KOKKOS_FORCEINLINE_FUNCTION void push_alone(Vertex u, Vertex v) {
    if constexpr (HasJoined<Operator, Vertex>::value) op_.joined(u, v);
    queue_[Kokkos::atomic_fetch_add(count_, 1)] = JoinsSource<Operator>::value ? u : v;
  }
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return 1; }
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void flush_round(const Member&) {}
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void flush_together(const Member&) {}

 private:
  const Operator& op_;
  int* const count_;
  Vertex* const queue_;
};

/// One team, sweep after sweep. Work set number i lies in queue i % 2.
template <class Space, class Graph, class Operator>
struct FusedKernel {
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<fused_team_size, 1>>;
  using Member = typename Policy::member_type;
  using Vertex = typename Graph::vertex_type;
  using Memory = typename Graph::memory_space;
  using OneSweep = Sweep<Space, Graph, QueueWork<Vertex, Memory>, NoSink, Operator>;

  static constexpr int max_vertices = most_fused_vertices<Space, Vertex>;
  static constexpr int per_thread = max_vertices / fused_team_size;
  static constexpr int num_warps = fused_team_size / warp_width;
  static_assert(max_vertices % fused_team_size == 0 && most_fused_edges<Space> < (1 << 30));

  OneSweep shared;
  Kokkos::View<Vertex*, Memory> queue[2];
  Vertex start;  ///< what work set 0 consists of; no_vertex: it is there already
  int first_size;
  Offset max_edges;
  MessageSender host;

  /// In the team's scratch memory.
  struct Scratch {
    Vertex* vertex;
    Offset* edge_shift;
    int* prefix;
    Offset* totals;
    int* count;
  };
  static std::size_t scratch_bytes() {
    return max_vertices * (sizeof(Vertex) + sizeof(Offset) + sizeof(int)) + num_warps * sizeof(Offset) + sizeof(int) +
           5 * 8;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    OneSweep sweep = shared;  // its operator changes from sweep to sweep
    Scratch scratch;
    scratch.vertex = team_array<Vertex>(team, max_vertices);
    scratch.edge_shift = team_array<Offset>(team, max_vertices);
    scratch.prefix = team_array<int>(team, max_vertices);
    scratch.totals = team_array<Offset>(team, num_warps);
    scratch.count = team_array<int>(team, 1);
    const int rank = team.team_rank();
    if (start != no_vertex<Vertex>) {
      if (rank == 0) {
        sweep.op.edge(start, start, 0);
        if constexpr (HasJoined<Operator, Vertex>::value) sweep.op.joined(start, start);
        queue[0].data()[0] = start;
      }
      begin_next_sweep(sweep.op);
      team.team_barrier();
    }
    int size = first_size;
    for (int i = 0;; ++i) {
      const Offset edges = number_edges(team, sweep.graph, queue[i % 2].data(), size, scratch);
      const bool last = size == 0 || size > max_vertices || edges > max_edges || i == most_fused_sweeps;
      if (rank == 0) {
        host.write(1 + 2 * i, static_cast<std::uint64_t>(size));
        host.write(2 + 2 * i, static_cast<std::uint64_t>(edges));
        if (last) {
          host.write(0, static_cast<std::uint64_t>(i));
          host.send();
        }
      }
      if (last) return;
      if (rank == 0) *scratch.count = 0;
      team.team_barrier();
      FusedQueue<Vertex, Operator> found(sweep.op, scratch.count, queue[(i + 1) % 2].data());
      sweep.walk_collapsed(
          team, found, scratch.prefix, 0, size, 0, static_cast<int>(edges), CollapsedWalk{false, false},
          [vertex = scratch.vertex](int k) { return vertex[k]; },
          [shift = scratch.edge_shift](int k, Vertex) { return shift[k]; });
      team.team_barrier();
      size = *scratch.count;
      begin_next_sweep(sweep.op);
    }
  }

 private:
  /// The vertices of a work set, where the edges of each begin in the collapsed loop, and where they lie. Of a work set
  /// that scratch memory does not hold, nothing. Returns how many edges there are.
  KOKKOS_FUNCTION Offset number_edges(const Member& team, const Graph& graph, const Vertex* work, int size,
                                      const Scratch& scratch) const {
    Offset all = 0;
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
      Offset before = team_sum_before(team, mine, scratch.totals, all);
      for (int i = 0; i < per_thread && first + i < size && size <= max_vertices; ++i) {
        scratch.vertex[first + i] = vertex[i];
        scratch.prefix[first + i] = static_cast<int>(before);  // not used where there are too many edges for it
        scratch.edge_shift[first + i] = row[i] - before;
        before += degree[i];
      }
    }
    return all;
  }
};

/// The same by the calling thread, where the graph lies in its memory.
template <class Graph, class Vertex, class Memory, class Operator>
void fuse_on_host(const Graph& graph, Frontier<Vertex, Memory>& frontier, Frontier<Vertex, Memory>& next, Operator op,
                  Vertex start, Offset max_edges, std::vector<WorkSetSize>& work_sets) {
  if (start != no_vertex<Vertex>) {
    op.edge(start, start, 0);
    if constexpr (HasJoined<Operator, Vertex>::value) op.joined(start, start);
    frontier.queue()(0) = start;
    frontier.set_counts(1, graph.degree(start));
    begin_next_sweep(op);
  }
  for (;;) {
    work_sets.push_back({frontier.num_vertices(), frontier.num_edges()});
    if (frontier.empty() || frontier.num_edges() > max_edges) return;
    const Vertex* const from = frontier.queue().data();
    Vertex* const to = next.queue().data();
    std::int64_t num_joined = 0;
    Offset num_edges = 0;
    for (std::int64_t k = 0; k < frontier.num_vertices(); ++k) {
      const Vertex u = from[k];
      if (!begin_vertex(op, u)) continue;
      for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
        if (vertex_done(op, u)) break;
        const Vertex v = graph.neighbor(e);
        if (!edge_may_join(op, u, v) || !op.edge(u, v, e)) continue;
        if constexpr (HasJoined<Operator, Vertex>::value) op.joined(u, v);
        const Vertex joining = JoinsSource<Operator>::value ? u : v;
        to[num_joined++] = joining;
        num_edges += graph.degree(joining);
        if (StopsAtFirst<Operator>::value) break;
      }
    }
    next.set_counts(num_joined, num_edges);
    std::swap(frontier, next);
    begin_next_sweep(op);
  }
}

/// `start`: a vertex, or no_vertex where the work set is `frontier`.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void run_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
               Frontier<Vertex, Memory>& next, const Operator& op, Vertex start, Offset max_edges,
               SweepFusion<Memory>& fusion) {
  static_assert(fuses_sweeps<Space>);
  fusion.work_sets.clear();
  if constexpr (host_accessible<Memory>) {
    fence(space, "dromos::traverse::fused");
    fuse_on_host(graph, frontier, next, op, start, max_edges, fusion.work_sets);
  } else {
    using Kernel = FusedKernel<Space, Graph, Operator>;
    typename Kernel::Policy policy(space, 1, fused_team_size);
    policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
    const int first_size = start != no_vertex<Vertex> ? 1 : static_cast<int>(frontier.num_vertices());
    if (fusion.message.size() == 0) {
      fusion.message = DeviceMessage<Memory>(1 + 2 * (most_fused_sweeps + 1), "dromos::traverse::fused");
    }
    const MessageSender sender = fusion.message.expect();
    Kokkos::parallel_for("dromos::traverse::fused", policy,
                         Kernel{{graph, frontier.work(), NoSink{}, op},
                                {frontier.queue(), next.queue()},
                                start,
                                first_size,
                                max_edges,
                                sender});
    fusion.message.wait(space, sender);
    const int num_sweeps = static_cast<int>(fusion.message[0]);
    for (int i = 0; i <= num_sweeps; ++i) {
      fusion.work_sets.push_back(
          {static_cast<std::int64_t>(fusion.message[1 + 2 * i]), static_cast<Offset>(fusion.message[2 + 2 * i])});
    }
    if (num_sweeps % 2 != 0) std::swap(frontier, next);
    frontier.set_counts(fusion.work_sets.back().num_vertices, fusion.work_sets.back().num_edges);
  }
}

}  // namespace detail

/// Sweeps from `frontier`, one after the other, as long as the work set is small. Waits; `frontier` is then the first
/// work set that is not, or empty, and fusion.work_sets tells the sizes of all. A frontier that is not worth_fusing()
/// stays as it is.
///
/// Parameters as traverse(); `next` is overwritten. Cost: the edges of the work sets, and one launch and one host
/// synchronisation for up to 255 sweeps.
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void traverse_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                    Frontier<Vertex, Memory>& next, const Operator& op, SweepFusion<Memory>& fusion) {
  if (!worth_fusing(space, frontier)) {
    fusion.work_sets.assign(1, {frontier.num_vertices(), frontier.num_edges()});
    return;
  }
  detail::run_fused(space, graph, frontier, next, op, no_vertex<Vertex>, detail::most_fused_edges<Space>, fusion);
}

/// The same from one vertex, which joins by op.edge(start, start, 0) before the first sweep.
///
/// \param fuse  false: no sweep, `frontier` is then `start` alone
template <class Space, class Graph, class Vertex, class Memory, class Operator>
void start_fused(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                 Frontier<Vertex, Memory>& next, const Operator& op, Vertex start, bool fuse,
                 SweepFusion<Memory>& fusion) {
  detail::run_fused(space, graph, frontier, next, op, start, fuse ? detail::most_fused_edges<Space> : Offset(-1),
                    fusion);
}

}  // namespace dromos
