// SPDX-License-Identifier: BSD-3-Clause
// How fast is PageRank, all in all and by iteration? Milliseconds and GEPS over runs, validated.
//
//   bench_pagerank --scale 20,22 --runs 8 --json pagerank.json
//   bench_pagerank --scale 22 --iterations 20                        # so many, whatever the change
//   bench_pagerank --scale 24 --iterations 20 --shares by-vertex,by-degree   # both orders of shares in turn
//   bench_pagerank --scale 22 --double                               # shares of double precision in all iterations
//
// Shares are put in order once, in a run that does not count: what that took is `order_seconds`, and where shares lay,
// `share_order`, of a row of the result.
// GEPS is the number of arcs of the graph times the iterations, over the time.
#include <algorithm>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/validate/rank_rules.hpp>
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

Kernel prepare_pagerank(const BenchmarkGraph& given, int iterations, bool single_precision_first) {
  const Graph& graph = given.graph;
  const auto scratch = std::make_shared<PageRankScratch<Vertex, Memory>>(graph, given.reversed());
  const auto rank = std::make_shared<Kokkos::View<double*, Memory>>();
  const auto accepted_change = std::make_shared<double>(0);
  const auto order_seconds = std::make_shared<double>(0);
  Kernel kernel;
  kernel.run = [&graph, iterations, single_precision_first, scratch, rank, accepted_change, order_seconds](
                   const Contender& contender, Vertex) {
    PageRankOptions options;
    options.strategy = contender.strategy;
    options.share_order = share_order_from_name(contender.method);
    options.single_precision_first = single_precision_first;
    if (iterations > 0) {
      options.max_iterations = iterations;
      options.tolerance = 0;
    }
    const PageRankStatistics statistics = pagerank(Space(), *scratch, *rank, options);
    *order_seconds += statistics.order_seconds;
    *accepted_change = statistics.converged ? options.tolerance : statistics.change;
    const double n = static_cast<double>(graph.num_vertices()), num_arcs = static_cast<double>(graph.num_edges());
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = num_arcs * statistics.num_iterations;
    measured.details = {{"num_iterations", statistics.num_iterations},
                        {"num_single_precision", statistics.num_single_precision},
                        {"seconds_per_iteration", statistics.seconds / std::max(1, statistics.num_iterations)},
                        {"change", statistics.change},
                        {"converged", statistics.converged},
                        {"share_order", share_order_name(statistics.share_order)},
                        {"order_seconds", statistics.share_order == ShareOrder::by_degree ? *order_seconds : 0}};
    // An iteration: rows, arcs, the share at the end of each, and the ranks read and written.
    const bool all_single = statistics.num_single_precision == statistics.num_iterations;
    measured.least = {
        statistics.num_iterations * ((sizeof(Offset) + 2 * sizeof(double)) * n + sizeof(Vertex) * num_arcs),
        measured.edges, (all_single ? sizeof(float) : sizeof(double)) * n};
    return measured;
  };
  kernel.check = [&graph, rank, accepted_change](Vertex) {
    return validate_pagerank(Space(), graph, *rank, PageRankOptions{}.damping, *accepted_change);
  };
  return kernel;
}

}  // namespace

void pagerank_benchmark(Benchmark& benchmark) {
  const auto iterations = std::make_shared<int>(0);
  const auto single_precision_first = std::make_shared<bool>(PageRankOptions{}.single_precision_first);
  benchmark.name = "pagerank";
  benchmark.description = "PageRank: time, time of an iteration and GEPS of each strategy, over runs, validated";
  benchmark.default_strategy = PageRankOptions{}.strategy;
  benchmark.rate = "geps";
  benchmark.method_option = "shares";
  for (const ShareOrder order : all_share_orders()) benchmark.methods.push_back(share_order_name(order));
  benchmark.default_methods = {share_order_name(PageRankOptions{}.share_order)};
  benchmark.columns = {{"iterations", "num_iterations"},
                       {"of single", "num_single_precision"},
                       {"ms an iteration", "seconds_per_iteration", 1e3, 3},
                       {"ms to order", "order_seconds", 1e3, 3}};
  benchmark.declare = [iterations, single_precision_first](ArgumentParser& parser) {
    parser.add_option("--iterations", *iterations, "so many, whatever the change (0: until the ranks stand still)");
    parser.add_flag("!--double", *single_precision_first, "shares of double precision in all iterations");
  };
  benchmark.options = [iterations, single_precision_first] {
    return Json{{"iterations", *iterations}, {"single_precision_first", *single_precision_first}};
  };
  benchmark.prepare = [iterations, single_precision_first](const BenchmarkGraph& graph) {
    return prepare_pagerank(graph, *iterations, *single_precision_first);
  };
}

}  // namespace dromos::perf
