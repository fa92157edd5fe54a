// SPDX-License-Identifier: BSD-3-Clause
// How fast is color propagation with each strategy? GTEPS as in Figure 3 of Slota et al. 2015: edges visited in all
// sweeps over the time, median over runs, validated.
//
//   bench_color --scale 20 --directed --strategy all --runs 8 --json color.json
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/validate/color_rules.hpp>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

class ColorKernel : public Kernel {
 public:
  explicit ColorKernel(const BenchmarkGraph& graph) : graph_(graph.graph), scratch_(graph.graph) {}

  Measurement run(const Contender& contender, Vertex) override {
    ColorOptions options;
    options.strategy = contender.strategy;
    const ColorStatistics statistics = color_propagation(Space(), graph_, scratch_, result_, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = static_cast<double>(statistics.edge_updates);
    measured.details = {{"sweeps", statistics.sweeps.size()},
                        {"vertex_updates", statistics.vertex_updates},
                        {"edge_updates", statistics.edge_updates}};
    return measured;
  }

  RuleResult check(Vertex) override {
    if (expected_.extent(0) == 0) expected_ = expected_colors(graph_);
    return validate_colors(Space(), graph_, result_.color, expected_);
  }

 private:
  Graph graph_;
  ColorScratch<Vertex, Memory> scratch_;
  ColorResult<Vertex, Memory> result_;
  Kokkos::View<const Vertex*, Memory> expected_;
};

}  // namespace

void color_benchmark(Benchmark& benchmark) {
  benchmark.name = "color";
  benchmark.description = "Color propagation: GTEPS of each strategy, median over runs, validated";
  benchmark.default_strategy = ColorOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.columns = {{"sweeps", "sweeps"}, {"vertex upd.", "vertex_updates"}, {"edge upd.", "edge_updates"}};
  benchmark.prepare = [](const BenchmarkGraph& graph) { return std::make_unique<ColorKernel>(graph); };
}

}  // namespace dromos::perf
