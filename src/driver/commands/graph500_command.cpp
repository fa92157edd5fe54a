// SPDX-License-Identifier: BSD-3-Clause
// dromos graph500: the benchmark as its specification 2.0 has it, on any number of ranks.
#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <dromos/version.hpp>

#include "driver/base/command.hpp"

#ifdef DROMOS_ENABLE_MPI
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/generate/kronecker.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "driver/base/host_memory.hpp"
#include "driver/base/option_values.hpp"
#include "driver/distributed/distributed_options.hpp"
#include "driver/distributed/graph500_benchmark.hpp"
#endif

namespace dromos::driver {

#ifdef DROMOS_ENABLE_MPI
namespace {

constexpr const char* graph500_footer = R"(Examples:
  mpirun -n 4 dromos graph500 --scale 20
      2^20 vertices, 16 * 2^20 edges, 64 searches, every one validated
  mpirun -n 4 dromos graph500 --scale 18 --algorithm all --levels
      every distributed search in turn, each with a table of the levels of its last search
  mpirun -n 4 dromos graph500 --scale 16 --sssp
      kernel 3, too: shortest paths from the same roots, over the same edges with random weights
  dromos graph500 --scale 16 --json -
      on one rank; the fields as JSON

Kernel 1 (construction) is timed from the distributed edge list to the end of building; kernel 2 from just before
the root is visited until parents and levels are in memory, one search after the other, after one that is not
timed. Times are the slowest rank's. Roots are distinct and have an edge that is no self loop. TEPS count the
edges of the input list within the root's component, duplicates included. Rates are averaged by the harmonic
mean; its deviation is the standard error of that mean. An invalid search ends the run without results.

Kernel 3 (--sssp) follows with fields of its own, sssp_ instead of bfs_: delta-stepping in a graph that is distributed by
vertices and built once more, with the weights; construction_time is then that graph's. The weight of an edge is a
random number in (0, 1] that its ends and the seed decide, the same for any number of ranks.

Levels of the searches by vertices: CLQ vertices of the frontier, NLF their neighbors, LV those that stay on
their rank after pruning, RV received from others, NLQ found new, QR = CLQ / NLF, UR = pruned / NLF.)";

/// Throws MemoryError where the ranks of this machine would not fit: the edges, the arcs on their way on both sides,
/// and the rows that are built of them.
void check_fits(const Graph500Options& command, const Communicator& node, const Communicator& world, int id_bytes) {
  if (!host_accessible<Kokkos::DefaultExecutionSpace::memory_space> || node.rank() != 0) return;
  const double edges = static_cast<double>(command.edge_factor) * static_cast<double>(std::int64_t(1) << command.scale);
  const double weights = command.shortest_paths ? (1 + 3 * 2) * sizeof(float) : 0;  // of the edge; of its arcs likewise
  const double share = static_cast<double>(node.size()) / static_cast<double>(world.size());
  check_host_memory(fmt::format("graph500 of scale {}", command.scale),
                    share * edges * ((2 + 10) * id_bytes + weights));
}

int run_graph500(Graph500Options& command) {
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
      const KroneckerEdges<std::int64_t> checked(command.graph());
    } else {
      const KroneckerEdges<std::int32_t> checked(command.graph());
    }
    if (bare.rank() == 0) command.report.check();
    if (command.delta != 0 && !command.shortest_paths) {
      throw ArgumentError("--delta has no effect without --sssp; give both or leave it out");
    }
    const auto chosen = resolve_distributed_algorithms(
        command.algorithms.empty() ? std::vector<std::string>{"relabelled-bitmask"} : command.algorithms);
    command.partition.check_use(chosen, "--algorithm");
    return chosen;
  });
  const TransportChoice choice = on_all_ranks(bare, [&] { return transport_choice_from_name(command.transport); });
  const auto world = on_all_ranks(bare, [&] { return std::make_unique<Communicator>(MPI_COMM_WORLD, choice); });
  {
    const Communicator node = world->split_by_node();
    on_all_ranks(*world, [&] { check_fits(command, node, *world, wide ? 8 : 4); });
  }
  return wide ? run_graph500_benchmark<std::int64_t>(command, *world, algorithms)
              : run_graph500_benchmark<std::int32_t>(command, *world, algorithms);
}

}  // namespace

CommandAction declare_graph500(ArgumentParser& parser) {
  parser.footer(graph500_footer);
  const auto command = std::make_shared<Graph500Options>();
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
      .suggest(words_of(distributed_algorithm_names() + ", all"))
      .group("Search");
  parser.add_option("--transport", command->transport, "How ranks talk: auto, shared, host-staged or gpu-aware")
      .value_name("NAME")
      .suggest({"auto", "shared", "host-staged", "gpu-aware"})
      .group("Search");
  command->partition.declare(parser, "Search");
  command->strategies.declare(parser);
  parser.add_flag("--sssp", command->shortest_paths, "Kernel 3, too: shortest paths over random weights")
      .group("Search");
  add_number(parser, "--delta", command->delta,
             "Width of a bucket of distances, for --sssp; 0: chosen by weights and degrees", 0,
             std::numeric_limits<float>::max())
      .group("Search");
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
    throw ArgumentError(
        "graph500 needs MPI, and this dromos was built without: configure with -D Dromos_ENABLE_MPI=ON");
  };
}

#endif

}  // namespace dromos::driver
