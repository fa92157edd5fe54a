// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/load_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/nearest_name.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/row_sources.hpp>
#include <utility>

#include "driver/base/command.hpp"
#include "driver/base/host_memory.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/talking.hpp"
#include "driver/graphs/self_loops.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// An edge list and what is known of where it came from.
template <class Vertex>
struct Source {
  EdgeList<Vertex> edges;
  /// Instead of edges: the graph as it is to be searched, from a file that has it by rows.
  std::optional<CsrGraph<Vertex>> graph;
  VertexNames names;
  bool directed = true;
  /// The format lists an undirected edge at both of its ends.
  bool listed_both_ways = false;
};

/// Can these rows be searched as they are, or does the graph have to be built without what the options leave out?
template <class Vertex>
bool is_ready(const RowsOfFile<Vertex>& rows, const GraphOptions& options, bool directed) {
  return rows.ascending && rows.graph.directed == directed && (!rows.has_self_loops || options.keep_self_loops) &&
         (!rows.has_repeated || options.keep_duplicates);
}

/// Throws MemoryError where the graph, or the work on it, would not fit.
template <class Vertex>
void check_fits(const GraphOptions& options, double num_vertices, double num_edges, bool mirrored, bool has_edges) {
  PlannedGraph graph = options.planned(sizeof(Vertex));
  graph.num_vertices = num_vertices;
  graph.num_edges = num_edges;
  graph.mirrored = mirrored;
  graph.has_edges = has_edges;
  options.check_fits(graph);
}

template <class Vertex>
Source<Vertex> read_source(const GraphOptions& options, GraphSummary& summary) {
  FileOptions file_options = options.file;
  file_options.weights = options.reads_weights();
  file_options.non_negative_weights = options.reads_weights() && !options.allows_negative_weights;
  const std::string remedy =
      options.offers_uniform_weights ? "--weights uniform: random ones instead" : "leave --weights out";
  file_options.rows = true;
  // What there is in any case: rows that can be searched as they are. What building takes is asked when it is known
  // whether there is anything to build.
  file_options.before_reading = [&options](std::int64_t num_vertices, std::int64_t num_edges, bool mirrored) {
    PlannedGraph graph = options.planned(sizeof(Vertex));
    graph.num_vertices = static_cast<double>(num_vertices);
    graph.num_edges = static_cast<double>(num_edges) * (mirrored ? 2 : 1);
    graph.relabeled = false;
    graph.is_ready = true;
    options.check_fits(graph);
  };
  GraphFile<Vertex> file;
  try {
    file = read_file<Vertex>(file_options);
  } catch (const InputError& error) {
    if (!options.reads_weights() || std::string(error.what()).find("read without weights") == std::string::npos) throw;
    throw ArgumentError(fmt::format("{} ({})", error.what(), remedy));
  }
  const bool has_edges = file.rows ? file.rows->graph.num_edges() > 0 : file.edges.num_edges() > 0;
  const bool weighted = file.rows ? file.rows->graph.weighted() : file.edges.weighted();
  if (options.reads_weights() && has_edges && !weighted) {
    throw ArgumentError(
        fmt::format("{} ({}) has no weights ({})", options.file.path, format_name(file.format), remedy));
  }
  summary.source = options.file.path;
  summary.format = format_name(file.format);
  summary.bytes_read = file.bytes_read;
  Source<Vertex> source;
  source.directed = is_directed(options.file, file.directed);
  source.listed_both_ways = file.listed_both_ways;
  source.names = std::move(file.names);
  if (file.rows) {
    auto graph = copy_to<Space::memory_space>(file.rows->graph);
    if (is_ready(*file.rows, options, source.directed)) {
      source.graph = std::move(graph);
    } else {
      source.edges = edge_list_of(Space(), graph);
    }
    return source;
  }
  source.edges = copy_to<Space::memory_space>(file.edges);
  return source;
}

