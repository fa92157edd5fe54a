// SPDX-License-Identifier: BSD-3-Clause
// Distributed search of a graph separated by degree: how it is tuned, and what it reports.
#pragma once

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/strategy.hpp>
#include <vector>

namespace dromos {

struct BfsDelegateOptions {
  /// A GPU looks back along dn sooner: whether a delegate is visited is a bit of a bitmap that its cache holds, and
  /// going forward each find is an atomic operation anywhere. Two H200s, Kronecker 25: 279 GTEPS at 0.5, 305 at 0.05.
  static DirectionOptions default_dn() {
    return is_gpu<Kokkos::DefaultExecutionSpace> ? DirectionOptions{0.05, 0.005} : DirectionOptions{};
  }

  /// Vertices of more neighbors than this become delegates; negative: the paper's rule
  /// (distributed/by_degree/degree_classes.hpp).
  Offset threshold = -1;
  /// DO: let delegates and normal vertices look back for parents where that is less work (undirected graphs).
  bool direction_optimizing = true;
  /// When the sweeps over dd, dn and nd turn. The paper never turns forward again; here they do, because graphs may be
  /// deep. Factors of dd below zero: the usual ones, or where all vertices are delegates those of searches by vertices.
  DirectionOptions dd{-1, -1}, dn = default_dn(), nd;
  /// How the edges of dd, and of the other parts, are dealt out to threads in forward sweeps. The paper has
  /// ManhattanGlobal for dd, whose degrees differ most, and Hierarchical for the others.
  Strategy dd_strategy = Best{};
  Strategy strategy = Best{};
  /// IR: visited delegates are combined while normal vertices are still searched for. Otherwise (BR) everybody waits.
  bool overlap_reduction = true;
  /// U: of several found edges to the same vertex of another rank only one is sent, in a whole search. Memory: a bit
  /// for each vertex of the graph.
  bool uniquify = false;
  /// L: what ranks of a node found for another node is handed to one of them first, so that fewer and larger messages
  /// go between nodes. Without effect where there are not several nodes of several ranks, as many on each.
  bool local_all_to_all = false;
  /// Ranks that share a node; 0: as the machine has it. Other numbers pretend.
  int ranks_per_node = 0;
};

/// One level of a search on one rank, or of all ranks together.
struct BfsDelegateLevel {
  std::int64_t normal_vertices = 0;  ///< of the frontier; delegates are the same on every rank
  std::int64_t delegates = 0;
  Offset nn_edges = 0, nd_edges = 0, dn_edges = 0, dd_edges = 0;   ///< that leave the frontier
  std::int64_t nd_backward = 0, dn_backward = 0, dd_backward = 0;  ///< 1: looked back (number of ranks, in a total)
  std::int64_t sent = 0;                                           ///< vertices that go to other ranks
  std::int64_t reductions = 0;  ///< 1: delegates were combined (number of ranks, in a total)
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  double seconds = 0;            ///< the slowest rank's, in a total
  double reduction_seconds = 0;  ///< of those, combining delegates; likewise
  double exchange_seconds = 0;   ///< sending and receiving vertices
  double agreement_seconds = 0;  ///< adding up a few numbers, waiting for the slowest rank included

  double communication_seconds() const { return reduction_seconds + exchange_seconds + agreement_seconds; }
};

struct BfsDelegateStatistics {
  double seconds = 0;
  double parents_seconds = 0;            ///< of those, settling the parents of delegates at the end
  std::int64_t parents_bytes = 0;        ///< sent for that
  std::vector<BfsDelegateLevel> levels;  ///< as many on every rank
};

/// Sums over all ranks; times are those of the slowest. Collective, outside of what is timed.
inline BfsDelegateStatistics total_statistics(const Communicator& communicator, const BfsDelegateStatistics& own) {
  BfsDelegateStatistics total = own;
  total_in_place(communicator, {&total.parents_bytes}, {&total.seconds, &total.parents_seconds});
  for (BfsDelegateLevel& level : total.levels) {
    total_in_place(
        communicator,
        {&level.normal_vertices, &level.nn_edges, &level.nd_edges, &level.dn_edges, &level.dd_edges, &level.nd_backward,
         &level.dn_backward, &level.dd_backward, &level.sent, &level.reductions, &level.bytes_sent, &level.messages},
        {&level.seconds, &level.reduction_seconds, &level.exchange_seconds, &level.agreement_seconds});
  }
  return total;
}

}  // namespace dromos
