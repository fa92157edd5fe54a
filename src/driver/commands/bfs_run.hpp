// SPDX-License-Identifier: BSD-3-Clause
// The searches of one `dromos bfs`, on one rank or many: what is remembered of each, and how all of them are reported.
#pragma once

#include <dromos/algorithms/bfs.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dromos::driver {

/// One search, and what is remembered of it.
struct BfsRun {
  std::string algorithm;
  std::string strategy;
  std::int64_t root = 0;  ///< as the file numbers it
  BfsStatistics statistics;
  Offset edges = 0;
  std::optional<bool> valid;
  std::string message;  ///< what the validation found wrong

  double teps() const { return statistics.seconds > 0 ? static_cast<double>(edges) / statistics.seconds : 0; }
};

nlohmann::ordered_json to_json(const BfsRun& run);

/// A line for each run; the runs of a strategy, one per root, stand together and end in their median.
std::string table_of(const std::vector<BfsRun>& runs, std::size_t num_roots);

/// The level sizes of each root; they do not depend on the strategy.
std::string level_sizes_of(const std::vector<BfsRun>& runs, std::size_t num_roots);

/// The same with the arcs that leave each level, for plot.py.
nlohmann::ordered_json level_profile(const std::vector<BfsRun>& runs, std::size_t num_roots, const std::string& graph);

}  // namespace dromos::driver
