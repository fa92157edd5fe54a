// SPDX-License-Identifier: BSD-3-Clause
// From distances to a tree: every vertex that was reached gets a parent over which its distance comes about.
//
// An edge (u, v) is tight where distance(u) + weight = distance(v). A vertex takes the largest number of those with a
// tight edge to it and a smaller distance than its own; since distances shrink on the way up, nothing goes round in
// circles. Where all tight edges come from vertices of the same distance (weights of nothing, or such as are lost in
// rounding), parents are handed on, sweep by sweep, from vertices that have one to those that have none.
//
//   0 -1- 1 -0- 2 -0- 3     distances 0 1 1 1     parents 0 0, then 1 of 2, then 2 of 3
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>

namespace dromos {

namespace detail {

/// v takes the largest number at the other end of a tight edge from nearer the root.
template <class Vertex, class Global, class Distance, class Memory, class Vertices>
struct TakeNearerParent {
  using Value = Global;
  static constexpr bool adds = false;
  Kokkos::View<const Distance*, Memory> distance;
  Kokkos::View<const float*, Memory> weights;
  Kokkos::View<Global*, Memory> parent;
  Vertices vertices;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    offer(u, v, e);
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset e) const {
    const Distance nearer = distance.data()[u];
    const Distance farther = distance.data()[v];
    return nearer < farther && nearer + static_cast<Distance>(weights.data()[e]) == farther &&
           take(v, static_cast<Global>(vertices.number(u)));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return false; }
  KOKKOS_FORCEINLINE_FUNCTION Global give(Vertex v) const { return parent.data()[v]; }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Global offered) const {
    Global* const theirs = &parent.data()[v];
    return atomic_load(theirs) < offered && atomic_fetch_max(theirs, offered) < offered;
  }
};

/// v, which has no parent, takes one at the same distance.
template <class Vertex, class Global, class Distance, class Memory, class Vertices>
struct TakeEqualParent : TakeNearerParent<Vertex, Global, Distance, Memory, Vertices> {
  static constexpr bool any_order = true;
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const { return offer(u, v, e); }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset e) const {
    const Distance here = this->distance.data()[u];
    return here == this->distance.data()[v] && here + static_cast<Distance>(this->weights.data()[e]) == here &&
           take(v, static_cast<Global>(this->vertices.number(u)));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Global offered) const {
    Global* const theirs = &this->parent.data()[v];
    const Global nobody = no_vertex<Global>;
    return atomic_load(theirs) == nobody && Kokkos::atomic_compare_exchange(theirs, nobody, offered) == nobody;
  }
};

/// Counts those who were reached and have no parent, and lists those who have one.
template <class Vertex, class Global, class Memory>
struct ListParents {
  Kokkos::View<const Global*, Memory> parent;
  Kokkos::View<Vertex*, Memory> list;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum, bool final) const {
    if (parent(v) == Global(no_vertex<Global>)) return;
    if (final) list(sum) = static_cast<Vertex>(v);
    ++sum;
  }
};
template <class Global, class Distance, class Memory>
struct CountOrphans {
  Kokkos::View<const Distance*, Memory> distance;
  Kokkos::View<const Global*, Memory> parent;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const {
    sum += distance(v) < no_distance<Distance> && parent(v) == Global(no_vertex<Global>);
  }
};

template <class Vertex, class Global, class Memory, class Vertices>
struct PlaceRootOfTree {
  Kokkos::View<Global*, Memory> parent;
  Vertices vertices;
  Vertex root;
  KOKKOS_FUNCTION void operator()(const int) const { parent(root) = static_cast<Global>(vertices.number(root)); }
};

}  // namespace detail

