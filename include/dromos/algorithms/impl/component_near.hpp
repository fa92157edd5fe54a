// SPDX-License-Identifier: BSD-3-Clause
// Weak components on a CPU where neighbors have near numbers, as nodes of roads and pages of a crawl have: how
// component_forest.hpp begins there.
//
// What it does elsewhere does not lead far: the first edges of a root stay in its valley, and in the sample there is no
// large tree. Of USA-road-d.NY one vertex in a hundred was in it, and of cnr-2000 every other one; the edges of all
// others had to be linked, above trees that were deep by then. But what is near is in the cache, so that a link costs
// little, and threads seldom meet. So every vertex starts below its first neighbor, and inside of a block of vertices,
// which one thread goes through in order, below what that one is below already:
//
//   blocks of 4; 0-1 1-2 2-3 3-4 4-5      start: 0 0 0 0 | 3 3      without blocks: 0 0 1 2 | 3 4
//
//   few edges     each of them once, from its larger end: no more than a sample and what it spares would cost
//   more          the second edge of every vertex, which joins most of them; then, as in Afforest, those of vertices
//                 outside of the largest tree
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/algorithms/impl/near_numbers.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>

namespace dromos::detail {

/// So many vertices are a block.
constexpr int near_block = near_distance;

/// What one thread does with the vertices [first, last) of a block, one after the other.
template <class View, class Vertex, class Memory>
struct NearBlock {
  View graph;
  ComponentForest<Vertex, Memory> forest;
  Vertex first, last;
  Vertex first_away;  ///< from here on rows may lack what this rank has of the edge at its other end

  /// Each vertex below its first neighbor where that is smaller, or below what that is below in the block: nobody else
  /// writes or reads parents of the block meanwhile.
  void start() const {
    Vertex* const parent = forest.parent.data();
    for (Vertex u = first; u < last; ++u) {
      const Offset e = graph.begin(u);
      const Vertex above = e < graph.end(u) ? dromos::min(u, neighbor_of(graph, u, e)) : u;
      parent[u] = above >= first && above < u ? parent[above] : above;
    }
  }

  /// Links each edge from its larger end, but for the first ones, below which vertices have started; of a part those to
  /// away vertices, too. Those to link are gathered before, without a branch that nobody could predict.
  void link_to_smaller() const {
    constexpr int most = 512;
    Vertex high[most + 1], low[most + 1];
    int count = 0;
    const auto link_gathered = [&] {
      for (int i = 0; i < count; ++i) forest.link_and_shorten(high[i], low[i]);
      count = 0;
    };
    for (Vertex u = first; u < last; ++u) {
      const Offset end = graph.end(u);
      Offset e = graph.begin(u);
      if (e < end && neighbor_of(graph, u, e) < first_away) ++e;
      for (; e < end; ++e) {
        const Vertex v = neighbor_of(graph, u, e);
        high[count] = u;
        low[count] = v;
        count += static_cast<int>(v < u) | static_cast<int>(v >= first_away);
        if (count == most) link_gathered();
      }
    }
    link_gathered();
  }

  /// Links the second edge of each vertex, and the first where the vertex is its smaller end.
  void link_second() const {
    for (Vertex u = first; u < last; ++u) {
      const Offset e = graph.begin(u), end = graph.end(u);
      if (e == end) continue;
      const Vertex v = neighbor_of(graph, u, e);
      if (v > u) forest.link_and_shorten(u, v);
      forest.link_and_shorten(u, neighbor_of(graph, u, dromos::min(e + 1, end - 1)));
    }
  }

  /// Links the other edges of vertices that do not point to `skipped`, and adds to `num_left_out` those of all others.
  void link_rest(Vertex skipped, Offset& num_left_out) const {
    Offset left_out = 0;
    for (Vertex u = first; u < last; ++u) {
      if (forest.parent_of(u) == skipped) {
        left_out += graph.degree(u);
        continue;
      }
      const Offset end = graph.end(u);
      for (Offset e = graph.begin(u) + 2; e < end; ++e) forest.link_and_shorten(u, neighbor_of(graph, u, e));
    }
    atomic_fetch_add(&num_left_out, left_out);
  }

  /// Each vertex points to its root afterwards.
  void compress() const {
    for (Vertex u = first; u < last; ++u) forest.compress(u, forest.parent_of(u));
  }
};

/// Up to so many edges a vertex, counted at both ends, each is linked.
constexpr Offset few_edges_of_near = 4;

/// Components of an undirected graph with near numbers, on a CPU. Returns how many edges it left out.
///
/// \param graph  or of a part of a distributed graph the vertices with rows, of which those from `first_away` on are
///               other ranks', too; those behind the rows are roots of `forest`
/// \param skip   called once: skip(true) says a vertex of the tree whose edges are left out, no_vertex: none; after
///               skip(false) all have been linked
template <class Space, class View, class Vertex, class Memory, class Skip>
Offset components_by_near_edges(const Space& space, const View& graph, std::int64_t first_away,
                                const ComponentForest<Vertex, Memory>& forest, const Skip& skip) {
  using Block = NearBlock<View, Vertex, Memory>;
  const std::int64_t n = graph.num_vertices();
  const auto in_blocks = [&](const char* label, const auto& step) {
    deal_out(label, space, (n + near_block - 1) / near_block, [&](std::int64_t b) {
      const std::int64_t first = b * near_block;
      step(Block{graph, forest, static_cast<Vertex>(first),
                 static_cast<Vertex>(dromos::min<std::int64_t>(first + near_block, n)),
                 static_cast<Vertex>(first_away)});
    });
  };
  const auto compress = [&] {
    in_blocks("dromos::components::compress_near", [](const Block& block) { block.compress(); });
  };
  in_blocks("dromos::components::start_near", [](const Block& block) { block.start(); });
  Offset num_left_out = 0;
  if (graph.num_edges() <= few_edges_of_near * n) {
    in_blocks("dromos::components::link_near", [](const Block& block) { block.link_to_smaller(); });
    skip(false);
  } else {
    compress();
    in_blocks("dromos::components::link_second", [](const Block& block) { block.link_second(); });
    compress();
    const Vertex skipped = skip(true);
    in_blocks("dromos::components::link_rest", [&](const Block& block) { block.link_rest(skipped, num_left_out); });
  }
  compress();
  return num_left_out;
}

}  // namespace dromos::detail
