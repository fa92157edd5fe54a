// SPDX-License-Identifier: BSD-3-Clause
// What becomes of arcs that graph/bucketed_rows.hpp has dealt into buckets of consecutive vertices: rows, bucket by
// bucket. It is the same wherever the arcs come from, and is compiled once for the host.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/host_sort.hpp>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dromos::detail {

/// Bytes that a list of edges and what is made of it may be together while rows are built of it and the list shrinks:
/// little more than the list was, or not quite twice the rows.
///
/// \param rows  bytes, with the row map
inline double most_bytes_of_taken_list(double list, double rows) { return dromos::max(1.06 * list, 1.9 * rows); }

/// LocalId: unsigned type for the position of a vertex in its bucket.
template <class LocalId, class Space, class Vertex, class Memory>
class RowBuckets {
  static_assert(host_accessible<Memory>, "buckets are for memory that the host reaches");

 protected:
  /// \param num_items  of the input, each of which has some arcs
  RowBuckets(const Space& space, std::int64_t num_vertices, Offset num_items, bool weighted, RowOptions options)
      : space_(space),
        num_vertices_(num_vertices),
        num_items_(num_items),
        weighted_(weighted),
        options_(options),
        bucket_bits_(choose_bucket_bits(num_vertices)),
        num_buckets_(static_cast<int>((num_vertices + (std::int64_t(1) << bucket_bits_) - 1) >> bucket_bits_)),
        num_workers_(space.concurrency()),
        num_blocks_(static_cast<int>(dromos::min<Offset>(16 * num_workers_, num_items / 1024 + 1))) {
    cursors_.assign(static_cast<std::size_t>(num_blocks_) * num_buckets_, 0);
  }

  /// The items of a block.
  std::pair<Offset, Offset> block(std::int64_t b) const {
    return {num_items_ * b / num_blocks_, num_items_ * (b + 1) / num_blocks_};
  }
  /// Of each bucket: how many arcs of the block belong to it, then where the next of them goes.
  Offset* cursors_of(std::int64_t b) { return cursors_.data() + static_cast<std::size_t>(b) * num_buckets_; }

  /// Once all arcs are counted: allocates. Returns where the ranges of buckets begin, and the end of the last.
  std::vector<int> begin_rows();
  /// The arcs of these buckets come behind the rows that are done.
  void begin_range(int first, int last);
  /// Rows of each bucket of the range, in place; then each goes to where the one before it ends.
  void finish_range();
  /// Once every range is finished: joins the rows. Returns how many duplicates went.
  Offset end_rows(CsrGraph<Vertex, Memory>& graph);

  const Space space_;
  const std::int64_t num_vertices_;
  const Offset num_items_;
  const bool weighted_;
  const RowOptions options_;
  bool list_is_taken_ = false;  ///< the input shrinks, range by range
  const int bucket_bits_;
  const int num_buckets_;
  const int num_workers_;
  const int num_blocks_;
  std::vector<Offset> cursors_;
  std::vector<Offset> bucket_begin_;
  std::vector<Offset> kept_, new_begin_;        ///< of each bucket, once it is finished and has moved
  std::vector<std::atomic<bool>> is_finished_;  ///< by bucket
  int first_bucket_ = 0, last_bucket_ = 0;      ///< of the range
  Offset range_shift_ = 0;                      ///< from places by bucket_begin_ to those in the arrays
  std::atomic<int> next_bucket_{0};
  std::mutex moving_;
  int next_to_move_ = 0;  ///< as num_kept_, belongs to who has the mutex
  Offset num_kept_ = 0;   ///< by all buckets that have moved
  Kokkos::View<Offset*, Memory> row_map_;
  Kokkos::View<Vertex*, Memory> entries_;
  Kokkos::View<float*, Memory> weights_;
  Kokkos::View<LocalId*, Memory> local_;

 private:
  /// Of fewer arcs everything is partitioned at once: 2 bytes an arc more.
  static constexpr Offset fewest_arcs_in_ranges = Offset(1) << 22;

