// SPDX-License-Identifier: BSD-3-Clause
// dromos compare: results of several machines as one table, and as a plot.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

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
  dromos compare 'CPU=*-host.json' 'GPU=*-device.json' --plot rates.svg
      all files of such names; every method and strategy as a bar (needs python3 with matplotlib)
  dromos compare --by threads 'host=threads-*.json' --plot scaling.pdf
      results with different numbers of threads: a column each, and rates over threads on logarithmic axes

A file without PLATFORM= stands for a platform of its own, called like the file. The first algorithm found (scc before
all others), or that of --algorithm, has its rates shown; of every other one the table shows how much faster the last
platform is than the one before it. Rates are 10^9 edges a second where a result has them, otherwise runs a second;
medians over repeated runs, and for graph500 (graph500-bfs, graph500-sssp) harmonic means over the searches. Geometric
means are over the graphs that every platform has a rate for.)";

struct CompareCommand {
  std::vector<std::string> files;
  std::string algorithm;
  std::string by;
  PlotOptions plot;

  Scaling scaling() const {
    if (by.empty()) return Scaling::none;
    if (by == "threads") return Scaling::threads;
    if (by == "ranks") return Scaling::ranks;
    throw ArgumentError("--by: expected threads or ranks, found '" + by + "'" + choice_hint(by, {"threads", "ranks"}));
  }
};

struct PlatformFiles {
  std::string platform;
  std::vector<std::string> paths;
};

/// The files of a pattern, sorted; a name that is none stands for itself, as does a file with such a name.
///
/// Shells expand patterns only where a word as a whole names files, which PLATFORM=*.json does not.
std::vector<std::string> files_of_pattern(const std::string& word, const std::string& pattern) {
  if (pattern.find_first_of("*?[") == std::string::npos || std::filesystem::exists(pattern)) return {pattern};
  glob_t found = {};
  const int outcome = glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + (outcome == 0 ? found.gl_pathc : 0));
  globfree(&found);
  if (paths.empty()) throw ArgumentError(fmt::format("'{}': there is no file of such a name", word));
  return paths;
}

/// "CPU=host.json": the platform and the file; "CPU=*.json": files.
PlatformFiles split(const std::string& word) {
  const std::size_t sign = word.find('=');
  if (sign == std::string::npos || std::filesystem::exists(word)) {
    return {std::filesystem::path(word).stem().string(), {word}};
  }
  if (sign == 0) throw ArgumentError(fmt::format("'{}': a platform has no name; expected PLATFORM=FILE", word));
  return {word.substr(0, sign), files_of_pattern(word, word.substr(sign + 1))};
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
  comparison.tell_apart(command.scaling());
  for (const std::string& word : command.files) {
    const auto [platform, paths] = split(word);
    for (const std::string& path : paths) {
      check_distinct({{"FILES", path}, {"--plot", command.plot.path, true}});
      comparison.add(platform, path);
    }
  }
  if (comparison.num_invalid() > 0) {
    say_error(fmt::format("dromos: left out {} that failed validation\n",
                          comparison.num_invalid() == 1 ? "a run" : fmt::format("{} runs", comparison.num_invalid())));
  }
  if (comparison.algorithms().empty())
    throw ArgumentError("every run of the files failed its validation: nothing is left to compare");
  const std::string algorithm = chosen_algorithm(command.algorithm, comparison.algorithms());
  fmt::print("{}: best method and strategy of each platform, {}\n{}", algorithm, comparison.describe_rates(algorithm),
             comparison.to_text(algorithm));
  if (command.plot.wanted()) {
    flush_standard_output();
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
  parser
      .add_option("--by", command->by,
                  "threads or ranks: each number of them is a column, and --plot draws how rates scale")
      .value_name("NAME")
      .suggest({"threads", "ranks"});
  command->plot.declare(parser, "The rates of this algorithm");
  return [command] { return run_compare(*command); };
}

}  // namespace dromos::driver
