// SPDX-License-Identifier: BSD-3-Clause
// From a file to an edge list: texts (Matrix Market, edge lists, METIS, DIMACS, SMAT, tables, adjacency lists, GraphML)
// and the binary files of the GAP Benchmark Suite and of Graph500, plain or compressed, and HDF5, which may also hold
// the rows of a graph, ready to be searched.
//
// A text is mapped into memory (compressed ones are decompressed first), cut into pieces at line ends, and the pieces
// are read in parallel: once to count the lines, which says where the edges of each piece go, and once to read the
// numbers straight into their place. A header is believed only as far as the lines that follow bear it out, so that no
// memory is asked for on the word of a header alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/io/graph_format.hpp>
#include <dromos/io/vertex_names.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dromos {

struct ReadOptions {
  /// What the file is, for one whose content misleads; automatic looks at the content.
  GraphFormat format = GraphFormat::automatic;
  /// Keep the weights of the edges, 4 bytes each; an edge without a weight is then an error. Without this, a column of
  /// weights need only look like numbers. An unweighted format gives an unweighted edge list either way.
  bool weights = false;
  /// For who wants distances: a weight below 0 is an error, and so is a whole number that a float would round. Only
  /// with `weights`.
  bool non_negative_weights = false;
  /// Leave a graph that the file has by rows (HDF5) in rows: GraphFile::rows instead of GraphFile::edges.
  bool rows = false;
  /// Take a Matrix Market file whose rows are not as many as its columns: entry (i, j) is the edge from i to j, of as
  /// many vertices as there are of the more. For who wants rows and columns; otherwise it is an error.
  bool rectangular = false;
  /// Of tables (GraphFormat::csv): where the source, the target and, with `weights`, the weight stand, by the names in
  /// the first line or counted from 1. None: by names that are usual, else in this order.
  std::vector<std::string> columns;
  /// Of tables: what stands between columns; ' ': any number of blanks and tabs; 0: whichever the first line has.
  char separator = 0;
  /// Of tables: vertices are called by words, and become 0, 1, 2, ... in the order in which they are met. Those of
  /// GraphML do with this, and where an id is no number.
  bool words = false;
  /// Called with the numbers of vertices and of edges (arcs, where the file has rows), and whether each edge stands for
  /// two arcs, as soon as a file says so and before there is an array of that size; what it throws ends the reading.
  /// HDF5 files say it; of text the lines count.
  std::function<void(std::int64_t, std::int64_t, bool)> before_reading;
  /// Bytes of text that one thread reads at a time. Smaller balances better, larger costs less to organise; a few
  /// hundred KiB to a few MiB make no measurable difference.
  std::int64_t chunk_bytes = std::int64_t(1) << 20;
};

/// The rows of a file that has them, and what was seen of them on the way.
template <class Vertex>
struct RowsOfFile {
  CsrGraph<Vertex, Kokkos::HostSpace> graph;
  bool ascending = true;  ///< the neighbors of every vertex, repeated or not
  bool has_self_loops = false;
  bool has_repeated = false;  ///< an arc twice in succession
};

/// A graph as a file states it.
template <class Vertex>
struct GraphFile {
  /// The edges in the order of the file, on the host: nothing mirrored, dropped or sorted. A symmetric Matrix Market
  /// file lists each edge once, a METIS file lists it in both directions.
  EdgeList<Vertex, Kokkos::HostSpace> edges;
  /// Where ReadOptions::rows asked for rows and the file has them; `edges` is empty then.
  std::optional<RowsOfFile<Vertex>> rows;
  /// What the file calls the vertices of `edges`.
  VertexNames names;
  /// With ReadOptions::words, and of GraphML with such ids, the word for each vertex, whose name is its number.
  std::vector<std::string> words;
  /// Never automatic.
  GraphFormat format = GraphFormat::automatic;
  /// Whether edges have a direction; nothing where the file does not say.
  std::optional<bool> directed;
  /// Undirected edges are listed in both directions.
  bool listed_both_ways = false;
  /// Of Matrix Market; 0 otherwise.
  std::int64_t num_rows = 0, num_columns = 0;
  /// Bytes of text, after decompression; of HDF5, of the file.
  std::int64_t bytes_read = 0;
};

/// Reads a graph; `path` may also be a pipe. Kokkos must be initialised. Vertex: std::int32_t or std::int64_t.
/// Threads: those of Kokkos::DefaultHostExecutionSpace. Memory: the text of a compressed file, the edge list, and for
/// edge lists whose ids have gaps up to as much again as the edge list to number the ids anew.
/// Throws InputError, which names the file and the line, what was expected and what was found, for anything that is
/// not a graph in one of the formats, and for vertices that ids of type Vertex cannot number.
template <class Vertex>
GraphFile<Vertex> read_graph(const std::string& path, const ReadOptions& options = {});

extern template GraphFile<std::int32_t> read_graph(const std::string&, const ReadOptions&);
extern template GraphFile<std::int64_t> read_graph(const std::string&, const ReadOptions&);

}  // namespace dromos
