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
    return Kokkos::atomic_fetch_min(&parent.data()[v], index.data()[u]) == no_parent<Vertex>;
  }
};

/// Numbers all components level by level; memory of one call.
template <class Space, class Graph, class = EachSource>
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
    const auto begin = this->begin_;
    const auto filled = this->filled_;
    const auto long_part = long_part_;
    const std::int64_t count = next_.num_vertices();
    Kokkos::parallel_for(
        "dromos::rcm::no_children", Range(this->space_, 0, num_parents + 1), KOKKOS_LAMBDA(const std::int64_t p) {
          filled(p) = 0;
          if (p == 0) long_part(0) = 0;
        });
    const auto parent = this->parent_;
    const auto queue = next_.queue();
    Kokkos::parallel_for(
        "dromos::rcm::count_children", Range(this->space_, 0, count),
        KOKKOS_LAMBDA(const std::int64_t i) { atomic_fetch_add(&filled(parent(queue(i))), Vertex(1)); });
    Kokkos::parallel_scan(
        "dromos::rcm::parts", Range(this->space_, 0, num_parents + 1),
        KOKKOS_LAMBDA(const std::int64_t p, Vertex& sum, const bool final) {
          const Vertex children = filled(p);
          if (final) {
            begin(p) = sum;
            filled(p) = sum;
            if (children > longest_part) atomic_store(&long_part(0), 1);
          }
          sum += children;
        });
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
    const auto key = keys.current;
    const auto queue = next_.queue();
    const auto parent = this->parent_;
    const auto rank = rank_;
    Kokkos::parallel_for(
        "dromos::rcm::keys", Range(this->space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = queue(i);
          key(i) = static_cast<std::uint64_t>(parent(v)) << bits | static_cast<std::uint64_t>(rank(v));
        });
    sort_by_key(this->space_, keys, nothing, bits + FrontierCounts::bits_for(num_parents));
    const auto sorted = keys.current;
    const auto by_rank = by_rank_;
    const auto level = this->level_;
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    Kokkos::parallel_for(
        "dromos::rcm::from_keys", Range(this->space_, 0, count),
        KOKKOS_LAMBDA(const std::int64_t i) { level(i) = by_rank(sorted(i) & mask); });
  }

  /// All vertices by (degree, number).
  void rank_by_degree() {
    const int bits = FrontierCounts::bits_for(this->n_);
    SortBuffers<std::uint64_t, Memory> keys = make_keys(this->n_);
    SortBuffers<Vertex, Memory> nothing;
    ensure_size(rank_, static_cast<std::size_t>(this->n_), "dromos::rcm::rank");
    ensure_size(by_rank_, static_cast<std::size_t>(this->n_), "dromos::rcm::by_rank");
    const auto key = keys.current;
    const auto graph = this->graph_;
    Kokkos::parallel_for(
        "dromos::rcm::degree_keys", Range(this->space_, 0, this->n_), KOKKOS_LAMBDA(const std::int64_t v) {
          key(v) = degree_key(graph.degree(static_cast<Vertex>(v))) << bits | static_cast<std::uint64_t>(v);
        });
    sort_by_key(this->space_, keys, nothing, 64);
    const auto sorted = keys.current;
    const auto rank = rank_;
    const auto by_rank = by_rank_;
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    Kokkos::parallel_for(
        "dromos::rcm::ranks", Range(this->space_, 0, this->n_), KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = static_cast<Vertex>(sorted(i) & mask);
          by_rank(i) = v;
          rank(v) = static_cast<Vertex>(i);
        });
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
