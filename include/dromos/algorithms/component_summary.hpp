// SPDX-License-Identifier: BSD-3-Clause
// What a decomposition into components looks like: how many there are, how many with more than one vertex, and how
// large the largest is. For any labelling in which the members of a component bear the number of one of them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/first_come_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>

namespace dromos {

struct ComponentSummary {
  std::int64_t num_components = 0;
  std::int64_t num_nontrivial = 0;     ///< components of two vertices or more
  std::int64_t largest_component = 0;  ///< vertices in the largest one; 0 for a graph without vertices
};

namespace detail {

/// Consecutive vertices by their labels, a tile at a time: a component that holds half of the graph would otherwise be
/// one counter that all threads fight for. On a CPU labels are added up wherever they are in a tile, on a GPU those
/// that follow each other.
template <bool on_gpu>
struct LabelTiles {
  static constexpr std::int64_t size = on_gpu ? 64 : 4096;
  static constexpr int slots = on_gpu ? 1 : 16;

  static KOKKOS_FUNCTION std::int64_t num_tiles(std::int64_t n) { return (n + size - 1) / size; }
  /// f(label, count), for a label perhaps several times, of the vertices of a tile that are below n. Those with a label
  /// below 0 are left out.
  template <class Label, class LabelOf, class F>
  static KOKKOS_FORCEINLINE_FUNCTION void add_up(std::int64_t tile, std::int64_t n, const LabelOf& label_of,
                                                 const F& f) {
    FirstComeCounts<Label, slots> counts;
    const auto tell = [&](const auto& slot) { f(slot.key, static_cast<std::int64_t>(slot.count)); };
    const std::int64_t last = dromos::min((tile + 1) * size, n);
    for (std::int64_t v = tile * size; v < last; ++v) {
      const Label label = label_of(v);
      if (label >= 0 && !counts.count_often(label, tell)) f(label, std::int64_t(1));
    }
    counts.each(tell);
  }
};

template <bool on_gpu, class Vertex, class Memory>
struct CountMembers {
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<Vertex*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t tile) const {
    LabelTiles<on_gpu>::template add_up<Vertex>(
        tile, static_cast<std::int64_t>(component.extent(0)), [&](std::int64_t v) { return component(v); },
        [&](Vertex label, std::int64_t count) { atomic_fetch_add(&size(label), static_cast<Vertex>(count)); });
  }
};

template <class Count, class Memory>
struct CountSizes {
  Kokkos::View<const Count*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& num, std::int64_t& nontrivial) const {
    num += size(v) > 0;
    nontrivial += size(v) > 1;
  }
};

/// Of the number of members of each label; 0: nobody bears it. Waits.
template <class Space, class Count, class Memory>
ComponentSummary summarize_sizes(const Space& space, const Kokkos::View<Count*, Memory>& size) {
  ComponentSummary summary;
  if (size.extent(0) == 0) return summary;
  reduce_range("dromos::component_summary::components", space, size.extent(0), CountSizes<Count, Memory>{size},
               summary.num_components, summary.num_nontrivial);
  summary.largest_component = largest_value("dromos::component_summary::largest", space, size);
  fence(space, "dromos::component_summary");
  return summary;
}

}  // namespace detail

/// Counts the members of every label.
///
/// \param component  label by vertex, each a vertex number of its own component
/// Cost: two passes, and an array of one count a vertex. Waits.
template <class Space, class Vertex, class Memory>
ComponentSummary summarize_components(const Space& space, const Kokkos::View<Vertex*, Memory>& component) {
  const Kokkos::View<Vertex*, Memory> size("dromos::component_summary::size", component.extent(0));
  const detail::CountMembers<is_gpu<Space>, Vertex, Memory> count{component, size};
  const std::int64_t num_tiles =
      detail::LabelTiles<is_gpu<Space>>::num_tiles(static_cast<std::int64_t>(component.extent(0)));
  if constexpr (is_gpu<Space>) {
    for_range("dromos::component_summary::count", space, num_tiles, count);
  } else {
    deal_out("dromos::component_summary::count", space, num_tiles, count);
  }
  return detail::summarize_sizes(space, size);
}

}  // namespace dromos
