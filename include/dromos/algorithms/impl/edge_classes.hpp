// SPDX-License-Identifier: BSD-3-Clause
// Delta-stepping that looks at few edges, in both directions. An edge as heavy as w is of no use to a vertex that is
// nearer than w. So settled vertices offer their distances along edges that are lighter than a bound only, and when
// distances have come up to the bound, the next class of edges (algorithms/split_rows.hpp) has its turn: those of it
// that leave settled vertices, or, where these are fewer, those of vertices that are not settled yet, which then look
// for a way over a settled one.
//
//   bound 4: distances 0 .. 3 are settled over edges of 1 2 3
//   edges of 4 5 6 7: of settled vertices 900, of the others 70    the others look; bound 8
//
// In a graph whose few vertices of many edges are near to all others, most edges are never looked at: such a vertex is
// settled before its heavy edges have their turn, and so are most at their other ends. Distances count from where the
// crowd begins: up to there all edges are looked at, and a root far from everything does not raise the bounds. Looking
// needs edges that are stored in both directions with one weight.
//
// Source: V. Chakaravarthy et al., "Scalable single source shortest path algorithms for massively parallel systems",
// IPDPS 2014, where each bucket of delta-stepping chooses to push or to pull its long edges; bounds that ascend with
// the distance are ours.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/impl/relax_edges.hpp>
#include <dromos/algorithms/path_weights.hpp>
#include <dromos/algorithms/split_rows.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/two_sums.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/traverse.hpp>
#include <limits>
#include <type_traits>

namespace dromos::detail {

/// Smallest (traverse/gather.hpp) of numbers that are not negative, where infinity is among them.
template <class Distance>
struct Shortest {
  using Value = Distance;
  static KOKKOS_FUNCTION Distance identity() { return no_distance<Distance>; }
  static KOKKOS_FUNCTION Distance combine(Distance a, Distance b) { return dromos::min(a, b); }
  static KOKKOS_FUNCTION void combine_into(Distance* total, Distance value) {
    atomic_fetch_min_of_positive(total, value);
  }
};

/// Who has edges of the class and is settled (nearer than `settled`), or is not; counts the edges of both.
template <class Rows, class Distance>
struct ChooseBySettled {
  Rows rows;
  const Distance* distance;
  Distance settled;
  bool chosen;  ///< is it settled vertices that are marked?
  KOKKOS_FUNCTION bool operator()(std::int64_t i, TwoSums& edges) const {
    const auto degree = static_cast<std::uint64_t>(rows.degree(static_cast<typename Rows::vertex_type>(i)));
    const bool is_settled = distance[i] < settled;
    edges.first += is_settled ? degree : 0;
    edges.second += is_settled ? 0 : degree;
    return both(degree > 0, is_settled == chosen);
  }
};

/// The shortest way to u over a settled vertex, or what u has.
template <class Distance, class Weights>
struct LookForSettled {
  using Combine = Shortest<Distance>;
  const Distance* distance;
  Weights weights;
  Distance settled;
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Distance edge(Vertex u, Vertex v, Offset e) const {
    const Distance theirs = atomic_load(&distance[v]), mine = atomic_load(&distance[u]);
    return theirs < settled ? dromos::min(mine, theirs + static_cast<Distance>(weight_of(weights, e))) : mine;
  }
};

/// Who is reached and not settled.
template <class Distance>
struct IsWaiting {
  const Distance* distance;
  Distance settled;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    return both(distance[v] >= settled, distance[v] < no_distance<Distance>);
  }
};

/// The largest distance that is not above a number.
template <class Distance>
Distance not_above(float number) {
  if constexpr (std::is_integral_v<Distance>) return static_cast<Distance>(std::floor(number));
  return static_cast<Distance>(number);
}

/// Which classes of edges vertices look at as soon as they are settled: all, until begin(); then the lightest, and with
/// each look_at_next() one more.
///
/// \tparam possible  otherwise all edges are looked at to the end
/// \tparam Scratch   SsspScratch
/// \tparam Relax     RelaxEdges
template <bool possible, class Space, class Scratch, class Relax>
class EdgeClasses {
 public:
  using Distance = typename Relax::Value;

