// SPDX-License-Identifier: BSD-3-Clause
// How should a graph be distributed: by vertices, over a grid, or with delegates? Every distributed search on the same
// graph in one run: TEPS, time, bytes, messages and memory of a rank, and what happened on each level.
//
//   mpirun -n 4 bench_partitions --scale 18                                  all searches
//   mpirun -n 4 bench_partitions --scale 18 --ranks 1,2,4                    strong scaling (Fu et al. 2014, Table 1)
//   mpirun -n 4 bench_partitions --scale 16 --ranks 1,2,4 --weak             weak scaling (Table 2): 2^16 a rank
//   mpirun -n 4 bench_partitions --algorithm 2d:1x4,2d-wave:1x4 --latency 500    what steps cost on a slow network
//   mpirun -n 4 bench_partitions --algorithm 2d,2d:blocking                  what overlapping the end of levels gives
//   mpirun -n 4 bench_partitions --scale 18 --json p.json; plot_partitions.py p.json
//
// A search may be followed by options, each after a colon: RxC (rows and columns of the grid), bitmap or list (what
// travels), blocking (the termination check), after (predecessors are found after the search), forward (no direction
// optimization).
//
// All searches in turn for every root, after one that is not timed. Times are the slowest rank's; TEPS count input
// edges; results are validated outside of the timing. The levels are those of one root, each figure the median of
// several runs.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/dist/distributed_search.hpp>
#include <dromos/dist/edge_slice.hpp>
#include <dromos/dist/slice_roots.hpp>
#include <dromos/dist/validate_slices.hpp>
#include <dromos/generate/kronecker.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"
#include "latency_transport.hpp"

namespace {

using namespace dromos;
using perf::Json;
using perf::Space;
using Vertex = std::int32_t;

struct Options {
  std::vector<int> scales{18};
  std::vector<int> ranks;
  std::vector<std::string> algorithms;
  std::int64_t edge_factor = 16;
  std::int64_t num_roots = 16;
  std::int64_t level_runs = 5;
  std::int64_t latency = 0;
  std::uint64_t seed = 1;
  bool weak = false;
  std::string transport = "auto";
  std::string output;
};

/// "2d-wave:1x4:blocking" as the name of a search and its options.
struct Variant {
  std::string text;
  std::string name;
  DistributedOptions options;

  explicit Variant(const std::string& all) : text(all) {
    std::istringstream parts(all);
    std::getline(parts, name, ':');
    for (std::string part; std::getline(parts, part, ':');) add(part);
  }
  void add(const std::string& option) {
    int rows = 0, columns = 0, read = 0;
    if (option == "blocking") {
      options.bfs_2d.termination = TerminationCheck2d::blocking;
    } else if (option == "bitmap") {
      options.bfs_2d.form = FrontierForm2d::bitmap;
    } else if (option == "list") {
      options.bfs_2d.form = FrontierForm2d::list;
    } else if (option == "after") {
      options.bfs_2d.predecessors = Predecessors2d::after_search;
    } else if (option == "forward") {
      options.set_direction_optimizing(false);
    } else if (std::sscanf(option.c_str(), "%dx%d%n", &rows, &columns, &read) == 2 &&
               read == static_cast<int>(option.size())) {
      options.bfs_2d.rows = rows;
      options.bfs_2d.columns = columns;
    } else {
      throw ArgumentError("--algorithm " + text + ": '" + option +
                          "' is no option of a search; expected RxC, bitmap, list, blocking, after or forward");
    }
  }
};

struct Measurement {
  std::string name;
  std::unique_ptr<DistributedSearch<Vertex>> search;
  double construction = 0;
  std::vector<double> seconds, communication, teps;
  double bytes_sent = 0;
  double messages = 0;
  bool valid = true;
  Json levels;
};

double harmonic_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += 1 / value;
  return values.empty() ? 0 : static_cast<double>(values.size()) / sum;
}

