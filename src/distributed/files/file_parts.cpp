// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/files/file_parts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <utility>

namespace dromos::detail {
namespace {

constexpr std::int64_t most_bytes = std::int64_t(1) << 24;  // bytes of one call

/// Of bytes, added in order. Four sums go on side by side, as one would wait for its own multiplication every 8 bytes;
/// each step can be undone, so that a single word that differs always makes another checksum.
class Checksum {
 public:
  void add(const char* data, std::int64_t bytes) {
    std::uint64_t words[4];
    for (; bytes > 0; data += sizeof words, bytes -= static_cast<std::int64_t>(sizeof words)) {
      if (bytes < static_cast<std::int64_t>(sizeof words)) std::fill(std::begin(words), std::end(words), 0);
      std::memcpy(words, data, std::min<std::size_t>(sizeof words, static_cast<std::size_t>(bytes)));
      for (int i = 0; i < 4; ++i) sums_[i] = mixed(sums_[i] ^ words[i]);
    }
  }
  std::uint64_t value() const {
    std::uint64_t all = 0;
    for (const std::uint64_t sum : sums_) all = mixed(all ^ sum);
    return all;
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
  }
  std::array<std::uint64_t, 4> sums_ = {1, 2, 3, 4};
};

}  // namespace

FileParts::FileParts(const std::string& path, std::string told)
    : told_(std::move(told)), descriptor_(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
  if (descriptor_ >= 0) return;
  if (errno == ENOENT) {
    throw Error(told_ +
                ": cannot be written: this rank does not see the file that rank 0 has made; name one in a folder that "
                "all hosts share");
  }
  fail(errno);
}

FileParts::~FileParts() { close(descriptor_); }

void FileParts::fail(int error) const { throw Error(describe_write_failure(told_, error)); }

void FileParts::reserve(std::int64_t offset, std::int64_t bytes) const {
  if (bytes == 0) return;
  while (fallocate(descriptor_, 0, offset, bytes) != 0) {
    if (errno == EINTR) continue;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO) fail(errno);
    return;
  }
}

void FileParts::write(std::int64_t offset, const void* data, std::int64_t bytes) {
  if (bytes == 0) return;
  const char* const from = static_cast<const char*>(data);
  Checksum checksum;
  for (std::int64_t begin = 0; begin < bytes; begin += most_bytes) {
    const std::int64_t end = std::min(bytes, begin + most_bytes);
    checksum.add(from + begin, end - begin);
    for (std::int64_t at = begin; at < end;) {
      const ssize_t written = pwrite(descriptor_, from + at, static_cast<std::size_t>(end - at), offset + at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      if (written == 0) fail(ENOSPC);
      at += written;
    }
  }
  parts_.push_back({offset, bytes, checksum.value()});
}

void FileParts::synchronize() const {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) fail(errno);
}

void FileParts::verify() const {
  std::vector<char> buffer;
  for (const Part& part : parts_) {
    buffer.resize(static_cast<std::size_t>(std::min(most_bytes, part.bytes)));
    Checksum checksum;
    for (std::int64_t begin = 0; begin < part.bytes; begin += most_bytes) {
      const std::int64_t size = std::min(part.bytes - begin, most_bytes);
      for (std::int64_t at = 0; at < size;) {
        const ssize_t got =
            pread(descriptor_, buffer.data() + at, static_cast<std::size_t>(size - at), part.offset + begin + at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(errno);
        if (got == 0) throw Error(told_ + ": what was written is not in the file any more; check the disk");
        at += got;
      }
      checksum.add(buffer.data(), size);
    }
    if (checksum.value() != part.checksum) {
      throw Error(told_ + ": " + std::to_string(part.bytes) + " bytes from byte " + std::to_string(part.offset) +
                  " on, read back, are not what was written; check the disk");
    }
  }
}

}  // namespace dromos::detail
