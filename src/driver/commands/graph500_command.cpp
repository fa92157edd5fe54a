// SPDX-License-Identifier: BSD-3-Clause
// dromos graph500: the benchmark as its specification 2.0 has it, on any number of ranks.
#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <dromos/version.hpp>

#include "driver/base/command.hpp"

#ifdef DROMOS_ENABLE_MPI
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/available_memory.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/generate/kronecker.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "driver/base/host_memory.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/talking.hpp"
#include "driver/distributed/distributed_options.hpp"
#include "driver/distributed/graph500_benchmark.hpp"
#include "driver/graphs/drawn_edges.hpp"
#include "driver/graphs/working_memory.hpp"
#include "driver/reports/memory_report.hpp"
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
timed; --repeat N searches from each root N times. Times are the slowest rank's. Roots are distinct and have an edge that is no self loop. TEPS count the
edges of the input list within the root's component, duplicates included. Rates are averaged by the harmonic
mean; its deviation is the standard error of that mean. An invalid search ends the run without results.

Kernel 3 (--sssp) follows with fields of its own, sssp_ instead of bfs_: delta-stepping in a graph that is distributed by
vertices and built once more, with the weights; construction_time is then that graph's. The weight of an edge is a
random number in (0, 1] that its ends and the seed decide, the same for any number of ranks.

Levels of the searches by vertices: CLQ vertices of the frontier, NLF their neighbors, LV those that stay on
their rank after pruning, RV received from others, NLQ found new, QR = CLQ / NLF, UR = pruned / NLF.)";

/// What a rank has at its peak of a graph that is distributed by vertices, whichever of the steps that follow each
/// other has most.
double bytes_a_rank(const Graph500Options& command, int num_ranks, int id_bytes) {
  const double id = id_bytes, offset = sizeof(Offset), local = sizeof(LocalVertex), ranks = num_ranks;
  const KroneckerOptions graph = command.graph();
  const double n = std::ldexp(1, graph.scale), own = n / ranks;
  const double num_edges = static_cast<double>(graph.edge_factor) * n, edges = num_edges / ranks;
  const DrawnEdges drawn = DrawnEdges::kronecker(graph.scale, num_edges, graph.a, graph.b, graph.c);
  const double arcs = 2 * drawn.num_distinct(false) / ranks;
  // Building: the edges; their arcs, as they leave and, where there are others, arrive; then rows of these.
  const auto building = [&](double slice, double weight) {
    const double leaving = slice + (num_ranks == 1 ? 1 : 2) * 2 * edges * 2 * id;
    const double cleaning =
        slice + 2 * edges * (2 * id + weight) + own * offset + 2 * edges * (id + weight) + bytes_beside_rows(2 * edges);
    return std::max(leaving, cleaning);
  };
  // Weights are made before the first search.
  const double slice = edges * (2 * id + (command.shortest_paths ? sizeof(float) : 0));
  // Searching: parents, levels, bitmaps of all vertices; then parents and levels of all, by rank and in their order.
  const double judging = command.skip_validation ? 0 : n * (2 * id + sizeof(Level));
  const double rows = own * offset + arcs * id;
  const double searching = slice + rows + own * (3 * id + 2 * sizeof(Level)) + n + judging;
  double bytes = std::max({n * offset, building(slice, 0), searching});
  if (command.shortest_paths) {
    const double others = (1 - 1 / ranks) * drawn.num_met_by(1 / ranks), known = own + others;
    const double part = (known + 1) * offset + arcs * (local + sizeof(float)) + known * id + 2 * others * local;
    const double numbering = slice + own * offset + arcs * (id + sizeof(float)) + n / 4 + part;
    // Rows are there once more, light edges before heavy ones.
    const double split = arcs * (local + sizeof(float)) + known * offset;
    const double all = command.skip_validation ? 0 : n * (2 * id + sizeof(float));
    const double pathing = slice + part + split + known * (3 * local + 4 * sizeof(float) + id) + all;
    bytes = std::max({bytes, building(slice, sizeof(float)), numbering, pathing});
  }
  return bytes;
}

/// Throws MemoryError where the ranks of this machine would not fit.
void check_fits(const Graph500Options& command, const Communicator& node, const Communicator& world, int id_bytes) {
  if (!host_accessible<Kokkos::DefaultExecutionSpace::memory_space> || node.rank() != 0) return;
  check_host_memory(fmt::format("graph500 of scale {}", command.scale),
                    node.size() * bytes_a_rank(command, world.size(), id_bytes));
}

/// Says what the rank that needs most would need. Collective.
int tell_memory(Graph500Options& command, const Communicator& node, const Communicator& world, int id_bytes) {
  const double resident = resident_memory().now;
  MemoryNeeds needs;
  needs.command = "dromos graph500";
  needs.source =
      fmt::format("kronecker, scale {}, edge factor {}, seed {}", command.scale, command.edge_factor, command.seed);
  needs.num_vertices = std::ldexp(1, static_cast<int>(command.scale));
  needs.num_edges = static_cast<double>(command.edge_factor) * needs.num_vertices;
  needs.id_bits = 8 * id_bytes;
  needs.bytes = max(world, resident + bytes_a_rank(command, world.size(), id_bytes));
  needs.num_ranks = node.size();
  needs.available = static_cast<double>(sum(node, static_cast<std::int64_t>(resident))) +
                    static_cast<double>(available_host_memory());
  on_all_ranks(world, [&] {
    if (world.rank() != 0) return;
    if (memory_report(command.report)(needs) && !is_quiet()) fmt::print("{}", needs.to_text());
  });
  return exit_fine;
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
    if (command.asks_memory && !host_accessible<Kokkos::DefaultExecutionSpace::memory_space>) {
      throw ArgumentError("--memory counts the memory of a host, and here graphs lie in that of a device");
    }
    check_repeat(command.num_repeats, command.asks_memory);
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
    if (command.asks_memory) return tell_memory(command, node, *world, wide ? 8 : 4);
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
  add_integer(parser, "--roots", command->num_roots, "Roots of searches (default 64)", 1).group("Search");
  add_repeat(parser, command->num_repeats, "Searches from each root, which all count").group("Search");
  parser
      .add_option("--algorithm", command->algorithms,
                  "relabelled-bitmask (default), or others of " + distributed_algorithm_names() + "; or all")
      .value_name("NAME")
      .comma_list()
      .suggest(words_of(distributed_algorithm_names() + ", all"))
      .group("Search");
  parser
      .add_option("--transport", command->transport,
                  "How ranks talk: auto, shared, nccl, gpu-aware, host-staged or mixed")
      .value_name("NAME")
      .suggest({"auto", "shared", "nccl", "gpu-aware", "host-staged", "mixed"})
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
  parser.add_flag("--memory", command->asks_memory, "Only say how much memory each rank would need at its peak")
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
