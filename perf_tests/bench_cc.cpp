// SPDX-License-Identifier: BSD-3-Clause
// How fast are connected components, with each method and strategy? Milliseconds and GEPS over runs, validated.
//
//   bench_cc --scale 22 --runs 16 --method afforest --json cc.json
//
// GEPS is the number of edges of the graph over the time, each undirected edge counted once, looked at or not.
#include <algorithm>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/validate/weak_component_rules.hpp>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

class CcKernel : public Kernel {
 public:
  explicit CcKernel(const BenchmarkGraph& graph) : graph_(graph.graph), scratch_(graph.graph) {}

  Measurement run(const Contender& contender, Vertex) override {
    ComponentOptions options;
    options.method = component_method_from_name(contender.method);
    options.strategy = contender.strategy;
    const ComponentStatistics statistics = connected_components(Space(), graph_, scratch_, result_, options);
    const double num_arcs = static_cast<double>(graph_.num_edges());
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = num_arcs / (graph_.directed ? 1 : 2);
    measured.details = {{"edges_left_out", statistics.edges_left_out},
                        {"share_left_out", static_cast<double>(statistics.edges_left_out) / std::max(1.0, num_arcs)},
                        {"num_components", statistics.components.num_components},
                        {"num_nontrivial", statistics.components.num_nontrivial},
                        {"largest_component", statistics.components.largest_component}};
    return measured;
  }

  RuleResult check(Vertex) override { return validate_components(Space(), graph_, result_.component); }

 private:
  Graph graph_;
  ComponentScratch<Vertex, Memory> scratch_;
  ComponentResult<Vertex, Memory> result_;
};

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
  benchmark.prepare = [](const BenchmarkGraph& graph) { return std::make_unique<CcKernel>(graph); };
}

}  // namespace dromos::perf
