// SPDX-License-Identifier: BSD-3-Clause
// What somebody most likely meant who wrote a name that does not exist: for error messages about options, parameters,
// methods and files.
#pragma once

#include <dromos/core/error.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dromos {

/// The candidate that `word` was most likely meant to be, or nothing when none is close. Close: a few insertions,
/// deletions and replacements of characters away (a third of them, and two at least), or cut short.
std::optional<std::string> nearest_name(const std::string& word, const std::vector<std::string>& candidates);

/// What follows "there is no X 'word'": ": did you mean A? There are A, B, C" or "; there are A, B, C".
std::string choice_hint(const std::string& word, const std::vector<std::string>& candidates);

/// That of `values` whose name this is; throws ArgumentError that lists the names there are.
///
/// \param what     "method for connected components"
/// \param name_of  the name of a value
template <class Value, class NameOf>
Value value_from_name(const std::string& what, const std::vector<Value>& values, const NameOf& name_of,
                      const std::string& name) {
  std::string names;
  for (const Value& value : values) {
    if (name_of(value) == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name_of(value));
  }
  throw ArgumentError("no " + what + " is called '" + name + "'; there are " + names);
}

}  // namespace dromos
