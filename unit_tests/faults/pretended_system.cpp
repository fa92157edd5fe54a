// SPDX-License-Identifier: BSD-3-Clause
// A library that goes in front of the system's (LD_PRELOAD), and makes a machine other than it is:
//
//   DROMOS_PRETEND_RANDOM   set: random numbers are 0, 1, 2, ..., as somebody who foresees them has it
//   DROMOS_PRETEND_THREADS  how many hardware threads OpenMP finds, where nobody sets another number
//
// The names are those of the C library and of the OpenMP runtime, and so are their parameters.
#include <dlfcn.h>
#include <sys/random.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<std::uint64_t> next_number{0};
std::atomic<int> chosen_threads{0};

}  // namespace

extern "C" {

// The system's has a nonnull parameter, too.
ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  static const auto original = reinterpret_cast<ssize_t (*)(void*, size_t, unsigned)>(dlsym(RTLD_NEXT, "getrandom"));
  if (std::getenv("DROMOS_PRETEND_RANDOM") == nullptr || size != sizeof(std::uint64_t)) {
    return original(buffer, size, flags);
  }
  const std::uint64_t number = next_number++;
  std::memcpy(buffer, &number, size);
  return static_cast<ssize_t>(size);
}

int omp_get_max_threads() {
  static const auto original = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "omp_get_max_threads"));
  const char* const pretended = std::getenv("DROMOS_PRETEND_THREADS");
  if (pretended == nullptr || std::getenv("OMP_NUM_THREADS") != nullptr) return original();
  return chosen_threads > 0 ? chosen_threads.load() : std::atoi(pretended);
}

void omp_set_num_threads(int num_threads) {
  static const auto original = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "omp_set_num_threads"));
  chosen_threads = num_threads;
  original(num_threads);
}
}
