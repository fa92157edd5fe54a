// SPDX-License-Identifier: BSD-3-Clause
// The names of outputs, judged before the work whose results they will hold. How they are written, whole or not at all,
// is dromos/io/replaced_file.hpp's.
#pragma once

#include <string>
#include <vector>

namespace dromos::driver {

/// A file as the command line names it; an empty path stands for none.
struct NamedFile {
  std::string option;  ///< "--json", "FILE"
  std::string path;
};

/// Throws ArgumentError unless a file of this name can be made.
void check_writable(const std::string& option, const std::string& path);

/// Throws ArgumentError where an output is an input, or another output, by whatever names or links: the one would be
/// lost. Devices and pipes may be named again.
void check_distinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace dromos::driver
