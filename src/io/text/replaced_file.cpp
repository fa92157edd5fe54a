// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <filesystem>
#include <random>
#include <utility>

#include "io/text/output_place.hpp"
#include "io/text/temporary_names.hpp"

namespace dromos {
namespace {

namespace fs = std::filesystem;

/// Letters and digits that nobody can foresee, so that nobody can have put a file or a link there before.
std::string random_word() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof number)) {
    std::random_device device;
    number = (std::uint64_t(device()) << 32) | device();
  }
  constexpr char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string word;
  for (; word.size() < 12; number /= 36) word += letters[number % 36];
  return word;
}

std::string free_space(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  struct statvfs system;
  if (statvfs(folder.empty() ? "." : folder.c_str(), &system) != 0) return "";
  return fmt::format(", {:.1f} MiB free", static_cast<double>(system.f_bavail) * system.f_frsize / (1 << 20));
}

}  // namespace

std::string describe_write_failure(const std::string& path, const std::string& reason) {
  return path + ": cannot be written (" + reason + "); check the folder, its permissions and the free space";
}

std::string describe_write_failure(const std::string& path, int error) {
  const std::string reason = std::strerror(error);
  switch (error) {
    case ENOSPC:
      return path + ": cannot be written: the disk is full (" + reason + free_space(path) +
             "); make room, or name a file on another disk";
    case EDQUOT:
      return path + ": cannot be written: your share of the disk is used up (" + reason +
             "); remove files, or name a file on another disk";
    case EFBIG:
      return path + ": cannot be written: files may not be as large as that (" + reason + "); see ulimit -f";
    default:
      return describe_write_failure(path, reason);
  }
}

ReplacedFile::ReplacedFile(std::string path) : path_(std::move(path)) {
  const std::string reason = io::why_not_writable(path_);
  if (!reason.empty()) throw Error(path_ + ": cannot be written: " + reason);
  const io::OutputPlace place = io::find_output_place(path_);
  final_path_ = temporary_path_ = place.path;
  replaced_ = !place.in_place;
  if (!replaced_) {
    open_in_place(place.descriptor);
    return;
  }
  open_temporary(place.exists);
  if (!place.exists) return;
  try {
    keep_owner_and_permissions(place.status.st_uid, place.status.st_gid, place.status.st_mode & 0777);
  } catch (...) {
    unlink(temporary_path_.c_str());
    ::close(descriptor_);
    throw;
  }
}

void ReplacedFile::open_in_place(int own_descriptor) {
  if (own_descriptor >= 0) {
    // A stream of our own goes on where it stands; opened again it would begin at 0, over what it has.
    if (own_descriptor == STDOUT_FILENO) std::fflush(stdout);
    descriptor_ = fcntl(own_descriptor, F_DUPFD_CLOEXEC, 3);
  } else {
    descriptor_ = open(temporary_path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  }
  if (descriptor_ < 0) fail(errno);
}

void ReplacedFile::open_temporary(bool replaces) {
  // What replaces a file is nobody else's before it has that file's permissions.
  const mode_t mode = replaces ? 0600 : 0666;
  bool long_name = false;
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_path_ = long_name ? (fs::path(final_path_).parent_path() / ("." + random_word() + ".part")).string()
                                : final_path_ + "." + random_word() + ".part";
    // Listed before it is there: a signal between the two finds nothing to remove, and no harm is done.
    listed_ = std::make_unique<io::TemporaryName>(temporary_path_);
    descriptor_ = open(temporary_path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor_ >= 0) return;
    const int error = errno;
    listed_.reset();
    if (error == ENAMETOOLONG && !long_name) {
      long_name = true;
    } else if (error != EEXIST) {
      fail(error);
    }
  }
  fail(EEXIST);
}

void ReplacedFile::keep_owner_and_permissions(unsigned owner, unsigned group, unsigned permissions) const {
  struct stat own;
  if (fstat(descriptor_, &own) != 0) fail(errno);
  if ((own.st_uid != owner || own.st_gid != group) && fchown(descriptor_, owner, group) != 0) {
    fail(std::string("its owner and group cannot be kept: ") + std::strerror(errno));
  }
  if (fchmod(descriptor_, permissions) != 0) fail(errno);
}

ReplacedFile::~ReplacedFile() {
  if (!committed_ && replaced_) unlink(temporary_path_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ReplacedFile::write(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    if (written == 0) fail(ENOSPC);
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void ReplacedFile::close() {
  // Some file systems say only now that there was no room.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail(errno);
}

void ReplacedFile::commit() {
  if (!replaced_) {
    close();
    committed_ = true;
    return;
  }
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) fail(errno);
  struct stat written, named;
  if (fstat(descriptor_, &written) != 0) fail(errno);
  if (stat(temporary_path_.c_str(), &named) != 0) fail(errno);
  if (written.st_dev != named.st_dev || written.st_ino != named.st_ino) {
    fail("another program has put a file in the place of " + temporary_path_);
  }
  close();
  if (rename(temporary_path_.c_str(), final_path_.c_str()) != 0) fail(errno);
  committed_ = true;
  listed_.reset();
}

void ReplacedFile::fail(const std::string& reason) const { throw Error(describe_write_failure(path_, reason)); }
void ReplacedFile::fail(int error) const { throw Error(describe_write_failure(path_, error)); }

}  // namespace dromos
