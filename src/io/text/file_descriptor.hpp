// SPDX-License-Identifier: BSD-3-Clause
// A file of the operating system, open for reading.
#pragma once

#include <cstdint>
#include <string>

namespace dromos::io {

class FileDescriptor {
 public:
  /// Throws InputError: no such file, no permission, a folder.
  /// \param expected  what the file is to be
  explicit FileDescriptor(const std::string& path, const std::string& expected = "a graph file");
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int number() const { return number_; }
  /// False for a pipe or a device.
  bool is_regular() const { return is_regular_; }
  /// Of a regular file.
  std::int64_t num_bytes() const { return num_bytes_; }

 private:
  int number_;
  bool is_regular_ = false;
  std::int64_t num_bytes_ = 0;
};

}  // namespace dromos::io
