// SPDX-License-Identifier: BSD-3-Clause
// dromos scc: strongly connected components with every strategy and method, how long it took and whether it is right.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/algorithms/scc.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "json_report.hpp"
#include "load_graph.hpp"
#include "number_format.hpp"
#include "option_values.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "strategy_options.hpp"
#include "text_table.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* footer = R"(Examples:
  dromos scc web-NotreDame.txt.xz
      by Multistep
  dromos scc --strategy all --validate soc-Epinions1.txt
      four strategies in turn, every result proved by the three rules for strong components
  dromos scc --method serial,multistep --repeat 5 --json scc.json wiki-Vote.txt
      Multistep against the serial algorithm, five times each
  dromos scc --output components.txt p2p.txt
      one line "vertex component" for each vertex; a component is called by its first vertex
  dromos scc --generate kronecker --scale 20 --directed

Methods: multistep, forward-backward, coloring, serial. The clock runs from the first look at the degrees to the last
label; the edges turned round, which every method needs, are made before. GEPS are edges of the graph per second, in
thousand millions.)";

struct SccCommand {
  GraphOptions graph;
  StrategyOptions strategies;
  JsonReport report;
  std::vector<std::string> methods{"multistep"};
  std::int64_t num_repeats = 1;
  std::string output;
  bool validate = false;
  bool show_steps = false;

  /// Text for people: not where JSON takes stdout.
  bool talks() const { return !report.on_stdout(); }
  std::vector<SccMethod> resolve_methods() const {
    std::vector<SccMethod> resolved;
    for (const std::string& name : methods) {
      if (name == "all") return all_scc_methods();
      resolved.push_back(scc_method_from_name(name));
    }
    return resolved;
  }
};

/// One decomposition, and what is remembered of it.
struct SccRun {
  SccMethod method = SccMethod::multistep;
  std::string strategy;
  SccStatistics statistics;
  Offset edges = 0;
  std::optional<bool> valid;
  std::string message;  ///< what the validation found wrong

  double eps() const { return statistics.seconds > 0 ? static_cast<double>(edges) / statistics.seconds : 0; }
};

nlohmann::ordered_json to_json(const SccRun& run) {
  auto steps = nlohmann::ordered_json::array();
  for (const SccStep& step : run.statistics.steps) {
    steps.push_back(
        {{"step", step.name}, {"settled", step.num_settled}, {"sweeps", step.num_sweeps}, {"seconds", step.seconds}});
  }
  const ComponentSummary& components = run.statistics.components;
  nlohmann::ordered_json json = {{"algorithm", "scc"},
                                 {"method", scc_method_name(run.method)},
                                 {"strategy", run.strategy},
                                 {"num_components", components.num_components},
                                 {"num_nontrivial", components.num_nontrivial},
                                 {"largest_component", components.largest_component},
                                 {"seconds", run.statistics.seconds},
                                 {"edges", run.edges},
                                 {"geps", run.eps() / 1e9},
                                 {"valid", nullptr}};
  if (run.valid) json["valid"] = *run.valid;
  if (!run.message.empty()) json["message"] = run.message;
  json["steps"] = steps;
  return json;
}

std::string table_of(const std::vector<SccRun>& runs) {
  TextTable table({{"method", TextTable::Align::left},
                   {"strategy", TextTable::Align::left},
                   {"components"},
                   {"non-trivial"},
                   {"largest"},
                   {"time"},
                   {"edges/s"},
                   {"valid"}});
  for (const SccRun& run : runs) {
    const ComponentSummary& components = run.statistics.components;
    table.add_row({scc_method_name(run.method), run.strategy, with_separators(components.num_components),
                   with_separators(components.num_nontrivial), with_separators(components.largest_component),
                   duration(run.statistics.seconds), si_number(run.eps()),
                   !run.valid   ? "-"
                   : *run.valid ? "yes"
                                : "NO"});
  }
  return table.str();
}

std::string steps_of(const SccRun& run) {
  TextTable table({{"  step", TextTable::Align::left}, {"settled"}, {"sweeps"}, {"time"}});
  for (const SccStep& step : run.statistics.steps) {
    table.add_row({std::string("  ") + step.name, with_separators(step.num_settled), with_separators(step.num_sweeps),
                   duration(step.seconds)});
  }
  return fmt::format("\n{}, {}\n{}", scc_method_name(run.method), run.strategy, table.str());
}

