// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/host_memory.hpp"

#include <cstdlib>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/error.hpp>
#include <fstream>
#include <sstream>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace dromos::driver {

void check_host_memory(const std::string& purpose, double bytes_needed,
                       const std::function<std::string(double)>& what_would_fit) {
  const auto available = static_cast<double>(available_host_memory());
  if (bytes_needed <= available) return;
  // 2^63 and more is not a number of bytes that the message could hold.
  const double most = 9.2e18;
  const auto needed = static_cast<std::uint64_t>(bytes_needed < most ? bytes_needed : most);
  if (!what_would_fit) throw MemoryError(purpose, needed, static_cast<std::uint64_t>(available));
  throw MemoryError(purpose + " needs " + binary_bytes(needed) + " of memory, and " +
                    binary_bytes(static_cast<std::uint64_t>(available)) + " are available; " +
                    what_would_fit(available));
}

void give_freed_arrays_back() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

ResidentMemory resident_memory() {
  ResidentMemory memory;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double kib = 0;
    words >> name >> kib;
    if (name == "VmRSS:") memory.now = 1024 * kib;
    if (name == "VmHWM:") memory.peak = 1024 * kib;
  }
  return memory;
}

}  // namespace dromos::driver
