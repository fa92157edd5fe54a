// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/waiting_threads.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace dromos::driver {

void run_with_short_spins([[maybe_unused]] char** argv) {
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)  // LLVM's runtime yields while it waits
  for (const char* variable : {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}) {
    if (std::getenv(variable) != nullptr) return;
  }
  const char* const num_threads = std::getenv("OMP_NUM_THREADS");
  if (num_threads != nullptr && std::string(num_threads) == "1") return;
  // By its name, which others see, and not as /proc/self/exe.
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = '\0';
  setenv("GOMP_SPINCOUNT", default_spins, 0);
  execv(path, argv);
  unsetenv("GOMP_SPINCOUNT");  // it could not: go on as it is
#endif
}

}  // namespace dromos::driver
