// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file, whatever it takes to get them: a plain file is mapped into memory, a compressed one (told by its
// first bytes, not by its name) is decompressed, a pipe is read to its end.
#pragma once

#include <boost/iostreams/device/mapped_file.hpp>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace dromos::io {

/// Bytes that grow at the end. Unlike a std::vector's, they are not touched before they are written, and the system can
/// make large ones larger without a copy.
class GrowingText {
 public:
  char* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  /// What grow() throws where the system has not so much: a small file may decompress to any size.
  struct TooLarge {
    std::size_t bytes_needed, bytes_available;
  };
  /// Makes room for at least one more byte; throws std::bad_alloc or TooLarge.
  void grow();
  void append(std::size_t num_bytes) { size_ += num_bytes; }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

class TextFile {
 public:
  enum class Content { text, bytes };
  /// Throws InputError: no such file, a folder, no permission, empty, damaged compression, not text where it has to be
  /// one; MemoryError.
  /// \param expected  what the file is to be, where that is no graph
  explicit TextFile(const std::string& path, Content content = Content::text, std::string expected = a_graph_file);

  /// Throws InputError where this is no text. A byte order mark is none of it.
  void expect_text(const std::string& path);

  /// Valid as long as this object lives; never empty.
  std::string_view text() const { return text_; }

 private:
  static constexpr const char* a_graph_file = "a graph file";

  void open(const std::string& path);
  /// Throws InputError for what starts as no text does; what comes later meets the readers' own checks.
  void check_is_text(const std::string& path) const;
  [[noreturn]] void throw_empty(const std::string& path) const;

  std::string expected_;
  boost::iostreams::mapped_file_source mapping_;
  GrowingText buffer_;
  std::string_view text_;
};

enum class Compression { none, gzip, xz, bzip2, zstd };

/// Told by the first bytes.
Compression compression_of(std::string_view bytes);

/// Does this build read and write it? bzip2 and zstd depend on what Boost.Iostreams was built with.
bool has_compression(Compression compression);

/// ".gz", ".xz", ".bz2" or ".zst" at the end of a name; anything else is none.
Compression compression_of_name(const std::string& path);

/// Throws LineFault where the bytes are damaged or incomplete.
GrowingText decompress(std::string_view bytes, Compression compression);

}  // namespace dromos::io