template <class Vertex>
Source<Vertex> generate_source(const GraphOptions& options, GraphSummary& summary) {
  const Progress progress("generating " + options.generator.describe());
  summary.source = options.generator.describe();
  summary.format = "generated";
  options.generator.check_ids<Vertex>();
  check_fits<Vertex>(options, static_cast<double>(options.generator.num_vertices()),
                     static_cast<double>(options.generator.num_edges()), !options.file.directed, false);
  Source<Vertex> source;
  source.directed = options.file.directed;
  source.edges = options.generator.generate<Vertex>();
  return source;
}

}  // namespace

Offset duplicate_edges(bool directed, bool listed_both_ways, Offset arcs_removed, Offset arcs_kept,
                       Offset loops_removed, Offset loops_kept) {
  if (directed) return arcs_removed;
  // A loop is one arc, every other edge two.
  arcs_removed -= loops_removed;
  arcs_kept -= loops_kept;
  // Both arcs of an undirected edge that is listed again went. Where every edge is listed at both ends, one listing of
  // each is no duplicate, and two more make one.
  if (!listed_both_ways) return arcs_removed / 2 + loops_removed;
  return std::max<Offset>(0, (arcs_removed / 2 - arcs_kept / 2) / 2) + loops_removed;
}

namespace {

constexpr const char* graph_group = "Graph";

void declare_source(ArgumentParser& parser, GraphOptions& options, const std::string& what, const std::string& made) {
  options.command = "dromos " + parser.name();
  options.working = working_memory_of(parser.name());
  parser.add_flag("--memory", options.asks_memory, "Only say how much memory this would need at its peak")
      .group("Results");
  options.file.declare(
      parser, "FILE",
      what + ": text (Matrix Market, edge list, METIS, DIMACS, SMAT, table, GraphML), also compressed; or HDF5");
  options.file.declare_columns(parser, std::string(about_columns) + "; of a grid that is generated: how many",
                               [&options](const std::string& text) { options.generator.shared_columns = text; });
  parser.add_option("--generate", options.generator.kind, made + GeneratorOptions::kinds())
      .value_name("KIND")
      .suggest(words_of(GeneratorOptions::kinds()))
      .group(graph_group);
}

void declare_parameters(ArgumentParser& parser, GraphOptions& options) {
  const auto take_seed = [&options](const std::string& text) {
    options.generator.seed = parse_integer(text, 0);
    options.generator.seed_given = true;
  };
  parser.add_parsed("--seed", take_seed, "Of everything random: generated graphs, weights, roots, mis2 and coloring")
      .value_name("N")
      .default_text(std::to_string(options.generator.seed))
      .group(graph_group);
  options.generator.declare_parameters(parser, false);
}

void declare_graph(ArgumentParser& parser, GraphOptions& options) {
  declare_source(parser, options, "A graph", "Generate the graph instead: ");
  parser.add_flag("--keep-self-loops", options.keep_self_loops, "Keep edges from a vertex to itself (default: removed)")
      .group(graph_group);
  parser.add_flag("--keep-duplicates", options.keep_duplicates, "Keep edges that are listed again (default: removed)")
      .group(graph_group);
}

}  // namespace

void GraphOptions::declare(ArgumentParser& parser) {
  declare_graph(parser, *this);
  parser.add_flag("--relabel", relabel, "Renumber the vertices by degree inside; results keep the file's numbers")
      .group(graph_group);
  declare_parameters(parser, *this);
}

void GraphOptions::declare_in_file_order(ArgumentParser& parser) {
  declare_graph(parser, *this);
  declare_parameters(parser, *this);
}

void GraphOptions::declare_matrix(ArgumentParser& parser) {
  declare_source(parser, *this, "A matrix, or a graph as one", "Generate a graph instead, one row a vertex: ");
  declare_parameters(parser, *this);
}

void GraphOptions::declare_weights(ArgumentParser& parser) {
  wants_weights = true;
  declare_weight_source(parser);
}

