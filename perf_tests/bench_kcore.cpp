// SPDX-License-Identifier: BSD-3-Clause
// How fast is the k-core decomposition? Milliseconds and GEPS over runs, validated.
//
//   bench_kcore --scale 20,22 --runs 8 --json kcore.json
//
// GEPS is the number of edges of the graph over the time, each undirected edge counted once.
#include <dromos/algorithms/kcore.hpp>
#include <dromos/validate/core_rules.hpp>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Kernel prepare_kcore(const BenchmarkGraph& given) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<KcoreScratch<Vertex, Memory>>(graph);
  const auto core = std::make_shared<Kokkos::View<Vertex*, Memory>>();
  Kernel kernel;
  kernel.run = [&graph, scratch, core](const Contender& contender, Vertex) {
    const KcoreStatistics statistics = kcore(Space(), graph, *scratch, *core, {contender.strategy});
    const double n = static_cast<double>(graph.num_vertices()), num_arcs = static_cast<double>(graph.num_edges());
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = 0.5 * num_arcs;
    measured.details = {{"largest_core", statistics.largest_core}, {"num_sweeps", statistics.num_sweeps}};
    // Rows and numbers; every edge once, by the end that leaves first, with the degree at the other.
    measured.least = {(sizeof(Offset) + 2 * sizeof(Vertex)) * n + sizeof(Vertex) * num_arcs, 0.5 * num_arcs,
                      sizeof(Vertex) * n};
    return measured;
  };
  kernel.check = [&graph, core](Vertex) { return validate_cores(Space(), graph, *core); };
  return kernel;
}

}  // namespace

void kcore_benchmark(Benchmark& benchmark) {
  benchmark.name = "kcore";
  benchmark.description = "k-core decomposition: time and GEPS of each strategy, over runs, validated";
  benchmark.graphs.direction = GraphNeeds::Direction::undirected;
  benchmark.default_strategy = KcoreOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.columns = {{"largest core", "largest_core"}, {"sweeps", "num_sweeps"}};
  benchmark.prepare = prepare_kcore;
}

}  // namespace dromos::perf
