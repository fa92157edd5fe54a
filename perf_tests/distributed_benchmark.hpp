// SPDX-License-Identifier: BSD-3-Clause
// What benchmarks of distributed searches share: groups of the launched ranks, several searches that take turns with
// every root, and the end of main(). Their graphs are those of distributed_graphs.hpp.
//
// Smaller numbers of ranks run on the first ranks while the others wait in a barrier. Searches are run once before the
// first timed one; results are validated outside of the timing.
#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/distributed/slice_roots.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmark.hpp"
#include "command_line/abort_all_ranks.hpp"
#include "command_line/argument_parser.hpp"
#include "command_line/parameter_file.hpp"
#include "distributed_graphs.hpp"

namespace dromos::perf {

inline double harmonic_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += 1 / value;
  return values.empty() ? 0 : static_cast<double>(values.size()) / sum;
}

/// What the runs of a search took; times are the slowest rank's, TEPS count input edges.
struct MeasuredRuns {
  std::vector<double> seconds, teps;
  bool valid = true;

  /// Validates the result of a run, which is not timed; the number of input edges that it reached. Collective.
  Offset validate(const Communicator& group, const DistributedInput<Vertex>& input, Vertex root,
                  const ReplicatedResult<Vertex>& found) {
    const SliceValidation verdict =
        validate_slices(group, Space(), input.slice, input.directed, root, found.parent, found.level);
    valid = valid && verdict.valid;
    return verdict.edges_reached;
  }
  void add(double run_seconds, Offset edges_reached) {
    seconds.push_back(run_seconds);
    teps.push_back(static_cast<double>(edges_reached) / run_seconds);
  }
};

/// Any distributed search by its name, and its runs.
struct MeasuredSearch : MeasuredRuns {
  std::string name;
  std::unique_ptr<DistributedSearch<Vertex>> search;
  double construction = 0;
  std::vector<double> communication;
  std::int64_t most_graph_bytes = 0, all_graph_bytes = 0;  // of the rank that has most, and of all together
  double bytes_sent = 0;
  double messages = 0;

  /// Builds the graph and runs the first, untimed search from `root`. Collective.
  MeasuredSearch(const Communicator& group, const std::string& shown_name, const std::string& algorithm,
                 const DistributedInput<Vertex>& input, const DistributedOptions& options, Vertex root)
      : name(shown_name) {
    group.barrier();
    const double begin = MPI_Wtime();
    search = make_distributed_search(algorithm, group, Space(), input, options);
    construction = max(group, MPI_Wtime() - begin);
    most_graph_bytes = max(group, search->graph_bytes());
    all_graph_bytes = sum(group, search->graph_bytes());
    search->search(root);
  }

  void measure(const Communicator& group, const DistributedInput<Vertex>& input, Vertex root) {
    group.barrier();
    search->search(root);
    const DistributedStatistics statistics = search->statistics();
    add(statistics.seconds, validate(group, input, root, search->replicate_result()));
    communication.push_back(statistics.communication_seconds);
    bytes_sent += static_cast<double>(statistics.bytes_sent);
    messages += static_cast<double>(statistics.messages);
  }

  /// Per search.
  double bytes() const { return bytes_sent / static_cast<double>(seconds.size()); }
  double messages_sent() const { return messages / static_cast<double>(seconds.size()); }

  /// What every result file says of a search.
  Json json() const {
    return {{"algorithm", name},
            {"strategy", search->strategy()},
            {"construction_seconds", construction},
            {"graph_bytes_of_a_rank", most_graph_bytes},
            {"graph_bytes_of_all_ranks", all_graph_bytes},
            {"harmonic_mean_gteps", harmonic_mean(teps) / 1e9},
            {"seconds", spread(seconds)},
            {"communication_seconds", spread(communication)},
            {"bytes_sent_per_search", bytes()},
            {"messages_per_search", messages_sent()},
            {"roots", seconds.size()},
            {"valid", valid}};
  }
};

