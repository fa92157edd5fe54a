// SPDX-License-Identifier: BSD-3-Clause
// How fast is color propagation with each strategy? GTEPS as in Figure 3 of Slota et al. 2015: edges visited in all
// sweeps over the time, median over runs, validated.
//
//   bench_color --scale 20 --directed --strategy all --runs 8 --json color.json
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/validate/color_rules.hpp>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

// Sweeps are what is compared, however many they are.
constexpr double no_guard = std::numeric_limits<double>::infinity();

Kernel prepare_color(const BenchmarkGraph& given) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<ColorScratch<Vertex, Memory>>(graph);
  const auto result = std::make_shared<ColorResult<Vertex, Memory>>();
  Kernel kernel;
  kernel.run = [&graph, scratch, result](const Contender& contender, Vertex) {
    const ColorStatistics statistics =
        color_propagation(Space(), graph, *scratch, *result, {contender.strategy, no_guard});
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = static_cast<double>(statistics.edge_updates);
    measured.details = {{"sweeps", statistics.sweeps.size()},
                        {"vertex_updates", statistics.vertex_updates},
                        {"edge_updates", statistics.edge_updates}};
    // Every edge of every sweep: its end, and the color there.
    measured.least = {sizeof(Vertex) * measured.edges + sizeof(Offset) * static_cast<double>(statistics.vertex_updates),
                      measured.edges, sizeof(Vertex) * static_cast<double>(graph.num_vertices())};
    return measured;
  };
  const auto expected = std::make_shared<Kokkos::View<const Vertex*, Memory>>();
  kernel.check = [&graph, result, expected](Vertex) {
    if (expected->extent(0) == 0) *expected = expected_colors(graph);
    return validate_colors(Space(), graph, result->color, *expected);
  };
  return kernel;
}

}  // namespace

void color_benchmark(Benchmark& benchmark) {
  benchmark.name = "color";
  benchmark.description = "Color propagation: GTEPS of each strategy, median over runs, validated";
  benchmark.default_strategy = ColorOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.columns = {{"sweeps", "sweeps"}, {"vertex upd.", "vertex_updates"}, {"edge upd.", "edge_updates"}};
  benchmark.prepare = prepare_color;
}

}  // namespace dromos::perf
