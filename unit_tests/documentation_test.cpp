// SPDX-License-Identifier: BSD-3-Clause
// The commands that the documentation shows do what they are shown to do: every line "    $ build/bin/dromos ..." of
// README.md and doc/ is run as printed, page by page in one folder, and ends with exit code 0, or with the one that the
// page shows below it ("    $ echo $?").
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

struct ShownCommand {
  std::string arguments;
  int exit_code = 0;
};

std::vector<ShownCommand> shown_commands(const std::filesystem::path& page) {
  const std::string prompt = "    $ ", program = prompt + "build/bin/dromos ", question = prompt + "echo $?";
  std::vector<ShownCommand> commands;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, program.size(), program) == 0) {
      commands.push_back({line.substr(program.size()), 0});
    } else if (line == question && !commands.empty() && std::getline(file, line)) {
      commands.back().exit_code = std::stoi(line);
    }
  }
  return commands;
}

std::size_t run_commands_of(const std::filesystem::path& page) {
  const RunDromos dromos;
  EXPECT_EQ(dromos.shell("ln -s '" DROMOS_INPUTS_DIR "' inputs").exit_code, 0);
  const std::vector<ShownCommand> commands = shown_commands(page);
  for (const ShownCommand& command : commands) {
    const Outcome outcome = dromos.run(command.arguments);
    EXPECT_EQ(outcome.exit_code, command.exit_code) << page << ": dromos " << command.arguments << "\n"
                                                    << outcome.error;
  }
  return commands.size();
}

const std::filesystem::path source_folder = std::filesystem::path(DROMOS_INPUTS_DIR).parent_path();

TEST(Documentation, CommandsOfTheReadmeRun) { EXPECT_GE(run_commands_of(source_folder / "README.md"), 1u); }

TEST(Documentation, CommandsOfEveryPageRun) {
  std::size_t num_commands = 0;
  for (const auto& page : std::filesystem::directory_iterator(source_folder / "doc")) {
    if (page.path().extension() == ".md") num_commands += run_commands_of(page.path());
  }
  EXPECT_GE(num_commands, 10u);
}

}  // namespace
}  // namespace dromos::test
