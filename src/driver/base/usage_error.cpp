// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/usage_error.hpp"

#include <fmt/format.h>

#include <dromos/core/nearest_name.hpp>
#include <string>
#include <vector>

namespace dromos::driver {
namespace {

std::vector<std::string> option_names(const ArgumentParser& parser) {
  std::vector<std::string> names;
  for (const OptionText& option : parser.options()) {
    for (const std::string& name : option.names) {
      if (name.compare(0, 2, "--") == 0) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> subcommand_names(const ArgumentParser& parser) {
  std::vector<std::string> names;
  for (const ArgumentParser& subcommand : parser.subcommands()) names.push_back(subcommand.name());
  return names;
}

std::string describe_unexpected(const ArgumentParser& parser, const std::string& word, const std::string& help) {
  if (word.size() > 1 && word[0] == '-') {
    const std::string name = word.substr(0, word.find('='));
    const auto found = nearest_name(name, option_names(parser));
    return fmt::format("there is no option {}{} ({} lists the options)", name,
                       found ? "; did you mean " + *found + "?" : std::string(), help);
  }
  const auto subcommands = subcommand_names(parser);
  if (!subcommands.empty()) return fmt::format("there is no subcommand '{}'{}", word, choice_hint(word, subcommands));
  return fmt::format("'{}' is one argument too many ({} shows what is expected)", word, help);
}

}  // namespace

std::string describe_usage_error(const ArgumentParser& parser, const UsageError& error) {
  const auto subcommand = parser.parsed_subcommand();
  const ArgumentParser& where = subcommand ? *subcommand : parser;
  const std::string help = subcommand ? "dromos " + where.name() + " --help" : "dromos --help";
  if (error.kind() == UsageError::Kind::unexpected_words) {
    const auto words = where.unexpected_words();
    if (!words.empty()) return describe_unexpected(where, words.front(), help);
  }
  std::string message = error.what();
  if (error.kind() == UsageError::Kind::missing_value)
    message = message.substr(0, message.find(':')) + " needs a value";
  return message + " (" + help + " tells more)";
}

}  // namespace dromos::driver
