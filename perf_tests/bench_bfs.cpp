// SPDX-License-Identifier: BSD-3-Clause
// How fast is breadth-first search with each strategy? GTEPS, median over roots, every search validated.
//
//   bench_bfs --scale 20,22 --graph all --roots 16 --json bfs.json
//   bench_bfs --scale 20 --graph kronecker --algorithm bfs --strategy steps    # M, M+C, M+C+S, M+C+S+L of the paper
//
// Traversed edges are counted as Graph500 counts them: input edges of the component, each undirected edge once,
// duplicates included, over the time of the search. The strategies take turns root by root, so that a drift of the
// machine's speed meets them alike.
#include <cstdio>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_roots.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/relabel.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <utility>
#include <vector>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"
#include "command_line/parameter_file.hpp"

namespace {

using namespace dromos;
using namespace dromos::perf;
using Vertex = DefaultVertex;
using Graph = CsrGraph<Vertex, Memory>;
using Edges = EdgeList<Vertex, Memory>;

struct Options {
  std::vector<int> scales{20, 22};
  std::int64_t edge_factor = 16;
  std::string graph = "all";
  std::string algorithm = "all";
  std::vector<std::string> strategies;
  bool relabel = false;
  bool parents = true;
  bool levels = true;
  bool validate = true;
  bool fuse_small_levels = true;
  int roots = 16;
  std::uint64_t seed = 1;
  std::string json;
};

/// Something to time: an algorithm with a strategy.
struct Contender {
  bool direction_optimizing;
  std::string name;
  Strategy strategy;
  std::vector<double> seconds;
  std::vector<double> gteps;

  std::string algorithm() const { return direction_optimizing ? "bfs-direction-optimizing" : "bfs"; }
};

/// Every strategy, those that are named, or the steps that lead to ManhattanLocal (Slota et al. 2015, Figure 2).
std::vector<std::pair<std::string, Strategy>> wanted_strategies(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, Strategy>> wanted;
  if (names == std::vector<std::string>{"steps"}) {
    const char* const steps[] = {"M", "M+C", "M+C+S", "M+C+S+L"};
    for (int step = 0; step < 4; ++step) {
      ManhattanLocal strategy;
      strategy.coalesced = step > 0;
      strategy.team_scan = step > 1;
      strategy.local_queue = step > 2;
      wanted.emplace_back(std::string("manhattan-local ") + steps[step], strategy);
    }
    return wanted;
  }
  if (names.empty()) {
    for (const Strategy& strategy : all_strategies()) wanted.emplace_back(strategy_name(strategy), strategy);
  }
  for (const std::string& name : names) wanted.emplace_back(name, strategy_from_name(name));
  return wanted;
}

Edges generate(const std::string& kind, int scale, const Options& options) {
  if (kind == "kronecker") {
    KroneckerOptions kronecker;
    kronecker.scale = scale;
    kronecker.edge_factor = options.edge_factor;
    kronecker.seed = options.seed;
    return generate_kronecker<Vertex>(Space(), kronecker);
  }
  ErdosRenyiOptions uniform;
  uniform.num_vertices = std::int64_t(1) << scale;
  uniform.num_edges = options.edge_factor << scale;
  uniform.seed = options.seed;
  return generate_erdos_renyi<Vertex>(Space(), uniform);
}

/// Input edges whose first endpoint was reached; in an undirected graph the other one then was as well.
Offset input_edges_reached(const Edges& edges, const BfsResult<Vertex, Memory>& result) {
  const auto source = edges.source;
  const auto parent = result.parent;
  const auto level = result.level;
  const bool by_parent = parent.extent(0) != 0;
  Offset count = 0;
  Kokkos::parallel_reduce(
      "dromos::bench::input_edges_reached",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, edges.num_edges()),
      KOKKOS_LAMBDA(const std::int64_t i, Offset& sum) {
        const Vertex u = source(i);
        sum += by_parent ? parent(u) != no_vertex<Vertex> : level(u) != no_level;
      },
      count);
  return count;
}

void require_valid(const Graph& graph, Vertex root, const BfsResult<Vertex, Memory>& result, const std::string& what) {
  const auto validation = validate_bfs(Space(), graph, root, Kokkos::View<const Vertex*, Memory>(result.parent),
                                       Kokkos::View<const Level*, Memory>(result.level));
  if (!validation.valid) throw Error(what + " from root " + std::to_string(root) + " is wrong: " + validation.message);
}

