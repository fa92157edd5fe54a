// SPDX-License-Identifier: BSD-3-Clause
// How long does betweenness centrality take, a root? Milliseconds and GTEPS over roots, the first one validated.
//
//   bench_bc --scale 20,22 --roots 8 --json bc.json
//
// GTEPS is the number of edges that leave the vertices reached over the time; they are visited once forwards and once
// backwards. An undirected edge counts once.
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/validate/betweenness_rules.hpp>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

class BcKernel : public Kernel {
 public:
  explicit BcKernel(const BenchmarkGraph& graph) : graph_(graph.graph), scratch_(graph.graph) {}

  Measurement run(const Contender& contender, Vertex root) override {
    BetweennessOptions options;
    options.strategy = contender.strategy;
    const BetweennessStatistics statistics = betweenness(Space(), graph_, {root}, scratch_, centrality_, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = static_cast<double>(statistics.edges_reached) / (graph_.directed ? 1 : 2);
    return measured;
  }

  RuleResult check(Vertex root) override {
    return validate_betweenness(graph_, std::vector<Vertex>{root}, centrality_);
  }

 private:
  Graph graph_;
  BetweennessScratch<Vertex, Memory> scratch_;
  Kokkos::View<double*, Memory> centrality_;
};

}  // namespace

void bc_benchmark(Benchmark& benchmark) {
  benchmark.name = "bc";
  benchmark.description = "Betweenness centrality: time and GTEPS of each strategy, a root, over roots, validated";
  benchmark.from_roots = true;
  benchmark.default_strategy = BetweennessOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.prepare = [](const BenchmarkGraph& graph) { return std::make_unique<BcKernel>(graph); };
}

}  // namespace dromos::perf
