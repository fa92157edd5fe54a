// SPDX-License-Identifier: BSD-3-Clause
// From the options that name a graph to the graph in the memory of the device, ready to be searched.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/relabel.hpp>
#include <functional>
#include <optional>
#include <string>

#include "command_line/argument_parser.hpp"
#include "driver/graphs/generator_options.hpp"
#include "driver/graphs/graph_file.hpp"
#include "driver/graphs/named_graph.hpp"
#include "driver/graphs/working_memory.hpp"

namespace dromos::driver {

/// Where a graph comes from and what is done to it before it is searched.
struct GraphOptions {
  FileOptions file;
  GeneratorOptions generator;
  bool keep_self_loops = false;
  bool keep_duplicates = false;
  bool relabel = false;
  bool wants_weights = false;            ///< set by declare_weights()
  bool allows_negative_weights = false;  ///< of a file; for who does not add them up
  bool offers_uniform_weights = false;   ///< set by declare_weight_source()
  WorkingMemory working;                 ///< of the command, set by declare()
  std::string command;                   ///< its name, likewise
  bool on_grid = false;                  ///< ranks know all vertices that have edges, and have these on a grid
  bool asks_memory = false;              ///< only what the command would need is to be told
  /// Writes a report of what is needed, where one is wanted; may text go to standard output then?
  std::function<bool(const MemoryNeeds&)> report_memory;
  std::string weights;  ///< "file" or "uniform"; empty: those of the file, uniform ones of a generated graph

  void declare(ArgumentParser& parser);
  /// For commands of matrices, whose diagonal belongs to them.
  void declare_matrix(ArgumentParser& parser);
  /// The same without --relabel, for commands that write graphs in the order of the file.
  void declare_in_file_order(ArgumentParser& parser);
  /// --weights, for commands that need a weight on every edge.
  void declare_weights(ArgumentParser& parser);
  /// --weights alone, for commands with an option of their own that sets wants_weights.
  void declare_weight_source(ArgumentParser& parser);
  /// Throws ArgumentError for options that contradict each other; before anything is read.
  void check() const;

  /// Throws ArgumentError for a --seed of which nothing depends.
  ///
  /// \param draws         roots are random, or what the algorithm draws
  /// \param offers_roots  they would be, with --roots
  void check_seed(bool draws, bool offers_roots) const;

  /// Says what is needed; exit code.
  int tell(const MemoryNeeds& needs) const;
  /// The part of what is needed that the options know.
  PlannedGraph planned(int id_bytes) const;
  MemoryNeeds needs(const PlannedGraph& graph) const;
  /// Throws MemoryError where a graph in main memory, or the work on it, would not fit.
  void check_fits(const PlannedGraph& graph) const;

  /// The path of the file, or what is generated.
  std::string source() const { return file.path.empty() ? generator.describe() : file.path; }

  bool reads_weights() const { return wants_weights && !file.path.empty() && weights != "uniform"; }
  bool makes_weights() const { return wants_weights && !reads_weights(); }
};

/// Of a directed graph. `what`: "core numbers are", namely for undirected ones.
ArgumentError undirected_only(const GraphSummary& graph, const std::string& what);

/// A graph that the algorithms run on, with the way back to the numbers that its file uses.
template <class Vertex>
class LoadedGraph : public NamedGraph<Vertex> {
 public:
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;

  /// Reads or generates, builds, and relabels where asked to. Throws InputError, ArgumentError, std::bad_alloc.
  explicit LoadedGraph(const GraphOptions& options);

  /// What it would need, and the command with it. Counts what is generated; reads a file as far as the list of its
  /// edges, since most do not say how many they have.
  static MemoryNeeds needs(const GraphOptions& options);

  const CsrGraph<Vertex, Memory>& graph() const { return relabeled_ ? relabeled_->graph : graph_; }

  /// Throws undirected_only() for a directed graph.
  void require_undirected(const std::string& what) const;

  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const override;

 private:
  CsrGraph<Vertex, Memory> graph_;
  std::optional<RelabeledGraph<Vertex, Memory>> relabeled_;
};

/// Edges that the source lists again, from the stored arcs that went as duplicates.
Offset duplicate_edges(bool directed, bool listed_both_ways, Offset arcs_removed, Offset arcs_kept,
                       Offset loops_removed, Offset loops_kept);

/// The file.id_bits of the options, or 64 where a generated graph needs them; 0 where a file has to tell.
std::int64_t asked_id_bits(const GraphOptions& options);

/// Loads the graph with the ids that were asked for or that it needs, and returns f(loaded graph). Or what else is
/// loaded from such options: LoadedMatrix.
template <template <class> class Loaded, class F>
int with_loaded(const GraphOptions& options, const F& f) {
  return with_id_type(asked_id_bits(options), [&](auto vertex) {
    if (options.asks_memory) return options.tell(Loaded<decltype(vertex)>::needs(options));
    const Loaded<decltype(vertex)> loaded(options);
    return f(loaded);
  });
}

template <class F>
int with_graph(const GraphOptions& options, const F& f) {
  return with_loaded<LoadedGraph>(options, f);
}

}  // namespace dromos::driver