void run_graph(const std::string& kind, int scale, const Options& options, Json& rows) {
  Kokkos::Timer timer;
  Edges edges = generate(kind, scale, options);
  Kokkos::fence();
  const double generation_seconds = timer.seconds();
  timer.reset();
  BuildOptions build;
  build.symmetrize = build.drop_self_loops = build.remove_duplicates = true;
  Graph graph = build_csr(Space(), edges, build);
  double construction_seconds = timer.seconds();
  if (options.relabel) {
    timer.reset();
    const auto relabeled = relabel_by_degree(Space(), graph);
    const auto new_id = relabeled.new_id;
    const auto source = edges.source;
    graph = relabeled.graph;
    construction_seconds += timer.seconds();
    Kokkos::parallel_for(  // so that input edges can be counted by the new numbers
        "dromos::bench::relabel_edges",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, edges.num_edges()),
        KOKKOS_LAMBDA(const std::int64_t i) { source(i) = new_id(source(i)); });
  }
  std::printf("%s scale %d%s: %lld vertices, %lld arcs; generated in %.2f s, built in %.2f s\n", kind.c_str(), scale,
              options.relabel ? ", by degree" : "", static_cast<long long>(graph.num_vertices()),
              static_cast<long long>(graph.num_edges()), generation_seconds, construction_seconds);

  std::vector<Contender> contenders;
  for (const bool direction_optimizing : {false, true}) {
    if (options.algorithm != "all" && (options.algorithm == "bfs") == direction_optimizing) continue;
    for (const auto& [name, strategy] : wanted_strategies(options.strategies)) {
      contenders.push_back({direction_optimizing, name, strategy, {}, {}});
    }
  }
  const std::size_t graph_bytes = graph.row_map.span() * sizeof(Offset) + graph.entries.span() * sizeof(Vertex);
  const std::uint64_t available_before = available_memory<Memory>();
  timer.reset();
  BfsDirectionScratch<Vertex, Memory> scratch(Space(), graph);
  Kokkos::fence();
  const double preparation_seconds = timer.seconds();
  const std::uint64_t scratch_bytes = available_before - available_memory<Memory>();  // 0 where that is not known
  BfsResult<Vertex, Memory> result;
  const auto roots = random_roots(graph, options.roots, options.seed);
  bool warm = false;
  for (const Vertex root : roots) {
    for (Contender& contender : contenders) {
      BfsOptions bfs_options;
      bfs_options.strategy = contender.strategy;
      bfs_options.parents = options.parents;
      bfs_options.levels = options.levels;
      bfs_options.fuse_small_levels = options.fuse_small_levels;
      const auto search = [&] {
        return contender.direction_optimizing
                   ? bfs_direction_optimizing(Space(), graph, root, scratch, result, bfs_options)
                   : bfs(Space(), graph, root, scratch, result, bfs_options);
      };
      if (!warm) search();
      const BfsStatistics statistics = search();
      if (options.validate) require_valid(graph, root, result, contender.algorithm() + " " + contender.name);
      const Offset traversed = input_edges_reached(edges, result);
      contender.seconds.push_back(statistics.seconds);
      contender.gteps.push_back(1e-9 * static_cast<double>(traversed) / statistics.seconds);
    }
    warm = true;
  }
  std::printf("  %-26s %-24s %12s %12s %12s %12s\n", "algorithm", "strategy", "median ms", "GTEPS min", "median",
              "max");
  for (const Contender& contender : contenders) {
    const Json gteps = spread(contender.gteps);
    std::printf("  %-26s %-24s %12.3f %12.3f %12.3f %12.3f\n", contender.algorithm().c_str(), contender.name.c_str(),
                1e3 * median(contender.seconds), gteps["min"].get<double>(), gteps["median"].get<double>(),
                gteps["max"].get<double>());
    rows.push_back({{"graph", kind},
                    {"scale", scale},
                    {"edge_factor", options.edge_factor},
                    {"relabeled_by_degree", options.relabel},
                    {"num_vertices", graph.num_vertices()},
                    {"num_edges", graph.num_edges()},
                    {"generation_seconds", generation_seconds},
                    {"construction_seconds", construction_seconds},
                    {"preparation_seconds", preparation_seconds},
                    {"graph_bytes", graph_bytes},
                    {"scratch_bytes", scratch_bytes},
                    {"algorithm", contender.algorithm()},
                    {"strategy", contender.name},
                    {"seconds", spread(contender.seconds)},
                    {"gteps", gteps},
                    {"validated", options.validate}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  ArgumentParser parser(
      "GTEPS of breadth-first search: each strategy, on generated graphs, median over roots, validated");
  parser.allow_extras();  // --kokkos-* go to Kokkos
  parser.add_option("--scale", options.scales, "log2 of the number of vertices, one or several").comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factor, "input edges per vertex");
  parser.add_option("--graph", options.graph).one_of({"kronecker", "erdos-renyi", "all"});
  parser.add_option("--algorithm", options.algorithm).one_of({"bfs", "direction-optimizing", "all"});
  parser.add_option("--strategy", options.strategies, "only these strategies, or steps: those towards manhattan-local")
      .comma_or_blank_list();
  parser.add_flag("--relabel", options.relabel, "renumber the vertices by descending degree before searching");
  parser.add_flag("!--no-parents", options.parents, "levels only");
  parser.add_flag("!--no-levels", options.levels, "parents only; one of the two is needed");
  parser.add_flag("!--no-validation", options.validate, "do not validate (to profile)");
  parser.add_flag("!--no-fusion", options.fuse_small_levels,
                  "launch levels of few edges one by one as well, so that strategies are compared on all levels");
  parser.add_option("--roots", options.roots, "searches per strategy");
  parser.add_option("--seed", options.seed);
  parser.add_option("--json", options.json, "write the figures to this file");
  accept_parameter_file(parser);
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    if (!options.parents && !options.levels) {
      throw ArgumentError("--no-parents and --no-levels: a search has to find one of the two; leave one option out");
    }
    Json result = result_frame("bfs", {{"roots", options.roots},
                                       {"seed", options.seed},
                                       {"parents", options.parents},
                                       {"levels", options.levels},
                                       {"fuse_small_levels", options.fuse_small_levels}});
    for (const int scale : options.scales) {
      for (const std::string kind : {"kronecker", "erdos-renyi"}) {
        if (options.graph == "all" || options.graph == kind) run_graph(kind, scale, options, result["rows"]);
      }
    }
    if (!options.json.empty()) write_result(options.json, result);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_bfs: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
