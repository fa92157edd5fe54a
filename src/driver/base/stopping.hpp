// SPDX-License-Identifier: BSD-3-Clause
// What happens when somebody stops the program: files that are half written go, and it ends by the signal as it would
// have without us, so that whoever started it sees why. Between the runs of a long series it keeps what is done.
#pragma once

#include <cstddef>
#include <string>

namespace dromos::driver {

/// To be called first of all. A signal that the program around us ignores (nohup) stays ignored. Files beyond the limit
/// of ulimit -f are an error of writing from here on, and not a signal.
void remove_unfinished_files_when_stopped();

/// As long as one lives, SIGINT and SIGTERM let the run that is under way come to its end: remembered_signal() then
/// says that it should be the last. A second signal ends the program at once. Not to be there while results are
/// written.
class FinishRunFirst {
 public:
  /// \param speaks  says on stderr what happens now
  explicit FinishRunFirst(bool speaks);
  ~FinishRunFirst();
  FinishRunFirst(const FinishRunFirst&) = delete;
  FinishRunFirst& operator=(const FinishRunFirst&) = delete;
};

/// The signal that came while there was a FinishRunFirst; 0: none.
int remembered_signal();

/// The exit code of a program that was stopped, as shells have it.
int exit_code_of_signal(int signal);

/// "stopped by SIGINT after 12 of 5,000 runs"
std::string describe_stop(int signal, std::size_t num_done, std::size_t num_runs);

/// Ends the program by the signal that was remembered, when all is said and written; returns where there was none.
void end_by_remembered_signal();

}  // namespace dromos::driver
