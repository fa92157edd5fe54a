// SPDX-License-Identifier: BSD-3-Clause
// What all steps of a decomposition into strongly connected components share: the graph in both directions, the set of
// vertices whose component is not known yet, and the memory they work in.
//
// A step takes vertices out of `active` and gives each its final label, the smallest vertex of its component. Steps can
// therefore follow each other in any order, and whatever is left can always be finished by another one.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/contraction.hpp>
#include <dromos/algorithms/work_budget.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <string>
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
template <class Vertex, class Memory>
struct SccScratch {
  CsrGraph<Vertex, Memory> graph;
  /// The graph turned round; the graph itself where it is undirected.
  CsrGraph<Vertex, Memory> reversed;

  /// Vertices whose component is not known yet, and how many they are.
  Bitmap<Memory> active;
  std::int64_t num_active = 0;
  /// The active vertices as a list, where a step made one.
  Frontier<Vertex, Memory> remaining;

  Frontier<Vertex, Memory> frontier, next;
  SweepFusion<Memory> fusion;
  SweepMarks<Memory> marks;
  Bitmap<Memory> forward, backward, before;
  /// Nothing but zeros.
  Bitmap<Memory> nothing;
  Kokkos::View<Vertex*, Memory> color, part, slot;
  SerialSccScratch<Vertex> serial;
  /// Empty until a step contracts.
  scc_detail::Contraction<Vertex, Memory> contraction;

  SccScratch() = default;

  /// \param reversed_graph  transpose(graph), or the graph itself where it is undirected
  /// \throws ArgumentError where the two differ in size
  SccScratch(const CsrGraph<Vertex, Memory>& graph_to_decompose, const CsrGraph<Vertex, Memory>& reversed_graph)
      : graph(graph_to_decompose),
        reversed(reversed_graph),
        active(graph.num_vertices(), "dromos::scc::active"),
        remaining(graph.num_vertices(), graph.num_edges()),
        frontier(graph.num_vertices(), graph.num_edges()),
        next(graph.num_vertices(), graph.num_edges()),
        forward(graph.num_vertices(), "dromos::scc::forward"),
        backward(graph.num_vertices(), "dromos::scc::backward"),
        before(graph.num_vertices(), "dromos::scc::before"),
        nothing(graph.num_vertices(), "dromos::scc::nothing") {
    if (graph.num_vertices() != reversed.num_vertices() || graph.num_edges() != reversed.num_edges()) {
      throw ArgumentError("SccScratch takes a graph and its transpose, but the first has " +
                          std::to_string(graph.num_vertices()) + " vertices and " + std::to_string(graph.num_edges()) +
                          " edges and the second " + std::to_string(reversed.num_vertices()) + " and " +
                          std::to_string(reversed.num_edges()));
    }
  }

  std::int64_t num_vertices() const { return graph.num_vertices(); }
  std::int64_t num_words() const { return static_cast<std::int64_t>(active.words().extent(0)); }
};

/// What a step did.
struct SccStep {
  const char* name = "";
  std::int64_t num_settled = 0;  ///< vertices whose component it found
  std::int64_t num_sweeps = 0;   ///< kernels over edges; rounds of contraction
  double seconds = 0;
};

namespace scc_detail {

/// Sweeps that are paid for before they run; those that follow in the same launch afterwards, and without its price.
struct PaidSweeps {
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
  void swept(const WorkSetSize& work, double) {
    if (!paid) budget.spend(prices.fused_push(work.num_vertices, work.num_edges));
    paid = false;
    ++step.num_sweeps;
  }
};

/// Makes `bitmap` the set of all n vertices.
template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE void fill(const Space& space, const Bitmap<Memory>& bitmap) {
  const auto words = bitmap.words();
  const std::int64_t n = bitmap.size();
  Kokkos::parallel_for(
      "dromos::scc::fill",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(words.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t w) {
        const std::int64_t rest = n - w * Bitmap<Memory>::bits_per_word;
        words(w) = rest >= Bitmap<Memory>::bits_per_word ? ~std::uint32_t(0) : (std::uint32_t(1) << rest) - 1;
      });
}

/// The size of a set. Waits.
template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE std::int64_t count_members(const Space& space, const Bitmap<Memory>& bitmap) {
  const auto words = bitmap.words();
  std::int64_t size = 0;
  Kokkos::parallel_reduce(
      "dromos::scc::count_members",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(words.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t w, std::int64_t& sum) { sum += population_count(words(w)); }, size);
  return size;
}

/// Makes scratch.remaining the ascending list of active vertices and brings num_active up to date.
template <class Space, class Vertex, class Memory>
void list_active(const Space& space, SccScratch<Vertex, Memory>& scratch) {
  scratch.num_active = compact_difference(space, scratch.active, scratch.nothing, scratch.remaining.queue());
  scratch.remaining.set_counts(scratch.num_active);
}

/// One sweep over the edges of a list of vertices, in whichever direction; does not wait.
template <class Space, class Vertex, class Memory, class Sink, class Operator>
void visit_edges(const Space& space, const CsrView<Vertex, Memory>& graph, Frontier<Vertex, Memory>& list,
                 const Sink& sink, const Operator& op, const Strategy& strategy) {
  list.set_counts(list.num_vertices());  // what it knew was about the other direction
  sweep_frontier(
      space, graph, list, [&](bool) { return sink; }, op, strategy);
}

/// Takes the vertices of `settled` out of the active ones; component(v) of each is some vertex r of its component with
/// component(r) == r, the same for the whole component, and becomes its smallest one. Uses scratch.slot.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void settle_by_representative(const Space& space, SccScratch<Vertex, Memory>& scratch,
                                                    const Bitmap<Memory>& settled,
                                                    const Kokkos::View<Vertex*, Memory>& component) {
  detail::ensure_size(scratch.slot, component.extent(0), "dromos::scc::slot");
  const auto smallest = scratch.slot;
  const std::int64_t count = compact_difference(space, settled, scratch.nothing, scratch.frontier.queue());
  scratch.frontier.set_counts(count);
  const auto list = scratch.frontier.queue();
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      "dromos::scc::smallest_start", Range(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i) { smallest(list(i)) = list(i); });
  Kokkos::parallel_for(
      "dromos::scc::smallest", Range(space, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
        const Vertex v = list(i);
        Vertex* const slot = &smallest(component(v));
        if (atomic_load(slot) > v) Kokkos::atomic_fetch_min(slot, v);
      });
  Kokkos::parallel_for(
      "dromos::scc::label", Range(space, 0, count),
      KOKKOS_LAMBDA(const std::int64_t i) { component(list(i)) = smallest(component(list(i))); });
  const auto active = scratch.active.words();
  const auto done = settled.words();
  Kokkos::parallel_for(
      "dromos::scc::settle", Range(space, 0, scratch.num_words()),
      KOKKOS_LAMBDA(const std::int64_t w) { active(w) &= ~done(w); });
}

}  // namespace scc_detail
}  // namespace dromos
