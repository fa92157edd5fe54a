// SPDX-License-Identifier: BSD-3-Clause
#include "list_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <dromos/core/nearest_name.hpp>
#include <optional>
#include <sstream>

#include "list_writer.hpp"

namespace dromos::teuchos {
namespace {

/// The value as a T, or nothing where it is of another type. Marks it as used.
template <class T>
std::optional<T> value_as(const Teuchos::ParameterEntry& entry) {
  if (!entry.isType<T>()) return std::nullopt;
  return Teuchos::getValue<T>(entry);
}

template <class T>
void take_integer(const Teuchos::ParameterEntry& entry, std::optional<std::int64_t>& value) {
  const std::optional<T> found = value_as<T>(entry);
  if (found && (std::is_signed_v<T> || static_cast<std::uint64_t>(*found) <=
                                           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))) {
    value = static_cast<std::int64_t>(*found);
  }
}

/// A whole number of any integer type.
std::optional<std::int64_t> whole_number(const Teuchos::ParameterEntry& entry) {
  std::optional<std::int64_t> value;
  take_integer<int>(entry, value);
  take_integer<long>(entry, value);
  take_integer<long long>(entry, value);
  take_integer<unsigned>(entry, value);
  take_integer<unsigned long>(entry, value);
  take_integer<unsigned long long>(entry, value);
  return value;
}

std::optional<double> any_number(const Teuchos::ParameterEntry& entry) {
  if (const auto value = value_as<double>(entry)) return value;
  if (const auto value = value_as<float>(entry)) return static_cast<double>(*value);
  if (const auto value = whole_number(entry)) return static_cast<double>(*value);
  if (value_as<std::string>(entry) == "infinity") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::string path_of(const Teuchos::ParameterList& list) {
  return list.name() == "ANONYMOUS" ? std::string() : list.name();
}

}  // namespace

std::string describe_value(const Teuchos::ParameterEntry& entry) {
  if (entry.isList()) return "a sublist";
  std::ostringstream text;
  text << entry.getAny(false);
  if (entry.isType<std::string>()) return fmt::format("'{}' (a string)", text.str());
  if (entry.isType<bool>()) return fmt::format("{} (a bool)", Teuchos::getValue<bool>(entry));
  if (whole_number(entry)) return fmt::format("{} (a whole number)", text.str());
  if (any_number(entry)) return fmt::format("{} (a number)", text.str());
  return text.str();
}

ListReader::ListReader(const Teuchos::ParameterList& list) {
  levels_.emplace_back();
  levels_.back().path = path_of(list);
  levels_.back().list = &list;
}

const Teuchos::ParameterEntry* ListReader::find(const std::string& name) {
  Level& level = levels_.back();
  level.known.push_back(name);
  return level.list == nullptr ? nullptr : level.list->getEntryPtr(name);
}

void ListReader::refuse(const std::string& name, const Teuchos::ParameterEntry& entry, const std::string& expected) {
  const std::string& path = levels_.back().path;
  throw ArgumentError(fmt::format("parameter '{}'{}: expected {}, found {}", name,
                                  path.empty() ? std::string() : fmt::format(" of '{}'", path), expected,
                                  describe_value(entry)));
}

void ListReader::flag(const std::string& name, bool& value, const std::string&) {
  const auto* const entry = find(name);
  if (entry == nullptr) return;
  const auto found = value_as<bool>(*entry);
  if (!found) refuse(name, *entry, "true or false");
  value = *found;
}

void ListReader::integer(const std::string& name, std::int64_t& value, IntegerRange range, const std::string&) {
  const auto* const entry = find(name);
  if (entry == nullptr) return;
  const auto found = whole_number(*entry);
  if (!found || *found < range.least || *found > range.most) refuse(name, *entry, describe_range(range));
  value = *found;
}

void ListReader::number(const std::string& name, double& value, NumberRange range, const std::string&) {
  const auto* const entry = find(name);
  if (entry == nullptr) return;
  const auto found = any_number(*entry);
  const bool fits = found && *found >= range.least && (range.without_most ? *found < range.most : *found <= range.most);
  if (!fits) refuse(name, *entry, describe_range(range));
  value = *found;
}

void ListReader::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                        const std::string&) {
  const auto* const entry = find(name);
  if (entry == nullptr) return;
  const auto found = value_as<std::string>(*entry);
  if (!found) refuse(name, *entry, fmt::format("one of {}", fmt::join(choices, ", ")));
  if (std::find(choices.begin(), choices.end(), *found) == choices.end()) {
    refuse(name, *entry, fmt::format("one of {}", fmt::join(choices, ", ")));
  }
  value = *found;
}

void ListReader::open(const std::string& name, const std::string&, const std::string& short_form) {
  const auto* const entry = find(name);
  Level level;
  level.path = levels_.back().path.empty() ? name : levels_.back().path + " -> " + name;
  if (entry != nullptr && entry->isList()) {
    level.list = &Teuchos::getValue<Teuchos::ParameterList>(*entry);
  } else if (entry != nullptr) {
    const auto text = value_as<std::string>(*entry);
    if (short_form.empty() || !text) refuse(name, *entry, "a sublist");
    level.made = std::make_unique<Teuchos::ParameterList>(name);
    level.made->set(short_form, *text);
    level.list = level.made.get();
  }
  levels_.push_back(std::move(level));
}

void ListReader::close() {
  const Level& level = levels_.back();
  if (level.list != nullptr) {
    for (const auto& parameter : *level.list) {
      const std::string& name = parameter.first;
      if (std::find(level.known.begin(), level.known.end(), name) != level.known.end()) continue;
      throw ArgumentError(fmt::format("there is no parameter '{}'{}{}", name,
                                      level.path.empty() ? std::string() : fmt::format(" of '{}'", level.path),
                                      choice_hint(name, level.known)));
    }
  }
  levels_.pop_back();
}

}  // namespace dromos::teuchos
