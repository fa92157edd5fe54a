// SPDX-License-Identifier: BSD-3-Clause
// Tells a person who waits what the program is doing.
//
// A Progress lives as long as one activity. When the activity takes longer than two seconds and stderr is a terminal,
// a line there counts the seconds, and goes again when the activity ends. Otherwise nothing is ever written.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace dromos::driver {

class Progress {
 public:
  /// activity: such as "reading web.txt".
  explicit Progress(const std::string& activity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Says how many of how many parts of the activity are done.
  void update(int done, int total);

  /// Prints text on stdout, which may be the terminal that has the line.
  void print(const std::string& text);

 private:
  void show_until_finished();

  std::string activity_;
  std::atomic<int> done_{0};
  std::atomic<int> total_{0};
  bool finished_ = false;
  bool shown_ = false;  // there is a line on the terminal
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace dromos::driver
