// SPDX-License-Identifier: BSD-3-Clause
// dromos bfs: searches from every root with every strategy, and says how long it took and whether it is right.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <dromos/version.hpp>
#include <exception>
#include <memory>
#include <optional>

#include "driver/base/command.hpp"
#include "driver/base/kokkos_session.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/ranks.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/stopping.hpp"
#include "driver/commands/bfs_command.hpp"
#ifdef DROMOS_ENABLE_MPI
#include "driver/distributed/distributed_options.hpp"
#endif

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* bfs_footer = R"(Examples:
  dromos bfs karate.mtx
      from the vertex of highest out-degree
  dromos bfs --strategy all --validate web-NotreDame.txt.xz
      four strategies in turn, every result checked by the five rules of Graph500
  dromos bfs --root 6 --output levels.txt p2p.txt
      one line "vertex parent level" for each vertex, -1 -1 where the root does not reach
  dromos bfs --undirected --roots 16 --seed 7 soc-Epinions1.txt
      edges taken both ways; 16 random roots; the median at the end
  dromos bfs --direction-optimizing --generate kronecker --scale 20 --roots 16 --levels
      unvisited vertices look back for a parent wherever that is less work
  dromos bfs --generate kronecker --scale 20 --strategy manhattan-local:M,manhattan-local:M+C --roots 8
      what a step of the local Manhattan collapse is worth

  dromos bfs --roots 16 --plot levels.svg web-NotreDame.txt.xz
      vertices and edges on each level: the median, the middle half and the range of all roots

  mpirun -n 4 dromos bfs --roots 16 --validate web-NotreDame.txt.xz
      the graph spread over four ranks: the first reads it, each searches the vertices it owns
  mpirun -n 4 dromos bfs --distributed delegate separated.h5
      a graph that dromos convert --separated wrote for four ranks: each reads its part of it

The clock runs from the initialisation of the results to the end of the last level. One search that is not
measured goes before those of each strategy. TEPS are edges traversed per second, counted as Graph500 does:
stored arcs that leave reached vertices, an undirected edge once.)";

template <class Vertex>
class BfsRunner {
 public:
  BfsRunner(const BfsCommand& command, const LoadedGraph<Vertex>& loaded) : command_(command), loaded_(loaded) {
    if (command.direction_optimizing) {
      direction_scratch_ = BfsDirectionScratch<Vertex, Memory>(space_, loaded.graph());
    } else {
      scratch_ = BfsScratch<Vertex, Memory>(loaded.graph());
    }
  }

  BfsRun run(const NamedStrategy& strategy, Vertex root) {
    BfsRun result;
    result.algorithm = command_.direction_optimizing ? "bfs-direction-optimizing" : "bfs";
    result.strategy = strategy.name;
    result.root = loaded_.name(root);
    result.statistics = search(strategy, root);
    result.edges = loaded_.edges_from_arcs(result.statistics.edges_reached);
    if (command_.validate) {
      const Kokkos::View<const Vertex*, Memory> parent = result_.parent;
      const Kokkos::View<const Level*, Memory> level = result_.level;
      const BfsValidation validation = validate_bfs(space_, loaded_.graph(), root, parent, level);
      result.valid = validation.valid;
      if (!validation.valid) result.message = validation.message + " (vertices as they are numbered inside, from 0)";
    }
    return result;
  }

  /// One search that nobody measures: memory is touched and kernels are loaded by it.
  void warm_up(const NamedStrategy& strategy, Vertex root) { search(strategy, root); }

  void write(const std::string& path, Vertex root) const {
    write_bfs_result<Vertex>(path, loaded_, root, Kokkos::View<const Vertex*, Memory>(result_.parent),
                             Kokkos::View<const Level*, Memory>(result_.level));
  }

 private:
  BfsStatistics search(const NamedStrategy& strategy, Vertex root) {
    BfsOptions options;
    options.strategy = strategy.strategy;
    options.fuse_small_levels = options.late_updates = command_.fuse_small_levels;
    return command_.direction_optimizing
               ? bfs_direction_optimizing(space_, loaded_.graph(), root, direction_scratch_, result_, options)
               : bfs(space_, loaded_.graph(), root, scratch_, result_, options);
  }

  const BfsCommand& command_;
  const LoadedGraph<Vertex>& loaded_;
  Space space_;
  BfsScratch<Vertex, Memory> scratch_;                     // of the one algorithm
  BfsDirectionScratch<Vertex, Memory> direction_scratch_;  // or of the other
  BfsResult<Vertex, Memory> result_;
};

template <class Vertex>
int run_bfs(BfsCommand& command, const std::vector<NamedStrategy>& strategies, const LoadedGraph<Vertex>& loaded) {
  const auto roots = repeated(command.roots.choose(loaded, static_cast<std::uint64_t>(command.graph.generator.seed)),
                              command.num_repeats);
  if (command.talks()) {
    fmt::print("{}{}\n\n", loaded.summary().to_text(), kokkos_summary());
    flush_standard_output();
  }

  std::vector<BfsRun> runs;
  bool all_valid = true;
  std::optional<FinishRunFirst> stops_between_runs;
  std::exception_ptr not_written;
  const std::size_t total = strategies.size() * roots.size();
  {
    Progress progress("searching " + loaded.summary().source);
    BfsTable table(names_of(strategies), names_of_vertices(loaded, roots), loaded.summary(),
                   [&](const std::string& text) { progress.print(text); });
    BfsRunner<Vertex> runner(command, loaded);
    for (const NamedStrategy& strategy : strategies) {
      if (remembered_signal() != 0) break;
      runner.warm_up(strategy, roots.front());
      for (const Vertex root : roots) {
        if (remembered_signal() != 0) break;
        progress.update(static_cast<int>(runs.size()), static_cast<int>(total));
        runs.push_back(runner.run(strategy, root));
        all_valid = all_valid && runs.back().valid.value_or(true);
        if (command.talks()) table.add(runs.back());
        if (runs.size() < total && !stops_between_runs) stops_between_runs.emplace(true);
      }
    }
    table.finish();
    if (runs.size() == total) stops_between_runs.reset();
    // A result that failed its check is never written, nor one of a series that has no end.
    try {
      if (!command.output.empty() && all_valid && runs.size() == total) runner.write(command.output, roots.front());
    } catch (const Error&) {
      not_written = std::current_exception();  // the table and the report are not lost with it
    }
  }

  const int code = report_bfs(command, runs, {strategies.size(), roots.size(), remembered_signal()}, loaded.summary());
  if (not_written) std::rethrow_exception(not_written);
  return code;
}

}  // namespace