/// The parents of a search by sssp().
///
/// \param scratch   that of the search
/// \param root      that of the search
/// \param distance  its result. On a part, the distances of copies become those of their owners
/// \param parent    out: num_vertices elements, sized on first use; the vertex before the last on a shortest path, the
///                  root itself for the root, no_vertex where the root does not reach. Of several over which the
///                  distance comes about and that are nearer to the root, the largest number
/// \param halo      as of the search
/// Cost: every edge once; where vertices are left whose distances all come from equal ones, the edges again.
template <class Space, class Vertex, class Global, class Distance, class Memory, class AnyHalo = NoHalo>
void shortest_path_tree(const Space& space, SsspScratch<Vertex, Memory>& scratch, Vertex root,
                        const Kokkos::View<Distance*, Memory>& distance, Kokkos::View<Global*, Memory>& parent,
                        const SsspOptions& options = {}, const AnyHalo& halo = {}) {
  const ScopedRegion region("dromos::shortest_path_tree");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const auto vertices = halo.vertices();
  using Vertices = std::decay_t<decltype(vertices)>;
  const auto graph = scratch.graph.view();
  detail::ensure_size(parent, static_cast<std::size_t>(graph.num_vertices()), "dromos::sssp::parent");
  Kokkos::deep_copy(space, parent, Global(no_vertex<Global>));
  if (root != no_vertex<Vertex>) {
    Kokkos::parallel_for("dromos::sssp::root_of_tree", Kokkos::RangePolicy<Space>(space, 0, 1),
                         detail::PlaceRootOfTree<Vertex, Global, Memory, Vertices>{parent, vertices, root});
  }
  halo.spread(space, distance);
  if (halo.num_vertices(scratch.graph) == 0) return;
  const detail::TakeNearerParent<Vertex, Global, Distance, Memory, Vertices> nearer{distance, scratch.graph.weights,
                                                                                    parent, vertices};
  traverse_all(space, graph, scratch.next, nearer, options.strategy, halo);
  const Range rows(space, 0, halo.num_rows(scratch.graph));
  std::int64_t num_orphans = 0;
  Kokkos::parallel_reduce("dromos::sssp::orphans", rows,
                          detail::CountOrphans<Global, Distance, Memory>{distance, parent}, num_orphans);
  if (halo.sum(num_orphans) == 0) return;
  std::int64_t count = 0;
  Kokkos::parallel_scan("dromos::sssp::with_parents", rows,
                        detail::ListParents<Vertex, Global, Memory>{parent, scratch.frontier.queue()}, count);
  scratch.frontier.set_counts(count);
  detail::TakeEqualParent<Vertex, Global, Distance, Memory, Vertices> equal{nearer};
  until_empty(space, graph, scratch.frontier, scratch.next, equal, options.strategy, &scratch.fusion, NoWatch{}, halo);
  fence(space, "dromos::shortest_path_tree");
}

// Compiled once, in src/algorithms/sssp.cpp.
#define DROMOS_SHORTEST_PATH_TREE(DECLARE, VERTEX, DISTANCE)                                                           \
  DECLARE void shortest_path_tree(                                                                                     \
      const Kokkos::DefaultExecutionSpace&, SsspScratch<VERTEX, Kokkos::DefaultExecutionSpace::memory_space>&, VERTEX, \
      const Kokkos::View<DISTANCE*, Kokkos::DefaultExecutionSpace::memory_space>&,                                     \
      Kokkos::View<VERTEX*, Kokkos::DefaultExecutionSpace::memory_space>&, const SsspOptions&, const NoHalo&);
#define DROMOS_SHORTEST_PATH_TREE_OF_EACH_DISTANCE(DECLARE, VERTEX) \
  DROMOS_SHORTEST_PATH_TREE(DECLARE, VERTEX, std::int64_t)          \
  DROMOS_SHORTEST_PATH_TREE(DECLARE, VERTEX, double)                \
  DROMOS_SHORTEST_PATH_TREE(DECLARE, VERTEX, float)
DROMOS_SHORTEST_PATH_TREE_OF_EACH_DISTANCE(extern template, std::int32_t)
DROMOS_SHORTEST_PATH_TREE_OF_EACH_DISTANCE(extern template, std::int64_t)

}  // namespace dromos
