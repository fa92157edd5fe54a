// SPDX-License-Identifier: BSD-3-Clause
// Single-source shortest paths by delta-stepping: the distance of every vertex from a root, over non-negative weights.
//
// Distances are settled in buckets of width delta. Inside a bucket, vertices whose distance shrank offer it to their
// neighbors, sweep by sweep, until nothing below the bucket's end shrinks any more; whoever got a distance beyond the
// end waits in a bitmap. Then the next bucket begins at the smallest distance that waits, so that empty buckets cost
// nothing. A vertex may shrink several times within a bucket; its heavy edges, which lead beyond any narrow bucket,
// then have their turn once, when it is settled. On a CPU, heavy edges of an undirected graph of many edges have it
// when distances have come up to their lengths, from either end, and most never (algorithms/impl/edge_classes.hpp). On
// a GPU those who are still without a final distance look along their heavy edges for who has just got one, where they
// have fewer than those.
//
//   u at 2.7, then 2.1, edges of weight 0.1 and 5     0.1 is looked at twice, 5 once
//
// Where vertices have few edges, threads of a CPU do without sweeps: each has buckets of its own, and helps others that
// are behind (algorithms/impl/nearest_by_threads.hpp).
//
// Two edge cases are two old friends: delta = 0+ is Dijkstra's algorithm, delta = infinity Bellman and Ford's.
//
// A distance is the smallest, over all paths, of the weights added up from the root on, in the type of the distances:
// 64-bit whole numbers where all weights are whole, which are exact; double, which is within 2^-53 of a sum for each
// edge of the path; or float, which has 24 bits and no more: after 16777216, adding 1 changes nothing. Adding a
// non-negative number never makes a sum smaller, rounding included, so that the result does not depend on the order of
// events: it is that of Dijkstra's algorithm in the same type, bit for bit.
//
// Source: U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 2003; with
// one pile for all later buckets, as A. Davidson et al., "Work-efficient parallel GPU methods for single-source
// shortest paths", IPDPS 2014.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/impl/edge_classes.hpp>
#include <dromos/algorithms/impl/nearest_by_threads.hpp>
#include <dromos/algorithms/impl/nearest_first.hpp>
#include <dromos/algorithms/impl/relax_edges.hpp>
#include <dromos/algorithms/path_weights.hpp>
#include <dromos/algorithms/split_rows.hpp>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/pile.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace dromos {

struct SsspOptions {
  /// Width of a bucket. Small: few edges are looked at twice, but there are many sweeps. 0: twice the typical weight
  /// (the mean, unless few large ones spoil it) over the mean degree at first, and wider while buckets have few edges.
  float delta = 0;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
  /// From a sweep of more edges on, a bucket leaves heavy ones to a sweep of their own; for fewer that would be slower.
  /// 0: as many as keep all threads busy.
  Offset most_edges_together = 0;
};

struct SsspStatistics {
  std::int64_t num_reached = 0;             ///< vertices, the root included
  double largest_distance = 0;              ///< of a reached vertex
  std::int64_t largest_whole_distance = 0;  ///< the same without rounding, where distances are whole numbers
  Offset edges_relaxed = 0;                 ///< edges visited in all
  Offset edges_without_sweeps = 0;          ///< of these: by threads of the host each for itself, or by one alone
  std::int64_t num_sweeps = 0;
  std::int64_t num_buckets = 0;
  double delta = 0;  ///< width of the first bucket
  double seconds = 0;
};

namespace detail {

/// How the weights of a graph are read: those of a view are asked for, edge by edge.
template <class Graph>
struct WeightedRows {
  using View = decltype(view_of(std::declval<const Graph&>()));
  using type = WholeRows<View>;
  using weights_type = EdgeWeights<View>;
  using on_host = View;
  static type of(const Graph& graph) {
    check_weighted_graph_view<View>();
    return {view_of(graph), {view_of(graph)}};
  }
  static on_host copy(const Graph& graph) { return view_of(graph); }
};
/// Those of a CsrGraph lie in an array, and can be split and copied.
template <class Vertex, class Memory>
struct WeightedRows<CsrGraph<Vertex, Memory>> {
  using type = SplitRows<Vertex, Memory>;
  using weights_type = Kokkos::View<const float*, Memory>;
  using on_host = CsrGraph<Vertex, Kokkos::HostSpace>;
  static type of(const CsrGraph<Vertex, Memory>& graph) { return unsplit_rows(graph); }
  static on_host copy(const CsrGraph<Vertex, Memory>& graph) { return copy_to<Kokkos::HostSpace>(graph); }
};

template <class Rows>
struct LargestDegree {
  Rows rows;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& most) const {
    most = dromos::max(most, static_cast<Offset>(rows.degree(static_cast<typename Rows::vertex_type>(v))));
  }
};

template <class Rows>
struct AddUpDegrees {
  Rows rows;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& sum) const {
    sum += static_cast<Offset>(rows.degree(static_cast<typename Rows::vertex_type>(v)));
  }
};

/// The weight of one edge, for the host.
template <class Weights>
struct WeightOfEdge {
  Weights weights;
  Offset e;
  KOKKOS_FUNCTION void operator()(std::int64_t, double& weight) const { weight = static_cast<double>(weights(e)); }
};

}  // namespace detail

