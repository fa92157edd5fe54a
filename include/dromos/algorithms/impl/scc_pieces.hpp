// SPDX-License-Identifier: BSD-3-Clause
// The finish by pieces: where a giant component has been taken out, what is left hangs together in many pieces (weak
// components), each of which has its strong components inside. So threads of a CPU take pieces, and each does serially
// (scc_serial.hpp) what is in one.
//
//   0 <-> 1 -> 2    3 <-> 4    5 (giant, settled)      pieces {0, 1, 2} for one thread, {3, 4} for another
//
// Of cnr-2000 127,000 vertices are left, in 4,993 pieces, the largest of which has a quarter of their edges; of
// web-NotreDame 83,000 in 5,769, and a fifth.
//
// Pieces are found by a forest (component_forest.hpp), listed one after the other, and dealt out the large ones first.
// The lists and what each search remembers lie in arrays of all, in the place of the piece.
//
// Source: Hong, Rodia, Olukotun, "On fast parallel detection of strongly connected components (SCC) in small-world
// graphs", SC 2013 (weak components).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/algorithms/impl/scc_serial.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <vector>

namespace dromos {

namespace scc_detail {

/// Vertices of a list that one thread goes through.
constexpr std::int64_t piece_block = 1024;

/// Pieces of so many vertices are dealt out the largest first; the others in any order.
constexpr std::int64_t large_piece = 512;

/// body(first, last) for blocks of [0, count), by all threads.
template <class Space, class Body>
void for_blocks(const char* label, const Space& space, std::int64_t count, const Body& body) {
  deal_out(label, space, (count + piece_block - 1) / piece_block,
           [&](std::int64_t b) { body(b * piece_block, dromos::min(count, (b + 1) * piece_block)); });
}

/// Makes root(v) the same vertex for all active vertices of a piece. Each starts below its first active neighbor, where
/// that is smaller, and is as near to the root as it can be before all edges are asked for: of most, both ends point to
/// the same vertex by then.
template <class Space, class View, class Vertex, class Memory>
void find_pieces(const Space& space, const View& graph, const Bitmap<Memory>& active, const Vertex* list,
                 std::int64_t count, const Kokkos::View<Vertex*, Memory>& root) {
  const detail::ComponentForest<Vertex, Memory> forest{root};
  const auto compress = [&] {
    for_blocks("dromos::scc::pieces::compress", space, count, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) forest.compress(list[i], forest.parent_of(list[i]));
    });
  };
  for_blocks("dromos::scc::pieces::start", space, count, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const Vertex u = list[i];
      const Offset end = graph.end(u);
      Offset e = graph.begin(u);
      while (e < end && !active.test(neighbor_of(graph, u, e))) ++e;
      root.data()[u] = e < end ? dromos::min(u, neighbor_of(graph, u, e)) : u;
    }
  });
  compress();
  for_blocks("dromos::scc::pieces::link", space, count, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const Vertex u = list[i];
      const Offset end = graph.end(u);
      for (Offset e = graph.begin(u); e < end; ++e) {
        const Vertex v = neighbor_of(graph, u, e);
        if (active.test(v)) forest.link_and_shorten(u, v);
      }
    }
  });
  compress();
}

/// Where a piece lies in the list by pieces.
template <class Vertex>
struct Piece {
  Vertex root;
  std::int64_t begin, size;
};

template <class Vertex>
struct Pieces {
  std::vector<Piece<Vertex>> list;
  std::int64_t num_large = 0;  ///< those at the beginning of the list
};

