// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/load_matrix.hpp"

#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/row_sources.hpp>
#include <utility>

#include "driver/base/progress.hpp"

namespace dromos::driver {
namespace {

/// Every entry in both halves; on the diagonal once.
template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> both_halves(const EdgeList<Vertex, Kokkos::HostSpace>& half) {
  Offset num_loops = 0;
  for (Offset e = 0; e < half.num_edges(); ++e) num_loops += half.source(e) == half.target(e);
  EdgeList<Vertex, Kokkos::HostSpace> all(half.num_vertices, 2 * half.num_edges() - num_loops);
  Offset at = 0;
  for (Offset e = 0; e < half.num_edges(); ++e) {
    const Vertex i = half.source(e), j = half.target(e);
    all.source(at) = i;
    all.target(at++) = j;
    if (i == j) continue;
    all.source(at) = j;
    all.target(at++) = i;
  }
  return all;
}

/// Rows and columns of what a file says.
template <class Vertex>
std::pair<Vertex, Vertex> size_of(const GraphFile<Vertex>& file, const GraphOptions& options) {
  if (file.format == GraphFormat::matrix_market && !options.file.path.empty()) {
    return {static_cast<Vertex>(file.num_rows), static_cast<Vertex>(file.num_columns)};
  }
  return {file.edges.num_vertices, file.edges.num_vertices};
}

/// Rows and columns are vertices, and each entry becomes two arcs.
PlannedGraph planned_matrix(const GraphOptions& options, int id_bytes, double num_rows, double num_columns,
                            double num_listed, bool both_halves) {
  PlannedGraph graph = options.planned(id_bytes);
  graph.mirrored = true;
  graph.num_vertices = num_rows + num_columns;
  graph.num_edges = num_listed * (both_halves ? 2 : 1);
  return graph;
}

template <class Vertex>
GraphFile<Vertex> read_matrix(const GraphOptions& options) {
  FileOptions file_options = options.file;
  file_options.rectangular = true;
  return read_file<Vertex>(file_options);
}

}  // namespace

template <class Vertex>
MemoryNeeds LoadedMatrix<Vertex>::needs(const GraphOptions& options) {
  if (options.file.path.empty()) {
    const auto n = static_cast<double>(options.generator.num_vertices());
    return options.needs(planned_matrix(options, sizeof(Vertex), n, n,
                                        static_cast<double>(options.generator.num_edges()), !options.file.directed));
  }
  const GraphFile<Vertex> file = read_matrix<Vertex>(options);
  const auto [num_rows, num_columns] = size_of(file, options);
  const bool both = !is_directed(options.file, file.directed);
  PlannedGraph graph =
      planned_matrix(options, sizeof(Vertex), static_cast<double>(num_rows), static_cast<double>(num_columns),
                     static_cast<double>(file.edges.num_edges()), both);
  graph.has_edges = !both;  // both halves are a list of their own
  return options.needs(graph);
}

template <class Vertex>
LoadedMatrix<Vertex>::LoadedMatrix(const GraphOptions& options) {
  GraphSummary& summary = this->summary_;
  Kokkos::Timer timer;
  GraphFile<Vertex> file;
  const auto check_fits = [&](double rows, double columns, double num_listed, bool both, bool has_edges) {
    PlannedGraph graph = planned_matrix(options, sizeof(Vertex), rows, columns, num_listed, both);
    graph.has_edges = has_edges;
    options.check_fits(graph);
  };
  if (options.file.path.empty()) {
    const auto n = static_cast<double>(options.generator.num_vertices());
    check_fits(n, n, static_cast<double>(options.generator.num_edges()), !options.file.directed, false);
    summary.source = options.generator.describe();
    summary.format = "generated";
    const Progress progress("generating " + summary.source);
    file.edges = copy_to<Kokkos::HostSpace>(options.generator.generate<Vertex>());
    file.directed = options.file.directed;
  } else {
    file = read_matrix<Vertex>(options);
    summary.source = options.file.path;
    summary.format = format_name(file.format);
    summary.bytes_read = file.bytes_read;
  }
  summary.read_seconds = timer.seconds();

  timer.reset();
  const Progress progress("building the pattern of " + summary.source);
  const bool is_matrix = file.format == GraphFormat::matrix_market && !options.file.path.empty();
  const auto [num_rows, num_columns] = size_of(file, options);
  const bool both = !is_directed(options.file, file.directed);
  if (!options.file.path.empty()) {
    check_fits(static_cast<double>(num_rows), static_cast<double>(num_columns),
               static_cast<double>(file.edges.num_edges()), both, !both);
  }
  if (both) {
    if (num_rows != num_columns) {
      throw ArgumentError("--undirected: " + summary.source + " has " + std::to_string(num_rows) + " rows and " +
                          std::to_string(num_columns) + " columns; only of a square matrix there are both halves");
    }
    file.edges = both_halves(file.edges);
  }
  const Kokkos::DefaultExecutionSpace space;
  pattern_ = bipartite_graph(space, num_rows, num_columns, copy_to<Memory>(file.edges));
  const auto names = [&](Vertex size) { return is_matrix ? VertexNames::consecutive(size, 1) : file.names; };
  rows_ = MatrixSide<Vertex>(names(num_rows), num_rows, summary.source);
  columns_ = MatrixSide<Vertex>(names(num_columns), num_columns, summary.source);
  summary.matrix = MatrixSummary{num_rows, num_columns};
  summary.build_seconds = timer.seconds();
  summary.id_bits = 8 * sizeof(Vertex);
  summary.num_vertices = pattern_.graph.num_vertices();
  summary.num_edges = pattern_.graph.num_edges() / 2;
  summary.duplicates_removed = file.edges.num_edges() - summary.num_edges;
}

template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> LoadedMatrix<Vertex>::entries() const {
  const auto arcs = copy_to<Kokkos::HostSpace>(edge_list_of(Kokkos::DefaultExecutionSpace(), pattern_.graph));
  EdgeList<Vertex, Kokkos::HostSpace> entries(pattern_.num_rows, arcs.num_edges() / 2);
  for (Offset e = 0; e < entries.num_edges(); ++e) {  // those of rows come first
    entries.source(e) = arcs.source(e);
    entries.target(e) = arcs.target(e) - pattern_.num_rows;
  }
  return entries;
}

template class LoadedMatrix<std::int32_t>;
template class LoadedMatrix<std::int64_t>;

}  // namespace dromos::driver
