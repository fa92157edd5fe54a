// SPDX-License-Identifier: BSD-3-Clause
// One reader a format, each in the file of its name; read_text() chooses. They throw LineFault, and leave `format` and
// `bytes_read` of the result to read_text().
#pragma once

#include <cstdint>
#include <dromos/io/read_graph.hpp>
#include <string>
#include <string_view>

#include "io/formats/edge_lines.hpp"
#include "io/text/line_fault.hpp"

namespace dromos::io {

template <class Vertex>
GraphFile<Vertex> read_edge_list(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_matrix_market(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_dimacs(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_smat(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_metis(std::string_view text, const ReadOptions& options);

template <class Vertex>
GraphFile<Vertex> read_table(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_adjacency_list(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_graphml(std::string_view text, const ReadOptions& options);
template <class Vertex>
GraphFile<Vertex> read_gapbs(std::string_view bytes, const ReadOptions& options);
/// Edges of 12 or 16 bytes.
template <class Vertex>
GraphFile<Vertex> read_graph500(std::string_view bytes, bool packed, const ReadOptions& options);

/// A table in a Parquet file; throws LineFault in builds without Apache Arrow.
template <class Vertex>
GraphFile<Vertex> read_parquet(std::string_view bytes, const ReadOptions& options);

/// Do these bytes begin as a Parquet file does?
bool looks_like_parquet(std::string_view bytes);
/// Are these bytes a whole file of the GAP Benchmark Suite?
bool looks_like_gapbs(std::string_view bytes);
/// Does this text begin as XML does?
bool looks_like_xml(std::string_view text);
/// Does this line name columns of sources and targets as tables usually do?
bool looks_like_table_header(std::string_view line);

/// The format that the content is most likely in; doc/formats.md has the rules. Throws LineFault where there is no line
/// that is not a comment.
GraphFormat recognize_format(std::string_view text);

/// What read_graph() does with the text, or the bytes, of a file, which must not be empty. Throws LineFault.
template <class Vertex>
GraphFile<Vertex> read_text(std::string_view text, const ReadOptions& options);

// What the readers of formats with a header share.

/// A word of a header as a count; throws LineFault, at the word, for anything but a number that 63 bits hold.
std::int64_t parse_count(std::string_view word, const std::string& what);

/// Throws LineFault, at `where`, unless ids of type Vertex can number that many vertices.
template <class Vertex>
void check_declared_vertices(std::int64_t num_vertices, const char* where) {
  if (num_vertices <= max_num_vertices<Vertex>) return;
  throw LineFault{where,
                  "the header declares " + std::to_string(num_vertices) + " vertices, more than the " +
                      std::to_string(max_num_vertices<Vertex>) + " that " + std::to_string(8 * sizeof(Vertex)) +
                      "-bit vertex ids can number; use 64-bit ids (--ids 64)",
                  false};
}

/// Reads the lines of edges below a header, ids first_id .. first_id + num_vertices - 1, and checks their number.
template <class Vertex>
GraphFile<Vertex> read_declared_edges(std::string_view text, const char* header, std::int64_t num_vertices,
                                      std::int64_t num_edges, EdgeLineRules rules, const ReadOptions& options) {
  rules.num_ids = static_cast<std::uint64_t>(num_vertices);
  rules.non_negative = options.non_negative_weights;
  const char* const end = text.data() + text.size();
  const char* const first = skip_line(header, end);
  // The chunks are of the lines below the header; faults are looked up in the same memory.
  const TextChunks chunks({first, static_cast<std::size_t>(end - first)}, options.chunk_bytes);
  const EdgeColumns<Vertex> edges = read_edge_lines<Vertex>(chunks, rules, options.weights);
  check_num_edges(text, header, rules, edges.size(), num_edges);
  GraphFile<Vertex> file;
  file.edges = edges.to_edge_list(static_cast<Vertex>(num_vertices));
  file.names = VertexNames::consecutive(num_vertices, static_cast<std::int64_t>(rules.first_id));
  return file;
}

}  // namespace dromos::io
