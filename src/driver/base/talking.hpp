// SPDX-License-Identifier: BSD-3-Clause
// What is said on standard output for people: not with --quiet, and not where results go there.
#pragma once

#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// --quiet.
void declare_quiet(ArgumentParser& parser);
bool is_quiet();

/// May text for people go to standard output beside a file of this name? "-" is standard output itself.
bool may_talk_beside(const std::string& path);

}  // namespace dromos::driver
