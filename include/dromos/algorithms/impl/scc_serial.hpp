// SPDX-License-Identifier: BSD-3-Clause
// The serial finish: Tarjan's algorithm on the host, for what the parallel steps have left or could not get hold of.
//
// One depth-first search with an explicit path instead of recursion. Of each vertex it keeps one number: the lowest
// search number known to be on the search path or waiting and reachable from it (Pearce's form, which needs no separate
// "on the stack" mark, because a settled vertex bears a number above all others):
//
//   path 0 1 2, numbers 0 1 2; edge 2 -> 1: lowest(2) = 1; when 2 is done lowest(2) = 1 < 2, so 2 waits for a root;
//   when 1 is done lowest(1) = 1 = its own number: 1 is a root, and all that waits with lowest >= 1 is its component
//
// A depth-first search waits for memory at every step. So a vertex, when entered, asks for the numbers of all its
// neighbors, and an unvisited neighbor that is not entered yet for its row, before it needs them.
//
// In host memory it works on the graph itself, whatever view it is. Otherwise the remaining graph is extracted where it
// lies, by two sweeps, brought to the host and labelled there.
//
// Sources: R. Tarjan, "Depth-first search and linear graph algorithms", 1972; D. Pearce, "A space-efficient algorithm
// for finding strongly connected components", IPL 2016.
#pragma once

#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/traverse/gather.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <limits>

namespace dromos {

namespace scc_detail {

/// Where tarjan() keeps what it knows: of each vertex of the graph its lowest number, and for each vertex that it
/// visits room for one element in each of the others.
template <class Vertex>
struct TarjanMemory {
  Vertex *lowest, *path, *own, *waiting;
  Offset* next_edge;

  /// The same numbers, and the room behind the first `count` elements.
  TarjanMemory behind(std::int64_t count) const {
    return {lowest, path + count, own + count, waiting + count, next_edge + count};
  }
};

/// Of a graph of n vertices, all of which may be visited.
template <class Vertex>
TarjanMemory<Vertex> tarjan_memory(SerialSccScratch<Vertex>& scratch, std::size_t n) {
  detail::ensure_size(scratch.lowest, n, "dromos::scc::serial::lowest");
  detail::ensure_size(scratch.path, n, "dromos::scc::serial::path");
  detail::ensure_size(scratch.own, n, "dromos::scc::serial::own");
  detail::ensure_size(scratch.waiting, n, "dromos::scc::serial::waiting");
  detail::ensure_size(scratch.next_edge, n, "dromos::scc::serial::next_edge");
  return {scratch.lowest.data(), scratch.path.data(), scratch.own.data(), scratch.waiting.data(),
          scratch.next_edge.data()};
}

/// Visits `vertices` (all of them unsettled) and what they reach over the edges for which leads_to(u, edge, v) says so;
/// calls settle(v, label) once for each vertex, label being the smallest vertex of its component.
///
/// \param graph  a view that the host can read
template <class View, class Vertex, class LeadsTo, class Settle>
void tarjan(View graph, const Vertex* vertices, std::int64_t num_vertices, const LeadsTo& leads_to,
            const Settle& settle, const TarjanMemory<Vertex>& memory) {
  constexpr Vertex unvisited = -1;
  constexpr Vertex settled = std::numeric_limits<Vertex>::max();
  Vertex* const lowest = memory.lowest;
  Vertex* const path = memory.path;
  Vertex* const own = memory.own;
  Vertex* const waiting = memory.waiting;
  Offset* const next_edge = memory.next_edge;
  for (std::int64_t i = 0; i < num_vertices; ++i) lowest[vertices[i]] = unvisited;

  Vertex number = 0;  // of the next vertex to be entered
  std::int64_t depth = -1;
  std::int64_t num_waiting = 0;
  const auto enter = [&](Vertex v) {
    ++depth;
    path[depth] = v;
    own[depth] = lowest[v] = number++;
    const Offset first = graph.begin(v);
    next_edge[depth] = first;
    const Offset last = dromos::min<Offset>(graph.end(v), first + 32);
    for (Offset e = first; e < last; ++e) {
      const Vertex w = neighbor_of(graph, v, e);
      prefetch(&lowest[w]);
      if constexpr (detail::HasPrefetch<View>::value) graph.prefetch_row(w);
    }
  };
  for (std::int64_t i = 0; i < num_vertices; ++i) {
    if (lowest[vertices[i]] != unvisited) continue;
    enter(vertices[i]);
    while (depth >= 0) {
      const Vertex v = path[depth];
      const Offset last = graph.end(v);
      Offset e = next_edge[depth];
      Vertex low = lowest[v];
      Vertex child = no_vertex<Vertex>;
      for (; e < last; ++e) {
        const Vertex w = neighbor_of(graph, v, e);
        if (!leads_to(v, e, w)) continue;
        const Vertex theirs = lowest[w];
        if (theirs == unvisited) {
          child = w;
          break;
        }
        if (theirs < low) low = theirs;
      }
      lowest[v] = low;
      if (child != no_vertex<Vertex>) {
        next_edge[depth] = e;  // comes back to this edge, to see how low the child got
        enter(child);
        continue;
      }
      if (low < own[depth]) {  // on a cycle with an earlier vertex
        waiting[num_waiting++] = v;
        --depth;
        continue;
      }
      // A root: its component is itself and what has been waiting since it was entered.
      std::int64_t first = num_waiting;
      Vertex label = v;
      while (first > 0 && lowest[waiting[first - 1]] >= low) {
        --first;
        label = dromos::min(label, waiting[first]);
      }
      for (std::int64_t j = first; j < num_waiting; ++j) {
        lowest[waiting[j]] = settled;
        settle(waiting[j], label);
      }
      num_waiting = first;
      lowest[v] = settled;
      settle(v, label);
      --depth;
    }
  }
}

/// The same with memory for all vertices of the graph.
template <class View, class Vertex, class LeadsTo, class Settle>
void tarjan(View graph, const Vertex* vertices, std::int64_t num_vertices, const LeadsTo& leads_to,
            const Settle& settle, SerialSccScratch<Vertex>& scratch) {
  tarjan(graph, vertices, num_vertices, leads_to, settle,
         tarjan_memory(scratch, static_cast<std::size_t>(graph.num_vertices())));
}

/// Numbers the remaining vertices in the order of their list, and counts (rows empty) or copies (rows filled) the edges
/// between them.
template <class Vertex, class Memory>
struct ExtractRemaining {
  Bitmap<Memory> active;
  Kokkos::View<const Vertex*, Memory> position;
  Kokkos::View<Offset*, Memory> cursor;
  Kokkos::View<Vertex*, Memory> entries;
  bool copy;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (!active.test(v)) return false;
    const Offset at = atomic_fetch_add(&cursor.data()[position.data()[u]], Offset(1));
    if (copy) entries.data()[at] = position.data()[v];
    return false;
  }
};

template <class Vertex, class Memory>
struct LabelByPlace {
  Kokkos::View<const Vertex*, Memory> list, place;
  Kokkos::View<Vertex*, Memory> component;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { component(list(i)) = list(place(i)); }
};

/// component(list(i)) = list(place(i)): labels of the vertices of a list, which were numbered by their places in it.
template <class Space, class Vertex, class Memory>
void label_by_place(const char* label, const Space& space, const Kokkos::View<Vertex*, Memory>& list,
                    const Kokkos::View<Vertex*, Memory>& place, std::int64_t count,
                    const Kokkos::View<Vertex*, Memory>& component) {
  for_range(label, space, count, LabelByPlace<Vertex, Memory>{list, place, component});
}

template <class Memory>
struct ScanRows {
  std::int64_t count;
  Kokkos::View<Offset*, Memory> row_map, cursor;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& sum, bool final) const {
    const Offset degree = i < count ? cursor(i) : 0;
    if (final) {
      row_map(i) = sum;
      if (i < count) cursor(i) = sum;
    }
    sum += degree;
  }
};

