// SPDX-License-Identifier: BSD-3-Clause
// How fast are connected components, with each method and strategy? Milliseconds and GEPS, median over runs, validated.
//
//   bench_cc --scale 22 --runs 16 --method afforest --strategy vertex-chunk --json cc.json
//
// GEPS is the number of edges of the graph over the time, each undirected edge counted once, looked at or not. The
// contenders take turns run by run, so that a drift of the machine's speed meets them alike.
#include <cstdio>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/validate/weak_component_rules.hpp>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"
#include "command_line/parameter_file.hpp"
#include "generated_graph.hpp"

namespace {

using namespace dromos;
using namespace dromos::perf;
using Vertex = DefaultVertex;

struct Options {
  GraphOptions graphs;
  std::vector<std::string> methods;
  std::vector<std::string> strategies;
  int runs = 16;
  bool validate = true;
  std::string json;
};

/// Something to time.
struct Contender {
  ComponentMethod method;
  Strategy strategy;
  std::vector<double> seconds;
  ComponentStatistics last;
};

std::vector<Contender> contenders(const Options& options) {
  std::vector<ComponentMethod> methods;
  for (const std::string& name : options.methods) methods.push_back(component_method_from_name(name));
  if (methods.empty()) methods = all_component_methods();
  std::vector<Contender> all;
  for (const ComponentMethod method : methods) {
    for (const Strategy& strategy : chosen_strategies(options.strategies)) all.push_back({method, strategy, {}, {}});
  }
  return all;
}

void run_graph(const std::string& kind, int scale, const Options& options, Json& rows) {
  const auto graph = generated_graph<Vertex>(kind, scale, options.graphs);
  const double num_edges = static_cast<double>(graph.num_edges()) / (graph.directed ? 1 : 2);
  ComponentScratch<Vertex, Memory> scratch(graph);
  ComponentResult<Vertex, Memory> result;
  auto all = contenders(options);
  for (int run = -1; run < options.runs; ++run) {  // run -1 warms up and is validated
    for (Contender& contender : all) {
      contender.last = connected_components(Space(), graph, scratch, result, {contender.method, contender.strategy});
      if (run >= 0) {
        contender.seconds.push_back(contender.last.seconds);
      } else if (options.validate) {
        const RuleResult judgement = validate_components(Space(), graph, result.component);
        if (!judgement.holds) throw Error(component_method_name(contender.method) + " is wrong: " + judgement.message);
      }
    }
  }
  std::printf("  %-10s %-18s %10s %10s %10s %10s %12s\n", "method", "strategy", "min ms", "median ms", "max ms", "GEPS",
              "left out");
  for (const Contender& contender : all) {
    std::vector<double> geps;
    for (const double seconds : contender.seconds) geps.push_back(1e-9 * num_edges / seconds);
    const Json times = spread(contender.seconds);
    std::printf("  %-10s %-18s %10.2f %10.2f %10.2f %10.3f %11.1f%%\n", component_method_name(contender.method).c_str(),
                strategy_name(contender.strategy).c_str(), 1e3 * times["min"].get<double>(),
                1e3 * times["median"].get<double>(), 1e3 * times["max"].get<double>(), median(geps),
                100.0 * static_cast<double>(contender.last.edges_left_out) /
                    static_cast<double>(dromos::max<Offset>(1, graph.num_edges())));
    Json row = options.graphs.json(kind, scale);
    row.update({{"num_vertices", graph.num_vertices()},
                {"num_edges", graph.num_edges()},
                {"method", component_method_name(contender.method)},
                {"strategy", strategy_name(contender.strategy)},
                {"seconds", times},
                {"geps", spread(geps)},
                {"edges_left_out", contender.last.edges_left_out},
                {"num_components", contender.last.components.num_components},
                {"num_nontrivial", contender.last.components.num_nontrivial},
                {"largest_component", contender.last.components.largest_component},
                {"validated", options.validate}});
    rows.push_back(row);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  ArgumentParser parser(
      "Connected components: each method and strategy, on generated graphs, median over runs, validated");
  parser.allow_extras();  // --kokkos-* go to Kokkos
  options.graphs.add_to(parser);
  parser.add_option("--method", options.methods, "only these methods: afforest, hooking, color").comma_or_blank_list();
  parser.add_option("--strategy", options.strategies, "only these strategies").comma_or_blank_list();
  parser.add_option("--runs", options.runs, "timed runs of each");
  parser.add_flag("!--no-validation", options.validate, "do not validate (to profile)");
  parser.add_option("--json", options.json, "write the figures to this file");
  accept_parameter_file(parser);
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    Json result = result_frame("cc", {{"runs", options.runs}});
    for (const int scale : options.graphs.scales) {
      for (const std::string& kind : options.graphs.kinds()) run_graph(kind, scale, options, result["rows"]);
    }
    if (!options.json.empty()) write_result(options.json, result);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_cc: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