void BfsCommand::check() const {
  graph.check();
  check_repeat(num_repeats, graph.asks_memory);
  roots.check();
  graph.check_seed(roots.random(), true);
  report.check();
  if (!output.empty()) check_result_file("--output", output);
  plot.check();
  if (!output.empty() && (strategies.resolve().size() > 1 || roots.num_asked_for() > 1)) {
    throw ArgumentError("--output takes the result of one search: give one root and one strategy");
  }
  plot.check_python();
}

int report_bfs(BfsCommand& command, const std::vector<BfsRun>& runs, const BfsSeries& series,
               const GraphSummary& summary) {
  const std::size_t num_roots = series.num_roots, total = series.num_strategies * num_roots;
  if (command.talks()) {
    if (command.show_levels) fmt::print("{}", level_sizes_of(runs, num_roots));
    flush_standard_output();
  }
  command.report.set_graph(summary.to_json());
  for (const BfsRun& run : runs) command.report.add_run(to_json(run));
  if (runs.size() < total) {
    command.report.mark_interrupted();
    say_error(
        fmt::format("dromos: {}{}\n", describe_stop(series.signal, runs.size(), total),
                    command.plot.wanted() || !command.output.empty() ? "; --output and --plot are not written" : ""));
  }
  command.report.write();
  if (command.plot.wanted() && runs.size() == total) command.plot.draw(level_profile(runs, num_roots, summary.source));
  bool all_valid = true;
  for (const BfsRun& run : runs) {
    if (!run.valid.value_or(true)) {
      all_valid = false;
      say_error(
          fmt::format("dromos: error: wrong result of {} from root {}: {}\n", run.strategy, run.root, run.message));
    }
  }
  if (!all_valid) return exit_failed;
  return series.signal == 0 ? static_cast<int>(exit_fine) : exit_code_of_signal(series.signal);
}

CommandAction declare_bfs(ArgumentParser& parser) {
  parser.footer(bfs_footer);
  const auto command = std::make_shared<BfsCommand>();
  command->graph.declare(parser);
  command->roots.declare(parser);
  command->strategies.declare(parser);
  parser
      .add_flag("--direction-optimizing", command->direction_optimizing,
                "Search backward from unvisited vertices on levels where that is less work (a directed graph is then "
                "stored a second time, by in-edges)")
      .group("Search");
  parser
      .add_flag(
          "!--no-fusion", command->fuse_small_levels,
          "Leave every level to the strategy: launch levels of few edges one by one instead of several at once, and on "
          "GPUs those of many edges with queues")
      .group("Search");
  parser.add_flag("--validate", command->validate, "Check every result by the rules of Graph500").group("Results");
  parser.add_flag("--levels", command->show_levels, "Show the number of vertices on each level").group("Results");
  parser
      .add_option("--output", command->output,
                  "Write \"vertex parent level\" of every vertex, in the file's own numbers; .h5: as columns")
      .value_name("FILE")
      .writes_file()
      .group("Results");
  command->report.declare(parser);
  command->graph.report_memory = memory_report(command->report);
  add_repeat(parser, command->num_repeats, "Searches from each root").group("Results");
  command->plot.declare(parser, "Vertices and edges on each level");
#ifdef DROMOS_ENABLE_MPI
  parser
      .add_option("--distributed", command->distributed,
                  "On several ranks (mpirun -n 4 dromos bfs ...), search by " + distributed_algorithm_names() +
                      "; default relabelled-bitmask")
      .value_name("NAME")
      .suggest(words_of(distributed_algorithm_names()))
      .group("Several ranks");
  parser
      .add_option("--transport", command->transport,
                  "How ranks talk: auto, shared, nccl, gpu-aware, host-staged or mixed")
      .value_name("NAME")
      .suggest({"auto", "shared", "nccl", "gpu-aware", "host-staged", "mixed"})
      .group("Several ranks");
  command->partition.declare(parser, "Several ranks");
#endif
  return [command] {
#ifdef DROMOS_ENABLE_MPI
    if (num_ranks() > 1) return run_distributed_bfs(*command);
#endif
    refuse_without_ranks({command->distributed.empty() ? "" : "--distributed",
                          command->transport == "auto" ? "" : "--transport",
                          command->partition.grid.empty() ? "" : "--grid",
                          command->partition.degree_threshold ? "--degree-threshold" : ""});
    command->check();
    const auto strategies = command->strategies.resolve();
    return with_graph(command->graph, [&](const auto& loaded) { return run_bfs(*command, strategies, loaded); });
  };
}

}  // namespace dromos::driver
