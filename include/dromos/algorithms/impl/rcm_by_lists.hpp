// SPDX-License-Identifier: BSD-3-Clause
// Cuthill and McKee's order where all rows are short and the level of each vertex is known, from the search for the
// start: vertices are listed by level beforehand, so that the host knows how large levels are and asks the device
// nothing, and each looks for the smallest index next to it by itself.
//
//   levels 0 1 1 2, index in level 1: b 0, a 1     vertex d of level 2 beside a and b: its parent is b
//
// For GPUs, where the launches of all levels then follow each other without a wait.
//
// Source: as rcm.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/rcm_levels.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/frontier.hpp>
#include <vector>

namespace dromos::detail {

template <class Memory>
struct CountLevels {
  Kokkos::View<const Level*, Memory> level_of;
  Kokkos::View<std::uint64_t*, Memory> next_place;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { take_number(&next_place(level_of(v))); }
};

template <class Vertex, class Memory>
struct ListLevels {
  Kokkos::View<const Level*, Memory> level_of;
  Kokkos::View<std::uint64_t*, Memory> next_place;
  Kokkos::View<Vertex*, Memory> list;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    list(take_number(&next_place(level_of(v)))) = static_cast<Vertex>(v);
  }
};

template <class Graph, class Vertex, class Memory>
struct FindParents {
  Graph graph;
  Kokkos::View<const Level*, Memory> level_of;
  Level k;
  Kokkos::View<const Vertex*, Memory> members, index;
  Kokkos::View<Vertex*, Memory> parent, filled;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    constexpr int batch = 8;  // asked for together, or each would wait for the one before
    const Vertex v = members(i);
    const Offset end = graph.end(v);
    Vertex first = no_parent<Vertex>;
    for (Offset e = graph.begin(v); e < end; e += batch) {
      Vertex u[batch], place[batch];
      Level level[batch];
      for (int b = 0; b < batch; ++b) u[b] = neighbor_of(graph, v, dromos::min<Offset>(e + b, end - 1));
      for (int b = 0; b < batch; ++b) level[b] = level_of(u[b]);
      for (int b = 0; b < batch; ++b) place[b] = index(u[b]);
      for (int b = 0; b < batch; ++b) {
        if (level[b] == k - 1) first = dromos::min(first, place[b]);
      }
    }
    parent(v) = first;
    atomic_fetch_add(&filled(first), Vertex(1));
  }
};

template <class Graph, class Vertex, class Memory>
struct SortAndSettle {
  Graph graph;
  std::int64_t num_placed;
  Kokkos::View<const Vertex*, Memory> begin;
  Kokkos::View<Vertex*, Memory> level, filled, index, place;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    const Vertex first = begin(p), last = filled(p);
    sort_part(graph, level, first, last);
    for (Vertex i = first; i < last; ++i) {
      const Vertex v = level(i);
      index(v) = i;
      place(v) = static_cast<Vertex>(num_placed + i);
    }
    filled(p) = 0;
  }
};

template <class Space, class Vertex, class Memory>
struct BeginPartsByTeam {
  using Policy = Kokkos::TeamPolicy<Space>;
  static constexpr int team_size = 512;
  std::int64_t num_parents;
  Kokkos::View<Vertex*, Memory> begin, filled;
  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Offset* const totals = team_array<Offset>(team, team_size / warp_width);
    constexpr int rounds = 16;  // whose numbers are read together
    Offset sum = 0;
    for (std::int64_t tile = 0; tile < num_parents; tile += rounds * team_size) {
      Vertex children[rounds];
      for (int r = 0; r < rounds; ++r) {
        const std::int64_t p = tile + r * team_size + team.team_rank();
        children[r] = p < num_parents ? filled(p) : 0;
      }
      for (int r = 0; r < rounds && tile + r * team_size < num_parents; ++r) {
        const std::int64_t p = tile + r * team_size + team.team_rank();
        const Offset sum_so_far = sum;
        const Offset before = sum_so_far + team_sum_before(team, children[r], totals, sum);
        if (p < num_parents) begin(p) = filled(p) = static_cast<Vertex>(before);
      }
    }
  }
};

template <class Vertex, class Memory>
struct BeginParts {
  Kokkos::View<Vertex*, Memory> begin, filled;
  KOKKOS_FUNCTION void operator()(std::int64_t p, Vertex& sum, bool final) const {
    const Vertex children = filled(p);
    if (final) begin(p) = filled(p) = sum;
    sum += children;
  }
};

/// Numbers all components level by level; memory of one call.
template <class Space, class Graph>
class ListedLevelOrder : public LevelPlaces<Space, Graph> {
 public:
  using Base = LevelPlaces<Space, Graph>;
  using typename Base::Ids;
  using typename Base::Memory;
  using typename Base::Range;
  using typename Base::Vertex;

