// SPDX-License-Identifier: BSD-3-Clause
// How do distributed searches scale, and where does their time go: computation or communication?
//
//   mpirun -n 4 bench_distributed --ranks 1,2,4 --scale 20                        strong scaling (Mastrostefano 2013, Table 4.3)
//   mpirun -n 4 bench_distributed --ranks 1,2,4 --scale 18 --weak                 weak scaling (Table 4.2): 2^18 vertices a rank
//   mpirun -n 4 bench_distributed --ranks 4 --scale 20 --edge-factor 16,32,64     density (Figure 4.10)
//   mpirun -n 4 bench_distributed --ranks 4 --scale 20 --graph kronecker,erdos-renyi   skewed or uniform (Figure 4.11)
//
// One line a graph, number of ranks and algorithm: all in one run, the algorithms in turn for every root. Smaller numbers
// of ranks run on the first ranks while the others wait in a barrier, which costs a core each: launch no more ranks than
// there are cores. Times are the slowest rank's; TEPS count input edges; results are validated outside of the timing.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/dist/distributed_search.hpp>
#include <dromos/dist/edge_slice.hpp>
#include <dromos/dist/slice_roots.hpp>
#include <dromos/dist/validate_slices.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <memory>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"

namespace {

using namespace dromos;
using perf::Json;
using perf::Memory;
using perf::Space;
using Vertex = std::int32_t;

struct Options {
  std::vector<int> scales{18};
  std::vector<std::int64_t> edge_factors{16};
  std::vector<int> ranks;
  std::vector<std::string> graphs{"kronecker"};
  std::vector<std::string> algorithms;
  std::int64_t num_roots = 16;
  std::uint64_t seed = 1;
  bool weak = false;
  bool validate = true;
  bool levels = false;
  std::string transport = "auto";
  std::string output;
};

struct Measurement {
  std::string name;
  std::unique_ptr<DistributedSearch<Vertex>> search;
  double construction = 0;
  std::vector<double> seconds, communication, teps;
  std::int64_t bytes_sent = 0;
  bool valid = true;
};

DistributedInput<Vertex> make_input(const Communicator& group, const std::string& graph, int scale,
                                    std::int64_t edge_factor, std::uint64_t seed) {
  DistributedInput<Vertex> input;
  if (graph == "kronecker") {
    KroneckerOptions options;
    options.scale = scale;
    options.edge_factor = edge_factor;
    options.seed = seed;
    input.slice = generate_slice<Vertex>(group, Space(), KroneckerEdges<Vertex>(options));
  } else {
    ErdosRenyiOptions options;
    options.num_vertices = std::int64_t(1) << scale;
    options.num_edges = edge_factor << scale;
    options.seed = seed;
    input.slice = generate_slice<Vertex>(group, Space(), ErdosRenyiEdges<Vertex>(options));
  }
  input.build.symmetrize = input.build.drop_self_loops = input.build.remove_duplicates = true;
  return input;
}

double harmonic_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += 1 / value;
  return values.empty() ? 0 : static_cast<double>(values.size()) / sum;
}

void print_levels(const Measurement& m) {
  const LevelTable table = m.search->level_table();
  int rank = MpiSession::world_rank();
  if (rank != 0) return;
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
  const Space space;
  const DistributedInput<Vertex> input = make_input(group, graph, scale, edge_factor, options.seed);
  std::vector<Measurement> measurements;
  for (const std::string& name : options.algorithms) {
    Measurement m;
    m.name = name;
    group.barrier();
    const double begin = MPI_Wtime();
    m.search = make_distributed_search(name, group, space, input);
    m.construction = max(group, MPI_Wtime() - begin);
    measurements.push_back(std::move(m));
  }
  const auto roots = slice_roots(group, space, input.slice, false, options.num_roots, options.seed);
  if (roots.empty()) return;
  for (Measurement& m : measurements) m.search->search(roots.front());
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
      m.bytes_sent += statistics.bytes_sent;
      m.teps.push_back(static_cast<double>(verdict.edges_reached) / statistics.seconds);
    }
  }
  for (const Measurement& m : measurements) {
    if (options.levels) print_levels(m);
    if (group.rank() != 0) continue;
    const double computation = perf::median(m.seconds) - perf::median(m.communication);
    std::printf("%-11s %5d %4lld %5d  %-18s %8.3f %9.4f %9.4f %9.4f %9.4f %12.3g  %s\n", graph.c_str(), scale,
                static_cast<long long>(edge_factor), group.size(), m.name.c_str(), m.construction,
                harmonic_mean(m.teps) / 1e9, perf::median(m.seconds), computation, perf::median(m.communication),
                static_cast<double>(m.bytes_sent) / static_cast<double>(roots.size()), m.valid ? "yes" : "NO");
    std::fflush(stdout);
    result["rows"].push_back({{"graph", graph},
                              {"scale", scale},
                              {"edge_factor", edge_factor},
                              {"ranks", group.size()},
                              {"algorithm", m.name},
                              {"construction_seconds", m.construction},
                              {"harmonic_mean_gteps", harmonic_mean(m.teps) / 1e9},
                              {"seconds", perf::spread(m.seconds)},
                              {"communication_seconds", perf::spread(m.communication)},
                              {"bytes_sent_per_search", m.bytes_sent / static_cast<std::int64_t>(roots.size())},
                              {"roots", roots.size()},
                              {"valid", m.valid}});
  }
}

