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

/// Adds up the members of each label among consecutive vertices: a component that holds half of the graph would
/// otherwise be one counter that all threads fight for.
template <class Vertex, class Memory>
struct CountRuns {
  static constexpr std::int64_t run = 64, tile = 4096;
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<Vertex*, Memory> size;

  /// On a GPU: runs of equal labels.
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t last = dromos::min<std::int64_t>((r + 1) * run, static_cast<std::int64_t>(component.extent(0)));
    Vertex label = component(r * run);
    Vertex count = 0;
    for (std::int64_t v = r * run; v < last; ++v) {
      if (component(v) != label) {
        atomic_fetch_add(&size(label), count);
        label = component(v);
        count = 0;
      }
      ++count;
    }
    atomic_fetch_add(&size(label), count);
  }
  /// On a CPU: labels wherever they are.
  void whole_tile(std::int64_t t) const {
    const std::int64_t last = dromos::min<std::int64_t>((t + 1) * tile, static_cast<std::int64_t>(component.extent(0)));
    FirstComeCounts<Vertex, 16> counts;
    const auto add = [&](const auto& slot) { atomic_fetch_add(&size(slot.key), static_cast<Vertex>(slot.count)); };
    for (std::int64_t v = t * tile; v < last; ++v) {
      if (!counts.count_often(component(v), add)) atomic_fetch_add(&size(component(v)), Vertex(1));
    }
    counts.each(add);
  }
};

template <class Vertex, class Memory>
struct CountSizes {
  Kokkos::View<const Vertex*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& num, std::int64_t& nontrivial) const {
    num += size(v) > 0;
    nontrivial += size(v) > 1;
  }
};

}  // namespace detail

/// Counts the members of every label.
///
/// \param component  label by vertex, each a vertex number of its own component
/// Cost: two passes, and an array of one count a vertex. Waits.
template <class Space, class Vertex, class Memory>
ComponentSummary summarize_components(const Space& space, const Kokkos::View<Vertex*, Memory>& component) {
  const std::int64_t n = static_cast<std::int64_t>(component.extent(0));
  ComponentSummary summary;
  if (n == 0) return summary;
  const Kokkos::View<Vertex*, Memory> size("dromos::component_summary::size", component.extent(0));
  const detail::CountRuns<Vertex, Memory> count{component, size};
  if constexpr (is_gpu<Space>) {
    for_range("dromos::component_summary::count", space, (n + count.run - 1) / count.run, count);
  } else {
    deal_out("dromos::component_summary::count", space, (n + count.tile - 1) / count.tile,
             [&](std::int64_t t) { count.whole_tile(t); });
  }
  reduce_range("dromos::component_summary::components", space, n, detail::CountSizes<Vertex, Memory>{size},
               summary.num_components, summary.num_nontrivial);
  summary.largest_component = detail::largest_value("dromos::component_summary::largest", space, size);
  fence(space, "dromos::component_summary");
  return summary;
}

}  // namespace dromos
