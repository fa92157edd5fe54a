// SPDX-License-Identifier: BSD-3-Clause
// dromos completion: a script for the shell.
#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>
#include <memory>
#include <string>

#include "driver/base/command.hpp"
#include "driver/commands/shell_completion.hpp"

namespace dromos::driver {
namespace {

constexpr const char* completion_footer = R"(Examples:
  source <(dromos completion bash)
      completes options, their values and file names in this shell
  dromos completion bash > ~/.local/share/bash-completion/completions/dromos
      and in those to come; cmake --install does so for all users
  source <(dromos completion zsh))";

}  // namespace

CommandAction declare_completion(ArgumentParser& parser) {
  parser.footer(completion_footer);
  const auto shell = std::make_shared<std::string>();
  parser.add_option("SHELL", *shell, "bash or zsh").value_name("").suggest({"bash", "zsh"});
  const ArgumentParser command = parser;
  return [shell, command] {
    if (*shell == "bash") {
      fmt::print("{}", bash_completion(command.program()));
    } else if (*shell == "zsh") {
      fmt::print("{}", zsh_completion(command.program()));
    } else if (shell->empty()) {
      throw ArgumentError("name the shell: bash or zsh");
    } else {
      throw ArgumentError(
          fmt::format("there is no completion for the shell '{}'{}", *shell, choice_hint(*shell, {"bash", "zsh"})));
    }
    return exit_fine;
  };
}

}  // namespace dromos::driver