/// The weighted graph and about 12 bytes a vertex (20 with 64-bit ids), reused from root to root; where vertices have
/// many edges also those once more, light before heavy, and 8 to 40 bytes a vertex, if there is room
/// (algorithms/split_rows.hpp).
///
/// Graph: a CsrGraph, or any graph view with weights (graph/graph_view.hpp), of which nothing is copied, nor rows
/// split. Who writes SsspScratch(space, graph) need not name it.
template <class Vertex, class Memory, class Graph = CsrGraph<Vertex, Memory>>
struct SsspScratch {
  Graph graph;
  double mean_weight = 0, mean_degree = 0;
  /// The mean, unless few large weights have spoilt it.
  double typical_weight = 0;
  /// All distances are whole numbers of 64 bits: all weights are whole, and their sum is below 2^62. Of all ranks.
  bool whole = false;
  double sum_of_weights = 0;
  /// Of a whole graph in memory of the host.
  Offset largest_degree = 0;
  /// Edges may have their turn in classes, in both directions (algorithms/impl/edge_classes.hpp).
  bool in_classes = false;
  /// Heavy edges may be looked along from either end; so many there are then.
  bool looks_back = false;
  Offset num_heavy = 0;
  typename detail::WeightedRows<Graph>::type rows;
  Frontier<Vertex, Memory> frontier, next;
  /// Who is in the next work set already.
  SweepMarks<Memory> marks;
  /// Who waits for a later bucket; who has been in the work sets of this one.
  Bitmap<Memory> waiting, in_bucket;
  SweepFusion<Memory> fusion;
  DeviceCounts<Memory> counts;
  /// Where the graph is not in memory of the host: a copy there, once it was needed.
  std::optional<typename detail::WeightedRows<Graph>::on_host> on_host;

  /// In classes, neighbors with near numbers lie apart: of vertices with fewer edges that costs more than it spares.
  static constexpr double fewest_edges_for_classes = 20;

  /// Can edges have their turn in classes at all?
  template <class Space, class AnyHalo>
  static constexpr bool may_look = AnyHalo::is_whole && !is_gpu<Space> && detail::has_csr_arrays<Graph>;
  /// And can heavy edges be looked along from their far ends?
  template <class AnyHalo>
  static constexpr bool may_look_back = !host_accessible<Memory> && AnyHalo::is_whole && detail::has_csr_arrays<Graph>;

  SsspScratch() = default;

  /// \param halo  where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
  /// \throws ArgumentError when the graph has no weights, or a weight is negative or not a number
  /// Cost: four passes over the weights, and two over the edges where rows are split, three where they may be looked
  /// along from either end.
  template <class Space, class AnyHalo = NoHalo>
  SsspScratch(const Space& space, const Graph& weighted_graph, const AnyHalo& halo = {})
      : graph(weighted_graph),
        rows(detail::WeightedRows<Graph>::of(graph)),
        frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        marks(graph.num_vertices(), "dromos::sssp::marks"),
        waiting(graph.num_vertices(), "dromos::sssp::waiting"),
        in_bucket(graph.num_vertices(), "dromos::sssp::in_bucket"),
        counts(3, "dromos::sssp::counts") {
    halo.agree([&] { check_weights(space); });
    const Offset m = graph.num_edges();
    double sums[3] = {detail::sum_of_weights(space, m, rows.weights), static_cast<double>(m),
                      detail::sum_of_roots(space, m, rows.weights)};
    halo.sum_in_place(sums, 3);
    sum_of_weights = sums[0];
    whole = halo.min(std::int64_t(detail::weights_are_whole(space, m, rows.weights))) != 0 &&
            sum_of_weights < most_whole_distance;
    if (sums[1] > 0) {
      mean_weight = sums[0] / sums[1];
      typical_weight = detail::typical_weight(mean_weight, sums[2] / sums[1]);
    }
    if (halo.num_vertices(graph) > 0) mean_degree = sums[1] / static_cast<double>(halo.num_vertices(graph));
    if constexpr (AnyHalo::is_whole && host_accessible<Memory>) {
      Kokkos::parallel_reduce(
          "dromos::sssp::largest_degree",
          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, graph.num_vertices()),
          detail::LargestDegree<decltype(view_of(graph))>{view_of(graph)}, Kokkos::Max<Offset>(largest_degree));
    }
    if constexpr (detail::has_csr_arrays<Graph>) {
      const bool worth_splitting = mean_degree >= fewest_edges_to_split && typical_weight > 0;
      const bool looks = may_look<Space, AnyHalo> && !graph.directed && mean_degree >= fewest_edges_for_classes;
      const std::vector<float> bounds = weight_bounds(worth_splitting && looks);
      if (halo.min(std::int64_t(worth_splitting && room_to_split_rows(graph, bounds.size() + 1))) != 0) {
        in_classes = looks && detail::weights_are_symmetric(space, graph.view(), rows.weights);
        looks_back = may_look_back<AnyHalo> && !graph.directed &&
                     detail::weights_are_symmetric(space, graph.view(), rows.weights);
        rows = split_rows(space, graph, in_classes ? bounds : weight_bounds(false));
        if (looks_back) {
          const auto heavy = rows.between(1, rows.last_class());
          reduce_range("dromos::sssp::num_heavy", space, graph.num_vertices(),
                       detail::AddUpDegrees<decltype(heavy)>{heavy}, num_heavy);
        }
      }
    }
  }

  /// Of a narrow bucket: twice the typical weight over the mean degree.
  double width_of_bucket() const { return 2 * typical_weight / dromos::max(1.0, mean_degree); }
  /// Of threads that do not wait for each other. Narrow buckets cost little there, and fewer edges of hubs, from which
  /// most ways are short, are looked at twice. Without hubs many threads find more to share in wider ones, and less of
  /// it is found too early. Two threads hand each other what they find where a vertex has few edges, and are no faster
  /// than one.
  template <class Space>
  detail::ThreadBuckets thread_buckets(const Space& space) const {
    const int most = detail::num_threads_for(space, graph.num_edges());
    if (has_hubs()) return {width_of_bucket() / (mean_degree < 8 ? 1 : 4), most};
    const int num_threads = most == 2 && mean_degree < 8 ? 1 : most;
    const double times = num_threads < 4 ? 1 : dromos::max(1.0, dromos::min(10.0, 40 / mean_degree));
    return {times * width_of_bucket(), num_threads, true};
  }
  /// Of a whole graph in memory of the host.
  bool has_hubs() const { return static_cast<double>(largest_degree) >= 8 * mean_degree; }

 private:
  /// An edge as long as so many narrow buckets is heavy, and of vertices with so many edges few are light.
  static constexpr double light_buckets = 1.25, fewest_edges_to_split = 16;
  /// Below the first, weights are light. Where more are wanted, each is three times the one before, or more, and few
  /// weights lie behind the last.
  std::vector<float> weight_bounds(bool several) const {
    const double first = light_buckets * width_of_bucket(), last = 2 * typical_weight;
    std::vector<float> bounds = {static_cast<float>(first)};
    if (!several) return bounds;
    const double step = dromos::max(3.0, std::pow(last / first, 1.0 / (most_weight_classes - 1)));
    for (double bound = first * step; bound < 0.99 * last; bound *= step) bounds.push_back(static_cast<float>(bound));
    return bounds;
  }

  template <class Space>
  void check_weights(const Space& space) {
    const Offset num_edges = graph.num_edges();
    if constexpr (detail::has_csr_arrays<Graph>) {
      if (num_edges != 0 && !graph.weighted()) {
        throw ArgumentError("sssp: the graph has no weights; read them from the file, or make some");
      }
    }
    if (const Offset bad = detail::first_bad_weight(space, num_edges, rows.weights); bad < num_edges) {
      double weight = 0;
      Kokkos::parallel_reduce("dromos::sssp::bad_weight", Kokkos::RangePolicy<Space>(space, 0, 1),
                              detail::WeightOfEdge<std::decay_t<decltype(rows.weights)>>{rows.weights, bad}, weight);
      throw ArgumentError("sssp: stored edge " + std::to_string(bad) + " has weight " + std::to_string(weight) +
                          "; weights must not be negative");
    }
  }
};