/// The levels of several searches from one root, each figure the median.
Json median_levels(DistributedSearch<Vertex>& search, Vertex root, std::int64_t num_runs) {
  std::vector<LevelTable> tables;
  std::vector<DistributedStatistics> statistics;
  for (std::int64_t run = 0; run < num_runs; ++run) {
    search.search(root);
    tables.push_back(search.level_table());
    statistics.push_back(search.statistics());
  }
  if (tables.empty()) return Json::array();
  auto levels = Json::array();
  for (std::size_t l = 0; l < tables.front().rows.size(); ++l) {
    Json level = {{"frontier_size", statistics.front().levels[l].frontier_size},
                  {"frontier_edges", statistics.front().levels[l].frontier_edges},
                  {"backward_search", statistics.front().levels[l].backward}};
    for (std::size_t c = 0; c < tables.front().columns.size(); ++c) {
      std::vector<double> values;
      for (const LevelTable& table : tables) values.push_back(table.rows[l][c]);
      level[tables.front().columns[c]] = perf::median(values);
    }
    levels.push_back(level);
  }
  return levels;
}

void report(const Communicator& group, int scale, const Options& options, std::size_t num_roots, const Measurement& m,
            Json& result) {
  const std::int64_t graph_bytes = m.search->graph_bytes();
  const std::int64_t most_bytes = max(group, graph_bytes);
  const std::int64_t all_bytes = sum(group, graph_bytes);
  if (group.rank() != 0) return;
  const double searches = static_cast<double>(num_roots);
  std::printf("%5d %5d  %-22s %8.3f %9.4f %9.4f %9.4f %12.4g %10.4g %11.4g  %s\n", scale, group.size(), m.name.c_str(),
              m.construction, harmonic_mean(m.teps) / 1e9, perf::median(m.seconds), perf::median(m.communication),
              m.bytes_sent / searches, m.messages / searches, static_cast<double>(most_bytes), m.valid ? "yes" : "NO");
  std::fflush(stdout);
  result["rows"].push_back({{"scale", scale},
                            {"edge_factor", options.edge_factor},
                            {"ranks", group.size()},
                            {"algorithm", m.name},
                            {"latency_microseconds", options.latency},
                            {"construction_seconds", m.construction},
                            {"harmonic_mean_gteps", harmonic_mean(m.teps) / 1e9},
                            {"seconds", perf::spread(m.seconds)},
                            {"communication_seconds", perf::spread(m.communication)},
                            {"bytes_sent_per_search", m.bytes_sent / searches},
                            {"messages_per_search", m.messages / searches},
                            {"graph_bytes_of_a_rank", most_bytes},
                            {"graph_bytes_of_all_ranks", all_bytes},
                            {"roots", num_roots},
                            {"valid", m.valid},
                            {"levels", m.levels}});
}

void run(const Communicator& group, int scale, const std::vector<Variant>& variants, const Options& options,
         Json& result) {
  const Space space;
  KroneckerOptions kronecker;
  kronecker.scale = scale;
  kronecker.edge_factor = options.edge_factor;
  kronecker.seed = options.seed;
  DistributedInput<Vertex> input;
  input.slice = generate_slice<Vertex>(group, space, KroneckerEdges<Vertex>(kronecker));
  input.build.symmetrize = input.build.drop_self_loops = input.build.remove_duplicates = true;
  const auto roots = slice_roots(group, space, input.slice, false, options.num_roots, options.seed);
  if (roots.empty()) return;

  std::vector<Measurement> measurements;
  for (const Variant& variant : variants) {
    Measurement m;
    m.name = variant.text;
    group.barrier();
    const double begin = MPI_Wtime();
    m.search = make_distributed_search(variant.name, group, space, input, variant.options);
    m.construction = max(group, MPI_Wtime() - begin);
    m.search->search(roots.front());
    measurements.push_back(std::move(m));
  }
  for (const Vertex root : roots) {
    for (Measurement& m : measurements) {
      group.barrier();
      m.search->search(root);
      const DistributedStatistics statistics = m.search->statistics();
      const ReplicatedResult<Vertex> found = m.search->replicate_result();
      const SliceValidation verdict =
          validate_slices(group, space, input.slice, false, root, found.parent, found.level);
      m.valid = m.valid && verdict.valid;
      m.seconds.push_back(statistics.seconds);
      m.communication.push_back(statistics.communication_seconds);
      m.bytes_sent += static_cast<double>(statistics.bytes_sent);
      m.messages += static_cast<double>(statistics.messages);
      m.teps.push_back(static_cast<double>(verdict.edges_reached) / statistics.seconds);
    }
  }
  for (Measurement& m : measurements) {
    m.levels = median_levels(*m.search, roots.front(), options.level_runs);
    report(group, scale, options, roots.size(), m, result);
  }
}

