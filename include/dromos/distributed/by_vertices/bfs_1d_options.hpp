// SPDX-License-Identifier: BSD-3-Clause
// Distributed searches by vertices: which way, how it is tuned, and what it reports.
#pragma once

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/strategy.hpp>
#include <string>
#include <vector>

namespace dromos {

enum class Bfs1dAlgorithm { straightforward, sort_unique, relabelled_bitmask };

struct Bfs1dOptions {
  /// Several GPUs look back sooner than one: what a rank finds for another travels as a word, is claimed there by an
  /// atomic operation anywhere, and takes its place in a list; looking back, a rank asks a bitmap. On two H200s at 0.5,
  /// 0.2 and 0.05: Kronecker 26 525, 677 and 707 GTEPS, 24 382, 411 and 442, uniform 24 117, 118 and 143; on one, at
  /// 0.5 and 0.05: Kronecker 24 385 and 368 (bench_distributed --forward-to-backward).
  static DirectionOptions default_direction(int num_ranks) {
    return is_gpu<Kokkos::DefaultExecutionSpace> && num_ranks > 1 ? DirectionOptions{0.05, 0.005} : DirectionOptions{};
  }

  /// How edges are dealt out to threads; sort_unique always takes ManhattanGlobal, one edge a thread, as its author
  /// does.
  Strategy strategy = Best{};
  /// Let unvisited vertices look back where that is less work (relabelled_bitmask, undirected graphs). On graphs of
  /// small diameter most edges are then never looked at.
  bool direction_optimizing = true;
  /// Factors below zero: those of default_direction().
  DirectionOptions direction{-1, -1};
  /// relabelled_bitmask searches a frontier with more edges than this a rank in several parts, so that what one part
  /// found travels while the next is searched. Smaller overlaps more and sends more messages. -1: 2^18 on a CPU, 2^23
  /// on a GPU.
  std::int64_t edges_per_part = -1;
};

/// One level of a search on one rank, or of all ranks together. The names in capitals are those of Mastrostefano 2013,
/// Table 4.1.
struct Bfs1dLevel {
  std::int64_t frontier_size = 0;      ///< CLQ
  Offset frontier_edges = 0;           ///< NLF: neighbors of the frontier, duplicates included
  std::int64_t local_vertices = 0;     ///< LV: of those, what stays on the rank after pruning
  std::int64_t sent = 0;               ///< what goes to other ranks after pruning
  std::int64_t received = 0;           ///< RV
  std::int64_t enqueued_local = 0;     ///< NLQ is the sum of this
  std::int64_t enqueued_received = 0;  ///< and this
  std::int64_t backward = 0;           ///< 1: unvisited vertices looked back (number of ranks, in a total)
  std::int64_t bytes_sent = 0;         ///< of everything that the level sends
  std::int64_t messages = 0;           ///< likewise
  double seconds = 0;                  ///< the slowest rank's, in a total
  double communication_seconds = 0;    ///< of those, inside communication, waiting included; likewise

  std::int64_t next_queue() const { return enqueued_local + enqueued_received; }
  /// QR: vertices of the frontier per neighbor.
  double queue_ratio() const { return ratio(frontier_size, frontier_edges); }
  /// UR: what is left of the neighbors after pruning.
  double unique_ratio() const { return ratio(local_vertices + sent, frontier_edges); }

 private:
  static double ratio(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct Bfs1dStatistics {
  double seconds = 0;
  std::vector<Bfs1dLevel> levels;  ///< as many on every rank
};

/// "straightforward", "sort-unique", "relabelled-bitmask".
inline const char* bfs_1d_name(Bfs1dAlgorithm algorithm) {
  switch (algorithm) {
    case Bfs1dAlgorithm::straightforward:
      return "straightforward";
    case Bfs1dAlgorithm::sort_unique:
      return "sort-unique";
    default:
      return "relabelled-bitmask";
  }
}

inline const std::vector<Bfs1dAlgorithm>& all_bfs_1d_algorithms() {
  static const std::vector<Bfs1dAlgorithm> algorithms = {Bfs1dAlgorithm::straightforward, Bfs1dAlgorithm::sort_unique,
                                                         Bfs1dAlgorithm::relabelled_bitmask};
  return algorithms;
}

/// Sums over all ranks; times are those of the slowest. Collective, outside of what is timed.
inline Bfs1dStatistics total_statistics(const Communicator& communicator, const Bfs1dStatistics& own) {
  Bfs1dStatistics total = own;
  total_in_place(communicator, {}, {&total.seconds});
  for (Bfs1dLevel& level : total.levels) {
    total_in_place(
        communicator,
        {&level.frontier_size, &level.frontier_edges, &level.local_vertices, &level.sent, &level.received,
         &level.enqueued_local, &level.enqueued_received, &level.backward, &level.bytes_sent, &level.messages},
        {&level.seconds, &level.communication_seconds});
  }
  return total;
}

}  // namespace dromos