template <class Space, class Graph, class... Halo>
SsspScratch(const Space&, const Graph&, const Halo&...)
    -> SsspScratch<vertex_type_of<Graph>, memory_space_of<Graph>, Graph>;

namespace detail {

/// Whether sweeps have been thin for so long, or so many, that the host should go on without.
struct ThinSweeps {
  std::int64_t fewest = 0;                                           ///< sweeps that make "so long"
  Offset most_edges = 0;                                             ///< of a thin sweep, on the average
  std::int64_t too_many = std::numeric_limits<std::int64_t>::max();  ///< however large they are
  std::int64_t sweeps_before = 0;                                    ///< of the last time that it did
  Offset edges_before = 0;
  bool may_end = true;                              ///< it may at all
  std::int64_t most_in_launch = most_fused_sweeps;  ///< how many may pass before that is asked

  bool are_many(const SsspStatistics& now) const {
    const std::int64_t sweeps = now.num_sweeps - sweeps_before;
    const bool thin = now.edges_relaxed - edges_before < sweeps * most_edges;
    return may_end && (sweeps >= too_many || (sweeps >= fewest && thin));
  }
  void begin_anew(const SsspStatistics& now) {
    sweeps_before = now.num_sweeps;
    edges_before = now.edges_relaxed;
  }
};

/// Counts sweeps, and ends those of a bucket before one that is too large for it, and where the host should go on
/// without.
template <class Relax>
struct WatchRelaxations : NoWatch {
  const Relax& relax;
  SsspStatistics& statistics;
  const ThinSweeps& thin;
  Offset num_alone = 0;  ///< edges that ranks went through with a heap
  std::int64_t num_rounds = 0, num_busy = 0;
  Offset most_of_bucket = std::numeric_limits<Offset>::max();
  Offset num_of_bucket = 0;

