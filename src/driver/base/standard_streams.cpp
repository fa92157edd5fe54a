// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>

namespace dromos::driver {
namespace {

/// Why stdout took less than it was given, the first time; 0: it did not. The system says so once: what is printed
/// afterwards may arrive again.
int first_failure = 0;

}  // namespace

void keep_standard_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one. Opened the wrong way round, so that whoever uses it is told.
    static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void say_error(const std::string& text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void flush_standard_output() noexcept {
  if (std::fflush(stdout) != 0 && first_failure == 0) first_failure = errno;
}

std::string describe_output_failure(const std::system_error& error) {
  if (first_failure == 0) first_failure = error.code().value();
  if (first_failure == 0) return describe_write_failure("stdout", std::string(error.what()));
  return describe_write_failure("stdout", first_failure);
}

void print_output(const std::string& text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  if (first_failure == 0) first_failure = errno;
  finish_standard_output();
}

void finish_standard_output() {
  const bool failed_before = std::ferror(stdout) != 0;
  flush_standard_output();
  if (first_failure != 0) throw Error(describe_write_failure("stdout", first_failure));
  if (failed_before) throw Error(describe_write_failure("stdout", std::string("a part was lost")));
}

}  // namespace dromos::driver
