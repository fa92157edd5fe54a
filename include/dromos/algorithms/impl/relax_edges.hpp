// SPDX-License-Identifier: BSD-3-Clause
// What delta-stepping (algorithms/sssp.hpp) does with an edge, and how wide its buckets are.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/nearest_first.hpp>
#include <dromos/algorithms/path_weights.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/pile.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <limits>
#include <type_traits>

namespace dromos::detail {

/// How wide the next bucket is. One that was given stays; a chosen one doubles while buckets have too few edges to keep
/// all threads busy, as those of road networks do, and falls back where a wide bucket meets a crowd. Where one rank
/// after the other has something to do, and one thread of it, it grows until a bucket is all that is left: more of them
/// would only be more rounds.
///
///   scale-free   1 1 2 4 | crowd 1 1 1 1 ...          road network   1 2 4 8 16 16 16 ...
///   path on two ranks   1 2 4 ... 64 | alone 512 4096 32768 ...
class BucketWidth {
 public:
  /// \param enough  edges that keep all threads (of all ranks) busy
  BucketWidth(double delta, bool given, Offset enough)
      : narrowest_(delta), delta_(delta), given_(given), enough_(enough) {}

  /// Of the bucket from `from` on. Where delta is lost in rounding, it holds what lies at its beginning.
  template <class Distance>
  KOKKOS_FUNCTION Distance end(Distance from) const {
    constexpr Distance most = no_distance<Distance>;
    if constexpr (std::is_integral_v<Distance>) {
      const double width = dromos::max(1.0, delta_);
      return width < static_cast<double>(most - from) ? from + static_cast<Distance>(width) : most;
    } else {
      const Distance width = delta_ < largest_of<Distance> ? static_cast<Distance>(delta_) : most;
      return dromos::max(from + width, from < most ? next_above(from) : most);
    }
  }
  /// A sweep of more is too much for a bucket that was widened.
  KOKKOS_FUNCTION Offset most_edges() const { return delta_ > narrowest_ ? 4 * enough_ : any_edges; }
  KOKKOS_FUNCTION void adapt(Offset edges_relaxed) {
    if (given_) return;
    if (was_alone_) {
      delta_ *= 8;
    } else {
      if (edges_relaxed < enough_) delta_ *= 2;
      if (edges_relaxed > 4 * enough_) delta_ = dromos::max(narrowest_, delta_ / 2);
    }
    was_alone_ = false;
  }
  /// The bucket kept one rank at a time busy, and one thread of it.
  void was_alone() { was_alone_ = may_be_alone_; }
  /// It was so wide that ranks did most of it again and again.
  void never_alone() { may_be_alone_ = was_alone_ = false; }
  bool is_widened() const { return delta_ > narrowest_; }
  void narrow() { delta_ = narrowest_; }

 private:
  // Constants, not calls: for kernels.
  static constexpr Offset any_edges = std::numeric_limits<Offset>::max();
  template <class Distance>
  static constexpr double largest_of = static_cast<double>(std::numeric_limits<Distance>::max());

  double narrowest_, delta_;
  bool given_;
  Offset enough_;
  bool may_be_alone_ = true, was_alone_ = false;
};

template <class Weights>
KOKKOS_FORCEINLINE_FUNCTION float weight_of(const Weights& weights, Offset e) {
  return weights(e);
}
template <class Memory>
KOKKOS_FORCEINLINE_FUNCTION float weight_of(const Kokkos::View<const float*, Memory>& weights, Offset e) {
  return weights.data()[e];
}

/// Those of a row, at both ends.
template <class Weights>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_weights(const Weights&, Offset, Offset) {}
template <class Memory>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_weights(const Kokkos::View<const float*, Memory>& weights, Offset first,
                                                  Offset last) {
  prefetch(&weights.data()[first]);
  prefetch(&weights.data()[last]);
}

/// v may be reached over u. A vertex joins the next work set once if its new distance lies in the bucket, and waits
/// otherwise. A distance of u that is stale is too large: whoever made it smaller has put u into the next work set.
template <class Vertex, class Distance, class Memory, class Weights, bool Whole>
struct RelaxEdges {
  using Value = Distance;
  static constexpr bool adds = false;
  static constexpr bool refills = Whole;
  Pile<Distance, Memory> pile;  ///< of those whose distance lies beyond the bucket, by that
  Weights weights;
  SweepMarks<Memory> marks;
  Bitmap<Memory> in_bucket;
  BucketWidth width;
  /// From which width on nobody's heavy edges wait, and from how many edges of a sweep on they do.
  double widest_split;
  Offset most_together;
  bool notes_bucket = false;  ///< in in_bucket: heavy edges wait
  std::int64_t num_buckets = 0;
  /// Where edges of a further class have their turn (algorithms/impl/edge_classes.hpp): no bucket goes beyond it, and
  /// one that begins there is empty.
  Distance bound = no_distance<Distance>;
  /// From how many edges of a sweep on edges are looked at in classes.
  Offset most_in_one_class = std::numeric_limits<Offset>::max();

