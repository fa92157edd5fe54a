// SPDX-License-Identifier: BSD-3-Clause
// How fast is PageRank, all in all and by iteration? Milliseconds and GEPS over runs, validated.
//
//   bench_pagerank --scale 20,22 --runs 8 --json pagerank.json
//   bench_pagerank --scale 22 --iterations 20                        # so many, whatever the change
//
// GEPS is the number of arcs of the graph times the iterations, over the time.
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/validate/rank_rules.hpp>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

class PageRankKernel : public Kernel {
 public:
  PageRankKernel(const BenchmarkGraph& graph, int iterations)
      : iterations_(iterations), graph_(graph.graph), scratch_(graph.graph, graph.reversed()) {}

  Measurement run(const Contender& contender, Vertex) override {
    PageRankOptions options;
    options.strategy = contender.strategy;
    if (iterations_ > 0) {
      options.max_iterations = iterations_;
      options.tolerance = 0;
    }
    const PageRankStatistics statistics = pagerank(Space(), scratch_, rank_, options);
    damping_ = options.damping;
    accepted_change_ = statistics.converged ? options.tolerance : statistics.change;
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = static_cast<double>(graph_.num_edges()) * statistics.num_iterations;
    measured.details = {{"num_iterations", statistics.num_iterations},
                        {"seconds_per_iteration", statistics.seconds / std::max(1, statistics.num_iterations)},
                        {"change", statistics.change},
                        {"converged", statistics.converged}};
    return measured;
  }

  RuleResult check(Vertex) override { return validate_pagerank(Space(), graph_, rank_, damping_, accepted_change_); }

 private:
  int iterations_;
  Graph graph_;
  PageRankScratch<Vertex, Memory> scratch_;
  Kokkos::View<double*, Memory> rank_;
  double damping_ = 0, accepted_change_ = 0;
};

}  // namespace

void pagerank_benchmark(Benchmark& benchmark) {
  const auto iterations = std::make_shared<int>(0);
  benchmark.name = "pagerank";
  benchmark.description = "PageRank: time, time of an iteration and GEPS of each strategy, over runs, validated";
  benchmark.default_strategy = PageRankOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.columns = {{"iterations", "num_iterations"}, {"ms an iteration", "seconds_per_iteration", 1e3, 3}};
  benchmark.declare = [iterations](ArgumentParser& parser) {
    parser.add_option("--iterations", *iterations, "so many, whatever the change (0: until the ranks stand still)");
  };
  benchmark.options = [iterations] { return Json{{"iterations", *iterations}}; };
  benchmark.prepare = [iterations](const BenchmarkGraph& graph) {
    return std::make_unique<PageRankKernel>(graph, *iterations);
  };
}

}  // namespace dromos::perf
