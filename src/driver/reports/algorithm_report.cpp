// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/algorithm_report.hpp"

#include <fmt/format.h>

#include "driver/base/number_format.hpp"
#include "driver/base/text_table.hpp"

namespace dromos::driver {

void AlgorithmRun::add(const std::string& member, std::int64_t value, const std::string& title) {
  results[member] = value;
  cells.push_back({title, with_separators(value)});
}

void add_components(AlgorithmRun& run, const ComponentSummary& components, const std::string& title) {
  run.add("num_components", components.num_components, title);
  run.add("num_nontrivial", components.num_nontrivial, "non-trivial");
  run.add("largest_component", components.largest_component, "largest");
}

nlohmann::ordered_json to_json(const AlgorithmRun& run) {
  nlohmann::ordered_json json = {{"algorithm", run.algorithm}};
  if (!run.method.empty()) json["method"] = run.method;
  json["strategy"] = run.strategy;
  json.update(run.results);
  json["seconds"] = run.seconds;
  if (!run.rate.empty()) {
    json["edges"] = run.edges;
    json[run.rate] = run.edges_per_second() / 1e9;
  }
  json["valid"] = nullptr;
  if (run.valid) json["valid"] = *run.valid;
  if (!run.message.empty()) json["message"] = run.message;
  if (run.details.is_object()) json.update(run.details);
  if (!run.steps.empty()) {
    auto& steps = json["steps"] = nlohmann::ordered_json::array();
    for (const AlgorithmStep& step : run.steps) {
      steps.push_back(
          {{"step", step.name}, {"settled", step.num_settled}, {"sweeps", step.num_sweeps}, {"seconds", step.seconds}});
    }
  }
  return json;
}

std::string table_of(const std::vector<AlgorithmRun>& runs) {
  if (runs.empty()) return {};
  const bool has_methods = !runs.front().method.empty();
  const std::string rate = runs.front().rate;
  std::vector<TextTable::Column> columns;
  if (has_methods) columns.push_back({"method", TextTable::Align::left});
  columns.push_back({"strategy", TextTable::Align::left});
  for (const TableCell& cell : runs.front().cells) columns.push_back({cell.title});
  columns.push_back({"time"});
  if (!rate.empty()) columns.push_back({rate == "gteps" ? "TEPS" : "edges/s"});
  columns.push_back({"valid"});
  TextTable table(columns);
  for (const AlgorithmRun& run : runs) {
    std::vector<std::string> cells;
    if (has_methods) cells.push_back(run.method);
    cells.push_back(run.strategy);
    for (const TableCell& cell : run.cells) cells.push_back(cell.text);
    cells.push_back(duration(run.seconds));
    if (!rate.empty()) cells.push_back(si_number(run.edges_per_second()));
    cells.push_back(!run.valid ? "-" : *run.valid ? "yes" : "NO");
    table.add_row(cells);
  }
  return table.str();
}

std::string steps_of(const AlgorithmRun& run) {
  TextTable table({{"  step", TextTable::Align::left}, {"settled"}, {"sweeps"}, {"time"}});
  for (const AlgorithmStep& step : run.steps) {
    table.add_row({"  " + step.name, with_separators(step.num_settled), with_separators(step.num_sweeps),
                   duration(step.seconds)});
  }
  return fmt::format("\n{}\n{}", run.label(), table.str());
}

}  // namespace dromos::driver
