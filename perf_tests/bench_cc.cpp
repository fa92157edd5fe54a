// SPDX-License-Identifier: BSD-3-Clause
// How fast are connected components, with each method and strategy? Milliseconds and GEPS over runs, validated.
//
//   bench_cc --scale 22 --runs 16 --method afforest --json cc.json
//
// GEPS is the number of edges of the graph over the time, each undirected edge counted once, looked at or not.
#include <algorithm>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/validate/weak_component_rules.hpp>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Kernel prepare_cc(const BenchmarkGraph& given) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<ComponentScratch<Vertex, Memory>>(graph);
  const auto result = std::make_shared<ComponentResult<Vertex, Memory>>();
  Kernel kernel;
  kernel.run = [&graph, scratch, result](const Contender& contender, Vertex) {
    const ComponentStatistics statistics = connected_components(
        Space(), graph, *scratch, *result, {component_method_from_name(contender.method), contender.strategy});
    const double n = static_cast<double>(graph.num_vertices()), num_arcs = static_cast<double>(graph.num_edges());
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = num_arcs / (graph.directed ? 1 : 2);
    measured.details = {{"edges_left_out", statistics.edges_left_out},
                        {"share_left_out", static_cast<double>(statistics.edges_left_out) / std::max(1.0, num_arcs)},
                        {"num_components", statistics.components.num_components},
                        {"num_nontrivial", statistics.components.num_nontrivial},
                        {"largest_component", statistics.components.largest_component}};
    // Rows and labels; of every vertex two edges at least, each with the label at its other end.
    measured.least = {(sizeof(Offset) + 2 * sizeof(Vertex)) * n + sizeof(Vertex) * std::min(2 * n, num_arcs),
                      std::min(2 * n, num_arcs), sizeof(Vertex) * n};
    return measured;
  };
  kernel.check = [&graph, result](Vertex) { return validate_components(Space(), graph, result->component); };
  return kernel;
}

}  // namespace

void cc_benchmark(Benchmark& benchmark) {
  benchmark.name = "cc";
  benchmark.description = "Connected components: each method and strategy, median over runs, validated";
  benchmark.turns = 16;
  for (const ComponentMethod method : all_component_methods()) {
    benchmark.methods.push_back(component_method_name(method));
  }
  benchmark.default_strategy = ComponentOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.columns = {{"components", "num_components"}, {"left out %", "share_left_out", 100, 1}};
  benchmark.prepare = prepare_cc;
}

}  // namespace dromos::perf