void GraphOptions::declare_weight_source(ArgumentParser& parser) {
  offers_uniform_weights = true;
  parser
      .add_option("--weights", weights,
                  "file: those of the file (default); uniform: random ones above 0 and up to 1 (default for generated "
                  "graphs; see --seed)")
      .value_name("NAME")
      .suggest({"file", "uniform"})
      .group(graph_group);
}

void GraphOptions::check() const {
  if (!weights.empty() && weights != "file" && weights != "uniform") {
    throw ArgumentError(
        fmt::format("--weights: there is no kind '{}'{}", weights, choice_hint(weights, {"file", "uniform"})));
  }
  if (weights == "file" && file.path.empty()) {
    throw ArgumentError("--weights file: a generated graph has no file; leave the option out for random ones");
  }
  if (file.path.empty() && generator.kind.empty()) {
    throw ArgumentError("name a graph file, or give --generate KIND with one of " + GeneratorOptions::kinds());
  }
  if (!file.path.empty() && !generator.kind.empty()) {
    throw ArgumentError(
        fmt::format("both a file, {}, and --generate {}: give one of the two", file.path, generator.kind));
  }
  if (asks_memory && !host_accessible<Space::memory_space>) {
    throw ArgumentError("--memory counts the memory of a host, and here graphs lie in that of a device");
  }
  FileOptions file_options = file;
  if (file.path.empty()) file_options.columns.clear();  // they are a grid's
  file_options.check();
  generator.check();
  for (const char* option : {file.format != "automatic" ? "--format" : "", file.separator.empty() ? "" : "--separator",
                             file.names.empty() ? "" : "--names"}) {
    if (file.path.empty() && *option != 0) {
      throw ArgumentError(fmt::format("{} is for a file, and --generate reads none", option));
    }
  }
}

void GraphOptions::check_seed(bool draws, bool offers_roots) const {
  if (!generator.seed_given || generator.is_random() || makes_weights() || draws) return;
  throw ArgumentError(std::string("--seed has no effect, since nothing here is random; leave it out") +
                      (offers_roots ? ", or give --roots N for random roots" : ""));
}

int GraphOptions::tell(const MemoryNeeds& needs) const {
  if (report_memory ? report_memory(needs) : !is_quiet()) fmt::print("{}", needs.to_text());
  return exit_fine;
}

PlannedGraph GraphOptions::planned(int id_bytes) const {
  PlannedGraph graph;
  graph.mirrored = !file.directed;
  graph.weighted = wants_weights;
  graph.makes_weights = makes_weights();
  graph.relabeled = relabel;
  graph.id_bytes = id_bytes;
  return graph;
}

MemoryNeeds GraphOptions::needs(const PlannedGraph& graph) const {
  return memory_needs(command, source(), graph, working);
}

void GraphOptions::check_fits(const PlannedGraph& graph) const {
  if (!host_accessible<Space::memory_space>) return;
  check_peak(source(), graph, working, file.path.empty() ? generator.kronecker_scale() : -1);
}

std::int64_t asked_id_bits(const GraphOptions& options) {
  if (options.file.id_bits != 0 || !options.file.path.empty()) return options.file.id_bits;
  return options.generator.num_vertices() > max_num_vertices<std::int32_t> ? 64 : 32;
}

