// SPDX-License-Identifier: BSD-3-Clause
// What a subcommand remembers of a run of its algorithm, and how it tells it: one line of a table, one object of JSON.
#pragma once

#include <dromos/algorithms/component_summary.hpp>
#include <dromos/core/types.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/base/text_table.hpp"

namespace dromos::driver {

/// A part of a run that has its own time.
struct AlgorithmStep {
  std::string name;
  std::int64_t num_settled = 0;
  std::int64_t num_sweeps = 0;
  double seconds = 0;
};

/// A figure as the table shows it.
struct TableCell {
  std::string title;
  std::string text;
};

struct AlgorithmRun {
  std::string algorithm;
  std::string method;  ///< empty where the algorithm has only one
  std::string strategy;
  /// What was found: members of the JSON object, and the part of it that the table shows.
  nlohmann::ordered_json results = nlohmann::ordered_json::object();
  std::vector<TableCell> cells;
  double seconds = 0;
  /// The rate: `edges` over the time, called "geps" (edges of the graph) or "gteps" (edges visited); empty: none.
  std::string rate;
  Offset edges = 0;
  std::optional<bool> valid;
  std::string message;               ///< what the validation found wrong
  nlohmann::ordered_json details;    ///< members of the JSON object that come last, or null
  std::vector<AlgorithmStep> steps;  ///< of methods that have them
  std::string text;                  ///< what is said below the table, of the last run

  double edges_per_second() const { return seconds > 0 ? static_cast<double>(edges) / seconds : 0; }
  /// "multistep with vertex-chunk", or just "vertex-chunk"
  std::string label() const { return method.empty() ? strategy : method + " with " + strategy; }

  /// A number that was found, for the table as well.
  void add(const std::string& member, std::int64_t value, const std::string& title);
};

/// Number and sizes of components, or of whatever `title` calls the classes of a labelling.
void add_components(AlgorithmRun& run, const ComponentSummary& components, const std::string& title);

nlohmann::ordered_json to_json(const AlgorithmRun& run);

/// A line for every run, as soon as it is there; all of one algorithm.
class RunTable {
 public:
  /// \param num_runs  how many there will be: columns leave room for longer numbers where there are several
  /// \param methods, strategies  all that will occur
  RunTable(std::size_t num_runs, const std::vector<std::string>& methods, const std::vector<std::string>& strategies,
           GrowingTable::Print print);

  void add(const AlgorithmRun& run);

 private:
  bool has_more_;
  std::size_t method_width_ = 0, strategy_width_ = 0;
  GrowingTable::Print print_;
  std::optional<GrowingTable> table_;  // from the first run on, which says what columns there are
};

/// What each step of a run settled.
std::string steps_of(const AlgorithmRun& run);

}  // namespace dromos::driver
