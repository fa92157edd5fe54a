// SPDX-License-Identifier: BSD-3-Clause
// The formats of graphs that are read and written, and what people call them. doc/formats.md describes each.
#pragma once

#include <string>

namespace dromos {

enum class GraphFormat {
  automatic,       ///< recognised by content; only for reading
  matrix_market,   ///< Matrix Market coordinate matrix, "%%MatrixMarket matrix coordinate ..."
  edge_list,       ///< a line for each edge, as SNAP and many others publish them
  metis,           ///< a line for each vertex, with its neighbors
  dimacs,          ///< shortest path format of the 9th DIMACS challenge, "p sp N M" and "a U V WEIGHT"
  smat,            ///< "N N M", then a line for each edge, ids from 0
  csv,             ///< a table with a line for each edge, its columns named or counted
  adjacency_list,  ///< a line for each vertex: its number, then those of its neighbors
  gapbs,           ///< the rows of a graph as the GAP Benchmark Suite stores them, .sg and .wsg
  graph500,        ///< Graph500's edges, 12 bytes each: two ids of 48 bits
  graph500_64,     ///< Graph500's edges, 16 bytes each: two ids of 64 bits
  graphml,         ///< XML, as NetworkX, igraph, Gephi and yEd write it
  parquet,         ///< a table in a Parquet file, where Dromos was built with Apache Arrow; only for reading
  hdf5             ///< the native format: arrays in an HDF5 file, doc/hdf5.md
};

/// Is it a format of bytes that are no text, HDF5 apart?
constexpr bool is_binary(GraphFormat format) {
  return format == GraphFormat::gapbs || format == GraphFormat::graph500 || format == GraphFormat::graph500_64 ||
         format == GraphFormat::parquet;
}

/// "matrix-market", "edge-list", and so on.
std::string format_name(GraphFormat format);

/// The format of that name, "automatic" included; throws ArgumentError, which lists the names, for any other.
GraphFormat parse_format(const std::string& name);

/// Throws ArgumentError in a build without HDF5, for a file that is to be read or written.
void require_hdf5(const std::string& path);

/// All names, for a help text: "automatic, matrix-market, ...".
std::string format_names();
/// Can it be written? All can but `automatic`, which is none, and Parquet.
constexpr bool is_written(GraphFormat format) {
  return format != GraphFormat::automatic && format != GraphFormat::parquet;
}
/// Those that can be written.
std::string written_format_names();

}  // namespace dromos
