// SPDX-License-Identifier: BSD-3-Clause
// dromos graph500: the benchmark as its specification 2.0 has it, on any number of ranks.
#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <dromos/version.hpp>

#include "command.hpp"

#ifdef DROMOS_ENABLE_MPI
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/dist/distributed_search.hpp>
#include <dromos/dist/edge_slice.hpp>
#include <dromos/dist/slice_roots.hpp>
#include <dromos/dist/validate_slices.hpp>
#include <dromos/generate/kronecker.hpp>
#include <memory>
#include <string>
#include <vector>

#include "distributed_options.hpp"
#include "host_memory.hpp"
#include "json_report.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "run_statistics.hpp"
#include "strategy_options.hpp"
#endif

namespace dromos::driver {

#ifdef DROMOS_ENABLE_MPI
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Json = nlohmann::ordered_json;

constexpr const char* footer = R"(Examples:
  mpirun -n 4 dromos graph500 --scale 20
      2^20 vertices, 16 * 2^20 edges, 64 searches, every one validated
  mpirun -n 4 dromos graph500 --scale 18 --algorithm all --levels
      every distributed search in turn, each with a table of the levels of its last search
  dromos graph500 --scale 16 --json -
      on one rank; the fields as JSON

Kernel 1 (construction) is timed from the distributed edge list to the end of building; kernel 2 from just before
the root is visited until parents and levels are in memory, one search after the other, after one that is not
timed. Times are the slowest rank's. Roots are distinct and have an edge that is no self loop. TEPS count the
edges of the input list within the root's component, duplicates included. Rates are averaged by the harmonic
mean; its deviation is the standard error of that mean. An invalid search ends the run without results.

Levels of the searches by vertices: CLQ vertices of the frontier, NLF their neighbors, LV those that stay on
their rank after pruning, RV received from others, NLQ found new, QR = CLQ / NLF, UR = pruned / NLF.)";

struct Graph500Command {
  std::int64_t scale = 16;
  std::int64_t edge_factor = 16;
  std::int64_t num_roots = 64;
  std::int64_t seed = 1;
  std::int64_t id_bits = 0;
  std::vector<std::string> algorithms;
  std::string transport = "auto";
  PartitionOptions partition;
  StrategyOptions strategies;
  bool skip_validation = false;
  bool show_levels = false;
  JsonReport report;
};

KroneckerOptions graph_of(const Graph500Command& command) {
  KroneckerOptions options;
  options.scale = static_cast<int>(command.scale);
  options.edge_factor = command.edge_factor;
  options.seed = static_cast<std::uint64_t>(command.seed);
  return options;
}

/// What is measured of one search algorithm.
struct Measurement {
  std::string algorithm;
  double construction_time = 0;
  std::vector<double> times, edges, teps, validate_times;
  std::vector<std::int64_t> roots;
  std::string level_table;
};

template <class Vertex>
class Graph500 {
 public:
  Graph500(const Graph500Command& command, const Communicator& world)
      : command_(command), world_(world), speaks_(world.rank() == 0 && !command.report.on_stdout()) {}

  int run(const std::vector<std::string>& algorithms, JsonReport& report) {
    if (world_.rank() == 0) progress_ = std::make_unique<Progress>("generating the edges");
    generate();
    const auto roots = slice_roots(world_, space_, input_.slice, false, command_.num_roots,
                                   static_cast<std::uint64_t>(command_.seed));
    on_all_ranks(world_, [&] {
      if (roots.empty()) throw ArgumentError("the graph has no edge but self loops: there is nowhere to start");
    });
    for (const std::string& algorithm : algorithms) {
      const Measurement measurement = measure(algorithm, roots);
      const Json fields = fields_of(measurement);
      progress_.reset();
      if (speaks_) print(measurement, fields);
      report.add_run(to_json(measurement, fields));
    }
    progress_.reset();
    if (world_.rank() == 0) {
      report.set_graph({{"source", fmt::format("kronecker, scale {}, edge factor {}, seed {}", command_.scale,
                                               command_.edge_factor, command_.seed)},
                        {"num_vertices", std::int64_t(1) << command_.scale},
                        {"num_input_edges", command_.edge_factor << command_.scale},
                        {"id_bits", 8 * sizeof(Vertex)}});
    }
    on_all_ranks(world_, [&] {
      if (world_.rank() == 0) report.write();
    });
    return exit_fine;
  }

