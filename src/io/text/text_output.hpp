// SPDX-License-Identifier: BSD-3-Clause
// A text file that appears whole or not at all, compressed if its name says so.
#pragma once

#include <boost/iostreams/filtering_streambuf.hpp>
#include <dromos/io/replaced_file.hpp>
#include <exception>
#include <string>
#include <string_view>

namespace dromos::io {

class TextOutput {
 public:
  /// Opens a file under a temporary name beside `path`; a device or a pipe is written to as it is. Throws Error.
  explicit TextOutput(std::string path);
  /// Nothing stays of a file that was not committed.
  ~TextOutput();
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  /// Throws Error, which says of a full disk that it is one.
  void write(std::string_view text);
  /// Completes the file and gives it its name; throws Error.
  void commit();

 private:
  /// Throws the error that the file met inside of a filter, if it did.
  void check() const;

  ReplacedFile file_;
  std::exception_ptr error_;  // filters do not hand on what the file throws
  boost::iostreams::filtering_streambuf<boost::iostreams::output> stream_;
};

}  // namespace dromos::io
