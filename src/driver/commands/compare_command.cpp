// SPDX-License-Identifier: BSD-3-Clause
// dromos compare: results of several machines as one table, and as a plot.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/reports/comparison.hpp"
#include "driver/reports/plot.hpp"

namespace dromos::driver {
namespace {

constexpr const char* compare_footer = R"(Examples:
  dromos scc --strategy all --json host.json web-NotreDame.txt.xz
      on each machine, for each graph
  dromos compare CPU=host.json GPU=device.json
      a row a graph, a column a machine: the rate of the best method and strategy there
  dromos compare CPU=notredame-host.json CPU=epinions-host.json GPU=*-device.json --plot rates.svg
      several files of one machine; every method and strategy as a bar (needs python3 with matplotlib)

A file without PLATFORM= stands for a platform of its own, called like the file. Rates are 10^9 edges a second, medians
over repeated runs. The first algorithm found (scc before all others), or that of --algorithm, has its rates shown; of
every other one the table shows how much faster the last platform is than the one before it.)";

struct CompareCommand {
  std::vector<std::string> files;
  std::string algorithm;
  PlotOptions plot;
};

/// "CPU=host.json": the platform and the file.
std::pair<std::string, std::string> split(const std::string& word) {
  const std::size_t sign = word.find('=');
  if (sign == std::string::npos || std::filesystem::exists(word)) {
    return {std::filesystem::path(word).stem().string(), word};
  }
  if (sign == 0) throw ArgumentError(fmt::format("'{}': a platform has no name; expected PLATFORM=FILE", word));
  return {word.substr(0, sign), word.substr(sign + 1)};
}

std::string chosen_algorithm(const std::string& asked, const std::vector<std::string>& all) {
  const auto has = [&](const std::string& name) { return std::find(all.begin(), all.end(), name) != all.end(); };
  if (asked.empty()) return has("scc") ? "scc" : all.front();
  if (!has(asked)) {
    throw ArgumentError(fmt::format("--algorithm: no run of the files is of '{}'{}", asked, choice_hint(asked, all)));
  }
  return asked;
}

int run_compare(const CompareCommand& command) {
  if (command.files.empty()) throw ArgumentError("name the result files to compare: PLATFORM=FILE, several of them");
  command.plot.check();
  Comparison comparison;
  for (const std::string& word : command.files) {
    const auto [platform, path] = split(word);
    check_distinct({{"FILES", path}}, {{"--plot", command.plot.path}});
    comparison.add(platform, path);
  }
  if (comparison.num_invalid() > 0) {
    say_error(fmt::format("dromos: left out {} that failed validation\n",
                          comparison.num_invalid() == 1 ? "a run" : fmt::format("{} runs", comparison.num_invalid())));
  }
  if (comparison.algorithms().empty())
    throw ArgumentError("every run of the files failed its validation: nothing is left to compare");
  const std::string algorithm = chosen_algorithm(command.algorithm, comparison.algorithms());
  fmt::print("{}: best method and strategy of each platform\n{}", algorithm, comparison.to_text(algorithm));
  if (command.plot.wanted()) {
    std::fflush(stdout);
    command.plot.draw(comparison.series(algorithm));
  }
  return exit_fine;
}

}  // namespace

CommandAction declare_compare(ArgumentParser& parser) {
  parser.footer(compare_footer);
  const auto command = std::make_shared<CompareCommand>();
  parser.add_option("FILES", command->files, "Result files: [PLATFORM=]FILE ...").value_name("");
  parser.add_option("--algorithm", command->algorithm, "Whose rates: scc, bfs, cc, ... (default: the first found)")
      .value_name("NAME");
  command->plot.declare(parser, "The rates of this algorithm");
  return [command] { return run_compare(*command); };
}

}  // namespace dromos::driver
