// SPDX-License-Identifier: BSD-3-Clause
// What --help prints. Composed here and not by CLI11, whose layout differs from version to version.
#pragma once

#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos {

/// Description, usage, arguments, options under their headings, subcommands, examples.
std::string help_text(const ArgumentParser& parser);

}  // namespace dromos
