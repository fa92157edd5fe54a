// SPDX-License-Identifier: BSD-3-Clause
// Cuthill and McKee's order by a sweep of the loop nest for every level, whatever the graph.
//
//   sweep     every edge (u, v) into the next level offers v the index of u in its level; the smallest offer wins
//   count     children of each parent, then a scan: where the children of each parent begin
//   scatter   children to their parent's part, and each part is sorted by (degree, number)
//
//   level A B, edges A-x A-y B-y B-z, degrees x 3, y 2, z 1     parents x A, y A, z B     next level y x | z
//
// Parts are short but for hubs; where one is long the whole level is sorted by keys instead.
//
// Source: as rcm.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/rcm_levels.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/traverse.hpp>
#include <string>
#include <utility>

namespace dromos::detail {

/// Offers v its parent by the parent's index in its level. A vertex that has its place has parent -1, so that it takes
/// no offer; the first of all offers makes v join the next level.
template <class Vertex, class Memory>
struct OfferParent {
  Kokkos::View<Vertex*, Memory> parent, index;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset) const {
    return atomic_load(&parent.data()[v]) > index.data()[u];
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return atomic_fetch_min(&parent.data()[v], index.data()[u]) == no_parent<Vertex>;
  }
};

template <class Vertex, class Memory>
struct ClearChildren {
  Kokkos::View<Vertex*, Memory> filled;
  Kokkos::View<int*, Memory> long_part;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    filled(p) = 0;
    if (p == 0) long_part(0) = 0;
  }
};

template <class Vertex, class Memory>
struct CountChildren {
  Kokkos::View<const Vertex*, Memory> queue, parent;
  Kokkos::View<Vertex*, Memory> filled;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { atomic_fetch_add(&filled(parent(queue(i))), Vertex(1)); }
};

template <class Vertex, class Memory>
struct ScanParts {
  Kokkos::View<Vertex*, Memory> begin, filled;
  Kokkos::View<int*, Memory> long_part;
  KOKKOS_FUNCTION void operator()(std::int64_t p, Vertex& sum, bool final) const {
    const Vertex children = filled(p);
    if (final) {
      begin(p) = sum;
      filled(p) = sum;
      if (children > longest_part) atomic_store(&long_part(0), 1);
    }
    sum += children;
  }
};

template <class Vertex, class Memory>
struct WriteRankKeys {
  Kokkos::View<const Vertex*, Memory> queue, parent, rank;
  int bits;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = queue(i);
    key(i) = static_cast<std::uint64_t>(parent(v)) << bits | static_cast<std::uint64_t>(rank(v));
  }
};

template <class Vertex, class Memory>
struct ReadRankKeys {
  Kokkos::View<const std::uint64_t*, Memory> sorted;
  std::uint64_t mask;
  Kokkos::View<const Vertex*, Memory> by_rank;
  Kokkos::View<Vertex*, Memory> level;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { level(i) = by_rank(sorted(i) & mask); }
};

template <class Graph, class Memory>
struct WriteRcmDegreeKeys {
  Graph graph;
  int bits;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    key(v) =
        degree_key(graph.degree(static_cast<typename Graph::vertex_type>(v))) << bits | static_cast<std::uint64_t>(v);
  }
};

template <class Vertex, class Memory>
struct WriteRanks {
  Kokkos::View<const std::uint64_t*, Memory> sorted;
  std::uint64_t mask;
  Kokkos::View<Vertex*, Memory> rank, by_rank;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = static_cast<Vertex>(sorted(i) & mask);
    by_rank(i) = v;
    rank(v) = static_cast<Vertex>(i);
  }
};

/// Numbers all components level by level; memory of one call.
template <class Space, class Graph>
class LevelOrder : public LevelPlaces<Space, Graph> {
 public:
  using Base = LevelPlaces<Space, Graph>;
  using typename Base::Ids;
  using typename Base::Memory;
  using typename Base::Range;
  using typename Base::Vertex;

  LevelOrder(const Space& space, const Graph& graph, const Ids& component, const Strategy& strategy)
      : Base(space, graph, component),
        strategy_(strategy),
        next_(graph.num_vertices(), graph.num_edges()),
        long_part_("dromos::rcm::long_part", 1) {}

