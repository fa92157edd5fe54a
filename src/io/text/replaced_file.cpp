// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <filesystem>
#include <system_error>
#include <utility>

namespace dromos {

namespace fs = std::filesystem;

ReplacedFile::ReplacedFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const bool replace = !fs::exists(path_, ignored) || fs::is_regular_file(path_, ignored);
  temporary_path_ = replace ? path_ + "." + std::to_string(getpid()) + ".part" : path_;
}

ReplacedFile::~ReplacedFile() {
  std::error_code ignored;
  if (!committed_ && is_replaced()) fs::remove(temporary_path_, ignored);
}

void ReplacedFile::commit() {
  std::error_code error;
  if (is_replaced()) fs::rename(temporary_path_, path_, error);
  if (error) fail(error.message());
  committed_ = true;
}

void ReplacedFile::fail(const std::string& reason) const {
  throw Error(path_ + ": cannot be written (" + reason + "); check the folder, its permissions and the free space");
}

}  // namespace dromos
