// SPDX-License-Identifier: BSD-3-Clause
// Where searches start: --root, --roots, --seed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "command_line/argument_parser.hpp"
#include "driver/graphs/named_graph.hpp"

namespace dromos::driver {

struct RootOptions {
  /// \param default_random  this many random roots where none are asked for; 0: the vertex of highest out-degree
  void declare(ArgumentParser& parser, std::int64_t default_random = 0);
  /// Throws ArgumentError for options that contradict each other; before anything is read.
  void check() const;

  /// How many roots choose() gives at most.
  std::int64_t num_asked_for() const {
    if (!names_.empty()) return static_cast<std::int64_t>(names_.size());
    return num_random_.value_or(default_random_ > 0 ? default_random_ : 1);
  }

  /// Were roots named, rather than drawn or chosen?
  bool named() const { return !names_.empty(); }
  /// Was a number of random ones asked for?
  bool random() const { return num_random_.has_value(); }

  /// Vertices of the graph to start from. Throws ArgumentError for a root that the graph does not have, or when
  /// random roots are asked for and no vertex has an out-edge.
  ///
  ///   --root ID...  these, in this order
  ///   --roots N     N distinct ones of out-degree > 0 at random; all of them when there are not more than N
  ///   neither       as many random ones as declare() was told, or the one of highest out-degree, of several the
  ///                 smallest id
  template <class Vertex>
  std::vector<Vertex> choose(const NamedGraph<Vertex>& graph, std::uint64_t seed) const;

 private:
  std::vector<std::int64_t> names_;
  std::optional<std::int64_t> num_random_;
  std::int64_t default_random_ = 0;
};

/// Every root as often as it is to be searched from, one after the other.
template <class Vertex>
std::vector<Vertex> repeated(const std::vector<Vertex>& roots, std::int64_t num_repeats) {
  std::vector<Vertex> all;
  for (const Vertex root : roots) all.insert(all.end(), static_cast<std::size_t>(num_repeats), root);
  return all;
}

/// Vertices with out-edges, in the file's order.
template <class Vertex>
std::vector<Vertex> sources(const NamedGraph<Vertex>& graph) {
  const auto rows = graph.row_map_in_file_order();
  std::vector<Vertex> vertices;
  for (std::int64_t i = 0; i < graph.summary().num_vertices; ++i) {
    if (rows(i + 1) > rows(i)) vertices.push_back(graph.in_file_order(static_cast<Vertex>(i)));
  }
  return vertices;
}

}  // namespace dromos::driver