  WatchRelaxations(const Relax& with, SsspStatistics& of, const ThinSweeps& sweeps)
      : relax(with), statistics(of), thin(sweeps) {}
  bool may_sweep(const WorkSetSize& work) const {
    return work.num_edges <= relax.most_edges() && num_of_bucket <= most_of_bucket && !thin.are_many(statistics);
  }
  std::int64_t most_sweeps() const { return thin.most_in_launch; }
  Offset most_edges_fused() const {  // of several buckets the operator knows
    return Relax::refills && relax.pile.may_refill ? NoWatch().most_edges_fused() : relax.most_edges();
  }
  void swept(const WorkSetSize& work, double) {
    statistics.edges_relaxed += work.num_edges;
    ++statistics.num_sweeps;
    num_of_bucket += work.num_edges;
  }
  void met(Offset alone, std::int64_t busy) {
    num_alone += alone;
    ++num_rounds;
    num_busy += busy;
  }
  /// One rank after the other went through the bucket, without the others and by one thread.
  bool was_alone() const { return 2 * num_alone > num_of_bucket && 4 * num_busy <= 5 * num_rounds; }
};

/// Sweeps a bucket until its work set is empty, or the watch ends it. Where rows are not split, vertices have few
/// edges, and a bucket of a path is a long one: ranks then go on alone as far as they can. Elsewhere most that a rank
/// finds by itself in a crowd would be found again, nearer.
///
/// \param num_arcs  of the graph, of all ranks
template <class Space, class Rows, class Vertex, class Distance, class Memory, class Graph, class Weights, bool Whole,
          class AnyHalo>
bool sweep_bucket(const Space& space, const Rows& rows, SsspScratch<Vertex, Memory, Graph>& scratch,
                  RelaxEdges<Vertex, Distance, Memory, Weights, Whole>& relax, SsspStatistics& statistics,
                  const ThinSweeps& thin, const Strategy& strategy, const AnyHalo& halo,
                  [[maybe_unused]] Offset num_arcs) {
  WatchRelaxations<RelaxEdges<Vertex, Distance, Memory, Weights, Whole>> watch(relax, statistics, thin);
  if constexpr (!AnyHalo::is_whole) {
    if (!scratch.rows.is_split) {
      if (relax.width.is_widened()) watch.most_of_bucket = dromos::max(2 * num_arcs, relax.width.most_edges());
      RelaxAlone<Vertex, Distance, Memory, Weights> alone{relax};
      const bool settled =
          until_empty(space, rows, scratch.frontier, scratch.next, alone, strategy, &scratch.fusion, watch, halo);
      relax = alone;
      if (watch.num_of_bucket > watch.most_of_bucket) relax.width.never_alone();
      if (watch.was_alone()) relax.width.was_alone();
      return settled;
    }
  }
  return until_empty(space, rows, scratch.frontier, scratch.next, relax, strategy, &scratch.fusion, watch, halo);
}

/// Edges that keep the threads of an execution space busy; of a GPU so many that what a sweep costs beside them matters
/// little.
template <class Space>
Offset edges_that_are_enough(const Space& space) {
  return is_gpu<Space> ? Offset(1) << 21 : Offset(8192) * static_cast<Offset>(space.concurrency());
}

template <class Vertex, class Distance, class Memory>
struct PlaceRoot {
  Kokkos::View<Distance*, Memory> distance;
  Bitmap<Memory> waiting;
  Vertex root;
  KOKKOS_FUNCTION void operator()(const int) const {
    distance(root) = 0;
    waiting.set(root);
  }
};

template <class Vertices, class Distance, class Memory>
struct CountReached {
  Vertices vertices;
  Kokkos::View<const Distance*, Memory> distance;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    sum += distance(v) < no_distance<Distance> && vertices.counts(v);
  }
};
template <class Distance, class Memory>
struct LargestDistance {
  Kokkos::View<const Distance*, Memory> distance;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Distance& most) const {
    if (distance(v) < no_distance<Distance>) most = dromos::max(most, distance(v));
  }
};

/// Sets the bits of all vertices of a work set.
template <class Space, class Vertex, class Memory>
void add_to(const Space& space, const Frontier<Vertex, Memory>& frontier, const Bitmap<Memory>& bitmap) {
  mark_listed("dromos::sssp::add_to", space, frontier.queue(), frontier.num_vertices(), bitmap);
}

/// Vertices without a final distance that have heavy edges: who could look along them.
template <class Rows, class Distance, class Memory>
struct IsUnsettled {
  Rows heavy;
  const Distance* distance;
  Distance settled;  ///< distances below are final
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    return distance[v] >= settled && heavy.degree(static_cast<typename Rows::vertex_type>(v)) != 0;
  }
};

/// v, whose distance is not final, is reached over u, if that of u is. What comes from buckets before this one has been
/// offered, and changes nothing.
template <class Relax, class Vertex, class Distance>
struct LookBack {
  Relax relax;
  const Distance* distance;
  Distance settled;
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex u, Offset) const { return distance[u] < settled; }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex v, Vertex u, Offset e) const {
    if (distance[u] < settled && relax.offer(u, v, e)) relax.pile.waiting.set(v);
    return false;
  }
};

/// Heavy edges of a bucket that is settled, from their far ends; returns how many these looked along.
template <class Space, class Rows, class Vertex, class Distance, class Memory, class Graph, class Weights, bool Whole>
Offset look_back_along_heavy(const Space& space, const Rows& heavy, SsspScratch<Vertex, Memory, Graph>& scratch,
                             const RelaxEdges<Vertex, Distance, Memory, Weights, Whole>& relax,
                             const Strategy& strategy) {
  const Distance* const distance = relax.pile.priority.data();
  const Distance settled = relax.pile.to;
  write_bits("dromos::sssp::unsettled", space, scratch.in_bucket.words().data(), scratch.graph.num_vertices(),
             IsUnsettled<Rows, Distance, Memory>{heavy, distance, settled});
  scratch.next.set_counts(take_out(space, scratch.in_bucket, scratch.next.queue()));
  scratch.next.ensure_num_edges(space, heavy);
  const Offset num_looks = scratch.next.num_edges();
  traverse(space, heavy, scratch.next,
           LookBack<RelaxEdges<Vertex, Distance, Memory, Weights, Whole>, Vertex, Distance>{relax, distance, settled},
           strategy);
  scratch.next.set_counts(0);
  return num_looks;
}

/// Those who have been in a bucket's work sets, which are done with, offer their distances along heavy edges. No such
/// offer lies in the bucket. Returns how many edges that were.
///
/// \param settled     are the distances of the bucket final?
/// \param heavy_left  heavy edges of those without a final distance, at most; in and out
template <class Space, class Rows, class Vertex, class Distance, class Memory, class Graph, class Weights, bool Whole,
          class AnyHalo>
