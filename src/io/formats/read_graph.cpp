// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/io/read_graph.hpp>

#include "io/formats/edge_columns.hpp"
#include "io/formats/format_readers.hpp"
#include "io/hdf5/hdf5_reader.hpp"
#include "io/text/text_file.hpp"

namespace dromos {

template <class Vertex>
GraphFile<Vertex> io::read_text(std::string_view text, const ReadOptions& options) {
  // Columns and names say that a file is a table, and this is another way to write one.
  const bool is_parquet_table = options.format == GraphFormat::csv && looks_like_parquet(text);
  const GraphFormat format = is_parquet_table                           ? GraphFormat::parquet
                             : options.format == GraphFormat::automatic ? recognize_format(text)
                                                                        : options.format;
  const auto read = [&]() -> GraphFile<Vertex> {
    switch (format) {
      case GraphFormat::matrix_market:
        return read_matrix_market<Vertex>(text, options);
      case GraphFormat::metis:
        return read_metis<Vertex>(text, options);
      case GraphFormat::dimacs:
        return read_dimacs<Vertex>(text, options);
      case GraphFormat::smat:
        return read_smat<Vertex>(text, options);
      case GraphFormat::csv:
        return read_table<Vertex>(text, options);
      case GraphFormat::adjacency_list:
        return read_adjacency_list<Vertex>(text, options);
      case GraphFormat::graphml:
        return read_graphml<Vertex>(text, options);
      case GraphFormat::parquet:
        return read_parquet<Vertex>(text, options);
      case GraphFormat::gapbs:
        return read_gapbs<Vertex>(text, options);
      case GraphFormat::graph500:
      case GraphFormat::graph500_64:
        return read_graph500<Vertex>(text, format == GraphFormat::graph500, options);
      default:
        return read_edge_list<Vertex>(text, options);
    }
  };
  GraphFile<Vertex> file = read();
  file.format = format;
  file.bytes_read = static_cast<std::int64_t>(text.size());
  return file;
}

template GraphFile<std::int32_t> io::read_text(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> io::read_text(std::string_view, const ReadOptions&);

template <class Vertex>
GraphFile<Vertex> read_graph(const std::string& path, const ReadOptions& options) {
  const ScopedRegion region("dromos::read_graph");
  if (options.format == GraphFormat::hdf5 || (options.format == GraphFormat::automatic && io::begins_as_hdf5(path))) {
    GraphFile<Vertex> file = io::read_hdf5<Vertex>(path, options);
    file.format = GraphFormat::hdf5;
    return file;
  }
  io::TextFile file(path, io::TextFile::Content::bytes);
  const bool recognize = options.format == GraphFormat::automatic;
  const bool is_parquet = (recognize || options.format == GraphFormat::csv) && io::looks_like_parquet(file.text());
  const bool is_gapbs = recognize && io::looks_like_gapbs(file.text());
  if (!is_binary(options.format) && !is_parquet && !is_gapbs) file.expect_text(path);
  const std::string_view text = file.text();
  try {
    return io::read_text<Vertex>(text, options);
  } catch (const io::EdgesDoNotFit& limit) {
    const std::string what = is_parquet || options.format == GraphFormat::parquet ? "its table" : "its text";
    throw MemoryError(path + ": " + what + ", of up to " + std::to_string(limit.num_edges) + " edges,",
                      limit.bytes_needed, limit.bytes_available);
  } catch (const io::LineFault& fault) {
    const std::int64_t line = fault.where == nullptr ? 0 : 1 + std::count(text.data(), fault.where, '\n');
    throw InputError(path, line, fault.message);
  }
}

template GraphFile<std::int32_t> read_graph(const std::string&, const ReadOptions&);
template GraphFile<std::int64_t> read_graph(const std::string&, const ReadOptions&);

}  // namespace dromos
