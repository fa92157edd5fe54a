// SPDX-License-Identifier: BSD-3-Clause
#include "usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dromos::driver {
namespace {

/// Insertions, deletions and replacements that lead from a to b (Levenshtein, one row of the table at a time).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

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
    const auto found = nearest(name, option_names(parser));
    return fmt::format("there is no option {}{} ({} lists the options)", name,
                       found ? "; did you mean " + *found + "?" : std::string(), help);
  }
  const auto subcommands = subcommand_names(parser);
  if (!subcommands.empty()) return fmt::format("there is no subcommand '{}'{}", word, choice_hint(word, subcommands));
  return fmt::format("'{}' is one argument too many ({} shows what is expected)", word, help);
}

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // What was cut short is close, however much is missing.
    const bool is_start = word.size() > 3 && candidate.compare(0, word.size(), word) == 0;
    const std::size_t distance = is_start ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string choice_hint(const std::string& word, const std::vector<std::string>& candidates) {
  const auto found = nearest(word, candidates);
  const std::string list = fmt::format("{}", fmt::join(candidates, ", "));
  return found ? fmt::format(": did you mean {}? There are {}", *found, list) : "; there are " + list;
}

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