  KOKKOS_FUNCTION void begin_bucket(Distance least) {
    pile.from = least;
    pile.to = least < bound ? dromos::min(width.end(least), bound) : least;
  }
  KOKKOS_FUNCTION void end_bucket() {
    ++num_buckets;
    width.adapt(pile.num_edges);
    begin_bucket(pile.to);
  }
  KOKKOS_FUNCTION bool may_split() const { return static_cast<double>(pile.to - pile.from) < widest_split; }
  KOKKOS_FUNCTION Offset most_edges() const {
    return dromos::min(most_in_one_class, may_split() && !notes_bucket ? most_together : width.most_edges());
  }

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset e) const { return offer_of(u, e) < give(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const Distance offered = offer_of(u, e);
    return offered < atomic_fetch_min_of_positive(&pile.priority.data()[v], offered) && joins_at(v, offered);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(Vertex u, Vertex v, Offset e) const {
    if (!offer_alone(u, v, e)) return false;
    if (pile.priority.data()[v] >= pile.to) {
      pile.waiting.claim_alone(v);
      return false;
    }
    if (!marks.claim_alone(v)) return false;
    if (notes_bucket) in_bucket.claim_alone(v);
    return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool offer_alone(Vertex u, Vertex v, Offset e) const {
    const Distance offered = offer_of(u, e);
    Distance& theirs = pile.priority.data()[v];
    if (offered >= theirs) return false;
    theirs = offered;
    return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex u, Vertex v, Offset e) const { return take(v, offer_of(u, e)); }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex v) const { return joins_at(v, give(v)); }
  KOKKOS_FORCEINLINE_FUNCTION Distance give(Vertex v) const { return atomic_load(&pile.priority.data()[v]); }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Distance offered) const {
    Distance* const theirs = &pile.priority.data()[v];
    return offered < atomic_load(theirs) && offered < atomic_fetch_min_of_positive(theirs, offered);
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { marks.next_sweep(); }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Offset first, Offset last) const {
    prefetch_weights(weights, first, last);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Distance offer_of(Vertex u, Offset e) const {
    return give(u) + static_cast<Distance>(weight_of(weights, e));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool joins_at(Vertex v, Distance shortened) const {
    if (shortened >= pile.to) {
      pile.waiting.set(v);
      return false;
    }
    if (!marks.claim(v)) return false;
    if (notes_bucket) in_bucket.set(v);
    return true;
  }
};

/// The same where ranks need not take turns: each relaxes what it can by itself before it hears of others' offers.
template <class Vertex, class Distance, class Memory, class Weights>
struct RelaxAlone : RelaxEdges<Vertex, Distance, Memory, Weights, false> {
  static constexpr bool any_order = true, nearest_first = true;
  /// Sweeps of a bucket that is wide for its weights find most distances again and again, nearer; of one as narrow as
  /// can be, few.
  Offset most_edges_before_heap(int num_threads) const {
    return this->width.is_widened() && num_threads == 1 ? 0 : this->width.most_edges();
  }
  /// From the vertices of a heap, by the calling thread alone. Whoever shrank and is_own() is followed where it is of
  /// the bucket, and waits otherwise.
  template <class Rows, class IsOwn>
  Followed follow_nearest(NearestHeap<Distance, Vertex>& heap, const Rows& rows, const IsOwn& is_own) const {
    return relax_from_heap(heap, rows, this->weights, this->pile.priority, [&](Vertex v, Distance shortened) {
      if (!is_own(v)) return false;
      if (shortened < this->pile.to) return true;
      this->pile.waiting.set(v);
      return false;
    });
  }
};

}  // namespace dromos::detail
