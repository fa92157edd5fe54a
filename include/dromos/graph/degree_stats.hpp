// SPDX-License-Identifier: BSD-3-Clause
// What the degrees of a graph look like: the first thing to know when choosing a strategy.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos {

struct DegreeStats {
  Offset min = 0;
  Offset max = 0;
  double mean = 0;
  std::int64_t num_isolated = 0;  ///< vertices without an out-edge
  /// histogram[0]: degree 0; histogram[k]: degrees from 2^(k-1) to 2^k - 1.
  std::array<std::int64_t, 64> histogram{};
};

namespace detail {

template <class Graph>
struct FindLongestRow {
  Graph graph;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& most) const {
    most = dromos::max(most, graph.degree(static_cast<typename Graph::vertex_type>(v)));
  }
};

/// The largest degree; 0 where there are no vertices. Waits.
template <class Space, class Graph>
Offset longest_row(const Space& space, const Graph& graph) {
  return dromos::max<Offset>(0, reduce_range_by<Kokkos::Max<Offset>>("dromos::longest_row", space, graph.num_vertices(),
                                                                     FindLongestRow<Graph>{graph}));
}

template <class Graph>
struct CountRowsWithEdges {
  Graph graph;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& count) const {
    count += graph.degree(static_cast<typename Graph::vertex_type>(v)) > 0;
  }
};

/// How many vertices have an edge. Waits.
template <class Space, class Graph>
std::int64_t count_rows_with_edges(const Space& space, const Graph& graph) {
  std::int64_t count = 0;
  reduce_range("dromos::count_rows_with_edges", space, graph.num_vertices(), CountRowsWithEdges<Graph>{graph}, count);
  return count;
}

/// The number of the histogram bin of a degree.
KOKKOS_INLINE_FUNCTION int degree_bin(Offset degree) {
  int bin = 0;
  for (; degree > 0; degree >>= 1) ++bin;
  return bin;
}

/// Every vertex counts, with the degree that its row says.
struct DegreesOfRows {
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool counts(Vertex) const {
    return true;
  }
  template <class Graph, class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(const Graph& graph, Vertex v) const {
    return graph.degree(v);
  }
};

template <class Graph, class Vertices>
struct FindDegreeRange {
  using value_type = Kokkos::MinMaxScalar<Offset>;
  Graph graph;
  Vertices vertices;
  KOKKOS_FUNCTION void operator()(std::int64_t i, value_type& range) const {
    const auto v = static_cast<typename Graph::vertex_type>(i);
    if (!vertices.counts(v)) return;
    const Offset degree = vertices.degree(graph, v);
    range.min_val = dromos::min(range.min_val, degree);
    range.max_val = dromos::max(range.max_val, degree);
  }
};

template <class Graph, class Vertices, class Memory>
struct CountDegrees {
  Graph graph;
  Vertices vertices;
  Kokkos::View<std::int64_t*, Memory> histogram;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const auto v = static_cast<typename Graph::vertex_type>(i);
    if (vertices.counts(v)) atomic_fetch_add(&histogram(degree_bin(vertices.degree(graph, v))), std::int64_t(1));
  }
};

}  // namespace detail

/// Out-degrees of the vertices that count on this rank, among the first num_rows of its part of a graph; the mean is
/// left at 0. Where none counts, min is the largest number there is and max the smallest.
///
/// \param vertices  of a halo (traverse/no_halo.hpp)
template <class Space, class Vertex, class Memory, class Vertices>
DegreeStats degree_stats_of_part(const Space& space, const CsrGraph<Vertex, Memory>& graph, std::int64_t num_rows,
                                 const Vertices& vertices) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using View = CsrView<Vertex, Memory>;
  DegreeStats stats;
  Kokkos::MinMaxScalar<Offset> range{};
  Kokkos::parallel_reduce("dromos::degree_stats::range", Range(space, 0, num_rows),
                          detail::FindDegreeRange<View, Vertices>{graph.view(), vertices},
                          Kokkos::MinMax<Offset>(range));
  stats.min = range.min_val;
  stats.max = range.max_val;
  const Kokkos::View<std::int64_t*, Memory> histogram("dromos::degree_stats::histogram", stats.histogram.size());
  Kokkos::parallel_for("dromos::degree_stats::histogram", Range(space, 0, num_rows),
                       detail::CountDegrees<View, Vertices, Memory>{graph.view(), vertices, histogram});
  fence(space, "dromos::degree_stats");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), histogram);
  for (std::size_t bin = 0; bin < stats.histogram.size(); ++bin) stats.histogram[bin] = host(bin);
  stats.num_isolated = stats.histogram[0];
  return stats;
}

/// Out-degrees of all vertices. Cost: two passes over the row map.
template <class Space, class Vertex, class Memory>
DegreeStats degree_stats(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  const std::int64_t n = graph.num_vertices();
  if (n == 0) return {};
  DegreeStats stats = degree_stats_of_part(space, graph, n, detail::DegreesOfRows());
  stats.mean = static_cast<double>(graph.num_edges()) / static_cast<double>(n);
  return stats;
}

}  // namespace dromos
