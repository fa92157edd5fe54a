// SPDX-License-Identifier: BSD-3-Clause
// Weak components of a part of a distributed graph, by the forest of its local numbers (impl/component_forest.hpp):
// what differs from a whole graph is that copies have no rows, and shared vertices on every rank some of their edges.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/algorithms/impl/component_near.hpp>
#include <dromos/algorithms/impl/near_numbers.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/number_vertices.hpp>
#include <dromos/traverse/traverse.hpp>
#include <vector>

namespace dromos::detail {

/// The shared vertices from `first` on each below its first neighbor here, where that is smaller: the smallest own one.
template <class Vertex, class Memory>
struct StartShared {
  CsrView<Vertex, Memory> graph;
  ComponentForest<Vertex, Memory> forest;
  Vertex first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex u = first + static_cast<Vertex>(i);
    const Offset e = graph.begin(u);
    forest.parent.data()[u] = e < graph.end(u) ? dromos::min(u, graph.neighbor(e)) : u;
  }
};

/// A few edges of those shared vertices from `first` on that are below a root: of trees that are below another one
/// already nothing is asked.
template <class Vertex, class Memory>
struct LinkShared {
  CsrView<Vertex, Memory> graph;
  ComponentForest<Vertex, Memory> forest;
  Vertex first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex u = first + static_cast<Vertex>(i);
    const Vertex above = forest.parent_of(u);
    if (forest.parent_of(above) != above) return;
    const Offset behind = dromos::min<Offset>(graph.begin(u) + edges_of_root, graph.end(u));
    for (Offset e = graph.begin(u); e < behind; ++e) forest.link(u, graph.neighbor(e));
  }
};

/// The same of a part of a distributed graph. Rows of own vertices begin with the shared ones, those of most edges
/// first, and each of these is below the smallest own vertex that has an edge to it: nearly nobody starts as a root,
/// and nearly all in one tree. Edges of such a root lead to shared vertices that are below it already; theirs lead on.
template <class Space, class Vertex, class Memory, class AnyHalo>
void link_few_edges_of_part(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                            const CsrView<Vertex, Memory>& view, const ComponentForest<Vertex, Memory>& forest,
                            Frontier<Vertex, Memory>& remaining, HubScratch<Vertex, Memory>& hub, const AnyHalo& halo) {
  const std::int64_t num_settled = halo.num_settled(graph);
  const auto first_shared = static_cast<Vertex>(num_settled);
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> shared(space, 0,
                                                                           halo.num_rows(graph) - num_settled);
  Kokkos::parallel_for("dromos::components::start_shared", shared,
                       StartShared<Vertex, Memory>{view, forest, first_shared});
  const CsrView<Vertex, Memory> settled{
      Kokkos::subview(graph.row_map, Kokkos::make_pair(std::int64_t(0), num_settled + 1)), graph.entries};
  link_few_edges(space, view, settled, forest, halo.vertices(), remaining, hub);
  Kokkos::parallel_for("dromos::components::link_shared", shared,
                       LinkShared<Vertex, Memory>{view, forest, first_shared});
}

/// The vertices behind the rows are roots.
template <class Vertex>
struct NumbersFrom {
  Vertex first;
  KOKKOS_FORCEINLINE_FUNCTION Vertex number(std::int64_t i) const { return first + static_cast<Vertex>(i); }
};

/// The rows that a part has.
template <class Vertex, class Memory, class AnyHalo>
CsrView<Vertex, Memory> rows_of_part(const CsrGraph<Vertex, Memory>& graph, const AnyHalo& halo) {
  return {Kokkos::subview(graph.row_map, Kokkos::make_pair(std::int64_t(0), halo.num_rows(graph) + 1)), graph.entries};
}

/// Which edges are linked before a tree is left out.
enum class EdgesOfPart {
  all,   ///< and none is left out
  near,  ///< impl/component_near.hpp; CPUs
  few
};

/// Every rank chooses by itself.
template <class Space, class Vertex, class Memory, class AnyHalo>
EdgesOfPart choose_edges(const Space&, const CsrGraph<Vertex, Memory>& graph, const AnyHalo& halo) {
  if constexpr (!is_gpu<Space>) {
    if (has_near_numbers(rows_of_part(graph, halo))) return EdgesOfPart::near;
  }
  return EdgesOfPart::few;
}

/// Afforest on a part of a distributed graph: the ranks leave out the largest trees that they have after a few edges,
/// as far as those are of one component; label(v) becomes the smallest number of a vertex in v's component of the whole
/// graph. Only vertices with rows are gone through.
template <class Space, class Vertex, class Label, class Memory, class AnyHalo>
Offset components_of_part(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                          const ComponentForest<Vertex, Memory>& forest, Frontier<Vertex, Memory>& remaining,
                          HubScratch<Vertex, Memory>& hub, const Kokkos::View<Label*, Memory>& label, int sample_size,
                          EdgesOfPart edges, const Strategy& strategy, const AnyHalo& halo) {
  const std::int64_t num_rows = halo.num_rows(graph);
  const CsrView<Vertex, Memory> view = rows_of_part(graph, halo);
  const LinkEdges<Vertex, Memory> link{forest};
  Offset num_left_out = 0;
  Vertex left_out = no_vertex<Vertex>;
  const auto agree = [&](bool wanted) {
    std::vector<Vertex> sample;
    if (wanted && num_rows > 0) sample = sample_roots(space, forest, num_rows, sample_size);
    const auto [tree, count] = most_frequent(sample);
    return left_out = halo.tree_to_leave_out(space, forest.parent, tree, count * num_rows);
  };
  if (edges == EdgesOfPart::all) {
    number_vertices(space, forest.parent);
    traverse_all(space, view, link, strategy);
  } else {
    const Kokkos::View<Vertex*, Memory> behind_rows =
        Kokkos::subview(forest.parent, Kokkos::make_pair(num_rows, std::int64_t(graph.num_vertices())));
    number_vertices(space, behind_rows, NumbersFrom<Vertex>{static_cast<Vertex>(num_rows)});
    if constexpr (!is_gpu<Space>) {
      if (edges == EdgesOfPart::near) {
        num_left_out = components_by_near_edges(space, view, halo.num_settled(graph), forest, agree);
      }
    }
    if (edges == EdgesOfPart::few) {
      link_few_edges_of_part(space, graph, view, forest, remaining, hub, halo);
      agree(true);
      select_remaining(space, view, num_rows, forest, left_out, static_cast<const Vertex*>(nullptr), remaining);
      num_left_out = graph.num_edges() - remaining.num_edges();
      traverse(space, view, remaining, link, strategy);
    }
    num_left_out = halo.sum(num_left_out);
  }
  halo.merge_components(space, forest.parent, left_out, label);
  return num_left_out;
}

}  // namespace dromos::detail
