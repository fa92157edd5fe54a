// SPDX-License-Identifier: BSD-3-Clause
// What the degrees of a graph look like: the first thing to know when choosing a strategy.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <dromos/core/kokkos_compat.hpp>
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

/// The number of the histogram bin of a degree.
KOKKOS_INLINE_FUNCTION int degree_bin(Offset degree) {
  int bin = 0;
  for (; degree > 0; degree >>= 1) ++bin;
  return bin;
}

}  // namespace detail

/// Out-degrees of all vertices. Cost: one pass over the row map.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE DegreeStats degree_stats(const Space& space, const CsrGraph<Vertex, Memory>& graph) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  DegreeStats stats;
  const std::int64_t n = graph.num_vertices();
  if (n == 0) return stats;
  const auto view = graph.view();
  Kokkos::parallel_reduce(
      "dromos::degree_stats::max", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t u, Offset& most) {
        most = dromos::max(most, view.degree(static_cast<Vertex>(u)));
      },
      Kokkos::Max<Offset>(stats.max));
  Kokkos::parallel_reduce(
      "dromos::degree_stats::min", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t u, Offset& least) {
        least = dromos::min(least, view.degree(static_cast<Vertex>(u)));
      },
      Kokkos::Min<Offset>(stats.min));
  Kokkos::View<std::int64_t[64], Memory> histogram("dromos::degree_stats::histogram");
  Kokkos::parallel_for(
      "dromos::degree_stats::histogram", Range(space, 0, n), KOKKOS_LAMBDA(const std::int64_t u) {
        atomic_fetch_add(&histogram(detail::degree_bin(view.degree(static_cast<Vertex>(u)))), std::int64_t(1));
      });
  fence(space, "dromos::degree_stats");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), histogram);
  for (int bin = 0; bin < 64; ++bin) stats.histogram[bin] = host(bin);
  stats.num_isolated = stats.histogram[0];
  stats.mean = static_cast<double>(graph.num_edges()) / static_cast<double>(n);
  return stats;
}

}  // namespace dromos
