// SPDX-License-Identifier: BSD-3-Clause
#include "benchmark_driver.hpp"

#include <algorithm>
#include <cstdio>
#include <dromos/core/long_range.hpp>
#include <dromos/generate/random_roots.hpp>
#include <optional>
#include <utility>

#include "benchmark_program.hpp"
#include "benchmarks.hpp"
#include "ceilings.hpp"
#include "command_line/parameter_file.hpp"

namespace dromos::perf {
namespace {

struct Options {
  GraphOptions graphs;
  std::vector<std::string> methods;
  std::vector<std::string> strategies;
  int turns = 0;
  bool validate = true;
  std::string json;
  std::string ceilings_file;
  std::optional<Ceilings> ceilings;
};

/// A contender and its runs so far.
struct Entry {
  Contender contender;
  std::vector<double> seconds, rates, to_baseline, floors;
  Json details;

  std::string label() const {
    return contender.method.empty() ? contender.chosen.asked : contender.method + " " + contender.chosen.asked;
  }
};

void declare(ArgumentParser& parser, const Benchmark& benchmark, Options& options) {
  options.graphs.declare(parser, benchmark.graphs);
  if (!benchmark.methods.empty()) {
    std::string names;
    for (const std::string& name : benchmark.methods) names += name + ", ";
    parser.add_option("--" + benchmark.method_option, options.methods, "one or several of " + names + "or all")
        .comma_or_blank_list();
  }
  parser
      .add_option("--strategy", options.strategies,
                  "one or several; all of them, or steps: those towards manhattan-local (default: the library's)")
      .comma_or_blank_list();
  options.turns = benchmark.turns;
  if (benchmark.from_roots) {
    parser.add_option("--roots", options.turns, "measured searches of each contender");
  } else {
    parser.add_option("--runs", options.turns, "measured runs of each contender");
  }
  parser.add_flag("!--no-validation", options.validate, "do not validate (to profile)");
  parser.add_option("--json", options.json, "write the figures to this file");
  parser.add_option("--ceilings", options.ceilings_file,
                    "result of bench_ceilings on this device: say what part of a time the least work would take at its "
                    "speeds");
  if (benchmark.declare) benchmark.declare(parser);
}

/// A method by its name, or by the end of its name behind a dash.
const std::string& find_method(const Benchmark& benchmark, const std::string& name) {
  for (const std::string& method : benchmark.methods) {
    const std::string end = "-" + name;
    const bool ends_so = method.size() > end.size() && method.compare(method.size() - end.size(), end.size(), end) == 0;
    if (method == name || ends_so) return method;
  }
  throw ArgumentError("--" + benchmark.method_option + ": there is no '" + name + "'; --help lists what there is");
}

std::vector<std::string> chosen_methods(const Benchmark& benchmark, const std::vector<std::string>& names) {
  if (benchmark.methods.empty()) return {""};
  if (names.empty()) return benchmark.default_methods.empty() ? benchmark.methods : benchmark.default_methods;
  if (names == std::vector<std::string>{"all"}) return benchmark.methods;
  std::vector<std::string> methods;
  for (const std::string& name : names) methods.push_back(find_method(benchmark, name));
  return methods;
}

std::vector<Entry> make_entries(const Benchmark& benchmark, const Options& options) {
  std::vector<Entry> entries;
  const auto add = [&](const std::string& method, const ChosenStrategy& chosen) {
    Entry entry;
    entry.contender = {method, chosen};
    entries.push_back(std::move(entry));
  };
  if (!benchmark.baseline.empty()) {
    add(benchmark.baseline, chosen_strategies({}, benchmark.default_strategy).front());
  }
  const auto strategies = chosen_strategies(options.strategies, benchmark.default_strategy);
  for (const std::string& method : chosen_methods(benchmark, options.methods)) {
    if (method == benchmark.baseline && !method.empty()) continue;
    for (const ChosenStrategy& chosen : strategies) add(method, chosen);
  }
  return entries;
}

/// All turns of all contenders.
void take_turns(const Benchmark& benchmark, const Options& options, const Kernel& kernel,
                const std::vector<Vertex>& roots, std::vector<Entry>& entries) {
  const int turns = benchmark.from_roots ? static_cast<int>(roots.size()) : options.turns;
  for (int turn = -1; turn < turns; ++turn) {
    const Vertex root = benchmark.from_roots ? roots[std::max(turn, 0)] : no_vertex<Vertex>;
    for (Entry& entry : entries) {
      const Measurement measured = kernel.run(entry.contender, root);
      if (options.validate && (turn < 0 || benchmark.validate_every_turn)) {
        const RuleResult proof = kernel.check(root);
        if (!proof.holds) {
          throw Error(entry.label() + (benchmark.from_roots ? " from root " + std::to_string(root) : "") +
                      " is wrong: " + proof.message);
        }
      }
      if (turn < 0) continue;
      entry.seconds.push_back(measured.seconds);
      if (measured.edges > 0) entry.rates.push_back(1e-9 * measured.edges / measured.seconds);
      entry.to_baseline.push_back(measured.seconds / entries.front().seconds.back());
      if (options.ceilings) entry.floors.push_back(options.ceilings->seconds_for(measured.least));
      entry.details = measured.details;
    }
  }
}

Json row_of(const Benchmark& benchmark, const Options& options, const Json& facts, const Entry& entry) {
  Json row = facts;
  if (!benchmark.methods.empty()) row[benchmark.method_option] = entry.contender.method;
  row["strategy"] = entry.contender.chosen.runs;
  row["asked_strategy"] = entry.contender.chosen.asked;
  row["seconds"] = spread(entry.seconds);
  if (!benchmark.rate.empty()) row[benchmark.rate] = spread(entry.rates);
  if (!benchmark.baseline.empty()) row["ratio_to_" + benchmark.baseline] = spread(entry.to_baseline);
  if (options.ceilings) {
    row["floor_seconds"] = spread(entry.floors);
    row["floor_share"] = median(entry.floors) / median(entry.seconds);
  }
  if (entry.details.is_object()) row.update(entry.details);
  row["validated"] = options.validate;
  return row;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// One number of a row, "-" where it has none.
std::string cell(const Json& row, const std::string& field, const char* statistic, double factor, int digits) {
  const Json* value = row.contains(field) ? &row[field] : nullptr;
  if (value != nullptr && value->is_object()) value = &(*value)[statistic];
  if (value == nullptr || !value->is_number()) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, factor * value->get<double>());
  return text;
}

void print_table(const Benchmark& benchmark, const std::vector<Json>& rows) {
  std::vector<std::vector<std::string>> lines(1 + rows.size());
  const auto add = [&](const std::string& heading, const auto& cell_of) {
    lines[0].push_back(heading);
    for (std::size_t i = 0; i < rows.size(); ++i) lines[i + 1].push_back(cell_of(rows[i]));
  };
  const auto add_text = [&](const std::string& field) {
    add(field, [&](const Json& row) { return row[field].get<std::string>(); });
  };
  const auto add_number = [&](const std::string& heading, const std::string& field, const char* statistic,
                              double factor, int digits) {
    add(heading, [&](const Json& row) { return cell(row, field, statistic, factor, digits); });
  };
  if (!benchmark.methods.empty()) add_text(benchmark.method_option);
  add_text("strategy");
  for (const Json& row : rows) {
    if (row["asked_strategy"] == row["strategy"]) continue;
    add_text("asked_strategy");
    break;
  }
  const std::size_t num_texts = lines[0].size();
  add_number("min ms", "seconds", "min", 1e3, 3);
  add_number("median ms", "seconds", "median", 1e3, 3);
  add_number("max ms", "seconds", "max", 1e3, 3);
  if (!benchmark.rate.empty()) {
    const std::string rate = upper_case(benchmark.rate);
    add_number(rate + " min", benchmark.rate, "min", 1, 3);
    add_number("median", benchmark.rate, "median", 1, 3);
    add_number("max", benchmark.rate, "max", 1, 3);
  }
  if (!benchmark.baseline.empty()) {
    add_number("to " + benchmark.baseline, "ratio_to_" + benchmark.baseline, "median", 1, 2);
  }
  if (!rows.empty() && rows.front().contains("floor_share")) {
    add_number("floor ms", "floor_seconds", "median", 1e3, 3);
    add_number("floor %", "floor_share", "median", 100, 1);
  }
  for (const Column& column : benchmark.columns) {
    add_number(column.heading, column.field, "median", column.factor, column.digits);
  }
  std::vector<int> width(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], static_cast<int>(line[i].size()));
  }
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      std::printf("  %*s", i < num_texts ? -width[i] : width[i], line[i].c_str());
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

void run_graph(const Benchmark& benchmark, const Options& options, const std::vector<Entry>& contenders,
               const BenchmarkGraph& graph, Json& all_rows) {
  std::printf("%s\n", graph.text.c_str());
  std::vector<Vertex> roots;
  if (benchmark.from_roots) {
    roots = random_roots(graph.graph, options.turns, options.graphs.seed);
    if (roots.empty()) throw ArgumentError("the graph has no edges to leave a root by");
  }
  const Kernel kernel = benchmark.prepare(graph);
  std::vector<Entry> entries = contenders;
  take_turns(benchmark, options, kernel, roots, entries);
  Json facts = graph.facts;
  facts.update(kernel.facts);
  std::vector<Json> rows;
  for (const Entry& entry : entries) rows.push_back(row_of(benchmark, options, facts, entry));
  print_table(benchmark, rows);
  for (const Json& row : rows) all_rows.push_back(row);
}

/// Counts edges in a kernel.
template <class T>
struct CountReached {
  Kokkos::View<const Vertex*, Memory> source;
  Kokkos::View<const T*, Memory> value;
  T unreached;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, Offset& count) const {
    count += value(source(i)) != unreached ? 1 : 0;
  }
};

