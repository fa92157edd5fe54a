// SPDX-License-Identifier: BSD-3-Clause
// Arcs to rows on a GPU: every arc becomes one 64-bit key, source above target, and a radix sort does the rest
// (graph/key_rows.hpp).
//
//   arcs 2-0 0-3 0-1 0-3    keys sorted: 0|1 0|3 0|3 2|0    unique: 0|1 0|3 2|0
//   entries 1 3 0, and row u begins where the keys reach u|0: row map 0 2 2 3
//
// Keys are four times as large as entries, and a sort has them twice. So large graphs are built in ranges of sources
// (graph/source_ranges.hpp), which take their turn with the memory for keys, each going over all items and behind each
// other into the rows.
//
// Peak memory beside the input, of ids of 4 bytes: 4 bytes an arc for the entries, and 16 for each arc of the largest
// range. With four ranges that are 8 bytes an arc, as many as while entries are copied that duplicates left; with
// weights 14, since those are 4 bytes beside the entries and 8 beside the keys. A source that has half of all arcs is a
// range, which makes it 12 (20 with weights). Where so much is not free, there are more ranges.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/key_rows.hpp>
#include <dromos/graph/source_ranges.hpp>
#include <dromos/graph/warp_blocks.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dromos::detail {

/// Into how many ranges of sources the arcs are dealt. A range costs a pass over the items, 8 bytes an edge.
struct SortRanges {
  /// Graphs of fewer arcs have one range: there is room for them, and launches would cost more.
  Offset least_arcs = Offset(1) << 22;
  /// Of those of more. With four, keys and entries are 8 bytes an arc, as entries are that are copied in the end.
  int num_ranges = 4;
  /// Where memory is short there are up to so many.
  int most_ranges = 64;
  /// Bytes that may be taken; 0: what is free.
  std::uint64_t available = 0;
};

/// So many ranges are counted in a pass, in registers.
inline constexpr int ends_at_once = 4;

/// counts(4 b + k): the arcs of block b with a source below end[k].
template <class Space, class Vertex, class Memory, class Arcs>
struct CountArcsBelow {
  Arcs source;
  Vertex end[ends_at_once];
  Kokkos::View<Offset*, Memory> counts;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    ArcWalk<Arcs> walk(source);
    unsigned long long below[ends_at_once] = {};
    for (std::int64_t i = first + lane; i < last; i += lanes_of_block<Space>) {
      walk.visit(i, [&](Vertex u, Vertex, Offset) {
        for (int k = 0; k < ends_at_once; ++k) below[k] += u < end[k];
      });
    }
    for (int k = 0; k < ends_at_once; ++k) {
      const unsigned long long of_block = warp_sum(below[k]);
      if (lane == 0) counts(ends_at_once * block + k) = static_cast<Offset>(of_block);
    }
  }
};

/// The keys of a range of sources, from the place on at which a block begins.
template <class Space, class Vertex, class Memory, class Arcs>
struct WriteKeys {
  Arcs source;
  Kokkos::View<const float*, Memory> weight;
  Vertex first_source, end_source;
  int bits;
  Kokkos::View<const Offset*, Memory> begin;
  Kokkos::View<std::uint64_t*, Memory> keys;
  Kokkos::View<float*, Memory> weights;  ///< empty: there are none

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    ArcWalk<Arcs> walk(source);
    Offset before = begin(block);
    for (std::int64_t tile = first; tile < last; tile += lanes_of_block<Space>) {
      const std::int64_t i = tile + lane;
      unsigned long long mine = 0;
      if (i < last) walk.visit(i, [&](Vertex u, Vertex, Offset) { mine += u >= first_source && u < end_source; });
      const unsigned long long lanes_before = warp_sum_before(mine, lane);
      Offset to = before + static_cast<Offset>(lanes_before);
      before += static_cast<Offset>(warp_broadcast(lanes_before + mine, lanes_of_block<Space> - 1));
      if (mine == 0) continue;
      walk.visit(i, [&](Vertex u, Vertex v, Offset w) {
        if (u < first_source || u >= end_source) return;
        keys(to) = static_cast<std::uint64_t>(u - first_source) << bits | static_cast<std::uint64_t>(v);
        if (weights.extent(0) != 0) weights(to) = weight(w);
        ++to;
      });
    }
  }
};

