// SPDX-License-Identifier: BSD-3-Clause
// How fast are strongly connected components, and are they ever slower than the serial algorithm? Milliseconds, GEPS
// and the ratio to the serial method, median over runs, every answer proved once.
//
//   bench_scc --scale 20,21 --graph kronecker,erdos-renyi --method multistep --runs 11 --json scc.json
//   bench_scc --scale 20 --graph deep --method multistep --strategy vertex-chunk
//
// GEPS is the number of edges of the graph over the time, looked at or not. The contenders take turns run by run, the
// serial method among them, so that a drift of the machine's speed meets them alike; a ratio is one of neighbours.
#include <algorithm>
#include <cstdio>
#include <dromos/algorithms/scc.hpp>
#include <dromos/generate/deep_graphs.hpp>
#include <dromos/generate/structured.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/strong_component_rules.hpp>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"
#include "command_line/parameter_file.hpp"
#include "generated_graph.hpp"

namespace {

using namespace dromos;
using namespace dromos::perf;
using Vertex = DefaultVertex;
using Graph = CsrGraph<Vertex, Memory>;

const std::vector<std::string> random_graphs = {"kronecker", "erdos-renyi"};
const std::vector<std::string> deep_graphs = {"chain-of-cycles", "path", "cycle", "nested-cycles", "oriented-lattice"};

struct Options {
  std::vector<int> scales{20, 21};
  std::int64_t edge_factor = 16;
  std::vector<std::string> graphs{"all"};
  std::vector<std::string> methods{"multistep"};
  std::vector<std::string> strategies;
  std::uint64_t seed = 1;
  int runs = 11;
  bool shuffle = true;
  bool validate = true;
  std::string json;

  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    const auto append = [&](const std::vector<std::string>& more) {
      kinds.insert(kinds.end(), more.begin(), more.end());
    };
    for (const std::string& name : graphs) {
      if (name == "all" || name == "random") append(random_graphs);
      if (name == "all" || name == "deep") append(deep_graphs);
      if (name != "all" && name != "random" && name != "deep") append({name});
    }
    return kinds;
  }
};

Graph make_graph(const std::string& kind, int scale, const Options& options) {
  if (std::find(random_graphs.begin(), random_graphs.end(), kind) != random_graphs.end()) {
    GraphOptions random;
    random.edge_factor = options.edge_factor;
    random.directed = true;
    random.seed = options.seed;
    return generated_graph<Vertex>(kind, scale, random);
  }
  const std::int64_t n = std::int64_t(1) << scale;
  EdgeList<Vertex, Kokkos::HostSpace> edges;
  if (kind == "chain-of-cycles") {
    ChainOfCyclesOptions chain;
    chain.num_vertices = n;
    chain.seed = options.seed;
    edges = chain_of_cycles<Vertex>(chain);
  } else if (kind == "path") {
    edges = path<Vertex>(n);
  } else if (kind == "cycle") {
    edges = cycle<Vertex>(n);
  } else if (kind == "nested-cycles") {
    edges = nested_cycles<Vertex>(n, options.seed);
  } else {
    edges = oriented_lattice<Vertex>(std::int64_t(1) << scale / 2, options.seed);
  }
  if (options.shuffle) shuffle_vertices(edges, options.seed);
  const Graph graph = build_csr(Space(), copy_to<Memory>(edges));
  std::printf("%s scale %d%s: %lld vertices, %lld arcs\n", kind.c_str(), scale, options.shuffle ? ", shuffled" : "",
              static_cast<long long>(graph.num_vertices()), static_cast<long long>(graph.num_edges()));
  return graph;
}

/// Something to time.
struct Contender {
  SccOptions scc;
  std::vector<double> seconds;
  std::vector<double> to_serial;
  SccStatistics last;
};

