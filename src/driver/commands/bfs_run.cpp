// SPDX-License-Identifier: BSD-3-Clause
#include "driver/commands/bfs_run.hpp"

#include <fmt/format.h>

#include "command_line/wrapped_text.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/text_table.hpp"
#include "driver/reports/run_statistics.hpp"

namespace dromos::driver {
namespace {

std::string describe_valid(const BfsRun& run) { return !run.valid ? "-" : *run.valid ? "yes" : "NO"; }

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
  json["level_details"] = details;
  return json;
}

std::string table_of(const std::vector<BfsRun>& runs, std::size_t num_roots) {
  TextTable table({{"strategy", TextTable::Align::left},
                   {"root"},
                   {"reached"},
                   {"depth"},
                   {"edges"},
                   {"time"},
                   {"TEPS"},
                   {"valid"}});
  for (std::size_t first = 0; first < runs.size(); first += num_roots) {
    std::vector<double> seconds, teps;
    for (std::size_t i = first; i < first + num_roots; ++i) {
      const BfsRun& run = runs[i];
      seconds.push_back(run.statistics.seconds);
      teps.push_back(run.teps());
      table.add_row({run.strategy, std::to_string(run.root), with_separators(run.statistics.num_reached),
                     with_separators(run.statistics.depth), with_separators(run.edges),
                     duration(run.statistics.seconds), si_number(run.teps()), describe_valid(run)});
    }
    if (num_roots == 1) continue;
    table.add_row({runs[first].strategy, "median", "", "", "", duration(SampleStatistics(seconds).median),
                   si_number(SampleStatistics(teps).median)});
    if (first + num_roots < runs.size()) table.add_gap();
  }
  return table.str();
}

std::string level_sizes_of(const std::vector<BfsRun>& runs, std::size_t num_roots) {
  std::string text;
  for (std::size_t i = 0; i < num_roots; ++i) {
    if (i > 0 && runs[i].root == runs[i - 1].root) continue;  // searched from again
    std::string sizes;
    for (const BfsLevel& level : runs[i].statistics.levels) sizes += with_separators(level.frontier_size) + " ";
    text += fmt::format("\n  vertices on each level, from root {}:\n{}", runs[i].root, wrapped_text(sizes, 4));
  }
  return text;
}

nlohmann::ordered_json level_profile(const std::vector<BfsRun>& runs, std::size_t num_roots, const std::string& graph) {
  auto searches = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < num_roots; ++i) {
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
