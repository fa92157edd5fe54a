// SPDX-License-Identifier: BSD-3-Clause
// Single-source shortest paths in a graph that is distributed by vertices, by delta-stepping: Graph500's kernel 3.
//
// Buckets are those of the node level (algorithms/sssp.hpp), and the same on all ranks. Edges shorter than delta are
// light, the others heavy. Inside a bucket only light edges are followed, sweep by sweep, until no rank's distances
// shrink any more; then the heavy edges of all that the bucket settled, once, for they lead beyond it.
//
// An edge to another rank's vertex is an offer: a distance and the vertex that it came over, 12 bytes on the wire with
// the receiver's number. Each rank remembers the best that it has offered to every vertex, so that an offer travels
// only if it beats all that this rank ever made, and only the best of a sweep:
//
//   rank 0 reaches vertex 5 of rank 1 with 2.5 over 4, then with 2.0 over 6     one offer: 5, 2.0, 6
//   in a later sweep with 2.2 over 8                                         none
//
// Distances are bit for bit those of the node level, for any number of ranks. Parents form a tree of edges that realise
// the distances: distributed/by_vertices/sssp_1d_steps.hpp says why they cannot form a cycle, even where edges have no
// length.
//
// Source: U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 2003; on many
// ranks V. Chakaravarthy et al., "Scalable single source shortest path algorithms for massively parallel systems",
// IPDPS 2014, without its pruning by direction.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/distance_buckets.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/traverse/strategy.hpp>
#include <memory>

namespace dromos {

struct Sssp1dOptions {
  /// Width of a bucket. Small: few edges are looked at twice, but every bucket takes messages. 0: eight times the mean
  /// weight over the mean degree, so that a bucket finds a few light edges of each of its vertices.
  float delta = 0;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
};

/// Of one rank, or of all together: total_statistics().
struct Sssp1dStatistics {
  std::int64_t num_reached = 0;  ///< own vertices
  Offset arcs_reached = 0;       ///< edges out of those, as the graph stores them
  Offset edges_relaxed = 0;      ///< edges visited in all sweeps
  std::int64_t offers_sent = 0;  ///< to other ranks
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  std::int64_t num_sweeps = 0;   ///< the same on every rank, those over heavy edges included
  std::int64_t num_buckets = 0;  ///< the same on every rank
  double seconds = 0;
  double communication_seconds = 0;  ///< of those, inside communication, waiting included
};

/// Sums over all ranks; times are those of the slowest. Collective, outside of what is timed.
Sssp1dStatistics total_statistics(const Communicator& communicator, const Sssp1dStatistics& own);

/// Of the own vertices of a rank, by local number.
template <class Vertex, class Memory>
struct SsspTree {
  Kokkos::View<float*, Memory> distance;  ///< no_distance (infinity) where not reached
  Kokkos::View<Vertex*, Memory> parent;   ///< global id; the root is its own, no_vertex where not reached
};

namespace detail {
template <class Space, class Vertex>
struct Sssp1dState;
}

/// Searches a distributed graph with weights; made once per graph, used for any number of roots. Every rank makes one
/// and calls the same functions.
template <class Space, class Vertex>
class Sssp1d {
 public:
  using Memory = typename Space::memory_space;

  /// Looks at the weights, moves the light edges of each row to its front, and allocates what a search works in.
  /// Collective.
  ///
  /// \param communicator, graph  outlive this object; the graph's edges are reordered inside their rows
  /// \throws ArgumentError on every rank when the graph has no weights, or a weight is negative or not a number, or
  /// delta
  ///         is negative or not a number
  /// Memory of a rank: 8 bytes and a bit for each vertex of the whole graph, up to twice that where a block of ids is
  /// larger than what a rank owns; 12 bytes an edge to other ranks, at most one offer a vertex; 24 to 36 bytes a vertex
  /// of its own.
  Sssp1d(const Communicator& communicator, const Space& space, Graph1d<Vertex, Memory>& graph,
         const Sssp1dOptions& options = {});
  ~Sssp1d();

  /// Searches from `root`, a global id. Collective.
  /// \returns statistics of this rank
  /// \throws ArgumentError on every rank when the root is outside the graph
  ///
  /// Cost: the edges of a vertex as often as its distance shrinks, heavy ones once; an all-to-all of counts, one of
  /// offers and a reduction a sweep; a reduction and two passes over bitmaps a bucket.
  Sssp1dStatistics search(Vertex root);

  /// Of the last search.
  const SsspTree<Vertex, Memory>& result() const;
  /// The width of a bucket.
  float delta() const;

 private:
  std::unique_ptr<detail::Sssp1dState<Space, Vertex>> state_;
};

// Compiled once in the library for the default execution space and both widths of ids.
extern template class Sssp1d<Kokkos::DefaultExecutionSpace, std::int32_t>;
extern template class Sssp1d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