void run_graph(const std::string& kind, int scale, const Options& options, Json& rows) {
  const Graph graph = make_graph(kind, scale, options);
  SccScratch<Vertex, Memory> scratch(graph, transpose(Space(), graph));
  SccResult<Vertex, Memory> result;
  std::vector<Contender> contenders(1);
  contenders[0].scc.method = SccMethod::serial;
  for (const std::string& method : options.methods) {
    for (const Strategy& strategy : chosen_strategies(options.strategies)) {
      Contender contender;
      contender.scc.method = scc_method_from_name(method);
      contender.scc.strategy = strategy;
      contenders.push_back(contender);
    }
  }
  for (int run = -1; run < options.runs; ++run) {  // run -1 warms up and is validated
    for (Contender& contender : contenders) {
      contender.last = scc(Space(), scratch, result, contender.scc);
      if (run >= 0) {
        contender.seconds.push_back(contender.last.seconds);
        contender.to_serial.push_back(contender.last.seconds / contenders[0].last.seconds);
      } else if (options.validate) {
        const RuleResult proof = validate_strong_components(graph, result.component);
        if (!proof.holds) throw Error(scc_method_name(contender.scc.method) + " is wrong: " + proof.message);
      }
    }
  }
  const ComponentSummary& components = contenders[0].last.components;
  std::printf("  %lld components, %lld non-trivial, largest %lld\n", static_cast<long long>(components.num_components),
              static_cast<long long>(components.num_nontrivial), static_cast<long long>(components.largest_component));
  std::printf("  %-17s %-18s %10s %10s %10s %10s %10s\n", "method", "strategy", "min ms", "median ms", "max ms", "GEPS",
              "to serial");
  for (const Contender& contender : contenders) {
    std::vector<double> geps;
    for (const double s : contender.seconds) geps.push_back(1e-9 * static_cast<double>(graph.num_edges()) / s);
    const Json times = spread(contender.seconds);
    const std::string method = scc_method_name(contender.scc.method);
    const std::string strategy = strategy_name(contender.scc.strategy);
    std::printf("  %-17s %-18s %10.2f %10.2f %10.2f %10.3f %10.2f\n", method.c_str(), strategy.c_str(),
                1e3 * times["min"].get<double>(), 1e3 * times["median"].get<double>(), 1e3 * times["max"].get<double>(),
                median(geps), median(contender.to_serial));
    Json steps = Json::array();
    for (const SccStep& step : contender.last.steps) {
      steps.push_back(
          {{"step", step.name}, {"settled", step.num_settled}, {"sweeps", step.num_sweeps}, {"seconds", step.seconds}});
    }
    rows.push_back({{"graph", kind},
                    {"scale", scale},
                    {"num_vertices", graph.num_vertices()},
                    {"num_edges", graph.num_edges()},
                    {"num_components", components.num_components},
                    {"num_nontrivial", components.num_nontrivial},
                    {"largest_component", components.largest_component},
                    {"method", method},
                    {"strategy", strategy},
                    {"seconds", times},
                    {"geps", spread(geps)},
                    {"ratio_to_serial", spread(contender.to_serial)},
                    {"last_run_steps", steps},
                    {"validated", options.validate}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  ArgumentParser parser(
      "Strongly connected components: time, GEPS and the ratio to the serial method, median over runs");
  parser.allow_extras();  // --kokkos-* go to Kokkos
  parser.add_option("--scale", options.scales, "log2 of the number of vertices, one or several").comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factor, "edges per vertex of the random graphs");
  parser.add_option("--graph", options.graphs, "several of them, or random, deep, all")
      .comma_or_blank_list()
      .one_of({"kronecker", "erdos-renyi", "chain-of-cycles", "path", "cycle", "nested-cycles", "oriented-lattice",
               "random", "deep", "all"});
  parser.add_option("--method", options.methods, "beside the serial one, which always runs").comma_or_blank_list();
  parser.add_option("--strategy", options.strategies, "only these strategies").comma_or_blank_list();
  parser.add_option("--runs", options.runs, "measured runs of each contender");
  parser.add_option("--seed", options.seed, "of the generators");
  parser.add_flag("!--no-shuffle", options.shuffle, "number the vertices of deep graphs in order");
  parser.add_flag("!--no-validation", options.validate, "do not prove the first answer (to profile)");
  parser.add_option("--json", options.json, "write the figures to this file");
  accept_parameter_file(parser);
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    Json result = result_frame("scc", {{"runs", options.runs}, {"seed", options.seed}, {"shuffle", options.shuffle}});
    for (const int scale : options.scales) {
      for (const std::string& kind : options.kinds()) run_graph(kind, scale, options, result["rows"]);
    }
    if (!options.json.empty()) write_result(options.json, result);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_scc: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