int benchmark(const Options& options) {
  const Communicator world(MPI_COMM_WORLD, transport_choice_from_name(options.transport));
  const bool speaks = world.rank() == 0;
  Json result = perf::result_frame("bench_distributed", {{"scale", options.scales},
                                                         {"edge_factor", options.edge_factors},
                                                         {"graph", options.graphs},
                                                         {"weak", options.weak},
                                                         {"roots", options.num_roots},
                                                         {"seed", options.seed},
                                                         {"transport", world.transport().name()},
                                                         {"launched_ranks", world.size()}});
  if (speaks) {
    std::printf("%-11s %5s %4s %5s  %-18s %8s %9s %9s %9s %9s %12s  %s\n", "graph", "scale", "ef", "ranks", "algorithm",
                "build s", "GTEPS", "time s", "comp. s", "comm. s", "bytes", "valid");
  }
  for (const std::string& graph : options.graphs) {
    for (const int scale : options.scales) {
      for (const std::int64_t edge_factor : options.edge_factors) {
        for (const int ranks : options.ranks.empty() ? std::vector<int>{world.size()} : options.ranks) {
          const bool takes_part = world.rank() < ranks;
          const Communicator group = world.split(takes_part ? 0 : 1, world.rank());
          if (takes_part) {
            const int more = options.weak ? static_cast<int>(std::lround(std::log2(ranks))) : 0;
            run(group, graph, scale + more, edge_factor, options, result);
          }
          world.barrier();
        }
      }
    }
  }
  bool valid = true;
  for (const Json& row : result["rows"]) valid = valid && row["valid"].get<bool>();
  if (speaks && !options.output.empty()) perf::write_result(options.output, result);
  return min<std::int32_t>(world, valid ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("Strong and weak scaling of distributed searches, computation and communication apart");
  Options options;
  for (const DistributedAlgorithm& algorithm : all_distributed_algorithms()) options.algorithms.push_back(algorithm.name);
  parser.add_option("--scale", options.scales, "log2 of the number of vertices; with --weak, a rank's")
      .comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factors, "input edges per vertex").comma_or_blank_list();
  parser.add_option("--ranks", options.ranks, "how many of the launched ranks search (default: all)")
      .comma_or_blank_list()
      .in_range(1, MpiSession::world_size());
  parser.add_option("--graph", options.graphs).comma_or_blank_list().one_of({"kronecker", "erdos-renyi"});
  parser.add_option("--algorithm", options.algorithms).comma_or_blank_list();
  parser.add_option("--roots", options.num_roots);
  parser.add_option("--seed", options.seed);
  parser.add_flag("--weak", options.weak, "as many vertices on every rank, whatever their number");
  parser.add_flag("--levels", options.levels, "the table of levels of the last search");
  parser.add_option("--transport", options.transport, "auto, host-staged, gpu-aware");
  parser.add_option("--json", options.output, "write the results to this file");
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  int kokkos_argc = 1;
  const Kokkos::ScopeGuard kokkos(kokkos_argc, argv);
  try {
    return benchmark(options);
  } catch (const std::exception& error) {
    MpiSession::abort_all(1, std::string("bench_distributed: ") + error.what());
  }
}
