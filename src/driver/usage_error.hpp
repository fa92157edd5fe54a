// SPDX-License-Identifier: BSD-3-Clause
// From what the parser of the command line found wrong to one line that says what to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// The candidate that `word` was most likely meant to be, or nothing when none is close.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates);

/// What follows "there is no X 'word'": ": did you mean A? There are A, B, C" or "; there are A, B, C".
std::string choice_hint(const std::string& word, const std::vector<std::string>& candidates);

/// One line without "dromos: error: ".
std::string describe_usage_error(const ArgumentParser& parser, const UsageError& error);

}  // namespace dromos::driver
