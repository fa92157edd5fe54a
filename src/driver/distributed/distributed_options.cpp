// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/distributed_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>

#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/text_table.hpp"

namespace dromos::driver {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const DistributedAlgorithm& algorithm : all_distributed_algorithms()) names.push_back(algorithm.name);
  return names;
}

std::string cell(const std::string& column, double value) {
  const auto ends_with = [&](const std::string& end) {
    return column.size() >= end.size() && column.compare(column.size() - end.size(), end.size(), end) == 0;
  };
  if (ends_with("time") || column == "communication" || column == "combine" || column == "exchange" ||
      column == "agreement")
    return duration(value);
  if (column == "QR" || column == "UR") return fmt::format("{:.3f}", value);
  if (ends_with("bytes")) return byte_count(static_cast<std::int64_t>(value));
  if (column == "backward" || column == "combined") return value != 0 ? "yes" : "no";
  return with_separators(static_cast<std::int64_t>(value));
}

}  // namespace

std::string distributed_algorithm_names() { return fmt::format("{}", fmt::join(names(), ", ")); }

std::vector<std::string> resolve_distributed_algorithms(const std::vector<std::string>& asked) {
  const std::vector<std::string> known = names();
  std::vector<std::string> result;
  const auto add = [&](const std::string& name) {
    if (std::find(result.begin(), result.end(), name) == result.end()) result.push_back(name);
  };
  for (const std::string& name : asked) {
    if (name == "all") {
      for (const std::string& each : known) add(each);
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      add(name);
    } else {
      throw ArgumentError(
          fmt::format("no distributed search is called '{}'{}, or all", name, choice_hint(name, known)));
    }
  }
  return result;
}

GridShape parse_grid(const std::string& text) {
  GridShape shape;
  if (text.empty()) return shape;
  int read = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &shape.rows, &shape.columns, &read) != 2 ||
      read != static_cast<int>(text.size()) || shape.rows < 1 || shape.columns < 1) {
    throw ArgumentError(fmt::format("--grid: expected rows and columns such as 2x3, found '{}'", text));
  }
  return shape;
}

void PartitionOptions::declare(ArgumentParser& parser, const std::string& group) {
  parser
      .add_option("--grid", grid, "Rows and columns of the grid of ranks of 2d searches (default: nearest to a square)")
      .value_name("RxC")
      .group(group);
  add_integer(parser, "--degree-threshold", degree_threshold,
              "delegate: vertices of more neighbors are known to every rank (default: chosen by the graph)", 0)
      .group(group);
}

void PartitionOptions::check_use(const std::vector<std::string>& searches, const std::string& option) const {
  const auto is_2d = [](const std::string& name) { return name.compare(0, 2, "2d") == 0; };
  const auto is_delegate = [](const std::string& name) { return name == "delegate"; };
  const auto refuse = [&](const std::string& what, const std::string& meant) {
    throw ArgumentError(fmt::format("{} has no effect on the search {}; it is for {} {}: leave it out", what,
                                    fmt::join(searches, ", "), option, meant));
  };
  if (!grid.empty() && std::none_of(searches.begin(), searches.end(), is_2d)) refuse("--grid", "2d or 2d-wave");
  if (degree_threshold && std::none_of(searches.begin(), searches.end(), is_delegate)) {
    refuse("--degree-threshold", "delegate");
  }
}

void PartitionOptions::apply(DistributedOptions& options) const {
  if (degree_threshold) options.delegate.threshold = *degree_threshold;
  const GridShape shape = parse_grid(grid);
  options.bfs_2d.rows = shape.rows;
  options.bfs_2d.columns = shape.columns;
}

std::string to_text(const LevelTable& table) {
  std::vector<TextTable::Column> columns = {{"level"}};
  for (const std::string& column : table.columns) columns.push_back({column});
  TextTable text(columns);
  for (std::size_t level = 0; level < table.rows.size(); ++level) {
    std::vector<std::string> cells = {std::to_string(level)};
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      cells.push_back(cell(table.columns[i], table.rows[level][i]));
    text.add_row(cells);
  }
  return text.str();
}

}  // namespace dromos::driver
