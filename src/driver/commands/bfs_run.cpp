// SPDX-License-Identifier: BSD-3-Clause
#include "driver/commands/bfs_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "command_line/wrapped_text.hpp"
#include "driver/base/number_format.hpp"
#include "driver/reports/run_statistics.hpp"

namespace dromos::driver {
namespace {

std::string describe_valid(const BfsRun& run) { return !run.valid ? "-" : *run.valid ? "yes" : "NO"; }

/// As wide as any figure of this graph can be.
std::vector<TextTable::Column> columns_of(const std::vector<std::string>& strategies,
                                          const std::vector<std::int64_t>& roots, const GraphSummary& summary) {
  std::size_t strategy_width = 0, root_width = 0;
  for (const std::string& strategy : strategies) strategy_width = std::max(strategy_width, strategy.size());
  for (const std::int64_t root : roots) root_width = std::max(root_width, std::to_string(root).size());
  if (roots.size() > 1) root_width = std::max(root_width, std::string("median").size());
  return {{"strategy", TextTable::Align::left, strategy_width},
          {"root", TextTable::Align::right, root_width},
          {"reached", TextTable::Align::right, with_separators(summary.num_vertices).size()},
          {"depth"},
          {"edges", TextTable::Align::right, with_separators(summary.num_edges).size()},
          {"time", TextTable::Align::right, longest_duration},
          {"TEPS", TextTable::Align::right, longest_si_number},
          {"valid"}};
}

}  // namespace

nlohmann::ordered_json to_json(const BfsRun& run) {
  auto levels = nlohmann::ordered_json::array();
  auto details = nlohmann::ordered_json::array();
  for (const BfsLevel& level : run.statistics.levels) {
    levels.push_back(level.frontier_size);
    details.push_back({{"frontier", level.frontier_size},
                       {"arcs", level.frontier_edges},
                       {"direction", level.backward ? "backward" : "forward"},
                       {"seconds", level.seconds}});
  }
  nlohmann::ordered_json json = {{"algorithm", run.algorithm},
                                 {"strategy", run.strategy},
                                 {"root", run.root},
                                 {"reached", run.statistics.num_reached},
                                 {"depth", run.statistics.depth},
                                 {"levels", levels},
                                 {"seconds", run.statistics.seconds},
                                 {"edges", run.edges},
                                 {"gteps", run.teps() / 1e9},
                                 {"valid", nullptr}};
  if (run.valid) json["valid"] = *run.valid;
  if (!run.message.empty()) json["message"] = run.message;
  if (run.num_ranks > 1) json["num_ranks"] = run.num_ranks;
  json["level_details"] = details;
  return json;
}

BfsTable::BfsTable(const std::vector<std::string>& strategies, const std::vector<std::int64_t>& roots,
                   const GraphSummary& summary, GrowingTable::Print print)
    : num_roots_(roots.size()), table_(columns_of(strategies, roots, summary), std::move(print)) {}

void BfsTable::add(const BfsRun& run) {
  if (needs_gap_) table_.add_gap();
  needs_gap_ = false;
  strategy_ = run.strategy;
  seconds_.push_back(run.statistics.seconds);
  teps_.push_back(run.teps());
  table_.add_row({run.strategy, std::to_string(run.root), with_separators(run.statistics.num_reached),
                  with_separators(run.statistics.depth), with_separators(run.edges), duration(run.statistics.seconds),
                  si_number(run.teps()), describe_valid(run)});
  if (seconds_.size() == num_roots_) add_median();
}

void BfsTable::add_median() {
  if (num_roots_ > 1) {
    table_.add_row({strategy_, "median", "", "", "", duration(SampleStatistics(seconds_).median),
                    si_number(SampleStatistics(teps_).median)});
    needs_gap_ = true;
  }
  seconds_.clear();
  teps_.clear();
}

void BfsTable::finish() {
  if (!seconds_.empty()) add_median();
}

std::string level_sizes_of(const std::vector<BfsRun>& runs, std::size_t num_roots) {
  std::string text;
  for (std::size_t i = 0; i < std::min(num_roots, runs.size()); ++i) {
    if (i > 0 && runs[i].root == runs[i - 1].root) continue;  // searched from again
    std::string sizes;
    for (const BfsLevel& level : runs[i].statistics.levels) sizes += with_separators(level.frontier_size) + " ";
    text += fmt::format("\n  vertices on each level, from root {}:\n{}", runs[i].root, wrapped_text(sizes, 4));
  }
  return text;
}

nlohmann::ordered_json level_profile(const std::vector<BfsRun>& runs, std::size_t num_roots, const std::string& graph) {
  auto searches = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < std::min(num_roots, runs.size()); ++i) {
    if (i > 0 && runs[i].root == runs[i - 1].root) continue;  // searched from again
    auto vertices = nlohmann::ordered_json::array(), arcs = nlohmann::ordered_json::array();
    for (const BfsLevel& level : runs[i].statistics.levels) {
      vertices.push_back(level.frontier_size);
      arcs.push_back(level.frontier_edges);
    }
    searches.push_back({{"root", runs[i].root}, {"vertices", vertices}, {"arcs", arcs}});
  }
  return {{"kind", "levels"}, {"graph", graph}, {"searches", searches}};
}

}  // namespace dromos::driver
