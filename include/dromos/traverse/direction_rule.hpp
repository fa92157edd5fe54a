// SPDX-License-Identifier: BSD-3-Clause
// Forward or backward: whether the frontier looks for unvisited vertices, or these look for the frontier, each of them
// up to the first neighbor that is in it (traverse/find_first.hpp).
//
// The direction is chosen by comparing workloads (Pan et al. 2018, Section IV-B; the idea is Beamer, Asanovic and
// Patterson's, 2012), with s unvisited vertices and a the chance that an edge of theirs leads into the frontier:
//
//   FV = edges that leave the frontier
//   BV = s / a, the neighbors that s vertices must look at until each has found one
//
// Pan et al. estimate a by counting vertices, q / (q + s) for q in the frontier. Here it is counted in edges, FV over
// the edges of all vertices that are in the frontier or unvisited: a frontier of few hubs is found far more often than
// its number of vertices suggests, and in a scale-free graph the second level is one.
//
//   1,000 vertices with 40,000 edges in the frontier, 9,000 unvisited with 60,000 edges:
//   FV = 40,000, a = 40,000 / 100,000, BV = 9,000 / 0.4 = 22,500
//
// In a crawl or a mesh, where neighbors have the same neighbors, most of those who look find nobody, and look at
// several times as many: 2,770,000 edges where BV was 1,050,000, on a level of cnr-2000 with FV = 1,330,000. So on a
// CPU a sample is asked before a search turns backward (would_look_at() of traverse/find_first.hpp), and while it goes
// backward, what the last sweep looked at corrects BV.
//
// Several ranks that search together ask with the sums over all of them, so that all are told the same; where every
// rank has both arcs of its edges, each may ask for itself.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <limits>

namespace dromos {

/// When a search turns, of whatever graph and on however many ranks. Where much more than BV was measured, edges are
/// compared with edges: the first factor counts twice, the second twenty times.
struct DirectionOptions {
  /// Turn backward when FV > factor * BV. Smaller turns earlier; below zero: 0.5, or what the search says.
  double forward_to_backward = 0.5;
  /// Turn forward again when FV < factor * BV. Smaller turns later; below zero: 0.05, or what the search says.
  double backward_to_forward = 0.05;
  /// Never turn backward for fewer edges of the frontier; -1: chosen for the device; none by the
  /// delegate search. A GPU goes forward through so many in the time that a backward sweep takes however little
  /// it finds.
  Offset fewest_edges_backward = -1;

  /// Factors below zero are those of `usual` from now on.
  KOKKOS_FUNCTION void replace_unset(const DirectionOptions& usual) {
    if (forward_to_backward < 0) forward_to_backward = usual.forward_to_backward;
    if (backward_to_forward < 0) backward_to_forward = usual.backward_to_forward;
  }
};

/// What could be done next.
struct DirectionWork {
  Offset frontier_edges = 0;       ///< FV
  Offset unvisited_edges = 0;      ///< that leave unvisited vertices
  std::int64_t num_unvisited = 0;  ///< s: those of them that have an edge to look along
  /// How many ranks look, among their own edges, for each of the s vertices. None of them knows what another finds.
  int times = 1;
};

/// BV where the frontier has no edges; a constant, since kernels call no functions of the standard library.
inline constexpr double endless_work = std::numeric_limits<double>::infinity();

/// BV. Of several ranks that look for the same vertex no more than all edges together.
KOKKOS_INLINE_FUNCTION double backward_workload(const DirectionWork& work) {
  if (work.num_unvisited <= 0) return 0;
  if (work.frontier_edges <= 0) return endless_work;
  const double remaining = static_cast<double>(work.frontier_edges) + static_cast<double>(work.unvisited_edges);
  const double looked_at =
      work.times * static_cast<double>(work.num_unvisited) * remaining / static_cast<double>(work.frontier_edges);
  return work.times > 1 && looked_at > remaining ? remaining : looked_at;
}

/// Of a graph whose edges go both ways: do those found, from others than the root on, have no edges but those along
/// which they were found? Then the search is over.
KOKKOS_INLINE_FUNCTION bool leads_back(std::int64_t num_found, Offset frontier_edges) {
  return frontier_edges == num_found;
}

/// The direction of one search, level by level.
class DirectionRule {
 public:
  /// \param fewest_edges   for fewer edges of the frontier this device does not turn backward, unless told otherwise
  /// \param few_unvisited  for so few unvisited vertices it does not turn forward
  KOKKOS_FUNCTION explicit DirectionRule(const DirectionOptions& options = {}, Offset fewest_edges = 0,
                                         std::int64_t few_unvisited = 0)
      : options_(options), few_unvisited_(few_unvisited) {
    if (options.fewest_edges_backward < 0) options_.fewest_edges_backward = fewest_edges;
    options_.replace_unset({});
  }

