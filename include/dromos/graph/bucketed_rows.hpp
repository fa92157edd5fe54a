// SPDX-License-Identifier: BSD-3-Clause
// Arcs to rows on a CPU: first partitioned into buckets of consecutive vertices, then finished bucket by bucket.
//
// Scattering arcs straight into rows costs a cache miss and a locked increment per arc, and each locked increment waits
// for the miss before it. Here the arcs are dealt into at most about a thousand buckets by their source (sequential
// writes, one stream per bucket, no atomics: each block of the input counts first and then knows where its arcs go),
// and a bucket is small enough that counting, scattering and sorting its rows stay inside the second-level cache.
//
//   8 vertices, 2 buckets; arcs 5-1 0-3 4-4 0-2     bucket 0: 0-3 0-2    bucket 1: 5-1 4-4 (sources kept as 1 0)
//   rows of bucket 0: 0 -> 2 3                      rows of bucket 1: 4 -> 4, 5 -> 1
//
// Inside a bucket the source is known but for its low bits, so it is kept in 16 bits wherever that suffices. Peak
// memory beside the input: 6 bytes an arc, or, while duplicates are squeezed out, 4 bytes an arc before plus 4 after.
// The technique is the radix partitioning of parallel hash joins and sorts.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/host_sort.hpp>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <utility>
#include <vector>

namespace dromos::detail {

/// Fills the rows of `graph` from `arcs` (graph/arcs.hpp) and says how many duplicates went.
/// LocalId: unsigned type for the position of a vertex in its bucket.
template <class LocalId, class Space, class Vertex, class Memory, class Arcs>
class BucketedRows {
  static_assert(host_accessible<Memory>, "buckets are for memory that the host reaches");

 public:
  BucketedRows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
               const Kokkos::View<const float*, Memory>& weight, RowOptions options)
      : space_(space),
        num_vertices_(num_vertices),
        arcs_(arcs),
        weight_(weight),
        weighted_(weight.extent(0) != 0),
        options_(options),
        bucket_bits_(choose_bucket_bits(num_vertices)),
        num_buckets_(static_cast<int>((num_vertices + (std::int64_t(1) << bucket_bits_) - 1) >> bucket_bits_)),
        num_workers_(space.concurrency()),
        num_blocks_(static_cast<int>(dromos::min<Offset>(16 * num_workers_, arcs.size() / 1024 + 1))) {}

  /// Buckets small enough for the cache, but no more of them than there can be open write streams, as long as a
  /// position in a bucket fits the local id.
  static int choose_bucket_bits(std::int64_t num_vertices) {
    constexpr int most_buckets = 1024;
    int bits = 6;
    while (bits < static_cast<int>(8 * sizeof(LocalId)) && (num_vertices >> bits) >= most_buckets) ++bits;
    return bits;
  }

  Offset build(CsrGraph<Vertex, Memory>& graph) {
    count();
    partition();
    row_map_ = allocate<Offset>("dromos::graph::row_map", num_vertices_ + 1);
    finish_buckets();
    local_ = {};
    const Offset removed = join_buckets();
    graph.row_map = row_map_;
    graph.entries = entries_;
    graph.weights = weights_;
    return removed;
  }

 private:
  using Tasks = Kokkos::RangePolicy<Space, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Dynamic>>;

  template <class T>
  static Kokkos::View<T*, Memory> allocate(const char* label, std::int64_t size) {
    Kokkos::View<T*, Memory> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
    advise_huge_pages(view.data(), view.extent(0) * sizeof(T));
    return view;
  }

  std::pair<Offset, Offset> block(int b) const {
    return {arcs_.size() * b / num_blocks_, arcs_.size() * (b + 1) / num_blocks_};
  }

  /// cursors_[b][k]: how many arcs of block b belong to bucket k, then where the first of them goes.
  void count() {
    cursors_.assign(static_cast<std::size_t>(num_blocks_) * num_buckets_, 0);
    Kokkos::parallel_for("dromos::build_csr::count", Tasks(space_, 0, num_blocks_, Kokkos::ChunkSize(1)),
                         [&](const int b) {
                           Offset* const counts = cursors_.data() + static_cast<std::size_t>(b) * num_buckets_;
                           const auto [first, last] = block(b);
                           for (Offset i = first; i < last; ++i) {
                             arcs_.arcs(i, [&](Vertex u, Vertex, Offset) { ++counts[u >> bucket_bits_]; });
                           }
                         });
    fence(space_, "dromos::build_csr::count");
    bucket_begin_.assign(static_cast<std::size_t>(num_buckets_) + 1, 0);
    Offset sum = 0;
    for (int k = 0; k < num_buckets_; ++k) {
      bucket_begin_[k] = sum;
      for (int b = 0; b < num_blocks_; ++b) {
        sum += std::exchange(cursors_[static_cast<std::size_t>(b) * num_buckets_ + k], sum);
      }
    }
    bucket_begin_[num_buckets_] = sum;
  }

