// SPDX-License-Identifier: BSD-3-Clause
// Tells who waits that others use the cores, too: threads that wait for each other then take many times as long, and
// the figures are those of a busy machine.
#pragma once

namespace dromos::driver {

/// What the threads of this process had of the cores since it started, all together.
struct CoreTimes {
  double running = 0;  ///< seconds on a core
  double waiting = 0;  ///< seconds that a thread could have run and had no core
};

/// From Linux' statistics of its scheduler (/proc/self/task/*/schedstat); zeros where there are none.
CoreTimes core_times();

/// Says so on stderr, with the remedy, where the threads of this process waited for cores for half a second each, and
/// for longer than they had them. Not with --quiet, and not where the environment has DROMOS_LOAD_WARNING=0.
///
/// \param num_threads  of the CPU, that it works with
void warn_of_shared_cores(int num_threads);

}  // namespace dromos::driver
