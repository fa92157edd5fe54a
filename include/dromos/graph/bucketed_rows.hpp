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
// Inside a bucket the source is known but for its low bits, so it is kept in 16 bits wherever that suffices. Large
// graphs are built in three ranges of buckets, one behind the other in the arrays of the graph: a range is partitioned
// behind the rows that are done, its buckets are finished in place, and each moves down to where the rows before it
// end. Peak memory beside the input: the rows, and 0.3 bytes an arc. What duplicates leave of the arrays lies behind
// the rows and was never written to, so that of large graphs it is no memory.
//
//   rows that are done | bucket 2 finished | bucket 3 raw | not written yet        bucket 2 moves to the left
//
// A list of arcs that nobody else needs (TakenEdgeArcs) shrinks meanwhile: the arcs of a range are taken out of it, so
// that list and rows together are never much more than the list was. Ranges are then small at first, when all of the
// list is there.
//
// The technique is the radix partitioning of parallel hash joins and sorts.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/row_buckets.hpp>
#include <vector>

namespace dromos::detail {

/// Fills the rows of `graph` from `arcs` (graph/arcs.hpp) and says how many duplicates went.
/// LocalId: unsigned type for the position of a vertex in its bucket.
template <class LocalId, class Space, class Vertex, class Memory, class Arcs>
class BucketedRows : RowBuckets<LocalId, Space, Vertex, Memory> {
  using Base = RowBuckets<LocalId, Space, Vertex, Memory>;

 public:
  BucketedRows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
               const Kokkos::View<const float*, Memory>& weight, RowOptions options)
      : Base(space, num_vertices, arcs.size(), weight.extent(0) != 0, options), arcs_(arcs), weight_(weight) {
    this->list_is_taken_ = arcs_are_taken<Arcs>;
    for (int b = 0; b < num_blocks_; ++b) left_of_block_.push_back(this->block(b).second);
  }

  Offset build(CsrGraph<Vertex, Memory>& graph) {
    count();
    const std::vector<int> ranges = this->begin_rows();
    for (std::size_t r = 0; r + 1 < ranges.size(); ++r) {
      this->begin_range(ranges[r], ranges[r + 1]);
      partition();
      this->finish_range();
    }
    return this->end_rows(graph);
  }

 private:
  using Base::bucket_begin_;
  using Base::bucket_bits_;
  using Base::entries_;
  using Base::first_bucket_;
  using Base::last_bucket_;
  using Base::local_;
  using Base::num_blocks_;
  using Base::num_buckets_;
  using Base::range_shift_;
  using Base::space_;
  using Base::weighted_;
  using Base::weights_;

  /// An arc of the range that waits for its turn.
  struct Held {
    Vertex u, v;
    float weight;
  };
  static constexpr int num_held = 256;

  void count() {
    deal_out("dromos::build_csr::count", space_, num_blocks_, [&](const std::int64_t b) {
      Offset* const counts = this->cursors_of(b);
      const auto [first, last] = this->block(b);
      for (Offset i = first; i < last; ++i) {
        arcs_of(arcs_, i, [&](Vertex u, Vertex, Offset) { ++counts[u >> bucket_bits_]; });
      }
    });
    fence(space_, "dromos::build_csr::count");
  }

  void partition() {
    Vertex* const entries = entries_.data();
    LocalId* const local = local_.data();
    const Offset shift = range_shift_, before_range = bucket_begin_[first_bucket_];
    const std::int64_t mask = (std::int64_t(1) << bucket_bits_) - 1;
    const bool is_all = first_bucket_ == 0 && last_bucket_ == num_buckets_;
    const auto first_vertex = static_cast<std::uint64_t>(first_bucket_) << bucket_bits_;
    const auto num_vertices_of_range = static_cast<std::uint64_t>(last_bucket_ - first_bucket_) << bucket_bits_;
    deal_out("dromos::build_csr::partition", space_, num_blocks_, [&](const std::int64_t b) {
      Offset* const cursor = this->cursors_of(b);
      const Offset first = this->block(b).first, last = left_of_block_[b];
      const auto put = [&](Vertex u, Vertex v, float weight) {
        const Offset to = cursor[u >> bucket_bits_]++;
        entries[to + shift] = v;
        local[to - before_range] = static_cast<LocalId>(u & mask);
        if (weighted_) weights_(to + shift) = weight;
      };
      const auto weight_of = [&](Offset w) { return weighted_ ? weight_(w) : 0.0f; };
      if (is_all) {
        for (Offset i = first; i < last; ++i) {
          arcs_of(arcs_, i, [&](Vertex u, Vertex v, Offset w) { put(u, v, weight_of(w)); });
        }
        take_from_block(b, first);
        return;
      }
      // Which arcs belong to a range is not to be foreseen: they are collected without a branch.
      Held held[num_held + 1];
      int num = 0;
      [[maybe_unused]] Offset left = first;
      const auto put_held = [&] {
        for (int j = 0; j < num; ++j) put(held[j].u, held[j].v, held[j].weight);
        num = 0;
      };
      for (Offset i = first; i < last; ++i) {
        arcs_of(arcs_, i, [&](Vertex u, Vertex v, Offset w) {
          held[num] = {u, v, weight_of(w)};
          const bool is_of_range = static_cast<std::uint64_t>(u) - first_vertex < num_vertices_of_range;
          if constexpr (arcs_are_taken<Arcs>) {
            arcs_.move_to(left, u, v);
            if (weighted_) arcs_.move_weight_to(left, held[num].weight);
            left += !is_of_range;
          }
          num += is_of_range;
          if (num == num_held) put_held();
        });
      }
      put_held();
      take_from_block(b, left);
    });
    fence(space_, "dromos::build_csr::partition");
  }

  /// What is left of a block of a list that is taken ends here.
  void take_from_block([[maybe_unused]] std::int64_t b, [[maybe_unused]] Offset end) {
    if constexpr (arcs_are_taken<Arcs>) {
      arcs_.release(end, left_of_block_[b]);
      left_of_block_[b] = end;
    }
  }

  const Arcs arcs_;
  const Kokkos::View<const float*, Memory> weight_;
  std::vector<Offset> left_of_block_;  ///< where what is left of each block ends
};

}  // namespace dromos::detail
