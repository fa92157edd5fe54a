// SPDX-License-Identifier: BSD-3-Clause
// What a decomposition into components looks like: how many there are, how many with more than one vertex, and how
// large the largest is. For any labelling in which the members of a component bear the number of one of them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

struct ComponentSummary {
  std::int64_t num_components = 0;
  std::int64_t num_nontrivial = 0;     ///< components of two vertices or more
  std::int64_t largest_component = 0;  ///< vertices in the largest one; 0 for a graph without vertices
};

/// Counts the members of every label.
///
/// \param component  label by vertex, each a vertex number of its own component
/// Cost: two passes, and an array of one count a vertex. Waits.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE ComponentSummary summarize_components(const Space& space,
                                                            const Kokkos::View<Vertex*, Memory>& component) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t n = static_cast<std::int64_t>(component.extent(0));
  ComponentSummary summary;
  if (n == 0) return summary;
  const Kokkos::View<Vertex*, Memory> size("dromos::component_summary::size", component.extent(0));
  // Runs of equal labels are counted before they are added: a component that holds half of the graph would otherwise be
  // one counter that all threads fight for.
  constexpr std::int64_t run = 64;
  Kokkos::parallel_for(
      "dromos::component_summary::count", Range(space, 0, (n + run - 1) / run), KOKKOS_LAMBDA(const std::int64_t r) {
        const std::int64_t last = dromos::min<std::int64_t>((r + 1) * run, n);
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
      });
  Kokkos::parallel_reduce(
      "dromos::component_summary::components", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t v, std::int64_t& num, std::int64_t& nontrivial) {
        num += size(v) > 0;
        nontrivial += size(v) > 1;
      },
      summary.num_components, summary.num_nontrivial);
  Vertex largest = 0;
  Kokkos::parallel_reduce(
      "dromos::component_summary::largest", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t v, Vertex& most) { most = dromos::max(most, size(v)); },
      Kokkos::Max<Vertex>(largest));
  fence(space, "dromos::component_summary");
  summary.largest_component = largest;
  return summary;
}

}  // namespace dromos
