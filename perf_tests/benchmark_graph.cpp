// SPDX-License-Identifier: BSD-3-Clause
#include "benchmark_graph.hpp"

#include <algorithm>
#include <dromos/core/long_range.hpp>
#include <dromos/generate/deep_graphs.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_geometric.hpp>
#include <dromos/generate/structured.hpp>
#include <dromos/generate/thin_graphs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/relabel.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/io/read_graph.hpp>
#include <filesystem>

namespace dromos::perf {
namespace {

using Edges = EdgeList<Vertex, Memory>;
using HostEdges = EdgeList<Vertex, Kokkos::HostSpace>;

struct Group {
  const char* name;
  std::vector<std::string> kinds;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"random", {"kronecker", "erdos-renyi"}},
      {"deep", {"chain-of-cycles", "path", "cycle", "nested-cycles", "oriented-lattice"}},
      {"thin", {"path", "star", "grid", "ladder", "comb", "caterpillar", "cycle-chain", "bipartite-hubs"}},
  };
  return all;
}

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names{"random-geometric"};
    for (const Group& group : groups()) {
      for (const std::string& kind : group.kinds) {
        if (std::find(names.begin(), names.end(), kind) == names.end()) names.push_back(kind);
      }
    }
    return names;
  }();
  return all;
}

bool is_random(const std::string& kind) {
  return kind == "kronecker" || kind == "erdos-renyi" || kind == "random-geometric";
}

Edges random_edges(const std::string& kind, int scale, const GraphOptions& options) {
  const std::int64_t n = std::int64_t(1) << scale;
  if (kind == "kronecker") {
    KroneckerOptions kronecker;
    kronecker.scale = scale;
    kronecker.edge_factor = options.edge_factor;
    kronecker.seed = options.seed;
    return generate_kronecker<Vertex>(Space(), kronecker);
  }
  if (kind == "erdos-renyi") {
    ErdosRenyiOptions uniform;
    uniform.num_vertices = n;
    uniform.num_edges = options.edge_factor << scale;
    uniform.seed = options.seed;
    return generate_erdos_renyi<Vertex>(Space(), uniform);
  }
  RandomGeometricOptions geometric;
  geometric.num_vertices = n;
  geometric.expected_degree = static_cast<double>(options.edge_factor);
  geometric.seed = options.seed;
  return generate_random_geometric<Vertex>(Space(), geometric);
}

/// Of about 2^scale vertices, on the host.
HostEdges structured_edges(const std::string& kind, int scale, const GraphOptions& options) {
  const Kokkos::DefaultHostExecutionSpace host;
  const std::int64_t n = std::int64_t(1) << scale, side = std::int64_t(1) << scale / 2;
  if (kind == "path") return path<Vertex>(n);
  if (kind == "cycle") return cycle<Vertex>(n);
  if (kind == "star") return star<Vertex>(n);
  if (kind == "grid") return grid_2d<Vertex>(side, n / side);
  if (kind == "ladder") return grid_2d<Vertex>(n / 2, 2);
  if (kind == "comb") return generate_edges<Vertex>(host, CombEdges<Vertex>(side, n / side - 1));
  if (kind == "caterpillar") return generate_edges<Vertex>(host, CaterpillarEdges<Vertex>((n + 7) / 8, 7));
  if (kind == "cycle-chain") return generate_edges<Vertex>(host, CycleChainEdges<Vertex>(side, n / side));
  if (kind == "bipartite-hubs") {
    return generate_edges<Vertex>(host, BipartiteHubsEdges<Vertex>(std::min(options.edge_factor, n), n));
  }
  if (kind == "nested-cycles") return nested_cycles<Vertex>(n, options.seed);
  if (kind == "oriented-lattice") return oriented_lattice<Vertex>(side, options.seed);
  ChainOfCyclesOptions chain;
  chain.num_vertices = n;
  chain.seed = options.seed;
  return chain_of_cycles<Vertex>(chain);
}

Edges generated_edges(const std::string& kind, int scale, const GraphOptions& options) {
  if (is_random(kind)) return random_edges(kind, scale, options);
  const HostEdges edges = structured_edges(kind, scale, options);
  if (options.shuffle) shuffle_vertices(edges, options.seed);
  return copy_to<Memory>(edges);
}

/// Numbers the sources of edges anew.
struct RenameSources {
  Kokkos::View<Vertex*, Memory> source;
  Kokkos::View<const Vertex*, Memory> new_id;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const { source(i) = new_id(source(i)); }
};

}  // namespace

