// SPDX-License-Identifier: BSD-3-Clause
// How long do bounds of the diameter take, all in all and by search? Milliseconds over runs, validated.
//
//   bench_diameter --scale 20,22 --runs 4 --json diameter.json
//   bench_diameter --graph grid --scale 20 --searches 100
//
// Of the component of a vertex of highest degree, as `dromos diameter`. GEPS is the number of edges of the graph, each
// undirected edge counted once, times the searches, over the time.
#include <algorithm>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/validate/diameter_rules.hpp>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Vertex vertex_of_highest_degree(const Graph& graph) {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.row_map);
  Vertex best = 0;
  for (Vertex v = 1; v < graph.num_vertices(); ++v) {
    if (rows(v + 1) - rows(v) > rows(best + 1) - rows(best)) best = v;
  }
  return best;
}

Kernel prepare_diameter(const BenchmarkGraph& given, int max_searches) {
  const Graph& graph = given.graph;
  const Vertex start = vertex_of_highest_degree(graph);
  const auto bounds = std::make_shared<DiameterBounds<Vertex>>();
  Kernel kernel;
  kernel.run = [&graph, max_searches, start, bounds](const Contender& contender, Vertex) {
    DiameterOptions options;
    options.max_searches = max_searches;
    options.strategy = contender.strategy;
    *bounds = diameter(Space(), graph, start, options);
    const double n = static_cast<double>(graph.num_vertices()), searches = bounds->num_searches;
    const double reached = searches * static_cast<double>(bounds->component_size);
    Measurement measured;
    measured.seconds = bounds->seconds;
    measured.edges = 0.5 * static_cast<double>(graph.num_edges()) * searches;
    measured.details = {{"num_searches", bounds->num_searches},
                        {"seconds_per_search", bounds->seconds / std::max(1, bounds->num_searches)},
                        {"lower", bounds->lower},
                        {"upper", bounds->upper},
                        {"component_size", bounds->component_size}};
    // A search as in bench_bfs, from below, levels alone.
    measured.least = {sizeof(Level) * n * searches + (sizeof(Offset) + sizeof(Vertex)) * reached, reached, n / 8};
    return measured;
  };
  kernel.check = [&graph, bounds](Vertex) {
    return validate_diameter(graph, bounds->from, bounds->to, bounds->lower, bounds->upper);
  };
  return kernel;
}

}  // namespace

void diameter_benchmark(Benchmark& benchmark) {
  const auto max_searches = std::make_shared<int>(DiameterOptions{}.max_searches);
  benchmark.name = "diameter";
  benchmark.description = "Bounds of the diameter: time and time of a search, each strategy, over runs, validated";
  benchmark.graphs.direction = GraphNeeds::Direction::undirected;
  benchmark.turns = 4;
  benchmark.default_strategy = DiameterOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.columns = {{"searches", "num_searches"},
                       {"ms a search", "seconds_per_search", 1e3, 3},
                       {"at least", "lower"},
                       {"at most", "upper"}};
  benchmark.declare = [max_searches](ArgumentParser& parser) {
    parser.add_option("--searches", *max_searches, "stop after so many searches").in_range(3);
  };
  benchmark.options = [max_searches] { return Json{{"max_searches", *max_searches}}; };
  benchmark.prepare = [max_searches](const BenchmarkGraph& graph) { return prepare_diameter(graph, *max_searches); };
}

}  // namespace dromos::perf
