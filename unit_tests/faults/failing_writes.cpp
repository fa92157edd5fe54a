// SPDX-License-Identifier: BSD-3-Clause
// A library to be preloaded (LD_PRELOAD): the disk under one folder fails at the n-th call that writes to it. So a test
// meets every place at which a disk can fill up, without a disk of its own.
//
//   DROMOS_FAULT_FOLDER   files in it are counted
//   DROMOS_FAULT_AT       the number of the first call that fails, from 1 on; 0: none
//   DROMOS_FAULT_KIND     full: it and all later ones say ENOSPC        once: it alone does
//                         drop: it alone says that all is well, and writes nothing
//                         stop: the process gets DROMOS_FAULT_SIGNAL (default SIGTERM) before it
//                         twice: the same, and the signal again in another thread when it is about to remove a file
//   DROMOS_FAULT_RANK     of several ranks, the one that it happens to (default: each)
//   DROMOS_FAULT_MET      a file that is made when the call was reached; before a signal it says what the process does
//                         with that: "default", "ignored", or whose function it calls, "handled by dromos", and
//                         " blocked" where it does not arrive
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

std::atomic<long> num_calls{0};

const char* setting(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

bool is_watched(const char* path) {
  const char* const folder = setting("DROMOS_FAULT_FOLDER", "");
  return *folder != '\0' && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool is_watched(int descriptor) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return is_watched(path);
}

bool is_this_rank() {
  const char* const wanted = std::getenv("DROMOS_FAULT_RANK");
  if (wanted == nullptr) return true;
  const char* own = std::getenv("OMPI_COMM_WORLD_RANK");
  if (own == nullptr) own = std::getenv("PMI_RANK");
  return std::strcmp(wanted, own == nullptr ? "0" : own) == 0;
}

/// Makes the file that says that the call was reached; of a signal (not 0), also what becomes of it.
void tell_met(int signal) {
  const char* const met = std::getenv("DROMOS_FAULT_MET");
  if (met == nullptr) return;
  const int file = open(met, O_WRONLY | O_CREAT, 0600);
  if (file < 0) return;
  struct sigaction action = {};
  sigset_t blocked;
  if (signal != 0 && sigaction(signal, nullptr, &action) == 0 && pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0) {
    Dl_info owner = {};
    if (action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL) {
      dprintf(file, "%s", action.sa_handler == SIG_IGN ? "ignored" : "default");
    } else if (dladdr(reinterpret_cast<const void*>(action.sa_handler), &owner) != 0 && owner.dli_fname != nullptr) {
      const char* const name = std::strrchr(owner.dli_fname, '/');
      dprintf(file, "handled by %s", name == nullptr ? owner.dli_fname : name + 1);
    } else {
      dprintf(file, "handled");
    }
    if (sigismember(&blocked, signal) == 1) dprintf(file, " blocked");
  }
  close(file);
}

/// The signal that the process is to get; 0: none.
int chosen_signal() {
  const char* const kind = setting("DROMOS_FAULT_KIND", "full");
  if (std::strcmp(kind, "stop") != 0 && std::strcmp(kind, "twice") != 0) return 0;
  return std::atoi(setting("DROMOS_FAULT_SIGNAL", "15"));
}

/// A thread that waits for nothing gets the signal, and time to act on it.
void signal_another_thread() {
  std::thread([] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
    raise(chosen_signal());
  }).detach();
  usleep(100000);
}

enum class Fate { works, fails, dropped };

/// Counts a call to what is watched and says what becomes of it.
Fate next_call() {
  const long at = std::atol(setting("DROMOS_FAULT_AT", "0"));
  if (at <= 0 || !is_this_rank()) return Fate::works;
  const long call = ++num_calls;
  if (call < at) return Fate::works;
  const char* const kind = setting("DROMOS_FAULT_KIND", "full");
  const int signal = chosen_signal();
  if (call == at) tell_met(signal);
  errno = ENOSPC;
  if (std::strcmp(kind, "full") == 0) return Fate::fails;
  if (call > at) return Fate::works;
  if (std::strcmp(kind, "once") == 0) return Fate::fails;
  if (std::strcmp(kind, "drop") == 0) return Fate::dropped;
  raise(signal);
  return Fate::works;
}

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The call itself, unless it fails or is dropped; `done` is what a call that is dropped returns.
template <class Result, class Call>
Result decide(bool watched, Result done, const Call& call) {
  const Fate fate = watched ? next_call() : Fate::works;
  if (fate == Fate::works) return call();
  return fate == Fate::dropped ? done : Result(-1);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto call = original<ssize_t (*)(int, const void*, size_t)>("write");
  return decide<ssize_t>(is_watched(descriptor), static_cast<ssize_t>(size),
                         [&] { return call(descriptor, data, size); });
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  static const auto call = original<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return decide<ssize_t>(is_watched(descriptor), static_cast<ssize_t>(size),
                         [&] { return call(descriptor, data, size, offset); });
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t offset) {
  return pwrite(descriptor, data, size, offset);
}

ssize_t pwritev(int descriptor, const iovec* pieces, int count, off_t offset) {
  static const auto call = original<ssize_t (*)(int, const iovec*, int, off_t)>("pwritev");
  ssize_t size = 0;
  for (int i = 0; i < count; ++i) size += static_cast<ssize_t>(pieces[i].iov_len);
  return decide<ssize_t>(is_watched(descriptor), size, [&] { return call(descriptor, pieces, count, offset); });
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  static const auto call = original<ssize_t (*)(int, const iovec*, int)>("writev");
  ssize_t size = 0;
  for (int i = 0; i < count; ++i) size += static_cast<ssize_t>(pieces[i].iov_len);
  return decide<ssize_t>(is_watched(descriptor), size, [&] { return call(descriptor, pieces, count); });
}

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  static const auto call = original<int (*)(int, int, off_t, off_t)>("fallocate");
  return decide<int>(is_watched(descriptor), 0, [&] { return call(descriptor, mode, offset, size); });
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t size) {
  return fallocate(descriptor, mode, offset, size);
}

int ftruncate(int descriptor, off_t size) noexcept {
  static const auto call = original<int (*)(int, off_t)>("ftruncate");
  return decide<int>(is_watched(descriptor), 0, [&] { return call(descriptor, size); });
}

int ftruncate64(int descriptor, off64_t size) noexcept { return ftruncate(descriptor, size); }

int fsync(int descriptor) {
  static const auto call = original<int (*)(int)>("fsync");
  return decide<int>(is_watched(descriptor), 0, [&] { return call(descriptor); });
}

int rename(const char* from, const char* to) noexcept {
  static const auto call = original<int (*)(const char*, const char*)>("rename");
  if (std::strcmp(setting("DROMOS_FAULT_KIND", ""), "drop") == 0) return call(from, to);  // no data
  return decide<int>(is_watched(from), 0, [&] { return call(from, to); });
}

int unlink(const char* path) noexcept {
  static const auto call = original<int (*)(const char*)>("unlink");
  if (std::strcmp(setting("DROMOS_FAULT_KIND", ""), "twice") == 0 && is_watched(path)) signal_another_thread();
  return call(path);
}
}
