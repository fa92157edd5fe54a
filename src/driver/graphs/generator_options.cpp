// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/generator_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/nearest_name.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_geometric.hpp>
#include <dromos/generate/structured.hpp>
#include <dromos/generate/thin_graphs.hpp>
#include <dromos/graph/block_partition.hpp>
#include <limits>
#include <sstream>
#include <vector>

#include "driver/base/host_memory.hpp"
#include "driver/base/option_values.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// A kind of graph and its parameters, each with the option that sets it; those in brackets may be left out.
struct Kind {
  const char* name;
  const char* parameters;
};
constexpr Kind all_kinds[] = {
    {"kronecker", "[--scale] [--edge-factor] [--a] [--b] [--c]"},
    {"erdos-renyi", "[--scale] [--edge-factor] [--vertices] [--edges]"},
    {"random-geometric", "[--scale] [--vertices] [--degree]"},
    {"path", "--vertices"},
    {"cycle", "--vertices"},
    {"star", "--vertices"},
    {"grid", "--rows --columns"},
    {"binary-tree", "--vertices"},
    {"ladder", "--rungs"},
    {"comb", "--spine --length"},
    {"caterpillar", "--spine --legs"},
    {"cycle-chain", "--cycles --length"},
    {"bipartite-hubs", "--hubs --vertices"},
};

const Kind& find_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : all_kinds) {
    if (name == kind.name) return kind;
    names.push_back(kind.name);
  }
  throw ArgumentError(fmt::format("no kind of generated graph is called '{}'{}", name, choice_hint(name, names)));
}

}  // namespace

std::string GeneratorOptions::kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : all_kinds) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::optional<std::int64_t> GeneratorOptions::columns() const {
  if (shared_columns.empty() || kind.empty()) return columns_;
  try {
    return parse_integer(shared_columns, 0, std::numeric_limits<std::int32_t>::max());
  } catch (const InvalidValue& error) {
    throw ArgumentError(std::string("--columns: ") + error.what());
  }
}

void GeneratorOptions::declare_parameters(ArgumentParser& parser, bool with_columns) {
  const std::string group = "Generated graph";
  const auto add_count = [&](const char* name, std::optional<std::int64_t>& value, const char* description) {
    add_integer(parser, name, value, description, 0, std::numeric_limits<std::int32_t>::max()).group(group);
  };
  add_integer(parser, "--scale", scale_, "2^N vertices (kronecker, erdos-renyi, random-geometric; default 16)", 0, 47)
      .group(group);
  add_integer(parser, "--edge-factor", edge_factor_, "Edges a vertex (kronecker, erdos-renyi; default 16)", 0)
      .group(group);
  add_probability(parser, "--a", a_, "Quadrant probability (kronecker; default 0.57, and 0.19 for --b and --c)")
      .group(group);
  add_probability(parser, "--b", b_, "").group(group);
  add_probability(parser, "--c", c_, "").group(group);
  add_integer(parser, "--vertices", vertices_,
              "(erdos-renyi, random-geometric, path, cycle, star, binary-tree, bipartite-hubs)", 0)
      .group(group);
  add_integer(parser, "--edges", edges_, "(erdos-renyi)", 0).group(group);
  add_count("--degree", degree_, "Neighbors of a vertex, on average (random-geometric; default 16)");
  add_count("--rows", rows_, "(grid)");
  if (with_columns) add_count("--columns", columns_, "(grid)");
  add_count("--rungs", rungs_, "(ladder)");
  add_count("--spine", spine_, "Vertices from each of which others hang (comb, caterpillar)");
  add_count("--legs", legs_, "Vertices that hang from each (caterpillar)");
  add_count("--cycles", cycles_, "(cycle-chain)");
  add_count("--length", length_, "Vertices of a tooth, or of a cycle (comb, cycle-chain)");
  add_count("--hubs", hubs_, "Vertices joined to all others (bipartite-hubs)");
}

