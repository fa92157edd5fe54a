// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/output_file.hpp"

#include <fmt/format.h>

#include <dromos/core/error.hpp>

#include "io/text/output_place.hpp"

namespace dromos::driver {

void check_writable(const std::string& option, const std::string& path) {
  if (path.empty()) throw ArgumentError(option + " needs the name of a file");
  const std::string reason = io::why_not_writable(path);
  if (!reason.empty()) throw ArgumentError(fmt::format("{} {}: {}", option, path, reason));
}

void check_distinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    if (output.path.empty()) continue;
    for (const NamedFile& input : inputs) {
      if (input.path.empty() || !io::is_same_file(output.path, input.path)) continue;
      throw ArgumentError(fmt::format("{} {}: this is the file that is read{}; it would be lost: name another",
                                      output.option, output.path,
                                      input.path == output.path ? "" : " as " + input.path));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (output.path == "-" && outputs[j].path == "-") {
        throw ArgumentError(fmt::format("{} - and {} -: both would go to standard output; name a file for one of them",
                                        outputs[j].option, output.option));
      }
      if (outputs[j].path.empty() || !io::is_same_file(output.path, outputs[j].path)) continue;
      throw ArgumentError(
          fmt::format("{} {}: {} writes the same file; name two", output.option, output.path, outputs[j].option));
    }
  }
}

}  // namespace dromos::driver
