// SPDX-License-Identifier: BSD-3-Clause
// A queue of vertices for one thread that takes the nearest first, roughly: those of a bucket of distances as they
// came, bucket by bucket. Against a heap (nearest_first.hpp) it spares the comparisons, and costs that some vertices
// are taken out before their distance is the last one.
//
//   width 10: 3 1 | 15 12 | 28 taken out in this order; who is put in at 9 meanwhile comes after 1, before 15
//
// Buckets lie in a ring that begins with the one that is taken out. Whoever is too far for the ring waits in a heap,
// so that a few long edges cost no memory. In exact order, width 0, all are in the heap.
//
// Source: the buckets are those of R. B. Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <dromos/algorithms/impl/nearest_first.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/graph_view.hpp>
#include <utility>
#include <vector>

namespace dromos::detail {

template <class Distance, class Vertex>
class NearestBuckets {
 public:
  using Entry = std::pair<Distance, Vertex>;

  /// \param width    of a bucket; 0: exact order
  /// \param entries  what is in the queue at first
  explicit NearestBuckets(double width, std::vector<Entry> entries = {})
      : buckets_per_distance_(width > 0 ? 1 / width : 0), size_(entries.size()), far_({}, std::move(entries)) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// How often it took out all that was in a bucket at that time.
  std::int64_t num_rounds() const { return num_rounds_; }

  void emplace(Distance d, Vertex v) {
    ++size_;
    const std::int64_t bucket = bucket_of(d);
    if (is_exact() || bucket >= now_ + num_buckets) {
      far_.emplace(d, v);
    } else {
      put(std::max(bucket, now_), {d, v});
    }
  }
  /// Of a queue that is not empty.
  Entry top() {
    if (is_exact()) return far_.top();
    fetch();
    return round_[next_];
  }
  /// Takes out top().
  void pop() {
    --size_;
    if (is_exact()) {
      far_.pop();
    } else {
      fetch();
      ++next_;
    }
  }
  /// Who is taken out in so many turns from now; null where that is not known.
  const Entry* coming(std::size_t turns) const {
    return next_ + turns < round_.size() ? &round_[next_ + turns] : nullptr;
  }
  /// From now on.
  void order_exactly() {
    if (is_exact()) return;
    buckets_per_distance_ = 0;
    for (; next_ < round_.size(); ++next_) far_.push(round_[next_]);
    for (std::vector<Entry>& bucket : ring_) {
      for (const Entry& entry : bucket) far_.push(entry);
      bucket.clear();
    }
    num_in_ring_ = 0;
  }

 private:
  static constexpr std::int64_t num_buckets = 256;
  static constexpr double last_bucket = 4611686018427387904.0;  // 2^62: all that is further

  bool is_exact() const { return !(buckets_per_distance_ > 0); }
  std::int64_t bucket_of(Distance d) const {
    return static_cast<std::int64_t>(std::min(last_bucket, static_cast<double>(d) * buckets_per_distance_));
  }
  void put(std::int64_t bucket, const Entry& entry) {
    ring_[static_cast<std::size_t>(bucket % num_buckets)].push_back(entry);
    ++num_in_ring_;
  }
  /// round_[next_] is there afterwards.
  void fetch() {
    while (next_ == round_.size()) {
      next_ = 0;
      round_.clear();
      std::vector<Entry>& bucket = ring_[static_cast<std::size_t>(now_ % num_buckets)];
      if (!bucket.empty()) {
        round_.swap(bucket);
        num_in_ring_ -= round_.size();
        ++num_rounds_;
        return;
      }
      now_ = num_in_ring_ > 0 ? now_ + 1 : bucket_of(far_.top().first);
      for (; !far_.empty() && bucket_of(far_.top().first) <= now_; far_.pop()) put(now_, far_.top());
    }
  }

  double buckets_per_distance_;
  std::size_t size_;
  NearestHeap<Distance, Vertex> far_;
  std::array<std::vector<Entry>, num_buckets> ring_;
  std::size_t num_in_ring_ = 0;
  std::int64_t now_ = 0;      ///< the bucket that is taken out
  std::vector<Entry> round_;  ///< of it, from next_ on
  std::size_t next_ = 0;
  std::int64_t num_rounds_ = 0;
};

template <class Distance, class Vertex, class Rows, class Weights>
void prefetch_coming(const NearestBuckets<Distance, Vertex>& queue, const Rows& rows, const Weights& weights) {
  if constexpr (HasPrefetch<Rows>::value) {
    constexpr std::size_t ahead = 4;
    if (const auto* const far = queue.coming(2 * ahead)) rows.prefetch_row(far->second);
    if (const auto* const near = queue.coming(ahead)) {
      rows.prefetch_edges(near->second);
      if constexpr (Kokkos::is_view<Weights>::value) prefetch(&weights.data()[rows.begin(near->second)]);
    }
  }
}

}  // namespace dromos::detail