std::vector<std::pair<std::string, std::optional<std::int64_t>>> GeneratorOptions::counts() const {
  return {{"--scale", scale_},       {"--edge-factor", edge_factor_},
          {"--vertices", vertices_}, {"--edges", edges_},
          {"--degree", degree_},     {"--rows", rows_},
          {"--columns", columns()},  {"--rungs", rungs_},
          {"--spine", spine_},       {"--legs", legs_},
          {"--cycles", cycles_},     {"--length", length_},
          {"--hubs", hubs_}};
}

void GeneratorOptions::check() const {
  std::vector<std::pair<std::string, bool>> given{
      {"--a", a_.has_value()}, {"--b", b_.has_value()}, {"--c", c_.has_value()}};
  for (const auto& [option, value] : counts()) given.emplace_back(option, value.has_value());
  if (kind.empty()) {
    for (const auto& [option, is_given] : given) {
      if (is_given) throw ArgumentError(fmt::format("{} is for generated graphs, and --generate is not given", option));
    }
    return;
  }
  const Kind& chosen = find_kind(kind);
  std::vector<std::string> required, optional;
  std::istringstream words(chosen.parameters);
  for (std::string word; words >> word;) {
    if (word[0] == '[') {
      optional.push_back(word.substr(1, word.size() - 2));
    } else {
      required.push_back(word);
    }
  }
  const auto contains = [](const std::vector<std::string>& list, const std::string& word) {
    for (const std::string& item : list) {
      if (item == word) return true;
    }
    return false;
  };
  for (const auto& [option, is_given] : given) {
    if (is_given && !contains(required, option) && !contains(optional, option)) {
      throw ArgumentError(fmt::format("{} has no parameter {}; it has {}", kind, option, chosen.parameters));
    }
    if (!is_given && contains(required, option)) {
      throw ArgumentError(fmt::format("{} needs {}", kind, fmt::join(required, " and ")));
    }
  }
  if (vertices_ && scale_) throw ArgumentError("--vertices and --scale both say how many vertices: give one");
  if (edges_ && edge_factor_) throw ArgumentError("--edges and --edge-factor both say how many edges: give one");
}

bool GeneratorOptions::is_random() const {
  return kind == "kronecker" || kind == "erdos-renyi" || kind == "random-geometric";
}

std::int64_t GeneratorOptions::num_vertices() const {
  if (kind == "grid") return *rows_ * *columns();
  if (kind == "ladder") return 2 * *rungs_;
  if (kind == "comb") return *spine_ * (*length_ + 1);
  if (kind == "caterpillar") return *spine_ * (*legs_ + 1);
  if (kind == "cycle-chain") return *cycles_ * *length_;
  return vertices_ ? *vertices_ : std::int64_t(1) << scale_.value_or(16);
}

std::string GeneratorOptions::describe() const {
  if (kind == "kronecker") {
    return fmt::format("{}, scale {}, edge factor {}, seed {}", kind, scale_.value_or(16), edge_factor_.value_or(16),
                       seed);
  }
  if (kind == "erdos-renyi")
    return fmt::format("{}, {} vertices, {} edges, seed {}", kind, num_vertices(), num_edges(), seed);
  if (kind == "random-geometric") {
    return fmt::format("{}, {} vertices, degree {}, seed {}", kind, num_vertices(), degree_.value_or(16), seed);
  }
  if (kind == "grid") return fmt::format("grid, {} x {}", *rows_, *columns());
  std::string text = kind;
  for (const auto& [option, value] : counts()) {
    if (value) text += fmt::format(", {} {}", *value, option.substr(2));
  }
  return text;
}