template <class Vertex>
LoadedGraph<Vertex>::LoadedGraph(const GraphOptions& options) {
  const Space space;
  Kokkos::Timer timer;
  Source<Vertex> source = options.file.path.empty() ? generate_source<Vertex>(options, this->summary_)
                                                    : read_source<Vertex>(options, this->summary_);
  this->names_ = std::move(source.names);
  this->summary_.read_seconds = timer.seconds();

  timer.reset();
  const Progress progress("building the graph of " + this->summary_.source);
  BuildOptions build;
  // Where the format lists edges at both ends already, duplicates of the mirrored ones go, unless they are to be kept.
  build.symmetrize = !source.directed && !(source.listed_both_ways && options.keep_duplicates);
  build.drop_self_loops = !options.keep_self_loops;
  build.remove_duplicates = !options.keep_duplicates;
  if (!source.graph) {
    check_fits<Vertex>(options, static_cast<double>(source.edges.num_vertices),
                       static_cast<double>(source.edges.num_edges()), build.symmetrize, true);
  }
  BuildCounts counts;
  const bool counts_loops = options.keep_self_loops && !source.directed && !source.graph;
  const Offset loops_listed = counts_loops ? count_self_loops(space, source.edges) : 0;
  graph_ = source.graph ? *std::move(source.graph) : build_csr(space, std::move(source.edges), build, &counts);
  graph_.directed = source.directed;
  Offset loops_removed = 0, loops_kept = 0;
  if (counts_loops && counts.duplicates_removed > 0) {
    loops_kept = count_self_loops(space, graph_);
    loops_removed = loops_listed - loops_kept;
  }
  // Before relabelling, so that it does not change them.
  if (options.makes_weights()) {
    graph_ = with_random_weights(space, graph_, static_cast<std::uint64_t>(options.generator.seed));
  }
  if (options.wants_weights) this->summary_.weights = options.makes_weights() ? "uniform" : "file";
  if (options.relabel) {
    relabeled_ = relabel_by_degree(space, graph_);
    graph_ = CsrGraph<Vertex, Memory>();
    this->new_id_ = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), relabeled_->new_id);
    this->old_id_ = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), relabeled_->old_id);
  }
  this->summary_.build_seconds = timer.seconds();
  this->summary_.directed = source.directed;
  this->summary_.relabeled = options.relabel;
  this->summary_.id_bits = 8 * sizeof(Vertex);
  this->summary_.num_vertices = graph().num_vertices();
  this->summary_.num_edges = graph().num_edges();
  this->summary_.self_loops_removed = counts.self_loops_dropped;
  this->summary_.duplicates_removed =
      duplicate_edges(source.directed, source.listed_both_ways, counts.duplicates_removed, graph().num_edges(),
                      loops_removed, loops_kept);
}

template <class Vertex>
MemoryNeeds LoadedGraph<Vertex>::needs(const GraphOptions& options) {
  PlannedGraph graph = options.planned(sizeof(Vertex));
  if (options.file.path.empty()) {
    graph.num_vertices = static_cast<double>(options.generator.num_vertices());
    graph.num_edges = static_cast<double>(options.generator.num_edges());
    return options.needs(graph);
  }
  GraphSummary summary;
  const Source<Vertex> source = read_source<Vertex>(options, summary);
  graph.has_edges = true;
  graph.is_ready = source.graph.has_value();
  graph.num_vertices = static_cast<double>(source.graph ? source.graph->num_vertices() : source.edges.num_vertices);
  graph.num_edges = static_cast<double>(source.graph ? source.graph->num_edges() : source.edges.num_edges());
  graph.mirrored = !source.graph && !source.directed && !(source.listed_both_ways && options.keep_duplicates);
  return options.needs(graph);
}

ArgumentError undirected_only(const GraphSummary& graph, const std::string& what) {
  return ArgumentError(
      fmt::format("{} has directed edges, and {} for undirected graphs; give --undirected to forget the "
                  "directions",
                  graph.source, what));
}

template <class Vertex>
void LoadedGraph<Vertex>::require_undirected(const std::string& what) const {
  if (this->summary_.directed) throw undirected_only(this->summary_, what);
}

template <class Vertex>
Kokkos::View<Offset*, Kokkos::HostSpace> LoadedGraph<Vertex>::row_map_in_file_order() const {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph().row_map);
  if (!relabeled_) return rows;
  Kokkos::View<Offset*, Kokkos::HostSpace> in_order("dromos::driver::row_map", rows.extent(0));
  for (std::int64_t i = 0; i < graph().num_vertices(); ++i) {
    const Vertex v = this->in_file_order(static_cast<Vertex>(i));
    in_order(i + 1) = in_order(i) + rows(v + 1) - rows(v);
  }
  return in_order;
}

template class LoadedGraph<std::int32_t>;
template class LoadedGraph<std::int64_t>;

}  // namespace dromos::driver
