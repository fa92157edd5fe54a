// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/text_output.hpp"

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/close.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <exception>
#include <ios>
#include <utility>

namespace dromos::io {
namespace {

namespace streams = boost::iostreams;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

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
  if (ends_with(file_.path(), ".gz")) stream_.push(streams::gzip_compressor(streams::gzip::default_compression, block));
  if (ends_with(file_.path(), ".xz")) stream_.push(streams::lzma_compressor(streams::lzma_params(), block));
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
