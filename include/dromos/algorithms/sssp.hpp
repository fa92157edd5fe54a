// SPDX-License-Identifier: BSD-3-Clause
// Single-source shortest paths by delta-stepping: the distance of every vertex from a root, over non-negative weights.
//
// Distances are settled in buckets of width delta. Inside a bucket, vertices whose distance shrank offer it to their
// neighbors, sweep by sweep, until nothing below the bucket's end shrinks any more; whoever got a distance beyond the
// end waits in a bitmap. Then the next bucket begins at the smallest distance that waits, so that empty buckets cost
// nothing. Two edge cases are two old friends: delta = 0+ is Dijkstra's algorithm, delta = infinity Bellman and Ford's.
//
// A distance is the smallest, over all paths, of the weights added up in single precision from the root on; adding a
// non-negative number never makes a sum smaller, rounding included, so that the result does not depend on the order of
// events: it is that of Dijkstra's algorithm, bit for bit.
//
// Source: U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 2003; with
// one pile for all later buckets, as A. Davidson et al., "Work-efficient parallel GPU methods for single-source
// shortest paths", IPDPS 2014.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/distance_buckets.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

struct SsspOptions {
  /// Width of a bucket. Small: few edges are looked at twice, but there are many sweeps. 0: twice the mean weight over
  /// the mean degree at first, and wider while buckets have few edges.
  float delta = 0;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
};

struct SsspStatistics {
  std::int64_t num_reached = 0;  ///< vertices, the root included
  float largest_distance = 0;    ///< of a reached vertex
  Offset edges_relaxed = 0;      ///< edges visited in all sweeps
  std::int64_t num_sweeps = 0;
  std::int64_t num_buckets = 0;
  double seconds = 0;
};

/// The weighted graph and about 12 bytes a vertex (20 with 64-bit ids), reused from root to root.
template <class Vertex, class Memory>
struct SsspScratch {
  CsrGraph<Vertex, Memory> graph;
  double mean_weight = 0, mean_degree = 0;
  Frontier<Vertex, Memory> frontier, next;
  /// Who is in the next work set already.
  SweepMarks<Memory> marks;
  /// Who waits for a later bucket.
  Bitmap<Memory> waiting;
  SweepFusion<Memory> fusion;
  DeviceCounts<Memory> counts;

  SsspScratch() = default;

  /// \param halo  where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
  /// \throws ArgumentError when the graph has no weights, or a weight is negative or not a number
  /// Cost: one pass over the weights.
  template <class Space, class AnyHalo = NoHalo>
  SsspScratch(const Space& space, const CsrGraph<Vertex, Memory>& weighted_graph, const AnyHalo& halo = {})
      : graph(weighted_graph),
        frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        marks(graph.num_vertices(), "dromos::sssp::marks"),
        waiting(graph.num_vertices(), "dromos::sssp::waiting"),
        counts(2, "dromos::sssp::counts") {
    halo.agree([&] { check_weights(space); });
    double sums[2] = {detail::sum_of_weights(space, graph.weights), static_cast<double>(graph.num_edges())};
    halo.sum_in_place(sums, 2);
    if (sums[1] > 0) mean_weight = sums[0] / sums[1];
    if (halo.num_vertices(graph) > 0) mean_degree = sums[1] / static_cast<double>(halo.num_vertices(graph));
  }

 private:
  template <class Space>
  void check_weights(const Space& space) {
    const Offset num_edges = graph.num_edges();
    if (num_edges != 0 && !graph.weighted()) {
      throw ArgumentError("sssp: the graph has no weights; read them from the file, or make some");
    }
    if (const Offset bad = detail::first_bad_weight(space, graph.weights); bad < num_edges) {
      const float weight = Kokkos::create_mirror_view_and_copy(
          Kokkos::HostSpace(), Kokkos::subview(graph.weights, Kokkos::make_pair(bad, bad + 1)))(0);
      throw ArgumentError("sssp: stored edge " + std::to_string(bad) + " has weight " + std::to_string(weight) +
                          "; weights must not be negative");
    }
  }
};