Offset relax_heavy(const Space& space, const Rows& heavy, SsspScratch<Vertex, Memory, Graph>& scratch,
                   RelaxEdges<Vertex, Distance, Memory, Weights, Whole>& relax, const Strategy& strategy,
                   const AnyHalo& halo, [[maybe_unused]] bool settled, [[maybe_unused]] Offset& heavy_left) {
  scratch.frontier.set_counts(take_out(space, scratch.in_bucket, scratch.frontier.queue()));
  scratch.frontier.ensure_num_edges(space, heavy);
  const Offset num_edges = halo.sum(scratch.frontier.num_edges());
  if constexpr (SsspScratch<Vertex, Memory, Graph>::template may_look_back<AnyHalo>) {
    heavy_left = dromos::max<Offset>(0, heavy_left - num_edges);
    // Few are offered in the time that finding those who could look takes.
    if (settled && scratch.looks_back && num_edges >= 2 * relax.most_together && heavy_left < num_edges / 2) {
      return look_back_along_heavy(space, heavy, scratch, relax, strategy);
    }
  }
  traverse(space, heavy, scratch.frontier, scratch.next, relax, strategy, halo);
  begin_next_sweep(relax);
  return num_edges;
}

/// When the host goes on without sweeps: after so many sweeps of so few edges on the average that threads do not
/// share them anyway (traverse/fused_sweeps.hpp), or that a sweep of a GPU takes longer than the thread would. Of a
/// path, a heap makes one step where sweeps make two passes and more; it is left again where more vertices wait than
/// one thread should have to itself.
inline constexpr std::int64_t fewest_thin_sweeps = 1024;
template <class Memory>
inline constexpr Offset most_edges_of_thin_sweeps = host_accessible<Memory> ? 256 : 32;
inline constexpr std::size_t most_waiting_for_one_thread = 1 << 14;

/// Where the graph is whole and the host has it, threads that go on each for themselves are faster than sweeps but
/// where edges have their turn in classes, or few threads meet a crowd (sweeps_to_begin_with()): after so many sweeps
/// of fewer edges they go on there, too.
inline constexpr std::int64_t fewest_thin_sweeps_on_host = 64;
inline constexpr Offset most_edges_of_thin_sweeps_on_host = 2048;
inline constexpr double edges_of_a_crowd = 8;
inline constexpr int most_threads_in_a_crowd = 8;
inline constexpr std::int64_t sweeps_to_see_a_crowd = 32;

/// Sweeps of several ranks are rounds of messages, and cost more. Some of them have cost what it costs to gather the
/// graph, for which an arc is about 1/4096 of a round.
inline std::int64_t fewest_thin_rounds(Offset num_arcs) {
  return dromos::max<std::int64_t>(64, dromos::min<std::int64_t>(fewest_thin_sweeps, num_arcs / 4096));
}

/// Bytes that go to the host and back when its thread goes on: the graph, the first time, and distances.
template <class Distance, class Vertex, class Memory, class Graph>
double bytes_to_host(const SsspScratch<Vertex, Memory, Graph>& scratch) {
  if (host_accessible<Memory>) return 0;
  const double n = static_cast<double>(scratch.graph.num_vertices()),
               m = static_cast<double>(scratch.graph.num_edges());
  return (scratch.on_host ? 0 : n * sizeof(Offset) + m * (sizeof(Vertex) + sizeof(float))) + 2 * n * sizeof(Distance);
}

/// A thread of the host looks at so many edges while a GPU makes a sweep of few.
inline constexpr Offset edges_of_thread_a_sweep = 250;

/// When the host goes on without sweeps, where the graph is whole: not before sweeps of a GPU have cost what the way to
/// the host does. A byte of it is about 1/4096 of a sweep. Once they have cost what the thread would take for all
/// edges, it goes on whatever they are: those of a ladder relax the same edges again and again.
template <class Distance, class Vertex, class Memory, class Graph>
ThinSweeps thin_sweeps(const SsspScratch<Vertex, Memory, Graph>& scratch, bool width_is_given) {
  const double bytes = bytes_to_host<Distance>(scratch);
  ThinSweeps thin;
  if (host_accessible<Memory> && !width_is_given) {
    thin.fewest = thin.most_in_launch = fewest_thin_sweeps_on_host;
    thin.most_edges = most_edges_of_thin_sweeps_on_host;
  } else {
    thin.fewest = dromos::max(fewest_thin_sweeps, static_cast<std::int64_t>(bytes / 4096));
    thin.most_edges = most_edges_of_thin_sweeps<Memory>;
  }
  if (!host_accessible<Memory>) {
    thin.too_many = dromos::max<std::int64_t>(thin.fewest, scratch.graph.num_edges() / edges_of_thread_a_sweep);
  }
  thin.may_end = host_can_read<Graph> && (!(bytes > 0) || 2 * bytes < static_cast<double>(available_host_memory()));
  return thin;
}

/// How many thin sweeps there are on a CPU before its threads go on each for itself; 0: they begin so. They do where
/// nobody has asked for buckets or for a strategy, and vertices have so few edges that it is no loss to look at all of
/// a vertex' edges whenever it got nearer. Of a crowd of vertices that are all alike, a few threads are faster in
/// sweeps, which go through rows in their order: whether it is one is seen in the first sweeps.
template <class Space, class Vertex, class Memory, class Graph>
std::int64_t sweeps_to_begin_with(const Space& space, const SsspScratch<Vertex, Memory, Graph>& scratch,
                                  const SsspOptions& options) {
  if (!host_can_read<Graph> || scratch.in_classes || !std::holds_alternative<Best>(options.strategy) ||
      scratch.mean_degree >= scratch.fewest_edges_for_classes) {
    return fewest_thin_sweeps_on_host;
  }
  const bool may_be_crowd = scratch.mean_degree >= edges_of_a_crowd && !scratch.has_hubs();
  return may_be_crowd && space.concurrency() <= most_threads_in_a_crowd ? sweeps_to_see_a_crowd : 0;
}

