// SPDX-License-Identifier: BSD-3-Clause
// A file that appears whole or not at all: it is written under a temporary name beside its own and renamed at the end.
//
//   ReplacedFile file("graph.h5");
//   ... write to file.temporary_path() ...
//   file.commit();                        // without this, the destructor removes what was written
#pragma once

#include <string>

namespace dromos {

class ReplacedFile {
 public:
  explicit ReplacedFile(std::string path);
  /// Removes the temporary file unless commit() was called.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  const std::string& path() const { return path_; }
  /// Where to write: beside the file. A device or a pipe has no other name: it is written to as it is.
  const std::string& temporary_path() const { return temporary_path_; }
  /// False for a device or a pipe.
  bool is_replaced() const { return temporary_path_ != path_; }

  /// Gives the file its name, in place of what had it before; throws Error. To be called when it is closed.
  void commit();
  /// Throws Error, which names the file and this reason.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::string path_;
  std::string temporary_path_;
  bool committed_ = false;
};

}  // namespace dromos