  ListedLevelOrder(const Space& space, const Graph& graph, const Ids& component)
      : Base(space, graph, component),
        list_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::rcm::list"),
              static_cast<std::size_t>(this->n_)) {}

  /// \param starts    queue of the vertices that the components start from, ascending by component
  /// \param level_of  how far each vertex is from that of its component
  /// \param place     out: where the vertices stand, not yet reversed
  /// \returns the number of levels
  std::int64_t number(const Ids& starts, std::int64_t num_starts, const Kokkos::View<const Level*, Memory>& level_of,
                      const Ids& place) {
    const std::vector<std::int64_t> begins = list_levels(level_of);
    const auto num_levels = static_cast<std::int64_t>(begins.size()) - 1;
    this->settle_starts(starts, num_starts, unknown_edges, place);
    for (std::int64_t k = 1; k < num_levels; ++k) {
      const std::size_t at = static_cast<std::size_t>(k);
      const std::int64_t num_parents = begins[at] - begins[at - 1];
      const std::int64_t count = begins[at + 1] - begins[at];
      const Ids members = Kokkos::subview(list_, Kokkos::make_pair(begins[at], begins[at + 1]));
      find_parents(level_of, static_cast<Level>(k), members, count);
      begin_parts(num_parents);
      this->scatter(members, count);
      if (num_starts == 1) {
        sort_and_settle(num_parents, begins[at], place);
      } else {
        this->sort_parts(num_parents);
        this->settle(count, unknown_edges, begins[at], place);
      }
    }
    return num_levels;
  }

  /// list_: all vertices by level, in any order inside of one; returns where levels begin, and n.
  std::vector<std::int64_t> list_levels(const Kokkos::View<const Level*, Memory>& level_of) {
    const Level deepest = dromos::max<Level>(0, largest_value("dromos::rcm::deepest", this->space_, level_of));
    const std::size_t num_levels = static_cast<std::size_t>(deepest) + 1;
    const Kokkos::View<std::uint64_t*, Memory> next_place("dromos::rcm::level_sizes", num_levels);
    for_range("dromos::rcm::level_sizes", this->space_, this->n_, CountLevels<Memory>{level_of, next_place});
    fence(this->space_, "dromos::rcm::level_sizes");
    const auto sizes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), next_place);
    std::vector<std::int64_t> begins(num_levels + 1, 0);
    for (std::size_t k = 0; k < num_levels; ++k) begins[k + 1] = begins[k] + static_cast<std::int64_t>(sizes(k));
    for (std::size_t k = 0; k < num_levels; ++k) sizes(k) = static_cast<std::uint64_t>(begins[k]);
    Kokkos::deep_copy(next_place, sizes);
    for_range("dromos::rcm::list_levels", this->space_, this->n_,
              ListLevels<Vertex, Memory>{level_of, next_place, list_});
    return begins;
  }

  /// parent_ of the members of level k, and filled_: how many children each parent has.
  void find_parents(const Kokkos::View<const Level*, Memory>& level_of, Level k, const Ids& members,
                    std::int64_t count) {
    for_range("dromos::rcm::find_parents", this->space_, count,
              FindParents<Graph, Vertex, Memory>{this->graph_, level_of, k, members, this->index_, this->parent_,
                                                 this->filled_});
  }

  /// The same of one component, and its vertices have their places.
  void sort_and_settle(std::int64_t num_parents, std::int64_t num_placed, const Ids& place) {
    for_range("dromos::rcm::sort_and_settle", this->space_, num_parents,
              SortAndSettle<Graph, Vertex, Memory>{this->graph_, num_placed, this->begin_, this->level_, this->filled_,
                                                   this->index_, place});
  }

  /// begin_ and filled_: where the part of each parent begins, of the numbers of children that filled_ has.
  void begin_parts(std::int64_t num_parents) {
    const auto begin = this->begin_;
    const auto filled = this->filled_;
    if constexpr (has_warps<Space>) {
      // Of a level that one team scans sooner than a scan of Kokkos' begins.
      constexpr int team_size = BeginPartsByTeam<Space, Vertex, Memory>::team_size;
      if (num_parents <= 64 * team_size) {
        using Policy = Kokkos::TeamPolicy<Space>;
        Policy policy(this->space_, 1, team_size);
        policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(team_size / warp_width * sizeof(Offset) + 8));
        Kokkos::parallel_for("dromos::rcm::parts_by_team", policy,
                             BeginPartsByTeam<Space, Vertex, Memory>{num_parents, begin, filled});
        return;
      }
    }
    Kokkos::parallel_scan("dromos::rcm::begin_parts", Range(this->space_, 0, num_parents),
                          BeginParts<Vertex, Memory>{begin, filled});
  }

 private:
  Ids list_;  ///< all vertices, level by level
};

}  // namespace dromos::detail