/// Lists the vertices of each piece side by side in `by_piece`, the large pieces first. `place` is work space, as large
/// as the graph; `list` ascends.
template <class Space, class Vertex, class Memory>
Pieces<Vertex> list_pieces(const Space& space, const Vertex* list, std::int64_t count, const Vertex* root,
                           const Kokkos::View<Vertex*, Memory>& place, Vertex* by_piece) {
  // Neighbors in the list are often of one piece: they are counted, and placed, together.
  const auto for_runs = [&](std::int64_t first, std::int64_t last, const auto& body) {
    for (std::int64_t i = first; i < last;) {
      std::int64_t end = i + 1;
      while (end < last && root[list[end]] == root[list[i]]) ++end;
      body(i, end, &place.data()[root[list[i]]]);
      i = end;
    }
  };
  for_blocks("dromos::scc::pieces::clear", space, count, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) place.data()[list[i]] = 0;
  });
  for_blocks("dromos::scc::pieces::count", space, count, [&](std::int64_t first, std::int64_t last) {
    for_runs(first, last, [](std::int64_t begin, std::int64_t end, Vertex* num) {
      atomic_fetch_add(num, static_cast<Vertex>(end - begin));
    });
  });
  std::vector<Piece<Vertex>> pieces;
  for (std::int64_t i = 0; i < count; ++i) {
    if (root[list[i]] == list[i]) pieces.push_back({list[i], 0, place.data()[list[i]]});
  }
  const auto first_small =
      std::partition(pieces.begin(), pieces.end(), [](const auto& p) { return p.size >= large_piece; });
  std::sort(pieces.begin(), first_small, [](const auto& p, const auto& q) { return p.size > q.size; });
  std::int64_t begin = 0;
  for (Piece<Vertex>& piece : pieces) {
    piece.begin = begin;
    begin += piece.size;
    place.data()[piece.root] = static_cast<Vertex>(piece.begin);
  }
  for_blocks("dromos::scc::pieces::list", space, count, [&](std::int64_t first, std::int64_t last) {
    for_runs(first, last, [&](std::int64_t run, std::int64_t end, Vertex* next) {
      const Vertex to = atomic_fetch_add(next, static_cast<Vertex>(end - run));
      std::copy(list + run, list + end, by_piece + to);
    });
  });
  return {pieces, first_small - pieces.begin()};
}

}  // namespace scc_detail

/// Settles all active vertices of a graph in the memory of a CPU, each piece by one thread.
///
/// \param component  out: the labels of the settled vertices
/// Cost: the active vertices and their edges, once to find pieces and once by depth-first searches, as many of those at
/// once as there are threads; the largest piece may take longest. Waits.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
SccStep settle_by_pieces(const Space& space, SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                         const Kokkos::View<Vertex*, Memory>& component) {
  static_assert(!is_gpu<Space>, "a piece is one thread's, which works as those of a host do");
  const ScopedRegion region("dromos::scc::pieces");
  const Kokkos::Timer timer;
  SccStep step{"pieces"};
  scc_detail::list_active(space, scratch);
  fence(space, "dromos::scc::pieces");
  const std::int64_t count = scratch.num_active;
  const auto n = static_cast<std::size_t>(scratch.num_vertices());
  for (auto* const array : {&scratch.color, &scratch.slot}) detail::ensure_size(*array, n, "dromos::scc::pieces");
  const auto graph = view_of(scratch.graph);
  const auto active = scratch.active;
  const Vertex* const list = scratch.remaining.queue().data();
  Vertex* const by_piece = scratch.frontier.queue().data();
  scc_detail::find_pieces(space, graph, active, list, count, scratch.color);
  const auto pieces = scc_detail::list_pieces(space, list, count, scratch.color.data(), scratch.slot, by_piece);
  const auto memory = scc_detail::tarjan_memory(scratch.serial, n);
  Vertex* const label_of = component.data();
  // A large piece is dealt out alone, small ones many at a time.
  constexpr std::int64_t together = 64;
  const auto num_pieces = static_cast<std::int64_t>(pieces.list.size());
  const std::int64_t num_large = pieces.num_large;
  const std::int64_t num_items = num_large + (num_pieces - num_large + together - 1) / together;
  deal_out("dromos::scc::pieces::search", space, num_items, [&](std::int64_t i) {
    const std::int64_t first = i < num_large ? i : num_large + (i - num_large) * together;
    const std::int64_t last = i < num_large ? i + 1 : dromos::min(first + together, num_pieces);
    for (std::int64_t p = first; p < last; ++p) {
      const auto& piece = pieces.list[static_cast<std::size_t>(p)];
      scc_detail::tarjan(
          graph, by_piece + piece.begin, piece.size, [&](Vertex, Offset, Vertex v) { return active.test(v); },
          [&](Vertex v, Vertex label) { label_of[v] = label; }, memory.behind(piece.begin));
    }
  });
  scratch.frontier.set_counts(0);
  clear(space, scratch.active);
  scratch.num_active = 0;
  step.num_settled = count;
  step.num_sweeps = num_pieces;
  step.seconds = timer.seconds();
  return step;
}

}  // namespace dromos