/// The graph of the remaining vertices, renumbered by their place in scratch.remaining. Uses scratch.color.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
CsrGraph<Vertex, Memory> extract_remaining(const Space& space,
                                           SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                                           const Strategy& strategy) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t count = scratch.remaining.num_vertices();
  const auto list = scratch.remaining.queue();
  detail::ensure_size(scratch.color, static_cast<std::size_t>(scratch.num_vertices()), "dromos::scc::color");
  const auto position = scratch.color;
  detail::number_listed("dromos::scc::serial::number", space, list, count, position);

  CsrGraph<Vertex, Memory> part;
  part.row_map = Kokkos::View<Offset*, Memory>("dromos::scc::serial::row_map", count + 1);
  const Kokkos::View<Offset*, Memory> cursor("dromos::scc::serial::cursor", count);
  ExtractRemaining<Vertex, Memory> extract{scratch.active, position, cursor, part.entries, false};
  visit_edges(space, view_of(scratch.graph), scratch.remaining, NoSink{}, extract, strategy);
  Offset num_edges = 0;
  Kokkos::parallel_scan("dromos::scc::serial::rows", Range(space, 0, count + 1),
                        ScanRows<Memory>{count, part.row_map, cursor}, num_edges);
  part.entries = Kokkos::View<Vertex*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::scc::serial::entries"), num_edges);
  extract.entries = part.entries;
  extract.copy = true;
  visit_edges(space, view_of(scratch.graph), scratch.remaining, NoSink{}, extract, strategy);
  fence(space, "dromos::scc::serial::extract");
  return part;
}

}  // namespace scc_detail

