// SPDX-License-Identifier: BSD-3-Clause
#include "text_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <exception>
#include <filesystem>
#include <utility>

namespace dromos::io {
namespace {

namespace fs = std::filesystem;
namespace streams = boost::iostreams;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

TextOutput::TextOutput(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const bool replace = !fs::exists(path_, ignored) || fs::is_regular_file(path_, ignored);
  temporary_path_ = replace ? path_ + "." + std::to_string(getpid()) + ".part" : path_;
  const int file = open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    const int error = errno;
    committed_ = true;  // nothing to remove
    fail(std::strerror(error));
  }
  constexpr std::streamsize block = 1 << 16;
  if (ends_with(path_, ".gz")) stream_.push(streams::gzip_compressor(streams::gzip::default_compression, block));
  if (ends_with(path_, ".xz")) stream_.push(streams::lzma_compressor(streams::lzma_params(), block));
  stream_.push(streams::file_descriptor_sink(file, streams::close_handle), block);
}

TextOutput::~TextOutput() {
  if (committed_) return;
  try {
    streams::close(stream_);
  } catch (const std::exception&) {
    // The file goes anyway.
  }
  std::error_code ignored;
  if (temporary_path_ != path_) fs::remove(temporary_path_, ignored);
}

void TextOutput::write(std::string_view text) {
  const std::streamsize size = static_cast<std::streamsize>(text.size());
  try {
    if (stream_.sputn(text.data(), size) == size) return;
  } catch (const std::exception& error) {
    fail(error.what());
  }
  fail(std::strerror(errno));
}

void TextOutput::commit() {
  try {
    streams::close(stream_);
    if (temporary_path_ != path_) fs::rename(temporary_path_, path_);
  } catch (const std::exception& error) {
    fail(error.what());
  }
  committed_ = true;
}

void TextOutput::fail(const std::string& reason) const {
  throw Error(path_ + ": cannot be written (" + reason + "); check the folder, its permissions and the free space");
}

}  // namespace dromos::io
