// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of algorithms have in common: options, the loop over methods, strategies, roots and repeats, the
// table, the JSON and the file of results. Each brings a solver:
//
//   template <class Vertex>
//   class Solver {
//    public:
//     explicit Solver(const LoadedGraph<Vertex>& loaded);                 // or (loaded, options): algorithm_action()
//     AlgorithmRun run(const std::string& method, const NamedStrategy& strategy, Vertex root);
//     RuleResult check(Vertex root);                                      // judges the last run
//     void write(const std::string& path);                                // the results of the last run
//     void write_more(const NamedFile& file) const;                       // for AlgorithmCommand::add_output()
//     nlohmann::ordered_json picture() const;                             // for --plot, instead of the rates
//   };
//
// method is "" where an algorithm has only one, and root no_vertex where it takes none. Solvers of matrices are made
// from a LoadedMatrix. A solver that takes a subject instead (driver/commands/whole_subject.hpp) runs on any number of
// ranks: driver/commands/subject_command.hpp.
#pragma once

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/kokkos_session.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/stopping.hpp"
#include "driver/base/strategy_options.hpp"
#include "driver/base/talking.hpp"
#include "driver/commands/whole_subject.hpp"
#include "driver/graphs/load_graph.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/graphs/root_options.hpp"
#include "driver/reports/algorithm_report.hpp"
#include "driver/reports/json_report.hpp"
#include "driver/reports/memory_report.hpp"
#include "driver/reports/plot.hpp"
#include "driver/reports/rate_plot.hpp"
#include "driver/reports/vertex_results.hpp"

namespace dromos::driver {

/// A file beside --output, that is written where it has a path.
struct MoreOutput {
  NamedFile file;
  bool of_graph = false;
};

struct AlgorithmCommand {
  GraphOptions graph;
  StrategyOptions strategies;
  JsonReport report;
  PlotOptions plot;
  std::vector<std::string> methods;      ///< as asked for
  std::vector<std::string> all_methods;  ///< those there are, the default first; empty: only one, without a name
  std::optional<RootOptions> roots;      ///< of algorithms that start somewhere
  bool draws = false;                    ///< by --seed: something else than --roots
  bool needs_degrees = false;            ///< on several ranks too, by those who ask the subject for vertices by degree
  std::int64_t num_repeats = 1;
  std::string output;
  std::deque<MoreOutput> more_outputs;  ///< of add_output()
  std::string plot_shows = "The rate of each method and strategy";
  bool of_matrix = false;  ///< what is loaded: the options of graphs that matrices do not have are left out
  bool validate = false;
  bool show_steps = false;

  /// \param line  what --output writes of every vertex: "vertex component"; empty: there is no such option
  void declare(ArgumentParser& parser, const std::string& line) {
    if (of_matrix) {
      graph.declare_matrix(parser);
    } else {
      graph.declare(parser);
    }
    if (roots) roots->declare(parser);
    if (!all_methods.empty()) {
      std::string names;
      for (const std::string& name : all_methods) names += name + ", ";
      std::vector<std::string> suggestions = all_methods;
      suggestions.push_back("all");
      parser
          .add_option("--method", methods,
                      names + "several of them, or all; " + all_methods.front() + " is the default")
          .value_name("NAME")
          .comma_list()
          .suggest(suggestions)
          .group("Algorithm");
    }
    strategies.declare(parser);
    parser.add_flag("--validate", validate, "Prove every result by the rules for it").group("Results");
    if (!line.empty()) {
      parser
          .add_option(
              "--output", output,
              "Write \"" + line + "\" of every vertex, in the file's own numbers; .h5: as a column, .mtx: as a vector")
          .value_name("FILE")
          .writes_file()
          .group("Results");
    }
    report.declare(parser);
    graph.report_memory = memory_report(report);
    plot.declare(parser, plot_shows);
    add_repeat(parser, num_repeats, "Runs of each method and strategy, after one that is not measured")
        .group("Results");
  }