 private:
  void generate() {
    const KroneckerEdges<Vertex> generator(graph_of(command_));
    world_.barrier();
    const double begin = MPI_Wtime();
    input_.slice = generate_slice<Vertex>(world_, space_, generator);
    input_.build.symmetrize = input_.build.drop_self_loops = input_.build.remove_duplicates = true;
    generation_time_ = max(world_, MPI_Wtime() - begin);
  }

  Measurement measure(const std::string& algorithm, const std::vector<Vertex>& roots) {
    Measurement measurement;
    measurement.algorithm = algorithm;
    if (world_.rank() == 0) {
      progress_.reset();
      progress_ = std::make_unique<Progress>("running " + algorithm);
    }
    DistributedOptions options;
    options.set_strategy(command_.strategies.resolve().front().strategy);
    command_.partition.apply(options);
    world_.barrier();
    const double begin = MPI_Wtime();
    const auto search = make_distributed_search(algorithm, world_, space_, input_, options);
    measurement.construction_time = max(world_, MPI_Wtime() - begin);

    search->search(roots.front());  // not timed: touches memory, opens connections
    for (const Vertex root : roots) {
      if (progress_) progress_->update(static_cast<int>(measurement.times.size()), static_cast<int>(roots.size()));
      world_.barrier();
      const double start = MPI_Wtime();
      search->search(root);
      const double seconds = max(world_, MPI_Wtime() - start);
      const double validate_start = MPI_Wtime();
      const double edges = judge(*search, root, algorithm);
      measurement.roots.push_back(root);
      measurement.times.push_back(seconds);
      measurement.validate_times.push_back(max(world_, MPI_Wtime() - validate_start));
      measurement.edges.push_back(edges);
      measurement.teps.push_back(edges / seconds);
    }
    const LevelTable table = search->level_table();
    if (command_.show_levels) measurement.level_table = to_text(table);
    return measurement;
  }

  /// Validates the search, unless that is to be skipped, and returns the edges that it traversed.
  double judge(DistributedSearch<Vertex>& search, Vertex root, const std::string& algorithm) {
    if (command_.skip_validation) {
      // Arcs of the graph without loops and duplicates: fewer than the input edges that TEPS ought to count.
      return static_cast<double>(search.statistics().arcs_reached) / 2;
    }
    const ReplicatedResult<Vertex> result = search.replicate_result();
    const SliceValidation verdict =
        validate_slices(world_, space_, input_.slice, false, root, result.parent, result.level);
    on_all_ranks(world_, [&] {
      if (!verdict.valid) {
        throw Error(fmt::format("wrong result of {} from root {}: {}; there are no results of an invalid run", algorithm,
                                root, verdict.message));
      }
    });
    return static_cast<double>(verdict.edges_reached);
  }

  Json fields_of(const Measurement& measurement) const {
    Json fields = {{"SCALE", command_.scale},
                   {"edgefactor", command_.edge_factor},
                   {"NBFS", measurement.times.size()},
                   {"graph_generation", generation_time_},
                   {"num_mpi_processes", world_.size()},
                   {"construction_time", measurement.construction_time}};
    add_sample(fields, "bfs", "time", measurement.times);
    add_sample(fields, "bfs", "nedge", measurement.edges);
    add_rates(fields, "bfs", "TEPS", measurement.teps);
    if (!command_.skip_validation) add_sample(fields, "bfs", "validate", measurement.validate_times);
    return fields;
  }

