// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "driver/base/printable.hpp"
#include "driver/base/talking.hpp"

namespace dromos::driver {
namespace {

constexpr const char* clear_line = "\r\033[K";

}  // namespace

Progress::Progress(const std::string& activity) : activity_(printable(activity)) {
  if (isatty(STDERR_FILENO) != 0 && !is_quiet()) thread_ = std::thread([this] { show_until_finished(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Progress::update(int done, int total) {
  done_ = done;
  total_ = total;
}

void Progress::print(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shown_) {
    std::fputs(clear_line, stderr);
    std::fflush(stderr);
    shown_ = false;
  }
  // What could not be written is found at the end: finish_standard_output().
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Progress::show_until_finished() {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  const auto finished = [this] { return finished_; };
  if (wake_.wait_for(lock, 2s, finished)) return;
  do {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    const std::string parts = total_ > 0 ? fmt::format(", {} of {}", done_.load(), total_.load()) : std::string();
    fmt::print(stderr, "{}dromos: {}{}, {} s", clear_line, activity_, parts, seconds.count());
    std::fflush(stderr);
    shown_ = true;
  } while (!wake_.wait_for(lock, 500ms, finished));
  fmt::print(stderr, "{}", clear_line);
  std::fflush(stderr);
}

}  // namespace dromos::driver
