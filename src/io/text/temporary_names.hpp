// SPDX-License-Identifier: BSD-3-Clause
// The names of temporary files that are being written, kept where a signal handler may read them: a program that is
// stopped halfway leaves none behind (remove_temporary_files() in dromos/io/replaced_file.hpp).
//
// Each name is owned by its slot; whoever takes it out of the slot, in one atomic step, may use it. So a handler that
// runs while the file is given up never reads memory that was freed.
#pragma once

#include <string>

namespace dromos::io {

class TemporaryName {
 public:
  TemporaryName() = default;
  /// Lists the name; where all slots are taken it is not listed, and only signals leave such a file behind.
  explicit TemporaryName(const std::string& path);
  /// The name is no longer listed. The file is as it was.
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace dromos::io
