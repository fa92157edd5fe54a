// SPDX-License-Identifier: BSD-3-Clause
// Reading a graph file as the command line says: its format, whether edges have a direction, the width of ids.
#pragma once

#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

struct FileOptions {
  std::string path;
  std::string format = "automatic";
  bool directed = false;
  bool undirected = false;
  bool weights = false;
  bool non_negative_weights = false;                                     ///< for who wants distances
  bool rows = false;                                                     ///< as ReadOptions::rows
  bool rectangular = false;                                              ///< as ReadOptions::rectangular
  std::function<void(std::int64_t, std::int64_t, bool)> before_reading;  ///< as ReadOptions::before_reading
  std::int64_t id_bits = 0;                                              ///< 32 or 64; 0: 32 where they suffice
  std::vector<std::string> columns;                                      ///< of a table, as ReadOptions::columns
  std::string separator;  ///< of a table: one character, or a word for it
  std::string names;      ///< of a table whose vertices are words: the file that says which is which

  /// Declares all but weights and --columns; `positional` is what the file is called in the help.
  void declare(ArgumentParser& parser, const std::string& positional, const std::string& description);
  /// --columns, which grids have, too: `also` is told what was given.
  void declare_columns(ArgumentParser& parser, const std::string& description,
                       std::function<void(const std::string&)> also = nullptr);
  /// Throws ArgumentError for options that contradict each other; before anything is read.
  void check() const;
  /// The format to read: that of the options, csv where they speak of a table.
  GraphFormat format_to_read() const;
};

/// What --columns is of a table.
inline constexpr const char* about_columns =
    "Of a table: SOURCE,TARGET[,WEIGHT], by the names in its first line or counted from 1";

/// A file with more vertices than 32-bit ids can number, where 64-bit ids were not asked for but are allowed.
class TooManyVertices : public InputError {
 public:
  explicit TooManyVertices(const InputError& error) : InputError(error) {}
};

/// Reads the file. Throws what read_graph() throws, TooManyVertices, and ArgumentError for --directed where the file
/// says that its edges have no direction.
template <class Vertex>
GraphFile<Vertex> read_file(const FileOptions& options);

/// What the options make of what the file says.
bool is_directed(const FileOptions& options, std::optional<bool> said_by_file);

/// Returns f(an id of the type that id_bits asks for). Where it asks for none: of 32 bits, and once more with 64 bits
/// when that threw TooManyVertices.
template <class F>
int with_id_type(std::int64_t id_bits, const F& f) {
  if (id_bits == 64) return f(std::int64_t());
  try {
    return f(std::int32_t());
  } catch (const TooManyVertices&) {
    return f(std::int64_t());
  }
}

}  // namespace dromos::driver