  void print(const Measurement& measurement, const Json& fields) const {
    fmt::print("algorithm: {}\ntransport: {}\n", measurement.algorithm, world_.transport().name());
    for (const auto& [name, value] : fields.items()) {
      if (value.is_number_float()) {
        fmt::print("{}: {:.11g}\n", name, value.template get<double>());
      } else {
        fmt::print("{}: {}\n", name, value.template get<std::int64_t>());
      }
    }
    if (command_.skip_validation) {
      fmt::print("validation: skipped; this is no Graph500 result, and its edges are counted without duplicates\n");
    }
    if (command_.show_levels) {
      fmt::print("\n  levels from root {}, all ranks together:\n{}", measurement.roots.back(), measurement.level_table);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

  Json to_json(const Measurement& measurement, const Json& fields) const {
    auto searches = Json::array();
    for (std::size_t i = 0; i < measurement.times.size(); ++i) {
      searches.push_back({{"root", measurement.roots[i]},
                          {"seconds", measurement.times[i]},
                          {"edges", measurement.edges[i]},
                          {"gteps", measurement.teps[i] / 1e9}});
    }
    return {{"algorithm", measurement.algorithm},
            {"transport", world_.transport().name()},
            {"validated", !command_.skip_validation},
            {"fields", fields},
            {"searches", searches}};
  }

  const Graph500Command& command_;
  const Communicator& world_;
  const bool speaks_;
  Space space_;
  DistributedInput<Vertex> input_;
  double generation_time_ = 0;
  std::unique_ptr<Progress> progress_;
};

/// Throws MemoryError where the ranks of this machine would not fit: the edges, the arcs on their way on both sides, and
/// the rows that are built of them.
void check_fits(const Graph500Command& command, const Communicator& node, const Communicator& world, int id_bytes) {
  if (!host_accessible<Memory> || node.rank() != 0) return;
  const double edges = static_cast<double>(command.edge_factor) * static_cast<double>(std::int64_t(1) << command.scale);
  const double share = static_cast<double>(node.size()) / static_cast<double>(world.size());
  check_host_memory(fmt::format("graph500 of scale {}", command.scale), share * edges * (2 + 10) * id_bytes);
}

int run_graph500(Graph500Command& command) {
  // Alone, without a launcher, MPI starts here; otherwise it runs since the beginning.
  const MpiSession session;
  const Communicator bare(MPI_COMM_WORLD, TransportChoice::host_staged);
  const bool wide =
      command.id_bits == 64 || (command.id_bits == 0 && command.scale > KroneckerEdges<std::int32_t>::max_scale);
  const auto algorithms = on_all_ranks(bare, [&] {
    if (command.id_bits != 0 && command.id_bits != 32 && command.id_bits != 64) {
      throw ArgumentError(fmt::format("--ids: expected 32 or 64, found {}", command.id_bits));
    }
    if (command.strategies.resolve().size() > 1) {
      throw ArgumentError("--strategy: graph500 takes one at a time");
    }
    DistributedOptions checked_options;
    command.partition.apply(checked_options);
    // Refuses options out of range.
    if (wide) {
      const KroneckerEdges<std::int64_t> checked(graph_of(command));
    } else {
      const KroneckerEdges<std::int32_t> checked(graph_of(command));
    }
    if (bare.rank() == 0) command.report.check();
    return resolve_distributed_algorithms(
        command.algorithms.empty() ? std::vector<std::string>{"relabelled-bitmask"} : command.algorithms);
  });
  const TransportChoice choice = on_all_ranks(bare, [&] { return transport_choice_from_name(command.transport); });
  const auto world = on_all_ranks(bare, [&] { return std::make_unique<Communicator>(MPI_COMM_WORLD, choice); });
  {
    const Communicator node = world->split_by_node();
    on_all_ranks(*world, [&] { check_fits(command, node, *world, wide ? 8 : 4); });
  }
  if (wide) return Graph500<std::int64_t>(command, *world).run(algorithms, command.report);
  return Graph500<std::int32_t>(command, *world).run(algorithms, command.report);
}

}  // namespace

CommandAction declare_graph500(ArgumentParser& parser) {
  parser.footer(footer);
  const auto command = std::make_shared<Graph500Command>();
  const std::string group = "Graph";
  add_integer(parser, "--scale", command->scale, "2^N vertices (default 16)", 0, 47).group(group);
  add_integer(parser, "--edge-factor", command->edge_factor, "Edges a vertex (default 16)", 0, 1 << 20).group(group);
  add_integer(parser, "--seed", command->seed, "Of the graph and of the roots", 0).group(group);
  add_integer(parser, "--ids", command->id_bits, "Bits of a vertex id: 32 or 64 (default: 32 where they suffice)", 32,
              64)
      .default_text("")
      .group(group);
  add_integer(parser, "--roots", command->num_roots, "Searches (default 64)", 1).group("Search");
  parser
      .add_option("--algorithm", command->algorithms,
                  "relabelled-bitmask (default), or others of " + distributed_algorithm_names() + "; or all")
      .value_name("NAME")
      .comma_list()
      .group("Search");
  parser.add_option("--transport", command->transport, "How ranks talk: auto, host-staged or gpu-aware")
      .value_name("NAME")
      .group("Search");
  command->partition.declare(parser, "Search");
  command->strategies.declare(parser);
  parser.add_flag("--skip-validation", command->skip_validation, "Do not check results: not a Graph500 run")
      .group("Results");
  parser.add_flag("--levels", command->show_levels, "Show the levels of the last search").group("Results");
  command->report.declare(parser);
  return [command] { return run_graph500(*command); };
}

#else

CommandAction declare_graph500(ArgumentParser& parser) {
  parser.allow_extras();
  return []() -> int {
    throw ArgumentError("graph500 needs MPI, and this dromos was built without: configure with -D Dromos_ENABLE_MPI=ON");
  };
}

#endif

}  // namespace dromos::driver
