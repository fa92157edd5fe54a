// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/output_file.hpp"

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

OutputFile::OutputFile(std::string path) : file_(std::move(path)) {
  stream_.open(file_.temporary_path(), std::ios::binary | std::ios::trunc);
  if (!stream_) throw Error(fmt::format("{}: cannot be written ({})", file_.temporary_path(), std::strerror(errno)));
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) file_.fail(std::strerror(errno));
  file_.commit();
}

}  // namespace dromos::driver
