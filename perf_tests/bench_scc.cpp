// SPDX-License-Identifier: BSD-3-Clause
// How fast are strongly connected components, and are they ever slower than the serial algorithm? Milliseconds, GEPS
// and the ratio to the serial method, median over runs, every answer proved once.
//
//   bench_scc --scale 20,21 --graph kronecker,erdos-renyi --method multistep --runs 11 --json scc.json
//   bench_scc --scale 20 --graph deep --method multistep
//
// GEPS is the number of edges of the graph over the time, looked at or not. The serial method takes its turn among the
// others; a ratio is one of neighbours.
#include <dromos/algorithms/scc.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <limits>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Json to_json(const std::vector<SccStep>& steps) {
  Json list = Json::array();
  for (const SccStep& step : steps) {
    list.push_back(
        {{"step", step.name}, {"settled", step.num_settled}, {"sweeps", step.num_sweeps}, {"seconds", step.seconds}});
  }
  return list;
}

Kernel prepare_scc(const BenchmarkGraph& given) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<SccScratch<Vertex, Memory>>(graph, given.reversed());
  const auto result = std::make_shared<SccResult<Vertex, Memory>>();
  Kernel kernel;
  kernel.run = [&graph, scratch, result](const Contender& contender, Vertex) {
    SccOptions options;
    options.waste_limit = std::numeric_limits<double>::infinity();  // methods as they are by themselves
    options.method = scc_method_from_name(contender.method);
    options.strategy = contender.strategy;
    const SccStatistics statistics = scc(Space(), *scratch, *result, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = static_cast<double>(graph.num_edges());
    measured.details = {{"num_components", statistics.components.num_components},
                        {"num_nontrivial", statistics.components.num_nontrivial},
                        {"largest_component", statistics.components.largest_component},
                        {"last_run_steps", to_json(statistics.steps)}};
    // Rows both ways and labels; a search there and one back that each look at one neighbor of every vertex.
    const double n = static_cast<double>(graph.num_vertices());
    measured.least = {(2 * sizeof(Offset) + 3 * sizeof(Vertex)) * n, 2 * n, n / 8};
    return measured;
  };
  kernel.check = [&graph, result](Vertex) { return validate_strong_components(graph, result->component); };
  return kernel;
}

}  // namespace

void scc_benchmark(Benchmark& benchmark) {
  benchmark.name = "scc";
  benchmark.description = "Strongly connected components: time, GEPS and the ratio to the serial method, over runs";
  benchmark.graphs.direction = GraphNeeds::Direction::directed;
  benchmark.graphs.shuffled = true;
  benchmark.graphs.all = {"kronecker", "erdos-renyi",   "chain-of-cycles", "path",
                          "cycle",     "nested-cycles", "oriented-lattice"};
  benchmark.turns = 11;
  for (const SccMethod method : all_scc_methods()) benchmark.methods.push_back(scc_method_name(method));
  benchmark.default_methods = {"multistep"};
  benchmark.baseline = scc_method_name(SccMethod::serial);
  benchmark.default_strategy = SccOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.columns = {{"components", "num_components"}, {"largest", "largest_component"}};
  benchmark.prepare = prepare_scc;
}

}  // namespace dromos::perf