  /// \param starts  queue of the vertices that the components start from, ascending by component
  /// \param place   out: where the vertices stand, not yet reversed
  /// \returns the number of levels
  std::int64_t number(const Ids& starts, std::int64_t num_starts, const Ids& place) {
    std::int64_t num_placed = 0, num_levels = 0;
    this->settle_starts(starts, num_starts, sum_of_degrees(this->space_, this->graph_, starts, num_starts), place);
    while (true) {
      num_placed += this->frontier_.num_vertices();
      ++num_levels;
      const std::int64_t num_parents = this->frontier_.num_vertices();
      traverse(this->space_, this->graph_, this->frontier_, next_,
               OfferParent<Vertex, Memory>{this->parent_, this->index_}, strategy_);
      if (next_.empty()) return num_levels;
      order(num_parents);
      this->settle(next_.num_vertices(), next_.num_edges(), num_placed, place);
    }
  }

  /// level_: the vertices of next_, by (parent, degree, number).
  void order(std::int64_t num_parents) {
    const auto filled = this->filled_;
    const auto long_part = long_part_;
    const std::int64_t count = next_.num_vertices();
    for_range("dromos::rcm::no_children", this->space_, num_parents + 1,
              ClearChildren<Vertex, Memory>{filled, long_part});
    const auto queue = next_.queue();
    for_range("dromos::rcm::count_children", this->space_, count,
              CountChildren<Vertex, Memory>{queue, this->parent_, filled});
    Kokkos::parallel_scan("dromos::rcm::parts", Range(this->space_, 0, num_parents + 1),
                          ScanParts<Vertex, Memory>{this->begin_, filled, long_part});
    int has_long_part = 0;
    Kokkos::deep_copy(this->space_, Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&has_long_part),
                      Kokkos::subview(long_part_, 0));
    fence(this->space_, "dromos::rcm::parts");
    if (has_long_part != 0) return order_by_keys(count, num_parents);
    this->scatter(queue, count);
    this->sort_parts(num_parents);
  }

  /// The same for levels with a long part: keys of (parent, rank by degree and number) tell the whole order.
  void order_by_keys(std::int64_t count, std::int64_t num_parents) {
    if (rank_.extent(0) == 0) rank_by_degree();
    const int bits = FrontierCounts::bits_for(this->n_);
    SortBuffers<std::uint64_t, Memory> keys = make_keys(count);
    SortBuffers<Vertex, Memory> nothing;
    for_range("dromos::rcm::keys", this->space_, count,
              WriteRankKeys<Vertex, Memory>{next_.queue(), this->parent_, rank_, bits, keys.current});
    sort_by_key(this->space_, keys, nothing, bits + FrontierCounts::bits_for(num_parents));
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    for_range("dromos::rcm::from_keys", this->space_, count,
              ReadRankKeys<Vertex, Memory>{keys.current, mask, by_rank_, this->level_});
  }

  /// All vertices by (degree, number).
  void rank_by_degree() {
    const int bits = FrontierCounts::bits_for(this->n_);
    SortBuffers<std::uint64_t, Memory> keys = make_keys(this->n_);
    SortBuffers<Vertex, Memory> nothing;
    ensure_size(rank_, static_cast<std::size_t>(this->n_), "dromos::rcm::rank");
    ensure_size(by_rank_, static_cast<std::size_t>(this->n_), "dromos::rcm::by_rank");
    for_range("dromos::rcm::degree_keys", this->space_, this->n_,
              WriteRcmDegreeKeys<Graph, Memory>{this->graph_, bits, keys.current});
    sort_by_key(this->space_, keys, nothing, 64);
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    for_range("dromos::rcm::ranks", this->space_, this->n_,
              WriteRanks<Vertex, Memory>{keys.current, mask, rank_, by_rank_});
  }

  SortBuffers<std::uint64_t, Memory> make_keys(std::int64_t count) const {
    const auto size = static_cast<std::size_t>(count);
    const auto allocate = Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::rcm::keys"));
    SortBuffers<std::uint64_t, Memory> keys;
    keys.current = Kokkos::View<std::uint64_t*, Memory>(allocate, size);
    if (!host_accessible<Memory>) keys.spare = Kokkos::View<std::uint64_t*, Memory>(allocate, size);
    return keys;
  }

 private:
  const Strategy strategy_;
  Frontier<Vertex, Memory> next_;
  Ids rank_, by_rank_;
  Kokkos::View<int*, Memory> long_part_;
};

}  // namespace dromos::detail
