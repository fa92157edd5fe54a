// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/table_columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "io/text/scan.hpp"

namespace dromos::io {
namespace {

std::string lower_case_of(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool is_whole_number(std::string_view field) {
  return !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return is_digit(c); });
}

struct EndNames {
  const char* source;
  const char* target;
};
constexpr std::array<EndNames, 7> usual_names = {{{"source", "target"},
                                                  {"src", "dst"},
                                                  {"from", "to"},
                                                  {"u", "v"},
                                                  {"node1", "node2"},
                                                  {"start", "end"},
                                                  {"fromnodeid", "tonodeid"}}};

}  // namespace

std::size_t find_column(const std::vector<std::string_view>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? no_column : static_cast<std::size_t>(found - names.begin());
}

bool find_usual_columns(const std::vector<std::string_view>& names, EndColumns& columns) {
  std::vector<std::string> lower;
  for (const std::string_view name : names) lower.push_back(lower_case_of(name));
  const std::vector<std::string_view> in_lower_case(lower.begin(), lower.end());
  for (const EndNames& ends : usual_names) {
    const std::size_t source = find_column(in_lower_case, ends.source);
    const std::size_t target = find_column(in_lower_case, ends.target);
    if (source == no_column || target == no_column) continue;
    columns.source = source;
    columns.target = target;
    for (const char* const weight : {"weight", "w", "value", "cost", "length"}) {
      if (columns.weight == no_column) columns.weight = find_column(in_lower_case, weight);
    }
    return true;
  }
  return false;
}

bool are_counted(const std::vector<std::string>& columns) {
  if (columns.size() > 3 || columns.size() < 2) {
    throw LineFault{
        nullptr,
        "expected two or three columns of the table, SOURCE,TARGET[,WEIGHT], found " + std::to_string(columns.size()),
        false};
  }
  return std::all_of(columns.begin(), columns.end(), [](const std::string& column) {
    return is_whole_number(column) && column.size() < 6 && std::stoul(column) > 0;
  });
}

std::string list_of(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view each : names) list += (list.empty() ? "" : ", ") + quoted(each);
  return list.size() > 300 ? list.substr(0, 300) + "..." : list;
}

}  // namespace dromos::io
