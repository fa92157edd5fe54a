// SPDX-License-Identifier: BSD-3-Clause
// Arcs to rows on a GPU: every arc becomes one 64-bit key, source above target, and a radix sort does the rest.
//
//   arcs 2-0 0-3 0-1 0-3    keys sorted: 0|1 0|3 0|3 2|0    unique: 0|1 0|3 2|0
//   entries 1 3 0, and row u begins where the keys reach u|0: row map 0 2 2 3
//
// No atomics, no hub that one thread sorts alone, and rows come out sorted. The sort looks only at the bits that vertex
// ids use. Peak memory beside the input: 16 bytes an arc, and the finished rows.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <utility>

namespace dromos::detail {

/// Fills the rows of `graph` from `arcs` and says how many duplicates went. `weight` may be empty.
template <class Space, class Vertex, class Memory, class Arcs, class = EachSource>
class SortedRows {
 public:
  SortedRows(const Space& space, std::int64_t num_vertices, const Arcs& arcs,
             const Kokkos::View<const float*, Memory>& weight, RowOptions options)
      : space_(space), num_vertices_(num_vertices), arcs_(arcs), weight_(weight), options_(options) {
    while (bits_ < 32 && (std::int64_t(1) << bits_) < num_vertices) ++bits_;
    if ((std::int64_t(1) << bits_) < num_vertices) {
      throw ArgumentError("a graph of " + std::to_string(num_vertices) +
                          " vertices cannot be built on this device, which takes 2^32 at most; use several devices");
    }
  }

  Offset build(CsrGraph<Vertex, Memory>& graph) {
    const Offset num_arcs = write_keys();
    sort_by_key(space_, keys_, weights_, 2 * bits_);
    const Offset num_kept = options_.remove_duplicates ? keep_distinct(num_arcs) : num_arcs;
    read_rows(num_kept, graph);
    return num_arcs - num_kept;
  }

  // Public because they hold device lambdas, which CUDA does not allow in private functions.

  /// One key an arc, at the place that a scan of the items' numbers of arcs gives it.
  Offset write_keys() {
    const auto arcs = arcs_;
    const Range items(space_, 0, arcs.size());
    Offset num_arcs = 0;
    Kokkos::parallel_reduce(
        "dromos::build_csr::count", items,
        KOKKOS_LAMBDA(const std::int64_t i, Offset& sum) { arcs.arcs(i, [&](Vertex, Vertex, Offset) { ++sum; }); },
        num_arcs);
    const bool weighted = weight_.extent(0) != 0;
    require_memory<Memory>(
        "building a graph of " + std::to_string(num_arcs) + " arcs on this device",
        (weighted ? 24.0 : 16.0) * static_cast<double>(num_arcs) + sizeof(Offset) * static_cast<double>(num_vertices_));
    keys_ = {allocate<std::uint64_t>("dromos::build_csr::keys", num_arcs),
             allocate<std::uint64_t>("dromos::build_csr::spare_keys", num_arcs)};
    if (weighted) {
      weights_ = {allocate<float>("dromos::build_csr::weights", num_arcs),
                  allocate<float>("dromos::build_csr::spare_weights", num_arcs)};
    }
    const auto keys = keys_.current;
    const auto weights = weights_.current;
    const auto weight = weight_;
    const int bits = bits_;
    Offset before = 0;
    for (std::int64_t first = 0; first < arcs.size(); first += scan_at_once) {
      Offset written = 0;
      Kokkos::parallel_scan(
          "dromos::build_csr::write_keys", Range(space_, first, dromos::min(first + scan_at_once, arcs.size())),
          KOKKOS_LAMBDA(const std::int64_t i, Offset& sum, const bool final) {
            arcs.arcs(i, [&](Vertex u, Vertex v, Offset w) {
              if (final) {
                keys(before + sum) = static_cast<std::uint64_t>(u) << bits | static_cast<std::uint64_t>(v);
                if (weighted) weights(before + sum) = weight(w);
              }
              ++sum;
            });
          },
          written);
      before += written;
    }
    return num_arcs;
  }

