// SPDX-License-Identifier: BSD-3-Clause
// What happens when somebody stops the program: files that are half written go, and it ends by the signal as it would
// have without us, so that whoever started it sees why.
#pragma once

namespace dromos::driver {

/// To be called first of all. A signal that the program around us ignores (nohup) stays ignored. Files beyond the limit
/// of ulimit -f are an error of writing from here on, and not a signal.
void remove_unfinished_files_when_stopped();

}  // namespace dromos::driver
