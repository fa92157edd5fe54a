// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/io/permute_matrix.hpp>
#include <string_view>
#include <utility>

#include "io/formats/format_readers.hpp"
#include "io/formats/matrix_market_header.hpp"
#include "io/text/scan.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_output.hpp"

namespace dromos {
namespace {

/// An entry by its line: two numbers, and the rest as it stands.
struct EntryLine {
  std::int64_t row, column;
  std::string_view rest;
};

/// Calls f(entry) for the lines below the header.
template <class F>
void for_each_entry(std::string_view text, const io::MatrixMarketHeader& header, const F& f) {
  const char* const end = text.data() + text.size();
  for (const char* line = io::skip_line(header.sizes, end); line < end; line = io::skip_line(line, end)) {
    const char* p = io::skip_blanks(line, end);
    if (io::skip_line_end(p, end) != nullptr || *p == '%') continue;
    std::uint64_t row = 0, column = 0;
    p = io::parse_digits(p, end, end, row);
    p = io::parse_digits(io::skip_blanks(p, end), end, end, column);
    if (row - 1 >= static_cast<std::uint64_t>(header.rows) ||
        column - 1 >= static_cast<std::uint64_t>(header.columns)) {
      throw io::LineFault{line,
                          "expected the entry of a matrix of " + std::to_string(header.rows) + " rows and " +
                              std::to_string(header.columns) + " columns, found " + io::quoted(io::line_at(text, line)),
                          false};
    }
    const char* last = io::skip_line(p, end);
    while (last > p && (last[-1] == '\n' || last[-1] == '\r')) --last;
    f(EntryLine{static_cast<std::int64_t>(row) - 1, static_cast<std::int64_t>(column) - 1,
                std::string_view(p, static_cast<std::size_t>(last - p))});
  }
}

template <class Places>
bool are_equal(const Places& a, const Places& b) {
  if (a.extent(0) != b.extent(0)) return false;
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    if (a(i) != b(i)) return false;
  }
  return true;
}

/// Banner, comments and sizes.
std::string head_of(std::string_view text, const io::MatrixMarketHeader& header, bool symmetric, std::int64_t entries) {
  const std::string_view banner = io::line_at(text, text.data());
  std::string head(banner.substr(0, banner.find_last_not_of(" \t\r") + 1));
  head.resize(head.find_last_of(" \t") + 1);
  head += symmetric ? "symmetric\n" : "general\n";
  const char* const comments = io::skip_line(text.data(), text.data() + text.size());
  head.append(comments, static_cast<std::size_t>(header.sizes - comments));
  return head + std::to_string(header.rows) + " " + std::to_string(header.columns) + " " + std::to_string(entries) +
         "\n";
}

template <class Vertex>
void permute(std::string_view text, const std::string& to,
             const Kokkos::View<const Vertex*, Kokkos::HostSpace>& row_place,
             const Kokkos::View<const Vertex*, Kokkos::HostSpace>& column_place) {
  const io::MatrixMarketHeader header = io::read_matrix_market_header(text);
  if (header.rows != static_cast<std::int64_t>(row_place.extent(0)) ||
      header.columns != static_cast<std::int64_t>(column_place.extent(0))) {
    throw ArgumentError("there are places for " + std::to_string(row_place.extent(0)) + " rows and " +
                        std::to_string(column_place.extent(0)) + " columns, and the matrix has " +
                        std::to_string(header.rows) + " and " + std::to_string(header.columns));
  }
  const bool symmetric = header.symmetric && are_equal(row_place, column_place);
  const bool mirrored = header.symmetric && !symmetric;
  std::int64_t num_entries = 0;
  for_each_entry(text, header,
                 [&](const EntryLine& entry) { num_entries += mirrored && entry.row != entry.column ? 2 : 1; });

  io::TextOutput out(to);
  std::string lines = head_of(text, header, symmetric, num_entries);
  constexpr std::size_t piece = std::size_t(1) << 20;
  const auto write = [&](std::int64_t row, std::int64_t column, std::string_view rest) {
    lines += std::to_string(row + 1) + " " + std::to_string(column + 1);
    lines += rest;
    lines += '\n';
    if (lines.size() < piece) return;
    out.write(lines);
    lines.clear();
  };
  for_each_entry(text, header, [&](const EntryLine& entry) {
    std::int64_t row = row_place(entry.row), column = column_place(entry.column);
    if (symmetric && row < column) std::swap(row, column);
    write(row, column, entry.rest);
    if (mirrored && entry.row != entry.column) {
      write(row_place(entry.column), column_place(entry.row), entry.rest);
    }
  });
  out.write(lines);
  out.commit();
}

}  // namespace

template <class Vertex>
void write_permuted_matrix(const std::string& from, const std::string& to,
                           const Kokkos::View<const Vertex*, Kokkos::HostSpace>& row_place,
                           const Kokkos::View<const Vertex*, Kokkos::HostSpace>& column_place) {
  const io::TextFile file(from);
  const std::string_view text = file.text();
  try {
    permute(text, to, row_place, column_place);
  } catch (const io::LineFault& fault) {
    const std::int64_t line = fault.where == nullptr ? 0 : 1 + std::count(text.data(), fault.where, '\n');
    throw InputError(from, line, fault.message);
  }
}

template void write_permuted_matrix(const std::string&, const std::string&,
                                    const Kokkos::View<const std::int32_t*, Kokkos::HostSpace>&,
                                    const Kokkos::View<const std::int32_t*, Kokkos::HostSpace>&);
template void write_permuted_matrix(const std::string&, const std::string&,
                                    const Kokkos::View<const std::int64_t*, Kokkos::HostSpace>&,
                                    const Kokkos::View<const std::int64_t*, Kokkos::HostSpace>&);

}  // namespace dromos
