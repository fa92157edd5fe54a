// SPDX-License-Identifier: BSD-3-Clause
// The graphs that benchmarks run on, by one set of options: generated ones by the name of their kind, of 2^scale
// vertices, or a file of any format that the library reads. Self loops and duplicates are dropped.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "command_line/argument_parser.hpp"

namespace dromos::perf {

using Vertex = DefaultVertex;
using Graph = CsrGraph<Vertex, Memory>;

/// What a benchmark asks of its graphs.
struct GraphNeeds {
  enum class Direction {
    undirected,  ///< edges are followed both ways
    directed,    ///< as they are listed
    either       ///< both ways, or as listed with --directed
  };
  Direction direction = Direction::either;
  bool weights = false;
  /// Keep the input edges, so that traversed ones can be counted as Graph500 does.
  bool input_edges = false;
  /// Number structured graphs at random unless told otherwise: in order, neighbors lie side by side in memory.
  bool shuffled = false;
  /// What "all" stands for.
  std::vector<std::string> all{"kronecker", "erdos-renyi"};
};

/// What the command line says about graphs.
struct GraphOptions {
  std::vector<int> scales{20, 22};
  std::int64_t edge_factor = 16;
  std::vector<std::string> graphs{"all"};
  bool directed = false;
  bool relabel = false;
  bool shuffle = false;
  bool uniform_weights = false;
  std::uint64_t seed = 1;

  /// Declares those that mean something where these are the needs, and takes its defaults from them.
  void declare(ArgumentParser& parser, const GraphNeeds& needs);

  /// Kinds and files, groups of kinds expanded, each once. Throws ArgumentError for what is neither.
  std::vector<std::string> names(const GraphNeeds& needs) const;
};

/// A graph in the memory of the device.
struct BenchmarkGraph {
  Graph graph;
  EdgeList<Vertex, Memory> input;  ///< where it was asked for; numbered as the graph
  Json facts;                      ///< what rows of results say of it
  std::string text;                ///< the same for people, a line

  /// The edges turned round; of an undirected graph itself.
  Graph reversed() const;
};

/// Is this a kind, and not a file, so that scales say something?
bool is_generated_kind(const std::string& name);

/// Generates, or reads, and builds. Throws ArgumentError, InputError, MemoryError.
BenchmarkGraph load_benchmark_graph(const std::string& name, int scale, const GraphOptions& options,
                                    const GraphNeeds& needs);

/// Runs run(graph) on every graph that the options name: kinds scale by scale, files once.
template <class Run>
void for_each_graph(const GraphOptions& options, const GraphNeeds& needs, const Run& run) {
  const std::vector<std::string> names = options.names(needs);
  bool first_scale = true;
  for (const int scale : options.scales) {
    for (const std::string& name : names) {
      if (first_scale || is_generated_kind(name)) run(load_benchmark_graph(name, scale, options, needs));
    }
    first_scale = false;
  }
}

}  // namespace dromos::perf