  /// Another file that solvers write, by write_more(). Of a graph or a matrix, whose format its name has to tell, or of
  /// values.
  void add_output(ArgumentParser& parser, const std::string& option, const std::string& description, bool of_graph) {
    more_outputs.push_back({{option, "", true}, of_graph});
    parser.add_option(option, more_outputs.back().file.path, description)
        .value_name("FILE")
        .writes_file()
        .group("Results");
  }

  /// Everything that can be wrong before a graph is there. Throws ArgumentError.
  void check() const {
    graph.check();
    check_repeat(num_repeats, graph.asks_memory);
    if (roots) roots->check();
    graph.check_seed(draws || (roots && roots->random()), roots.has_value());
    report.check();
    if (!output.empty()) check_result_file("--output", output);
    plot.check();
    for (const auto& [file, of_graph] : more_outputs) {
      if (file.path.empty()) continue;
      check_result_file(file.option, file.path);
      if (of_graph) choose_output_format("", file.path);
    }
    plot.check_python();
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

  /// Are there files beside --json?
  bool has_outputs() const {
    bool any = !output.empty() || plot.wanted();
    for (const MoreOutput& each : more_outputs) any = any || !each.file.path.empty();
    return any;
  }

  /// Text for people: not where results take stdout.
  bool talks() const {
    bool may = report.leaves_stdout() && may_talk_beside(output);
    for (const MoreOutput& each : more_outputs) may = may && may_talk_beside(each.file.path);
    return may;
  }
};

namespace detail {

template <class Solver, class = void>
struct WritesMore : std::false_type {};
template <class Solver>
struct WritesMore<Solver,
                  std::void_t<decltype(std::declval<const Solver&>().write_more(std::declval<const NamedFile&>()))>>
    : std::true_type {};

template <class Solver, class = void>
struct HasPicture : std::false_type {};
template <class Solver>
struct HasPicture<Solver, std::void_t<decltype(std::declval<const Solver&>().picture())>> : std::true_type {};

}  // namespace detail

/// Draws what --plot asks for: the picture of the last run where the solver has one, or the rates.
template <class Solver>
void draw_plot(const AlgorithmCommand& command, const Solver& solver, const GraphSummary& graph,
               const std::vector<AlgorithmRun>& runs, bool all_valid) {
  if constexpr (detail::HasPicture<Solver>::value) {
    if (all_valid) command.plot.draw(solver.picture());
  } else {
    draw_rates(command.plot, graph, runs);
  }
}

/// Writes the results of the last run to every file that was asked for.
template <class Solver>
void write_outputs(const AlgorithmCommand& command, Solver& solver) {
  if (!command.output.empty()) solver.write(command.output);
  if constexpr (detail::WritesMore<Solver>::value) {
    for (const MoreOutput& output : command.more_outputs) {
      if (!output.file.path.empty()) solver.write_more(output.file);
    }
  }
}

/// Runs everything that was asked for on one graph and tells; returns the exit code. Stopped by a signal after the
/// first run, it tells what is done.
///
/// \param activity  for the line of progress: "decomposing"
template <class Subject, class Solver>
int run_algorithm(AlgorithmCommand& command, const std::vector<std::string>& methods,
                  const std::vector<NamedStrategy>& strategies, const Subject& subject, Solver& solver,
                  const std::string& activity) {
  using Vertex = typename Subject::Global;
  std::vector<Vertex> roots{no_vertex<Vertex>};
  if (command.roots) {
    roots = subject.choose_roots(*command.roots, static_cast<std::uint64_t>(command.graph.generator.seed));
  }
  const bool speaks = subject.speaks();
  std::vector<AlgorithmRun> runs;
  bool all_valid = true;
  int signal = 0;  // that stops it
  std::optional<FinishRunFirst> stops_between_runs;
  std::exception_ptr not_written;
  const auto total = methods.size() * strategies.size() * roots.size() * static_cast<std::size_t>(command.num_repeats);
  {
    std::unique_ptr<Progress> progress;
    if (speaks) progress = std::make_unique<Progress>(activity + " " + subject.summary().source);
    RunTable table(total, methods, names_of(strategies), [&](const std::string& text) { progress->print(text); });
    for (const std::string& method : methods) {
      for (const NamedStrategy& strategy : strategies) {
        // Touches the memory, unmeasured.
        if (command.num_repeats > 1 && signal == 0) solver.run(method, strategy, roots.front());
        for (const Vertex root : roots) {
          for (std::int64_t repeat = 0; repeat < command.num_repeats && signal == 0; ++repeat) {
            if (progress) progress->update(static_cast<int>(runs.size()), static_cast<int>(total));
            AlgorithmRun run = solver.run(method, strategy, root);
            subject.describe(run);
            if (command.validate) {
              const RuleResult proof = solver.check(root);
              run.valid = proof.holds;
              if (!proof.holds) run.message = proof.message + " (vertices as they are numbered inside, from 0)";
              all_valid = all_valid && proof.holds;
            }
            if (speaks && command.talks()) table.add(run);
            runs.push_back(std::move(run));
            if (runs.size() < total && !stops_between_runs) stops_between_runs.emplace(speaks);
            if (total > 1) signal = subject.largest_of_ranks(remembered_signal());
          }
        }
      }
    }
    // A result that failed its check is never written, nor the last of a series that has no end.
    if (runs.size() == total) stops_between_runs.reset();
    try {
      if (all_valid && runs.size() == total) write_outputs(command, solver);
    } catch (const Error&) {
      not_written = std::current_exception();  // the table and the report are not lost with it
    }
  }

  subject.report([&] {
    if (command.talks()) {
      if (command.show_steps) {
        for (const AlgorithmRun& run : runs) fmt::print("{}", steps_of(run));
      }
      if (!runs.empty()) fmt::print("{}", runs.back().text);
      flush_standard_output();
    }
    command.report.set_graph(subject.summary().to_json());
    for (const AlgorithmRun& run : runs) command.report.add_run(to_json(run));
    if (runs.size() < total) {
      command.report.mark_interrupted();
      say_error(fmt::format("dromos: {}{}\n", describe_stop(signal, runs.size(), total),
                            command.has_outputs() ? "; --json alone is written" : ""));
    }
    command.report.write();
    if (command.plot.wanted() && runs.size() == total) draw_plot(command, solver, subject.summary(), runs, all_valid);
  });
  if (not_written) std::rethrow_exception(not_written);
  for (const AlgorithmRun& run : runs) {
    if (speaks && !run.valid.value_or(true)) {
      say_error(fmt::format("dromos: error: wrong result of {}: {}\n", run.label(), run.message));
    }
  }
  if (!all_valid) return exit_failed;
  return signal == 0 ? static_cast<int>(exit_fine) : exit_code_of_signal(signal);
}

/// Says what the graph is and where it is worked on.
template <class Subject>
void introduce(const AlgorithmCommand& command, const Subject& subject) {
  if (!command.talks() || !subject.speaks()) return;
  fmt::print("{}{}{}\n\n", subject.summary().to_text(), kokkos_summary(), subject.ranks());
  flush_standard_output();
}

/// Loads the graph, or what else Loaded makes of its options, tells what it is, and runs Solver<Vertex>(loaded graph,
/// options ...) on it.
template <template <class> class Solver, template <class> class Loaded = LoadedGraph, class... Options>
CommandAction algorithm_action(const std::shared_ptr<AlgorithmCommand>& command, const std::string& activity,
                               const std::shared_ptr<Options>&... options) {
  return [command, activity, options...] {
    command->check();
    const auto methods = command->resolve_methods();
    const auto strategies = command->strategies.resolve();
    return with_loaded<Loaded>(command->graph, [&](const auto& loaded) {
      const WholeSubject<std::decay_t<decltype(loaded)>> subject(loaded);
      introduce(*command, subject);
      Solver<typename std::decay_t<decltype(loaded)>::vertex_type> solver(loaded, *options...);
      return run_algorithm(*command, methods, strategies, subject, solver, activity);
    });
  };
}

}  // namespace dromos::driver