  void partition() {
    const Offset num_arcs = bucket_begin_[num_buckets_];
    entries_ = allocate<Vertex>("dromos::graph::entries", num_arcs);
    local_ = allocate<LocalId>("dromos::build_csr::local", num_arcs);
    if (weighted_) weights_ = allocate<float>("dromos::graph::weights", num_arcs);
    Vertex* const entries = entries_.data();
    LocalId* const local = local_.data();
    const std::int64_t mask = (std::int64_t(1) << bucket_bits_) - 1;
    Kokkos::parallel_for("dromos::build_csr::partition", Tasks(space_, 0, num_blocks_, Kokkos::ChunkSize(1)),
                         [&](const int b) {
                           Offset* const cursor = cursors_.data() + static_cast<std::size_t>(b) * num_buckets_;
                           const auto [first, last] = block(b);
                           for (Offset i = first; i < last; ++i) {
                             arcs_.arcs(i, [&](Vertex u, Vertex v, Offset w) {
                               const Offset to = cursor[u >> bucket_bits_]++;
                               entries[to] = v;
                               local[to] = static_cast<LocalId>(u & mask);
                               if (weighted_) weights_(to) = weight_(w);
                             });
                           }
                         });
    fence(space_, "dromos::build_csr::partition");
  }

  /// Rows of each bucket, in place; row_map_(u) is then relative to the bucket, kept_[k] the arcs that bucket k keeps.
  void finish_buckets() {
    kept_.assign(num_buckets_, 0);
    int next_bucket = 0;
    // One call a worker, so that a worker's buffers serve all its buckets.
    Kokkos::parallel_for("dromos::build_csr::rows", Tasks(space_, 0, num_workers_, Kokkos::ChunkSize(1)),
                         [&](const int) {
                           std::vector<Vertex> targets;
                           std::vector<float> weights;
                           std::vector<Offset> ends;
                           std::vector<std::pair<Vertex, float>> pairs;
                           for (;;) {
                             const int k = Kokkos::atomic_fetch_add(&next_bucket, 1);
                             if (k >= num_buckets_) break;
                             finish_bucket(k, targets, weights, ends, pairs);
                           }
                         });
    fence(space_, "dromos::build_csr::rows");
  }

  void finish_bucket(int k, std::vector<Vertex>& targets, std::vector<float>& weights, std::vector<Offset>& ends,
                     std::vector<std::pair<Vertex, float>>& pairs) {
    const std::int64_t first_vertex = static_cast<std::int64_t>(k) << bucket_bits_;
    const std::int64_t size = dromos::min<std::int64_t>(std::int64_t(1) << bucket_bits_, num_vertices_ - first_vertex);
    const Offset begin = bucket_begin_[k];
    const Offset num_arcs = bucket_begin_[k + 1] - begin;
    Vertex* const entries = entries_.data() + begin;
    const LocalId* const local = local_.data() + begin;

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

  /// Of equal neighbors the lightest edge stays. Returns how many edges the row keeps.
  Offset finish_weighted_row(const Vertex* targets, const float* weights, Offset length, Offset to,
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

  /// Makes the row map global, and closes the gaps that removed duplicates left at the ends of buckets.
  Offset join_buckets() {
    const Offset num_arcs = bucket_begin_[num_buckets_];
    std::vector<Offset> new_begin(static_cast<std::size_t>(num_buckets_) + 1, 0);
    for (int k = 0; k < num_buckets_; ++k) new_begin[k + 1] = new_begin[k] + kept_[k];
    const Offset num_kept = new_begin[num_buckets_];
    const bool move = num_kept != num_arcs;
    const auto from = entries_;
    const auto from_weights = weights_;
    if (move) {
      entries_ = allocate<Vertex>("dromos::graph::entries", num_kept);
      if (weighted_) weights_ = allocate<float>("dromos::graph::weights", num_kept);
    }
    Kokkos::parallel_for(
        "dromos::build_csr::join", Tasks(space_, 0, num_buckets_, Kokkos::ChunkSize(1)), [&](const int k) {
          const std::int64_t first = static_cast<std::int64_t>(k) << bucket_bits_;
          const std::int64_t last = dromos::min<std::int64_t>(first + (std::int64_t(1) << bucket_bits_), num_vertices_);
          for (std::int64_t u = first; u < last; ++u) row_map_(u) += new_begin[k];
          if (!move) return;
          std::copy_n(from.data() + bucket_begin_[k], kept_[k], entries_.data() + new_begin[k]);
          if (weighted_) std::copy_n(from_weights.data() + bucket_begin_[k], kept_[k], weights_.data() + new_begin[k]);
        });
    fence(space_, "dromos::build_csr::join");
    row_map_(num_vertices_) = num_kept;
    return num_arcs - num_kept;
  }

  const Space space_;
  const std::int64_t num_vertices_;
  const Arcs arcs_;
  const Kokkos::View<const float*, Memory> weight_;
  const bool weighted_;
  const RowOptions options_;
  const int bucket_bits_;
  const int num_buckets_;
  const int num_workers_;
  const int num_blocks_;
  std::vector<Offset> cursors_;
  std::vector<Offset> bucket_begin_;
  std::vector<Offset> kept_;
  Kokkos::View<Offset*, Memory> row_map_;
  Kokkos::View<Vertex*, Memory> entries_;
  Kokkos::View<float*, Memory> weights_;
  Kokkos::View<LocalId*, Memory> local_;
};

}  // namespace dromos::detail