void GraphOptions::declare(ArgumentParser& parser, const GraphNeeds& needs) {
  shuffle = needs.shuffled;
  directed = needs.direction == GraphNeeds::Direction::directed;
  std::string known;
  for (const std::string& kind : kinds()) known += kind + ", ";
  for (const Group& group : groups()) known += std::string(group.name) + " (several), ";
  parser.add_option("--graph", graphs, "one or several of " + known + "all, or files").comma_or_blank_list();
  parser.add_option("--scale", scales, "log2 of the number of vertices of generated graphs, one or several")
      .comma_or_blank_list();
  parser.add_option("--edge-factor", edge_factor,
                    "input edges per vertex of random graphs, neighbors of random geometric ones, number of hubs");
  if (needs.direction == GraphNeeds::Direction::either) {
    parser.add_flag("--directed", directed, "keep the direction of edges; without this they are followed both ways");
  }
  parser.add_flag("--relabel", relabel, "renumber the vertices by descending degree");
  parser.add_flag("--shuffle,!--no-shuffle", shuffle,
                  "number the vertices of graphs that are not random at random, or in order");
  if (needs.weights) {
    parser.add_flag("--uniform-weights", uniform_weights, "random weights for files too, instead of their own");
  }
  parser.add_option("--seed", seed, "of generators, random weights and roots");
}

std::vector<std::string> GraphOptions::names(const GraphNeeds& needs) const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& name : graphs) {
    const auto group = std::find_if(groups().begin(), groups().end(), [&](const Group& g) { return g.name == name; });
    if (name == "all") {
      for (const std::string& kind : needs.all) add(kind);
    } else if (group != groups().end()) {
      for (const std::string& kind : group->kinds) add(kind);
    } else if (is_generated_kind(name) || std::filesystem::exists(name)) {
      add(name);
    } else {
      throw ArgumentError("--graph: '" + name + "' is neither a kind of graph (--help lists them) nor a file");
    }
  }
  return names;
}

bool is_generated_kind(const std::string& name) {
  return std::find(kinds().begin(), kinds().end(), name) != kinds().end();
}

Graph BenchmarkGraph::reversed() const { return graph.directed ? transpose(Space(), graph) : graph; }

BenchmarkGraph load_benchmark_graph(const std::string& name, int scale, const GraphOptions& options,
                                    const GraphNeeds& needs) {
  const Space space;
  const bool generated = is_generated_kind(name);
  BuildOptions build;
  build.symmetrize = !options.directed;
  build.drop_self_loops = build.remove_duplicates = true;

  Kokkos::Timer timer;
  Edges edges;
  if (generated) {
    edges = generated_edges(name, scale, options);
  } else {
    ReadOptions read;
    read.weights = read.non_negative_weights = needs.weights && !options.uniform_weights;
    try {
      const GraphFile<Vertex> file = read_graph<Vertex>(name, read);
      edges = copy_to<Memory>(file.edges);
      if (!file.directed.value_or(true)) build.symmetrize = true;  // some formats list an edge once
    } catch (const InputError& error) {
      if (!read.weights) throw;
      throw ArgumentError(error.what() + std::string(" (--uniform-weights: random ones instead)"));
    }
  }
  fence(space, "dromos::bench::edges");
  const double generation_seconds = timer.seconds();

  timer.reset();
  BenchmarkGraph result;
  result.graph = build_csr(space, edges, build);
  if (needs.weights && !result.graph.weighted()) {
    if (!generated && !options.uniform_weights) {
      throw ArgumentError(name + " has no weights; --uniform-weights makes random ones");
    }
    result.graph = with_random_weights(space, result.graph, options.seed);
  }
  if (options.relabel) {
    const auto relabeled = relabel_by_degree(space, result.graph);
    result.graph = relabeled.graph;
    for_range("dromos::bench::relabel_edges", space, edges.num_edges(), RenameSources{edges.source, relabeled.new_id});
  }
  fence(space, "dromos::bench::graph");
  const double construction_seconds = timer.seconds();
  if (needs.input_edges) result.input = edges;

  result.facts = {{"graph", generated ? name : std::filesystem::path(name).filename().string()}};
  if (generated) result.facts.update({{"scale", scale}, {"edge_factor", options.edge_factor}});
  result.facts.update({{"directed", result.graph.directed},
                       {"seed", options.seed},
                       {"shuffled", generated && !is_random(name) && options.shuffle},
                       {"relabeled_by_degree", options.relabel},
                       {"num_vertices", result.graph.num_vertices()},
                       {"num_edges", result.graph.num_edges()},
                       {"generation_seconds", generation_seconds},
                       {"construction_seconds", construction_seconds}});
  char text[512];
  std::snprintf(text, sizeof text, "%s%s%s%s, %s: %lld vertices, %lld arcs; %s in %.3g s, built in %.3g s",
                result.facts["graph"].get<std::string>().c_str(),
                generated ? (" scale " + std::to_string(scale)).c_str() : "", options.relabel ? ", by degree" : "",
                result.facts["shuffled"].get<bool>() ? ", shuffled" : "",
                result.graph.directed ? "directed" : "undirected", static_cast<long long>(result.graph.num_vertices()),
                static_cast<long long>(result.graph.num_edges()), generated ? "generated" : "read", generation_seconds,
                construction_seconds);
  result.text = text;
  return result;
}

}  // namespace dromos::perf