  /// At the start of a search, and where its user knows better.
  void go_forward() { backward_ = false; }
  bool backward() const { return backward_; }
  /// Does it not turn forward again for so few?
  KOKKOS_FUNCTION bool stays_backward(std::int64_t num_unvisited) const { return num_unvisited <= few_unvisited_; }
  /// Do so few look, along so few edges, that one launch may as well let them look again and again?
  KOKKOS_FUNCTION bool few_are_left(const DirectionWork& work) const {
    constexpr int edges_of_vertex = 4;
    return stays_backward(work.num_unvisited) && work.unvisited_edges <= edges_of_vertex * few_unvisited_;
  }
  /// Could it turn backward for so many edges of the frontier?
  KOKKOS_FUNCTION bool may_turn_backward(Offset frontier_edges) const {
    return frontier_edges >= options_.fewest_edges_backward;
  }

  /// Is another direction than that of the last level right for the next one?
  KOKKOS_FUNCTION bool would_turn(const DirectionWork& work) const {
    const double forward_work = static_cast<double>(work.frontier_edges);
    const double backward_work = backward_workload(work);
    return backward_
               ? forward_work < options_.backward_to_forward * backward_work && !stays_backward(work.num_unvisited)
               : forward_work > options_.forward_to_backward * backward_work && may_turn_backward(work.frontier_edges);
  }

  /// Chooses for the next level, and says whether it is another direction than that of the last.
  bool turns(const DirectionWork& work) {
    const bool turn = would_turn(work);
    if (turn) backward_ = !backward_;
    return turn;
  }

  /// The same, where it can be measured what a backward sweep looks at: if that is much more than BV, it decides.
  /// \param would_look_at  would_look_at(): so many edges; asked before a turn backward that would not pay in any case
  template <class Measure>
  bool turns(const DirectionWork& work, const Measure& would_look_at) {
    const bool was_backward = backward_;
    turns(work);
    if (!backward_) return was_backward;
    const double forward_work = static_cast<double>(work.frontier_edges);
    const double expected = backward_workload(work), at_most = static_cast<double>(work.unvisited_edges);
    double measured = dromos::min(at_most, over_expected_ * expected), factor = 20 * options_.backward_to_forward;
    if (!was_backward) {
      factor = 2 * options_.forward_to_backward;
      measured = forward_work < factor * dromos::min(at_most, most_over_expected * expected) ? would_look_at() : 0;
    }
    if (measured > much_more * expected && forward_work < factor * measured) backward_ = false;
    return backward_ != was_backward;
  }

  /// A backward sweep looked at so many edges, which was to be expected of `work`.
  void looked_at(const DirectionWork& work, Offset num_edges) {
    over_expected_ = static_cast<double>(num_edges) / dromos::max(1.0, backward_workload(work));
  }

 private:
  /// By how many times BV may be surpassed, and from which on it is no matter of chance: in random graphs it is 1.1.
  static constexpr double most_over_expected = 4, much_more = 1.3;

  DirectionOptions options_;
  std::int64_t few_unvisited_;
  double over_expected_ = 1;
  bool backward_ = false;
};

/// A GPU goes forward through so many edges in the time that a backward sweep takes, and through so few unvisited
/// vertices in the time that turning takes; each of several GPUs goes through its own.
template <class Space>
DirectionRule direction_rule(const DirectionOptions& options, int num_ranks = 1) {
  return is_gpu<Space> ? DirectionRule(options, num_ranks * (Offset(1) << 21), num_ranks * (std::int64_t(1) << 16))
                       : DirectionRule(options);
}

}  // namespace dromos
