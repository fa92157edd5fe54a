// SPDX-License-Identifier: BSD-3-Clause
// Multistep: each of the methods for strongly connected components where it is strong.
//
//   1. simple trimming     most components of most graphs are single vertices with no way in or no way out
//   2. forward-backward    one giant component, from the vertex with the largest product of degrees
//   3. complete trimming   where there are many threads
//   4. coloring            many components at once, while many vertices are left and there are many threads
//   5. contraction         on GPUs: many vertices in a graph that is too deep for the searches of 2 to 4
//   6. pieces              on CPUs: what falls to pieces without the giant component, a piece a thread
//   7. serial finish       few vertices, or on CPUs components that hang together in long chains
//
// Steps 2 to 4 are fast where the graph is shallow and hopeless where it is deep: a search of a thousand levels
// launches a thousand kernels for a few edges each. So they work on a budget (algorithms/impl/work_budget.hpp), a fixed
// part of what the serial algorithm would need for the whole graph. When a sweep cannot be paid for, the serial finish
// takes what is left, and in the worst case the budget was spent in vain:
//
//   time <= waste_limit * serial time on the graph + serial time on what is left <= (1 + waste_limit) * serial time
//
// Where four threads or more may finish by pieces, the giant component's two searches have more to gain: while they get
// on so well that they would end within three times the budget, they may take that. What is left then falls to pieces,
// and steps 3 and 4 have nothing to add.
//
// Where contraction follows, a search that goes on for long is not worth even that much, and gets the price of
// `max_num_probes` short sweeps beside that of the edges.
//
// Sources: Slota, Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected Components
// and Related Problems", IPDPS 2014; Slota et al. 2015, Sections II-D and IV-D. The budget is ours.
#pragma once

#include <dromos/algorithms/impl/near_numbers.hpp>
#include <dromos/algorithms/impl/scc_color.hpp>
#include <dromos/algorithms/impl/scc_contraction.hpp>
#include <dromos/algorithms/impl/scc_forward_backward.hpp>
#include <dromos/algorithms/impl/scc_pieces.hpp>
#include <dromos/algorithms/impl/scc_serial.hpp>
#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/algorithms/trim.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <limits>
#include <vector>