namespace detail {

/// v may be reached over u. A vertex joins the next work set once if its new distance lies in the bucket, and waits
/// otherwise. A distance of u that is stale is too large: whoever made it smaller has put u into the next work set.
template <class Vertex, class Memory>
struct RelaxEdges {
  using Value = float;
  static constexpr bool adds = false;
  Kokkos::View<float*, Memory> distance;
  Kokkos::View<const float*, Memory> weights;
  SweepMarks<Memory> marks;
  Bitmap<Memory> waiting;
  float bucket_end;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const float offered = offer_of(u, e);
    return take(v, offered) && joins_at(v, offered);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset e) const { return take(v, offer_of(u, e)); }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex v) const { return joins_at(v, give(v)); }
  KOKKOS_FORCEINLINE_FUNCTION float give(Vertex v) const { return atomic_load(&distance.data()[v]); }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, float offered) const {
    float* const theirs = &distance.data()[v];
    return offered < atomic_load(theirs) && offered < Kokkos::atomic_fetch_min(theirs, offered);
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { marks.next_sweep(); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION float offer_of(Vertex u, Offset e) const { return give(u) + weights.data()[e]; }
  KOKKOS_FORCEINLINE_FUNCTION bool joins_at(Vertex v, float shortened) const {
    if (shortened < bucket_end) return marks.claim(v);
    waiting.set(v);
    return false;
  }
};

/// Counts the edges of a bucket, and ends it before a sweep of more than so many.
struct WatchRelaxations : NoWatch {
  SsspStatistics& statistics;
  Offset most_edges;
  Offset edges_relaxed = 0;

  WatchRelaxations(SsspStatistics& of, Offset most) : statistics(of), most_edges(most) {}
  bool may_sweep(const WorkSetSize& work) const { return work.num_edges <= most_edges; }
  void swept(const WorkSetSize& work, double) {
    edges_relaxed += work.num_edges;
    statistics.edges_relaxed += work.num_edges;
    ++statistics.num_sweeps;
  }
};

/// How wide the next bucket is. One that was given stays; a chosen one doubles while buckets have too few edges to keep
/// all threads busy, as those of road networks do, and falls back where a wide bucket meets a crowd.
///
///   scale-free   1 1 2 4 | crowd 1 1 1 1 ...          road network   1 2 4 8 16 16 16 ...
class BucketWidth {
 public:
  /// \param enough  edges that keep all threads (of all ranks) busy
  BucketWidth(float delta, bool given, Offset enough)
      : narrowest_(delta), delta_(delta), given_(given), enough_(enough) {}

  float delta() const { return delta_; }
  /// A sweep of more is too much for a bucket that was widened.
  Offset most_edges() const { return delta_ > narrowest_ ? 4 * enough_ : std::numeric_limits<Offset>::max(); }
  void adapt(Offset edges_relaxed) {
    if (given_) return;
    if (edges_relaxed < enough_) delta_ *= 2;
    if (edges_relaxed > 4 * enough_) delta_ = dromos::max(narrowest_, delta_ / 2);
  }
  void narrow() { delta_ = narrowest_; }

 private:
  const float narrowest_;
  float delta_;
  const bool given_;
  const Offset enough_;
};

/// Edges that keep the threads of an execution space busy.
template <class Space>
Offset edges_that_are_enough(const Space& space) {
  return is_gpu<Space> ? Offset(1) << 18 : Offset(8192) * static_cast<Offset>(space.concurrency());
}

template <class Vertex, class Memory>
struct PlaceRoot {
  Kokkos::View<float*, Memory> distance;
  Bitmap<Memory> waiting;
  Vertex root;
  KOKKOS_FUNCTION void operator()(const int) const {
    distance(root) = 0;
    waiting.set(root);
  }
};

template <class Vertices, class Memory>
struct CountReached {
  Vertices vertices;
  Kokkos::View<const float*, Memory> distance;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    sum += distance(v) < no_distance && vertices.counts(v);
  }
};
template <class Memory>
struct LargestDistance {
  Kokkos::View<const float*, Memory> distance;
  KOKKOS_FUNCTION void operator()(std::int64_t v, float& most) const {
    if (distance(v) < no_distance) most = dromos::max(most, distance(v));
  }
};

/// All vertices of a work set wait again.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void put_back(const Space& space, const Frontier<Vertex, Memory>& frontier,
                                    const Bitmap<Memory>& waiting) {
  const auto queue = frontier.queue();
  Kokkos::parallel_for(
      "dromos::sssp::put_back",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, frontier.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i) { waiting.set(queue(i)); });
}

}  // namespace detail

