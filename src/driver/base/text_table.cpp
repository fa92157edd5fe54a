// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dromos::driver {
namespace {

using Cells = std::vector<std::string>;

std::string aligned_line(const std::vector<TextTable::Column>& columns, const std::vector<std::size_t>& widths,
                         const Cells& cells) {
  std::string line;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    line += c == 0 ? "  " : "   ";
    line += columns[c].align == TextTable::Align::left ? fmt::format("{:<{}}", cells[c], widths[c])
                                                       : fmt::format("{:>{}}", cells[c], widths[c]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

Cells titles_of(const std::vector<TextTable::Column>& columns) {
  Cells titles;
  for (const TextTable::Column& column : columns) titles.push_back(column.title);
  return titles;
}

std::vector<std::size_t> least_widths(const std::vector<TextTable::Column>& columns) {
  std::vector<std::size_t> widths;
  for (const TextTable::Column& column : columns) widths.push_back(std::max(column.title.size(), column.width));
  return widths;
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::str() const {
  std::vector<std::size_t> widths = least_widths(columns_);
  for (const Cells& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text = aligned_line(columns_, widths, titles_of(columns_));
  for (const Cells& row : rows_) text += row.empty() ? "\n" : aligned_line(columns_, widths, row);
  return text;
}

GrowingTable::GrowingTable(std::vector<TextTable::Column> columns, Print print)
    : columns_(std::move(columns)), widths_(least_widths(columns_)), print_(std::move(print)) {}

void GrowingTable::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  std::string text;
  if (!has_titles_) text = aligned_line(columns_, widths_, titles_of(columns_));
  has_titles_ = true;
  print_(text + aligned_line(columns_, widths_, cells));
}

}  // namespace dromos::driver