/// "vertex component" in the order of the file, a component being called by its first vertex in that order.
template <class Vertex>
void write_result(const std::string& path, const LoadedGraph<Vertex>& loaded,
                  const Kokkos::View<Vertex*, Memory>& component) {
  const auto label = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), component);
  const std::int64_t n = loaded.graph().num_vertices();
  std::vector<Vertex> first(static_cast<std::size_t>(n), no_vertex<Vertex>);
  OutputFile file(path);
  fmt::memory_buffer lines;
  for (std::int64_t i = 0; i < n; ++i) {
    const Vertex v = loaded.in_file_order(static_cast<Vertex>(i));
    Vertex& representative = first[static_cast<std::size_t>(label(v))];
    if (representative == no_vertex<Vertex>) representative = v;
    fmt::format_to(std::back_inserter(lines), "{} {}\n", loaded.name(v), loaded.name(representative));
    if (lines.size() > 1 << 20 || i + 1 == n) {
      file.stream().write(lines.data(), static_cast<std::streamsize>(lines.size()));
      lines.clear();
    }
  }
  file.commit();
}

template <class Vertex>
int run_scc(SccCommand& command, const std::vector<SccMethod>& methods, const std::vector<NamedStrategy>& strategies,
            const LoadedGraph<Vertex>& loaded) {
  if (command.talks()) {
    fmt::print("{}\n", loaded.summary().to_text());
    std::fflush(stdout);
  }
  const Space space;
  const CsrGraph<Vertex, Memory>& graph = loaded.graph();
  SccScratch<Vertex, Memory> scratch(graph, transpose(space, graph));
  SccResult<Vertex, Memory> result;
  std::vector<SccRun> runs;
  bool all_valid = true;
  {
    Progress progress("decomposing " + loaded.summary().source);
    const int total = static_cast<int>(methods.size() * strategies.size() * command.num_repeats);
    for (const SccMethod method : methods) {
      for (const NamedStrategy& strategy : strategies) {
        SccOptions options;
        options.method = method;
        options.strategy = strategy.strategy;
        if (command.num_repeats > 1) scc(space, scratch, result, options);  // touches the memory, unmeasured
        for (std::int64_t repeat = 0; repeat < command.num_repeats; ++repeat) {
          progress.update(static_cast<int>(runs.size()), total);
          SccRun run{method,
                     strategy.name,
                     scc(space, scratch, result, options),
                     loaded.edges_from_arcs(graph.num_edges()),
                     {},
                     {}};
          if (command.validate) {
            const RuleResult proof = validate_strong_components(graph, result.component);
            run.valid = proof.holds;
            run.message = proof.message;
            all_valid = all_valid && proof.holds;
          }
          runs.push_back(std::move(run));
        }
      }
    }
    // A result that failed its check is never written.
    if (!command.output.empty() && all_valid) write_result(command.output, loaded, result.component);
  }

  if (command.talks()) {
    fmt::print("{}", table_of(runs));
    if (command.show_steps) {
      for (const SccRun& run : runs) fmt::print("{}", steps_of(run));
    }
    std::fflush(stdout);
  }
  command.report.set_graph(loaded.summary().to_json());
  for (const SccRun& run : runs) command.report.add_run(to_json(run));
  command.report.write();
  for (const SccRun& run : runs) {
    if (!run.valid.value_or(true)) {
      fmt::print(stderr, "dromos: error: wrong result of {} with {}: {}\n", scc_method_name(run.method), run.strategy,
                 run.message);
    }
  }
  return all_valid ? exit_fine : exit_failed;
}

}  // namespace

CommandAction declare_scc(CLI::App& app) {
  app.footer(footer);
  const auto command = std::make_shared<SccCommand>();
  command->graph.declare(app);
  app.add_option("--method", command->methods, "multistep, forward-backward, coloring, serial, several of them, or all")
      ->delimiter(',')
      ->type_name("NAME")
      ->group("Algorithm");
  command->strategies.declare(app);
  add_integer(app, "--repeat", command->num_repeats, "Runs of each method and strategy", 1)->group("Algorithm");
  app.add_flag("--validate", command->validate, "Prove every result by the rules for strong components")
      ->group("Results");
  app.add_flag("--steps", command->show_steps, "Show what each step of a method settled")->group("Results");
  app.add_option("--output", command->output, "Write \"vertex component\" of every vertex, in the file's own numbers")
      ->type_name("FILE")
      ->group("Results");
  command->report.declare(app);
  return [command] {
    command->graph.check();
    command->report.check();
    if (!command->output.empty()) check_writable("--output", command->output);
    const auto methods = command->resolve_methods();
    const auto strategies = command->strategies.resolve();
    return with_graph(command->graph,
                      [&](const auto& loaded) { return run_scc(*command, methods, strategies, loaded); });
  };
}

}  // namespace dromos::driver