  /// \param relax      in and out: learns where it may split rows, and where the next class has its turn
  EdgeClasses(const Space& space, Scratch& scratch, Relax& relax, bool may_begin, const Strategy& strategy)
      : space_(space), scratch_(scratch), relax_(relax), strategy_(strategy), may_begin_(possible && may_begin) {
    use_up_to(scratch.rows.last_class());
    if (may_begin_) relax_.most_in_one_class = scratch.graph.num_edges() / part_of_a_crowd;
  }

  /// The edges that are looked at.
  decltype(auto) rows() const { return scratch_.rows.between(0, last_); }
  decltype(auto) heavy_rows() const { return scratch_.rows.between(1, last_); }
  bool are_all() const { return last_ == scratch_.rows.last_class(); }
  bool may_begin() const { return may_begin_; }

  /// In a bucket that is begun anew, narrow, and begins at `settled`.
  void begin(Distance settled) {
    may_begin_ = false;
    base_ = settled;
    relax_.most_in_one_class = std::numeric_limits<Offset>::max();
    use_up_to(0);
  }

  /// Edges of the next class between settled vertices and others, which wait afterwards where they are reached; the
  /// next bucket begins at `settled`. Waits.
  ///
  /// \param settled  who is nearer will not get nearer, and whoever is not, and is reached, waits; not above the bound
  /// \returns how many edges were looked at
  Offset look_at_next(Distance settled) {
    if constexpr (possible) {
      const auto rows = scratch_.rows.between(last_ + 1, last_ + 1);
      relax_.begin_bucket(settled);
      TwoSums edges = choose(rows, settled, false);
      const bool others_look = edges.second <= edges.first;
      if (!others_look) choose(rows, settled, true);
      const auto num_edges = static_cast<Offset>(others_look ? edges.second : edges.first);
      scratch_.frontier.set_counts(take_out(space_, scratch_.in_bucket, scratch_.frontier.queue()), num_edges);
      if (num_edges > 0 && others_look) {
        look(rows, settled);
      } else if (num_edges > 0) {
        traverse(space_, rows, scratch_.frontier, scratch_.next, relax_, strategy_);
      }
      scratch_.frontier.set_counts(0);
      use_up_to(last_ + 1);
      relax_.begin_bucket(settled);
      return num_edges;
    } else {
      return 0;
    }
  }

 private:
  /// A sweep of this part of all edges is one of a crowd.
  static constexpr Offset part_of_a_crowd = 16;

  void use_up_to(int last) {
    last_ = last;
    const auto& bounds = scratch_.rows.bounds;
    // Of few edges, heavy ones need no sweep of their own.
    relax_.widest_split = are_all() && last > 0 ? 0.99 * static_cast<double>(bounds.front()) : 0;
    relax_.bound =
        are_all() ? no_distance<Distance> : base_ + not_above<Distance>(bounds[static_cast<std::size_t>(last)]);
  }

  /// Marks those with edges of a class in scratch.in_bucket, which has no bits: settled ones or the others. \returns
  /// the edges of both
  template <class Rows>
  TwoSums choose(const Rows& rows, Distance settled, bool are_settled) const {
    TwoSums edges;
    write_bits("dromos::sssp::choose", space_, scratch_.in_bucket.words().data(), rows.num_vertices(),
               ChooseBySettled<Rows, Distance>{rows, relax_.pile.priority.data(), settled, are_settled},
               Kokkos::Sum<TwoSums>(edges));
    return edges;
  }

  template <class Rows>
  void look(const Rows& rows, Distance settled) const {
    const auto& distance = relax_.pile.priority;
    using Weights = std::decay_t<decltype(relax_.weights)>;
    gather_into_identity(space_, rows, scratch_.frontier,
                         LookForSettled<Distance, Weights>{distance.data(), relax_.weights, settled}, distance,
                         strategy_);
    write_bits("dromos::sssp::waiting", space_, relax_.pile.waiting.words().data(), rows.num_vertices(),
               IsWaiting<Distance>{distance.data(), settled});
  }

  const Space& space_;
  Scratch& scratch_;
  Relax& relax_;
  const Strategy& strategy_;
  bool may_begin_;
  int last_ = 0;
  Distance base_ = 0;  ///< where it began
};

}  // namespace dromos::detail
