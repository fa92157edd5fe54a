// SPDX-License-Identifier: BSD-3-Clause
// What sweeps of every kind ask of their tuning before they start.
#include <dromos/core/error.hpp>
#include <dromos/traverse/hierarchical.hpp>
#include <dromos/traverse/sweep.hpp>
#include <string>

namespace dromos {

int league_size(std::int64_t total, std::int64_t piece) {
  const std::int64_t teams = total / piece + (total % piece != 0);
  if (teams > max_league_size) {
    throw ArgumentError("a work set of " + std::to_string(total) + " vertices in pieces of " + std::to_string(piece) +
                        " takes more than " + std::to_string(max_league_size) + " teams; raise vertices_per_team");
  }
  return static_cast<int>(teams);
}

void check_tuning(const char* strategy, const char* parameter, int value) {
  if (value >= 1) return;
  throw ArgumentError(std::string(strategy) + ": " + parameter + " is " + std::to_string(value) +
                      "; it must be at least 1, or 0 for the default");
}

void check_gpu_scratch(const char* strategy, int team_size, std::size_t bytes) {
  const std::size_t kokkos_needs = kokkos_scratch_bytes(team_size);
  if (bytes + kokkos_needs <= gpu_scratch_bytes) return;
  throw ArgumentError(std::string(strategy) + ": a team of " + std::to_string(team_size) + " threads would need " +
                      std::to_string(bytes) + " bytes of scratch memory, and a GPU has " +
                      std::to_string(gpu_scratch_bytes - kokkos_needs) +
                      "; lower its queue_size, team_size, vertices_per_team or edges_per_team");
}

void check_gpu_team_size(const char* strategy, int team_size) {
  if (team_size <= max_gpu_team_size) return;
  throw ArgumentError(std::string(strategy) + ": team_size is " + std::to_string(team_size) + "; a GPU takes " +
                      std::to_string(max_gpu_team_size) + " at most");
}

void detail::require_whole_warps(int team_size, int warp_size) {
  if (team_size % warp_size == 0) return;
  throw ArgumentError("hierarchical: a team of " + std::to_string(team_size) +
                      " threads does not consist of warps of " + std::to_string(warp_size) +
                      "; warp_size must divide team_size");
}

}  // namespace dromos