/// A heap of these vertices, by their distances.
template <class Distance, class Vertex, class Distances>
NearestHeap<Distance, Vertex> heap_of(const std::vector<Vertex>& vertices, const Distances& distance) {
  std::vector<std::pair<Distance, Vertex>> nearest;
  for (const Vertex v : vertices) nearest.emplace_back(distance(v), v);
  return NearestHeap<Distance, Vertex>({}, std::move(nearest));
}

/// Those of a heap whose edges have not been looked at since they got nearer.
template <class Distance, class Vertex, class Distances>
std::vector<Vertex> left_in(NearestHeap<Distance, Vertex>& heap, const Distances& distance) {
  std::vector<Vertex> left;
  for (; !heap.empty(); heap.pop()) {
    const auto [d, v] = heap.top();
    if (d == distance(v)) left.push_back(v);
  }
  return left;
}

/// Goes on, the nearest first, from all vertices whose edges have not been looked at since their distance shrank: those
/// of the work set and those who wait. Where the host has the graph, all threads do, each for itself
/// (impl/nearest_by_threads.hpp). Where it has not, or their buckets are too wide for the graph, the calling thread
/// does, on copies, with a heap. Where too many are in the heap, they wait, and the next bucket begins at the nearest
/// of them; otherwise nobody waits afterwards. Returns how many edges were looked at.
template <class Space, class Vertex, class Distance, class Memory, class Graph, class Weights, bool Whole>
Offset relax_nearest_first(const Space& space, SsspScratch<Vertex, Memory, Graph>& scratch,
                           RelaxEdges<Vertex, Distance, Memory, Weights, Whole>& relax) {
  using OnHost = typename WeightedRows<Graph>::on_host;
  if (!scratch.on_host) scratch.on_host.emplace(WeightedRows<Graph>::copy(scratch.graph));
  const OnHost& graph = *scratch.on_host;
  const auto rows = view_of(graph);
  const auto weights = WeightedRows<OnHost>::of(graph).weights;
  add_to(space, scratch.frontier, relax.pile.waiting);
  const Kokkos::View<Vertex*, Memory> queue = scratch.frontier.queue();
  const std::int64_t num_waiting = take_out(space, relax.pile.waiting, queue);
  fence(space, "dromos::sssp::nearest_first");
  const auto distance = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), relax.pile.priority);
  const auto waiting = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(queue, Kokkos::make_pair(std::int64_t(0), num_waiting)));
  std::vector<Vertex> left(waiting.data(), waiting.data() + num_waiting);
  Offset num_edges = 0;
  const auto go_on_alone = [&] {
    auto heap = heap_of<Distance>(left, distance);
    num_edges += relax_from_heap(
                     heap, rows, weights, distance, [](Vertex, Distance) { return true; },
                     [&](const Followed&) { return heap.size() <= most_waiting_for_one_thread; })
                     .num_edges;
    left = left_in(heap, distance);
  };
  if constexpr (host_accessible<Memory>) {
    if (!left.empty()) {
      auto followed =
          relax_by_threads(space, rows, weights, distance.data(), left.data(), static_cast<std::int64_t>(left.size()),
                           scratch.thread_buckets(space), 4 * graph.num_edges());
      num_edges += followed.num_edges;
      left = std::move(followed.left);
    }
  }
  if (!left.empty()) go_on_alone();
  Kokkos::deep_copy(space, relax.pile.priority, distance);

  Distance least = no_distance<Distance>;
  for (const Vertex v : left) least = dromos::min(least, distance(v));
  if (!left.empty()) relax.begin_bucket(least);
  const auto num_left = static_cast<std::int64_t>(left.size());
  Kokkos::deep_copy(space, Kokkos::subview(queue, Kokkos::make_pair(std::int64_t(0), num_left)),
                    Kokkos::View<const Vertex*, Kokkos::HostSpace>(left.data(), left.size()));
  scratch.frontier.set_counts(num_left);
  add_to(space, scratch.frontier, relax.pile.waiting);
  scratch.frontier.set_counts(0);
  fence(space, "dromos::sssp::nearest_first");
  return num_edges;
}

/// The same where ranks have parts of the graph: the first of them goes on alone, if it may have all of it, and nobody
/// waits afterwards. Returns how many edges were looked at; nothing where ranks are to go on together.
template <class Space, class Vertex, class Distance, class Memory, class Graph, class Weights, bool Whole,
          class AnyHalo>
std::optional<Offset> relax_on_one_rank(const Space& space, SsspScratch<Vertex, Memory, Graph>& scratch,
                                        RelaxEdges<Vertex, Distance, Memory, Weights, Whole>& relax,
                                        const AnyHalo& halo) {
  add_to(space, scratch.frontier, relax.pile.waiting);
  const Kokkos::View<Vertex*, Memory> waiting = scratch.next.queue();
  const std::int64_t num_waiting = take_out(space, relax.pile.waiting, waiting);
  const auto num_edges =
      halo.shorten_on_one_rank(space, scratch.rows.all(), relax.weights, waiting, num_waiting, relax.pile.priority);
  if (num_edges) {
    scratch.frontier.set_counts(0);
  } else {
    for (std::int64_t i = 0; i < num_waiting; ++i) relax.pile.waiting.set(waiting(i));
  }
  return num_edges;
}

}  // namespace detail

