// SPDX-License-Identifier: BSD-3-Clause
// Reverse Cuthill-McKee: an order of the vertices in which neighbors stand close together, for solvers whose memory or
// caches want a small bandwidth.
//
// Cuthill-McKee numbers a component level by level of a breadth-first search, and inside a level by (place of the first
// parent, degree, number). A level is ordered without a serial pass, by a sweep of the loop nest
// (impl/rcm_by_sweeps.hpp), on a GPU where all rows are short without asking the device anything
// (impl/rcm_by_lists.hpp). All components are numbered at once: a level holds the vertices at that distance from the
// start of their own component, and since the children of a parent are of its component, components stay together
// inside a level.
//
// The start of a component is a vertex at its periphery: from a vertex of smallest degree, search, go on to a vertex of
// smallest degree in the last level, and again as long as searches grow deeper. Nothing depends on who wins a race: the
// same graph gives the same order on any number of threads and on every backend. On the host one thread does all of it
// where levels are small (impl/rcm_serial.hpp).
//
// Source: E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969; A. George, J. W. H. Liu,
// "An implementation of a pseudoperipheral node finder", ACM TOMS 1979; in parallel: K. I. Karantasis et al.,
// "Parallelization of reordering algorithms for bandwidth and wavefront reduction", SC 2014.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/impl/peripheral_starts.hpp>
#include <dromos/algorithms/impl/rcm_by_lists.hpp>
#include <dromos/algorithms/impl/rcm_by_sweeps.hpp>
#include <dromos/algorithms/impl/rcm_levels.hpp>
#include <dromos/algorithms/impl/rcm_serial.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/traverse/strategy.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace dromos {

struct RcmOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
  /// Searches for the start of a component at most. More rarely find a better start; 1 takes vertices of smallest
  /// degree as they are.
  int max_searches = 8;
  /// On the host: one thread does all of it, as long as no level has more edges than this; then all threads begin
  /// anew, level by level. Negative: no limit for up to 4 threads, 32,768 edges for more. 0: never alone.
  std::int64_t most_serial_edges = -1;
};

/// The order, in both directions: num_vertices elements each, sized on first use.
template <class Vertex, class Memory>
struct RcmResult {
  Kokkos::View<Vertex*, Memory> new_id;  ///< by vertex: its place
  Kokkos::View<Vertex*, Memory> old_id;  ///< by place: the vertex
};

struct RcmStatistics {
  std::int64_t num_components = 0;
  std::int64_t num_levels = 0;  ///< of the deepest component
  int num_searches = 0;         ///< for the start of the component that took most
  double seconds = 0;
};

namespace detail {

/// Of a level, as RcmOptions::most_serial_edges says.
template <class Space>
Offset most_serial_edges(const Space& space, const RcmOptions& options) {
  if (options.most_serial_edges >= 0) return options.most_serial_edges;
  return space.concurrency() <= 4 ? std::numeric_limits<Offset>::max() : Offset(1) << 15;
}

/// By one thread of the host; false where levels are too large.
template <class Space, class Graph, class Vertex, class Memory>
bool order_serially(const Space& space, const Graph& graph, const RcmResult<Vertex, Memory>& result,
                    const RcmOptions& options, RcmStatistics& statistics) {
  const Offset most_edges = most_serial_edges(space, options);
  if (most_edges == 0) return false;
  SerialRcm<typename Graph::view_type> serial(graph.view(), most_edges);
  if (!serial.number(options.max_searches)) return false;
  const auto n = static_cast<std::int64_t>(result.old_id.extent(0));
  const Vertex* const order = serial.order();
  const auto new_id = result.new_id;
  const auto old_id = result.old_id;
  Kokkos::parallel_for("dromos::rcm::reverse_serial",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
                       [=](const std::int64_t place) {
                         const Vertex v = order[n - 1 - place];
                         old_id(place) = v;
                         new_id(v) = static_cast<Vertex>(place);
                       });
  fence(space, "dromos::rcm::reverse_serial");
  statistics.num_components = serial.num_components();
  statistics.num_levels = serial.num_levels();
  statistics.num_searches = serial.num_searches();
  return true;
}

template <class Vertex, class Memory>
struct ReverseOrder {
  std::int64_t n;
  Kokkos::View<Vertex*, Memory> new_id, old_id;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex place = static_cast<Vertex>(n - 1) - new_id(v);
    new_id(v) = place;
    old_id(place) = static_cast<Vertex>(v);
  }
};

