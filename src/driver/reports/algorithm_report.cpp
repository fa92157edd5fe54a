// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/algorithm_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/base/number_format.hpp"

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

RunTable::RunTable(std::size_t num_runs, const std::vector<std::string>& methods,
                   const std::vector<std::string>& strategies, GrowingTable::Print print)
    : has_more_(num_runs > 1), print_(std::move(print)) {
  for (const std::string& method : methods) method_width_ = std::max(method_width_, method.size());
  for (const std::string& strategy : strategies) strategy_width_ = std::max(strategy_width_, strategy.size());
}

void RunTable::add(const AlgorithmRun& run) {
  const bool has_methods = !run.method.empty();
  std::vector<TextTable::Column> columns;
  std::vector<std::string> cells;
  const auto add_cell = [&](const std::string& title, const std::string& text, TextTable::Align align,
                            std::size_t width) {
    columns.push_back({title, align, std::max(text.size(), width)});
    cells.push_back(text);
  };
  if (has_methods) add_cell("method", run.method, TextTable::Align::left, method_width_);
  add_cell("strategy", run.strategy, TextTable::Align::left, strategy_width_);
  const std::size_t more = has_more_ ? 2 : 0;
  for (const TableCell& cell : run.cells) {
    add_cell(cell.title, cell.text, TextTable::Align::right, cell.text.size() + more);
  }
  add_cell("time", duration(run.seconds), TextTable::Align::right, has_more_ ? longest_duration : 0);
  if (!run.rate.empty()) {
    add_cell(run.rate == "gteps" ? "TEPS" : "edges/s", si_number(run.edges_per_second()), TextTable::Align::right,
             has_more_ ? longest_si_number : 0);
  }
  add_cell("valid", !run.valid ? "-" : *run.valid ? "yes" : "NO", TextTable::Align::right, 0);
  if (!table_) table_.emplace(columns, print_);
  table_->add_row(cells);
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