/// Fills the rows of `graph` from `arcs` and says how many duplicates went. `weight` may be empty.
template <class Space, class Vertex, class Memory, class Arcs>
class SortedRows {
 public:
  SortedRows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
             const Kokkos::View<const float*, Memory>& weight, RowOptions options, SortRanges wanted = {})
      : space_(space),
        num_vertices_(num_vertices),
        arcs_(arcs),
        weight_(weight),
        weighted_(weight.extent(0) != 0),
        options_(options),
        wanted_(wanted),
        blocks_(ArcWalk<Arcs>(arcs).num_items()) {
    if (num_vertices > std::int64_t(1) << 32) {
      throw ArgumentError("a graph of " + std::to_string(num_vertices) +
                          " vertices cannot be built on this device, which takes 2^32 at most; use several devices");
    }
  }

  Offset build(CsrGraph<Vertex, Memory>& graph) {
    choose_ranges();
    Rows rows(space_, num_vertices_, num_vertices_, num_arcs_, weighted_, options_.remove_duplicates,
              wanted_.available);
    {
      const auto keys = allocate_both<std::uint64_t>("dromos::build_csr::keys", largest_);
      const auto weights = allocate_both<float>("dromos::build_csr::weights", weighted_ ? largest_ : 0);
      for (std::size_t r = 0; r < ends_.size(); ++r) {
        append_range(r, first_of(keys, sizes_[r]), first_of(weights, weighted_ ? sizes_[r] : 0), rows);
      }
    }
    return rows.finish(graph);
  }

  /// How many ranges there were.
  int num_ranges() const { return static_cast<int>(ends_.size()); }
  /// The arcs of the largest.
  Offset largest_range() const { return largest_; }

 private:
  using Rows = KeyRows<Space, Vertex, Memory>;

  template <class T>
  static Kokkos::View<T*, Memory> allocate(const char* label, Offset size) {
    return Kokkos::View<T*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
  }

  template <class T>
  static SortBuffers<T, Memory> allocate_both(const char* label, Offset size) {
    return {allocate<T>(label, size), allocate<T>(label, size)};
  }

  template <class T>
  static SortBuffers<T, Memory> first_of(const SortBuffers<T, Memory>& buffers, Offset size) {
    const std::pair<Offset, Offset> part(0, size);
    return {Kokkos::subview(buffers.current, part), Kokkos::subview(buffers.spare, part)};
  }

  std::uint64_t available() const { return wanted_.available != 0 ? wanted_.available : available_memory<Memory>(); }

  double row_bytes(double num_arcs) const { return Rows::row_bytes(num_vertices_, num_arcs, weighted_); }
  double key_bytes(double num_arcs) const { return Rows::key_bytes(num_arcs, weighted_); }

  /// As many ranges as a graph of this size has, and more while those do not fit.
  void choose_ranges() {
    const SourceSample<Vertex> sample(space_, arcs_);
    int num_ranges = sample.num_arcs() < static_cast<double>(wanted_.least_arcs) ? 1 : wanted_.num_ranges;
    const auto room = static_cast<double>(available());
    const auto fits_by_sample = [&](int ranges) {
      return row_bytes(sample.num_arcs()) + key_bytes(sample.num_arcs() / ranges) <= room;
    };
    while (num_ranges < wanted_.most_ranges && !fits_by_sample(num_ranges)) num_ranges *= 2;
    count(sample.ends(num_ranges, static_cast<Vertex>(num_vertices_)));
    // The sample was not of all; a source that is most of a range stays so.
    Offset largest_before = 2 * largest_;
    const auto needed = [&] {
      return row_bytes(static_cast<double>(num_arcs_)) + key_bytes(static_cast<double>(largest_));
    };
    while (needed() > room && num_ranges < wanted_.most_ranges && largest_ < largest_before - largest_before / 8) {
      largest_before = largest_;
      num_ranges *= 2;
      count(sample.ends(num_ranges, static_cast<Vertex>(num_vertices_)));
    }
    if (needed() > room) {
      throw MemoryError("building a graph of " + std::to_string(num_arcs_) + " arcs on this device",
                        static_cast<std::uint64_t>(needed()), available());
    }
  }

  /// Counts the arcs of ranges that end before the sources given: where each block of items writes its keys.
  void count(std::vector<Vertex> ends) {
    ends_ = std::move(ends);
    block_begins_.assign(ends_.size(), std::vector<Offset>(static_cast<std::size_t>(blocks_.num_blocks), 0));
    const auto counts = allocate<Offset>("dromos::build_csr::counts", ends_at_once * blocks_.num_blocks);
    const auto host = Kokkos::create_mirror_view(counts);
    std::vector<Offset> below(static_cast<std::size_t>(blocks_.num_blocks), 0);  // by block, of the range before
    for (std::size_t r = 0; r < ends_.size(); r += ends_at_once) {
      CountArcsBelow<Space, Vertex, Memory, Arcs> body{arcs_, {}, counts};
      for (std::size_t k = 0; k < ends_at_once; ++k) body.end[k] = ends_[std::min(r + k, ends_.size() - 1)];
      for_each_block("dromos::build_csr::count", space_, blocks_, body);
      fence(space_, "dromos::build_csr::count");
      Kokkos::deep_copy(host, counts);
      for (std::size_t k = 0; k < ends_at_once && r + k < ends_.size(); ++k) {
        for (std::size_t b = 0; b < below.size(); ++b) {
          block_begins_[r + k][b] = host(ends_at_once * b + k) - below[b];
          below[b] = host(ends_at_once * b + k);
        }
      }
    }
    sizes_.clear();
    for (std::vector<Offset>& counts_of_range : block_begins_) sizes_.push_back(sum_up_before(counts_of_range));
    num_arcs_ = largest_ = 0;
    for (const Offset size : sizes_) {
      num_arcs_ += size;
      largest_ = dromos::max(largest_, size);
    }
  }

  Kokkos::View<Offset*, Memory> to_device(const std::vector<Offset>& values) const {
    const auto view = allocate<Offset>("dromos::build_csr::begins", static_cast<Offset>(values.size()));
    Kokkos::deep_copy(
        view, Kokkos::View<const Offset*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
    return view;
  }

  void append_range(std::size_t r, const SortBuffers<std::uint64_t, Memory>& keys,
                    const SortBuffers<float, Memory>& weights, Rows& rows) {
    const Vertex first_source = r == 0 ? Vertex(0) : ends_[r - 1];
    if (sizes_[r] > 0) {
      for_each_block(
          "dromos::build_csr::write_keys", space_, blocks_,
          WriteKeys<Space, Vertex, Memory, Arcs>{arcs_, weight_, first_source, ends_[r], rows.bits(),
                                                 to_device(block_begins_[r]), keys.current, weights.current});
    }
    rows.append(first_source, ends_[r], keys, weights);
  }

  const Space space_;
  const std::int64_t num_vertices_;
  const Arcs arcs_;
  const Kokkos::View<const float*, Memory> weight_;
  const bool weighted_;
  const RowOptions options_;
  const SortRanges wanted_;
  const WarpBlocks blocks_;                        ///< of items
  std::vector<Vertex> ends_;                       ///< of the ranges
  std::vector<std::vector<Offset>> block_begins_;  ///< by range and block: where its keys begin
  std::vector<Offset> sizes_;                      ///< of the ranges, in arcs
  Offset num_arcs_ = 0;
  Offset largest_ = 0;
};

}  // namespace dromos::detail
