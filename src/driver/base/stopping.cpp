// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/stopping.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <dromos/io/replaced_file.hpp>

#include "driver/base/number_format.hpp"

namespace dromos::driver {
namespace {

/// The thread that makes files and names them.
pthread_t main_thread;

// What the handler and the main thread tell each other; the handler runs in that thread.
volatile std::sig_atomic_t finishes_run = 0, says_so = 0, remembered = 0;
timespec when_remembered = {};

double seconds_since(const timespec& start) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec - start.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - start.tv_nsec);
}

/// Is the run that is under way to come to its end?
bool lets_run_finish(int signal) {
  if (finishes_run == 0 || (signal != SIGINT && signal != SIGTERM)) return false;
  // Launchers and timeout(1) send a signal to the process and to its group: that is one.
  if (remembered != 0) return seconds_since(when_remembered) < 0.25;
  remembered = signal;
  clock_gettime(CLOCK_MONOTONIC, &when_remembered);
  if (says_so != 0) {
    constexpr char text[] = "\ndromos: stopping after this run; once more ends it at once\n";
    const int error = errno;
    static_cast<void>(!write(STDERR_FILENO, text, sizeof(text) - 1));
    errno = error;
  }
  return true;
}

extern "C" void end_by_signal(int signal) {
  // A launcher may send the same signal twice, and any thread may take it. Were the second one to end the program in
  // another thread, the files of the first would stay; and the main thread, which is not to make one now, would go on
  // beside this handler. So it is the main thread that ends the program, and the second waits until the first is done.
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, signal);
    return;
  }
  if (lets_run_finish(signal)) return;
  remove_temporary_files();
  // The default action follows when this handler has returned.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

void remove_unfinished_files_when_stopped() {
  main_thread = pthread_self();
  constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
  struct sigaction action = {};
  action.sa_handler = end_by_signal;
  action.sa_flags = SA_RESTART;  // a signal that lets the run finish is no error of writing
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) sigaddset(&action.sa_mask, signal);
  for (const int signal : signals) {
    struct sigaction before = {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    static_cast<void>(sigaction(signal, &action, nullptr));
  }
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

FinishRunFirst::FinishRunFirst(bool speaks) {
  says_so = speaks ? 1 : 0;
  finishes_run = 1;
}

FinishRunFirst::~FinishRunFirst() { finishes_run = 0; }

int remembered_signal() { return remembered; }

int exit_code_of_signal(int signal) { return 128 + signal; }

std::string describe_stop(int signal, std::size_t num_done, std::size_t num_runs) {
  return fmt::format("stopped by {} after {} of {} runs", signal == SIGINT ? "SIGINT" : "SIGTERM",
                     with_separators(static_cast<std::int64_t>(num_done)),
                     with_separators(static_cast<std::int64_t>(num_runs)));
}

void end_by_remembered_signal() {
  if (remembered == 0) return;
  std::signal(remembered, SIG_DFL);
  raise(remembered);
}

}  // namespace dromos::driver
