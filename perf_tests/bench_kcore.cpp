// SPDX-License-Identifier: BSD-3-Clause
// How fast is the k-core decomposition? Milliseconds and GEPS over runs, validated.
//
//   bench_kcore --scale 20,22 --runs 8 --json kcore.json
//
// GEPS is the number of edges of the graph over the time, each undirected edge counted once.
#include <dromos/algorithms/kcore.hpp>
#include <dromos/validate/core_rules.hpp>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

class KcoreKernel : public Kernel {
 public:
  explicit KcoreKernel(const BenchmarkGraph& graph) : graph_(graph.graph), scratch_(graph.graph) {}

  Measurement run(const Contender& contender, Vertex) override {
    KcoreOptions options;
    options.strategy = contender.strategy;
    const KcoreStatistics statistics = kcore(Space(), graph_, scratch_, core_, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = 0.5 * static_cast<double>(graph_.num_edges());
    measured.details = {{"largest_core", statistics.largest_core}, {"num_sweeps", statistics.num_sweeps}};
    return measured;
  }

  RuleResult check(Vertex) override { return validate_cores(Space(), graph_, core_); }

 private:
  Graph graph_;
  KcoreScratch<Vertex, Memory> scratch_;
  Kokkos::View<Vertex*, Memory> core_;
};

}  // namespace

void kcore_benchmark(Benchmark& benchmark) {
  benchmark.name = "kcore";
  benchmark.description = "k-core decomposition: time and GEPS of each strategy, over runs, validated";
  benchmark.graphs.direction = GraphNeeds::Direction::undirected;
  benchmark.default_strategy = KcoreOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.columns = {{"largest core", "largest_core"}, {"sweeps", "num_sweeps"}};
  benchmark.prepare = [](const BenchmarkGraph& graph) { return std::make_unique<KcoreKernel>(graph); };
}

}  // namespace dromos::perf
