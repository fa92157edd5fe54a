// SPDX-License-Identifier: BSD-3-Clause
// dromos bfs on several ranks: the first reads or generates the graph as it would alone and deals its arcs out to all,
// or each reads its slice of an HDF5 file, or its part of a graph that is separated by degree there. The first reports
// what all found, so that options, numbers of vertices and results are those of one rank.
#include <fmt/format.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/distributed/files/slice_results.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/graph/row_sources.hpp>
#include <memory>
#include <optional>

#include "driver/base/command.hpp"
#include "driver/base/kokkos_session.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/stopping.hpp"
#include "driver/commands/bfs_command.hpp"
#include "driver/distributed/distributed_graph.hpp"
#include "driver/distributed/distributed_options.hpp"
#include "driver/distributed/separated_graph.hpp"
#include "driver/distributed/spread_arcs.hpp"

namespace dromos::driver {

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// --output of an HDF5 file, of which every rank writes a block of vertices.
template <class Vertex>
void write_bfs_blocks(const std::string& path, const Communicator& world, const NamedGraph<Vertex>& graph, Vertex root,
                      const ReplicatedResult<Vertex>& result) {
  write_results(world, path, bfs_table(graph, root, block_of(world, result.parent), block_of(world, result.level)));
}

/// All searches, on every rank. `graph` is null where it is not known: it is by rank 0, and by all if
/// `graph_everywhere`.
template <class Vertex>
int search_all(BfsCommand& command, const Communicator& world, const DistributedInput<Vertex>& input,
               const std::vector<Vertex>& roots, const NamedGraph<Vertex>* graph, bool graph_everywhere) {
  const Space space;
  const bool speaks = world.rank() == 0;
  if (speaks && command.talks()) {
    fmt::print("{}{}; {} ranks, {}, {}\n\n", graph->summary().to_text(), kokkos_summary(), world.size(),
               command.distributed, world.transport().name());
    flush_standard_output();
  }

  std::vector<BfsRun> runs;
  bool all_valid = true;
  int signal = 0;  // that stops all ranks
  std::optional<FinishRunFirst> stops_between_runs;
  const auto strategies = command.strategies.resolve();
  const std::size_t total = strategies.size() * roots.size();
  {
    std::unique_ptr<Progress> progress;
    std::unique_ptr<BfsTable> table;
    if (speaks) progress = std::make_unique<Progress>("searching " + graph->summary().source);
    if (speaks && command.talks()) {
      table = std::make_unique<BfsTable>(names_of(strategies), names_of_vertices(*graph, roots), graph->summary(),
                                         [&](const std::string& text) { progress->print(text); });
    }
    for (const NamedStrategy& strategy : strategies) {
      if (signal != 0) break;
      DistributedOptions options;
      options.set_strategy(strategy.strategy);
      options.set_direction_optimizing(command.direction_optimizing);
      command.partition.apply(options);
      const auto search = make_distributed_search(command.distributed, world, space, input, options);
      search->search(roots.front());  // nobody measures this one
      for (const Vertex root : roots) {
        search->search(root);
        const DistributedStatistics statistics = search->statistics();
        BfsRun run;
        run.algorithm = "bfs-" + command.distributed;
        run.strategy = search->strategy();
        run.num_ranks = world.size();
        run.statistics.num_reached = statistics.num_reached;
        run.statistics.depth = statistics.depth;
        run.statistics.edges_reached = statistics.arcs_reached;
        run.statistics.seconds = statistics.seconds;
        run.statistics.levels = statistics.levels;
        if (speaks) {
          run.root = graph->name(root);
          run.edges = graph->edges_from_arcs(statistics.arcs_reached);
        }
        if (command.validate || !command.output.empty()) {
          const ReplicatedResult<Vertex> result = search->replicate_result();
          if (command.validate) {
            // Both arcs of an undirected edge are in the list, so that each is judged as one that leads forwards.
            const SliceValidation verdict =
                validate_slices(world, space, input.slice, true, root, result.parent, result.level);
            run.valid = verdict.valid;
            if (!verdict.valid) run.message = verdict.message + " (vertices as they are numbered inside, from 0)";
            all_valid = all_valid && verdict.valid;
          }
          // A result that failed its check is never written, nor one of a series that has no end.
          if (!command.output.empty() && all_valid && runs.size() + 1 == total) {
            stops_between_runs.reset();
            if (graph_everywhere && names_hdf5(command.output)) {
              write_bfs_blocks(command.output, world, *graph, root, result);
            } else {
              on_all_ranks(world, [&] {
                if (speaks) write_bfs_result(command.output, *graph, root, result.parent, result.level);
              });
            }
          }
        }
        runs.push_back(run);
        if (table) table->add(run);
        if (runs.size() < total && !stops_between_runs) stops_between_runs.emplace(speaks);
        if (total > 1) signal = static_cast<int>(max(world, static_cast<double>(remembered_signal())));
        if (signal != 0) break;
      }
    }
    if (table) table->finish();
    if (runs.size() == total) stops_between_runs.reset();
  }
  on_all_ranks(world, [&] {
    if (speaks) report_bfs(command, runs, {strategies.size(), roots.size(), signal}, graph->summary());
  });
  if (!all_valid) return exit_failed;
  return signal == 0 ? static_cast<int>(exit_fine) : exit_code_of_signal(signal);
}

/// Of the graph that an HDF5 file has separated by degree.
template <class Vertex>
int search_separated(BfsCommand& command, const Communicator& world, Vertex) {
  const SeparatedGraph<Vertex> graph(world, command.graph, !command.roots.named());
  const auto roots = repeated(
      choose_roots<Vertex>(world, command.roots, static_cast<std::uint64_t>(command.graph.generator.seed), &graph),
      command.num_repeats);
  DistributedInput<Vertex> input;
  input.separated = graph.parts();
  if (command.validate) input.slice = graph.arcs();  // nobody else looks at them
  return search_all<Vertex>(command, world, input, roots, &graph, true);
}

}  // namespace

int run_distributed_bfs(BfsCommand& command) {
  if (command.distributed.empty()) command.distributed = "relabelled-bitmask";
  const Communicator bare(MPI_COMM_WORLD, TransportChoice::host_staged);
  const TransportChoice choice = on_all_ranks(bare, [&] {
    command.strategies.resolve();
    resolve_distributed_algorithms({command.distributed});
    if (command.distributed == "all") throw ArgumentError("--distributed: bfs takes one at a time");
    command.partition.check_use({command.distributed}, "--distributed");
    if (bare.rank() == 0) command.check();
    DistributedOptions checked_options;
    command.partition.apply(checked_options);
    return transport_choice_from_name(command.transport);
  });
  const auto world = on_all_ranks(bare, [&] { return std::make_unique<Communicator>(MPI_COMM_WORLD, choice); });

  if (command.distributed == "delegate" && !command.graph.asks_memory &&
      is_separated(*world, command.graph, command.partition.degree_threshold)) {
    return with_id_type(command.graph.file.id_bits,
                        [&](auto vertex) { return search_separated(command, *world, vertex); });
  }
  return with_spread_arcs(*world, command.graph, !command.roots.named(), [&](const auto& arcs) {
    const auto roots = repeated(
        choose_roots(*world, command.roots, static_cast<std::uint64_t>(command.graph.generator.seed), arcs.graph),
        command.num_repeats);
    DistributedInput<typename std::decay_t<decltype(roots)>::value_type> input;
    input.slice = arcs.slice;
    input.directed = arcs.directed;
    return search_all(command, *world, input, roots, arcs.graph, arcs.graph_everywhere);
  });
}

}  // namespace dromos::driver
