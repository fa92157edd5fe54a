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
#include <memory>

#include "benchmark_driver.hpp"
#include "benchmarks.hpp"

namespace dromos::perf {
namespace {

/// What a search finds, and how.
struct SearchOptions {
  bool parents = true;
  bool levels = true;
  bool fuse_small_levels = true;
  DirectionOptions direction;
  Offset most_alone_edges = SweepFusion<Memory>{}.most_alone_edges;

  Json json() const {
    if (!parents && !levels) {
      throw ArgumentError("--no-parents and --no-levels: a search has to find one of the two; leave one option out");
    }
    return {{"parents", parents},
            {"levels", levels},
            {"fuse_small_levels", fuse_small_levels},
            {"forward_to_backward", direction.forward_to_backward},
            {"backward_to_forward", direction.backward_to_forward},
            {"most_alone_edges", most_alone_edges}};
  }
};

Kernel prepare_bfs(const BenchmarkGraph& given, const SearchOptions& wanted) {
  const Graph& graph = given.graph;
  const std::uint64_t available_before = available_memory<Memory>();
  const Kokkos::Timer timer;
  const auto scratch = std::make_shared<BfsDirectionScratch<Vertex, Memory>>(Space(), graph);
  Kokkos::fence();
  Kernel kernel;
  kernel.facts = {{"preparation_seconds", timer.seconds()},
                  {"graph_bytes", graph.row_map.span() * sizeof(Offset) + graph.entries.span() * sizeof(Vertex)},
                  {"scratch_bytes", available_before - available_memory<Memory>()}};  // 0 where that is not known

  scratch->fusion.most_alone_edges = wanted.most_alone_edges;

  const auto result = std::make_shared<BfsResult<Vertex, Memory>>();
  kernel.run = [&given, &graph, wanted, scratch, result](const Contender& contender, Vertex root) {
    BfsOptions options;
    options.strategy = contender.strategy;
    options.parents = wanted.parents;
    options.levels = wanted.levels;
    options.fuse_small_levels = options.late_updates = wanted.fuse_small_levels;
    const bool top_down = contender.method == "bfs";
    const BfsStatistics statistics =
        top_down ? bfs(Space(), graph, root, *scratch, *result, options)
                 : bfs_direction_optimizing(Space(), graph, root, *scratch, *result, options, wanted.direction);
    const double n = static_cast<double>(graph.num_vertices()), reached = static_cast<double>(statistics.num_reached);
    Measurement measured;
    measured.seconds = statistics.seconds;
    measured.edges = wanted.parents ? count_input_edges(given.input, result->parent, no_vertex<Vertex>)
                                    : count_input_edges(given.input, result->level, no_level);
    // Results written, rows of reached vertices; from above a bit for every arc, from below one neighbor a vertex.
    measured.least.bytes =
        n * (sizeof(Vertex) * wanted.parents + sizeof(Level) * wanted.levels) + sizeof(Offset) * reached;
    measured.least.random_reads = top_down ? static_cast<double>(statistics.edges_reached) : reached;
    measured.least.bytes += sizeof(Vertex) * measured.least.random_reads;
    measured.least.table_bytes = n / 8;
    return measured;
  };
  kernel.check = [&graph, result](Vertex root) -> RuleResult {
    const BfsValidation validation =
        validate_bfs(Space(), graph, root, Kokkos::View<const Vertex*, Memory>(result->parent),
                     Kokkos::View<const Level*, Memory>(result->level));
    return {validation.valid, validation.message};
  };
  return kernel;
}

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
    parser.add_option("--forward-to-backward", options->direction.forward_to_backward,
                      "direction-optimizing: turn backward earlier (less) or later (more)");
    parser.add_option("--most-alone-edges", options->most_alone_edges, "GPUs: levels of so few edges are one team's");
    parser.add_option("--backward-to-forward", options->direction.backward_to_forward,
                      "direction-optimizing: turn forward again later (less) or earlier (more)");
  };
  benchmark.options = [options] { return options->json(); };
  benchmark.prepare = [options](const BenchmarkGraph& graph) { return prepare_bfs(graph, *options); };
}

}  // namespace dromos::perf
