// SPDX-License-Identifier: BSD-3-Clause
// What Dromos throws. Each message names what was expected, what was found and what the user can do about it.
//
//   Error             anything Dromos throws
//   +- InputError     a file that cannot be used; carries its name and, where it makes sense, the line
//   +- ArgumentError  an argument that cannot be used, such as a root outside the graph
//   +- MemoryError    a graph that does not fit; carries the bytes needed and the bytes there are, where they are known
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace dromos {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that cannot be read as a graph. what() reads "FILE:LINE: message", without ":LINE" where line is 0.
class InputError : public Error {
 public:
  InputError(const std::string& file, std::int64_t line, const std::string& message)
      : Error(file + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": " + message),
        file_(file),
        line_(line) {}

  const std::string& file() const { return file_; }
  /// The line, counted from 1; 0 where the error belongs to the file as a whole.
  std::int64_t line() const { return line_; }

 private:
  std::string file_;
  std::int64_t line_;
};

class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// Bytes as people read them, in powers of 1024: "940 bytes", "1.93 MiB", "12.5 GiB".
inline std::string binary_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  double value = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}) {
    if (value < 1023.5) break;
    value /= 1024;
    unit = larger;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit);
  return text;
}

class MemoryError : public Error {
 public:
  MemoryError(const std::string& purpose, std::uint64_t bytes_needed, std::uint64_t bytes_available)
      : Error(purpose + " needs " + binary_bytes(bytes_needed) + " of memory, and " + binary_bytes(bytes_available) +
              " are available; use a smaller graph or a machine with more memory"),
        bytes_needed_(bytes_needed),
        bytes_available_(bytes_available) {}
  /// Of memory that ran out while it was used: the sizes are 0 (core/allocation_failure.hpp).
  explicit MemoryError(const std::string& message) : Error(message) {}

  std::uint64_t bytes_needed() const { return bytes_needed_; }
  std::uint64_t bytes_available() const { return bytes_available_; }

 private:
  std::uint64_t bytes_needed_ = 0;
  std::uint64_t bytes_available_ = 0;
};

}  // namespace dromos
