// SPDX-License-Identifier: BSD-3-Clause
#include "option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

namespace dromos::driver {
namespace {

std::string range(std::int64_t least, std::int64_t most) {
  return most == no_limit ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most);
}

}  // namespace

std::int64_t parse_integer(const std::string& option, const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw CLI::ValidationError(option,
                               fmt::format("expected a whole number {}, found '{}'", range(least, most), text));
  }
  return value;
}

CLI::Option* add_integer(CLI::App& app, const std::string& name, std::int64_t& value, const std::string& description,
                         std::int64_t least, std::int64_t most) {
  return app
      .add_option_function<std::string>(
          name, [&value, name, least, most](const std::string& text) { value = parse_integer(name, text, least, most); },
          description)
      ->type_name("N")
      ->default_str(std::to_string(value));
}

CLI::Option* add_integer(CLI::App& app, const std::string& name, std::optional<std::int64_t>& value,
                         const std::string& description, std::int64_t least, std::int64_t most) {
  return app
      .add_option_function<std::string>(
          name, [&value, name, least, most](const std::string& text) { value = parse_integer(name, text, least, most); },
          description)
      ->type_name("N");
}

CLI::Option* add_integers(CLI::App& app, const std::string& name, std::vector<std::int64_t>& values,
                          const std::string& description, std::int64_t least, std::int64_t most) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [&values, name, least, most](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              for (const std::string& part : split_at_commas(text)) {
                values.push_back(parse_integer(name, part, least, most));
              }
            }
          },
          description)
      ->type_name("N")
      ->type_size(1)
      ->expected(1)
      ->allow_extra_args(false)  // what follows may be the file
      ->take_all();
}

CLI::Option* add_number(CLI::App& app, const std::string& name, double& value, const std::string& description,
                        double least, double most) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, name, least, most](const std::string& text) {
            char* end = nullptr;
            const double number = std::strtod(text.c_str(), &end);
            if (text.empty() || *end != '\0' || !(number >= least && number <= most)) {
              const bool open = most == std::numeric_limits<double>::max();
              throw CLI::ValidationError(
                  name, fmt::format("expected a number {}, found '{}'",
                                    open ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most),
                                    text));
            }
            value = number;
          },
          description)
      ->type_name("X")
      ->default_str(fmt::format("{}", value));
}

CLI::Option* add_probability(CLI::App& app, const std::string& name, std::optional<double>& value,
                             const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            char* end = nullptr;
            const double number = std::strtod(text.c_str(), &end);
            if (text.empty() || *end != '\0' || !(number >= 0 && number <= 1)) {
              throw CLI::ValidationError(name, fmt::format("expected a number from 0 to 1, found '{}'", text));
            }
            value = number;
          },
          description)
      ->type_name("P");
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(',', begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

}  // namespace dromos::driver
