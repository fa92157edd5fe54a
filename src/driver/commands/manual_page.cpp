// SPDX-License-Identifier: BSD-3-Clause
#include "driver/commands/manual_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace dromos::driver {
namespace {

/// Text for troff: a backslash and a hyphen are its own signs, and so is a period at the start of a line.
std::string escaped(const std::string& text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    at_start = c == '\n';
  }
  return result;
}

std::string title(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// Lines as they are.
std::string verbatim(const std::string& text) { return fmt::format(".nf\n{}\n.fi\n", escaped(text)); }

std::string describe(const OptionText& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + escaped(name) + "\\fR");
  const std::string value = option.value_name.empty() ? "" : " \\fI" + escaped(option.value_name) + "\\fR";
  const std::string description = option.description.empty() ? "\\&" : escaped(option.description);
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, description);
}

/// Options under their headings, in the order in which these first occur; arguments first.
std::string describe_options(const ArgumentParser& parser) {
  const std::vector<OptionText> options = parser.options();
  std::string text;
  for (const OptionText& option : options) {
    if (option.positional) text += describe(option);
  }
  std::vector<std::string> groups;
  for (const OptionText& option : options) {
    if (option.positional || std::find(groups.begin(), groups.end(), option.group) != groups.end()) continue;
    groups.push_back(option.group);
    text += fmt::format(".PP\n\\fI{}:\\fR\n", escaped(option.group));
    for (const OptionText& member : options) {
      if (!member.positional && member.group == option.group) text += describe(member);
    }
  }
  return text;
}

std::string synopsis(const ArgumentParser& program, const ArgumentParser& command) {
  std::string arguments;
  for (const OptionText& option : command.options()) {
    if (option.positional) arguments += " \\fI" + escaped(option.names.front()) + "\\fR";
  }
  return fmt::format("\\fB{} {}\\fR [\\fIOPTIONS\\fR]{}\n", program.name(), command.name(), arguments);
}

}  // namespace

std::string manual_page(const ArgumentParser& program, const std::string& version) {
  const std::vector<ArgumentParser> commands = program.subcommands();
  const std::string name = program.name();
  std::string page = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", title(name), name, escaped(version));
  page += fmt::format(".SH NAME\n{} \\- graph traversal on CPUs and GPUs\n.SH SYNOPSIS\n", name);
  for (const ArgumentParser& command : commands) page += synopsis(program, command) + ".br\n";
  page += fmt::format("\\fB{}\\fR [\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR]\n", name);
  page += ".SH DESCRIPTION\n" + escaped(program.description()) + "\n.SH OPTIONS\n" + describe_options(program);
  page += ".SH SUBCOMMANDS\n";
  for (const ArgumentParser& command : commands) {
    page += fmt::format(".SS \"{} {}\"\n{}\n.PP\n", name, command.name(), escaped(command.description()));
    page += synopsis(program, command) + describe_options(command);
    if (!command.footer().empty()) page += ".PP\n" + verbatim(command.footer());
  }
  return page + ".SH EXAMPLES AND EXIT STATUS\n" + verbatim(program.footer());
}

}  // namespace dromos::driver
