// SPDX-License-Identifier: BSD-3-Clause
// What `dromos cc`, `scc` and `color` remember of a run, and how they tell it: all three give every vertex a label.
#pragma once

#include <dromos/algorithms/component_summary.hpp>
#include <dromos/core/types.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dromos::driver {

/// A part of a run that has its own time.
struct ComponentStep {
  std::string name;
  std::int64_t num_settled = 0;
  std::int64_t num_sweeps = 0;
  double seconds = 0;
};

struct ComponentRun {
  std::string algorithm;
  std::string method;  ///< empty where the algorithm has only one
  std::string strategy;
  ComponentSummary components;
  double seconds = 0;
  Offset edges = 0;  ///< of the graph, or visited: what the rate counts
  const char* rate = "geps";
  std::optional<bool> valid;
  std::string message;                ///< what the validation found wrong
  nlohmann::ordered_json details;     ///< further members of the JSON object, or null
  std::vector<ComponentStep> steps;   ///< of SCC methods

  double edges_per_second() const { return seconds > 0 ? static_cast<double>(edges) / seconds : 0; }
  /// "multistep with vertex-chunk", or just "vertex-chunk"
  std::string label() const { return method.empty() ? strategy : method + " with " + strategy; }
};

nlohmann::ordered_json to_json(const ComponentRun& run);

/// A line for every run.
///
/// \param components  what the labels stand for: "components", "colors"
/// \param rate        title of the column of edges per second
std::string table_of(const std::vector<ComponentRun>& runs, const std::string& components, const std::string& rate);

/// What each step of a run settled.
std::string steps_of(const ComponentRun& run);

}  // namespace dromos::driver
