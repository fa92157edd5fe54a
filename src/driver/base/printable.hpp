// SPDX-License-Identifier: BSD-3-Clause
// Names for a terminal: those of files may hold any bytes, and a terminal takes some of them as commands.
#pragma once

#include <string>

namespace dromos::driver {

/// The text with its control characters, line ends among them, as \x1b; other characters as they are.
std::string printable(const std::string& text);

}  // namespace dromos::driver