/// Finds the distance of every vertex from one root.
///
/// \param space     execution space instance; its memory space holds scratch and result
/// \param scratch   of the weighted graph, a CsrGraph or any graph view with weights, directed (edges are followed
///                  forwards) or undirected
/// \param root      where to start, in [0, num_vertices)
/// \param distance  out: num_vertices elements of std::int64_t (where scratch.whole), double or float, which is what
///                  lengths are added up in; sized on first use; no_distance where the root does not reach, and where
///                  even the shortest path is longer than the type can say (3.4e38 of a float)
/// \param options   delta, strategy
/// \param halo      where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp); root
///                  is then a local number, and no_vertex on ranks that do not know it
/// \throws ArgumentError when the root is outside the graph, delta is negative or not a number, or distances are to be
///                  whole numbers and cannot be
///
/// Cost: the edges of a vertex once for each sweep in which its distance shrank, or fewer where in classes, a pass over
/// a bitmap for each bucket, and one host synchronisation a sweep. Whole graphs on CPUs whose vertices have fewer than
/// 20 edges need no sweeps where delta and strategy are chosen: threads go on each for itself, the nearest first or
/// nearly so (algorithms/impl/nearest_by_threads.hpp). After 1,024 sweeps of few edges (64 of a CPU where
/// delta is chosen, 64 and more of ranks) threads of the host go on like that elsewhere, too, or one where they cannot.
/// Ranks of CPUs send a graph of up to 2^22 arcs to the first of them for that, and a GPU the graph to the host, where
/// it stays in the scratch (sweeps before have cost what the way does). edges_relaxed over the edges reached says how
/// much was done twice.
template <class Space, class Vertex, class Distance, class Memory, class Graph, class AnyHalo = NoHalo>
SsspStatistics sssp(const Space& space, SsspScratch<Vertex, Memory, Graph>& scratch, Vertex root,
                    Kokkos::View<Distance*, Memory>& distance, const SsspOptions& options = {},
                    const AnyHalo& halo = {}) {
  static_assert(is_distance_type<Distance>, "distances are std::int64_t, double or float");
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::sssp");
  if constexpr (AnyHalo::is_whole) check_root(root, scratch.graph.num_vertices());
  if (!(options.delta >= 0)) {
    throw ArgumentError("sssp: delta is " + std::to_string(options.delta) +
                        "; it must be above 0, or 0 to have it chosen");
  }
  if (std::is_integral_v<Distance> && !scratch.whole) {
    throw ArgumentError(
        "sssp: distances in whole numbers need whole weights with a sum below 2^62; the sum of these is " +
        std::to_string(scratch.sum_of_weights) +
        (scratch.sum_of_weights < most_whole_distance ? ", and not all are whole" : "") + "; take distances in double");
  }
  double delta = options.delta > 0 ? static_cast<double>(options.delta) : scratch.width_of_bucket();
  if (!(delta > 0)) delta = 1;  // all weights are 0
  detail::ensure_size(distance, static_cast<std::size_t>(scratch.graph.num_vertices()), "dromos::sssp::distance");
  fence(space, "dromos::sssp::start");

  const Kokkos::Timer timer;
  SsspStatistics statistics;
  statistics.delta = delta;
  const Distance none = no_distance<Distance>;
  Kokkos::deep_copy(space, distance, none);
  clear(space, scratch.waiting);
  clear(space, scratch.in_bucket);
  if (root != no_vertex<Vertex>) {
    Kokkos::parallel_for("dromos::sssp::root", Kokkos::RangePolicy<Space>(space, 0, 1),
                         detail::PlaceRoot<Vertex, Distance, Memory>{distance, scratch.waiting, root});
  }
  const Offset enough = halo.sum(detail::edges_that_are_enough(space));
  const Offset most_together = options.most_edges_together > 0 ? options.most_edges_together : enough;
  using Weights = typename detail::WeightedRows<Graph>::weights_type;
  detail::RelaxEdges<Vertex, Distance, Memory, Weights, AnyHalo::is_whole> relax{{scratch.waiting, distance},
                                                                                 scratch.rows.weights,
                                                                                 scratch.marks,
                                                                                 scratch.in_bucket,
                                                                                 {delta, options.delta > 0, enough},
                                                                                 0,
                                                                                 most_together};
  // In wide buckets, nearly all edges are of use.
  const bool are_narrow = delta <= scratch.width_of_bucket();
  detail::EdgeClasses<SsspScratch<Vertex, Memory, Graph>::template may_look<Space, AnyHalo>, Space,
                      SsspScratch<Vertex, Memory, Graph>, decltype(relax)>
      classes(space, scratch, relax, scratch.in_classes && are_narrow, options.strategy);
  const auto look_at_heavier = [&](Distance settled) {
    statistics.edges_relaxed += classes.look_at_next(settled);
    ++statistics.num_sweeps;
  };
  // Edges of a further class have their turn before a bucket begins that may need them.
  const auto heavier_bring_some = [&](Distance least) {
    if (classes.are_all() || least < relax.bound) return false;
    look_at_heavier(relax.bound);
    return true;
  };
  const Offset num_arcs = halo.sum(scratch.graph.num_edges());
  Offset heavy_left = scratch.num_heavy;
  detail::ThinSweeps thin;
  const auto sweep_until_empty = [&](const auto& rows) {
    return detail::sweep_bucket(space, rows, scratch, relax, statistics, thin, options.strategy, halo, num_arcs);
  };
  relax.begin_bucket(0);
  if constexpr (AnyHalo::is_whole) {
    thin = detail::thin_sweeps<Distance>(scratch, options.delta > 0);
    if (host_accessible<Memory> && !(options.delta > 0)) {
      thin.fewest = thin.most_in_launch = detail::sweeps_to_begin_with(space, scratch, options);
      if (thin.fewest == 0) thin.too_many = 0;
    }
  } else {
    thin.fewest = detail::fewest_thin_rounds(num_arcs);
    thin.most_edges = detail::most_edges_of_thin_sweeps<Memory>;
    thin.may_end = host_accessible<Memory>;
  }
  while (next_bucket(space, classes.rows(), scratch.frontier, relax, scratch.counts, halo, heavier_bring_some)) {
    const ScopedRegion bucket_region("dromos::sssp::bucket");
    if (thin.are_many(statistics)) {
      if (!classes.are_all()) detail::add_to(space, scratch.frontier, scratch.waiting);
      while (!classes.are_all()) look_at_heavier(relax.pile.from);
      std::optional<Offset> num_edges;
      if constexpr (AnyHalo::is_whole) {
        if constexpr (detail::host_can_read<Graph>) {
          num_edges = detail::relax_nearest_first(space, scratch, relax);
        }
        thin = detail::thin_sweeps<Distance>(scratch, options.delta > 0);  // of a graph that has been copied
      } else if constexpr (host_accessible<Memory>) {
        num_edges = detail::relax_on_one_rank(space, scratch, relax, halo);
      }
      thin.may_end = num_edges.has_value();
      statistics.edges_relaxed += num_edges.value_or(0);
      statistics.edges_without_sweeps += num_edges.value_or(0);
      thin.begin_anew(statistics);
      if (num_edges) continue;
    }
    bool settled = sweep_until_empty(classes.rows());  // on a GPU this bucket and those after it
    if (!settled && classes.may_begin() && !thin.are_many(statistics)) classes.begin(relax.pile.from);
    // Heavy edges of those that do not shrink any more have been looked at.
    if (!settled && !thin.are_many(statistics) && relax.may_split()) {
      relax.notes_bucket = true;
      relax.pile.may_refill = false;
      detail::add_to(space, scratch.frontier, scratch.in_bucket);
      scratch.frontier.set_counts(scratch.frontier.num_vertices());
      settled = sweep_until_empty(scratch.rows.light());
    }
    if (!settled) detail::add_to(space, scratch.frontier, scratch.waiting);
    if (relax.notes_bucket) {
      const Offset num_heavy =
          detail::relax_heavy(space, classes.heavy_rows(), scratch, relax, options.strategy, halo, settled, heavy_left);
      statistics.edges_relaxed += num_heavy;
      ++statistics.num_sweeps;
      relax.pile.num_edges += num_heavy;
      relax.notes_bucket = false;
      relax.pile.may_refill = true;
    }
    if (settled) {
      end_bucket(relax);
    } else {  // it is begun anew with fewer vertices, or by one thread; what it has relaxed stays relaxed
      if (!thin.are_many(statistics)) relax.width.narrow();
      relax.begin_bucket(relax.pile.from);
      relax.pile.num_edges = 0;
    }
  }
  statistics.num_buckets = relax.num_buckets;
  scratch.marks = relax.marks;
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> vertices(space, 0, halo.num_rows(scratch.graph));
  const auto part = halo.vertices();
  Kokkos::parallel_reduce("dromos::sssp::reached", vertices,
                          detail::CountReached<std::decay_t<decltype(part)>, Distance, Memory>{part, distance},
                          statistics.num_reached);
  using Wide = std::conditional_t<std::is_integral_v<Distance>, std::int64_t, double>;  // what ranks can compare
  Distance largest = 0;
  Kokkos::parallel_reduce("dromos::sssp::largest_distance", vertices,
                          detail::LargestDistance<Distance, Memory>{distance}, Kokkos::Max<Distance>(largest));
  statistics.num_reached = halo.sum(statistics.num_reached);
  // The value of an empty maximum lies below all distances.
  const Wide of_all = halo.max(static_cast<Wide>(dromos::max(Distance(0), largest)));
  statistics.largest_distance = static_cast<double>(of_all);
  if (std::is_integral_v<Distance>) statistics.largest_whole_distance = static_cast<std::int64_t>(of_all);
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/sssp.cpp.
#define DROMOS_SSSP(DECLARE, VERTEX, DISTANCE)                                                                         \
  DECLARE SsspStatistics sssp(                                                                                         \
      const Kokkos::DefaultExecutionSpace&, SsspScratch<VERTEX, Kokkos::DefaultExecutionSpace::memory_space>&, VERTEX, \
      Kokkos::View<DISTANCE*, Kokkos::DefaultExecutionSpace::memory_space>&, const SsspOptions&, const NoHalo&);
#define DROMOS_SSSP_OF_EACH_DISTANCE(DECLARE, VERTEX) \
  DROMOS_SSSP(DECLARE, VERTEX, std::int64_t)          \
  DROMOS_SSSP(DECLARE, VERTEX, double)                \
  DROMOS_SSSP(DECLARE, VERTEX, float)
DROMOS_SSSP_OF_EACH_DISTANCE(extern template, std::int32_t)
DROMOS_SSSP_OF_EACH_DISTANCE(extern template, std::int64_t)

}  // namespace dromos