/// By all threads.
template <class Space, class Graph, class Vertex, class Memory>
void order_by_levels(const Space& space, const Graph& graph, const RcmResult<Vertex, Memory>& result,
                     const RcmOptions& options, RcmStatistics& statistics) {
  ComponentScratch<Vertex, Memory> component_scratch(in_some_direction(graph));
  ComponentResult<Vertex, Memory> components;
  ComponentOptions component_options;
  component_options.strategy = options.strategy;
  connected_components(space, in_some_direction(graph), component_scratch, components, component_options);
  const auto view = graph.view();
  using View = typename Graph::view_type;
  PeripheralStarts<Space, View> starts(space, view, components.component, options.strategy);
  statistics.num_searches = starts.search(options.max_searches);
  statistics.num_components = starts.num_starts();
  if (is_gpu<Space> && rows_are_short(space, view)) {
    ListedLevelOrder<Space, View> order(space, view, components.component);
    statistics.num_levels = order.number(starts.starts(), starts.num_starts(), starts.levels(), result.new_id);
  } else {
    LevelOrder<Space, View> order(space, view, components.component, options.strategy);
    statistics.num_levels = order.number(starts.starts(), starts.num_starts(), result.new_id);
  }
  const std::int64_t n = graph.num_vertices();
  const auto new_id = result.new_id;
  for_range("dromos::rcm::reverse", space, n, ReverseOrder<Vertex, Memory>{n, new_id, result.old_id});
}

}  // namespace detail

/// Finds the reverse Cuthill-McKee order of all components.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    an undirected CsrGraph, or the SymmetricPattern of any. Self loops and parallel edges only count
///                 as degrees
/// \param result   out: resized on first use, then reused. Components stand one after the other
/// \param options  strategy, searches for the starts
/// \throws ArgumentError for a directed graph, one of 2^32 vertices or more, and max_searches below 1
///
/// Cost: connected components, the searches for the starts, and one more pass over the edges; in all of them a few
/// launches a level. By one thread of the host (RcmOptions::most_serial_edges): the searches alone, mostly two, and one
/// more where the first was not the deepest. Memory of the call: about 14 ids a vertex; by one thread two and two
/// bytes.
template <class Space, class Graph, class Vertex, class Memory>
RcmStatistics rcm(const Space& space, const Graph& graph, RcmResult<Vertex, Memory>& result,
                  const RcmOptions& options = {}) {
  static_assert(
      std::is_same_v<typename Space::memory_space, Memory> && std::is_same_v<typename Graph::memory_space, Memory>,
      "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::rcm");
  const std::int64_t n = graph.num_vertices();
  if (graph.directed) {
    throw ArgumentError(
        "rcm: the order is that of a symmetric pattern, and this graph is directed; take its SymmetricPattern, or "
        "build it with symmetrize, for A + A^T");
  }
  if (n >= std::int64_t(1) << 32) {
    throw ArgumentError("rcm: " + std::to_string(n) + " vertices; it numbers up to 4294967295");
  }
  if (options.max_searches < 1) {
    throw ArgumentError("rcm: max_searches is " + std::to_string(options.max_searches) + "; it must be at least 1");
  }
  detail::ensure_size(result.new_id, static_cast<std::size_t>(n), "dromos::rcm::new_id");
  detail::ensure_size(result.old_id, static_cast<std::size_t>(n), "dromos::rcm::old_id");
  RcmStatistics statistics;
  if (n == 0) return statistics;
  fence(space, "dromos::rcm::start");

  const Kokkos::Timer timer;
  bool alone = false;
  if constexpr (host_accessible<Memory>) alone = detail::order_serially(space, graph, result, options, statistics);
  if (!alone) detail::order_by_levels(space, graph, result, options, statistics);
  fence(space, "dromos::rcm::end");
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/rcm.cpp.
extern template RcmStatistics rcm(const Kokkos::DefaultExecutionSpace&,
                                  const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  RcmResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const RcmOptions&);
extern template RcmStatistics rcm(const Kokkos::DefaultExecutionSpace&,
                                  const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  RcmResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const RcmOptions&);
extern template RcmStatistics rcm(const Kokkos::DefaultExecutionSpace&,
                                  const SymmetricPattern<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  RcmResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const RcmOptions&);
extern template RcmStatistics rcm(const Kokkos::DefaultExecutionSpace&,
                                  const SymmetricPattern<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  RcmResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const RcmOptions&);

}  // namespace dromos
