// SPDX-License-Identifier: BSD-3-Clause
// How fast is color propagation with each strategy? GTEPS as in Figure 3 of Slota et al. 2015: edges visited in all
// sweeps over the time, median over runs, validated.
//
//   bench_color --scale 20 --directed --runs 8 --json color.json
//
// The strategies take turns run by run, so that a drift of the machine's speed meets them alike.
#include <cstdio>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/validate/color_rules.hpp>

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
  std::vector<std::string> strategies;
  int runs = 8;
  bool validate = true;
  std::string json;
};

/// Something to time.
struct Contender {
  Strategy strategy;
  std::vector<double> seconds, gteps;
  ColorStatistics last;
};

void run_graph(const std::string& kind, int scale, const Options& options, Json& rows) {
  const auto graph = generated_graph<Vertex>(kind, scale, options.graphs);
  ColorScratch<Vertex, Memory> scratch(graph);
  ColorResult<Vertex, Memory> result;
  std::vector<Contender> all;
  for (const Strategy& strategy : chosen_strategies(options.strategies)) all.push_back({strategy, {}, {}, {}});
  const auto expected = options.validate ? expected_colors(graph) : Kokkos::View<const Vertex*, Memory>();
  for (int run = -1; run < options.runs; ++run) {  // run -1 warms up and is validated
    for (Contender& contender : all) {
      contender.last = color_propagation(Space(), graph, scratch, result, {contender.strategy});
      if (run >= 0) {
        contender.seconds.push_back(contender.last.seconds);
        contender.gteps.push_back(1e-9 * static_cast<double>(contender.last.edge_updates) / contender.last.seconds);
      } else if (options.validate) {
        const RuleResult judgement = validate_colors(Space(), graph, result.color, expected);
        if (!judgement.holds) throw Error(strategy_name(contender.strategy) + " is wrong: " + judgement.message);
      }
    }
  }
  std::printf("  %-18s %8s %12s %12s %10s %10s\n", "strategy", "sweeps", "vertex upd.", "edge upd.", "median ms",
              "GTEPS");
  for (const Contender& contender : all) {
    std::printf("  %-18s %8zu %12lld %12lld %10.2f %10.3f\n", strategy_name(contender.strategy).c_str(),
                contender.last.sweeps.size(), static_cast<long long>(contender.last.vertex_updates),
                static_cast<long long>(contender.last.edge_updates), 1e3 * median(contender.seconds),
                median(contender.gteps));
    Json row = options.graphs.json(kind, scale);
    row.update({{"num_vertices", graph.num_vertices()},
                {"num_edges", graph.num_edges()},
                {"strategy", strategy_name(contender.strategy)},
                {"seconds", spread(contender.seconds)},
                {"gteps", spread(contender.gteps)},
                {"sweeps", contender.last.sweeps.size()},
                {"vertex_updates", contender.last.vertex_updates},
                {"edge_updates", contender.last.edge_updates},
                {"validated", options.validate}});
    rows.push_back(row);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  ArgumentParser parser("Color propagation: GTEPS of each strategy on generated graphs, median over runs, validated");
  parser.allow_extras();  // --kokkos-* go to Kokkos
  options.graphs.add_to(parser);
  parser.add_option("--strategy", options.strategies, "only these strategies").comma_or_blank_list();
  parser.add_option("--runs", options.runs, "timed runs of each");
  parser.add_flag("!--no-validation", options.validate, "do not validate (to profile)");
  parser.add_option("--json", options.json, "write the figures to this file");
  accept_parameter_file(parser);
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    Json result = result_frame("color", {{"runs", options.runs}});
    for (const int scale : options.graphs.scales) {
      for (const std::string& kind : options.graphs.kinds()) run_graph(kind, scale, options, result["rows"]);
    }
    if (!options.json.empty()) write_result(options.json, result);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_color: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
