// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/shared_cores.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "driver/base/number_format.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/talking.hpp"

namespace dromos::driver {
namespace {

/// Cores that this process may use; 0: nobody says.
int num_cores_allowed() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

std::string remedy_of_waiting(int num_threads, int num_cores) {
  if (num_cores > 0 && num_threads > num_cores) {
    return fmt::format("there are {} for {}: use --threads {}", counted(num_cores, "core", "cores"),
                       counted(num_threads, "thread", "threads"), num_cores);
  }
  const std::string whose = "others use them as well, and times are those of a busy machine: ";
  if (num_threads <= 1) return whose + "run it where a core is free";
  return whose + fmt::format("use fewer threads than free cores, such as --threads {}", std::max(1, num_threads / 2));
}

}  // namespace

CoreTimes core_times() {
  CoreTimes times;
  std::error_code failed;  // threads may end meanwhile
  for (std::filesystem::directory_iterator thread("/proc/self/task", failed), end; !failed && thread != end;
       thread.increment(failed)) {
    double running = 0, waiting = 0;  // nanoseconds
    std::ifstream file(thread->path() / "schedstat");
    if (!(file >> running >> waiting)) continue;
    times.running += 1e-9 * running;
    times.waiting += 1e-9 * waiting;
  }
  return times;
}

void warn_of_shared_cores(int num_threads) {
  const char* const setting = std::getenv("DROMOS_LOAD_WARNING");
  if (is_quiet() || (setting != nullptr && std::string(setting) == "0")) return;
  const CoreTimes times = core_times();
  // Of several threads each waits for itself.
  if (times.waiting < std::max(1, num_threads) * 0.5 || times.waiting <= times.running) return;
  say_error(fmt::format("dromos: threads waited {} for cores and had them for {}; {}\n", duration(times.waiting),
                        duration(times.running), remedy_of_waiting(num_threads, num_cores_allowed())));
}

}  // namespace dromos::driver