namespace dromos {

struct MultistepOptions {
  /// What the parallel steps may waste, as a part of the time of the serial algorithm on the whole graph. 0: always
  /// serial; infinity: no guard, as in the published method.
  double waste_limit = 0.3;
  /// Complete trimming and coloring are done while more vertices than this are left; the serial finish does the rest.
  /// -1: chosen by the number of threads, see default_serial_cutoff().
  std::int64_t serial_cutoff = -1;
  /// What is left in the end, or where the budget is exhausted, is contracted while more vertices than this are left;
  /// the serial finish does the rest. -1: chosen by the kind of machine, see default_contraction_cutoff().
  std::int64_t contraction_cutoff = -1;
};

/// Vertices that one host thread finishes sooner than all threads of `space` would by further parallel steps. A round
/// of coloring visits each edge several times, and takes two or three rounds: fewer than 16 threads are never faster.
/// Otherwise the published code's 10,000, and ten times that where the launches of a GPU count.
template <class Space>
std::int64_t default_serial_cutoff(const Space& space) {
  if (is_gpu<Space>) return 100000;
  return space.concurrency() < 16 ? std::numeric_limits<std::int64_t>::max() : 10000;
}

/// Vertices that one host thread finishes sooner than a GPU would contract them: a round costs its kernels and a
/// synchronisation, however few vertices are left. CPUs do not contract.
template <class Space>
std::int64_t default_contraction_cutoff() {
  return is_gpu<Space> ? 2000 : std::numeric_limits<std::int64_t>::max();
}

namespace scc_detail {

/// Is a step from a vertex to its neighbor one to anywhere in memory, for a host thread? Of a part of a distributed
/// graph: on most ranks. A GPU's graph is not looked at, and what it leaves to the host is little.
template <class Space, class Graph, class AnyHalo>
bool neighbors_lie_anywhere([[maybe_unused]] const Graph& graph, [[maybe_unused]] const AnyHalo& halo) {
  if constexpr (is_gpu<Space>) {
    return false;
  } else {
    const detail::Nearness nearness = detail::nearness_of_numbers(view_of(graph));
    std::int64_t votes[2] = {nearness == detail::Nearness::far, nearness == detail::Nearness::near};
    halo.sum_in_place(votes, 2);
    return votes[0] > votes[1];
  }
}

}  // namespace scc_detail

/// Labels every vertex with the smallest vertex of its strongly connected component.
///
/// \param component  out: num_vertices elements
/// \param halo       of a part of a distributed graph: that of the part. There is then no contraction; the serial
/// finish
///                   takes place on the first rank
/// \returns what each step did
/// Cost: on graphs with one giant component a small part of the edges, see settle_component_of(); at worst
/// 1 + waste_limit times the serial algorithm, with four threads of a CPU or more 1 + 3 * waste_limit times. Waits.
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
std::vector<SccStep> decompose_by_multistep(const Space& space,
                                            SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                                            const Kokkos::View<Label*, Memory>& component, const Strategy& strategy,
                                            const MultistepOptions& options = {}, const AnyHalo& halo = {}) {
  const std::int64_t cutoff =
      options.serial_cutoff >= 0 ? options.serial_cutoff : halo.min(default_serial_cutoff(space));
  std::int64_t contraction_cutoff =
      options.contraction_cutoff >= 0 ? options.contraction_cutoff : default_contraction_cutoff<Space>();
  if constexpr (!AnyHalo::is_whole) contraction_cutoff = std::numeric_limits<std::int64_t>::max();
  constexpr double min_num_sweeps = 24;  // what a search forward and back needs in a shallow graph
  constexpr double max_num_probes = 32;  // short sweeps after which a graph counts as deep where contraction follows
  // Finding pieces takes half as long as their searches, which two threads do not make up for.
  constexpr int min_threads_for_pieces = 4;
  constexpr std::int64_t min_in_pieces = 8192;  // fewer vertices one thread finishes sooner
  constexpr double most_if_well = 3;            // times the limit
  constexpr std::int64_t giant_part = 8;        // behind a smaller one the rest is as good as one piece
  std::vector<SccStep> steps;
  const Kokkos::Timer timer;
  const SimpleTrim<Label> trimmed = trim_simple(space, scratch, component, halo);
  const WorkPrices& prices = scratch.prices;
  steps.push_back({"trim-simple", trimmed.num_trimmed, 0, timer.seconds()});
  // The serial algorithm would not get away without a look at the trimmed vertices either; this is the lower bound.
  const Offset num_edges = halo.num_arcs(scratch.graph);
  const bool far = scc_detail::neighbors_lie_anywhere<Space>(scratch.graph, halo);
  const double serial_price =
      far ? prices.serial_far(scratch.num_active, num_edges) : prices.serial(scratch.num_active, num_edges);
  double limit = options.waste_limit * serial_price;
  if (scratch.num_active > contraction_cutoff && limit < std::numeric_limits<double>::infinity()) {
    limit = dromos::min(limit, max_num_probes * prices.launch + 2 * prices.push(scratch.num_active, num_edges));
  }
  WorkBudget budget(limit);
  budget.spend(prices.pass(halo.num_vertices(scratch.graph)));
  // A graph of a few thousand vertices is done before the threads have begun.
  if (budget.left() < min_num_sweeps * prices.launch) budget.spend(budget.left() + 1);
  const auto go_on = [&] { return scratch.num_active > 0 && !budget.exhausted(); };
  constexpr bool may_have_pieces = AnyHalo::is_whole && !is_gpu<Space>;
  const bool by_pieces = may_have_pieces && space.concurrency() >= min_threads_for_pieces && options.waste_limit > 0;
  bool falls_to_pieces = false;
  const auto many_left = [&] { return go_on() && scratch.num_active > cutoff && !falls_to_pieces; };
  if (go_on()) {
    ReachabilityOptions search;
    if (far) search.fused = prices.fused_far;
    if (by_pieces) {
      // Its bitmaps are in the caches; beside the giant component there are the pieces to gain.
      search.push_edge = 3;
      search.push_to_pull = prices.pull_edge / search.push_edge;
      search.limit_if_well = most_if_well * limit;
    }
    const std::int64_t num_active = scratch.num_active;
    steps.push_back(settle_component_of(space, scratch, trimmed.pivot, component, strategy, budget, search, halo));
    falls_to_pieces = by_pieces && steps.back().num_settled >= num_active / giant_part;
    budget.set_limit(limit);
  }
  if (many_left()) steps.push_back(trim_complete(space, scratch, strategy, budget, halo));
  if (many_left()) {
    steps.push_back(settle_by_coloring(space, scratch, component, cutoff, strategy, budget, halo));
  }
  if constexpr (AnyHalo::is_whole) {
    if (scratch.num_active > contraction_cutoff) {
      const SccContractionSteps last = settle_by_contraction(space, scratch, component, contraction_cutoff, strategy);
      steps.push_back(last.contraction);
      if (last.serial.num_settled > 0) steps.push_back(last.serial);
    }
  }
  if constexpr (may_have_pieces) {
    if (falls_to_pieces && scratch.num_active >= min_in_pieces) {
      steps.push_back(settle_by_pieces(space, scratch, component));
    }
  }
  if (scratch.num_active > 0) steps.push_back(settle_serially(space, scratch, component, strategy, halo));
  return steps;
}

}  // namespace dromos