  /// Moves the first of each run of equal keys together, with the lightest weight of the run.
  Offset keep_distinct(Offset num_arcs) {
    const auto keys = keys_.current;
    const auto kept = keys_.spare;
    const auto weights = weights_.current;
    const auto kept_weights = weights_.spare;
    const bool weighted = weights.extent(0) != 0;
    Offset num_kept = 0;
    for (Offset first = 0; first < num_arcs; first += scan_at_once) {
      const Offset before = num_kept;
      Offset now_kept = 0;
      Kokkos::parallel_scan(
          "dromos::build_csr::keep_distinct", Range(space_, first, dromos::min(first + scan_at_once, num_arcs)),
          KOKKOS_LAMBDA(const std::int64_t i, Offset& sum, const bool final) {
            const std::uint64_t key = keys(i);
            if (i > 0 && keys(i - 1) == key) return;
            if (final) {
              kept(before + sum) = key;
              if (weighted) {
                float lightest = weights(i);
                for (Offset j = i + 1; j < num_arcs && keys(j) == key; ++j) {
                  lightest = dromos::min(lightest, weights(j));
                }
                kept_weights(before + sum) = lightest;
              }
            }
            ++sum;
          },
          now_kept);
      num_kept += now_kept;
    }
    std::swap(keys_.current, keys_.spare);
    std::swap(weights_.current, weights_.spare);
    return num_kept;
  }

  /// Targets are the low halves of the keys; a row begins at the first key that is not below its vertex.
  void read_rows(Offset num_kept, CsrGraph<Vertex, Memory>& graph) {
    keys_.spare = {};
    weights_.spare = {};
    graph.row_map = allocate<Offset>("dromos::graph::row_map", num_vertices_ + 1);
    graph.entries = allocate<Vertex>("dromos::graph::entries", num_kept);
    const bool weighted = weight_.extent(0) != 0;
    graph.weights = allocate<float>("dromos::graph::weights", weighted ? num_kept : 0);
    const auto keys = keys_.current;
    const auto key_weights = weights_.current;
    const auto row_map = graph.row_map;
    const auto entries = graph.entries;
    const auto weights = graph.weights;
    const int bits = bits_;
    const std::int64_t num_vertices = num_vertices_;
    Kokkos::parallel_for(
        "dromos::build_csr::entries", Range(space_, 0, num_kept), KOKKOS_LAMBDA(const std::int64_t e) {
          entries(e) = static_cast<Vertex>(keys(e) & ((std::uint64_t(1) << bits) - 1));
          if (weighted) weights(e) = key_weights(e);
        });
    Kokkos::parallel_for(
        "dromos::build_csr::row_map", Range(space_, 0, num_vertices_ + 1), KOKKOS_LAMBDA(const std::int64_t u) {
          const std::uint64_t first_key = static_cast<std::uint64_t>(u) << bits;
          Offset low = u == num_vertices ? num_kept : 0;  // behind the last row, where first_key may not fit 64 bits
          Offset high = num_kept;
          while (low < high) {
            const Offset middle = low + (high - low) / 2;
            if (keys(middle) < first_key) {
              low = middle + 1;
            } else {
              high = middle;
            }
          }
          row_map(u) = low;
        });
    fence(space_, "dromos::build_csr::read_rows");
  }

 private:
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  /// A scan goes over so many elements at most: beyond 2^31 Kokkos' is wrong before 4.6.
  static constexpr std::int64_t scan_at_once = std::int64_t(1) << 28;

  template <class T>
  static Kokkos::View<T*, Memory> allocate(const char* label, Offset size) {
    return Kokkos::View<T*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
  }

  const Space space_;
  const std::int64_t num_vertices_;
  const Arcs arcs_;
  const Kokkos::View<const float*, Memory> weight_;
  const RowOptions options_;
  int bits_ = 1;
  SortBuffers<std::uint64_t, Memory> keys_;
  SortBuffers<float, Memory> weights_;
};

}  // namespace dromos::detail
