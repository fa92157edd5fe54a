// SPDX-License-Identifier: BSD-3-Clause
// From the options that name a graph to the graph in the memory of the device, ready to be searched.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/relabel.hpp>
#include <dromos/io/vertex_names.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "command_line/argument_parser.hpp"
#include "generator_options.hpp"
#include "graph_file.hpp"

namespace dromos::driver {

/// Where a graph comes from and what is done to it before it is searched.
struct GraphOptions {
  FileOptions file;
  GeneratorOptions generator;
  bool keep_self_loops = false;
  bool keep_duplicates = false;
  bool relabel = false;
  bool wants_weights = false;   ///< set by declare_weights()
  std::string weights;          ///< "file" or "uniform"; empty: those of the file, uniform ones of a generated graph

  void declare(ArgumentParser& parser);
  /// --weights, for commands that need a weight on every edge.
  void declare_weights(ArgumentParser& parser);
  /// Throws ArgumentError for options that contradict each other; before anything is read.
  void check() const;

  bool reads_weights() const { return wants_weights && !file.path.empty() && weights != "uniform"; }
  bool makes_weights() const { return wants_weights && !reads_weights(); }
};

/// Sizes and what it took to get there.
struct GraphSummary {
  std::string source;  ///< the file, or the generator with its parameters
  std::string format;  ///< of the file, or "generated"
  bool directed = true;
  int id_bits = 32;
  bool relabeled = false;
  std::string weights;  ///< "file", "uniform", or empty: none
  std::int64_t num_vertices = 0;
  Offset num_edges = 0;           ///< stored arcs
  Offset self_loops_removed = 0;  ///< edges as the source lists them
  Offset duplicates_removed = 0;  ///< likewise
  std::int64_t bytes_read = 0;    ///< 0: generated
  double read_seconds = 0;        ///< or to generate
  double build_seconds = 0;

  nlohmann::ordered_json to_json() const;
  /// Two or three lines for people.
  std::string to_text() const;
};

/// A graph that the algorithms run on, with the way back to the numbers that its file uses.
template <class Vertex>
class LoadedGraph {
 public:
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;

  /// Reads or generates, builds, and relabels where asked to. Throws InputError, ArgumentError, std::bad_alloc.
  explicit LoadedGraph(const GraphOptions& options);

  const CsrGraph<Vertex, Memory>& graph() const { return relabeled_ ? relabeled_->graph : graph_; }
  const GraphSummary& summary() const { return summary_; }

  /// Throws ArgumentError for a directed graph. `what`: "core numbers are", namely for undirected ones.
  void require_undirected(const std::string& what) const;

  /// The vertex that the file calls `name`; throws ArgumentError where there is none.
  Vertex vertex(std::int64_t name) const;
  /// What the file calls `vertex`.
  std::int64_t name(Vertex vertex) const { return names_.name(old_id_.extent(0) == 0 ? vertex : old_id_(vertex)); }
  /// Vertex number `i` of the file's own order: i itself, unless the graph was relabelled.
  Vertex in_file_order(Vertex i) const { return new_id_.extent(0) == 0 ? i : new_id_(i); }

  /// Out-degrees as prefix sums, by the file's own order.
  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const;

  /// Number of edges that a search traversed, from the stored arcs that it examined: an undirected edge counts once.
  Offset edges_from_arcs(Offset arcs) const { return summary_.directed ? arcs : arcs / 2; }

 private:
  CsrGraph<Vertex, Memory> graph_;
  std::optional<RelabeledGraph<Vertex, Memory>> relabeled_;
  Kokkos::View<const Vertex*, Kokkos::HostSpace> new_id_;  // of the relabelled graph, by old id
  Kokkos::View<const Vertex*, Kokkos::HostSpace> old_id_;
  VertexNames names_;
  GraphSummary summary_;
};

/// The file.id_bits of the options, or 64 where a generated graph needs them; 0 where a file has to tell.
std::int64_t asked_id_bits(const GraphOptions& options);

/// Loads the graph with the ids that were asked for or that it needs, and returns f(loaded graph).
template <class F>
int with_graph(const GraphOptions& options, const F& f) {
  return with_id_type(asked_id_bits(options), [&](auto vertex) {
    const LoadedGraph<decltype(vertex)> loaded(options);
    return f(loaded);
  });
}

}  // namespace dromos::driver
