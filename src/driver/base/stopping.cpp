// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/stopping.hpp"

#include <pthread.h>

#include <csignal>
#include <dromos/io/replaced_file.hpp>

namespace dromos::driver {
namespace {

/// The thread that makes files and names them.
pthread_t main_thread;

extern "C" void end_by_signal(int signal) {
  // A launcher may send the same signal twice, and any thread may take it. Were the second one to end the program in
  // another thread, the files of the first would stay; and the main thread, which is not to make one now, would go on
  // beside this handler. So it is the main thread that ends the program, and the second waits until the first is done.
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, signal);
    return;
  }
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
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) sigaddset(&action.sa_mask, signal);
  for (const int signal : signals) {
    struct sigaction before = {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    static_cast<void>(sigaction(signal, &action, nullptr));
  }
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

}  // namespace dromos::driver
