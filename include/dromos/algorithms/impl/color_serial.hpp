// SPDX-License-Identifier: BSD-3-Clause
// Colors by one host thread, for graphs in which they travel far: the largest vertex goes everywhere it can, then the
// largest that is left, and so on.
//
//   edges 4->3->2->1->0     4 colors all; propagation would need four sweeps, and ten updates for four colors
//
// Every vertex and edge is visited once. In which order does not matter: what a vertex reaches, the vertices that it
// has colored reach as well.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/until_empty.hpp>

namespace dromos::detail {

/// color(v) = the largest vertex that reaches v over the edges of all views together.
///
/// \param waiting  memory of num_vertices elements
/// \param along    one view of the vertices or several, in host memory
template <class Color, class Vertex, class... Views>
void color_on_host(Vertex num_vertices, Color* color, Vertex* waiting, const Views&... along) {
  const Color none = static_cast<Color>(no_vertex<Vertex>);
  for (Vertex v = 0; v < num_vertices; ++v) color[v] = none;
  for (Vertex root = num_vertices; root-- > 0;) {
    if (color[root] != none) continue;  // a larger one has been here
    const Color mine = static_cast<Color>(root);
    color[root] = mine;
    std::int64_t num_waiting = 0;
    waiting[num_waiting++] = root;  // each vertex is put there once
    while (num_waiting > 0) {
      const Vertex u = waiting[--num_waiting];
      const auto follow = [&](const auto& view) {
        for (Offset e = view.begin(u), end = view.end(u); e < end; ++e) {
          const Vertex v = neighbor_of(view, u, e);
          if (color[v] != none) continue;
          color[v] = mine;
          waiting[num_waiting++] = v;
        }
      };
      (follow(along), ...);
    }
  }
}

/// What a thread of the host walks through; the arrays of a CsrGraph are copied where they are elsewhere.
template <class Graph>
auto view_on_host(const Graph& graph) {
  static_assert(host_can_read<Graph>, "the host cannot read a graph without arrays that is in other memory");
  if constexpr (has_csr_arrays<Graph>) {
    return CsrView<typename Graph::vertex_type, Kokkos::HostSpace>{
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.row_map),
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.entries)};
  } else {
    return view_of(graph);
  }
}

/// The same of graphs in any memory; elsewhere than on the host they are brought there, and the colors back. Waits.
///
/// \param waiting  memory of num_vertices elements, where the graphs are
template <class Space, class Color, class Vertex, class Memory, class... Graphs>
void color_serially(const Space& space, const Kokkos::View<Color*, Memory>& color,
                    const Kokkos::View<Vertex*, Memory>& waiting, const Graphs&... along) {
  const ScopedRegion region("dromos::color_serially");
  const Vertex n = static_cast<Vertex>(color.extent(0));
  fence(space, "dromos::color_serially");
  if constexpr (host_accessible<Memory>) {
    color_on_host(n, color.data(), waiting.data(), view_on_host(along)...);
  } else {
    const auto host_color = Kokkos::create_mirror_view(color);
    const Kokkos::View<Vertex*, Kokkos::HostSpace> host_waiting("dromos::color_serially::waiting", color.extent(0));
    color_on_host(n, host_color.data(), host_waiting.data(), view_on_host(along)...);
    Kokkos::deep_copy(color, host_color);
  }
}

/// Pays for sweeps, and ends a propagation that cannot pay for the next one.
struct PayForColors : NoWatch {
  WorkPrices prices;
  WorkBudget budget;
  bool paid = false;

  /// \param waste_limit  what may be spent, as a part of the price of the serial algorithm
  PayForColors(const WorkPrices& of, double waste_limit, std::int64_t num_vertices, Offset num_edges)
      : prices(of),
        budget(waste_limit > 0
                   ? dromos::max(sweeps_not_worth_giving_up, waste_limit * of.serial(num_vertices, num_edges))
                   : 0) {}

  bool may_sweep(const WorkSetSize& work) {
    paid = budget.spend(prices.push(work.num_vertices, work.num_edges));
    return paid;
  }
  std::int64_t most_sweeps() const {
    return 1 + static_cast<std::int64_t>(
                   dromos::min(budget.left() / prices.fused_push(1, 1), static_cast<double>(most_fused_sweeps)));
  }
  void swept(const WorkSetSize& work, double) {
    if (!paid) budget.spend(prices.fused_push(work.num_vertices, work.num_edges));
    paid = false;
  }
};

}  // namespace dromos::detail
