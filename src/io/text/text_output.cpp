// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/text_output.hpp"

#include <fcntl.h>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

namespace dromos::io {
namespace {

namespace streams = boost::iostreams;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

TextOutput::TextOutput(std::string path) : file_(std::move(path)) {
  const int file = open(file_.temporary_path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) file_.fail(std::strerror(errno));
  constexpr std::streamsize block = 1 << 16;
  if (ends_with(file_.path(), ".gz")) stream_.push(streams::gzip_compressor(streams::gzip::default_compression, block));
  if (ends_with(file_.path(), ".xz")) stream_.push(streams::lzma_compressor(streams::lzma_params(), block));
  stream_.push(streams::file_descriptor_sink(file, streams::close_handle), block);
}

TextOutput::~TextOutput() {
  try {
    streams::close(stream_);
  } catch (const std::exception&) {
    // The file goes anyway.
  }
}

void TextOutput::write(std::string_view text) {
  const std::streamsize size = static_cast<std::streamsize>(text.size());
  try {
    if (stream_.sputn(text.data(), size) == size) return;
  } catch (const std::exception& error) {
    file_.fail(error.what());
  }
  file_.fail(std::strerror(errno));
}

void TextOutput::commit() {
  try {
    streams::close(stream_);
  } catch (const std::exception& error) {
    file_.fail(error.what());
  }
  file_.commit();
}

}  // namespace dromos::io
