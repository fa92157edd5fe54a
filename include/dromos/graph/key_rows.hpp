// SPDX-License-Identifier: BSD-3-Clause
// Rows from arcs that are 64-bit keys, source above target, range of sources behind range: a radix sort of the keys of
// a range, then every key that differs from the one before it is an entry behind those that are there.
//
//   keys of sources 0 1      0|1 0|3 0|3         entries 1 3        row map 0 2 2
//   keys of sources 2 3      0|0 1|2             entries 1 3 0 2    row map 0 2 2 3 4      sources count from the first
//
// The sort looks only at the bits that ids use. No atomics, no hub that one thread sorts alone, and rows come out
// sorted, equal keys in the order in which they were.
//
// Memory: 4 bytes an arc of ids of 4 bytes, duplicates counted, 8 with weights; and while a range is appended its keys
// twice, 16 bytes an arc of the range, 24 with weights.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/warp_blocks.hpp>
#include <string>
#include <utility>

namespace dromos::detail {

/// How many bits the numbers below `size` need; at least one.
inline int bits_for(std::int64_t size) {
  int bits = 1;
  while (bits < 62 && (std::int64_t(1) << bits) < size) ++bits;
  return bits;
}

/// counts(b): the keys of block b that differ from the one before them. Keys are sorted.
template <class Space, class Memory>
struct CountDistinct {
  Kokkos::View<const std::uint64_t*, Memory> keys;
  Kokkos::View<Offset*, Memory> counts;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    unsigned long long mine = 0;
    for (std::int64_t i = first + lane; i < last; i += lanes_of_block<Space>) mine += i == 0 || keys(i - 1) != keys(i);
    const unsigned long long of_block = warp_sum(mine);
    if (lane == 0) counts(block) = static_cast<Offset>(of_block);
  }
};

/// Entries of sorted keys, and the sources beside them; of a run of equal keys one, with the lightest of its weights.
template <class Space, class Vertex, class Memory>
struct KeepKeys {
  Kokkos::View<const std::uint64_t*, Memory> keys;
  Kokkos::View<const float*, Memory> key_weights;  ///< empty: there are none
  int bits;
  Offset kept_before;                            ///< of the ranges before
  Kokkos::View<const Offset*, Memory> begin;     ///< by block; empty: all keys are kept
  Kokkos::View<std::uint32_t*, Memory> sources;  ///< out, of this range, counted from its first
  Kokkos::View<Vertex*, Memory> entries;         ///< out, of all ranges, as `weights`
  Kokkos::View<float*, Memory> weights;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t first, std::int64_t last, int lane) const {
    const bool all = begin.extent(0) == 0;
    Offset before = all ? first : begin(block);
    const Offset size = static_cast<Offset>(keys.extent(0));
    for (std::int64_t tile = first; tile < last; tile += lanes_of_block<Space>) {
      const std::int64_t i = tile + lane;
      const std::uint64_t key = i < last ? keys(i) : 0;
      const bool keep = i < last && (all || i == 0 || keys(i - 1) != key);
      const std::uint32_t votes = ballot(whole_warp, keep);
      const Offset to = before + votes_before(votes, lane);
      before += population_count(votes);
      if (!keep) continue;
      sources(to) = static_cast<std::uint32_t>(key >> bits);
      entries(kept_before + to) = static_cast<Vertex>(key & ((std::uint64_t(1) << bits) - 1));
      if (weights.extent(0) == 0) continue;
      float lightest = key_weights(i);
      for (Offset j = i + 1; !all && j < size && keys(j) == key; ++j) lightest = dromos::min(lightest, key_weights(j));
      weights(kept_before + to) = lightest;
    }
  }
};

/// A row begins at the first arc whose source is not before it.
template <class Memory>
struct FindRows {
  Kokkos::View<const std::uint32_t*, Memory> sources;  ///< of a range, ascending, counted from its first
  Offset size;
  std::int64_t first_source;
  Offset kept_before;
  Kokkos::View<Offset*, Memory> row_map;

  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    const auto row = static_cast<std::uint64_t>(u - first_source);  // of the vertex behind the last it may need 33 bits
    Offset low = 0;
    for (Offset high = size; low < high;) {
      const Offset middle = low + (high - low) / 2;
      if (sources(middle) < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    row_map(u) = kept_before + low;
  }
};

template <class Space, class Vertex, class Memory>
class KeyRows {
 public:
  /// \param num_targets  targets are below
  /// \param num_arcs     of all ranges, duplicates counted
  /// \param available    bytes that may be taken; 0: what is free
  KeyRows(const Space& space, std::int64_t num_rows, std::int64_t num_targets, Offset num_arcs, bool weighted,
          bool remove_duplicates, std::uint64_t available = 0)
      : space_(space),
        num_rows_(num_rows),
        weighted_(weighted),
        remove_duplicates_(remove_duplicates),
        available_(available),
        bits_(bits_for(num_targets)),
        row_map_(allocate<Offset>("dromos::graph::row_map", num_rows + 1)),
        entries_(allocate<Vertex>("dromos::graph::entries", num_arcs)),
        weights_(allocate<float>("dromos::graph::weights", weighted ? num_arcs : 0)) {}

  /// Of the target in a key.
  int bits() const { return bits_; }

