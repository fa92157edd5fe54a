// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/vertex_lines.hpp"

#include <iterator>

namespace dromos::driver {

void append_line(fmt::memory_buffer& lines, std::int64_t a, std::int64_t b) {
  fmt::format_to(std::back_inserter(lines), "{} {}\n", a, b);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, float b) {
  fmt::format_to(std::back_inserter(lines), "{} {}\n", a, b);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, double b) {
  fmt::format_to(std::back_inserter(lines), "{} {}\n", a, b);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, const std::string& b) {
  fmt::format_to(std::back_inserter(lines), "{} {}\n", a, b);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, std::int64_t b, std::int64_t c) {
  fmt::format_to(std::back_inserter(lines), "{} {} {}\n", a, b, c);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, float b, std::int64_t c) {
  fmt::format_to(std::back_inserter(lines), "{} {} {}\n", a, b, c);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, double b, std::int64_t c) {
  fmt::format_to(std::back_inserter(lines), "{} {} {}\n", a, b, c);
}

void append_line(fmt::memory_buffer& lines, std::int64_t a, const std::string& b, std::int64_t c) {
  fmt::format_to(std::back_inserter(lines), "{} {} {}\n", a, b, c);
}

void append_value(fmt::memory_buffer& lines, std::int64_t value) {
  fmt::format_to(std::back_inserter(lines), "{}\n", value);
}

void append_value(fmt::memory_buffer& lines, float value) { fmt::format_to(std::back_inserter(lines), "{}\n", value); }

void append_value(fmt::memory_buffer& lines, double value) { fmt::format_to(std::back_inserter(lines), "{}\n", value); }

}  // namespace dromos::driver