  /// Buckets small enough for the cache, but no more of them than there can be open write streams, as long as a
  /// position in a bucket fits the local id.
  static int choose_bucket_bits(std::int64_t num_vertices) {
    constexpr int most_buckets = 1024;
    int bits = 6;
    while (bits < static_cast<int>(8 * sizeof(LocalId)) && (num_vertices >> bits) >= most_buckets) ++bits;
    return bits;
  }
  template <class T>
  static Kokkos::View<T*, Memory> allocate(const char* label, std::int64_t size) {
    Kokkos::View<T*, Memory> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
    advise_huge_pages(view.data(), view.extent(0) * sizeof(T));
    return view;
  }
  /// Where the ranges of buckets begin, and the end of the last. Ranges are there for the sake of memory, and each
  /// costs a pass over the input: the later ones, beside which most rows are there already, have fewer arcs. Where the
  /// input shrinks, each has as many as there is room for, the first fewest.
  std::vector<int> choose_ranges() const;
  /// How many arcs may be in the range behind so many, where the input shrinks.
  Offset room_in_range(Offset arcs_before) const;
  /// Makes the row map global.
  void join_rows();
  /// Moves the buckets that are finished down to where the rows before them end, in their order, by one worker at a
  /// time; who finds another at it leaves it to that one. What is overwritten are places of buckets that have moved.
  void move_finished();
  void finish_bucket(int k, std::vector<Vertex>& targets, std::vector<float>& weights, std::vector<Offset>& ends,
                     std::vector<std::pair<Vertex, float>>& pairs);
  /// Of equal neighbors the lightest edge stays. Returns how many edges the row keeps.
  Offset finish_weighted_row(const Vertex* targets, const float* weights, Offset length, Offset to,
                             std::vector<std::pair<Vertex, float>>& pairs);
};

template <class LocalId, class Space, class Vertex, class Memory>
std::vector<int> RowBuckets<LocalId, Space, Vertex, Memory>::begin_rows() {
  bucket_begin_.assign(static_cast<std::size_t>(num_buckets_) + 1, 0);
  Offset sum = 0;
  for (int k = 0; k < num_buckets_; ++k) {
    bucket_begin_[k] = sum;
    for (int b = 0; b < num_blocks_; ++b) sum += std::exchange(cursors_of(b)[k], sum);
  }
  bucket_begin_[num_buckets_] = sum;
  entries_ = allocate<Vertex>("dromos::graph::entries", sum);
  if (weighted_) weights_ = allocate<float>("dromos::graph::weights", sum);
  row_map_ = allocate<Offset>("dromos::graph::row_map", num_vertices_ + 1);
  kept_.assign(static_cast<std::size_t>(num_buckets_), 0);
  new_begin_.assign(static_cast<std::size_t>(num_buckets_), 0);
  is_finished_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(num_buckets_));
  return choose_ranges();
}

template <class LocalId, class Space, class Vertex, class Memory>
std::vector<int> RowBuckets<LocalId, Space, Vertex, Memory>::choose_ranges() const {
  const Offset num_arcs = bucket_begin_[num_buckets_];
  std::vector<int> begins = {0};
  if (num_arcs >= fewest_arcs_in_ranges && list_is_taken_) {
    for (;;) {
      const Offset before = bucket_begin_[begins.back()];
      const auto at = std::upper_bound(bucket_begin_.begin(), bucket_begin_.end(), before + room_in_range(before));
      const int k = dromos::max(static_cast<int>(at - bucket_begin_.begin()) - 1, begins.back() + 1);
      if (k >= num_buckets_) break;
      begins.push_back(k);
    }
  } else if (num_arcs >= fewest_arcs_in_ranges) {
    for (const double before : {0.5, 0.85}) {
      const auto wanted = static_cast<Offset>(before * static_cast<double>(num_arcs));
      const auto at = std::lower_bound(bucket_begin_.begin(), bucket_begin_.end(), wanted);
      const int k = static_cast<int>(at - bucket_begin_.begin());
      if (k > begins.back() && k < num_buckets_) begins.push_back(k);
    }
  }
  begins.push_back(num_buckets_);
  return begins;
}

