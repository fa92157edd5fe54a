// SPDX-License-Identifier: BSD-3-Clause
// How fast are shortest paths? Milliseconds and GTEPS over roots, every search validated.
//
//   bench_sssp --scale 20,22 --roots 16 --json sssp.json
//   bench_sssp --graph USA-road-d.NY.gr.xz --roots 4
//
//   bench_sssp --scale 20 --distances float
//
// Weights are those of a file that has some, otherwise random ones above 0 and up to 1. Distances are in whole numbers
// where all weights are whole and otherwise in double, as those of the program; or in float, where asked for. Traversed
// edges are counted as in bench_bfs, however often an edge was relaxed.
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

using Scratch = SsspScratch<Vertex, Memory>;

template <class Distance>
Kernel prepare_sssp(const BenchmarkGraph& given, float delta, const std::shared_ptr<Scratch>& scratch) {
  const Graph& graph = given.graph;
  const auto distance = std::make_shared<Kokkos::View<Distance*, Memory>>();
  Kernel kernel;
  kernel.run = [&given, &graph, delta, scratch, distance](const Contender& contender, Vertex root) {
    SsspOptions options;
    options.delta = delta;
    options.strategy = contender.strategy;
    const SsspStatistics statistics = sssp(Space(), *scratch, root, *distance, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = count_input_edges(given.input, *distance, no_distance<Distance>);
    measured.details = {{"num_reached", statistics.num_reached},
                        {"edges_relaxed", statistics.edges_relaxed},
                        {"edges_without_sweeps", statistics.edges_without_sweeps},
                        {"num_sweeps", statistics.num_sweeps},
                        {"num_buckets", statistics.num_buckets}};
    // Distances and rows; every arc once, with its weight and the distance at its end.
    const double n = static_cast<double>(graph.num_vertices()), reached = static_cast<double>(statistics.num_reached);
    const double arcs = static_cast<double>(graph.num_edges()) * reached / std::max(1.0, n);
    measured.least = {sizeof(Distance) * n + sizeof(Offset) * reached + (sizeof(Vertex) + sizeof(float)) * arcs, arcs,
                      sizeof(Distance) * n};
    return measured;
  };
  // Floats are looked at with a tolerance that paths of a few hundred edges keep.
  kernel.check = [&graph, distance](Vertex root) { return validate_distances(Space(), graph, root, *distance, 1e-4); };
  return kernel;
}

Kernel prepare_sssp(const BenchmarkGraph& given, float delta, const std::string& distances) {
  const auto scratch = std::make_shared<Scratch>(Space(), given.graph);
  if (distances == "float") return prepare_sssp<float>(given, delta, scratch);
  if (distances == "auto" && scratch->whole) return prepare_sssp<std::int64_t>(given, delta, scratch);
  return prepare_sssp<double>(given, delta, scratch);
}

}  // namespace

void sssp_benchmark(Benchmark& benchmark) {
  const auto delta = std::make_shared<float>(SsspOptions{}.delta);
  const auto distances = std::make_shared<std::string>("auto");
  benchmark.name = "sssp";
  benchmark.description = "Single-source shortest paths: time and GTEPS of each strategy, over roots, validated";
  benchmark.graphs.weights = benchmark.graphs.input_edges = true;
  benchmark.from_roots = benchmark.validate_every_turn = true;
  benchmark.turns = 16;
  benchmark.default_strategy = SsspOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.columns = {{"relaxed", "edges_relaxed"},
                       {"without sweeps", "edges_without_sweeps"},
                       {"buckets", "num_buckets"},
                       {"sweeps", "num_sweeps"}};
  benchmark.declare = [delta, distances](ArgumentParser& parser) {
    parser.add_parsed(
        "--distances",
        [distances](const std::string& text) {
          if (text != "auto" && text != "double" && text != "float") {
            throw InvalidValue("expected auto, double or float, found '" + text + "'");
          }
          *distances = text;
        },
        "what lengths are added up in: auto (whole numbers or double), double, float (default: auto)");
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
  benchmark.options = [delta, distances] { return Json{{"delta", *delta}, {"distances", *distances}}; };
  benchmark.prepare = [delta, distances](const BenchmarkGraph& graph) {
    return prepare_sssp(graph, *delta, *distances);
  };
}

}  // namespace dromos::perf
