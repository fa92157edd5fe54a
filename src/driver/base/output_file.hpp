// SPDX-License-Identifier: BSD-3-Clause
// A file that appears whole or not at all: it is written under a temporary name beside its own and renamed at the end.
#pragma once

#include <dromos/io/replaced_file.hpp>
#include <fstream>
#include <string>

namespace dromos::driver {

/// Throws ArgumentError unless a file of this name can be made: asked before the work whose result it will hold.
void check_writable(const std::string& option, const std::string& path);

class OutputFile {
 public:
  /// Opens the temporary file, which goes with this object unless commit() was called; throws Error when that fails.
  explicit OutputFile(std::string path);
  std::ostream& stream() { return stream_; }
  /// Gives the file its name; throws Error when something could not be written.
  void commit();

 private:
  ReplacedFile file_;
  std::ofstream stream_;
};

}  // namespace dromos::driver
