// SPDX-License-Identifier: BSD-3-Clause
// What is said of a graph, and in which numbers: its source, its sizes, and the way between the vertices that the
// algorithms work on and what the file calls them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/io/vertex_names.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace dromos::driver {

/// How a file has its graph separated by degree.
struct SeparationSummary {
  int num_ranks = 1;
  Offset threshold = 0;
  std::int64_t num_delegates = 0;
};

/// The sides of a matrix, of which rows and columns are vertices.
struct MatrixSummary {
  std::int64_t num_rows = 0, num_columns = 0;
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
  std::optional<MatrixSummary> matrix;         ///< nothing: a graph; num_edges are the entries of a matrix
  std::optional<SeparationSummary> separated;  ///< nothing: the graph was built of its edges

  nlohmann::ordered_json to_json() const;
  /// Two or three lines for people.
  std::string to_text() const;
};

/// A graph as people speak of it; who holds its edges derives from this.
template <class Vertex>
class NamedGraph {
 public:
  using vertex_type = Vertex;

  virtual ~NamedGraph() = default;

  const GraphSummary& summary() const { return summary_; }

  /// The vertex that the file calls `name`; throws ArgumentError, which calls it `what`, where there is none.
  Vertex vertex(std::int64_t name, const std::string& what = "root") const;
  /// What the file calls `vertex`.
  std::int64_t name(Vertex vertex) const { return names_.name(old_id_.extent(0) == 0 ? vertex : old_id_(vertex)); }
  /// What the file calls vertex number `i` of its own order.
  const VertexNames& names_in_file_order() const { return names_; }
  /// Vertex number `i` of the file's own order: i itself, unless the graph was relabelled.
  Vertex in_file_order(Vertex i) const { return new_id_.extent(0) == 0 ? i : new_id_(i); }
  /// The way back.
  Vertex place_in_file(Vertex vertex) const { return old_id_.extent(0) == 0 ? vertex : old_id_(vertex); }

  /// Out-degrees as prefix sums, by the file's own order.
  virtual Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const = 0;

  /// Number of edges that a search traversed, from the stored arcs that it examined: an undirected edge counts once.
  Offset edges_from_arcs(Offset arcs) const { return summary_.directed ? arcs : arcs / 2; }

 protected:
  NamedGraph() = default;
  NamedGraph(const NamedGraph&) = default;
  NamedGraph& operator=(const NamedGraph&) = default;

  Kokkos::View<const Vertex*, Kokkos::HostSpace> new_id_;  // of the relabelled graph, by old id
  Kokkos::View<const Vertex*, Kokkos::HostSpace> old_id_;
  VertexNames names_;
  GraphSummary summary_;
};

extern template class NamedGraph<std::int32_t>;
extern template class NamedGraph<std::int64_t>;

}  // namespace dromos::driver
