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
#include <dromos/generate/structured.hpp>
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
    {"path", "--vertices"},
    {"cycle", "--vertices"},
    {"star", "--vertices"},
    {"grid", "--rows --columns"},
    {"binary-tree", "--vertices"},
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

void GeneratorOptions::declare_parameters(ArgumentParser& parser) {
  const std::string group = "Generated graph";
  add_integer(parser, "--scale", scale_, "2^N vertices (kronecker, erdos-renyi; default 16)", 0, 47).group(group);
  add_integer(parser, "--edge-factor", edge_factor_, "Edges a vertex (kronecker, erdos-renyi; default 16)", 0)
      .group(group);
  add_probability(parser, "--a", a_, "Quadrant probability (kronecker; default 0.57, and 0.19 for --b and --c)")
      .group(group);
  add_probability(parser, "--b", b_, "").group(group);
  add_probability(parser, "--c", c_, "").group(group);
  add_integer(parser, "--vertices", vertices_, "(erdos-renyi, path, cycle, star, binary-tree)", 0).group(group);
  add_integer(parser, "--edges", edges_, "(erdos-renyi)", 0).group(group);
  add_integer(parser, "--rows", rows_, "(grid)", 0, std::numeric_limits<std::int32_t>::max()).group(group);
  add_integer(parser, "--columns", columns_, "(grid)", 0, std::numeric_limits<std::int32_t>::max()).group(group);
}

void GeneratorOptions::check() const {
  const std::pair<const char*, bool> given[] = {{"--scale", scale_.has_value()},
                                                {"--edge-factor", edge_factor_.has_value()},
                                                {"--a", a_.has_value()},
                                                {"--b", b_.has_value()},
                                                {"--c", c_.has_value()},
                                                {"--vertices", vertices_.has_value()},
                                                {"--edges", edges_.has_value()},
                                                {"--rows", rows_.has_value()},
                                                {"--columns", columns_.has_value()}};
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

std::int64_t GeneratorOptions::num_vertices() const {
  if (kind == "grid") return *rows_ * *columns_;
  return vertices_ ? *vertices_ : std::int64_t(1) << scale_.value_or(16);
}

std::string GeneratorOptions::describe() const {
  std::string text = kind;
  if (kind == "kronecker") {
    text += fmt::format(", scale {}, edge factor {}", scale_.value_or(16), edge_factor_.value_or(16));
  } else if (kind == "grid") {
    return fmt::format("grid, {} x {}", *rows_, *columns_);
  } else if (kind == "erdos-renyi") {
    text += fmt::format(", {} vertices, {} edges", num_vertices(), num_edges());
  } else {
    return fmt::format("{}, {} vertices", kind, num_vertices());
  }
  return text + fmt::format(", seed {}", seed);
}

Offset GeneratorOptions::num_edges() const {
  if (edges_) return *edges_;
  const bool random = kind == "kronecker" || kind == "erdos-renyi";
  const std::int64_t factor = random ? edge_factor_.value_or(16) : kind == "grid" ? 2 : 1;
  if (num_vertices() > 0 && factor > std::numeric_limits<std::int64_t>::max() / num_vertices()) {
    throw ArgumentError(fmt::format("--edge-factor {} is too many for {} vertices", factor, num_vertices()));
  }
  return factor * num_vertices();
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
  if (kind == "path") return edges_of(PathEdges<Vertex>(*vertices_));
  if (kind == "cycle") return edges_of(CycleEdges<Vertex>(*vertices_));
  if (kind == "star") return edges_of(StarEdges<Vertex>(*vertices_));
  if (kind == "grid") return edges_of(Grid2dEdges<Vertex>(*rows_, *columns_));
  return edges_of(CompleteBinaryTreeEdges<Vertex>(*vertices_));
}

template EdgeList<std::int32_t> GeneratorOptions::generate(int, int) const;
template EdgeList<std::int64_t> GeneratorOptions::generate(int, int) const;

}  // namespace dromos::driver
