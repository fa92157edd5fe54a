// SPDX-License-Identifier: BSD-3-Clause
// dromos bfs: searches from every root with every strategy, and says how long it took and whether it is right.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <memory>
#include <optional>

#include "command.hpp"
#include "json_report.hpp"
#include "kokkos_session.hpp"
#include "load_graph.hpp"
#include "number_format.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "root_options.hpp"
#include "strategy_options.hpp"
#include "text_table.hpp"
#include "vertex_lines.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* footer = R"(Examples:
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

The clock runs from the initialisation of the results to the end of the last level. One search that is not
measured goes before those of each strategy. TEPS are edges traversed per second, counted as Graph500 does:
stored arcs that leave reached vertices, an undirected edge once.)";

struct BfsCommand {
  GraphOptions graph;
  RootOptions roots;
  StrategyOptions strategies;
  JsonReport report;
  std::string output;
  bool direction_optimizing = false;
  bool validate = false;
  bool show_levels = false;

  /// Text for people: not where JSON takes stdout.
  bool talks() const { return !report.on_stdout(); }
};

/// One search, and what is remembered of it.
struct BfsRun {
  std::string algorithm;
  std::string strategy;
  std::int64_t root = 0;  ///< as the file numbers it
  BfsStatistics statistics;
  Offset edges = 0;
  std::optional<bool> valid;
  std::string message;  ///< what the validation found wrong

  double teps() const { return statistics.seconds > 0 ? static_cast<double>(edges) / statistics.seconds : 0; }
};

nlohmann::ordered_json to_json(const BfsRun& run) {
  auto levels = nlohmann::ordered_json::array();
  auto details = nlohmann::ordered_json::array();
  for (const BfsLevel& level : run.statistics.levels) {
    levels.push_back(level.frontier_size);
    details.push_back({{"frontier", level.frontier_size},
                       {"arcs", level.frontier_edges},
                       {"direction", level.backward ? "backward" : "forward"},
                       {"seconds", level.seconds}});
  }
  nlohmann::ordered_json json = {{"algorithm", run.algorithm},
                                 {"strategy", run.strategy},
                                 {"root", run.root},
                                 {"reached", run.statistics.num_reached},
                                 {"depth", run.statistics.depth},
                                 {"levels", levels},
                                 {"seconds", run.statistics.seconds},
                                 {"edges", run.edges},
                                 {"gteps", run.teps() / 1e9},
                                 {"valid", nullptr}};
  if (run.valid) json["valid"] = *run.valid;
  if (!run.message.empty()) json["message"] = run.message;
  json["level_details"] = details;
  return json;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string describe_valid(const BfsRun& run) { return !run.valid ? "-" : *run.valid ? "yes" : "NO"; }

std::string table_of(const std::vector<BfsRun>& runs, std::size_t num_roots) {
  TextTable table({{"strategy", TextTable::Align::left}, {"root"}, {"reached"}, {"depth"}, {"edges"}, {"time"}, {"TEPS"},
                   {"valid"}});
  for (std::size_t first = 0; first < runs.size(); first += num_roots) {
    std::vector<double> seconds, teps;
    for (std::size_t i = first; i < first + num_roots; ++i) {
      const BfsRun& run = runs[i];
      seconds.push_back(run.statistics.seconds);
      teps.push_back(run.teps());
      table.add_row({run.strategy, std::to_string(run.root), with_separators(run.statistics.num_reached),
                     with_separators(run.statistics.depth), with_separators(run.edges),
                     duration(run.statistics.seconds), si_number(run.teps()), describe_valid(run)});
    }
    if (num_roots == 1) continue;
    table.add_row({runs[first].strategy, "median", "", "", "", duration(median(seconds)), si_number(median(teps))});
    if (first + num_roots < runs.size()) table.add_gap();
  }
  return table.str();
}

/// The level sizes of each root; they do not depend on the strategy.
std::string level_sizes_of(const std::vector<BfsRun>& runs, std::size_t num_roots) {
  std::string text;
  for (std::size_t i = 0; i < num_roots; ++i) {
    std::string sizes;
    for (const BfsLevel& level : runs[i].statistics.levels) sizes += with_separators(level.frontier_size) + " ";
    text += fmt::format("\n  vertices on each level, from root {}:\n{}", runs[i].root, wrapped(sizes, 4));
  }
  return text;
}

template <class Vertex>
void write_result(const std::string& path, const LoadedGraph<Vertex>& loaded, const BfsResult<Vertex, Memory>& result) {
  const auto parent = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.parent);
  const auto level = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.level);
  write_vertex_lines(path, loaded, [&](fmt::memory_buffer& lines, Vertex v) {
    const std::int64_t parent_name = parent(v) == no_vertex<Vertex> ? -1 : loaded.name(parent(v));
    fmt::format_to(std::back_inserter(lines), "{} {} {}\n", loaded.name(v), parent_name, level(v));
  });
}