/// The levels of several searches from one root, each figure the median.
inline Json median_levels(DistributedSearch<Vertex>& search, Vertex root, std::int64_t num_runs) {
  std::vector<LevelTable> tables;
  std::vector<DistributedStatistics> statistics;
  for (std::int64_t run = 0; run < num_runs; ++run) {
    search.search(root);
    tables.push_back(search.level_table());
    statistics.push_back(search.statistics());
  }
  auto levels = Json::array();
  if (tables.empty()) return levels;
  for (std::size_t l = 0; l < tables.front().rows.size(); ++l) {
    Json level = {{"frontier_size", statistics.front().levels[l].frontier_size},
                  {"frontier_edges", statistics.front().levels[l].frontier_edges},
                  {"backward_search", statistics.front().levels[l].backward}};
    for (std::size_t c = 0; c < tables.front().columns.size(); ++c) {
      std::vector<double> values;
      for (const LevelTable& table : tables) values.push_back(table.rows[l][c]);
      level[tables.front().columns[c]] = median(values);
    }
    levels.push_back(level);
  }
  return levels;
}

inline std::vector<std::string> all_algorithm_names() {
  std::vector<std::string> names;
  for (const DistributedAlgorithm& algorithm : all_distributed_algorithms()) names.push_back(algorithm.name);
  return names;
}

/// What all of these benchmarks are asked: how many of the launched ranks search and whether graphs grow with them,
/// from how many roots, by which transport.
struct CommonOptions {
  std::vector<int> ranks;
  bool weak = false;
  std::int64_t num_roots = 16;
  std::uint64_t seed = 1;
  std::string transport = "auto";
  std::string output;

  void declare(ArgumentParser& parser) {
    parser.add_option("--ranks", ranks, "how many of the launched ranks search (default: all)")
        .comma_or_blank_list()
        .in_range(1, MpiSession::world_size());
    parser.add_flag("--weak", weak, "as many vertices on every rank, whatever their number");
    parser.add_option("--roots", num_roots, "searches of each").in_range(1);
    parser.add_option("--seed", seed, "of generators and roots");
    parser.add_option("--transport", transport, transport_names);
    parser.add_option("--json", output, "write the results to this file");
  }

  /// All launched ranks, with the transport asked for.
  Communicator world() const { return Communicator(MPI_COMM_WORLD, transport_choice_from_name(transport)); }

  /// For the frame of the result.
  Json json(const Communicator& launched) const {
    return {{"weak", weak},
            {"roots", num_roots},
            {"seed", seed},
            {"transport", launched.transport().name()},
            {"launched_ranks", launched.size()}};
  }

  /// Runs run(group, scale) on each group of ranks; `scale` is that of a rank where graphs grow. Collective.
  template <class Run>
  void for_each_group(const Communicator& world, int scale, const Run& run) const {
    for (const int size : ranks.empty() ? std::vector<int>{world.size()} : ranks) {
      const bool takes_part = world.rank() < size;
      const Communicator group = world.split(takes_part ? 0 : 1, world.rank());
      if (takes_part) run(group, scale + (weak ? static_cast<int>(std::lround(std::log2(size))) : 0));
      world.barrier();
    }
  }
};

/// Writes the result where one is wanted; the exit code of the program: 0 where all rows are valid. Collective.
inline int finish(const Communicator& world, const std::string& output, const Json& result) {
  bool valid = true;
  for (const Json& row : result["rows"]) valid = valid && row.value("valid", true);
  if (world.rank() == 0 && !output.empty()) write_result(output, result);
  return min<std::int32_t>(world, valid ? 1 : 0) == 1 ? 0 : 1;
}

/// The command line, Kokkos, and the benchmark; an error that escapes ends all ranks. main() returns this.
template <class Benchmark>
int run_benchmark(const char* name, ArgumentParser& parser, int argc, char** argv, const Benchmark& benchmark) {
  accept_parameter_file(parser);
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  int kokkos_argc = 1;
  const Kokkos::ScopeGuard kokkos(kokkos_argc, argv);
  try {
    return benchmark();
  } catch (const std::exception& error) {
    abort_all_ranks(1, std::string(name) + ": " + error.what());
  }
}

}  // namespace dromos::perf
