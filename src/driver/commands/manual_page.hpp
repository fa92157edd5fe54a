// SPDX-License-Identifier: BSD-3-Clause
// The manual page dromos(1), made from the options as they are declared.
#pragma once

#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// In the language of man(7): the program, then every subcommand with its options and examples.
std::string manual_page(const ArgumentParser& program, const std::string& version);

}  // namespace dromos::driver
