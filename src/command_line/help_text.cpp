// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/help_text.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "command_line/wrapped_text.hpp"

namespace dromos {
namespace {

constexpr std::size_t description_column = 24;

/// What is declared, and beside it, or below where it is long, what it means.
std::string entry(const std::string& left, const std::string& description) {
  std::string text = "  " + left;
  const std::string lines = wrapped_text(description, description_column);
  if (lines.empty()) return text + "\n";
  if (text.size() >= description_column) return text + "\n" + lines;
  text.resize(description_column, ' ');
  return text + lines.substr(description_column);
}

std::string left_side(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ",") + name;
  if (!option.value_name.empty()) text += " " + option.value_name;
  if (!option.default_text.empty()) text += "=" + option.default_text;
  if (option.repeats) text += " ...";
  return text;
}

std::string usage(const ArgumentParser& parser) {
  const std::string program = parser.program().name();
  std::string text = "Usage: " + program;
  if (parser.name() != program) text += " " + parser.name();
  text += " [OPTIONS]";
  for (const OptionText& option : parser.options()) {
    if (option.positional) text += " [" + option.names.front() + (option.repeats ? "..." : "") + "]";
  }
  if (!parser.subcommands().empty()) text += " [SUBCOMMAND]";
  return text + "\n";
}

}  // namespace

std::string help_text(const ArgumentParser& parser) {
  std::string text = parser.description() + "\n\n" + usage(parser);
  const std::vector<OptionText> options = parser.options();
  std::string positionals;
  std::vector<std::string> groups;
  for (const OptionText& option : options) {
    if (option.positional) {
      positionals += entry(left_side(option), option.description);
    } else if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  // What is particular to a command comes before what all of them share; the help itself is last.
  const auto rank = [](const std::string& group) {
    constexpr const char* shared[] = {
        "How edges are dealt out to threads", "Results", "Graph", "Several ranks", "Generated graph", "Options"};
    const auto place = std::find(std::begin(shared), std::end(shared), group);
    return place == std::end(shared) ? -1 : static_cast<int>(place - std::begin(shared));
  };
  const auto is_before = [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); };
  std::stable_sort(groups.begin(), groups.end(), is_before);
  if (!positionals.empty()) text += "\nPositionals:\n" + positionals;
  for (const std::string& group : groups) {
    text += "\n" + group + ":\n";
    for (const OptionText& option : options) {
      if (!option.positional && option.group == group) text += entry(left_side(option), option.description);
    }
  }
  if (!parser.subcommands().empty()) text += "\nSubcommands:\n";
  for (const ArgumentParser& subcommand : parser.subcommands()) {
    text += entry(subcommand.name(), subcommand.description());
  }
  if (!parser.footer().empty()) text += "\n" + parser.footer() + "\n";
  return text;
}

}  // namespace dromos
