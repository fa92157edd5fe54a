// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/waiting_threads.hpp"

#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)  // LLVM's runtime yields while it waits
#define DROMOS_THREADS_SPIN 1
#endif

namespace dromos::driver {

#ifdef DROMOS_THREADS_SPIN

namespace {

/// Spins of GNU's runtime, some 10 ns each.
char short_spins[] = "GOMP_SPINCOUNT=3000";

/// The entry of the environment in whose place that stands, if any.
char* displaced = nullptr;

/// What follows in an entry that begins like this; null where it does not. A plain loop, since no library has started
/// when it is first called.
const char* behind(const char* entry, const char* beginning) {
  for (; *beginning != '\0'; ++beginning, ++entry) {
    if (*entry != *beginning) return nullptr;
  }
  return entry;
}

/// Does it say how threads wait, or that there is one?
bool says_how_to_wait(char* const* environment) {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (behind(*environment, "GOMP_SPINCOUNT=") != nullptr) return true;
    if (behind(*environment, "OMP_WAIT_POLICY=") != nullptr) return true;
    const char* const threads = behind(*environment, "OMP_NUM_THREADS=1");
    if (threads != nullptr && *threads == '\0') return true;
  }
  return false;
}

/// Called before any library starts.
void set_short_spins(int, char**, char** environment) {
  if (says_how_to_wait(environment)) return;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    for (const char* dispensable : {"_=", "OLDPWD=", "SHLVL="}) {
      if (behind(*entry, dispensable) == nullptr) continue;
      displaced = *entry;
      *entry = short_spins;
      return;
    }
  }
}

#ifdef __GLIBC__
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = set_short_spins;
#endif

}  // namespace

void put_back_environment() {
  if (displaced != nullptr) putenv(displaced);
}

void run_with_short_spins(char** argv) {
  if (says_how_to_wait(environ)) return;
  // By its name, which others see, and not as /proc/self/exe.
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = '\0';
  putenv(short_spins);
  execv(path, argv);
  unsetenv("GOMP_SPINCOUNT");  // it could not: go on as it is
}

#else

void put_back_environment() {}
void run_with_short_spins(char**) {}

#endif

}  // namespace dromos::driver
