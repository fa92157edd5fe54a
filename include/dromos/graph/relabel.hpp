// SPDX-License-Identifier: BSD-3-Clause
// Renumbers vertices by descending degree, so that the vertices that are visited most often lie together: the visited
// bits and the parents of the hubs then share a few cache lines, and sorted adjacencies list likely parents first.
//
//   degrees 1 3 2    new_id = 2 0 1    (old 1 becomes 0, old 2 becomes 1, old 0 becomes 2)
//                    old_id = 1 2 0
//
// Results of a search on the renumbered graph are carried back by map_back_*().
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>

namespace dromos {

/// A renumbered graph and the two directions of the renumbering, both of num_vertices elements.
template <class Vertex, class Memory>
struct RelabeledGraph {
  CsrGraph<Vertex, Memory> graph;
  Kokkos::View<Vertex*, Memory> new_id;  ///< by old id
  Kokkos::View<Vertex*, Memory> old_id;  ///< by new id
};

/// Renumbers by descending degree, equal degrees by ascending id. Rows of the result are sorted.
///
/// Cost: a sort of the vertices, and building the graph once more.
template <class Space, class Vertex, class Memory>
RelabeledGraph<Vertex, Memory> relabel_by_degree(const Space& space, const CsrGraph<Vertex, Memory>& from) {
  const ScopedRegion region("dromos::relabel_by_degree");
  const std::int64_t n = from.num_vertices();
  RelabeledGraph<Vertex, Memory> result;
  const auto allocate = [](const std::string& label) { return Kokkos::view_alloc(Kokkos::WithoutInitializing, label); };
  result.new_id = Kokkos::View<Vertex*, Memory>(allocate("dromos::relabel::new_id"), n);
  result.old_id = Kokkos::View<Vertex*, Memory>(allocate("dromos::relabel::old_id"), n);

  // The order is found on the host, by a stable sort: the same graph gives the same numbers on every backend.
  const auto host_rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), from.row_map);
  const auto host_old = Kokkos::create_mirror_view(result.old_id);
  for (std::int64_t v = 0; v < n; ++v) host_old(v) = static_cast<Vertex>(v);
  std::stable_sort(host_old.data(), host_old.data() + n, [&](Vertex a, Vertex b) {
    return host_rows(a + 1) - host_rows(a) > host_rows(b + 1) - host_rows(b);
  });
  Kokkos::deep_copy(result.old_id, host_old);

  const auto old_id = result.old_id;
  const auto new_id = result.new_id;
  Kokkos::parallel_for(
      "dromos::relabel::new_id", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t v) { new_id(old_id(v)) = static_cast<Vertex>(v); });
  fence(space, "dromos::relabel::new_id");
  result.graph.directed = from.directed;
  detail::build_rows(space, n, detail::RenamedArcs<Vertex, Memory>{from.view(), new_id},
                     Kokkos::View<const float*, Memory>(from.weights), {}, result.graph);
  return result;
}

/// out[old id of v] = values[v], for one value per vertex (levels, component sizes). `out` has num_vertices elements.
template <class Space, class Vertex, class Memory, class T>
DROMOS_OF_EACH_SOURCE void map_back_values(const Space& space, const RelabeledGraph<Vertex, Memory>& relabeled,
                                           const Kokkos::View<const T*, Memory>& values,
                                           const Kokkos::View<T*, Memory>& out) {
  const auto old_id = relabeled.old_id;
  Kokkos::parallel_for(
      "dromos::relabel::map_back_values",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, old_id.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v) { out(old_id(v)) = values(v); });
}

/// The same for values that are vertices themselves (parents, component labels); no_vertex stays no_vertex.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void map_back_vertices(const Space& space, const RelabeledGraph<Vertex, Memory>& relabeled,
                                             const Kokkos::View<const Vertex*, Memory>& values,
                                             const Kokkos::View<Vertex*, Memory>& out) {
  const auto old_id = relabeled.old_id;
  Kokkos::parallel_for(
      "dromos::relabel::map_back_vertices",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, old_id.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v) {
        const Vertex value = values(v);
        out(old_id(v)) = value == no_vertex<Vertex> ? value : old_id(value);
      });
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RelabeledGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> relabel_by_degree(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RelabeledGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> relabel_by_degree(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
