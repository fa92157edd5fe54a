// SPDX-License-Identifier: BSD-3-Clause
// How fast are shortest paths? Milliseconds and GTEPS over roots, every search validated.
//
//   bench_sssp --scale 20,22 --roots 16 --json sssp.json
//   bench_sssp --graph USA-road-d.NY.gr.xz --roots 4
//
// Weights are those of a file that has some, otherwise random ones above 0 and up to 1. Traversed edges are counted as
// in bench_bfs, however often an edge was relaxed.
#include <cstdlib>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <limits>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

class SsspKernel : public Kernel {
 public:
  SsspKernel(const BenchmarkGraph& graph, float delta) : delta_(delta), graph_(graph), scratch_(Space(), graph.graph) {}

  Measurement run(const Contender& contender, Vertex root) override {
    SsspOptions options;
    options.delta = delta_;
    options.strategy = contender.strategy;
    const SsspStatistics statistics = sssp(Space(), scratch_, root, distance_, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = count_input_edges(graph_.input, distance_, std::numeric_limits<float>::infinity());
    measured.details = {{"num_reached", statistics.num_reached},
                        {"edges_relaxed", statistics.edges_relaxed},
                        {"num_sweeps", statistics.num_sweeps},
                        {"num_buckets", statistics.num_buckets}};
    return measured;
  }

  RuleResult check(Vertex root) override { return validate_distances(Space(), graph_.graph, root, distance_); }

 private:
  float delta_;
  const BenchmarkGraph& graph_;
  SsspScratch<Vertex, Memory> scratch_;
  Kokkos::View<float*, Memory> distance_;
};

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
  benchmark.prepare = [delta](const BenchmarkGraph& graph) { return std::make_unique<SsspKernel>(graph, *delta); };
}

}  // namespace dromos::perf
