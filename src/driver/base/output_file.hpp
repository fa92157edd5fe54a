// SPDX-License-Identifier: BSD-3-Clause
// The names of outputs, judged before the work whose results they will hold. How they are written, whole or not at all,
// is dromos/io/replaced_file.hpp's.
#pragma once

#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// Throws ArgumentError unless a file of this name can be made.
void check_writable(const std::string& option, const std::string& path);

/// Throws ArgumentError where a file that is written is one that is read, or another one that is written, by whatever
/// names or links: the one would be lost. Devices and pipes may be named again. main() asks this of all that a
/// subcommand declares as files (ArgumentParser::files()); an empty path stands for none.
void check_distinct(const std::vector<NamedFile>& files);

/// Says on stderr, in one line, what runs that were killed have left beside the files that are to be written. None is
/// removed: another run may be writing it.
void mention_leftovers(const std::vector<NamedFile>& files);

}  // namespace dromos::driver
