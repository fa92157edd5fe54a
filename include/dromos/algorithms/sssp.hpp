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
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/distance_buckets.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/traverse.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

struct SsspOptions {
  /// Width of a bucket. Small: few edges are looked at twice, but there are many sweeps. 0: the mean weight.
  float delta = 0;
  /// How edges are dealt out to threads. The default is the plain one, which is the best on CPUs; on GPUs prefer
  /// ManhattanLocal.
  Strategy strategy = VertexChunk{};
};

struct SsspStatistics {
  std::int64_t num_reached = 0;  ///< vertices, the root included
  float largest_distance = 0;    ///< of a reached vertex
  Offset edges_relaxed = 0;      ///< edges visited in all sweeps
  std::int64_t num_sweeps = 0;
  std::int64_t num_buckets = 0;
  double seconds = 0;
};

/// The weighted graph and about 8 bytes a vertex (16 with 64-bit ids), reused from root to root.
template <class Vertex, class Memory>
struct SsspScratch {
  CsrGraph<Vertex, Memory> graph;
  double mean_weight = 0;
  Frontier<Vertex, Memory> frontier, next;
  /// Who is in the next work set already; who waits for a later bucket.
  Bitmap<Memory> joined, waiting;

  SsspScratch() = default;

  /// \throws ArgumentError when the graph has no weights, or a weight is negative or not a number
  /// Cost: one pass over the weights.
  template <class Space>
  SsspScratch(const Space& space, const CsrGraph<Vertex, Memory>& weighted_graph)
      : graph(weighted_graph),
        frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        joined(graph.num_vertices(), "dromos::sssp::joined"),
        waiting(graph.num_vertices(), "dromos::sssp::waiting") {
    check_weights(space);
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
    if (num_edges > 0) mean_weight = detail::sum_of_weights(space, graph.weights) / static_cast<double>(num_edges);
  }
};

namespace detail {

/// v may be reached over u. A vertex joins the next work set once if its new distance lies in the bucket, and waits
/// otherwise. A distance of u that is stale is too large: whoever made it smaller has put u into the next work set.
template <class Vertex, class Memory>
struct RelaxEdges {
  Kokkos::View<float*, Memory> distance;
  Kokkos::View<const float*, Memory> weights;
  Bitmap<Memory> joined_already, waiting;
  float bucket_end;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const float offered = atomic_load(&distance.data()[u]) + weights.data()[e];
    float* const theirs = &distance.data()[v];
    if (!(offered < atomic_load(theirs)) || !(offered < Kokkos::atomic_fetch_min(theirs, offered))) return false;
    if (offered < bucket_end) return joined_already.set(v);
    waiting.set(v);
    return false;
  }
};

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
/// \throws ArgumentError when the root is outside the graph, or delta is negative or not a number
///
/// Cost: the edges of a vertex once for each sweep in which its distance shrank, a pass over a bitmap for each bucket,
/// and one host synchronisation a sweep. edges_relaxed over the edges reached says how much was done twice.
template <class Space, class Vertex, class Memory>
SsspStatistics sssp(const Space& space, SsspScratch<Vertex, Memory>& scratch, Vertex root,
                    Kokkos::View<float*, Memory>& distance, const SsspOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::sssp");
  check_root(root, scratch.graph.num_vertices());
  if (!(options.delta >= 0)) {
    throw ArgumentError("sssp: delta is " + std::to_string(options.delta) +
                        "; it must be above 0, or 0 for the mean weight");
  }
  float delta = options.delta > 0 ? options.delta : static_cast<float>(scratch.mean_weight);
  if (!(delta > 0)) delta = 1;  // all weights are 0
  detail::ensure_size(distance, static_cast<std::size_t>(scratch.graph.num_vertices()), "dromos::sssp::distance");
  fence(space, "dromos::sssp::start");

  const Kokkos::Timer timer;
  SsspStatistics statistics;
  const auto view = scratch.graph.view();
  Kokkos::deep_copy(space, distance, no_distance);
  clear(space, scratch.waiting);
  const auto waiting = scratch.waiting;
  const auto distances = distance;
  Kokkos::parallel_for(
      "dromos::sssp::root", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(const int) {
        distances(root) = 0;
        waiting.set(root);
      });
  detail::RelaxEdges<Vertex, Memory> relax{distance, scratch.graph.weights, scratch.joined, waiting, 0};
  for (float from = 0; from < no_distance;
       from = detail::smallest_waiting(space, waiting, distance, relax.bucket_end)) {
    const ScopedRegion bucket_region("dromos::sssp::bucket");
    // Where delta is lost in rounding, a bucket holds what lies at its beginning.
    relax.bucket_end = dromos::max(from + delta, std::nextafter(from, no_distance));
    const auto queue = scratch.frontier.queue();
    const std::int64_t size = detail::take_bucket(space, waiting, distance, from, relax.bucket_end, Vertex(0), queue);
    scratch.frontier.set_counts(size, detail::count_edges(space, view, queue, size));
    ++statistics.num_buckets;
    while (!scratch.frontier.empty()) {
      traverse(space, view, scratch.frontier, scratch.next, relax, options.strategy);
      detail::clear_members(space, scratch.joined, scratch.next);
      std::swap(scratch.frontier, scratch.next);
      statistics.edges_relaxed += scratch.next.num_edges();
      ++statistics.num_sweeps;
    }
  }
  Kokkos::parallel_reduce(
      "dromos::sssp::reached",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, distance.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v, std::int64_t& sum) { sum += distances(v) < no_distance; },
      statistics.num_reached);
  Kokkos::parallel_reduce(
      "dromos::sssp::largest_distance",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, distance.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v, float& most) {
        if (distances(v) < no_distance) most = dromos::max(most, distances(v));
      },
      Kokkos::Max<float>(statistics.largest_distance));
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/sssp.cpp.
extern template SsspStatistics sssp(const Kokkos::DefaultExecutionSpace&,
                                    SsspScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    std::int32_t, Kokkos::View<float*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const SsspOptions&);
extern template SsspStatistics sssp(const Kokkos::DefaultExecutionSpace&,
                                    SsspScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    std::int64_t, Kokkos::View<float*, Kokkos::DefaultExecutionSpace::memory_space>&,
                                    const SsspOptions&);

}  // namespace dromos