template <class T>
double count_reached(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const T*, Memory>& value, T unreached) {
  Offset count = 0;
  reduce_range("dromos::bench::input_edges_reached", Space(), input.num_edges(),
               CountReached<T>{input.source, value, unreached}, count);
  return static_cast<double>(count);
}

}  // namespace

std::vector<ChosenStrategy> chosen_strategies(const std::vector<std::string>& names, const Strategy& default_strategy) {
  std::vector<ChosenStrategy> chosen;
  const auto add = [&](const Strategy& strategy) {
    chosen.push_back({strategy, strategy_name(strategy), name_of_what_runs<Space>(strategy)});
  };
  if (names.empty()) add(default_strategy);
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Strategy& strategy : all_strategies()) add(strategy);
    } else if (name == "steps") {
      const char* const steps[] = {"M", "M+C", "M+C+S", "M+C+S+L"};
      for (int step = 0; step < 4; ++step) {
        ManhattanLocal strategy;
        strategy.coalesced = step > 0;
        strategy.team_scan = step > 1;
        strategy.local_queue = step > 2;
        const std::string step_name = std::string("manhattan-local ") + steps[step];
        chosen.push_back({strategy, step_name, step_name});
      }
    } else {
      add(strategy_from_name(name));
    }
  }
  return chosen;
}

