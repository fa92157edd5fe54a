// SPDX-License-Identifier: BSD-3-Clause
// Levels of a graph without cycles: the number of edges on the longest path that ends at each vertex. Vertices of one
// level have no edge between them, so that what has to follow the edges can do a level at a time.
//
//   0 -> 1 -> 2, 0 -> 2, 3     levels 0 1 2 0
//
// Every vertex counts the edges into it. A sweep over the edges of one level takes those away, and who loses the last
// is of the next level; small levels are swept several in one launch.
//
// Source: A. B. Kahn, "Topological sorting of large networks", Communications of the ACM 1962, level by level; in
// parallel and for triangular solves: E. Anderson, Y. Saad, "Solving sparse triangular linear systems on parallel
// computers", 1989.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/chosen_vertices.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <string>
#include <type_traits>

namespace dromos {

struct TopologicalOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
};

struct TopologicalStatistics {
  std::int64_t num_levels = 0;  ///< the largest level and one; 0 for a graph without vertices
  double seconds = 0;
};

namespace detail {

template <class Vertex, class Memory>
struct CountEdgesInto {
  Kokkos::View<Vertex*, Memory> count;
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    atomic_fetch_add(&count.data()[v], Vertex(1));
    return false;
  }
};

/// v loses an edge; who takes the last one, exactly once, gives v the next level.
template <class Vertex, class Memory>
struct LoseEdgeInto {
  Kokkos::View<Vertex*, Memory> count;
  Kokkos::View<Level*, Memory> level;
  Level next_level;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    return atomic_fetch_add(&count.data()[v], Vertex(-1)) == 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex, Vertex v) const { level.data()[v] = next_level; }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }
};

template <class Vertex, class Memory>
struct NothingInto {
  Kokkos::View<const Vertex*, Memory> count;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return count(v) == 0; }
};

/// Counts the vertices that have no level, and finds the largest there is.
template <class Space, class Memory>
std::int64_t count_without_level(const Space& space, const Kokkos::View<Level*, Memory>& level, Level& largest) {
  const std::int64_t num_without =
      count_equal("dromos::topological_levels::without", space, level, level.extent(0), no_level);
  largest = largest_value("dromos::topological_levels::largest", space, level);
  fence(space, "dromos::topological_levels::largest");
  return num_without;
}

template <class Vertex, class Memory>
struct BeginLevels {
  Kokkos::View<const Vertex*, Memory> count;
  Kokkos::View<Level*, Memory> levels;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { levels(v) = count(v) == 0 ? Level(0) : Level(no_level); }
};

}  // namespace detail

/// Finds the level of every vertex.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    a CsrGraph, or any graph view (graph/graph_view.hpp), directed and without cycles, such as
///                 Condensation::graph. Parallel edges are welcome
/// \param level    out: by vertex; sized on first use
/// \param options  strategy
/// \throws ArgumentError for an undirected graph with edges, and for one with a cycle; `level` is then -1 for the
///         vertices on cycles and behind them
///
/// Cost: the edges twice, and a launch for each level whose edges are many. Memory of the call: about 3 ids a vertex.
template <class Space, class Graph, class Memory>
TopologicalStatistics topological_levels(const Space& space, const Graph& graph, Kokkos::View<Level*, Memory>& level,
                                         const TopologicalOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const auto view = view_of(graph);
  using Vertex = vertex_type_of<std::decay_t<decltype(view)>>;
  const ScopedRegion region("dromos::topological_levels");
  const std::int64_t n = view.num_vertices();
  if (!is_directed(graph) && view.num_edges() > 0) {
    throw ArgumentError("topological_levels: the edges of this graph have no direction, so that each is a cycle");
  }
  detail::ensure_size(level, static_cast<std::size_t>(n), "dromos::topological_levels::level");
  TopologicalStatistics statistics;
  if (n == 0) return statistics;
  fence(space, "dromos::topological_levels::start");

  const Kokkos::Timer timer;
  const Kokkos::View<Vertex*, Memory> count("dromos::topological_levels::count", static_cast<std::size_t>(n));
  Frontier<Vertex, Memory> frontier(n, view.num_edges()), next(n, view.num_edges());
  SweepFusion<Memory> fusion;
  traverse_all(space, view, detail::CountEdgesInto<Vertex, Memory>{count}, options.strategy);
  detail::start_with(space, view, frontier, detail::NothingInto<Vertex, Memory>{count});
  for_range("dromos::topological_levels::begin", space, n, detail::BeginLevels<Vertex, Memory>{count, level});
  detail::LoseEdgeInto<Vertex, Memory> lose_edge{count, level, 1};
  until_empty(space, view, frontier, next, lose_edge, options.strategy, &fusion);
  Level largest = 0;
  const std::int64_t num_without = detail::count_without_level(space, level, largest);
  statistics.seconds = timer.seconds();
  if (num_without > 0) {
    throw ArgumentError("topological_levels: " + std::to_string(num_without) + " of " + std::to_string(n) +
                        " vertices are on a cycle or behind one; take the condensation() of the graph, or leave out "
                        "its feedback_edges()");
  }
  statistics.num_levels = std::int64_t(largest) + 1;
  return statistics;
}

// Compiled once, in src/algorithms/topological_levels.cpp.
extern template TopologicalStatistics topological_levels(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<Level*, Kokkos::DefaultExecutionSpace::memory_space>&, const TopologicalOptions&);
extern template TopologicalStatistics topological_levels(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<Level*, Kokkos::DefaultExecutionSpace::memory_space>&, const TopologicalOptions&);

}  // namespace dromos
