// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/graph_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dromos/io/replaced_file.hpp>
#include <filesystem>
#include <utility>

#include "driver/base/option_values.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/progress.hpp"

namespace dromos::driver {
namespace {

constexpr const char* standard_input = "/dev/stdin";

}  // namespace

void FileOptions::declare(ArgumentParser& parser, const std::string& positional, const std::string& description) {
  const std::string group = "Graph";
  // Not a file of this name, which ./- would be.
  const auto take = [this](const std::string& text) { path = text == "-" ? standard_input : text; };
  parser.add_parsed(positional, take, description + "; - reads standard input")
      .value_name("")
      .reads_file()
      .group(group);
  parser.add_option("--format", format, "What the file is, where its content misleads: " + format_names())
      .value_name("NAME")
      .suggest(words_of(format_names()))
      .group(group);
  parser
      .add_option(
          "--separator", separator,
          "Of a table: what stands between columns, one character, tab or blank (default: as the first line has)")
      .value_name("C")
      .suggest({"tab", "blank", ",", ";"})
      .group(group);
  parser
      .add_option(
          "--names", names,
          "Of a table, or with --format graphml: vertices are words. They are numbered from 0, and lines \"number "
          "word\" written to FILE")
      .value_name("FILE")
      .writes_file()
      .group(group);
  parser.add_flag("--directed", directed, "Edges have a direction (default for files, where they do not say)")
      .group(group);
  parser.add_flag("--undirected", undirected, "Edges have none: follow each both ways (default for generated graphs)")
      .group(group);
  add_integer(parser, "--ids", id_bits, "Bits of a vertex id inside: 32 or 64 (default: 32 where they suffice)", 32, 64)
      .default_text("")
      .group(group);
}

void FileOptions::declare_columns(ArgumentParser& parser, const std::string& description,
                                  std::function<void(const std::string&)> also) {
  const auto take = [this, also = std::move(also)](const std::string& text) {
    columns = split_at_commas(text);
    if (also) also(text);
  };
  parser.add_parsed("--columns", take, description).value_name("LIST").group("Graph");
}

GraphFormat FileOptions::format_to_read() const {
  const GraphFormat named = parse_format(format);
  const bool table = !columns.empty() || !separator.empty() || !names.empty();
  return table && named == GraphFormat::automatic ? GraphFormat::csv : named;
}

namespace {

/// The character that --separator names; 0: none was given.
char separator_character(const std::string& word) {
  if (word.empty()) return 0;
  if (word == "tab" || word == "\\t") return '\t';
  if (word == "blank" || word == "space") return ' ';
  if (word.size() == 1 && word[0] != '"' && word[0] != '\n') return word[0];
  throw ArgumentError(
      fmt::format("--separator: expected one character other than a quote, tab or blank, found '{}'", word));
}

/// A line "number word" for each vertex.
void write_words(const std::string& path, const std::vector<std::string>& words) {
  ReplacedFile file(path);
  std::string lines;
  for (std::size_t v = 0; v < words.size(); ++v) {
    lines += std::to_string(v) + ' ' + words[v] + '\n';
    if (lines.size() < std::size_t(1) << 20 && v + 1 < words.size()) continue;
    file.write(lines.data(), lines.size());
    lines.clear();
  }
  file.commit();
}

}  // namespace

void FileOptions::check() const {
  separator_character(separator);
  if (format_to_read() != GraphFormat::csv) {
    const bool is_parquet = format_to_read() == GraphFormat::parquet;
    const bool takes_names = is_parquet || format_to_read() == GraphFormat::graphml;
    for (const char* option : {columns.empty() || is_parquet ? "" : "--columns", separator.empty() ? "" : "--separator",
                               names.empty() || takes_names ? "" : "--names"}) {
      if (*option != 0) {
        throw ArgumentError(
            fmt::format("{} is for tables, and --format says {}; leave one of them out", option, format));
      }
    }
  }
  if (!columns.empty() && (columns.size() < 2 || columns.size() > 3)) {
    throw ArgumentError(
        fmt::format("--columns: expected SOURCE,TARGET or SOURCE,TARGET,WEIGHT, found '{}'", fmt::join(columns, ",")));
  }
  if (!names.empty()) check_writable("--names", names);
  if (directed && undirected) throw ArgumentError("--directed and --undirected contradict each other: give one");
  if (id_bits != 0 && id_bits != 32 && id_bits != 64) {
    throw ArgumentError(fmt::format("--ids: expected 32 or 64, found {}", id_bits));
  }
}

template <class Vertex>
GraphFile<Vertex> read_file(const FileOptions& options) {
  const Progress progress("reading " + options.path);
  ReadOptions read;
  read.format = options.format_to_read();
  read.columns = options.columns;
  read.separator = separator_character(options.separator);
  read.words = !options.names.empty();
  read.weights = options.weights;
  read.non_negative_weights = options.non_negative_weights;
  read.rows = options.rows;
  read.rectangular = options.rectangular;
  read.before_reading = options.before_reading;
  GraphFile<Vertex> file;
  try {
    file = read_graph<Vertex>(options.path, read);
  } catch (const InputError& error) {
    // The reader says so in this way when wider ids would do.
    // What came through a pipe is gone: it cannot be read once more.
    const bool is_there = options.path != standard_input || std::filesystem::is_regular_file(options.path);
    if (is_there && options.id_bits == 0 && std::string(error.what()).find("--ids 64") != std::string::npos) {
      throw TooManyVertices(error);
    }
    throw;
  }
  if (options.directed && file.directed == false) {
    throw ArgumentError(
        fmt::format("--directed: {} says that its edges have no direction; leave the option out", options.path));
  }
  if (read.words) write_words(options.names, file.words);
  return file;
}

template GraphFile<std::int32_t> read_file(const FileOptions&);
template GraphFile<std::int64_t> read_file(const FileOptions&);

bool is_directed(const FileOptions& options, std::optional<bool> said_by_file) {
  if (options.undirected) return false;
  return options.directed || said_by_file.value_or(true);
}

}  // namespace dromos::driver
