// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

namespace dromos::driver {
namespace {

std::string range(std::int64_t least, std::int64_t most) {
  return most == no_limit ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most);
}

}  // namespace

std::int64_t parse_integer(const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw InvalidValue(fmt::format("expected a whole number {}, found '{}'", range(least, most), text));
  }
  return value;
}

ArgumentParser::Option add_repeat(ArgumentParser& parser, std::int64_t& num_repeats, const std::string& what) {
  return add_integer(parser, "--repeat", num_repeats, what, 1);
}

void check_repeat(std::int64_t num_repeats, bool asks_memory) {
  if (num_repeats == 1 || !asks_memory) return;
  throw ArgumentError("--repeat has no effect with --memory, which does nothing once; leave one of them out");
}

std::int64_t parse_vertex(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) {
    throw InvalidValue(
        fmt::format("expected a vertex id as the file has it (a whole number, 0 or more), found '{}'", text));
  }
  return value;
}

ArgumentParser::Option add_vertex(ArgumentParser& parser, const std::string& name, std::optional<std::int64_t>& value,
                                  const std::string& description) {
  return parser
      .add_parsed(
          name, [&value](const std::string& text) { value = parse_vertex(text); }, description)
      .value_name("ID");
}

ArgumentParser::Option add_vertices(ArgumentParser& parser, const std::string& name, std::vector<std::int64_t>& values,
                                    const std::string& description) {
  const auto take = [&values](const std::string& text) {
    for (const std::string& part : split_at_commas(text)) values.push_back(parse_vertex(part));
  };
  return parser.add_parsed_list(name, take, description).value_name("ID");
}

ArgumentParser::Option add_integer(ArgumentParser& parser, const std::string& name, std::int64_t& value,
                                   const std::string& description, std::int64_t least, std::int64_t most) {
  const auto take = [&value, least, most](const std::string& text) { value = parse_integer(text, least, most); };
  return parser.add_parsed(name, take, description).value_name("N").default_text(std::to_string(value));
}

ArgumentParser::Option add_integer(ArgumentParser& parser, const std::string& name, std::optional<std::int64_t>& value,
                                   const std::string& description, std::int64_t least, std::int64_t most) {
  const auto take = [&value, least, most](const std::string& text) { value = parse_integer(text, least, most); };
  return parser.add_parsed(name, take, description).value_name("N");
}

ArgumentParser::Option add_number(ArgumentParser& parser, const std::string& name, double& value,
                                  const std::string& description, double least, double most) {
  const auto take = [&value, least, most](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(number >= least && number <= most)) {
      const bool open = most == std::numeric_limits<double>::max();
      throw InvalidValue(
          fmt::format("expected a number {}, found '{}'",
                      open ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most), text));
    }
    value = number;
  };
  return parser.add_parsed(name, take, description).value_name("X").default_text(fmt::format("{}", value));
}

ArgumentParser::Option add_probability(ArgumentParser& parser, const std::string& name, std::optional<double>& value,
                                       const std::string& description) {
  const auto take = [&value](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(number >= 0 && number <= 1)) {
      throw InvalidValue(fmt::format("expected a number from 0 to 1, found '{}'", text));
    }
    value = number;
  };
  return parser.add_parsed(name, take, description).value_name("P");
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : list + " ") {
    if (c != ' ' && c != ',') {
      word += c;
      continue;
    }
    if (!word.empty() && word != "or" && word != "and") words.push_back(word);
    word.clear();
  }
  return words;
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
