// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/graph_file.hpp"

#include <fmt/format.h>

#include "driver/base/option_values.hpp"
#include "driver/base/progress.hpp"

namespace dromos::driver {

void FileOptions::declare(ArgumentParser& parser, const std::string& positional, const std::string& description) {
  const std::string group = "Graph";
  parser.add_option(positional, path, description).value_name("").group(group);
  parser.add_option("--format", format, "What the file is, where its content misleads: " + format_names())
      .value_name("NAME")
      .suggest(words_of(format_names()))
      .group(group);
  parser.add_flag("--directed", directed, "Edges have a direction (default for files, where they do not say)")
      .group(group);
  parser.add_flag("--undirected", undirected, "Edges have none: follow each both ways (default for generated graphs)")
      .group(group);
  add_integer(parser, "--ids", id_bits, "Bits of a vertex id inside: 32 or 64 (default: 32 where they suffice)", 32, 64)
      .default_text("")
      .group(group);
}

void FileOptions::check() const {
  if (directed && undirected) throw ArgumentError("--directed and --undirected contradict each other: give one");
  if (id_bits != 0 && id_bits != 32 && id_bits != 64) {
    throw ArgumentError(fmt::format("--ids: expected 32 or 64, found {}", id_bits));
  }
  parse_format(format);
}

template <class Vertex>
GraphFile<Vertex> read_file(const FileOptions& options) {
  const Progress progress("reading " + options.path);
  ReadOptions read;
  read.format = parse_format(options.format);
  read.weights = options.weights;
  read.non_negative_weights = options.non_negative_weights;
  read.rows = options.rows;
  read.rectangular = options.rectangular;
  GraphFile<Vertex> file;
  try {
    file = read_graph<Vertex>(options.path, read);
  } catch (const InputError& error) {
    // The reader says so in this way when wider ids would do.
    if (options.id_bits == 0 && std::string(error.what()).find("--ids 64") != std::string::npos) {
      throw TooManyVertices(error);
    }
    throw;
  }
  if (options.directed && file.directed == false) {
    throw ArgumentError(
        fmt::format("--directed: {} says that its edges have no direction; leave the option out", options.path));
  }
  return file;
}

template GraphFile<std::int32_t> read_file(const FileOptions&);
template GraphFile<std::int64_t> read_file(const FileOptions&);

bool is_directed(const FileOptions& options, std::optional<bool> said_by_file) {
  if (options.undirected) return false;
  return options.directed || said_by_file.value_or(true);
}

}  // namespace dromos::driver
