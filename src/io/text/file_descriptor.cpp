// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>

namespace dromos::io {
namespace {

[[noreturn]] void throw_cannot_open(const std::string& path, const std::string& expected, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    throw InputError(path, 0, "there is no such file; expected " + expected + ", check the name");
  }
  if (error == EACCES || error == EPERM) {
    throw InputError(path, 0, "no permission to read this file; ask its owner, or see chmod(1)");
  }
  throw InputError(path, 0, std::string("cannot be opened (") + std::strerror(error) + ")");
}

}  // namespace

FileDescriptor::FileDescriptor(const std::string& path, const std::string& expected)
    : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (number_ < 0) throw_cannot_open(path, expected, errno);
  struct stat status;
  const int code = fstat(number_, &status);
  const int error = errno;
  if (code != 0 || S_ISDIR(status.st_mode)) {
    close(number_);  // the destructor of an object whose constructor throws is not called
    if (code != 0) throw_cannot_open(path, expected, error);
    throw InputError(path, 0, "expected " + expected + ", found a folder; name a file in it");
  }
  is_regular_ = S_ISREG(status.st_mode);
  num_bytes_ = status.st_size;
}

FileDescriptor::~FileDescriptor() { close(number_); }

}  // namespace dromos::io
