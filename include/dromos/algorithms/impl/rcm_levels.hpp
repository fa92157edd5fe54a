// SPDX-License-Identifier: BSD-3-Clause
// What both ways to number level by level have in common (rcm_by_sweeps.hpp, rcm_by_lists.hpp): the level that is being
// ordered, its parts, and the places that its vertices get.
//
//   level   x y | z | v w     the children of parents 0, 1 and 2: parts, each sorted by (degree, number)
//
// Where there are several components, each has its room in the whole order, and a level gives every component's piece
// of it the next places there.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/traverse/frontier.hpp>
#include <limits>

namespace dromos::detail {

/// Degrees as keys have 32 bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t degree_key(Offset degree) {
  return dromos::min<std::uint64_t>(static_cast<std::uint64_t>(degree), 0xffffffffULL);
}

/// The parent of a vertex that no level has met, which is larger than all others.
template <class Vertex>
inline constexpr Vertex no_parent = std::numeric_limits<Vertex>::max();

/// Beyond this, one thread would be long at sorting the children of one parent.
inline constexpr int longest_part = 48;

/// Is no part of a level longer, whatever the order?
template <class Space, class Graph>
bool rows_are_short(const Space& space, const Graph& graph) {
  return longest_row(space, graph) <= longest_part;
}

template <class Vertex, class Memory>
struct CountComponents {
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<Vertex*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { atomic_fetch_add(&size(component(v)), Vertex(1)); }
};

template <class Vertex, class Memory>
struct ScanRoom {
  Kokkos::View<const Vertex*, Memory> size;
  Kokkos::View<Vertex*, Memory> placed;
  KOKKOS_FUNCTION void operator()(std::int64_t c, Vertex& sum, bool final) const {
    if (final) placed(c) = sum;
    sum += size(c);
  }
};

template <class Vertex, class Memory>
struct ScatterToParts {
  Kokkos::View<const Vertex*, Memory> members, parent;
  Kokkos::View<Vertex*, Memory> filled, level;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = members(i);
    level(atomic_fetch_add(&filled(parent(v)), Vertex(1))) = v;
  }
};

/// A part of a level by (degree, number): by insertion, since parts are short and mostly of one or two vertices.
template <class Graph, class Vertex, class Memory>
KOKKOS_FORCEINLINE_FUNCTION void sort_part(const Graph& graph, const Kokkos::View<Vertex*, Memory>& level, Vertex begin,
                                           Vertex end) {
  for (Vertex i = begin + 1; i < end; ++i) {
    const Vertex v = level(i);
    const std::uint64_t degree = degree_key(graph.degree(v));
    Vertex to = i;
    for (; to > begin; --to) {
      const Vertex before = level(to - 1);
      const std::uint64_t other = degree_key(graph.degree(before));
      if (other < degree || (other == degree && before < v)) break;
      level(to) = before;
    }
    level(to) = v;
  }
}

template <class Graph, class Vertex, class Memory>
struct SortParts {
  Graph graph;
  Kokkos::View<Vertex*, Memory> level;
  Kokkos::View<const Vertex*, Memory> begin;
  Kokkos::View<Vertex*, Memory> filled;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    sort_part(graph, level, begin(p), filled(p));
    filled(p) = 0;
  }
};

template <class Vertex, class Memory>
struct SettleLevel {
  bool alone;
  std::int64_t num_placed;
  Kokkos::View<const Vertex*, Memory> level, component;
  Kokkos::View<Vertex*, Memory> queue, parent, index, place, first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = level(i);
    queue(i) = v;
    parent(v) = -1;
    index(v) = static_cast<Vertex>(i);
    if (alone) {
      place(v) = static_cast<Vertex>(num_placed + i);
    } else if (i == 0 || component(level(i - 1)) != component(v)) {
      first(component(v)) = static_cast<Vertex>(i);
    }
  }
};

template <class Vertex, class Memory>
struct PlaceLevel {
  Kokkos::View<const Vertex*, Memory> level, component, first, placed;
  Kokkos::View<Vertex*, Memory> place;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = level(i);
    place(v) = placed(component(v)) + static_cast<Vertex>(i) - first(component(v));
  }
};

