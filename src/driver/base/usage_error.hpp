// SPDX-License-Identifier: BSD-3-Clause
// From what the parser of the command line found wrong to one line that says what to do.
#pragma once

#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// One line without "dromos: error: ".
std::string describe_usage_error(const ArgumentParser& parser, const UsageError& error);

}  // namespace dromos::driver
