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

/// "; did you mean --relabel, --root or --roots?" for -r; empty where no option or too many begin so. Parameters of
/// generators, of which there are many, are not what people shorten.
std::string hint_of_letter(char letter, const ArgumentParser& parser) {
  std::vector<std::string> meant;
  for (const OptionText& option : parser.options()) {
    for (const std::string& name : option.names) {
      const bool begins = name.size() > 2 && name.compare(0, 2, "--") == 0 && name[2] == letter;
      if (begins && option.group != "Generated graph") meant.push_back(name);
    }
  }
  constexpr std::size_t most = 4;
  if (meant.empty() || meant.size() > most) return "";
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < meant.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == meant.size() ? " or " : ", ") + meant[i];
  }
  return text + "?";
}

/// What somebody meant who wrote an option that there is not.
std::string hint_of_option(const std::string& name, const ArgumentParser& parser) {
  if (name.size() == 2) return hint_of_letter(name[1], parser);
  const auto found = nearest_name(name[1] == '-' ? name : "-" + name, option_names(parser));
  return found ? "; did you mean " + *found + "?" : std::string();
}

std::vector<std::string> subcommand_names(const ArgumentParser& parser) {
  std::vector<std::string> names;
  for (const ArgumentParser& subcommand : parser.subcommands()) names.push_back(subcommand.name());
  return names;
}

std::string describe_unexpected(const ArgumentParser& parser, const std::string& word, const std::string& help) {
  if (word.size() > 1 && word[0] == '-') {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("there is no option {}{} ({} lists the options)", name, hint_of_option(name, parser), help);
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