double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const std::int32_t*, Memory>& value,
                         std::int32_t unreached) {
  return count_reached(input, value, unreached);
}
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const float*, Memory>& value,
                         float unreached) {
  return count_reached(input, value, unreached);
}
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const double*, Memory>& value,
                         double unreached) {
  return count_reached(input, value, unreached);
}
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const std::int64_t*, Memory>& value,
                         std::int64_t unreached) {
  return count_reached(input, value, unreached);
}

int benchmark_main(void (*describe)(Benchmark&), int argc, char** argv) {
  Benchmark benchmark;
  describe(benchmark);
  Options options;
  ArgumentParser parser(benchmark.description);
  declare(parser, benchmark, options);
  accept_parameter_file(parser);
  return run_program("bench_" + benchmark.name, parser, argc, argv, [&] {
    const std::vector<Entry> contenders = make_entries(benchmark, options);
    if (!options.ceilings_file.empty()) options.ceilings = read_ceilings(options.ceilings_file);
    Json chosen = {{benchmark.from_roots ? "roots" : "runs", options.turns},
                   {"seed", options.graphs.seed},
                   {"shuffle", options.graphs.shuffle}};
    if (benchmark.options) chosen.update(benchmark.options());
    Json result = result_frame(benchmark.name, chosen);
    for_each_graph(options.graphs, benchmark.graphs, [&](const BenchmarkGraph& graph) {
      run_graph(benchmark, options, contenders, graph, result["rows"]);
    });
    if (!options.json.empty()) write_result(options.json, result);
    return 0;
  });
}

}  // namespace dromos::perf
