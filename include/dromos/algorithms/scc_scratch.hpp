// SPDX-License-Identifier: BSD-3-Clause
// What all steps of a decomposition into strongly connected components share: the graph in both directions, the set of
// vertices whose component is not known yet, and the memory they work in.
//
// A step takes vertices out of `active` and gives each its final label, the smallest vertex of its component. Steps can
// therefore follow each other in any order, and whatever is left can always be finished by another one.
//
// On a part of a distributed graph (traverse/no_halo.hpp) labels and colors are numbers of the whole graph, num_active
// counts the vertices of all ranks, and the bits of `active` are right for copies, too, before and after each step.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/impl/contraction.hpp>
#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <type_traits>

namespace dromos {

/// Memory of the serial finish, in host space; allocated when first needed. 20 bytes a vertex (32 with 64-bit ids).
template <class Vertex>
struct SerialSccScratch {
  Kokkos::View<Vertex*, Kokkos::HostSpace> lowest, path, own, waiting;
  Kokkos::View<Offset*, Kokkos::HostSpace> next_edge;
};

/// Allocated once per graph and reused from call to call: about 16 bytes a vertex (28 with 64-bit ids), and 12 more
/// (24) once a step colors or partitions.
///
/// Label: the type of vertex numbers in the whole graph. Graph, InEdges: a CsrGraph, or any graph view
/// (graph/graph_view.hpp). Who writes SccScratch(graph, reversed_graph) need not name them.
template <class Vertex, class Memory, class Label = Vertex, class Graph = CsrGraph<Vertex, Memory>,
          class InEdges = Graph>
struct SccScratch {
  Graph graph;
  /// The graph turned round; the graph itself where it is undirected.
  InEdges reversed;

  /// Vertices whose component is not known yet, and how many they are.
  Bitmap<Memory> active;
  std::int64_t num_active = 0;
  /// What work costs here, on all ranks together; said where a decomposition begins.
  WorkPrices prices;
  /// The active vertices as a list, where a step made one.
  Frontier<Vertex, Memory> remaining;

  Frontier<Vertex, Memory> frontier, next;
  SweepFusion<Memory> fusion;
  SweepMarks<Memory> marks;
  Bitmap<Memory> forward, backward, before;
  /// Nothing but zeros.
  Bitmap<Memory> nothing;
  Kokkos::View<Label*, Memory> color, part, slot;
  /// Of a part: what is taken from the counts of others' vertices.
  Kokkos::View<Label*, Memory> taken;
  SerialSccScratch<Label> serial;
  /// Empty until a step contracts.
  scc_detail::Contraction<Vertex, Memory> contraction;

  SccScratch() = default;

  /// \param reversed_graph  transpose(graph), or the graph itself where it is undirected
  /// \throws ArgumentError where the two differ in size
  SccScratch(const Graph& graph_to_decompose, const InEdges& reversed_graph)
      : graph(graph_to_decompose), reversed(reversed_graph) {
    check_graph_and_transpose("SccScratch", graph, reversed);
    make_room();
  }
  /// Of a part of a distributed graph, whose edges and edges turned round need not be as many.
  static SccScratch of_part(const Graph& out_edges, const InEdges& in_edges) {
    SccScratch scratch;
    scratch.graph = out_edges;
    scratch.reversed = in_edges;
    scratch.make_room();
    return scratch;
  }

  std::int64_t num_vertices() const { return graph.num_vertices(); }
  std::int64_t num_words() const { return static_cast<std::int64_t>(active.words().extent(0)); }

