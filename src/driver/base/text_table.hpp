// SPDX-License-Identifier: BSD-3-Clause
// Tables of text with aligned columns: as wide as their contents, or printed line by line while the contents come.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace dromos::driver {

class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
    std::size_t width = 0;  ///< at least
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column.
  void add_row(std::vector<std::string> cells);
  /// An empty line.
  void add_gap() { rows_.emplace_back(); }
  bool empty() const { return rows_.empty(); }

  /// Every line ends in a newline; none ends in blanks.
  std::string str() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // a row without cells is a gap
};

/// A table whose rows are printed one by one. Columns are as wide as their title and `width`; a cell that is wider
/// moves what follows it.
class GrowingTable {
 public:
  using Print = std::function<void(const std::string&)>;

  GrowingTable(std::vector<TextTable::Column> columns, Print print);

  /// One cell per column; before the first row, the titles.
  void add_row(std::vector<std::string> cells);
  /// An empty line.
  void add_gap() { print_("\n"); }

 private:
  std::vector<TextTable::Column> columns_;
  std::vector<std::size_t> widths_;
  Print print_;
  bool has_titles_ = false;
};

}  // namespace dromos::driver
