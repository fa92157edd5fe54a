// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/output_file.hpp"

#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <utility>

#include "driver/base/printable.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/talking.hpp"
#include "io/text/output_place.hpp"

namespace dromos::driver {

void check_writable(const std::string& option, const std::string& path) {
  if (path.empty()) throw ArgumentError(option + " needs the name of a file");
  const std::string reason = io::why_not_writable(path);
  if (!reason.empty()) throw ArgumentError(fmt::format("{} {}: {}", option, path, reason));
}

void check_distinct(const std::vector<NamedFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const NamedFile& output = files[i];
    if (!output.is_written || output.path.empty()) continue;
    for (std::size_t j = 0; j < files.size(); ++j) {
      const NamedFile& other = files[j];
      if (other.path.empty() || j == i || (other.is_written && j > i)) continue;
      if (!other.is_written && other.path == "-") continue;  // standard input, which nobody writes
      if (other.is_written && output.path == "-" && other.path == "-") {
        throw ArgumentError(fmt::format("{} - and {} -: both would go to standard output; name a file for one of them",
                                        other.option, output.option));
      }
      if (!io::is_same_file(output.path, other.path)) continue;
      if (other.is_written) {
        throw ArgumentError(
            fmt::format("{} {}: {} writes the same file; name two", output.option, output.path, other.option));
      }
      throw ArgumentError(fmt::format("{} {}: this file is read as {}{}; it would be lost: name another", output.option,
                                      output.path, other.option, other.path == output.path ? "" : " " + other.path));
    }
  }
}

void mention_leftovers(const std::vector<NamedFile>& files) {
  if (is_quiet()) return;
  std::vector<std::string> leftovers;
  for (const NamedFile& file : files) {
    if (!file.is_written) continue;
    for (std::string& path : io::find_leftovers(file.path)) leftovers.push_back(std::move(path));
  }
  if (leftovers.empty()) return;
  const bool one = leftovers.size() == 1;
  const std::string more = one ? "" : fmt::format(" and {} more like it", leftovers.size() - 1);
  say_error(fmt::format("dromos: {}{}: left by {} before; delete what no other run is writing\n",
                        printable(leftovers.front()), more, one ? "a run that was killed" : "runs that were killed"));
}

}  // namespace dromos::driver
