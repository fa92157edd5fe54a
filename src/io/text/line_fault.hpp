// SPDX-License-Identifier: BSD-3-Clause
// What is wrong at some place of the text, thrown by the parts of a reader; read_graph() makes an InputError of it,
// with the name of the file and the number of the line. Counting lines waits until then, because the readers work on
// pieces of the text and do not know how many lines came before theirs.
#pragma once

#include <string>
#include <string_view>

namespace dromos::io {

struct LineFault {
  /// Anywhere in the line; nullptr where the file as a whole is at fault.
  const char* where = nullptr;
  std::string message;
  /// The line is sound, but one of its ids needs 64 bits where the reader has 32.
  bool id_needs_64_bits = false;
};

/// Text from a file, fit for a message: at most 40 characters, in quotes, whatever cannot be shown as \xNN.
std::string quoted(std::string_view text);

/// "1 line", "2 lines".
std::string counted(long long count, const char* singular, const char* plural);

}  // namespace dromos::io