template <class Vertex>
class BfsRunner {
 public:
  BfsRunner(const BfsCommand& command, const LoadedGraph<Vertex>& loaded)
      : command_(command), loaded_(loaded) {
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

  void write(const std::string& path) const { write_result(path, loaded_, result_); }

 private:
  BfsStatistics search(const NamedStrategy& strategy, Vertex root) {
    BfsOptions options;
    options.strategy = strategy.strategy;
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
  const auto roots = command.roots.choose(loaded, static_cast<std::uint64_t>(command.graph.generator.seed));
  if (command.talks()) {
    fmt::print("{}{}\n\n", loaded.summary().to_text(), kokkos_summary());
    std::fflush(stdout);
  }

  std::vector<BfsRun> runs;
  bool all_valid = true;
  {
    Progress progress("searching " + loaded.summary().source);
    const int total = static_cast<int>(strategies.size() * roots.size());
    BfsRunner<Vertex> runner(command, loaded);
    for (const NamedStrategy& strategy : strategies) {
      runner.warm_up(strategy, roots.front());
      for (const Vertex root : roots) {
        progress.update(static_cast<int>(runs.size()), total);
        runs.push_back(runner.run(strategy, root));
        all_valid = all_valid && runs.back().valid.value_or(true);
      }
    }
    // A result that failed its check is never written.
    if (!command.output.empty() && all_valid) runner.write(command.output);
  }

  if (command.talks()) {
    fmt::print("{}", table_of(runs, roots.size()));
    if (command.show_levels) fmt::print("{}", level_sizes_of(runs, roots.size()));
    std::fflush(stdout);
  }
  command.report.set_graph(loaded.summary().to_json());
  for (const BfsRun& run : runs) command.report.add_run(to_json(run));
  command.report.write();
  for (const BfsRun& run : runs) {
    if (!run.valid.value_or(true)) {
      fmt::print(stderr, "dromos: error: wrong result of {} from root {}: {}\n", run.strategy, run.root, run.message);
    }
  }
  return all_valid ? exit_fine : exit_failed;
}

}  // namespace

CommandAction declare_bfs(CLI::App& app) {
  app.footer(footer);
  const auto command = std::make_shared<BfsCommand>();
  command->graph.declare(app);
  command->roots.declare(app);
  command->strategies.declare(app);
  app.add_flag("--direction-optimizing", command->direction_optimizing,
               "Search backward from unvisited vertices on levels where that is less work (a directed graph is then "
               "stored a second time, by in-edges)");
  app.add_flag("--validate", command->validate, "Check every result by the rules of Graph500")->group("Results");
  app.add_flag("--levels", command->show_levels, "Show the number of vertices on each level")->group("Results");
  app.add_option("--output", command->output, "Write \"vertex parent level\" of every vertex, in the file's own numbers")
      ->type_name("FILE")
      ->group("Results");
  command->report.declare(app);
  return [command] {
    command->graph.check();
    command->roots.check();
    command->report.check();
    if (!command->output.empty()) check_writable("--output", command->output);
    const auto strategies = command->strategies.resolve();
    if (!command->output.empty() && (strategies.size() > 1 || command->roots.num_asked_for() > 1)) {
      throw ArgumentError("--output takes the result of one search: give one root and one strategy");
    }
    return with_graph(command->graph, [&](const auto& loaded) { return run_bfs(*command, strategies, loaded); });
  };
}

}  // namespace dromos::driver