 private:
  void make_room() {
    const std::int64_t n = graph.num_vertices();
    const Offset num_edges = graph.num_edges() + reversed.num_edges();  // of sweeps in both directions at once
    for (Bitmap<Memory>* bitmap : {&active, &forward, &backward, &before, &nothing}) {
      *bitmap = Bitmap<Memory>(n, "dromos::scc::bits");
    }
    for (Frontier<Vertex, Memory>* list : {&remaining, &frontier, &next}) *list = {n, num_edges};
  }
};

template <class Graph, class InEdges>
SccScratch(const Graph&, const InEdges&)
    -> SccScratch<vertex_type_of<Graph>, memory_space_of<Graph>, vertex_type_of<Graph>, Graph, InEdges>;

/// What a step did.
struct SccStep {
  const char* name = "";
  std::int64_t num_settled = 0;  ///< vertices whose component it found
  std::int64_t num_sweeps = 0;   ///< kernels over edges; rounds of contraction
  double seconds = 0;
};

namespace scc_detail {

/// Sweeps that are paid for before they run; those that follow in the same launch afterwards, and without its price.
struct PaidSweeps : NoWatch {
  const WorkPrices prices;
  WorkBudget& budget;
  SccStep& step;
  bool paid = false;

  bool may_sweep(const WorkSetSize& work) {
    paid = budget.spend(prices.push(work.num_vertices, work.num_edges));
    return paid;
  }
  std::int64_t most_sweeps() const {
    return 1 +
           static_cast<std::int64_t>(dromos::min(budget.left() / prices.fused_push(1, 1), double(most_fused_sweeps)));
  }
  Offset most_edges_fused() const { return prices.most_edges_fused; }
  void swept(const WorkSetSize& work, double) {
    if (!paid) budget.spend(prices.fused_push(work.num_vertices, work.num_edges));
    paid = false;
    ++step.num_sweeps;
  }
};

/// Makes `bitmap` the set of all n vertices.
template <class Space, class Memory>
void fill(const Space& space, const Bitmap<Memory>& bitmap) {
  for_range("dromos::scc::fill", space, bitmap.words().extent(0),
            detail::SetFirstBits<Memory>{bitmap.words(), bitmap.size()});
}

template <class Memory>
struct CountBits {
  BitmapWords<Memory> words;
  std::int64_t end;  ///< of the bits that count
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum) const {
    const std::int64_t rest = end - w * Bitmap<Memory>::bits_per_word;
    const auto mask = rest >= Bitmap<Memory>::bits_per_word ? ~std::uint32_t(0) : (std::uint32_t(1) << rest) - 1;
    sum += population_count(words(w) & mask);
  }
};

/// How many of the first `end` bits of a bitmap are set. Waits.
template <class Space, class Memory>
std::int64_t count_bits(const Space& space, const Bitmap<Memory>& bitmap, std::int64_t end) {
  constexpr std::int64_t bits_per_word = Bitmap<Memory>::bits_per_word;
  std::int64_t size = 0;
  Kokkos::parallel_reduce(
      "dromos::scc::count_members",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, (end + bits_per_word - 1) / bits_per_word),
      CountBits<Memory>{bitmap.words(), end}, size);
  return size;
}

/// The size of a set, of all ranks. Waits.
template <class Space, class Memory, class AnyHalo = NoHalo>
std::int64_t count_members(const Space& space, const Bitmap<Memory>& bitmap, const AnyHalo& halo = {}) {
  if constexpr (AnyHalo::is_whole) {
    return count_bits(space, bitmap, bitmap.size());
  } else {
    return halo.count(space, bitmap);
  }
}

/// Makes `list` the ascending list of those members of a set that have rows here. Waits.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
void list_members(const Space& space, const SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                  const Bitmap<Memory>& members, Frontier<Vertex, Memory>& list, const AnyHalo& halo = {}) {
  std::int64_t count = compact_difference(space, members, scratch.nothing, list.queue());
  if constexpr (!AnyHalo::is_whole) count = count_bits(space, members, halo.num_rows(scratch.graph));
  list.set_counts(count);
}

/// Makes scratch.remaining the ascending list of active vertices and brings num_active up to date.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
void list_active(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                 const AnyHalo& halo = {}) {
  list_members(space, scratch, scratch.active, scratch.remaining, halo);
  scratch.num_active = scratch.remaining.num_vertices();
  if constexpr (!AnyHalo::is_whole) scratch.num_active = count_members(space, scratch.active, halo);
}

