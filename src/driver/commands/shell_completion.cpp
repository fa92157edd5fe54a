// SPDX-License-Identifier: BSD-3-Clause
// The script finds the subcommand among the words so far, and then asks three tables that are written into it, each a
// case statement over "subcommand" or "subcommand option":
//
//   its options       bfs) --help --root --roots ...
//   values of one     "bfs --strategy") vertex-chunk hierarchical ...; a file name where the value is one
//   its arguments     generate) kronecker erdos-renyi ...; everywhere else file names
#include "driver/commands/shell_completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace dromos::driver {
namespace {

/// Asks for the names of files.
constexpr const char* files = "@files";

std::string entry(const std::string& pattern, const std::string& variable, const std::string& words) {
  return fmt::format("    {}) {}=\"{}\" ;;\n", pattern, variable, words);
}

std::string option_words(const ArgumentParser& parser) {
  std::vector<std::string> names;
  for (const OptionText& option : parser.options()) {
    if (option.positional) continue;
    for (const std::string& name : option.names) {
      if (name.compare(0, 2, "--") == 0) names.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// What may follow the option, or stand at the argument's place; empty: nobody knows.
std::string value_words(const OptionText& option) {
  if (!option.suggestions.empty()) return fmt::format("{}", fmt::join(option.suggestions, " "));
  const bool is_file = option.positional || option.value_name == "FILE";
  return is_file ? files : "";
}

std::string options_table(const std::vector<ArgumentParser>& commands) {
  std::string table;
  for (const ArgumentParser& command : commands) table += entry(command.name(), "options", option_words(command));
  return table;
}

std::string values_table(const std::vector<ArgumentParser>& commands) {
  std::string table;
  for (const ArgumentParser& command : commands) {
    for (const OptionText& option : command.options()) {
      if (option.positional || option.is_flag) continue;
      for (const std::string& name : option.names) {
        table += entry(fmt::format("\"{} {}\"", command.name(), name), "values", value_words(option));
      }
    }
    // Whatever is left has no value: the word stands for itself.
    table += entry(fmt::format("\"{} \"*", command.name()), "takes_value", "");
  }
  return table;
}

std::string arguments_table(const std::vector<ArgumentParser>& commands) {
  std::string table;
  for (const ArgumentParser& command : commands) {
    std::vector<std::string> words;
    for (const OptionText& option : command.options()) {
      if (option.positional) words.push_back(value_words(option));
    }
    table += entry(command.name(), "arguments", fmt::format("{}", fmt::join(words, " ")));
  }
  return table;
}

constexpr const char* script = R"(# Completion of {name} for bash; made by: {name} completion bash
_{name}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command="" word options="" values="" arguments="" takes_value="yes" prefix="" i
  COMPREPLY=()
  # "--option=value" comes as three words.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    case " {commands} " in *" $word "*) command=$word && break ;; esac
  done
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W "{commands} {program_options}" -- "$current"))
    return
  fi
  case "$command" in
{options}  esac
  case "$command" in
{arguments}  esac
  case "$previous" in
    -*) case "$command $previous" in
{values}    esac ;;
    *) takes_value="" ;;
  esac
  if [ -z "$takes_value" ]; then
    case "$current" in
      -*) values=$options ;;
      *) values=$arguments ;;
    esac
  fi
  # Of a list, the part behind the last comma.
  case "$current" in
    *,*) prefix="${{current%,*}}," && current=${{current##*,}} ;;
  esac
  case " $values " in
    *" {files} "*) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -P "$prefix" -W "$values" -- "$current")) ;;
  esac
}}
complete -o filenames -o bashdefault -F _{name} {name}
)";

}  // namespace

std::string bash_completion(const ArgumentParser& program) {
  const std::vector<ArgumentParser> commands = program.subcommands();
  std::vector<std::string> names;
  for (const ArgumentParser& command : commands) names.push_back(command.name());
  return fmt::format(script, fmt::arg("name", program.name()), fmt::arg("commands", fmt::join(names, " ")),
                     fmt::arg("program_options", option_words(program)), fmt::arg("options", options_table(commands)),
                     fmt::arg("arguments", arguments_table(commands)), fmt::arg("values", values_table(commands)),
                     fmt::arg("files", files));
}

std::string zsh_completion(const ArgumentParser& program) {
  return fmt::format(
      "#compdef {}\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{}",
      program.name(), bash_completion(program));
}

}  // namespace dromos::driver