/// Finds the distance of every vertex from one root.
///
/// \param space     execution space instance; its memory space holds scratch and result
/// \param scratch   of the weighted graph, directed (edges are followed forwards) or undirected
/// \param root      where to start, in [0, num_vertices)
/// \param distance  out: num_vertices elements, sized on first use; no_distance (infinity) where the root does not
/// reach,
///                  and where even the shortest path is longer than a float can say (3.4e38)
/// \param options   delta, strategy
/// \param halo      where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp); root
///                  is then a local number, and no_vertex on ranks that do not know it
/// \throws ArgumentError when the root is outside the graph, or delta is negative or not a number
///
/// Cost: the edges of a vertex once for each sweep in which its distance shrank, a pass over a bitmap for each bucket,
/// and one host synchronisation a sweep. edges_relaxed over the edges reached says how much was done twice.
template <class Space, class Vertex, class Memory, class AnyHalo = NoHalo>
SsspStatistics sssp(const Space& space, SsspScratch<Vertex, Memory>& scratch, Vertex root,
                    Kokkos::View<float*, Memory>& distance, const SsspOptions& options = {}, const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::sssp");
  if constexpr (AnyHalo::is_whole) check_root(root, scratch.graph.num_vertices());
  if (!(options.delta >= 0)) {
    throw ArgumentError("sssp: delta is " + std::to_string(options.delta) +
                        "; it must be above 0, or 0 to have it chosen");
  }
  float delta = options.delta > 0 ? options.delta
                                  : static_cast<float>(2 * scratch.mean_weight / dromos::max(1.0, scratch.mean_degree));
  if (!(delta > 0)) delta = 1;  // all weights are 0
  detail::ensure_size(distance, static_cast<std::size_t>(scratch.graph.num_vertices()), "dromos::sssp::distance");
  fence(space, "dromos::sssp::start");

  const Kokkos::Timer timer;
  SsspStatistics statistics;
  const auto view = scratch.graph.view();
  Kokkos::deep_copy(space, distance, no_distance);
  clear(space, scratch.waiting);
  if (root != no_vertex<Vertex>) {
    Kokkos::parallel_for("dromos::sssp::root", Kokkos::RangePolicy<Space>(space, 0, 1),
                         detail::PlaceRoot<Vertex, Memory>{distance, scratch.waiting, root});
  }
  detail::RelaxEdges<Vertex, Memory> relax{distance, scratch.graph.weights, scratch.marks, scratch.waiting, 0};
  detail::BucketWidth width(delta, options.delta > 0, halo.sum(detail::edges_that_are_enough(space)));
  float from = 0;
  while (from < no_distance) {
    // Where delta is lost in rounding, a bucket holds what lies at its beginning.
    relax.bucket_end = dromos::max(from + width.delta(), std::nextafter(from, no_distance));
    const detail::TakenBucket bucket = detail::take_from_pile(space, scratch.waiting, distance, from, relax.bucket_end,
                                                              scratch.frontier.queue(), scratch.counts);
    if (halo.sum(bucket.size) == 0) {
      from = static_cast<float>(halo.min(static_cast<double>(bucket.least_left)));
      continue;
    }
    const ScopedRegion bucket_region("dromos::sssp::bucket");
    scratch.frontier.set_counts(bucket.size);
    detail::WatchRelaxations watch{statistics, width.most_edges()};
    if (until_empty(space, view, scratch.frontier, scratch.next, relax, options.strategy, &scratch.fusion, watch,
                    halo)) {
      from = relax.bucket_end;
      ++statistics.num_buckets;
      width.adapt(watch.edges_relaxed);
    } else {  // it is begun anew with fewer vertices; what it has relaxed stays relaxed
      detail::put_back(space, scratch.frontier, scratch.waiting);
      width.narrow();
    }
  }
  scratch.marks = relax.marks;
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> vertices(space, 0, halo.num_rows(scratch.graph));
  const auto part = halo.vertices();
  Kokkos::parallel_reduce("dromos::sssp::reached", vertices,
                          detail::CountReached<std::decay_t<decltype(part)>, Memory>{part, distance},
                          statistics.num_reached);
  Kokkos::parallel_reduce("dromos::sssp::largest_distance", vertices, detail::LargestDistance<Memory>{distance},
                          Kokkos::Max<float>(statistics.largest_distance));
  statistics.num_reached = halo.sum(statistics.num_reached);
  // The value of an empty maximum lies below all distances.
  statistics.largest_distance =
      static_cast<float>(halo.max(static_cast<double>(dromos::max(0.0f, statistics.largest_distance))));
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/sssp.cpp.
extern template SsspStatistics sssp(const Kokkos::DefaultExecutionSpace&,
                                    SsspScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    std::int32_t, Kokkos::View<float*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const SsspOptions&, const NoHalo&);
extern template SsspStatistics sssp(const Kokkos::DefaultExecutionSpace&,
                                    SsspScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    std::int64_t, Kokkos::View<float*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const SsspOptions&, const NoHalo&);

}  // namespace dromos
