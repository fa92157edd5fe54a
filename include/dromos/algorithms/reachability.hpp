// SPDX-License-Identifier: BSD-3-Clause
// Which vertices of a set can be reached from a start without leaving the set: a breadth-first search that produces a
// bitmap, no levels and no parents, and is therefore free to go faster than one that does.
//
// It optimizes its direction as bfs_direction_optimizing() does, with a difference: a pull tests the very bitmap that
// it sets, so that what is found early in a sweep serves those who ask later, and one pull does the work of several
// levels. It ends with the same invariant as a level would: whatever was reached before the sweep has no unreached
// neighbor left, since that neighbor would have found it. So only the newly reached ones, the difference of the bitmap
// to its copy from before, can have one.
#pragma once

#include <cmath>
#include <dromos/algorithms/impl/work_budget.hpp>
#include <dromos/algorithms/scc_scratch.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/two_sums.hpp>
#include <dromos/traverse/find_first.hpp>

namespace dromos {

namespace scc_detail {

/// Push: claims neighbors inside the set.
template <class Vertex, class Memory>
struct ReachNeighbors {
  using Value = std::uint8_t;
  static constexpr bool adds = false;
  Bitmap<Memory> within, reached;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return both(within.test(v), !reached.test(v));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const { return reached.claim(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(Vertex, Vertex v, Offset) const { return reached.claim_alone(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool offer(Vertex, Vertex v, Offset) const { return take(v, 1); }
  KOKKOS_FORCEINLINE_FUNCTION bool offer_alone(Vertex u, Vertex v, Offset e) const { return edge_alone(u, v, e); }
  KOKKOS_FORCEINLINE_FUNCTION bool joins(Vertex) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION Value give(Vertex) const { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION bool take(Vertex v, Value) const { return within.test(v) && reached.set(v); }
};

/// The same inside each part of a partition at once.
template <class Vertex, class Memory>
struct ReachNeighborsInPart {
  Bitmap<Memory> within, reached;
  Kokkos::View<const Vertex*, Memory> part;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return both(within.test(v), !reached.test(v));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return part.data()[u] == part.data()[v] && reached.claim(v);
  }
};

/// Pull: u is reached when a neighbor is. A stale 0 of test() only delays u to the next sweep, see the invariant above:
/// a bit that was set before the sweep is never stale.
template <class Vertex, class Memory>
struct BeReached {
  Bitmap<Memory> reached;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(Vertex, Vertex v) const { return reached.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION void found(Vertex, Vertex) const {}
};

/// One pull by all vertices of `within` that are not reached; returns how many were. Leaves the budget exhausted if it
/// could not be paid to the end.
///
/// What a pull costs is known afterwards: who stays unreached has looked at all neighbors, who is reached at `looks` of
/// them. Before, it may be anything up to all in-edges. So as many words of the bitmap are pulled at once as could be
/// paid for if nobody were reached, then the bill is made, and so on. Where all of them could be paid for by what is
/// known of those that look, nobody counts before.
///
/// On a part of a distributed graph all words are pulled at once, or none; who is reached by that is settled between
/// the ranks that have rows of it.
///
/// \param left  in: those that look, and at least as many edges as they have; out: those that still do. Of all ranks
template <class Space, class Against, class Memory, class AnyHalo>
std::int64_t pull_once(const Space& space, const Against& against, const Bitmap<Memory>& within,
                       const Bitmap<Memory>& reached, WorkSetSize& left, double looks, const WorkPrices& prices,
                       WorkBudget& budget, SccStep& step, const AnyHalo& halo) {
  using Vertex = typename Against::vertex_type;
  constexpr std::int64_t bits_per_word = Bitmap<Memory>::bits_per_word;
  const auto all = looking<Vertex>(within, reached, reached);
  const auto vertices = halo.vertices();
  const std::int64_t num_words = (halo.num_rows(against) + bits_per_word - 1) / bits_per_word;
  const auto count = [&](const auto& slice) {
    const TwoSums own = count_looking(space, against, slice, vertices);
    std::int64_t work[2] = {static_cast<std::int64_t>(own.first), static_cast<std::int64_t>(own.second)};
    halo.sum_in_place(work, 2);
    return WorkSetSize{work[0], work[1]};
  };
  const auto price = [&](const WorkSetSize& work) {
    return prices.pull(work.num_vertices, static_cast<double>(work.num_edges));
  };
  const WorkSetSize known = left;
  left = {0, 0};
  std::int64_t num_new = 0;
  std::int64_t first = 0, last = 0;
  do {
    last = num_words;
    auto slice = all.part(first, last);
    WorkSetSize work = first == 0 && price(known) <= budget.left() ? known : count(slice);
    if (work.num_vertices == 0) break;
    while (price(work) > budget.left()) {
      const double worst = price(work);
      const auto affordable = static_cast<std::int64_t>(budget.left() / worst * static_cast<double>(last - first));
      // A slice worth less than its launch is no progress.
      if (!AnyHalo::is_whole || budget.left() < 2 * prices.launch || affordable == 0) {
        budget.spend(worst);
        return num_new;
      }
      last = first + affordable;
      slice = all.part(first, last);
      work = count(slice);
    }
    find_first(space, against, slice, NoSink{}, BeReached<Vertex, Memory>{reached});
    halo.unite_bits(space, reached);
    ++step.num_sweeps;
    const WorkSetSize still = count(slice);
    const std::int64_t new_in_slice = work.num_vertices - still.num_vertices;
    const double edges_looked_at =
        dromos::min(static_cast<double>(still.num_edges) + looks * static_cast<double>(new_in_slice),
                    static_cast<double>(work.num_edges));
    if (!budget.spend(prices.pull(work.num_vertices, edges_looked_at))) return num_new;
    num_new += new_in_slice;
    left.num_vertices += still.num_vertices;
    left.num_edges += still.num_edges;
    first = last;
  } while (first < num_words);
  return num_new;
}

}  // namespace scc_detail

struct ReachabilityOptions {
  /// Pull when the edges that leave the frontier are more than this part of what a pull must look at. Smaller pulls
  /// earlier.
  double push_to_pull = 0.1;
  /// Pull again as long as a pull reaches more vertices than this many times those that stay unreached.
  double pull_again = 0.25;
  /// What an edge costs that is pushed along, where that is known better than by the prices of the scratch; 0: it is
  /// not.
  double push_edge = 0;
  /// The same of a sweep in the launch of the one before.
  double fused = 0;
  /// The budget's limit, if larger than its own, while the search gets on so well that at this rate it would visit all
  /// edges within it; what it has had of the budget when it no longer does stays spent.
  double limit_if_well = 0;
};

/// Extends `reached` by all vertices of `within` that can be reached inside `within`.
///
/// \param along       a view of the edges in the direction of the search; `against` of the same edges turned round
/// \param scratch     scratch.frontier holds the start vertices with the number of their edges; scratch.next and
///                    scratch.before are overwritten
/// \param within      where the search may go; num_within its size
/// \param reached     in: the start vertices; out: everything reached, a subset of `within`
/// \param num_reached in and out: its size
/// \param halo        of a part of a distributed graph: that of the part; sizes are then those of all ranks
/// \returns false when the budget was exhausted; `reached` is then incomplete
/// Cost: at most the edges of the reached vertices, or of all vertices of the set for each pull; one host
/// synchronisation a sweep.
template <class Space, class Along, class Against, class Vertex, class Memory, class Label, class Graph, class InEdges,
          class AnyHalo = NoHalo>
bool extend_reachability(const Space& space, const Along& along, const Against& against,
                         SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch, const Bitmap<Memory>& within,
                         std::int64_t num_within, const Bitmap<Memory>& reached, std::int64_t& num_reached,
                         const Strategy& strategy, WorkBudget& budget, SccStep& step,
                         const ReachabilityOptions& options = {}, const AnyHalo& halo = {}) {
  WorkPrices prices = scratch.prices;
  if (options.push_edge > 0) prices.push_edge = options.push_edge;
  if (options.fused > 0) prices.fused = options.fused;
  const Offset num_arcs = halo.num_arcs(along);
  const auto num_edges = static_cast<double>(num_arcs);
  double edges_reached = 0;                   // edges that leave reached vertices
  std::int64_t num_joined = 0;                // here, by the last push
  WorkSetSize looking{num_within, num_arcs};  // for a pull, edges at most
  bool pulled = false;                        // what is looking has looked in vain
  const double limit = budget.limit(), spent_before = budget.spent();
  bool copies_know = false;  // of a part: all that is reached
  for (;;) {
    std::int64_t size[3] = {scratch.frontier.num_vertices(), scratch.frontier.num_edges(), num_joined};
    halo.sum_in_place(size, 3);
    num_reached += size[2];
    num_joined = 0;
    if (size[0] == 0 || num_reached == num_within) break;
    const double push_edges = static_cast<double>(size[1]);
    edges_reached += push_edges;
    const double unreached = static_cast<double>(num_within - num_reached);
    // The chance that an edge comes from a reached vertex is edges_reached / num_edges; nobody looks at more than all.
    const double pull_edges = dromos::min(unreached * num_edges / dromos::max(edges_reached, 1.0), num_edges);
    if (options.limit_if_well > limit) {
      const double rest = options.limit_if_well - spent_before;
      const bool gets_on =
          (budget.spent() - spent_before) * num_edges <= rest * dromos::max(edges_reached, num_edges / 8);
      budget.set_limit(gets_on ? options.limit_if_well : limit);
    }
    // Who has looked at all its edges in vain will look at most of them again: then a pull is no more than its edges.
    const bool in_vain =
        !is_gpu<Space> && AnyHalo::is_whole && pulled &&
        prices.push_edge * push_edges <= prices.pull_edge * static_cast<double>(looking.num_edges) * unreached /
                                             dromos::max(1.0, static_cast<double>(looking.num_vertices));
    if (push_edges <= options.push_to_pull * pull_edges || in_vain) {
      scc_detail::ReachNeighbors<Vertex, Memory> reach{within, reached};
      scc_detail::PaidSweeps paid{{}, prices, budget, step};
      if (!paid.may_sweep({size[0], size[1]})) return false;
      if constexpr (AnyHalo::is_whole) {
        if (sweep_fused(space, along, scratch.frontier, scratch.next, reach, scratch.fusion, paid)) {
          for (const WorkSetSize& work : scratch.fusion.work_sets) {
            num_reached += work.num_vertices;
            edges_reached += static_cast<double>(work.num_edges);
          }
          num_reached -= size[0];  // counted before, as were its edges; those of the last are counted again
          edges_reached -= push_edges + static_cast<double>(scratch.frontier.num_edges());
          continue;
        }
      }
      traverse(space, along, scratch.frontier, scratch.next, reach, strategy, halo);
      std::swap(scratch.frontier, scratch.next);
      num_joined = halo.count_listed(space, scratch.frontier.queue(), scratch.frontier.num_vertices());
      copies_know = false;
      ++step.num_sweeps;
      continue;
    }

    std::int64_t num_new = 0;
    for (bool again = true; again;) {
      if (!copies_know) halo.spread_bits(space, reached);
      copy(space, scratch.before.words(), reached.words());
      const double share = dromos::min(edges_reached / num_edges, 0.99);
      looking.num_vertices = num_within - num_reached;
      num_new = scc_detail::pull_once(space, against, within, reached, looking, std::log(1 / share) / (1 - share),
                                      prices, budget, step, halo);
      if (budget.exhausted()) return false;
      pulled = true;
      copies_know = num_new == 0;
      num_reached += num_new;
      edges_reached = num_edges * static_cast<double>(num_reached) / static_cast<double>(num_within);  // about
      const double num_unreached = static_cast<double>(num_within - num_reached);
      again = num_unreached > 0 && static_cast<double>(num_new) > options.pull_again * num_unreached;
      if constexpr (!AnyHalo::is_whole) {
        // Pushing means to list who is new, and to settle: where few are left, looking once more is less.
        const double price = prices.pull(looking.num_vertices, static_cast<double>(looking.num_edges)) +
                             prices.bit * static_cast<double>(halo.num_vertices(along)) / prices.speedup;
        again = again || (num_unreached > 0 && num_new > 0 && price <= 2 * prices.launch);
      }
    }
    if (num_reached == num_within || num_new == 0) break;
    // Of a part, too: the bits of copies have not changed since before, so that what is new has rows here.
    scratch.frontier.set_counts(compact_difference(space, reached, scratch.before, scratch.frontier.queue()));
    scratch.frontier.ensure_num_edges(space, along);
  }
  if (!copies_know) halo.spread_bits(space, reached);
  return true;
}

}  // namespace dromos