template <class Vertex, class Memory>
struct CountPlaced {
  std::int64_t count;
  Kokkos::View<const Vertex*, Memory> level, component, first;
  Kokkos::View<Vertex*, Memory> placed;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex c = component(level(i));
    if (i + 1 == count || component(level(i + 1)) != c) placed(c) += static_cast<Vertex>(i) + 1 - first(c);
  }
};

/// Memory of one call, and what is done to one level. `Graph`: a view, as traverse() takes it.
template <class Space, class Graph>
class LevelPlaces {
 public:
  using Vertex = typename Graph::vertex_type;
  using Memory = typename Graph::memory_space;
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Ids = Kokkos::View<Vertex*, Memory>;

  /// \param component  the smallest vertex of each vertex's component
  LevelPlaces(const Space& space, const Graph& graph, const Ids& component)
      : space_(space),
        graph_(graph),
        n_(graph.num_vertices()),
        component_(component),
        frontier_(n_, graph.num_edges()) {
    for (Ids* const ids : {&parent_, &index_, &level_, &begin_, &filled_, &placed_, &first_}) {
      ensure_size(*ids, static_cast<std::size_t>(n_) + 1, "dromos::rcm::level_order");
    }
    fill(space_, parent_, no_parent<Vertex>);
    fill(space_, filled_, Vertex(0));
  }

  /// The first level: the vertices that the components start from.
  ///
  /// \param starts  queue, ascending by component
  /// \param place   out: where the vertices stand, not yet reversed
  void settle_starts(const Ids& starts, std::int64_t num_starts, Offset num_edges, const Ids& place) {
    num_components_ = num_starts;
    if (num_starts > 1) find_room();
    Kokkos::deep_copy(space_, Kokkos::subview(level_, Kokkos::make_pair(std::int64_t(0), num_starts)),
                      Kokkos::subview(starts, Kokkos::make_pair(std::int64_t(0), num_starts)));
    settle(num_starts, num_edges, 0, place);
  }

  /// Room of each component in the whole order, as by ascending smallest vertex.
  void find_room() {
    const auto size = begin_;
    fill(space_, size, Vertex(0));
    for_range("dromos::rcm::sizes", space_, n_, CountComponents<Vertex, Memory>{component_, size});
    Kokkos::parallel_scan("dromos::rcm::room", Range(space_, 0, n_), ScanRoom<Vertex, Memory>{size, placed_});
  }

  /// level_: its members by parent. filled_: where parts end, that were where they begin.
  void scatter(const Ids& members, std::int64_t count) {
    for_range("dromos::rcm::scatter", space_, count, ScatterToParts<Vertex, Memory>{members, parent_, filled_, level_});
  }

  /// Every part of a level in order.
  void sort_parts(std::int64_t num_parents) {
    for_range("dromos::rcm::sort_parts", space_, num_parents,
              SortParts<Graph, Vertex, Memory>{graph_, level_, begin_, filled_});
  }

  /// The ordered level becomes the frontier, and its vertices have their places.
  void settle(std::int64_t count, Offset num_edges, std::int64_t num_placed, const Ids& place) {
    const auto level = level_;
    const auto component = component_;
    const auto first = first_;
    const auto placed = placed_;
    const bool alone = num_components_ == 1;
    for_range("dromos::rcm::settle", space_, count,
              SettleLevel<Vertex, Memory>{alone, num_placed, level, component, frontier_.queue(), parent_, index_,
                                          place, first});
    if (!alone) {
      for_range("dromos::rcm::place", space_, count,
                PlaceLevel<Vertex, Memory>{level, component, first, placed, place});
      for_range("dromos::rcm::placed", space_, count,
                CountPlaced<Vertex, Memory>{count, level, component, first, placed});
    }
    frontier_.set_counts(count, num_edges);
  }

 protected:
  const Space space_;
  const Graph graph_;
  const std::int64_t n_;
  const Ids component_;
  Frontier<Vertex, Memory> frontier_;
  Ids parent_;  ///< index of the parent in its level; -1: has its place
  Ids index_;   ///< of a vertex in its own level
  Ids level_;   ///< the level being ordered
  Ids begin_, filled_;

 private:
  Ids placed_;  ///< by component: where its next vertex stands
  Ids first_;   ///< by component: where it begins in the level
  std::int64_t num_components_ = 0;
};

}  // namespace dromos::detail