template <class LocalId, class Space, class Vertex, class Memory>
Offset RowBuckets<LocalId, Space, Vertex, Memory>::room_in_range(Offset arcs_before) const {
  const double weight = weighted_ ? sizeof(float) : 0, num_arcs = static_cast<double>(bucket_begin_[num_buckets_]);
  const double listed = 2 * sizeof(Vertex) + weight, done = static_cast<double>(arcs_before);
  // With its part of the row map, of which nothing is there before its range.
  const double stored =
      sizeof(Vertex) + weight + static_cast<double>(num_vertices_) * sizeof(Offset) / dromos::max(1.0, num_arcs);
  const double room =
      most_bytes_of_taken_list(listed * num_arcs, stored * num_arcs) - listed * (num_arcs - done) - stored * done;
  return static_cast<Offset>(dromos::max(room / (stored + sizeof(LocalId)), num_arcs / 32));
}

template <class LocalId, class Space, class Vertex, class Memory>
void RowBuckets<LocalId, Space, Vertex, Memory>::begin_range(int first, int last) {
  first_bucket_ = next_to_move_ = first;
  last_bucket_ = last;
  next_bucket_ = first;
  local_ = allocate<LocalId>("dromos::build_csr::local", bucket_begin_[last] - bucket_begin_[first]);
  range_shift_ = num_kept_ - bucket_begin_[first];
}

template <class LocalId, class Space, class Vertex, class Memory>
void RowBuckets<LocalId, Space, Vertex, Memory>::finish_range() {
  // One call a worker, so that a worker's buffers serve all its buckets.
  deal_out("dromos::build_csr::rows", space_, num_workers_, [&](std::int64_t) {
    std::vector<Vertex> targets;
    std::vector<float> weights;
    std::vector<Offset> ends;
    std::vector<std::pair<Vertex, float>> pairs;
    for (;;) {
      const int k = next_bucket_.fetch_add(1, std::memory_order_relaxed);
      if (k >= last_bucket_) break;
      finish_bucket(k, targets, weights, ends, pairs);
      is_finished_[k].store(true, std::memory_order_release);
      move_finished();
    }
  });
  fence(space_, "dromos::build_csr::rows");
  move_finished();  // those that were finished while another worker was about to stop moving
  local_ = {};
}

