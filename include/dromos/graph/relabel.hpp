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
#include <cstdint>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <string>

namespace dromos {

/// A renumbered graph and the two directions of the renumbering, both of num_vertices elements.
template <class Vertex, class Memory>
struct RelabeledGraph {
  CsrGraph<Vertex, Memory> graph;
  Kokkos::View<Vertex*, Memory> new_id;  ///< by old id
  Kokkos::View<Vertex*, Memory> old_id;  ///< by new id
};

namespace detail {

/// Keys that ascend where degrees descend: with the id below, or alone, the ids beside them.
template <class Vertex, class Memory>
struct WriteDegreeKeys {
  CsrView<Vertex, Memory> graph;
  Offset largest;
  int id_bits;  ///< 0: ids are beside the keys
  Kokkos::View<std::uint64_t*, Memory> keys;
  Kokkos::View<Vertex*, Memory> ids;

  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    const auto behind = static_cast<std::uint64_t>(largest - graph.degree(static_cast<Vertex>(u)));
    keys(u) = id_bits == 0 ? behind : behind << id_bits | static_cast<std::uint64_t>(u);
    if (id_bits == 0) ids(u) = static_cast<Vertex>(u);
  }
};

template <class Vertex, class Memory>
struct ReadIds {
  Kokkos::View<const std::uint64_t*, Memory> keys;
  int id_bits;
  Kokkos::View<Vertex*, Memory> ids;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    ids(i) = static_cast<Vertex>(keys(i) & ((std::uint64_t(1) << id_bits) - 1));
  }
};

/// The vertices by descending degree, equal degrees by ascending id: the same on every backend. Waits. Memory: 16 bytes
/// a vertex, on a host 8.
///
/// \param order     out, num_vertices elements
/// \param key_bits  degree and id share a key where they need no more bits than that; else ids are sorted beside keys,
///                  which takes their memory twice more
template <class Space, class Vertex, class Memory>
void order_by_degree(const Space& space, const CsrView<Vertex, Memory>& graph,
                     const Kokkos::View<Vertex*, Memory>& order, int key_bits = 64) {
  const std::int64_t n = graph.num_vertices();
  if (n == 0) return;
  const auto bits_for = [](std::int64_t largest) {
    int bits = 1;
    while (bits < 63 && largest >> bits != 0) ++bits;
    return bits;
  };
  const Offset largest = longest_row(space, graph);
  const int degree_bits = bits_for(largest);
  const int id_bits = degree_bits + bits_for(n - 1) <= key_bits ? bits_for(n - 1) : 0;
  const auto keys_of = [&](bool wanted) {
    return Kokkos::View<std::uint64_t*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::relabel::keys")), wanted ? n : 0);
  };
  SortBuffers<std::uint64_t, Memory> keys{keys_of(true), keys_of(!host_accessible<Memory>)};
  SortBuffers<Vertex, Memory> ids;
  if (id_bits == 0) {
    ids.current = order;
    ids.spare = Kokkos::View<Vertex*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::relabel::ids")), n);
  }
  for_range("dromos::relabel::keys", space, n,
            WriteDegreeKeys<Vertex, Memory>{graph, largest, id_bits, keys.current, ids.current});
  sort_by_key(space, keys, ids, degree_bits + id_bits);
  if (id_bits != 0) {
    for_range("dromos::relabel::order", space, n, ReadIds<Vertex, Memory>{keys.current, id_bits, order});
  } else if (ids.current.data() != order.data()) {
    Kokkos::deep_copy(space, order, ids.current);
  }
  fence(space, "dromos::relabel::order");
}

}  // namespace detail

/// Renumbers by descending degree, equal degrees by ascending id. Rows of the result are sorted.
///
/// Cost: a sort of the vertices where they are, and building the graph once more.
template <class Space, class Vertex, class Memory>
RelabeledGraph<Vertex, Memory> relabel_by_degree(const Space& space, const CsrGraph<Vertex, Memory>& from) {
  const ScopedRegion region("dromos::relabel_by_degree");
  const std::int64_t n = from.num_vertices();
  RelabeledGraph<Vertex, Memory> result;
  const auto allocate = [](const std::string& label) { return Kokkos::view_alloc(Kokkos::WithoutInitializing, label); };
  result.new_id = Kokkos::View<Vertex*, Memory>(allocate("dromos::relabel::new_id"), n);
  result.old_id = Kokkos::View<Vertex*, Memory>(allocate("dromos::relabel::old_id"), n);

  detail::order_by_degree(space, from.view(), result.old_id);
  detail::number_listed("dromos::relabel::new_id", space, result.old_id, n, result.new_id);
  fence(space, "dromos::relabel::new_id");
  result.graph.directed = from.directed;
  detail::build_rows(space, n, detail::RenamedArcs<Vertex, Memory>{from.view(), result.new_id},
                     Kokkos::View<const float*, Memory>(from.weights), {}, result.graph);
  return result;
}

namespace detail {

template <class Vertex, class Memory, class T>
struct MapBackValues {
  Kokkos::View<const Vertex*, Memory> old_id;
  Kokkos::View<const T*, Memory> values;
  Kokkos::View<T*, Memory> out;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { out(old_id(v)) = values(v); }
};

template <class Vertex, class Memory>
struct MapBackVertices {
  Kokkos::View<const Vertex*, Memory> old_id;
  Kokkos::View<const Vertex*, Memory> values;
  Kokkos::View<Vertex*, Memory> out;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex value = values(v);
    out(old_id(v)) = value == no_vertex<Vertex> ? value : old_id(value);
  }
};

}  // namespace detail

/// out[old id of v] = values[v], for one value per vertex (levels, component sizes). `out` has num_vertices elements.
template <class Space, class Vertex, class Memory, class T>
void map_back_values(const Space& space, const RelabeledGraph<Vertex, Memory>& relabeled,
                     const Kokkos::View<const T*, Memory>& values, const Kokkos::View<T*, Memory>& out) {
  for_range("dromos::relabel::map_back_values", space, relabeled.old_id.extent(0),
            detail::MapBackValues<Vertex, Memory, T>{relabeled.old_id, values, out});
}

/// The same for values that are vertices themselves (parents, component labels); no_vertex stays no_vertex.
template <class Space, class Vertex, class Memory>
void map_back_vertices(const Space& space, const RelabeledGraph<Vertex, Memory>& relabeled,
                       const Kokkos::View<const Vertex*, Memory>& values, const Kokkos::View<Vertex*, Memory>& out) {
  for_range("dromos::relabel::map_back_vertices", space, relabeled.old_id.extent(0),
            detail::MapBackVertices<Vertex, Memory>{relabeled.old_id, values, out});
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RelabeledGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> relabel_by_degree(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RelabeledGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> relabel_by_degree(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
