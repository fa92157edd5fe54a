// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>

namespace dromos::driver {

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

void finish_standard_output() {
  const bool failed_before = std::ferror(stdout) != 0;
  const bool fails_now = std::fflush(stdout) != 0;
  const int error = errno;
  if (fails_now) throw Error(describe_write_failure("stdout", error));
  if (failed_before) throw Error(describe_write_failure("stdout", std::string("a part was lost")));
}

}  // namespace dromos::driver
