// SPDX-License-Identifier: BSD-3-Clause
// A file that names vertices, one a line, as --output writes them or as people list them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dromos::driver {

/// A line of such a file.
struct ListedVertex {
  std::int64_t name;
  std::int64_t line;  ///< from 1
};

/// The first word of every line; what follows it on the line is not looked at, and lines that begin with # or % are
/// comments. Throws InputError, which names the line, for a word that is no number, and for a file without any.
std::vector<ListedVertex> read_vertex_list(const std::string& path);

}  // namespace dromos::driver
