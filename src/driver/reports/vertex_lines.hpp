// SPDX-License-Identifier: BSD-3-Clause
// --output: a text file with a line for every vertex, in the order and with the numbers of the graph's own file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <dromos/io/replaced_file.hpp>
#include <string>

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
