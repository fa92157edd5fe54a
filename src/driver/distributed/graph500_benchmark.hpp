// SPDX-License-Identifier: BSD-3-Clause
// The Graph500 benchmark itself: kernel 1 (construction), kernel 2 (breadth-first search) by any number of algorithms,
// and kernel 3 (shortest paths), each with the fields that the specification asks for.
#pragma once

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/generate/kronecker.hpp>
#include <string>
#include <vector>

#include "driver/base/strategy_options.hpp"
#include "driver/distributed/partition_options.hpp"
#include "driver/reports/json_report.hpp"

namespace dromos::driver {

/// What the command line says.
struct Graph500Options {
  std::int64_t scale = 16;
  std::int64_t edge_factor = 16;
  std::int64_t num_roots = 64;
  std::int64_t num_repeats = 1;  ///< searches from each root
  std::int64_t seed = 1;
  std::int64_t id_bits = 0;
  std::vector<std::string> algorithms;
  std::string transport = "auto";
  PartitionOptions partition;
  StrategyOptions strategies;
  bool shortest_paths = false;
  double delta = 0;
  bool skip_validation = false;
  bool asks_memory = false;
  bool show_levels = false;
  JsonReport report;

  KroneckerOptions graph() const {
    KroneckerOptions kronecker;
    kronecker.scale = static_cast<int>(scale);
    kronecker.edge_factor = edge_factor;
    kronecker.seed = static_cast<std::uint64_t>(seed);
    return kronecker;
  }
};

/// Runs the benchmark with the distributed searches of these names; prints on rank 0, writes the report, and returns
/// the exit code. Collective. Throws Error on every rank for an invalid search.
template <class Vertex>
int run_graph500_benchmark(Graph500Options& options, const Communicator& world,
                           const std::vector<std::string>& algorithms);

}  // namespace dromos::driver
