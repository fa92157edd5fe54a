// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/text_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/error.hpp>
#include <new>
#include <utility>

#include "io/text/file_descriptor.hpp"
#include "io/text/line_fault.hpp"

namespace dromos::io {
namespace {

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
  if (starts_with("\x28\xB5\x2F\xFD"))
    return "compressed by zstd, which this build does not read: decompress it first (zstd -d)";
  if (starts_with("BZh")) return "compressed by bzip2, which this build does not read: decompress it first (bunzip2)";
  if (starts_with("PK\x03\x04")) return "a zip archive: extract the graph file from it first";
  if (starts_with("PAR1\x15")) return "a Parquet file: leave --format out, or give --format parquet";
  if (starts_with("\x89HDF")) return "HDF5 data that is compressed or comes from a pipe: make a plain file of it first";
  if (starts_with("\xFF\xFE") || starts_with("\xFE\xFF")) return "UTF-16 text: convert it to UTF-8 first (iconv)";
  return nullptr;
}

}  // namespace

void GrowingText::grow() {
  const std::size_t capacity = std::max<std::size_t>(std::size_t(1) << 20, capacity_ + capacity_ / 2);
  constexpr std::size_t small = std::size_t(1) << 26;  // not worth asking
  if (capacity > small) {
    const std::size_t available = static_cast<std::size_t>(available_host_memory());
    if (capacity - size_ > available) throw TooLarge{capacity, size_ + available};
  }
  char* const data = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (data == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(data);
  capacity_ = capacity;
}

void TextFile::throw_empty(const std::string& path) const {
  throw InputError(path, 0, "expected " + expected_ + ", found an empty file; fetch or write it again");
}

void TextFile::check_is_text(const std::string& path) const {
  const bool is_graph = expected_ == a_graph_file;
  const std::string expected =
      is_graph ? "expected text (Matrix Market, edge list, METIS, DIMACS, SMAT or a table; plain or compressed), found "
               : "expected text, " + expected_ + ", found ";
  if (const char* const kind = other_kind(text_)) throw InputError(path, 0, expected + kind);
  const std::string_view start = text_.substr(0, 4096);
  const auto bad = std::find_if(start.begin(), start.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v') ||
           c == 127;
  });
  if (bad == start.end()) return;
  throw InputError(path, 1 + std::count(start.begin(), bad, '\n'),
                   expected + "binary data: byte " + quoted(std::string_view(&*bad, 1)) + " at position " +
                       std::to_string(bad - start.begin()) +
                       (is_graph ? "; where it is one of them, name it: --format gapbs, graph500 or graph500-64"
                                 : "; name another file"));
}

TextFile::TextFile(const std::string& path, Content content, std::string expected) : expected_(std::move(expected)) {
  try {
    open(path);
    if (content == Content::text) expect_text(path);
  } catch (const GrowingText::TooLarge& limit) {
    throw MemoryError(path + ": its text, decompressed or from a pipe,", limit.bytes_needed, limit.bytes_available);
  }
}

void TextFile::open(const std::string& path) {
  const FileDescriptor file(path, expected_);
  if (file.is_regular()) {
    if (file.num_bytes() > 0) {
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
  if (compression != Compression::none && has_compression(compression)) {
    try {
      buffer_ = decompress(text_, compression);
    } catch (const LineFault& fault) {
      throw InputError(path, 0, fault.message);
    }
    mapping_.close();
    text_ = buffer_.view();
  }
  if (text_.empty()) throw_empty(path);
}

void TextFile::expect_text(const std::string& path) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);  // the byte order mark of UTF-8
  if (text_.empty()) throw_empty(path);
  check_is_text(path);
}

}  // namespace dromos::io
