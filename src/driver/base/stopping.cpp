// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/stopping.hpp"

#include <csignal>
#include <dromos/io/replaced_file.hpp>

namespace dromos::driver {
namespace {

extern "C" void end_by_signal(int signal) {
  remove_temporary_files();
  // SA_RESETHAND has brought the default action back; it follows when this handler has returned.
  raise(signal);
}

}  // namespace

void remove_unfinished_files_when_stopped() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = end_by_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    static_cast<void>(sigaction(signal, &action, nullptr));
  }
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

}  // namespace dromos::driver
