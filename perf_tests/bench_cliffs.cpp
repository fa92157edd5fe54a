// SPDX-License-Identifier: BSD-3-Clause
// Is there a graph on which parallelism makes an algorithm slower? Every algorithm, by its default method and strategy,
// on graphs that give it nothing to do in parallel or everything at one vertex; time over that of the textbook
// algorithm by one thread of the host. Above 3 is a cliff.
//
//   bench_cliffs --scale 20
//   bench_cliffs --scale 16 --algorithm bfs,sssp --graph path,comb --strict
//
// Sizes grow fourfold up to 2^scale. Where the next size might take longer than the limit, were time to grow with the
// square of the size, the last one counts: a case that is quadratic ends as well. Both sides take turns; every answer
// is validated once, and one thread's time is that of a graph in host memory, without the way there. Of the diameter
// both times are those of one search.
#include <algorithm>
#include <cstdio>
#include <dromos/generate/random_roots.hpp>
#include <utility>

#include "benchmark_driver.hpp"
#include "benchmark_program.hpp"
#include "benchmarks.hpp"
#include "command_line/argument_parser.hpp"
#include "serial_baselines.hpp"

namespace {

using namespace dromos;
using namespace dromos::perf;

constexpr std::pair<const char*, void (*)(Benchmark&)> all_algorithms[] = {
    {"bfs", bfs_benchmark},           {"sssp", sssp_benchmark},   {"cc", cc_benchmark},
    {"scc", scc_benchmark},           {"color", color_benchmark}, {"kcore", kcore_benchmark},
    {"pagerank", pagerank_benchmark}, {"bc", bc_benchmark},       {"diameter", diameter_benchmark}};

struct Options {
  GraphOptions graphs;
  std::vector<std::string> algorithms;
  std::vector<std::string> strategies;
  int runs = 3;
  int most_ratio = 3;
  int seconds = 2;
  bool strict = false;
  std::string json;
};

/// One algorithm on one graph: medians of both sides.
struct Case {
  std::string method;
  double seconds = 0;
  double serial_seconds = 0;
  double serial_sum = 0;  ///< of the result: who looks at it, needs it
  double ratio() const { return seconds / serial_seconds; }
};

/// The time of one search, where the algorithm makes several.
double seconds_of(const Benchmark& benchmark, const Measurement& measured) {
  return benchmark.name == "diameter" ? measured.details["seconds_per_search"].get<double>() : measured.seconds;
}

Case compare(const Benchmark& benchmark, const BenchmarkGraph& graph, const ChosenStrategy& strategy,
             const Options& options) {
  const std::vector<Vertex> roots = random_roots(graph.graph, 1, options.graphs.seed);
  if (roots.empty()) throw ArgumentError("a graph without edges; give a larger --scale");
  const Kernel kernel = benchmark.prepare(graph);
  const HostGraph on_host = copy_to<Kokkos::HostSpace>(graph.graph);
  Contender contender{"", strategy};
  if (!benchmark.methods.empty()) {
    contender.method = (benchmark.default_methods.empty() ? benchmark.methods : benchmark.default_methods).front();
  }
  if (benchmark.name == "bfs") contender.method = benchmark.methods.back();  // direction-optimizing
  std::vector<double> seconds, serial_seconds;
  double serial_sum = 0;
  for (int run = -1; run < options.runs; ++run) {
    const Measurement measured = kernel.run(contender, roots.front());
    if (run < 0) {
      const RuleResult proof = kernel.check(roots.front());
      if (!proof.holds) throw Error(benchmark.name + " is wrong: " + proof.message);
    }
    const Kokkos::Timer timer;
    serial_sum = solve_serially(benchmark.name, on_host, roots.front());
    const double serial = timer.seconds();
    if (run < 0) continue;
    seconds.push_back(seconds_of(benchmark, measured));
    serial_seconds.push_back(serial);
  }
  return {contender.method, median(seconds), median(serial_seconds), serial_sum};
}

/// The largest size that the limit allows.
Json run_case(const Benchmark& benchmark, const std::string& graph_name, const Options& options) {
  GraphOptions graph_options = options.graphs;
  graph_options.directed = benchmark.graphs.direction == GraphNeeds::Direction::directed;
  const auto strategies = chosen_strategies(options.strategies, benchmark.default_strategy);
  const int target = options.graphs.scales.front();
  Json row;
  for (int scale = std::min(target, 8 + target % 2);; scale += 2) {
    const BenchmarkGraph graph = load_benchmark_graph(graph_name, scale, graph_options, benchmark.graphs);
    const Case found = compare(benchmark, graph, strategies.front(), options);
    row = {{"algorithm", benchmark.name},
           {"method", found.method},
           {"strategy", strategies.front().runs},
           {"seconds", found.seconds},
           {"serial_seconds", found.serial_seconds},
           {"serial_sum", found.serial_sum},
           {"ratio_to_serial", found.ratio()},
           {"cliff", found.ratio() > options.most_ratio},
           {"asked_scale", target}};
    row.update(graph.facts);
    if (scale >= target || 16 * std::max(found.seconds, found.serial_seconds) > options.seconds) return row;
  }
}

void print_row(const Json& row) {
  std::printf("  %-16s %-9s %-24s %-18s 2^%-3d %12.3f %12.3f %10.2f%s\n", row["graph"].get<std::string>().c_str(),
              row["algorithm"].get<std::string>().c_str(), row["method"].get<std::string>().c_str(),
              row["strategy"].get<std::string>().c_str(), row["scale"].get<int>(), 1e3 * row["seconds"].get<double>(),
              1e3 * row["serial_seconds"].get<double>(), row["ratio_to_serial"].get<double>(),
              row["cliff"].get<bool>() ? "  CLIFF" : "");
  std::fflush(stdout);
}

/// Runs all cases; the number of cliffs.
int run_all(const Options& options, Json& rows) {
  std::printf("  %-16s %-9s %-24s %-18s %-5s %12s %12s %10s\n", "graph", "algorithm", "method", "strategy", "size",
              "ms", "one thread", "ratio");
  int cliffs = 0;
  for (const auto& [name, describe] : all_algorithms) {
    const auto& wanted = options.algorithms;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    Benchmark benchmark;
    describe(benchmark);
    for (const std::string& graph : options.graphs.names(benchmark.graphs)) {
      if (!is_generated_kind(graph)) throw ArgumentError("--graph: expected kinds, which have sizes, found " + graph);
      rows.push_back(run_case(benchmark, graph, options));
      print_row(rows.back());
      cliffs += rows.back()["cliff"].get<bool>() ? 1 : 0;
    }
  }
  return cliffs;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.graphs.graphs = {"thin"};
  options.graphs.scales = {18};
  std::vector<std::string> names;
  for (const auto& [name, describe] : all_algorithms) names.push_back(name);
  ArgumentParser parser(
      "Every algorithm on adversarial graphs: time over that of one thread by the textbook algorithm");
  options.graphs.declare(parser, GraphNeeds{});
  parser.add_option("--algorithm", options.algorithms, "only these").comma_or_blank_list().one_of(names);
  parser.add_option("--strategy", options.strategies, "one for all (default: the library's)").comma_or_blank_list();
  parser.add_option("--runs", options.runs, "measured runs of both sides").in_range(1);
  parser.add_option("--most-ratio", options.most_ratio, "what is more is a cliff").in_range(1);
  parser.add_option("--seconds", options.seconds, "no larger size where a run of it might take longer").in_range(1);
  parser.add_flag("--strict", options.strict, "exit code 1 where there is a cliff");
  parser.add_option("--json", options.json, "write the figures to this file");
  return run_program("bench_cliffs", parser, argc, argv, [&] {
    Json result = result_frame("cliffs", {{"runs", options.runs},
                                          {"seed", options.graphs.seed},
                                          {"shuffle", options.graphs.shuffle},
                                          {"most_ratio", options.most_ratio},
                                          {"seconds", options.seconds}});
    const int cliffs = run_all(options, result["rows"]);
    std::printf("%d of %zu take more than %d times as long as one thread\n", cliffs, result["rows"].size(),
                options.most_ratio);
    if (!options.json.empty()) write_result(options.json, result);
    return options.strict && cliffs > 0 ? 1 : 0;
  });
}