int benchmark(const Options& options) {
  const TransportChoice choice = transport_choice_from_name(options.transport);
  const Communicator world(MPI_COMM_WORLD, perf::transport_with_latency(choice, options.latency));
  std::vector<Variant> variants;
  for (const std::string& text : options.algorithms) variants.emplace_back(text);
  Json result = perf::result_frame("bench_partitions", {{"scale", options.scales},
                                                        {"edge_factor", options.edge_factor},
                                                        {"weak", options.weak},
                                                        {"roots", options.num_roots},
                                                        {"seed", options.seed},
                                                        {"latency_microseconds", options.latency},
                                                        {"transport", world.transport().name()},
                                                        {"launched_ranks", world.size()}});
  if (world.rank() == 0) {
    std::printf("%5s %5s  %-22s %8s %9s %9s %9s %12s %10s %11s  %s\n", "scale", "ranks", "algorithm", "build s",
                "GTEPS", "time s", "comm. s", "bytes", "messages", "bytes/rank", "valid");
  }
  for (const int scale : options.scales) {
    for (const int ranks : options.ranks.empty() ? std::vector<int>{world.size()} : options.ranks) {
      const bool takes_part = world.rank() < ranks;
      const Communicator group = world.split(takes_part ? 0 : 1, world.rank());
      const int more = options.weak ? static_cast<int>(std::lround(std::log2(ranks))) : 0;
      if (takes_part) run(group, scale + more, variants, options, result);
      world.barrier();
    }
  }
  bool valid = true;
  for (const Json& row : result["rows"]) valid = valid && row["valid"].get<bool>();
  if (world.rank() == 0 && !options.output.empty()) perf::write_result(options.output, result);
  return min<std::int32_t>(world, valid ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("Partitions compared: every distributed search on the same graph");
  Options options;
  for (const DistributedAlgorithm& each : all_distributed_algorithms()) options.algorithms.push_back(each.name);
  parser.add_option("--scale", options.scales, "log2 of the number of vertices; with --weak, a rank's")
      .comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factor, "input edges per vertex");
  parser.add_option("--ranks", options.ranks, "how many of the launched ranks search (default: all)")
      .comma_or_blank_list()
      .in_range(1, MpiSession::world_size());
  parser.add_option("--algorithm", options.algorithms, "searches, each perhaps with options: 2d:1x4:bitmap")
      .comma_or_blank_list();
  parser.add_option("--roots", options.num_roots).in_range(1);
  parser.add_option("--level-runs", options.level_runs, "searches that the figures of levels are medians of")
      .in_range(1);
  parser.add_option("--seed", options.seed);
  parser.add_flag("--weak", options.weak, "as many vertices on every rank, whatever their number");
  parser.add_option("--latency", options.latency, "microseconds that every message between ranks takes longer")
      .in_range(0);
  parser.add_option("--transport", options.transport, "auto, host-staged, gpu-aware");
  parser.add_option("--json", options.output, "write the results to this file");
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  int kokkos_argc = 1;
  const Kokkos::ScopeGuard kokkos(kokkos_argc, argv);
  try {
    return benchmark(options);
  } catch (const std::exception& error) {
    MpiSession::abort_all(1, std::string("bench_partitions: ") + error.what());
  }
}
