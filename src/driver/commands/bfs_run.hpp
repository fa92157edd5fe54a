// SPDX-License-Identifier: BSD-3-Clause
// The searches of one `dromos bfs`, on one rank or many: what is remembered of each, and how all of them are reported.
#pragma once

#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/base/text_table.hpp"
#include "driver/graphs/named_graph.hpp"

namespace dromos::driver {

/// One search, and what is remembered of it.
struct BfsRun {
  std::string algorithm;
  std::string strategy;
  std::int64_t root = 0;  ///< as the file numbers it
  BfsStatistics statistics;
  Offset edges = 0;
  int num_ranks = 1;
  std::optional<bool> valid;
  std::string message;  ///< what the validation found wrong

  double teps() const { return statistics.seconds > 0 ? static_cast<double>(edges) / statistics.seconds : 0; }
};

nlohmann::ordered_json to_json(const BfsRun& run);

/// A line for each run, as soon as it is there; the runs of a strategy, one per root, stand together and end in their
/// median.
class BfsTable {
 public:
  /// \param strategies, roots  all that will be searched with and from, as the file numbers them
  BfsTable(const std::vector<std::string>& strategies, const std::vector<std::int64_t>& roots,
           const GraphSummary& summary, GrowingTable::Print print);

  void add(const BfsRun& run);
  /// The median of a strategy whose searches were stopped before the last root.
  void finish();

 private:
  void add_median();

  std::size_t num_roots_;
  GrowingTable table_;
  std::string strategy_;                // of the searches that are under way
  std::vector<double> seconds_, teps_;  // of each of them
  bool needs_gap_ = false;
};

/// The level sizes of each root; they do not depend on the strategy.
std::string level_sizes_of(const std::vector<BfsRun>& runs, std::size_t num_roots);

/// The same with the arcs that leave each level, for plot.py.
nlohmann::ordered_json level_profile(const std::vector<BfsRun>& runs, std::size_t num_roots, const std::string& graph);

}  // namespace dromos::driver
