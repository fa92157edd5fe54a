// SPDX-License-Identifier: BSD-3-Clause
#include "check_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/results.hpp>
#include <dromos/version.hpp>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/formats/format_readers.hpp"
#include "io/text/text_file.hpp"

namespace dromos::test {
namespace {

void require(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error("check_reader: " + what);
}

/// What reading gave, comparable across id types and pieces.
struct Outcome {
  std::optional<io::LineFault> fault;
  GraphFormat format = GraphFormat::automatic;
  std::optional<bool> directed;
  std::int64_t num_vertices = 0;
  std::vector<std::int64_t> names;  // of sources and targets, by turns
  std::vector<float> weights;

  bool same_edges(const Outcome& other) const {
    return num_vertices == other.num_vertices && names == other.names && format == other.format &&
           directed == other.directed;
  }
};

void check_fault(const io::LineFault& fault, std::string_view text) {
  require(fault.where == nullptr || (fault.where >= text.data() && fault.where <= text.data() + text.size()),
          "an error belongs to a place outside the text");
  require(!fault.message.empty() && fault.message.size() < 600, "a message of a strange length: " + fault.message);
  require(std::none_of(fault.message.begin(), fault.message.end(),
                       [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }),
          "a message with control characters");
}

template <class Vertex>
Outcome outcome_of(const GraphFile<Vertex>& file) {
  const EdgeList<Vertex, Kokkos::HostSpace>& edges = file.edges;
  Outcome outcome;
  outcome.format = file.format;
  outcome.directed = file.directed;
  outcome.num_vertices = static_cast<std::int64_t>(edges.num_vertices);
  require(file.format != GraphFormat::automatic, "a graph without a format");
  require(edges.num_vertices >= 0 && edges.source.extent(0) == edges.target.extent(0), "an edge list out of shape");
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    for (const Vertex v : {edges.source(e), edges.target(e)}) {
      require(v >= 0 && v < edges.num_vertices, "an edge to a vertex that is none");
      outcome.names.push_back(file.names.name(v));
      require(file.names.find(outcome.names.back()) == std::int64_t(v), "a vertex that its name does not lead to");
    }
    if (edges.weighted()) outcome.weights.push_back(edges.weight(e));
  }
  return outcome;
}

template <class Vertex>
Outcome read(std::string_view text, const ReadOptions& options) {
  try {
    return outcome_of(io::read_text<Vertex>(text, options));
  } catch (const io::LineFault& fault) {
    check_fault(fault, text);
    Outcome outcome;
    outcome.fault = fault;
    return outcome;
  }
}

/// In one piece and in many: the same.
template <class Vertex>
Outcome read_in_pieces(std::string_view text, ReadOptions options) {
  const Outcome whole = read<Vertex>(text, options);
  options.chunk_bytes = 1 + static_cast<std::int64_t>(text.size() % 13);
  const Outcome pieces = read<Vertex>(text, options);
  require(
      whole.fault.has_value() == pieces.fault.has_value(),
      "one piece and many disagree: " + (whole.fault ? whole.fault : pieces.fault).value_or(io::LineFault{}).message);
  if (whole.fault) {
    require(whole.fault->where == pieces.fault->where && whole.fault->message == pieces.fault->message,
            "one piece and many give different errors: " + whole.fault->message + " / " + pieces.fault->message);
  } else {
    require(whole.same_edges(pieces) && whole.weights == pieces.weights, "one piece and many give different graphs");
  }
  return whole;
}

#ifdef DROMOS_ENABLE_HDF5

/// A file that goes when the object goes; HDF5 wants one with a name.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) {
    const int number = mkstemp(path_.data());
    const bool written = number >= 0 && write(number, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    if (number >= 0) close(number);
    require(written, "no temporary file");
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "dromos-check-XXXXXX").string();
};

template <class Vertex>
void check_rows(const RowsOfFile<Vertex>& rows) {
  const auto& graph = rows.graph;
  const std::int64_t num_vertices = graph.num_vertices();
  require(num_vertices >= 0 && graph.row_map(0) == 0 && graph.row_map(num_vertices) == graph.num_edges(),
          "offsets that do not span the entries");
  for (std::int64_t v = 0; v < num_vertices; ++v) require(graph.row_map(v) <= graph.row_map(v + 1), "offsets descend");
  for (Offset e = 0; e < graph.num_edges(); ++e) {
    require(graph.entries(e) >= 0 && graph.entries(e) < num_vertices, "an entry that is no vertex");
  }
}

template <class Vertex>
void check_hdf5_file(const std::string& path, bool weights, bool rows) {
  ReadOptions options;
  options.format = GraphFormat::hdf5;
  options.weights = weights;
  options.rows = rows;
  try {
    const GraphFile<Vertex> file = read_graph<Vertex>(path, options);
    if (file.rows) {
      check_rows(*file.rows);
    } else {
      outcome_of(file);
    }
  } catch (const InputError& error) {
    require(error.file() == path, "an error of another file: " + error.file());
  }
}

#endif

}  // namespace

void check_hdf5([[maybe_unused]] std::string_view bytes) {
#ifdef DROMOS_ENABLE_HDF5
  const TemporaryFile file(bytes);
  for (const bool weights : {false, true}) {
    for (const bool rows : {false, true}) {
      check_hdf5_file<std::int32_t>(file.path(), weights, rows);
      check_hdf5_file<std::int64_t>(file.path(), weights, rows);
    }
  }
  try {
    const ResultTable table = read_results(file.path());
    for (const ResultColumn& column : table.columns) require(column.size() == table.num_vertices, "a column's length");
  } catch (const InputError& error) {
    require(error.file() == file.path(), "an error of another file: " + error.file());
  }
#endif
}

void check_reader(GraphFormat format, std::string_view text) {
  if (text.empty()) return;  // TextFile refuses it
  ReadOptions options;
  options.format = format;
  const Outcome plain = read_in_pieces<std::int32_t>(text, options);
  const Outcome wide = read_in_pieces<std::int64_t>(text, options);
  options.weights = true;
  const Outcome weighted = read_in_pieces<std::int32_t>(text, options);
  options.non_negative_weights = true;
  const Outcome distances = read_in_pieces<std::int64_t>(text, options);

  if (!plain.fault) require(!wide.fault && plain.same_edges(wide), "64-bit ids give another graph than 32-bit ones");
  if (!weighted.fault) require(!plain.fault && plain.same_edges(weighted), "weights change the graph");
  if (!distances.fault) {
    require(!wide.fault && wide.same_edges(distances), "weights that must not be negative change the graph");
    require(std::all_of(distances.weights.begin(), distances.weights.end(), [](float w) { return w >= 0; }),
            "a negative weight passed");
    if (!weighted.fault) require(weighted.weights == distances.weights, "64-bit ids change the weights");
  }
}

void check_decompression(std::string_view bytes) {
  for (const io::Compression compression :
       {io::Compression::gzip, io::Compression::xz, io::Compression::bzip2, io::Compression::zstd}) {
    if (!io::has_compression(compression)) continue;
    try {
      const io::GrowingText text = io::decompress(bytes, compression);
      constexpr std::size_t longest = 1 << 16;  // what takes its time after that is reading, which has its own check
      if (text.size() <= longest) check_reader(GraphFormat::automatic, text.view());
    } catch (const io::LineFault& fault) {
      check_fault(fault, bytes);
    }
  }
}

}  // namespace dromos::test