template <class LocalId, class Space, class Vertex, class Memory>
void RowBuckets<LocalId, Space, Vertex, Memory>::move_finished() {
  const std::unique_lock<std::mutex> lock(moving_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  while (next_to_move_ < last_bucket_ && is_finished_[next_to_move_].load(std::memory_order_acquire)) {
    const int k = next_to_move_++;
    const Offset from = bucket_begin_[k] + range_shift_, kept = kept_[k];
    if (from != num_kept_) {
      std::copy_n(entries_.data() + from, kept, entries_.data() + num_kept_);
      if (weighted_) std::copy_n(weights_.data() + from, kept, weights_.data() + num_kept_);
    }
    new_begin_[k] = num_kept_;
    num_kept_ += kept;
  }
}

template <class LocalId, class Space, class Vertex, class Memory>
void RowBuckets<LocalId, Space, Vertex, Memory>::finish_bucket(int k, std::vector<Vertex>& targets,
                                                               std::vector<float>& weights, std::vector<Offset>& ends,
                                                               std::vector<std::pair<Vertex, float>>& pairs) {
  const std::int64_t first_vertex = static_cast<std::int64_t>(k) << bucket_bits_;
  const std::int64_t size = dromos::min<std::int64_t>(std::int64_t(1) << bucket_bits_, num_vertices_ - first_vertex);
  const Offset begin = bucket_begin_[k] + range_shift_;
  const Offset num_arcs = bucket_begin_[k + 1] - bucket_begin_[k];
  Vertex* const entries = entries_.data() + begin;
  const LocalId* const local = local_.data() + (bucket_begin_[k] - bucket_begin_[first_bucket_]);

  ends.assign(size, 0);
  for (Offset i = 0; i < num_arcs; ++i) ++ends[local[i]];
  Offset sum = 0;
  for (std::int64_t u = 0; u < size; ++u) sum += std::exchange(ends[u], sum);
  if (targets.size() < static_cast<std::size_t>(num_arcs)) targets.resize(num_arcs);
  if (weighted_ && weights.size() < static_cast<std::size_t>(num_arcs)) weights.resize(num_arcs);
  for (Offset i = 0; i < num_arcs; ++i) {
    const Offset to = ends[local[i]]++;
    targets[to] = entries[i];
    if (weighted_) weights[to] = weights_(begin + i);
  }

  Offset out = 0;
  Offset row = 0;
  for (std::int64_t u = 0; u < size; ++u) {
    const Offset row_end = ends[u];
    row_map_(first_vertex + u) = out;
    if (weighted_) {
      out += finish_weighted_row(targets.data() + row, weights.data() + row, row_end - row, begin + out, pairs);
    } else {
      if (options_.sort) host_sort(targets.data() + row, static_cast<std::size_t>(row_end - row));
      for (Offset i = row; i < row_end; ++i) {
        if (options_.remove_duplicates && i != row && targets[i] == targets[i - 1]) continue;
        entries[out++] = targets[i];
      }
    }
    row = row_end;
  }
  kept_[k] = out;
}

template <class LocalId, class Space, class Vertex, class Memory>
Offset RowBuckets<LocalId, Space, Vertex, Memory>::finish_weighted_row(const Vertex* targets, const float* weights,
                                                                       Offset length, Offset to,
                                                                       std::vector<std::pair<Vertex, float>>& pairs) {
  pairs.resize(length);
  for (Offset i = 0; i < length; ++i) pairs[i] = {targets[i], weights[i]};
  if (options_.sort) std::sort(pairs.begin(), pairs.end());
  Offset kept = 0;
  for (Offset i = 0; i < length; ++i) {
    if (options_.remove_duplicates && i != 0 && pairs[i].first == pairs[i - 1].first) continue;
    entries_(to + kept) = pairs[i].first;
    weights_(to + kept) = pairs[i].second;
    ++kept;
  }
  return kept;
}

template <class LocalId, class Space, class Vertex, class Memory>
void RowBuckets<LocalId, Space, Vertex, Memory>::join_rows() {
  deal_out("dromos::build_csr::join", space_, num_buckets_, [&](const std::int64_t k) {
    const std::int64_t first = k << bucket_bits_;
    const std::int64_t last = dromos::min<std::int64_t>(first + (std::int64_t(1) << bucket_bits_), num_vertices_);
    for (std::int64_t u = first; u < last; ++u) row_map_(u) += new_begin_[k];
  });
  fence(space_, "dromos::build_csr::join");
  row_map_(num_vertices_) = num_kept_;
}

template <class LocalId, class Space, class Vertex, class Memory>
Offset RowBuckets<LocalId, Space, Vertex, Memory>::end_rows(CsrGraph<Vertex, Memory>& graph) {
  join_rows();
  // Nobody has written behind what is kept, so that the rest of an array for large graphs takes no memory.
  graph.row_map = row_map_;
  graph.entries = Kokkos::subview(entries_, std::pair<Offset, Offset>(0, num_kept_));
  if (weighted_) graph.weights = Kokkos::subview(weights_, std::pair<Offset, Offset>(0, num_kept_));
  return bucket_begin_[num_buckets_] - num_kept_;
}

// Compiled once, in src/graph/build_csr.cpp.
#define DROMOS_ROW_BUCKETS(EXTERN, LOCAL_ID, VERTEX)                                    \
  EXTERN template class RowBuckets<LOCAL_ID, Kokkos::DefaultHostExecutionSpace, VERTEX, \
                                   Kokkos::DefaultHostExecutionSpace::memory_space>;
DROMOS_ROW_BUCKETS(extern, std::uint16_t, std::int32_t)
DROMOS_ROW_BUCKETS(extern, std::uint16_t, std::int64_t)
DROMOS_ROW_BUCKETS(extern, std::uint32_t, std::int32_t)
DROMOS_ROW_BUCKETS(extern, std::uint32_t, std::int64_t)

}  // namespace dromos::detail
