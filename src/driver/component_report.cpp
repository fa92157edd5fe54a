// SPDX-License-Identifier: BSD-3-Clause
#include "component_report.hpp"

#include <fmt/format.h>

#include "number_format.hpp"
#include "text_table.hpp"

namespace dromos::driver {

nlohmann::ordered_json to_json(const ComponentRun& run) {
  nlohmann::ordered_json json = {{"algorithm", run.algorithm}};
  if (!run.method.empty()) json["method"] = run.method;
  json["strategy"] = run.strategy;
  json["num_components"] = run.components.num_components;
  json["num_nontrivial"] = run.components.num_nontrivial;
  json["largest_component"] = run.components.largest_component;
  json["seconds"] = run.seconds;
  json["edges"] = run.edges;
  json[run.rate] = run.edges_per_second() / 1e9;
  json["valid"] = nullptr;
  if (run.valid) json["valid"] = *run.valid;
  if (!run.message.empty()) json["message"] = run.message;
  if (run.details.is_object()) json.update(run.details);
  if (!run.steps.empty()) {
    auto& steps = json["steps"] = nlohmann::ordered_json::array();
    for (const ComponentStep& step : run.steps) {
      steps.push_back(
          {{"step", step.name}, {"settled", step.num_settled}, {"sweeps", step.num_sweeps}, {"seconds", step.seconds}});
    }
  }
  return json;
}

std::string table_of(const std::vector<ComponentRun>& runs, const std::string& components, const std::string& rate) {
  const bool has_methods = !runs.empty() && !runs.front().method.empty();
  std::vector<TextTable::Column> columns;
  if (has_methods) columns.push_back({"method", TextTable::Align::left});
  columns.push_back({"strategy", TextTable::Align::left});
  for (const std::string& title : {components, std::string("non-trivial"), std::string("largest"), std::string("time"),
                                   rate, std::string("valid")}) {
    columns.push_back({title});
  }
  TextTable table(columns);
  for (const ComponentRun& run : runs) {
    std::vector<std::string> cells;
    if (has_methods) cells.push_back(run.method);
    cells.push_back(run.strategy);
    cells.push_back(with_separators(run.components.num_components));
    cells.push_back(with_separators(run.components.num_nontrivial));
    cells.push_back(with_separators(run.components.largest_component));
    cells.push_back(duration(run.seconds));
    cells.push_back(si_number(run.edges_per_second()));
    cells.push_back(!run.valid ? "-" : *run.valid ? "yes" : "NO");
    table.add_row(cells);
  }
  return table.str();
}

std::string steps_of(const ComponentRun& run) {
  TextTable table({{"  step", TextTable::Align::left}, {"settled"}, {"sweeps"}, {"time"}});
  for (const ComponentStep& step : run.steps) {
    table.add_row({"  " + step.name, with_separators(step.num_settled), with_separators(step.num_sweeps),
                   duration(step.seconds)});
  }
  return fmt::format("\n{}\n{}", run.label(), table.str());
}

}  // namespace dromos::driver
