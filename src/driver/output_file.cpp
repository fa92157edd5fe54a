// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <filesystem>
#include <utility>

namespace dromos::driver {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

void check_writable(const std::string& option, const std::string& path) {
  std::error_code ignored;
  if (path.empty()) throw ArgumentError(option + " needs the name of a file");
  if (fs::is_directory(path, ignored)) {
    throw ArgumentError(fmt::format("{} {}: this is a folder; give the name of a file in it", option, path));
  }
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, ignored)) {
    throw ArgumentError(fmt::format("{} {}: there is no folder {}; make it first", option, path, folder.string()));
  }
  if (access(folder.c_str(), W_OK) != 0) {
    throw ArgumentError(fmt::format("{} {}: the folder {} cannot be written to ({})", option, path, folder.string(),
                                    std::strerror(errno)));
  }
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), temporary_path_(fmt::format("{}.{}.part", path_, getpid())) {
  std::error_code ignored;
  // A device or a pipe is written to, never replaced.
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) temporary_path_ = path_;
  stream_.open(temporary_path_, std::ios::binary | std::ios::trunc);
  if (!stream_) throw Error(fmt::format("{}: cannot be written ({})", temporary_path_, std::strerror(errno)));
}

OutputFile::~OutputFile() {
  if (committed_ || temporary_path_ == path_) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(temporary_path_, ignored);
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) {
    throw Error(fmt::format("{}: not everything could be written ({}); is the disk full?", path_, std::strerror(errno)));
  }
  if (temporary_path_ != path_) fs::rename(temporary_path_, path_);
  committed_ = true;
}

}  // namespace dromos::driver
