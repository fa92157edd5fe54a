// SPDX-License-Identifier: BSD-3-Clause
// --output: a text file with a line for every vertex, in the order and with the numbers of the graph's own file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <dromos/io/replaced_file.hpp>
#include <string>
#include <type_traits>

#include "driver/graphs/named_graph.hpp"

namespace dromos::driver {

// Appends "a b\n". Here once, since formatting into a buffer compiles much of fmt wherever it is done.
void append_line(fmt::memory_buffer& lines, std::int64_t a, std::int64_t b);
void append_line(fmt::memory_buffer& lines, std::int64_t a, float b);
void append_line(fmt::memory_buffer& lines, std::int64_t a, double b);
void append_line(fmt::memory_buffer& lines, std::int64_t a, const std::string& b);
/// Appends "a b c\n".
void append_line(fmt::memory_buffer& lines, std::int64_t a, std::int64_t b, std::int64_t c);
void append_line(fmt::memory_buffer& lines, std::int64_t a, float b, std::int64_t c);
void append_line(fmt::memory_buffer& lines, std::int64_t a, double b, std::int64_t c);
void append_line(fmt::memory_buffer& lines, std::int64_t a, const std::string& b, std::int64_t c);

/// Appends "value\n".
void append_value(fmt::memory_buffer& lines, std::int64_t value);
void append_value(fmt::memory_buffer& lines, float value);
void append_value(fmt::memory_buffer& lines, double value);

/// What a value is written as: all whole numbers alike.
template <class Value>
using WrittenValue = std::conditional_t<std::is_integral_v<Value>, std::int64_t, Value>;

/// "vertex value"; the whole number -1 as `none` says, where that says anything.
template <class Value>
void append_value_line(fmt::memory_buffer& lines, std::int64_t vertex, Value value, const std::string& none) {
  if (std::is_integral_v<Value> && !none.empty() && value == Value(-1)) {
    append_line(lines, vertex, none);
  } else {
    append_line(lines, vertex, WrittenValue<Value>(value));
  }
}

/// "vertex value parent", likewise.
template <class Value>
void append_tree_line(fmt::memory_buffer& lines, std::int64_t vertex, Value value, std::int64_t parent,
                      const std::string& none) {
  if (std::is_integral_v<Value> && !none.empty() && value == Value(-1)) {
    append_line(lines, vertex, none, parent);
  } else {
    append_line(lines, vertex, WrittenValue<Value>(value), parent);
  }
}

/// The first lines of a dense Matrix Market vector of such values.
template <class Value>
std::string vector_head(std::int64_t size) {
  return "%%MatrixMarket matrix array " + std::string(std::is_integral_v<Value> ? "integer" : "real") + " general\n" +
         std::to_string(size) + " 1\n";
}

/// Writes `path`; nothing is there until everything is.
///
/// \param format_line  called as format_line(buffer, vertex): appends the line, with its newline
template <class Vertex, class FormatLine>
void write_vertex_lines(const std::string& path, const NamedGraph<Vertex>& graph, const FormatLine& format_line) {
  constexpr std::size_t piece = std::size_t(1) << 20;  // bytes kept before they are written
  ReplacedFile file(path);
  fmt::memory_buffer lines;
  const std::int64_t n = graph.summary().num_vertices;
  for (std::int64_t i = 0; i < n; ++i) {
    format_line(lines, graph.in_file_order(static_cast<Vertex>(i)));
    if (lines.size() > piece || i + 1 == n) {
      file.write(lines.data(), lines.size());
      lines.clear();
    }
  }
  file.commit();
}

}  // namespace dromos::driver
