// SPDX-License-Identifier: BSD-3-Clause
// How should a graph be distributed: by vertices, over a grid, or with delegates? Every distributed search on the same
// graph in one run: TEPS, time, bytes, messages and memory of a rank, and what happened on each level.
//
//   mpirun -n 4 bench_partitions --scale 18                                  all searches
//   mpirun -n 4 bench_partitions --scale 18 --ranks 1,2,4                    strong scaling (Fu et al. 2014, Table 1)
//   mpirun -n 4 bench_partitions --scale 16 --ranks 1,2,4 --weak             weak scaling (Table 2): 2^16 a rank
//   mpirun -n 4 bench_partitions --algorithm 2d:1x4,2d-wave:1x4 --latency 500    what steps cost on a slow network
//   mpirun -n 4 bench_partitions --scale 18 --json p.json; plot_partitions.py p.json
//
// A search may be followed by options, each after a colon: RxC (rows and columns of the grid), bitmap or list (what
// travels), after (predecessors are found after the search), forward (no direction optimization).
//
// All searches in turn for every root, after one that is not timed. Times are the slowest rank's; TEPS count input
// edges; results are validated outside of the timing. The levels are those of one root, each figure the median of
// several runs.
#include <mpi.h>

#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"
#include "distributed_benchmark.hpp"
#include "latency_transport.hpp"

namespace {

using namespace dromos;
using perf::Json;
using perf::Vertex;

struct Options {
  std::vector<int> scales{18};
  perf::CommonOptions common;
  std::vector<std::string> algorithms = perf::all_algorithm_names();
  std::int64_t edge_factor = 16;
  std::int64_t level_runs = 5;
  std::int64_t latency = 0;
};

/// "2d-wave:1x4:bitmap" as the name of a search and its options.
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
    if (option == "bitmap") {
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
                          "' is no option of a search; expected RxC, bitmap, list, after or forward");
    }
  }
};

void report(const Communicator& group, int scale, const Options& options, perf::MeasuredSearch& m, const Json& levels,
            Json& result) {
  if (group.rank() != 0) return;
  std::printf("%5d %5d  %-22s %8.3f %9.4f %9.4f %9.4f %12.4g %10.4g %11.4g  %s\n", scale, group.size(), m.name.c_str(),
              m.construction, perf::harmonic_mean(m.teps) / 1e9, perf::median(m.seconds), perf::median(m.communication),
              m.bytes(), m.messages_sent(), static_cast<double>(m.most_graph_bytes), m.valid ? "yes" : "NO");
  std::fflush(stdout);
  Json row = {{"scale", scale},
              {"edge_factor", options.edge_factor},
              {"ranks", group.size()},
              {"latency_microseconds", options.latency}};
  row.update(m.json());
  row["levels"] = levels;
  result["rows"].push_back(row);
}

void run(const Communicator& group, int scale, const std::vector<Variant>& variants, const Options& options,
         Json& result) {
  const DistributedInput<Vertex> input =
      perf::generated_input(group, "kronecker", scale, options.edge_factor, options.common.seed);
  const auto roots =
      slice_roots(group, perf::Space(), input.slice, false, options.common.num_roots, options.common.seed);
  if (roots.empty()) return;
  std::vector<perf::MeasuredSearch> searches;
  for (const Variant& variant : variants) {
    searches.emplace_back(group, variant.text, variant.name, input, variant.options, roots.front());
  }
  for (const Vertex root : roots) {
    for (perf::MeasuredSearch& m : searches) m.measure(group, input, root);
  }
  for (perf::MeasuredSearch& m : searches) {
    const Json levels = perf::median_levels(*m.search, roots.front(), options.level_runs);
    report(group, scale, options, m, levels, result);
  }
}

int benchmark(const Options& options) {
  const TransportChoice choice = transport_choice_from_name(options.common.transport);
  const Communicator world(MPI_COMM_WORLD, perf::transport_with_latency(choice, options.latency));
  std::vector<Variant> variants;
  for (const std::string& text : options.algorithms) variants.emplace_back(text);
  Json result = perf::result_frame(
      "bench_partitions",
      {{"scale", options.scales}, {"edge_factor", options.edge_factor}, {"latency_microseconds", options.latency}});
  result["options"].update(options.common.json(world));
  if (world.rank() == 0) {
    std::printf("%5s %5s  %-22s %8s %9s %9s %9s %12s %10s %11s  %s\n", "scale", "ranks", "algorithm", "build s",
                "GTEPS", "time s", "comm. s", "bytes", "messages", "bytes/rank", "valid");
  }
  for (const int scale : options.scales) {
    options.common.for_each_group(world, scale, [&](const Communicator& group, int grown_scale) {
      run(group, grown_scale, variants, options, result);
    });
  }
  return perf::finish(world, options.common.output, result);
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("Partitions compared: every distributed search on the same graph");
  Options options;
  parser.add_option("--scale", options.scales, "log2 of the number of vertices; with --weak, a rank's")
      .comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factor, "input edges per vertex");
  options.common.declare(parser);
  parser.add_option("--algorithm", options.algorithms, "searches, each perhaps with options: 2d:1x4:bitmap")
      .comma_or_blank_list();
  parser.add_option("--level-runs", options.level_runs, "searches that the figures of levels are medians of")
      .in_range(1);
  parser.add_option("--latency", options.latency, "microseconds that every message between ranks takes longer")
      .in_range(0);
  return perf::run_benchmark("bench_partitions", parser, argc, argv, [&] { return benchmark(options); });
}
