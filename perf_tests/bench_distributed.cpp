// SPDX-License-Identifier: BSD-3-Clause
// How do distributed searches scale, and where does their time go: computation or communication? The experiments of
// Mastrostefano 2013, Section 4.3.3:
//
//   mpirun -n 4 bench_distributed --ranks 1,2,4 --scale 18 --weak
//       weak scaling (Table 4.2): 2^18 vertices a rank
//   mpirun -n 4 bench_distributed --ranks 1,2,4 --scale 20
//       strong scaling (Table 4.3)
//   mpirun -n 4 bench_distributed --ranks 1,2,4 --weak --edge-factor 16,32,64
//       density (Figure 4.10)
//   mpirun -n 4 bench_distributed --ranks 1,2,4 --weak --graph kronecker,erdos-renyi
//       skewed or uniform (Figure 4.11)
//
// One line a graph, number of ranks and algorithm: all in one run, the algorithms in turn for every root, on one graph
// each. With --json FILE, plot_distributed.py prints the tables in the shape of the thesis and draws the figures.
// Waiting ranks cost a core each: launch no more ranks than there are cores. Times are the slowest rank's; TEPS count
// input edges; results are validated outside of the timing.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <string>
#include <vector>

#include "distributed_benchmark.hpp"

namespace {

using namespace dromos;
using perf::Json;
using perf::Vertex;

struct Options {
  std::vector<int> scales{18};
  std::vector<std::int64_t> edge_factors{16};
  perf::CommonOptions common;
  std::vector<std::string> graphs{"kronecker"};
  std::vector<std::string> algorithms = perf::all_algorithm_names();
  bool backward = true;
  double forward_to_backward = -1;  // as the searches have it
  bool levels = false;
};

void print_levels(const Communicator& group, perf::MeasuredSearch& m) {
  const LevelTable table = m.search->level_table();
  if (group.rank() != 0) return;
  std::printf("%s\n", m.name.c_str());
  for (const std::string& column : table.columns) std::printf("%13s", column.c_str());
  std::printf("\n");
  for (const auto& row : table.rows) {
    for (const double value : row) std::printf("%13.6g", value);
    std::printf("\n");
  }
}

void run(const Communicator& group, const std::string& graph, int scale, std::int64_t edge_factor,
         const Options& options, Json& result) {
  const DistributedInput<Vertex> input = perf::generated_input(group, graph, scale, edge_factor, options.common.seed);
  const auto roots =
      slice_roots(group, perf::Space(), input.slice, false, options.common.num_roots, options.common.seed);
  if (roots.empty()) return;
  DistributedOptions search_options;
  search_options.set_direction_optimizing(options.backward);
  search_options.bfs_1d.direction.forward_to_backward = options.forward_to_backward;
  search_options.bfs_2d.direction.forward_to_backward = options.forward_to_backward;
  std::vector<perf::MeasuredSearch> searches;
  for (const std::string& name : options.algorithms) {
    searches.emplace_back(group, name, name, input, search_options, roots.front());
  }
  for (const Vertex root : roots) {
    for (perf::MeasuredSearch& m : searches) m.measure(group, input, root);
  }
  for (perf::MeasuredSearch& m : searches) {
    if (options.levels) print_levels(group, m);
    const Json levels = perf::median_levels(*m.search, roots.front(), 1);
    if (group.rank() != 0) continue;
    const double seconds = perf::median(m.seconds), communication = perf::median(m.communication);
    std::printf("%-16s %5d %4lld %5d  %-18s %8.3f %9.4f %9.4f %9.4f %9.4f %12.3g  %s\n",
                perf::graph_name(graph).c_str(), scale, static_cast<long long>(edge_factor), group.size(),
                m.name.c_str(), m.construction, perf::harmonic_mean(m.teps) / 1e9, seconds,
                std::max(0.0, seconds - communication), communication, m.bytes(), m.valid ? "yes" : "NO");
    std::fflush(stdout);
    Json row = {{"graph", perf::graph_name(graph)},
                {"scale", scale},
                {"edge_factor", edge_factor},
                {"ranks", group.size()},
                {"weak", options.common.weak}};
    row.update(m.json());
    row["levels"] = levels;
    result["rows"].push_back(row);
  }
}

int benchmark(const Options& options) {
  const Communicator world = options.common.world();
  Json result = perf::result_frame("bench_distributed", {{"scale", options.scales},
                                                         {"edge_factor", options.edge_factors},
                                                         {"graph", options.graphs},
                                                         {"backward", options.backward},
                                                         {"forward_to_backward", options.forward_to_backward}});
  result["options"].update(options.common.json(world));
  if (world.rank() == 0) {
    std::printf("%-16s %5s %4s %5s  %-18s %8s %9s %9s %9s %9s %12s  %s\n", "graph", "scale", "ef", "ranks", "algorithm",
                "build s", "GTEPS", "time s", "comp. s", "comm. s", "bytes", "valid");
  }
  for (const std::string& graph : options.graphs) {
    for (const int scale : options.scales) {
      for (const std::int64_t edge_factor : options.edge_factors) {
        options.common.for_each_group(world, scale, [&](const Communicator& group, int grown_scale) {
          run(group, graph, grown_scale, edge_factor, options, result);
        });
      }
    }
  }
  return perf::finish(world, options.common.output, result);
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("Strong and weak scaling of distributed searches, computation and communication apart");
  Options options;
  parser.add_option("--scale", options.scales, "log2 of the number of vertices; with --weak, a rank's")
      .comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factors, "input edges per vertex").comma_or_blank_list();
  options.common.declare(parser);
  parser.add_option("--graph", options.graphs, perf::slice_kinds).comma_or_blank_list();
  parser.add_option("--algorithm", options.algorithms).comma_or_blank_list();
  parser.add_flag("!--forward", options.backward, "never look backward, as in the thesis");
  parser.add_option("--forward-to-backward", options.forward_to_backward,
                    "by vertices and 2d: turn backward earlier (less) or later (more)");
  parser.add_flag("--levels", options.levels, "the table of levels of the last search");
  return perf::run_benchmark("bench_distributed", parser, argc, argv, [&] {
    perf::check_growth(options.common.weak, options.graphs);
    return benchmark(options);
  });
}