/// Settles all active vertices by one host thread.
///
/// \param component  out: the labels of the settled vertices
/// \param strategy   of the two sweeps that extract the remaining graph, where it does not lie in host memory
/// Cost: the active vertices and their edges once, each a step of a depth-first search; the copy of that part of the
/// graph to the host where it is elsewhere. Waits.
template <class Space, class Vertex, class Memory, class Graph, class InEdges>
SccStep settle_serially(const Space& space, SccScratch<Vertex, Memory, Vertex, Graph, InEdges>& scratch,
                        const Kokkos::View<Vertex*, Memory>& component, const Strategy& strategy) {
  const ScopedRegion region("dromos::scc::serial");
  const Kokkos::Timer timer;
  SccStep step{"serial"};
  scc_detail::list_active(space, scratch);
  const std::int64_t count = scratch.num_active;
  step.num_settled = count;
  if constexpr (host_accessible<Memory>) {
    fence(space, "dromos::scc::serial");
    const auto active = scratch.active;
    Vertex* const label_of = component.data();
    scc_detail::tarjan(
        view_of(scratch.graph), scratch.remaining.queue().data(), count,
        [&](Vertex, Offset, Vertex v) { return active.test(v); }, [&](Vertex v, Vertex label) { label_of[v] = label; },
        scratch.serial);
  } else if (count > 0) {
    const auto part = copy_to<Kokkos::HostSpace>(scc_detail::extract_remaining(space, scratch, strategy));
    step.num_sweeps = 2;
    const Kokkos::View<Vertex*, Kokkos::HostSpace> everyone("dromos::scc::serial::everyone", count);
    for (std::int64_t i = 0; i < count; ++i) everyone(i) = static_cast<Vertex>(i);
    const Kokkos::View<Vertex*, Kokkos::HostSpace> label("dromos::scc::serial::label", count);
    scc_detail::tarjan(
        part.view(), everyone.data(), count, [](Vertex, Offset, Vertex) { return true; },
        [&](Vertex v, Vertex smallest) { label(v) = smallest; }, scratch.serial);
    // The list ascends, so the smallest position is the smallest vertex.
    const Kokkos::View<Vertex*, Memory> label_there = Kokkos::create_mirror_view_and_copy(Memory(), label);
    const auto list = scratch.remaining.queue();
    scc_detail::label_by_place("dromos::scc::serial::label", space, list, label_there, count, component);
    fence(space, "dromos::scc::serial");
  }
  clear(space, scratch.active);
  scratch.num_active = 0;
  step.seconds = timer.seconds();
  return step;
}

/// The same on a part of a distributed graph: what is left is gathered on every rank where it is little
/// (distributed/parts/label_few_arcs.hpp), otherwise on the first (distributed/parts/label_on_one_rank.hpp), which must
/// have the memory for it: 40 bytes an arc and a vertex (80 with 64-bit ids).
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo>
SccStep settle_serially(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                        const Kokkos::View<Label*, Memory>& component, const Strategy& strategy, const AnyHalo& halo) {
  if constexpr (AnyHalo::is_whole) {
    return settle_serially(space, scratch, component, strategy);
  } else {
    const ScopedRegion region("dromos::scc::serial");
    const Kokkos::Timer timer;
    SccStep step{"serial"};
    step.num_settled = scratch.num_active;
    using OnHost = Kokkos::View<Label*, Kokkos::HostSpace>;
    const auto solve = [&](const CsrGraph<Label, Kokkos::HostSpace>& graph, const OnHost& numbers,
                           const OnHost& labels) {
      const std::int64_t n = graph.num_vertices();
      const OnHost everyone("dromos::scc::serial::everyone", n);
      for (std::int64_t v = 0; v < n; ++v) everyone(v) = static_cast<Label>(v);
      const OnHost smallest("dromos::scc::serial::smallest", n);
      Kokkos::deep_copy(smallest, numbers);
      scc_detail::tarjan(
          graph.view(), everyone.data(), n, [](Label, Offset, Label) { return true; },
          [&](Label v, Label first) {
            labels(v) = first;
            smallest(first) = dromos::min(smallest(first), numbers(v));
          },
          scratch.serial);
      for (std::int64_t v = 0; v < n; ++v) labels(v) = smallest(labels(v));
    };
    const auto rows = view_of(scratch.graph);
    // Whose component is not known is labelled with itself.
    if (!halo.label_few_arcs(space, rows, scratch.active, scratch.num_active, component, solve)) {
      scc_detail::list_active(space, scratch, halo);
      detail::ensure_size(scratch.slot, component.extent(0), "dromos::scc::slot");
      halo.label_on_one_rank(space, rows, scratch.active, scratch.remaining.queue(), scratch.remaining.num_vertices(),
                             scratch.slot, component, solve);
      halo.template unite<Smallest<Label>>(space, component);
    }
    clear(space, scratch.active);
    scratch.num_active = 0;
    step.num_sweeps = 2;
    step.seconds = timer.seconds();
    return step;
  }
}

}  // namespace dromos
