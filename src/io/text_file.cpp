// SPDX-License-Identifier: BSD-3-Clause
#include "text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <new>

#include "line_fault.hpp"

namespace dromos::io {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void throw_cannot_open(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    throw InputError(path, 0, "there is no such file; expected a graph file, check the name");
  }
  if (error == EACCES || error == EPERM) {
    throw InputError(path, 0, "no permission to read this file; ask its owner, or see chmod(1)");
  }
  throw InputError(path, 0, std::string("cannot be opened (") + std::strerror(error) + ")");
}

GrowingText read_to_end(const std::string& path, int file) {
  GrowingText text;
  while (true) {
    if (text.size() == text.capacity()) text.grow();
    const ssize_t count = read(file, text.data() + text.size(), text.capacity() - text.size());
    if (count == 0) return text;
    if (count > 0) {
      text.append(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw InputError(path, 0, std::string("cannot be read (") + std::strerror(errno) + ")");
    }
  }
}

/// What else people try to read, by its first bytes.
const char* other_kind(std::string_view bytes) {
  const auto starts_with = [&](std::string_view start) { return bytes.substr(0, start.size()) == start; };
  if (starts_with("\x28\xB5\x2F\xFD")) return "compressed by zstd: decompress it first (zstd -d)";
  if (starts_with("BZh")) return "compressed by bzip2: decompress it first (bunzip2)";
  if (starts_with("PK\x03\x04")) return "a zip archive: extract the graph file from it first";
  if (starts_with("\x89HDF")) return "an HDF5 file, which is not read here: export it as text first";
  if (starts_with("\xFF\xFE") || starts_with("\xFE\xFF")) return "UTF-16 text: convert it to UTF-8 first (iconv)";
  return nullptr;
}

/// Throws InputError for what starts as no text does; what comes later meets the readers' own checks.
void check_is_text(const std::string& path, std::string_view text) {
  const std::string expected =
      "expected text (Matrix Market, edge list, METIS, DIMACS or SMAT; plain, gzip or xz), found ";
  if (const char* const kind = other_kind(text)) throw InputError(path, 0, expected + kind);
  const std::string_view start = text.substr(0, 4096);
  const auto bad = std::find_if(start.begin(), start.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v') ||
           c == 127;
  });
  if (bad == start.end()) return;
  throw InputError(path, 1 + std::count(start.begin(), bad, '\n'),
                   expected + "binary data: byte " + quoted(std::string_view(&*bad, 1)) + " at position " +
                       std::to_string(bad - start.begin()));
}

}  // namespace

void GrowingText::grow() {
  const std::size_t capacity = std::max<std::size_t>(std::size_t(1) << 20, capacity_ + capacity_ / 2);
  char* const data = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (data == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(data);
  capacity_ = capacity;
}

TextFile::TextFile(const std::string& path) {
  const FileDescriptor file(path);
  if (file.number() < 0) throw_cannot_open(path, errno);
  struct stat status;
  if (fstat(file.number(), &status) != 0) throw_cannot_open(path, errno);
  if (S_ISDIR(status.st_mode)) throw InputError(path, 0, "expected a graph file, found a folder; name a file in it");

  if (S_ISREG(status.st_mode)) {
    if (status.st_size > 0) {
      try {
        mapping_.open(path);
      } catch (const std::exception& error) {
        throw InputError(path, 0, std::string("cannot be mapped into memory (") + error.what() + ")");
      }
      text_ = {mapping_.data(), mapping_.size()};
    }
  } else {
    buffer_ = read_to_end(path, file.number());
    text_ = buffer_.view();
  }

  const Compression compression = compression_of(text_);
  if (compression != Compression::none) {
    try {
      buffer_ = decompress(text_, compression);
    } catch (const LineFault& fault) {
      throw InputError(path, 0, fault.message);
    }
    mapping_.close();
    text_ = buffer_.view();
  }
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);  // the byte order mark of UTF-8
  if (text_.empty()) throw InputError(path, 0, "expected a graph, found an empty file; fetch or write it again");
  check_is_text(path, text_);
}

}  // namespace dromos::io
