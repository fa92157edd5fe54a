// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/waiting_threads.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

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

/// Is it an entry of a variable of this name, with that value if one is given? Plain loops here and below, since no
/// library has started yet.
bool sets(const char* entry, const char* name, const char* value = nullptr) {
  for (; *name != '\0'; ++name, ++entry) {
    if (*entry != *name) return false;
  }
  if (*entry != '=') return false;
  if (value == nullptr) return true;
  for (++entry; *value != '\0'; ++value, ++entry) {
    if (*entry != *value) return false;
  }
  return *entry == '\0';
}

/// Called before any library starts.
void set_short_spins(int, char**, char** environment) {
  char** dispensable = nullptr;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (sets(*entry, "GOMP_SPINCOUNT") || sets(*entry, "OMP_WAIT_POLICY")) return;
    if (sets(*entry, "OMP_NUM_THREADS", "1")) return;
    if (sets(*entry, "_") || sets(*entry, "OLDPWD") || sets(*entry, "SHLVL")) dispensable = entry;
  }
  if (dispensable == nullptr) return;
  displaced = *dispensable;
  *dispensable = short_spins;
}

#ifdef __GLIBC__
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = set_short_spins;
#endif

}  // namespace

void put_back_environment() {
  if (displaced != nullptr) putenv(displaced);
}

void run_with_short_spins(char** argv) {
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
  putenv(short_spins);
  execv(path, argv);
  unsetenv("GOMP_SPINCOUNT");  // it could not: go on as it is
}

#else

void put_back_environment() {}
void run_with_short_spins(char**) {}

#endif

}  // namespace dromos::driver
