// SPDX-License-Identifier: BSD-3-Clause
// The graphs that benchmarks run on: Kronecker and uniform random ones, directed as generated or symmetrized, self
// loops and duplicates dropped.
#pragma once

#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/traverse/strategy.hpp>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"

namespace dromos::perf {

/// What the command line says about the graphs of a benchmark.
struct GraphOptions {
  std::vector<int> scales{20, 22};
  std::int64_t edge_factor = 16;
  std::string graph = "all";
  bool directed = false;
  std::uint64_t seed = 1;

  void add_to(ArgumentParser& parser) {
    parser.add_option("--scale", scales, "log2 of the number of vertices, one or several").comma_or_blank_list();
    parser.add_option("--edge-factor", edge_factor, "input edges per vertex");
    parser.add_option("--graph", graph).one_of({"kronecker", "erdos-renyi", "all"});
    parser.add_flag("--directed", directed, "keep the direction of edges");
    parser.add_option("--seed", seed, "of the generators");
  }
  std::vector<std::string> kinds() const {
    return graph == "all" ? std::vector<std::string>{"kronecker", "erdos-renyi"} : std::vector<std::string>{graph};
  }
  Json json(const std::string& kind, int scale) const {
    return {{"graph", kind}, {"scale", scale}, {"edge_factor", edge_factor}, {"directed", directed}, {"seed", seed}};
  }
};

template <class Vertex>
CsrGraph<Vertex, Memory> generated_graph(const std::string& kind, int scale, const GraphOptions& options) {
  EdgeList<Vertex, Memory> edges;
  if (kind == "kronecker") {
    KroneckerOptions kronecker;
    kronecker.scale = scale;
    kronecker.edge_factor = options.edge_factor;
    kronecker.seed = options.seed;
    edges = generate_kronecker<Vertex>(Space(), kronecker);
  } else {
    ErdosRenyiOptions uniform;
    uniform.num_vertices = std::int64_t(1) << scale;
    uniform.num_edges = options.edge_factor << scale;
    uniform.seed = options.seed;
    edges = generate_erdos_renyi<Vertex>(Space(), uniform);
  }
  BuildOptions build;
  build.symmetrize = !options.directed;
  build.drop_self_loops = build.remove_duplicates = true;
  const auto graph = build_csr(Space(), edges, build);
  std::printf("%s scale %d, %s: %lld vertices, %lld arcs\n", kind.c_str(), scale,
              options.directed ? "directed" : "undirected", static_cast<long long>(graph.num_vertices()),
              static_cast<long long>(graph.num_edges()));
  return graph;
}

/// All strategies, or those named; throws ArgumentError for a name that does not exist.
inline std::vector<Strategy> chosen_strategies(const std::vector<std::string>& names) {
  if (names.empty()) return all_strategies();
  std::vector<Strategy> strategies;
  for (const std::string& name : names) strategies.push_back(strategy_from_name(name));
  return strategies;
}

}  // namespace dromos::perf
