// SPDX-License-Identifier: BSD-3-Clause
// Every strategy in every tuning that puts a boundary somewhere else: teams of one, two and as many threads as the
// backend gives; chunks smaller than a team; queues that are full after one push; every step of ManhattanLocal.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/strategy.hpp>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace dromos::test {

/// A kernel of teams that does nothing.
template <class Space>
struct NothingByTeams {
  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type&) const {}
};

/// The largest team of the backend, at most 64 threads (whole warps are enough to see every boundary).
template <class Space = Kokkos::DefaultExecutionSpace>
int largest_team() {
  const int most = Kokkos::TeamPolicy<Space>(1, 1).team_size_max(NothingByTeams<Space>{}, Kokkos::ParallelForTag());
  return most < 64 ? most : 64;
}

/// 1, 2 and the largest, as far as the backend has them.
inline std::set<int> team_sizes() {
  const int most = largest_team();
  return {1, most < 2 ? most : 2, most};
}

inline std::vector<VertexChunk> vertex_chunk_tunings() {
  std::vector<VertexChunk> tunings = {VertexChunk{}};
  for (int team : team_sizes())
    for (int chunk : {1, 2, 3, 7})
      for (int queue : {1, 2, 16}) tunings.push_back({team, chunk, queue});
  return tunings;
}

inline std::vector<Hierarchical> hierarchical_tunings() {
  std::vector<Hierarchical> tunings = {Hierarchical{}};
  for (int team : team_sizes())
    for (int warp : {1, 2})
      for (int chunk : {1, 2, 3, 7})
        for (int queue : {1, 2, 16})
          if (team % warp == 0) tunings.push_back({team, warp, chunk, queue});
  return tunings;
}

/// Steps M, M+C, M+C+S, M+C+S+L of the paper, and what else the three switches allow.
inline std::vector<ManhattanLocal> manhattan_local_tunings() {
  std::vector<ManhattanLocal> tunings = {ManhattanLocal{}};
  for (int team : team_sizes())
    for (int chunk : {1, 2, 3, 7})
      for (int steps = 0; steps < 8; ++steps) {
        const bool coalesced = steps & 1, team_scan = steps & 2, local_queue = steps & 4;
        for (int queue : {1, 2, 16}) {
          tunings.push_back({team, chunk, queue, coalesced, team_scan, local_queue});
          if (!local_queue) break;  // without local queues their size means nothing
        }
      }
  return tunings;
}

inline std::vector<ManhattanGlobal> manhattan_global_tunings() {
  std::vector<ManhattanGlobal> tunings = {ManhattanGlobal{}};
  for (int team : team_sizes())
    for (int chunk : {1, 2, 3, 7})
      for (int queue : {1, 2, 16}) tunings.push_back({team, chunk, queue});
  return tunings;
}

/// All of the above.
inline std::vector<Strategy> all_tunings() {
  std::vector<Strategy> tunings{Best{}};
  for (const auto& strategy : vertex_chunk_tunings()) tunings.push_back(strategy);
  for (const auto& strategy : hierarchical_tunings()) tunings.push_back(strategy);
  for (const auto& strategy : manhattan_local_tunings()) tunings.push_back(strategy);
  for (const auto& strategy : manhattan_global_tunings()) tunings.push_back(strategy);
  return tunings;
}

/// Every n-th tuning, others for each `turn`: all tunings meet many graphs, in a fraction of the time.
inline std::vector<Strategy> every_nth(const std::vector<Strategy>& tunings, std::size_t n, std::size_t turn) {
  std::vector<Strategy> some;
  for (std::size_t i = turn % n; i < tunings.size(); i += n) some.push_back(tunings[i]);
  return some;
}

/// The defaults, and of each strategy one small tuning with the largest team: for tests of whole algorithms.
inline std::vector<Strategy> some_tunings() {
  const int team = largest_team();
  const int warp = team % 2 == 0 ? 2 : 1;
  std::vector<Strategy> tunings = all_strategies();
  tunings.push_back(Best{});
  tunings.push_back(VertexChunk{team, 3, 2});
  tunings.push_back(Hierarchical{team, warp, 7, 2});
  tunings.push_back(ManhattanLocal{team, 7, 2, false, false, false});
  tunings.push_back(ManhattanLocal{team, 7, 2});
  tunings.push_back(ManhattanGlobal{team, 7, 2});
  return tunings;
}

inline std::string describe(const Best&) { return "best"; }
inline std::string describe(const VertexChunk& s) {
  return "vertex-chunk team " + std::to_string(s.team_size) + " vertices " + std::to_string(s.vertices_per_team) +
         " queue " + std::to_string(s.queue_size);
}
inline std::string describe(const Hierarchical& s) {
  return "hierarchical team " + std::to_string(s.team_size) + " warp " + std::to_string(s.warp_size) + " vertices " +
         std::to_string(s.vertices_per_team) + " queue " + std::to_string(s.queue_size);
}
inline std::string describe(const ManhattanLocal& s) {
  return std::string("manhattan-local M") + (s.coalesced ? "+C" : "") + (s.team_scan ? "+S" : "") +
         (s.local_queue ? "+L" : "") + " team " + std::to_string(s.team_size) + " vertices " +
         std::to_string(s.vertices_per_team) + " queue " + std::to_string(s.queue_size);
}
inline std::string describe(const ManhattanGlobal& s) {
  return "manhattan-global team " + std::to_string(s.team_size) + " edges " + std::to_string(s.edges_per_team) +
         " queue " + std::to_string(s.queue_size);
}
inline std::string describe(const Strategy& strategy) {
  return std::visit([](const auto& s) { return describe(s); }, strategy);
}

}  // namespace dromos::test
