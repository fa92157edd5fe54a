// SPDX-License-Identifier: BSD-3-Clause
// What `dromos cc`, `scc` and `color` have in common: options, the loop over methods, strategies and repeats, the table,
// the JSON and the file of labels. Each brings a solver:
//
//   struct Solver {
//     ComponentRun run(const std::string& method, const NamedStrategy& strategy);   // method: "" where there is one
//     RuleResult check() const;                                                     // judges the labels of the last run
//     Kokkos::View<const Vertex*, Memory> labels() const;                           // each a vertex of its own class
//   };
#pragma once

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "command.hpp"
#include "component_report.hpp"
#include "json_report.hpp"
#include "kokkos_session.hpp"
#include "load_graph.hpp"
#include "option_values.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "strategy_options.hpp"
#include "usage_error.hpp"
#include "vertex_lines.hpp"

namespace dromos::driver {

struct ComponentCommand {
  GraphOptions graph;
  StrategyOptions strategies;
  JsonReport report;
  std::vector<std::string> methods;      ///< as asked for
  std::vector<std::string> all_methods;  ///< those there are, the default first; empty: only one, without a name
  std::int64_t num_repeats = 1;
  std::string output;
  bool validate = false;
  bool show_steps = false;

  /// \param label  what --output writes beside a vertex: "component", "color"
  void declare(CLI::App& app, const std::string& label) {
    graph.declare(app);
    if (!all_methods.empty()) {
      std::string names;
      for (const std::string& name : all_methods) names += name + ", ";
      app.add_option("--method", methods, names + "several of them, or all; " + all_methods.front() + " is the default")
          ->type_name("NAME")
          ->type_size(1)
          ->expected(1)
          ->delimiter(',')
          ->allow_extra_args(false)
          ->take_all()
          ->group("Algorithm");
    }
    strategies.declare(app);
    add_integer(app, "--repeat", num_repeats, "Runs of each method and strategy, after one that is not measured", 1)
        ->group("Algorithm");
    app.add_flag("--validate", validate, "Prove every result by the rules for it")->group("Results");
    app.add_option("--output", output, "Write \"vertex " + label + "\" of every vertex, in the file's own numbers")
        ->type_name("FILE")
        ->group("Results");
    report.declare(app);
  }

  /// Everything that can be wrong before a graph is there. Throws ArgumentError.
  void check() const {
    graph.check();
    report.check();
    if (!output.empty()) check_writable("--output", output);
  }

  /// The methods to run, each once.
  std::vector<std::string> resolve_methods() const {
    if (all_methods.empty()) return {""};
    if (methods.empty()) return {all_methods.front()};
    std::vector<std::string> resolved;
    const auto add = [&](const std::string& name) {
      if (std::find(resolved.begin(), resolved.end(), name) == resolved.end()) resolved.push_back(name);
    };
    for (const std::string& name : methods) {
      if (name == "all") {
        for (const std::string& each : all_methods) add(each);
      } else if (std::find(all_methods.begin(), all_methods.end(), name) != all_methods.end()) {
        add(name);
      } else {
        throw ArgumentError("--method: there is no method '" + name + "'" + choice_hint(name, all_methods));
      }
    }
    return resolved;
  }

  /// Text for people: not where JSON takes stdout.
  bool talks() const { return !report.on_stdout(); }
};

/// "vertex label" in the order of the file.
///
/// \param by_first  a class is called by its first vertex in that order, whatever vertex labels it inside
template <class Vertex, class Memory>
void write_labels(const std::string& path, const LoadedGraph<Vertex>& loaded,
                  const Kokkos::View<const Vertex*, Memory>& labels, bool by_first) {
  const auto label = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels);
  std::vector<Vertex> first(label.extent(0), no_vertex<Vertex>);
  write_vertex_lines(path, loaded, [&](fmt::memory_buffer& lines, Vertex v) {
    Vertex& representative = first[static_cast<std::size_t>(label(v))];
    if (representative == no_vertex<Vertex>) representative = by_first ? v : label(v);
    fmt::format_to(std::back_inserter(lines), "{} {}\n", loaded.name(v), loaded.name(representative));
  });
}

/// Runs everything that was asked for on one graph and tells; returns the exit code.
///
/// \param activity    for the line of progress: "decomposing"
/// \param components  what labels stand for: "components", "colors"
/// \param rate        title of the column of edges per second
template <class Vertex, class Solver>
int run_components(ComponentCommand& command, const std::vector<std::string>& methods,
                   const std::vector<NamedStrategy>& strategies, const LoadedGraph<Vertex>& loaded, Solver& solver,
                   const std::string& activity, const std::string& components, const std::string& rate) {
  std::vector<ComponentRun> runs;
  bool all_valid = true;
  {
    Progress progress(activity + " " + loaded.summary().source);
    const int total = static_cast<int>(methods.size() * strategies.size()) * static_cast<int>(command.num_repeats);
    for (const std::string& method : methods) {
      for (const NamedStrategy& strategy : strategies) {
        if (command.num_repeats > 1) solver.run(method, strategy);  // touches the memory, unmeasured
        for (std::int64_t repeat = 0; repeat < command.num_repeats; ++repeat) {
          progress.update(static_cast<int>(runs.size()), total);
          ComponentRun run = solver.run(method, strategy);
          if (command.validate) {
            const RuleResult proof = solver.check();
            run.valid = proof.holds;
            if (!proof.holds) run.message = proof.message + " (vertices as they are numbered inside, from 0)";
            all_valid = all_valid && proof.holds;
          }
          runs.push_back(std::move(run));
        }
      }
    }
    // A result that failed its check is never written.
    if (!command.output.empty() && all_valid) {
      write_labels(command.output, loaded, solver.labels(), Solver::called_by_first);
    }
  }

  if (command.talks()) {
    fmt::print("{}", table_of(runs, components, rate));
    if (command.show_steps) {
      for (const ComponentRun& run : runs) fmt::print("{}", steps_of(run));
    }
    std::fflush(stdout);
  }
  command.report.set_graph(loaded.summary().to_json());
  for (const ComponentRun& run : runs) command.report.add_run(to_json(run));
  command.report.write();
  for (const ComponentRun& run : runs) {
    if (!run.valid.value_or(true)) {
      fmt::print(stderr, "dromos: error: wrong result of {}: {}\n", run.label(), run.message);
    }
  }
  return all_valid ? exit_fine : exit_failed;
}

/// Loads the graph, tells what it is, and runs Solver<Vertex>(loaded graph) on it.
template <template <class> class Solver>
CommandAction component_action(const std::shared_ptr<ComponentCommand>& command, const std::string& activity,
                               const std::string& components, const std::string& rate) {
  return [command, activity, components, rate] {
    command->check();
    const auto methods = command->resolve_methods();
    const auto strategies = command->strategies.resolve();
    return with_graph(command->graph, [&](const auto& loaded) {
      if (command->talks()) {
        fmt::print("{}{}\n\n", loaded.summary().to_text(), kokkos_summary());
        std::fflush(stdout);
      }
      using Vertex = std::decay_t<decltype(loaded.in_file_order(0))>;
      Solver<Vertex> solver(loaded);
      return run_components(*command, methods, strategies, loaded, solver, activity, components, rate);
    });
  };
}

}  // namespace dromos::driver
