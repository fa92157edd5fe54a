// SPDX-License-Identifier: BSD-3-Clause
// A table of text with aligned columns, as wide as its contents.
#pragma once

#include <string>
#include <vector>

namespace dromos::driver {

class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
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

}  // namespace dromos::driver
