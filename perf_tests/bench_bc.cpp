// SPDX-License-Identifier: BSD-3-Clause
// How long does betweenness centrality take, a root? Milliseconds and GTEPS over roots, the first one validated.
//
//   bench_bc --scale 20,22 --roots 8 --json bc.json
//
// GTEPS is the number of edges that leave the vertices reached over the time; they are visited once forwards and once
// backwards. An undirected edge counts once.
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/validate/betweenness_rules.hpp>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Kernel prepare_bc(const BenchmarkGraph& given) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<BetweennessScratch<Vertex, Memory>>(graph);
  const auto centrality = std::make_shared<Kokkos::View<double*, Memory>>();
  Kernel kernel;
  kernel.run = [&graph, scratch, centrality](const Contender& contender, Vertex root) {
    const BetweennessStatistics statistics =
        betweenness(Space(), graph, {root}, *scratch, *centrality, {contender.strategy});
    const double n = static_cast<double>(graph.num_vertices()), arcs = static_cast<double>(statistics.edges_reached);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = arcs / (graph.directed ? 1 : 2);
    // Twice, there and back: rows, arcs, and of every arc the level at its end; levels, paths, dependencies, sums.
    measured.least = {(2 * sizeof(Offset) + sizeof(Level) + 3 * sizeof(double)) * n + 2 * sizeof(Vertex) * arcs,
                      2 * arcs, sizeof(Level) * n};
    return measured;
  };
  kernel.check = [&graph, centrality](Vertex root) {
    return validate_betweenness(graph, std::vector<Vertex>{root}, *centrality);
  };
  return kernel;
}

}  // namespace

void bc_benchmark(Benchmark& benchmark) {
  benchmark.name = "bc";
  benchmark.description = "Betweenness centrality: time and GTEPS of each strategy, a root, over roots, validated";
  benchmark.from_roots = true;
  benchmark.default_strategy = BetweennessOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.prepare = prepare_bc;
}

}  // namespace dromos::perf
