// SPDX-License-Identifier: BSD-3-Clause
// A text file that appears whole or not at all, compressed if its name says so.
#pragma once

#include <boost/iostreams/filtering_streambuf.hpp>
#include <string>
#include <string_view>

namespace dromos::io {

class TextOutput {
 public:
  /// Opens a file under a temporary name beside `path`; a device or a pipe is written to as it is. Throws Error.
  explicit TextOutput(std::string path);
  /// Removes the temporary file unless commit() was called.
  ~TextOutput();
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  /// Throws Error when the disk is full and the like.
  void write(std::string_view text);
  /// Completes the file and gives it its name; throws Error.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::string temporary_path_;
  boost::iostreams::filtering_streambuf<boost::iostreams::output> stream_;
  bool committed_ = false;
};

}  // namespace dromos::io
