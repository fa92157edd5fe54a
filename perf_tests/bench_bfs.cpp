// SPDX-License-Identifier: BSD-3-Clause
// How fast is breadth-first search, top-down and direction-optimizing? GTEPS over roots, every search validated.
//
//   bench_bfs --scale 20,22 --roots 16 --json bfs.json
//   bench_bfs --scale 20 --graph kronecker --algorithm bfs --strategy steps    # M, M+C, M+C+S, M+C+S+L of the paper
//
// Traversed edges are counted as Graph500 counts them: input edges of the component, each undirected edge once,
// duplicates included, over the time of the search.
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/validate/graph500_rules.hpp>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

/// What a search finds, and how.
struct SearchOptions {
  bool parents = true;
  bool levels = true;
  bool fuse_small_levels = true;

  Json json() const {
    if (!parents && !levels) {
      throw ArgumentError("--no-parents and --no-levels: a search has to find one of the two; leave one option out");
    }
    return {{"parents", parents}, {"levels", levels}, {"fuse_small_levels", fuse_small_levels}};
  }
};

class BfsKernel : public Kernel {
 public:
  BfsKernel(const BenchmarkGraph& graph, const SearchOptions& options) : options_(options), graph_(graph) {
    const std::uint64_t available_before = available_memory<Memory>();
    Kokkos::Timer timer;
    scratch_ = BfsDirectionScratch<Vertex, Memory>(Space(), graph.graph);
    Kokkos::fence();
    preparation_seconds_ = timer.seconds();
    scratch_bytes_ = available_before - available_memory<Memory>();
  }

  Measurement run(const Contender& contender, Vertex root) override {
    BfsOptions options;
    options.strategy = contender.strategy;
    options.parents = options_.parents;
    options.levels = options_.levels;
    options.fuse_small_levels = options_.fuse_small_levels;
    const BfsStatistics statistics =
        contender.method == "bfs" ? bfs(Space(), graph_.graph, root, scratch_, result_, options)
                                  : bfs_direction_optimizing(Space(), graph_.graph, root, scratch_, result_, options);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = options_.parents ? count_input_edges(graph_.input, result_.parent, no_vertex<Vertex>)
                                      : count_input_edges(graph_.input, result_.level, no_level);
    return measured;
  }

  RuleResult check(Vertex root) override {
    const BfsValidation validation =
        validate_bfs(Space(), graph_.graph, root, Kokkos::View<const Vertex*, Memory>(result_.parent),
                     Kokkos::View<const Level*, Memory>(result_.level));
    return {validation.valid, validation.message};
  }

  Json facts() const override {
    const Graph& graph = graph_.graph;
    return {{"preparation_seconds", preparation_seconds_},
            {"graph_bytes", graph.row_map.span() * sizeof(Offset) + graph.entries.span() * sizeof(Vertex)},
            {"scratch_bytes", scratch_bytes_}};
  }

 private:
  SearchOptions options_;
  const BenchmarkGraph& graph_;
  double preparation_seconds_ = 0;
  std::uint64_t scratch_bytes_ = 0;  // where memory that is available is known
  BfsDirectionScratch<Vertex, Memory> scratch_;
  BfsResult<Vertex, Memory> result_;
};

}  // namespace

void bfs_benchmark(Benchmark& benchmark) {
  const auto options = std::make_shared<SearchOptions>();
  benchmark.name = "bfs";
  benchmark.description = "GTEPS of breadth-first search: each algorithm and strategy, median over roots, validated";
  benchmark.graphs.input_edges = true;
  benchmark.from_roots = benchmark.validate_every_turn = true;
  benchmark.turns = 16;
  benchmark.method_option = "algorithm";
  benchmark.methods = {"bfs", "bfs-direction-optimizing"};
  benchmark.default_strategy = BfsOptions{}.strategy;
  benchmark.rate = "gteps";
  benchmark.declare = [options](ArgumentParser& parser) {
    parser.add_flag("!--no-parents", options->parents, "levels only");
    parser.add_flag("!--no-levels", options->levels, "parents only; one of the two is needed");
    parser.add_flag("!--no-fusion", options->fuse_small_levels,
                    "launch levels of few edges one by one as well, so that strategies are compared on all levels");
  };
  benchmark.options = [options] { return options->json(); };
  benchmark.prepare = [options](const BenchmarkGraph& graph) { return std::make_unique<BfsKernel>(graph, *options); };
}

}  // namespace dromos::perf
