// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/text_output.hpp"

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/close.hpp>
#ifdef DROMOS_HAS_BZIP2
#include <boost/iostreams/filter/bzip2.hpp>
#endif
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#ifdef DROMOS_HAS_ZSTD
#include <boost/iostreams/filter/zstd.hpp>
#endif
#include <dromos/core/error.hpp>
#include <exception>
#include <ios>
#include <utility>

#include "io/text/text_file.hpp"

namespace dromos::io {
namespace {

namespace streams = boost::iostreams;

/// The end of the chain of filters. After an error it takes everything and writes nothing, so that filters can be
/// closed.
struct FileSink {
  using char_type = char;
  using category = streams::sink_tag;

  std::streamsize write(const char* data, std::streamsize size) const {
    if (!*error) {
      try {
        file->write(data, static_cast<std::size_t>(size));
      } catch (...) {
        *error = std::current_exception();
      }
    }
    return size;
  }

  ReplacedFile* file;
  std::exception_ptr* error;
};

}  // namespace

TextOutput::TextOutput(std::string path) : file_(std::move(path)) {
  constexpr std::streamsize block = 1 << 16;
  const Compression compression = compression_of_name(file_.path());
  if (compression == Compression::gzip) {
    stream_.push(streams::gzip_compressor(streams::gzip::default_compression, block));
  } else if (compression == Compression::xz) {
    stream_.push(streams::lzma_compressor(streams::lzma_params(), block));
#ifdef DROMOS_HAS_BZIP2
  } else if (compression == Compression::bzip2) {
    stream_.push(streams::bzip2_compressor(streams::bzip2_params(), block));
#endif
#ifdef DROMOS_HAS_ZSTD
  } else if (compression == Compression::zstd) {
    stream_.push(streams::zstd_compressor(streams::zstd_params(), block));
#endif
  } else if (compression != Compression::none) {
    throw ArgumentError(file_.path() + ": this build does not compress so; give a name that ends in .gz or .xz");
  }
  stream_.push(FileSink{&file_, &error_}, block);
}

TextOutput::~TextOutput() {
  try {
    streams::close(stream_);
  } catch (const std::exception&) {
    // The file goes anyway.
  }
}

void TextOutput::check() const {
  if (error_) std::rethrow_exception(error_);
}

void TextOutput::write(std::string_view text) {
  const std::streamsize size = static_cast<std::streamsize>(text.size());
  std::streamsize written = 0;
  try {
    written = stream_.sputn(text.data(), size);
  } catch (const std::exception& error) {
    check();
    file_.fail(error.what());
  }
  check();
  if (written != size) file_.fail("the text cannot be compressed");
}

void TextOutput::commit() {
  try {
    streams::close(stream_);
  } catch (const std::exception& error) {
    check();
    file_.fail(error.what());
  }
  check();
  file_.commit();
}

}  // namespace dromos::io