Offset GeneratorOptions::num_edges() const {
  if (edges_) return *edges_;
  std::int64_t factor = 1;
  if (kind == "kronecker" || kind == "erdos-renyi") factor = edge_factor_.value_or(16);
  if (kind == "random-geometric") factor = degree_.value_or(16) / 2 + 1;
  if (kind == "grid" || kind == "ladder" || kind == "cycle-chain") factor = 2;
  if (kind == "bipartite-hubs") factor = *hubs_;
  if (num_vertices() > 0 && factor > std::numeric_limits<std::int64_t>::max() / num_vertices()) {
    throw ArgumentError(fmt::format("{} edges for each of {} vertices are too many", factor, num_vertices()));
  }
  return factor * num_vertices();
}

DrawnEdges GeneratorOptions::drawn_edges() const {
  const auto edges = static_cast<double>(num_edges());
  if (kind != "kronecker") return DrawnEdges::uniform(static_cast<double>(num_vertices()), edges);
  const KroneckerOptions defaults;
  return DrawnEdges::kronecker(kronecker_scale(), edges, a_.value_or(defaults.a), b_.value_or(defaults.b),
                               c_.value_or(defaults.c));
}

template <class Vertex>
EdgeList<Vertex> GeneratorOptions::generate(int part, int num_parts) const {
  const double bytes_needed = 2.0 * sizeof(Vertex) * static_cast<double>(num_edges()) / num_parts;
  if (host_accessible<Space::memory_space>) {
    check_host_memory("generating " + describe(), bytes_needed);
  } else {
    require_memory<Space::memory_space>("generating " + describe() + " on this device", bytes_needed);
  }
  const auto edges_of = [&](const auto& generator) {
    const auto [first, last] = slice_of(generator.num_edges(), part, num_parts);
    return generate_edges<Vertex>(Space(), generator, first, last);
  };
  if (kind == "kronecker") {
    KroneckerOptions options;
    options.scale = static_cast<int>(scale_.value_or(options.scale));
    options.edge_factor = edge_factor_.value_or(options.edge_factor);
    options.a = a_.value_or(options.a);
    options.b = b_.value_or(options.b);
    options.c = c_.value_or(options.c);
    options.seed = static_cast<std::uint64_t>(seed);
    return edges_of(KroneckerEdges<Vertex>(options));
  }
  if (kind == "erdos-renyi") {
    ErdosRenyiOptions options;
    options.num_vertices = num_vertices();
    options.num_edges = num_edges();
    options.seed = static_cast<std::uint64_t>(seed);
    return edges_of(ErdosRenyiEdges<Vertex>(options));
  }
  if (kind == "random-geometric") {
    RandomGeometricOptions options;
    options.num_vertices = num_vertices();
    options.expected_degree = static_cast<double>(degree_.value_or(16));
    options.seed = static_cast<std::uint64_t>(seed);
    return edges_of(RandomGeometricEdges<Vertex>(Space(), options));
  }
  if (kind == "ladder") return edges_of(Grid2dEdges<Vertex>(*rungs_, 2));
  if (kind == "comb") return edges_of(CombEdges<Vertex>(*spine_, *length_));
  if (kind == "caterpillar") return edges_of(CaterpillarEdges<Vertex>(*spine_, *legs_));
  if (kind == "cycle-chain") return edges_of(CycleChainEdges<Vertex>(*cycles_, *length_));
  if (kind == "bipartite-hubs") return edges_of(BipartiteHubsEdges<Vertex>(*hubs_, *vertices_));
  if (kind == "path") return edges_of(PathEdges<Vertex>(*vertices_));
  if (kind == "cycle") return edges_of(CycleEdges<Vertex>(*vertices_));
  if (kind == "star") return edges_of(StarEdges<Vertex>(*vertices_));
  if (kind == "grid") return edges_of(Grid2dEdges<Vertex>(*rows_, *columns()));
  return edges_of(CompleteBinaryTreeEdges<Vertex>(*vertices_));
}

template EdgeList<std::int32_t> GeneratorOptions::generate(int, int) const;
template EdgeList<std::int64_t> GeneratorOptions::generate(int, int) const;

}  // namespace dromos::driver
