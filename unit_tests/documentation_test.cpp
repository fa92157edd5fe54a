// SPDX-License-Identifier: BSD-3-Clause
// The commands that the documentation shows do what they are shown to do: every line "    $ dromos ..." of doc/, and
// "    $ build/bin/dromos ..." of README.md, is run as printed, page by page in one folder, and ends with exit code 0,
// or with the one that the page shows below it ("    $ echo $?"). The other commands that a page shows are for people
// to try, but for those of the tutorial: they are run too, and what they print must be what the page shows. Of what
// dromos prints there, times and rates are those of another run, and how wide columns are depends on them; the rest
// must be as shown.
#include <dromos/version.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

struct ShownCommand {
  std::string text;
  int exit_code = 0;
  std::string output;

  bool is_dromos() const { return text.rfind("dromos ", 0) == 0 || text.rfind("build/bin/dromos ", 0) == 0; }
};

std::vector<ShownCommand> shown_commands(const std::filesystem::path& page) {
  const std::string indentation(4, ' '), prompt = indentation + "$ ", question = prompt + "echo $?";
  std::vector<ShownCommand> commands;
  bool output = false;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line == question && !commands.empty() && std::getline(file, line)) {
      commands.back().exit_code = std::stoi(line);
    } else if (line.compare(0, prompt.size(), prompt) == 0) {
      commands.push_back({line.substr(prompt.size()), 0, ""});
      output = true;
    } else if (output && line.compare(0, indentation.size(), indentation) == 0) {
      commands.back().output += line.substr(indentation.size()) + "\n";
    } else if (!line.empty()) {  // output may have empty lines
      output = false;
    }
  }
  return commands;
}

/// Without what differs from run to run and from machine to machine.
std::string lasting_part_of(std::string text) {
  const std::pair<std::regex, const char*> replaced[] = {
      {std::regex("Kokkos [0-9.]+, [A-Za-z]+(, [0-9]+ threads?)?"), "KOKKOS"},
      {std::regex("[0-9][0-9.]* (ns|us|ms|s)(?![A-Za-z])"), "TIME"},
      {std::regex(" +"), " "},
      {std::regex("TIME [0-9][0-9.]*( [kMGT])? (yes|-)"), "TIME RATE $2"}};
  for (const auto& [pattern, replacement] : replaced) text = std::regex_replace(text, pattern, replacement);
  return text;
}

/// But for those that are empty, as pages show them where they like.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find_first_not_of(' ') != std::string::npos) lines.push_back(line);
  }
  return lines;
}

enum class Commands { of_dromos, all };

/// Returns how many were run.
std::size_t run_commands_of(const std::filesystem::path& page, Commands which) {
  const RunDromos dromos;
  EXPECT_EQ(dromos
                .shell("ln -s '" DROMOS_INPUTS_DIR "' inputs && mkdir -p build/bin && "
                       "ln -s '" DROMOS_PROGRAM "' build/bin/dromos")
                .exit_code,
            0);
  std::size_t num_commands = 0;
  for (const ShownCommand& command : shown_commands(page)) {
    if (which == Commands::of_dromos && !command.is_dromos()) continue;
    const Outcome outcome = dromos.shell("{ PATH=$PWD/build/bin:$PATH; " + command.text + "\n}");
    EXPECT_EQ(outcome.exit_code, command.exit_code) << page << ": " << command.text << "\n" << outcome.error;
    if (!command.is_dromos()) {
      EXPECT_EQ(outcome.out, command.output) << page << ": " << command.text;
    } else if (which == Commands::all) {
      EXPECT_EQ(lines_of(lasting_part_of(outcome.out + outcome.error)), lines_of(lasting_part_of(command.output)))
          << page << ": " << command.text;
    }
    ++num_commands;
  }
  return num_commands;
}

const std::filesystem::path source_folder = std::filesystem::path(DROMOS_INPUTS_DIR).parent_path();

TEST(Documentation, CommandsOfTheReadmeRun) {
  EXPECT_GE(run_commands_of(source_folder / "README.md", Commands::of_dromos), 1u);
}

TEST(Documentation, CommandsOfEveryPageRun) {
  std::size_t num_commands = 0;
  for (const auto& page : std::filesystem::directory_iterator(source_folder / "doc")) {
    if (page.path().extension() != ".md" || page.path().filename() == "tutorial.md") continue;
#ifndef DROMOS_ENABLE_HDF5
    if (page.path().filename() == "hdf5.md") continue;
#endif
    num_commands += run_commands_of(page.path(), Commands::of_dromos);
  }
  EXPECT_GE(num_commands, 10u);
}

/// The code of a page is that of a test.
void expect_compiled(const std::string& page_name, const std::string& test_name, int expected_blocks) {
  const auto text_of = [](const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  };
  const std::string page = text_of(std::string(DROMOS_DOC_DIR "/") + page_name);
  const std::string source = text_of(std::string(DROMOS_DOC_DIR "/../unit_tests/") + test_name);
  ASSERT_FALSE(source.empty());
  const std::string opens = "```cpp\n", closes = "```\n";
  int num_blocks = 0;
  for (std::size_t at = page.find(opens); at != std::string::npos; at = page.find(opens, at)) {
    at += opens.size();
    const std::size_t end = page.find(closes, at);
    ASSERT_NE(end, std::string::npos);
    const std::string block = page.substr(at, end - at);
    EXPECT_NE(source.find(block), std::string::npos) << "in no test:\n" << block;
    ++num_blocks;
  }
  EXPECT_EQ(num_blocks, expected_blocks);
}

TEST(Documentation, TheAlgorithmOfThePageIsCompiled) {
  expect_compiled("adding-an-algorithm.md", "adding_an_algorithm_test.cpp", 4);
}

TEST(Documentation, TheStrategyOfThePageIsCompiled) {
  expect_compiled("adding-a-strategy.md", "adding_a_strategy_test.cpp", 3);
}

TEST(Documentation, TheTutorialIsTrueToTheLetter) {
  if (RunDromos().run("--version").out.find("Cuda") != std::string::npos) {
    GTEST_SKIP() << "the tutorial shows a CPU, and a GPU takes other strategies by default";
  }
  EXPECT_GE(run_commands_of(source_folder / "doc" / "tutorial.md", Commands::all), 14u);
}

}  // namespace
}  // namespace dromos::test