  /// Bytes of rows of so many arcs, duplicates counted.
  static double row_bytes(std::int64_t num_rows, double num_arcs, bool weighted) {
    return num_arcs * static_cast<double>(sizeof(Vertex) + (weighted ? sizeof(float) : 0)) +
           static_cast<double>(sizeof(Offset)) * static_cast<double>(num_rows + 1);
  }
  /// Bytes of the keys of a range and their weights, twice, and 32 MiB that the sort takes on a GPU beside them.
  static double key_bytes(double num_arcs, bool weighted) {
    return num_arcs * (weighted ? 24 : 16) + (host_accessible<Memory> ? 0 : 1 << 25);
  }

  /// The arcs of sources first .. end - 1, which are behind those of the range before. Waits.
  ///
  /// \param keys     (source - first) << bits() | target; the arrays are used up
  /// \param weights  of the keys; empty where there are none
  void append(std::int64_t first, std::int64_t end, SortBuffers<std::uint64_t, Memory> keys,
              SortBuffers<float, Memory> weights) {
    if (bits_ + bits_for(end - first) > 64) {
      throw ArgumentError("rows of " + std::to_string(end - first) + " vertices whose targets are numbers of " +
                          std::to_string(bits_) +
                          " bits cannot be built on this device, which sorts keys of 64; use "
                          "more devices");
    }
    Offset num_kept = static_cast<Offset>(keys.current.extent(0));
    num_appended_ += num_kept;
    if (num_kept > 0) {
      sort_by_key(space_, keys, weights, bits_ + bits_for(end - first));
      num_kept = keep(keys, weights);
    }
    for_range("dromos::build_csr::row_map", space_, LongRange(first, end + (end == num_rows_ ? 1 : 0)),
              FindRows<Memory>{sources_in(keys), num_kept, first, num_kept_, row_map_});
    fence(space_, "dromos::build_csr::rows");
    num_kept_ += num_kept;
  }

  /// Once all rows are there: puts them into `graph` and says how many duplicates went.
  Offset finish(CsrGraph<Vertex, Memory>& graph) {
    graph.row_map = row_map_;
    graph.entries = without_rest(entries_, num_kept_);
    graph.weights = without_rest(weights_, weighted_ ? num_kept_ : 0);
    return num_appended_ - num_kept_;
  }

 private:
  template <class T>
  static Kokkos::View<T*, Memory> allocate(const char* label, Offset size) {
    return Kokkos::View<T*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
  }

  /// Entries of sorted keys, behind those that are there; returns how many.
  Offset keep(const SortBuffers<std::uint64_t, Memory>& keys, const SortBuffers<float, Memory>& weights) {
    const WarpBlocks blocks(static_cast<std::int64_t>(keys.current.extent(0)));
    Offset num_kept = blocks.num_items;
    Kokkos::View<Offset*, Memory> begins;
    if (remove_duplicates_) {
      begins = allocate<Offset>("dromos::build_csr::begins", blocks.num_blocks);
      for_each_block("dromos::build_csr::count_distinct", space_, blocks,
                     CountDistinct<Space, Memory>{keys.current, begins});
      num_kept = sum_up_before(space_, begins);
    }
    for_each_block("dromos::build_csr::keep_keys", space_, blocks,
                   KeepKeys<Space, Vertex, Memory>{keys.current, weights.current, bits_, num_kept_, begins,
                                                   sources_in(keys), entries_, weights_});
    return num_kept;
  }

  /// Room for the sources of a range: the half of its keys that the sort has left.
  static Kokkos::View<std::uint32_t*, Memory> sources_in(const SortBuffers<std::uint64_t, Memory>& keys) {
    return Kokkos::View<std::uint32_t*, Memory>(reinterpret_cast<std::uint32_t*>(keys.spare.data()),
                                                keys.spare.extent(0));
  }

  /// The first `size` elements: of an array of their own, where otherwise more than 3 in 100 would lie idle and there
  /// is room for one.
  template <class T>
  Kokkos::View<T*, Memory> without_rest(Kokkos::View<T*, Memory>& all, Offset size) {
    const auto used = Kokkos::subview(all, std::pair<Offset, Offset>(0, size));
    const Offset idle = static_cast<Offset>(all.extent(0)) - size;
    Kokkos::View<T*, Memory> kept = used;
    if (idle == 0) {
      kept = all;
    } else if (idle > size / 32 && sizeof(T) * static_cast<double>(size) < room()) {
      kept = allocate<T>(all.label().c_str(), size);
      Kokkos::deep_copy(space_, kept, used);
      fence(space_, "dromos::build_csr::without_rest");
    }
    all = {};
    return kept;
  }
  double room() const { return static_cast<double>(available_ != 0 ? available_ : available_memory<Memory>()); }

  const Space space_;
  const std::int64_t num_rows_;
  const bool weighted_;
  const bool remove_duplicates_;
  const std::uint64_t available_;
  const int bits_;
  Kokkos::View<Offset*, Memory> row_map_;
  Kokkos::View<Vertex*, Memory> entries_;  ///< of all arcs; the rest of them is idle where duplicates went
  Kokkos::View<float*, Memory> weights_;
  Offset num_appended_ = 0;
  Offset num_kept_ = 0;
};

}  // namespace dromos::detail