/// Makes `list` the members of a set, and counts the edges that leave them, for a sweep of `graph`. Waits.
template <class Space, class View, class Vertex, class Memory, class Label, class Graph, class InEdges,
          class AnyHalo = NoHalo>
void begin_with(const Space& space, const View& graph, const SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                const Bitmap<Memory>& members, Frontier<Vertex, Memory>& list, const AnyHalo& halo = {}) {
  list_members(space, scratch, members, list, halo);
  list.ensure_num_edges(space, graph);
}

/// What several ranks can do: their threads work together, and a sweep is settled between them.
template <class Each>
WorkPrices prices_of_all(const Each& ranks) {
  constexpr double settling = 50000;  // some five exchanges between processes, of nothing
  WorkPrices prices = ranks.front().prices;
  prices.speedup = 0;
  for (const auto& rank : ranks) {
    prices.speedup += rank.prices.speedup;
    prices.launch = dromos::max(prices.launch, rank.prices.launch);
    prices.large = dromos::max(prices.large, rank.prices.large);
  }
  prices.launch += settling;
  return prices;
}

/// One sweep over the edges of a list of vertices, in whichever direction; does not wait.
template <class Space, class View, class Vertex, class Memory, class Sink, class Operator>
void visit_edges(const Space& space, const View& graph, Frontier<Vertex, Memory>& list, const Sink& sink,
                 const Operator& op, const Strategy& strategy) {
  list.set_counts(list.num_vertices());  // what it knew was about the other direction
  sweep_frontier(
      space, graph, list, [&](bool) { return sink; }, op, strategy);
}

/// In three passes over a list: the smallest vertex of each component is found in the slot of the vertex that the
/// component is called by.
template <class Vertex, class Memory>
struct NameBySmallest {
  Kokkos::View<const Vertex*, Memory> list;
  Kokkos::View<Vertex*, Memory> component, smallest;
  enum { begin, find, label } pass;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = list(i);
    if (pass == begin) {
      smallest(v) = v;
    } else if (pass == find) {
      Vertex* const slot = &smallest(component(v));
      if (atomic_load(slot) > v) atomic_fetch_min(slot, v);
    } else {
      component(v) = smallest(component(v));
    }
  }
};

template <class Memory>
struct TakeAway {
  BitmapWords<Memory> from, what;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const { from(w) &= ~what(w); }
};

/// Takes the bits of a set out of another. Does not wait.
template <class Space, class Memory>
void take_away(const Space& space, const Bitmap<Memory>& from, const Bitmap<Memory>& what) {
  for_range("dromos::scc::settle", space, from.words().extent(0), TakeAway<Memory>{from.words(), what.words()});
}

/// Takes the vertices of a set out of the active ones, on all ranks. Waits where there are several.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
void deactivate(const Space& space, const SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                const Bitmap<Memory>& settled, const AnyHalo& halo = {}) {
  take_away(space, scratch.active, settled);
  halo.spread_bits(space, scratch.active);
}

/// Takes the vertices of `settled` out of the active ones; component(v) of each is some vertex r of its component with
/// component(r) == r, the same for the whole component, and becomes its smallest one. Uses scratch.slot.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
void settle_by_representative(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                              const Bitmap<Memory>& settled, const Kokkos::View<Label*, Memory>& component,
                              const AnyHalo& halo = {}) {
  list_members(space, scratch, settled, scratch.frontier, halo);
  const std::int64_t count = scratch.frontier.num_vertices();
  if constexpr (AnyHalo::is_whole) {
    detail::ensure_size(scratch.slot, component.extent(0), "dromos::scc::slot");
    using Name = NameBySmallest<Vertex, Memory>;
    Name name{scratch.frontier.queue(), component, scratch.slot, Name::begin};
    for (const auto pass : {Name::begin, Name::find, Name::label}) {
      name.pass = pass;
      Kokkos::parallel_for("dromos::scc::name_by_smallest",
                           Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count), name);
    }
  } else {
    halo.name_by_smallest(space, scratch.frontier.queue(), count, component);
  }
  deactivate(space, scratch, settled, halo);
}

}  // namespace scc_detail
}  // namespace dromos
