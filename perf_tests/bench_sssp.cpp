// SPDX-License-Identifier: BSD-3-Clause
// How fast are shortest paths? Milliseconds and GTEPS over roots, every search validated.
//
//   bench_sssp --scale 20,22 --roots 16 --json sssp.json
//   bench_sssp --graph USA-road-d.NY.gr.xz --roots 4
//
// Weights are those of a file that has some, otherwise random ones above 0 and up to 1. Traversed edges are counted as
// in bench_bfs, however often an edge was relaxed.
#include <algorithm>
#include <cstdlib>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <limits>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Kernel prepare_sssp(const BenchmarkGraph& given, float delta) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<SsspScratch<Vertex, Memory>>(Space(), graph);
  const auto distance = std::make_shared<Kokkos::View<float*, Memory>>();
  Kernel kernel;
  kernel.run = [&given, &graph, delta, scratch, distance](const Contender& contender, Vertex root) {
    SsspOptions options;
    options.delta = delta;
    options.strategy = contender.strategy;
    const SsspStatistics statistics = sssp(Space(), *scratch, root, *distance, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = count_input_edges(given.input, *distance, std::numeric_limits<float>::infinity());
    measured.details = {{"num_reached", statistics.num_reached},
                        {"edges_relaxed", statistics.edges_relaxed},
                        {"num_sweeps", statistics.num_sweeps},
                        {"num_buckets", statistics.num_buckets}};
    // Distances and rows; every arc once, with its weight and the distance at its end.
    const double n = static_cast<double>(graph.num_vertices()), reached = static_cast<double>(statistics.num_reached);
    const double arcs = static_cast<double>(graph.num_edges()) * reached / std::max(1.0, n);
    measured.least = {sizeof(float) * n + sizeof(Offset) * reached + (sizeof(Vertex) + sizeof(float)) * arcs, arcs,
                      sizeof(float) * n};
    return measured;
  };
  kernel.check = [&graph, distance](Vertex root) { return validate_distances(Space(), graph, root, *distance); };
  return kernel;
}

}  // namespace

void sssp_benchmark(Benchmark& benchmark) {
  const auto delta = std::make_shared<float>(SsspOptions{}.delta);
  benchmark.name = "sssp";
  benchmark.description = "Single-source shortest paths: time and GTEPS of each strategy, over roots, validated";
  benchmark.graphs.weights = benchmark.graphs.input_edges = true;
  benchmark.from_roots = benchmark.validate_every_turn = true;
  benchmark.turns = 16;
  benchmark.default_strategy = SsspOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.columns = {{"relaxed", "edges_relaxed"}, {"buckets", "num_buckets"}, {"sweeps", "num_sweeps"}};
  benchmark.declare = [delta](ArgumentParser& parser) {
    parser.add_parsed(
        "--delta",
        [delta](const std::string& text) {
          char* end = nullptr;
          *delta = std::strtof(text.c_str(), &end);
          if (end == text.c_str() || *end != '\0' || !(*delta >= 0)) {
            throw InvalidValue("expected a number of at least 0, found '" + text + "'");
          }
        },
        "width of a bucket of distances (default: the library's)");
  };
  benchmark.options = [delta] { return Json{{"delta", *delta}}; };
  benchmark.prepare = [delta](const BenchmarkGraph& graph) { return prepare_sssp(graph, *delta); };
}

}  // namespace dromos::perf
